// What can be rented: cards, notebook plans and TPUs, each price with its day; what fits the question of the address first.
import {get, Problem, queryOf, ROWS_MAX} from './api.js';
import {askedOf, cloudForm, FILTERS, offerChoices, showErrors, valuesOf} from './cloud_filters.js';
import {questionSection, warningsOf} from './cloud_question.js';
import {offersTable, sortsOf} from './cloud_tables.js';
import {h, isNarrow, show, styleSheet} from './dom.js';
import {number} from './format.js';
import {isAsked, questionOf} from './question.js';
import {loaded, run} from './request.js';
import {t, worded} from './text.js';

/** Its styles. */
export const styled = styleSheet('cloud');

const KINDS = ['instance', 'notebook', 'tpu'];
const ROWS_FIRST = isNarrow() ? {instance: 12, notebook: 8, tpu: 8} : {instance: 25, notebook: ROWS_MAX, tpu: ROWS_MAX};
const ROWS_MORE = 100;
const HOURS_UNASKED = 80; // of a month; the field shows it

/** The parameter of the address that holds the order of a kind. */
const SORT_OF = {instance: 'sort', notebook: 'notebook_sort', tpu: 'tpu_sort'};
const SORT_UNASKED = {instance: 'usd_per_hour', notebook: '', tpu: ''};

/** The first `count` offers, page by page: {rows, total}. */
async function firstOffers(asked, count, signal) {
    const rows = [];
    let page = {next: null};
    do {
        const reply = await get('/cloud', {...asked, limit: Math.min(ROWS_MAX, count - rows.length), cursor: page.next}, signal);
        rows.push(...reply.data);
        page = {next: reply.page.next, total: reply.total};
    } while (page.next !== null && rows.length < count);
    return {rows, total: page.total};
}

/** The same where only those with a spot price are asked for: the server cannot tell them apart, so all are read. */
async function firstWithSpot(asked, count, signal) {
    const {rows} = await firstOffers(asked, Infinity, signal);
    const found = rows.filter((row) => row.spot_usd_per_hour !== null);
    return {rows: found.slice(0, count), total: found.length};
}

let everyOffer = null; // of the catalogue, for the choices of the filters; read once a sitting

async function choicesFor(form) {
    everyOffer ??= firstOffers({}, Infinity);
    try {
        const {rows} = await everyOffer;
        if (form.isConnected) {
            offerChoices(form, rows);
        }
    } catch (error) {
        everyOffer = null;
        if (!(error instanceof Problem || error instanceof TypeError)) { // the server gone: the tables say so
            throw error;
        }
    }
}

/** The view; drawn once, its tables whenever filters or orders change. */
class View {
    constructor(place, query, page) {
        this.place = place;
        this.page = page;
        const {hours_per_month: hours, min_memory_gib: memory, ...question} = questionOf(query); // these two have fields here
        this.question = question;
        this.sorts = Object.fromEntries(KINDS.map((kind) => [kind, query[SORT_OF[kind]] ?? SORT_UNASKED[kind]]));
        this.rowsShown = {...ROWS_FIRST, instance: Number(query.rows) || ROWS_FIRST.instance};
        this.answers = {}; // by kind: {key, rows, total}
        this.answer = null;
        this.form = cloudForm({...query, min_memory_gib: memory}, hours ?? '', (isNewEntry) => this.load(isNewEntry));
        this.why = h('p', {class: 'why'}, t('offers.hint'));
        this.jumps = h('nav', {class: 'jumps', 'aria-label': t('offers.title'), hidden: true});
        this.questionPlace = h('section', {class: 'for-question', hidden: true});
        this.sections = Object.fromEntries(KINDS.map((kind) => [kind,
            h('section', {id: `offers-${kind}`, class: `offers ${kind}`, tabindex: -1})]));
        this.problem = h('p', {class: 'error', role: 'alert', hidden: true});
    }

    hasQuestion() {
        return isAsked(this.question);
    }

