// Today's prices: the holder of a token enters them, imports files and undoes what was wrong.
import {cardAddress, Problem} from './api.js';
import {h, show, styleSheet} from './dom.js';
import {currencyWord, number, shortName} from './format.js';
import {fileSection, logSection, undo} from './prices_files.js';
import {failurePlace, reason, sayFailure} from './prices_report.js';
import {batch, rowsIn, filledRows, offerCards, showErrors} from './prices_rows.js';
import {hasToken, send, setToken} from './prices_send.js';
import {addTexts, t, word} from './text.js';

const SLOW_MS = 400; // before that no line runs: it would only flicker

addTexts('prices');

/** Its styles. */
export const styled = styleSheet('prices');

let isBusy = false; // one write at a time: a second press does nothing
let result = null; // of the last prices sent, kept when the language changes
let current = null; // the view as drawn last: an answer may come when the language was switched meanwhile

/** The parts of the view; drawn anew when the token is taken or forgotten. */
class View {
    constructor(place) {
        this.place = place;
        this.failure = failurePlace();
        this.tokenPlace = h('section', {class: 'token'});
        this.resultPlace = h('section', {class: 'result', hidden: result === null});
        this.fieldset = h('div', {class: 'entries'});
        this.sendButton = h('button', {class: 'plain-button main'});
        this.form = h('form', {class: 'rows', autocomplete: 'off', novalidate: true});
        this.insisting = h('div', {class: 'held', hidden: true});
        const work = (task, failure) => this.work(task, failure);
        this.file = fileSection(work, () => this.loadLog());
        this.log = logSection(work, (undone) => this.undone(undone));
    }

