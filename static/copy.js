// What can be copied: a button that says so in its own words and works without the clipboard permission, and commands.
import {queryOf} from './api.js';
import {h} from './dom.js';
import {language, t} from './text.js';

function copyThroughSelection(text) {
    const area = h('textarea', {class: 'hidden', 'aria-hidden': 'true'});
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy'); // plain HTTP on an intranet has no navigator.clipboard
    area.remove();
    return isDone;
}

/** A button with a label that copies a text. */
export function copyButton(text, label) {
    return h(
        'button',
        {
            type: 'button',
            class: 'plain-button',
            onclick: async (event) => {
                const button = event.currentTarget;
                const isDone = navigator.clipboard
                    ? await navigator.clipboard.writeText(text).then(
                          () => true,
                          () => copyThroughSelection(text),
                      )
                    : copyThroughSelection(text);
                if (isDone) {
                    button.textContent = t('copied');
                    setTimeout(() => {
                        button.textContent = label;
                    }, 2000);
                }
            },
        },
        label,
    );
}

/** A text for a terminal or a program with its button. */
export function copyBox(text) {
    return h('div', {class: 'curl'}, h('code', {}, text), copyButton(text, t('copy')));
}

/** The same question for a script: a GET of the API. */
export function commandSection(path, parameters) {
    const query = queryOf({...parameters, lang: language() === 'zh' ? 'zh' : ''});
    const command = `curl '${location.origin}${path}${query ? `?${query}` : ''}'`;
    return h('section', {class: 'command'}, h('h2', {}, t('curl')), copyBox(command));
}