    draw() {
        this.form.elements.hours_per_month.placeholder = number(HOURS_UNASKED);
        show(this.place, h('div', {class: 'page cloud'},
            h('div', {class: 'lead'}, h('h1', {}, t('offers.title')), this.why, this.jumps),
            this.questionPlace,
            h('div', {class: 'filtering'}, this.form, this.problem),
            this.sections.instance,
            h('div', {class: 'both'}, this.sections.notebook, this.sections.tpu)));
    }

    hours() {
        const typed = Number(valuesOf(this.form).hours_per_month ?? NaN);
        return typed >= 0 ? typed : this.answer?.query.hours_per_month ?? HOURS_UNASKED;
    }

    remember(isNewEntry) {
        const {rowsShown, sorts} = this;
        const orders = KINDS.map((kind) => [SORT_OF[kind], sorts[kind] === SORT_UNASKED[kind] ? '' : sorts[kind]]);
        this.page.remember({
            ...this.question,
            ...valuesOf(this.form),
            ...Object.fromEntries(orders),
            rows: rowsShown.instance === ROWS_FIRST.instance ? '' : rowsShown.instance,
        }, isNewEntry);
    }

    /** Asks for what has changed and shows it; errors are said at their fields, the tables stay. */
    async load(isNewEntry = false) {
        const values = valuesOf(this.form);
        this.remember(isNewEntry);
        const problem = await run(async (signal) => {
            const [answer] = await Promise.all([this.askQuestion(values, signal), ...KINDS.map((kind) => this.ask(kind, values, signal))]);
            signal.throwIfAborted(); // what was last to come may have been a module
            showErrors(this.form, null);
            this.problem.hidden = true;
            this.showAnswer(answer);
            for (const kind of KINDS) {
                this.show(kind, values);
            }
            this.jumps.hidden = false;
            show(this.jumps, KINDS.map((kind) => this.jump(kind)));
            this.page.announce(t('offers.said', ...KINDS.map((kind) => number(this.answers[kind].total))));
        });
        if (problem !== null) {
            this.showProblem(problem);
        }
    }

    async ask(kind, values, signal) {
        const asked = {kind, ...askedOf(values), sort: this.sorts[kind]};
        const key = queryOf({...asked, spot: values.spot, rows: this.rowsShown[kind]});
        if (this.answers[kind]?.key !== key) {
            const find = values.spot === 'yes' ? firstWithSpot : firstOffers;
            this.answers[kind] = {key, asked, ...await find(asked, this.rowsShown[kind], signal)};
        }
    }

    /** The answer to the question, with the hours and the memory that the filters name; null: none is in the address. */
    async askQuestion({hours_per_month: hours, min_memory_gib: memory}, signal) {
        if (!this.hasQuestion()) {
            return null;
        }
        const [answer, {rentChart}] = await Promise.all([
            get('/recommend', {...this.question, hours_per_month: hours, min_memory_gib: memory}, signal),
            loaded('chart_rent', () => worded(import('./chart_rent.js'))),
        ]);
        return {...answer, chart: rentChart(answer)};
    }

    showAnswer(answer) {
        this.answer = answer;
        this.questionPlace.hidden = answer === null;
        if (answer !== null) {
            this.page.showFreshness(answer.catalogue);
            this.form.elements.hours_per_month.placeholder = number(answer.query.hours_per_month, 1);
            show(this.why, answer.rent_or_buy?.text ?? t('offers.hint'));
            show(this.questionPlace, questionSection(answer, this.question, answer.chart));
        }
    }

    /** A link to the table of a kind with its number of rows; the page keeps its address. */
    jump(kind) {
        return h('a', {href: `#offers-${kind}`, onclick: (event) => {
            event.preventDefault();
            this.sections[kind].scrollIntoView();
            this.sections[kind].focus({preventScroll: true});
        }}, t(`offers.kinds.${kind}`), ` ${number(this.answers[kind].total)}`);
    }

