// A button that copies; it says so in its own words, and works without the clipboard permission.
import {h} from './dom.js';
import {t} from './text.js';

function copyThroughSelection(text) {
    const area = h('textarea', {class: 'hidden', 'aria-hidden': 'true'});
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy'); // plain HTTP on an intranet has no navigator.clipboard
    area.remove();
    return isDone;
}

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
