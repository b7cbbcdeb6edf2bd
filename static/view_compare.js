// Cards side by side for the question of the address; which cards: gpus of the address, or the tray.
import {get, queryOf} from './api.js';
import {cardPicker} from './card_picker.js';
import {compareTable} from './compare_table.js';
import {choose, chosenIds, MOST} from './compare_tray.js';
import {h, show, styleSheet} from './dom.js';
import './facts.js';
import {shortName} from './format.js';
import {currencyOf, questionOf, workWords} from './question.js';
import {run} from './request.js';
import {addTexts, t} from './text.js';
import {warningRows} from './warnings.js';

addTexts('compare');

/** Its styles. */
export const styled = styleSheet('compare');

const LEAST = 2;
const ON_PHONES = 3; // columns: more are not read there

const made = new Set(); // the comparisons of this visit that the reader has made, each its names joined

/** The names of the address, each once. */
function namesOf(query) {
    const names = query.gpus?.split(',').map((name) => name.trim()).filter(Boolean) ?? chosenIds();
    return [...new Set(names)];
}

class View {
    constructor(place, query, page) {
        this.page = page;
        this.question = questionOf(query);
        this.names = namesOf(query);
        this.onlyDifferent = query.differ === 'yes';
        this.cards = []; // as the server answered last
        this.lead = h('p', {class: 'why'});
        this.failure = h('div', {class: 'failure', role: 'alert'});
        this.result = h('div', {class: 'result'});
        this.picker = cardPicker({
            name: 'add',
            id: 'compare-add', // the same in both languages, so that what is typed outlives the change
            label: t('compare.add'),
            hint: t('compare.add_hint'),
            onpick: ({id}) => this.add(id),
        });
        this.form = h('form', {class: 'add', onsubmit: (event) => this.submit(event)}, this.picker,
            h('button', {type: 'submit', class: 'plain-button'}, t('compare.add_button')));
        const differ = h('input', {
            type: 'checkbox',
            checked: this.onlyDifferent,
            onchange: () => {
                this.onlyDifferent = differ.checked;
                this.remember();
                this.draw();
            },
        });
        this.root = h('div', {class: 'page compare bare'},
            h('div', {class: 'lead'},
                h('h1', {}, t('views.compare')),
                this.lead,
                h('p', {class: 'small legend-line'}, h('span', {class: 'dot', 'aria-hidden': 'true'}, '● '), t('compare.legend')),
                h('div', {class: 'tools'}, this.form,
                    h('label', {class: 'tick'}, differ, t('compare.differ')),
                    h('a', {class: 'plain-button', href: `/?${queryOf(this.question)}`}, t('compare.change')))),
            this.failure, this.result);
        show(place, this.root);
    }

    remember(isNewEntry = false) {
        this.page.remember({gpus: this.names.join(','), ...this.question, differ: this.onlyDifferent ? 'yes' : ''}, isNewEntry);
    }

    submit(event) {
        event.preventDefault();
        const name = this.picker.value.trim();
        if (name !== '') {
            this.add(name);
        }
    }

    add(name) {
        if (this.names.includes(name)) {
            this.refuse(t('compare.already', shortName(this.cards.find(({id}) => id === name)?.name ?? name)));
            return;
        }
        if (this.names.length >= MOST) {
            this.refuse(t('compare.full', MOST));
            return;
        }
        this.picker.value = '';
        this.change([...this.names, name]);
    }

    refuse(words) {
        show(this.failure, h('p', {class: 'error'}, words));
    }

    /** The focus goes to the button of the next card. */
    remove(id) {
        const index = this.cards.findIndex((card) => card.id === id);
        this.change(this.cards.map((card) => card.id).filter((one) => one !== id)).then(() => {
            const buttons = this.result.querySelectorAll('thead button');
            (buttons[Math.min(index, buttons.length - 1)] ?? this.picker.input).focus();
        });
    }

    async change(names) {
        this.names = names;
        this.remember(true);
        await this.load(true);
        if (this.cards.length >= LEAST) {
            this.page.announce(t('compare.now', this.cards.map(({name}) => shortName(name)).join(t('comma'))));
        }
    }

    /** Asks for the cards named; isPressed: they go into the tray too. A link that somebody sent is only looked at. */
    async load(isPressed = false) {
        if (this.names.length < LEAST) {
            await this.showTooFew(isPressed);
            return;
        }
        const problem = await run(async (signal) => {
            const answer = await get('/compare', {gpus: this.names.join(','), ...this.allowed()}, signal);
            if (answer.gpus.length > MOST) {
                this.showTooMany(answer.gpus);
                return;
            }
            this.answer = answer;
            this.cards = answer.gpus;
            this.names = answer.gpus.map(({id}) => id);
            this.remember();
            this.keep(isPressed);
            this.page.showFreshness(answer.catalogue);
            show(this.failure);
            this.draw();
        });
        if (problem !== null) {
            this.showProblem(problem);
        }
    }

    keep(isPressed) {
        const names = this.names.join(',');
        if (isPressed || made.has(names)) { // back leads to one of the reader's own again
            made.add(names);
            choose(this.cards);
        }
    }

    allowed() {
        return {...questionOf(this.question, '/compare'), currency: currencyOf(this.question)};
    }