    show(kind, values) {
        const {rows, total, asked} = this.answers[kind];
        const place = this.sections[kind];
        const focused = place.contains(document.activeElement) ? document.activeElement.closest('th')?.cellIndex : undefined;
        const state = {hours: this.hours(), sort: this.sorts[kind], onsort: (sort) => this.sortBy(kind, sort)};
        show(place,
            this.heading(kind, rows.length, total, asked),
            h('p', {class: 'small'}, t(`offers.about.${kind}`)),
            kind === 'instance' ? this.sortChoice(kind) : null,
            rows.length > 0 ? offersTable(kind, rows, state) : this.nothing(kind, values),
            rows.length > 0 ? h('p', {class: 'meta'}, t('offers.arithmetic', number(this.hours(), 1)), t('blank'),
                rows.some((row) => row.usd_per_hour === null && row.spot_usd_per_hour !== null)
                    ? t('offers.arithmetic_spot') : null) : null,
            warningsOf(rows),
            rows.length < total ? this.moreButton(kind, total - rows.length) : null);
        if (focused !== undefined) {
            place.querySelector('table')?.tHead.rows[0].cells[focused]?.querySelector('button')?.focus();
        }
    }

    heading(kind, shown, total, asked) {
        const title = t(`offers.kinds.${kind}`);
        const words = total > ROWS_MAX ? t('offers.csv_first', ROWS_MAX) : t('offers.csv');
        return h('div', {class: 'heading'},
            h('h2', {}, title, ' ', h('span', {class: 'note'}, t('offers.found', number(shown), number(total)))),
            h('span', {class: 'links'}, h('a', {
                href: `/cloud?${queryOf({...asked, limit: ROWS_MAX, format: 'csv'})}`,
                'aria-label': `${t('offers.csv_of', title)}`,
            }, words)));
    }

    /** On phones, where heads are not shown, the order is a choice. */
    sortChoice(kind) {
        const options = sortsOf(kind).flatMap(([name, key]) => [['rising', key], ['falling', `-${key}`]]
            .map(([way, value]) => h('option', {value, selected: this.sorts[kind] === value},
                t(`offers.${way}`, t(`offers.heads.${name}`)))));
        return h('label', {class: 'sort-choice'}, t('offers.sort_by'),
            h('select', {onchange: ({target}) => this.sortBy(kind, target.value)}, options));
    }

    sortBy(kind, sort) {
        this.sorts[kind] = sort;
        this.load(true);
    }

    moreButton(kind, left) {
        return h('button', {type: 'button', class: 'plain-button more', onclick: async () => {
            const first = this.answers[kind].rows.length;
            this.rowsShown[kind] += ROWS_MORE;
            await this.load(false);
            this.sections[kind].querySelector('table').tBodies[0].rows[first]?.querySelector('a, button')?.focus();
        }}, t('offers.more', number(Math.min(ROWS_MORE, left))));
    }

    /** No row: what is asked for, each as a button that takes it away. */
    nothing(kind, values) {
        const set = FILTERS.filter((name) => values[name] !== undefined);
        return h('div', {class: 'nothing'},
            h('p', {}, t(`offers.none.${kind}`)),
            h('p', {}, set.map((name) => h('button', {type: 'button', class: 'pill', onclick: () => this.clear([name])},
                t('offers.take_away', t(`offers.${name}`)))),
            set.length > 1 ? h('button', {type: 'button', class: 'pill', onclick: () => this.clear(set)}, t('offers.clear')) : null));
    }

    clear(names) {
        for (const name of names) {
            const control = this.form.elements[name];
            if (control.type === 'checkbox') {
                control.checked = false;
            } else {
                control.value = '';
            }
        }
        this.form.elements[names[0]].focus();
        this.load(true);
    }

    showProblem(problem) {
        const isAtFields = showErrors(this.form, problem, (id) => {
            this.form.elements.gpu.value = id;
            this.load(true);
        });
        this.problem.hidden = isAtFields;
        show(this.problem, isAtFields ? '' : problem.errors.map(({detail}) => detail).join(t('semicolon')) || problem.message);
        this.page.announce(problem.message);
    }
}

/** The tables of what can be rented; filters, orders and the question stand in the address. */
export async function open(place, query, page) {
    const view = new View(place, query, page);
    view.draw();
    await view.load();
    await choicesFor(view.form);
}