    draw() {
        const cards = h('datalist', {id: 'entry-cards'});
        this.rows = rowsIn(this.form, this.fieldset, () => this.changed());
        show(
            this.form,
            this.fieldset,
            cards,
            this.insisting,
            h(
                'p',
                {class: 'actions'},
                h('button', {type: 'button', class: 'plain-button', onclick: () => this.rows.add()}, t('entry.add')),
                this.sendButton,
                h('span', {class: 'small'}, t('entry.keys')),
            ),
            this.failure,
        );
        this.form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.send(false);
        });
        show(
            this.place,
            h(
                'div',
                {class: 'page prices'},
                h('div', {class: 'lead'}, h('h1', {}, t('views.prices')), h('p', {class: 'why'}, t('entry.lead'))),
                this.tokenPlace,
                h('section', {}, h('h2', {}, t('entry.rows')), this.form),
                this.resultPlace,
                this.file,
                this.log.section,
            ),
        );
        this.rows.redraw();
        offerCards(cards).catch(() => {}); // suggestions only: typing works without them
        this.changed();
        this.drawToken();
        this.drawResult();
        if (hasToken()) {
            this.loadLog();
        }
    }

    /** Runs a task that asks the server to do something, one at a time; says in a place what failed. */
    async work(task, failure = this.failure) {
        if (isBusy) {
            return;
        }
        isBusy = true;
        const progress = document.querySelector('#progress');
        const slow = setTimeout(() => {
            progress.hidden = false;
        }, SLOW_MS);
        failure.hidden = true;
        this.place.firstElementChild.setAttribute('aria-busy', 'true');
        try {
            await task();
        } catch (error) {
            this.failed(error, failure);
        } finally {
            isBusy = false;
            clearTimeout(slow);
            progress.hidden = true;
            this.place.firstElementChild?.removeAttribute('aria-busy');
        }
    }

    /** A token that is missing or wrong is said where it is pasted. */
    failed(error, failure) {
        if (error instanceof Problem && error.status === 401) {
            setToken('');
            this.drawToken();
            this.tokenError(error);
            return;
        }
        sayFailure(failure, error);
        failure.scrollIntoView({block: 'nearest'});
    }

    tokenError(error) {
        const field = this.tokenPlace.querySelector('input');
        field.setAttribute('aria-invalid', 'true');
        sayFailure(this.tokenPlace.querySelector('.error'), error);
        field.focus();
    }

    loadLog() {
        return this.log.load().catch((error) => this.failed(error, this.log.failure));
    }

    drawToken() {
        show(
            this.tokenPlace,
            h('h2', {}, t('entry.token')),
            hasToken() ? this.tokenInUse() : this.tokenForm(),
        );
        this.file.hidden = !hasToken();
        this.log.section.hidden = !hasToken();
    }

    tokenInUse() {
        const forget = () => {
            setToken('');
            this.drawToken();
            this.tokenPlace.querySelector('input').focus();
        };
        return h(
            'p',
            {class: 'actions'},
            h('span', {class: 'good'}, `✓ ${t('entry.in_use')}`),
            h('button', {type: 'button', class: 'plain-button', onclick: forget}, t('entry.forget')),
        );
    }

    tokenForm() {
        const field = h('input', {
            id: 'token',
            type: 'password',
            autocomplete: 'off',
            spellcheck: 'false',
            maxlength: 200,
            'aria-describedby': 'token-hint token-error',
        });
        const take = async (event) => {
            event.preventDefault();
            field.removeAttribute('aria-invalid');
            form.querySelector('.error').hidden = true;
            setToken(field.value);
            let failure = null;
            await this.work(async () => {
                failure = await this.log.load().catch((error) => error);
            });
            if (failure instanceof Error) {
                setToken('');
                this.tokenError(failure);
                return;
            }
            this.drawToken();
            this.form.querySelector('input').focus();
        };
        const form = h(
            'form',
            {autocomplete: 'off', onsubmit: take},
            h('label', {for: 'token', class: 'hidden'}, t('entry.token')),
            h('div', {class: 'joined'}, field, h('button', {class: 'plain-button'}, t('entry.use'))),
            h('p', {class: 'error', id: 'token-error', role: 'alert', hidden: true}),
            h('p', {class: 'small', id: 'token-hint'}, t('entry.token_hint')),
        );
        return form;
    }

    changed() {
        this.sendButton.textContent = t('entry.send', filledRows().length);
        this.insisting.hidden = true;
    }

    async send(insists) {
        if (filledRows().length === 0) {
            this.failure.textContent = t('entry.nothing');
            this.failure.hidden = false;
            this.form.querySelector('input').focus();
            return;
        }
        this.insisting.hidden = true;
        showErrors([]);
        const sent = batch();
        await this.work(async () => {
            const report = await send('POST', `/prices${insists ? '?accept_review=yes' : ''}`, {
                body: JSON.stringify(sent.prices),
                type: 'application/json',
            }).catch((error) => this.refused(error, sent));
            if (report !== null) {
                sent.done();
                result = {report, sent};
                current.showResult();
            }
        });
    }

    /** The server's words at the rows and fields they name; what names none is said below. Throws what is no such answer. */
    refused(error, sent) {
        const notes = [...(error.report?.rejected ?? []), ...(error.report?.review ?? [])];
        const named = [...(error.errors ?? []), ...notes].map((note) => {
            const [index, name] = placeOf(note);
            const text = note.code === undefined ? note.detail
                : `${word('entry.findings', note.code)}${t('colon')}${note.detail}`;
            return {row: sent.sent[index], name, text};
        });
        const atRows = named.filter(({row}) => row !== undefined);
        if (atRows.length === 0) {
            throw error;
        }
        showErrors(atRows);
        if (error.report.held > 0 && error.report.rejected_total === 0) {
            this.offerToInsist(error);
        } else if (atRows.length < named.length) {
            sayFailure(this.failure, error);
        }
        return null;
    }

    offerToInsist(error) {
        show(
            this.insisting,
            h('p', {role: 'alert'}, error.message),
            h(
                'button',
                {type: 'button', class: 'plain-button danger', onclick: () => this.send(true)},
                t('entry.insist'),
            ),
        );
        this.insisting.hidden = false;
    }

    undone(undone) {
        if (result?.report.import_id === undone.id) {
            result.sent.restore();
        }
        result = {undone};
        current.showResult();
    }

    showResult() {
        this.rows.redraw();
        this.changed();
        this.drawResult();
        this.resultPlace.querySelector('h2').focus();
        this.loadLog();
    }

    drawResult() {
        this.resultPlace.hidden = result === null;
        show(this.resultPlace, result === null ? null : result.undone ? undoneWords(result.undone) : this.added());
    }

    added() {
        const {report, sent} = result;
        const failure = failurePlace();
        const onundo = async () => {
            const undone = await undo(report.import_id, report.accepted, (task) => this.work(task, failure));
            if (undone !== null) {
                this.undone(undone);
            }
        };
        const isNew = report.accepted > 0;
        const unknown = new Set(
            report.review.filter((note) => note.code === 'unknown-name').map((note) => placeOf(note)[0]),
        );
        return [
            h('h2', {tabindex: -1}, isNew ? t('entry.added', report.accepted) : t('entry.known')),
            isNew && report.known > 0 ? h('p', {class: 'small'}, t('entry.known_too', report.known)) : null,
            h('ul', {class: 'plain'}, sent.prices.map((price, index) => sentPrice(price, sent.sent[index], unknown.has(index)))),
            report.review.length > 0 ? h('h3', {}, t('entry.held')) : null,
            h(
                'ul',
                {class: 'plain'},
                report.review.map((note) => h('li', {}, h('b', {}, `${note.value} `), reason(note))),
            ),
            report.import_id === null
                ? null
                : h(
                      'p',
                      {class: 'actions'},
                      h('span', {class: 'small'}, t('entry.import_number', report.import_id)),
                      h('button', {type: 'button', class: 'plain-button', onclick: onundo}, t('entry.undo')),
                  ),
            failure,
        ];
    }
}

/** The row and the field that a path such as [1].amount names. */
function placeOf(note) {
    const [, index, name] = /^\[(\d+)\](?:\.(\w+))?/.exec(note.parameter ?? '') ?? [];
    return [Number(index), name];
}

/** A price that was sent, with a link to its card where it has one. */
function sentPrice(price, row, isUnknown) {
    const name = row.found?.card ? shortName(row.found.card.name) : price.gpu;
    const href = cardAddress(row.found?.card?.id ?? price.gpu);
    return h(
        'li',
        {},
        isUnknown ? h('span', {}, name) : h('a', {href}, name),
        t('comma'),
        word('values', price.condition),
        t('comma'),
        `${number(price.amount, 2)} ${currencyWord(price.currency)}`,
    );
}

function undoneWords(undone) {
    return h('h2', {tabindex: -1}, t('entry.undone', undone.id, number(undone.rows_removed)));
}

/** Shows the view; what was typed before is still there. */
export function open(place) {
    current = new View(place);
    current.draw();
}
