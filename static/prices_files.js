// Files to import, checked before anything is added, and the imports so far, each of which can be undone.
import {Problem} from './api.js';
import {h, show, table} from './dom.js';
import {number} from './format.js';
import {failurePlace, fileReport, mayUndo, moment} from './prices_report.js';
import {send} from './prices_send.js';
import {t, word} from './text.js';

const TYPES = {csv: 'text/csv', json: 'application/json'};
const FACTS = ['provider', 'observed_on', 'source'];

let chosen = null; // the form as drawn last

function optional(name, label, properties) {
    return h(
        'div',
        {class: 'field'},
        h('label', {for: `file-${name}`}, label),
        h('input', {id: `file-${name}`, name, type: 'text', autocomplete: 'off', maxlength: 200, ...properties}),
    );
}

/** What was chosen in another language is chosen in this one, too. */
function fillFrom(before, form) {
    if (before !== null) {
        form.elements.file.files = before.elements.file.files;
        form.elements.accept_review.checked = before.elements.accept_review.checked;
        for (const name of FACTS) {
            form.elements[name].value = before.elements[name].value;
        }
    }
}

/** Sends the chosen file; what the server says of its rows is a report, whatever its status. */
async function sendFile(form, isDry) {
    const file = form.elements.file.files[0];
    const query = new URLSearchParams({file: file.name, dry_run: isDry ? 'yes' : 'no'});
    for (const name of FACTS) {
        const value = form.elements[name].value.trim();
        if (value !== '') {
            query.set(name, value);
        }
    }
    if (form.elements.accept_review.checked) {
        query.set('accept_review', 'yes');
    }
    const type = TYPES[file.name.split('.').pop().toLowerCase()] ?? 'application/octet-stream';
    try {
        return await send('POST', `/imports?${query}`, {body: file, type, waits: false});
    } catch (error) {
        if (error instanceof Problem && error.report?.rejected !== undefined) {
            return error.report;
        }
        throw error;
    }
}

function fileForm() {
    return h(
        'form',
        {class: 'file-form', autocomplete: 'off'},
        h(
            'div',
            {class: 'field'},
            h('label', {for: 'file'}, t('entry.file_choose')),
            h('input', {id: 'file', name: 'file', type: 'file', accept: '.csv,.json'}),
        ),
        h(
            'details',
            {},
            h('summary', {}, t('entry.file_facts')),
            h(
                'div',
                {class: 'file-facts'},
                optional('provider', t('provider')),
                optional('observed_on', t('day'), {type: 'date'}),
                optional('source', t('source')),
            ),
        ),
        h(
            'label',
            {class: 'check'},
            h('input', {type: 'checkbox', name: 'accept_review'}),
            h('span', {}, t('entry.accept_held')),
        ),
        h('p', {class: 'actions'}, h('button', {class: 'plain-button'}, t('entry.file_check'))),
    );
}

/** The section of files; work(task, failure) shows what is under way and says what failed, imported() follows an import. */
export function fileSection(work, imported) {
    const form = fileForm();
    fillFrom(chosen, form);
    chosen = form;
    const said = h('p', {class: 'said', role: 'status', tabindex: -1});
    const place = h('div', {class: 'report-of-file'});
    const failure = failurePlace();
    const run = (isDry) =>
        work(async () => {
            const name = form.elements.file.files[0].name;
            const report = await sendFile(form, isDry);
            const isRefused = ['refused', 'would-refuse'].includes(report.outcome);
            said.textContent = isRefused
                ? t('entry.refused', name)
                : t(isDry ? 'entry.checked' : 'entry.imported', name);
            show(
                place,
                fileReport(report),
                isDry && !isRefused && report.accepted > 0
                    ? h(
                          'button',
                          {type: 'button', class: 'plain-button main', onclick: () => run(false)},
                          t('entry.file_import', number(report.accepted)),
                      )
                    : null,
            );
            said.focus();
            if (!isDry && !isRefused) {
                imported();
            }
        }, failure);
    form.addEventListener('change', () => {
        show(place); // what was checked was another question
        said.textContent = '';
        failure.hidden = true;
    });
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (form.elements.file.files.length === 0) {
            said.textContent = t('entry.file_none');
            form.elements.file.focus();
        } else {
            run(true);
        }
    });
    return h(
        'section',
        {},
        h('h2', {}, t('entry.file')),
        h('p', {class: 'small'}, t('entry.file_hint')),
        form,
        failure,
        said,
        place,
    );
}

/** Undoes an import when the reader agrees; resolves with the server's record of it, or null. */
export async function undo(id, rows, work) {
    if (!(await mayUndo(id, rows))) {
        return null;
    }
    let undone = null;
    await work(async () => {
        undone = await send('DELETE', `/imports/${id}`);
    });
    return undone;
}

function logTable(entries, onundo) {
    const undoButton = (entry) =>
        h(
            'button',
            {
                type: 'button',
                class: 'link',
                'aria-label': t('entry.undo_one', entry.id),
                onclick: () => onundo(entry),
            },
            t('entry.undo'),
        );
    return table(
        t('entry.log'),
        [
            {head: t('entry.number'), cell: (entry) => t('entry.import_number', entry.id)},
            {head: t('entry.at'), cell: (entry) => moment(entry.at)},
            {head: t('entry.who'), cell: (entry) => h('span', {class: 'source'}, entry.who)},
            {head: t('entry.filled'), cell: (entry) => word('entry.tables', entry.table)},
            {
                head: t('entry.from'),
                cell: (entry) =>
                    entry.file === null
                        ? h('span', {class: 'note'}, t('entry.by_hand'))
                        : h('span', {class: 'source'}, entry.file),
            },
            {head: t('entry.added_rows'), number: true, cell: (entry) => number(entry.rows_added)},
            {head: t('entry.known_rows'), number: true, cell: (entry) => number(entry.rows_known)},
            {
                head: t('entry.undo'),
                cell: (entry) =>
                    entry.undone_at === null
                        ? undoButton(entry)
                        : h('span', {class: 'note'}, t('entry.undone_at', moment(entry.undone_at))),
            },
        ],
        entries,
        (entry) => ({'data-import': entry.id}),
    );
}

/** The imports so far, newest first. Returns the section, the place
 * of its failures and what loads it anew; onundone is told of each undone. */
export function logSection(work, onundone) {
    const place = h('div', {});
    const failure = failurePlace();
    const heading = h('h2', {tabindex: -1}, t('entry.log'));
    let entries = [];
    const draw = (next) =>
        show(
            place,
            entries.length > 0 ? logTable(entries, onundo) : h('p', {class: 'small'}, t('entry.log_empty')),
            next === null
                ? null
                : h(
                      'button',
                      {type: 'button', class: 'plain-button', onclick: () => work(() => load(next), failure)},
                      t('entry.more'),
                  ),
        );
    const load = async (cursor = null) => {
        const page = await send('GET', `/imports?limit=20${cursor === null ? '' : `&cursor=${cursor}`}`);
        entries = cursor === null ? page.data : [...entries, ...page.data];
        draw(page.page.next);
    };
    const onundo = async (entry) => {
        const undone = await undo(entry.id, entry.rows_added, (task) => work(task, failure));
        if (undone !== null) {
            onundone(undone);
        }
    };
    return {section: h('section', {}, heading, failure, place), failure, load};
}