    draw() {
        const {answer} = this;
        this.root.classList.toggle('bare', !answer);
        if (!answer) {
            return;
        }
        this.lead.textContent = t('compare.lead', workWords(answer.query), answer.query.hours_per_month, answer.query.months);
        const table = compareTable(answer, {onremove: (id) => this.remove(id), onlyDifferent: this.onlyDifferent});
        show(this.result, this.chooser(table), table, this.warnings(), this.sources());
    }

    /** On phones three columns at a time: which, is chosen here. */
    chooser(table) {
        if (this.cards.length <= ON_PHONES) {
            return null;
        }
        const ids = this.cards.map(({id}) => id);
        this.here = (this.here ?? []).filter((id) => ids.includes(id));
        for (const id of ids) {
            if (this.here.length < ON_PHONES && !this.here.includes(id)) {
                this.here.push(id);
            }
        }
        const buttons = this.cards.map((card) => h('button', {
            type: 'button',
            class: 'plain-button',
            onclick: () => {
                this.here = this.here.includes(card.id)
                    ? this.here.filter((id) => id !== card.id)
                    : [...this.here, card.id].slice(-ON_PHONES);
                mark();
            },
        }, shortName(card.name)));
        const mark = () => {
            buttons.forEach((button, index) => button.setAttribute('aria-pressed', this.here.includes(ids[index])));
            for (const one of table.querySelectorAll('[data-column]')) {
                one.classList.toggle('elsewhere', !this.here.includes(ids[one.dataset.column]));
            }
        };
        mark();
        return h('fieldset', {class: 'chooser'}, h('legend', {}, t('compare.shown_here')), buttons);
    }

    warnings() {
        const cross = () => h('span', {class: 'sign', 'aria-hidden': 'true'}, '✕');
        const notes = (card) => [
            ...card.rejected.map(({code, text}) => h('li', {'data-code': code, class: 'bad'}, cross(), h('span', {}, text))),
            ...warningRows(card.warnings),
        ];
        return h('section', {class: 'warnings-of'}, h('h2', {}, t('compare.warnings')),
            h('div', {class: 'by-card'}, this.cards.map((card) => h('div', {'data-warnings': card.id},
                h('h3', {}, shortName(card.name)),
                notes(card).length === 0
                    ? h('p', {class: 'small'}, t('compare.no_warnings'))
                    : h('ul', {class: 'warnings'}, notes(card))))));
    }

    sources() {
        return h('details', {class: 'sources'}, h('summary', {}, t('compare.sources')),
            h('ul', {class: 'plain'}, this.cards.map((card) => h('li', {}, `${shortName(card.name)}${t('colon')}`,
                h('span', {class: 'source'}, [card.source, card.note].filter(Boolean).join(' · '))))));
    }

    /** Fewer than two cards are no comparison. */
    async showTooFew(isPressed) {
        this.answer = null;
        this.cards = [];
        this.draw();
        show(this.failure);
        this.lead.textContent = t('compare.too_few');
        let name = null;
        if (this.names.length === 1) {
            const problem = await run(async (signal) => {
                const card = await get(`/gpus/${encodeURIComponent(this.names[0])}`, {}, signal);
                this.names = [card.id];
                this.cards = [card];
                name = shortName(card.name);
            });
            if (problem !== null) {
                this.names = [];
                this.showProblem(problem);
            }
        }
        this.keep(isPressed);
        this.remember();
        const rest = queryOf({view: 'cards', ...this.question});
        show(this.result, h('p', {class: 'why'}, name === null ? t('compare.too_few_hint') : t('compare.one', name)),
            h('p', {}, h('a', {href: `/?${rest}`}, t('compare.to_cards'))));
    }

    button(words, onclick) {
        return h('button', {type: 'button', class: 'pill', onclick}, words);
    }

    /** A button that takes a name out of the comparison. */
    without(name, words = name) {
        return this.button(t('compare.without', words), () => this.change(this.names.filter((one) => one !== name)));
    }

    /** More cards than are read side by side: the reader says which stay. */
    showTooMany(cards) {
        this.answer = null;
        this.cards = [];
        this.names = cards.map(({id}) => id);
        this.draw();
        this.lead.textContent = t('compare.too_few');
        show(this.result);
        show(this.failure, h('p', {class: 'error'}, t('compare.too_many', MOST, cards.length)),
            h('p', {class: 'choices'}, cards.map(({id, name}) => this.without(id, shortName(name)))));
    }

    /** The server's own words; each card a name may mean is a button that takes its place. */
    showProblem(problem) {
        const details = problem.errors.length > 0 ? problem.errors.map(({detail}) => detail) : [problem.message];
        const others = [...problem.candidates, ...problem.suggestions];
        const about = details.find((detail) => others.some(({id}) => detail.includes(id))) ?? '';
        const strange = this.names.filter((name) => !others.some(({id}) => id === name) && details.some((detail) => detail.includes(name)));
        const meant = strange.filter((name) => about.includes(name)).sort((a, b) => b.length - a.length)[0];
        const swap = (id) => this.change([...new Set(this.names.map((name) => (name === meant ? id : name)))]);
        show(this.failure,
            details.map((detail) => h('p', {class: 'error'}, detail)),
            others.length > 0 ? h('p', {}, t('compare.which')) : null,
            h('p', {class: 'choices'},
                meant === undefined ? null : others.map(({id, name}) => this.button(name, () => swap(id))),
                (strange.length === 0 && this.names.length > MOST ? this.names : strange).map((name) => this.without(name))));
    }
}

/** The comparison; its cards and question stand in the address. */
export function open(place, query, page) {
    return new View(place, query, page).load();
}
