// What the server says of prices and files: reports, and the question before something is undone.
import {h, table} from './dom.js';
import {isKnown, number} from './format.js';
import {wordsOf} from './prices_send.js';
import {language, t, word} from './text.js';

const COUNTS = ['rows', 'accepted', 'merged', 'known', 'held', 'rejected_total'];

/** A place where a failure is said. */
export function failurePlace() {
    return h('p', {class: 'error notice bad', role: 'alert', hidden: true});
}

/** Says in a place what went wrong. */
export function sayFailure(place, error) {
    place.textContent = wordsOf(error);
    place.hidden = false;
}

/** A moment of the server in the reader's own time. */
export function moment(text) {
    const isChinese = language() === 'zh';
    return new Date(text).toLocaleString(isChinese ? 'sv-SE' : 'en-GB', { // the Swedish write ISO dates
        dateStyle: isChinese ? 'short' : 'medium',
        timeStyle: 'short',
    });
}

/** The reason of a note: its code in the language of the page, then the server's own words. */
export function reason(note) {
    return [
        word('entry.findings', note.code),
        h('span', {class: 'source'}, ` ${note.detail}`),
        h('span', {class: 'source'}, note.suggestions.map(({name}, i) => `${i === 0 ? ' → ' : ' / '}${name}`).join('')),
    ];
}

function notes(caption, rows, total) {
    if (rows.length === 0) {
        return null;
    }
    const columns = [
        {head: t('entry.line'), cell: (note) => (isKnown(note.line) ? t('entry.line_of', number(note.line)) : '–')},
        {head: t('entry.column'), cell: (note) => h('span', {class: 'source'}, note.column ?? '')},
        {head: t('entry.value'), cell: (note) => h('span', {class: 'source'}, note.value ?? '')},
        {head: t('entry.reason'), cell: reason},
    ];
    return h(
        'section',
        {},
        h('h3', {}, caption),
        table(caption, columns, rows),
        total > rows.length ? h('p', {class: 'small'}, t('entry.first_of', rows.length, total)) : null,
    );
}

/** The report of a file. */
export function fileReport(report) {
    return [
        h(
            'dl',
            {class: 'figures'},
            COUNTS.map((name) =>
                h(
                    'div',
                    {class: 'figure'},
                    h('dt', {}, word('entry.counts', name)),
                    h('dd', {class: 'value'}, number(report[name])),
                ),
            ),
        ),
        notes(t('entry.rejected'), report.rejected, report.rejected_total),
        notes(t('entry.review'), report.review, report.review_total),
    ];
}

/** Asks before an import is undone; resolves with whether to do it. Escape keeps it. */
export function mayUndo(id, rows) {
    return new Promise((resolve) => {
        const dialog = h(
            'dialog',
            {class: 'question-box', 'aria-labelledby': 'undo-asks'},
            h(
                'form',
                {method: 'dialog'},
                h('p', {id: 'undo-asks'}, t('entry.undo_asks', id, number(rows))),
                h(
                    'p',
                    {class: 'actions'},
                    h('button', {class: 'plain-button', value: 'no'}, t('entry.keep')),
                    h('button', {class: 'plain-button danger', value: 'yes'}, t('entry.undo')),
                ),
            ),
        );
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(dialog.returnValue === 'yes');
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}
