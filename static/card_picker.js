// A field that finds a card by any name people call it: a combobox after the ARIA 1.2 pattern, fed by /gpus?q=.
import {get} from './api.js';
import {h, show, styleSheet} from './dom.js';
import {isKnown, money, shortName} from './format.js';
import {Pause} from './request.js';
import {language, t} from './text.js';

const MOST = 8;
const MOST_KEPT = 200; // replies; a sitting does not need more

const replies = new Map(); // by language, currency and text
const names = new Map(); // of the cards seen so far, by id
let styled = null; // the list is seldom open: its styles come with the first focus
let pickersMade = 0;

/** The cards a text may mean, the server's order; the same text is asked once. */
async function find(text, currency, signal) {
    const key = `${language()} ${currency} ${text}`;
    if (!replies.has(key)) {
        const reply = await get('/gpus', {q: text, currency, limit: MOST}, signal);
        if (replies.size >= MOST_KEPT) {
            replies.clear();
        }
        replies.set(key, reply);
        for (const card of reply.data) {
            names.set(card.id, shortName(card.name));
        }
    }
    return replies.get(key);
}

/**
 * The element of a picker. It belongs to its form as an input does: form.elements[name] is this element, and its
 * value goes into the form's data. cardPicker() below makes one.
 */
class CardPicker extends HTMLElement {
    static formAssociated = true;

    #internals = this.attachInternals();
    #id = ''; // of the card picked; '' while what is typed stands for itself
    #cards = [];
    #active = -1;
    #pause = new Pause();
    #search = new AbortController();
    #isComposing = false;

    /** Builds the parts once; see cardPicker for the options. */
    build({name, id, value, label, hint, describedBy, currency, onpick}) {
        pickersMade += 1;
        const own = id ?? `picker-${pickersMade}`;
        this.setAttribute('name', name);
        this.onpick = onpick ?? (() => {});
        this.currency = currency ?? (() => null);
        this.input = h('input', {
            id: own,
            type: 'text',
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': 'false',
            'aria-controls': `${own}-list`,
            'aria-describedby': describedBy,
            placeholder: hint,
            autocomplete: 'off',
            autocapitalize: 'off',
            spellcheck: 'false',
            maxlength: 200,
        });
        this.list = h('ul', {id: `${own}-list`, role: 'listbox', 'aria-label': label ?? t('views.cards'), hidden: true});
        this.status = h('span', {class: 'hidden', role: 'status'});
        this.append(this.input, this.list, this.status);
        if (label) {
            this.prepend(h('label', {for: own}, label));
        }
        this.#listen();
        this.value = value ?? '';
    }

    get name() {
        return this.getAttribute('name');
    }

    get form() {
        return this.#internals.form;
    }

    /** The id of the card picked, or what is typed: the server knows every name of a card. */
    get value() {
        return this.#id || this.input.value.trim();
    }

    /** Takes an id or any other name; of an id the name is shown. */
    set value(text) {
        this.#close();
        this.#id = '';
        this.input.value = names.get(text) ?? text;
        if (names.has(text)) {
            this.#id = text;
        } else if (text.includes('-')) {
            this.#showName(text);
        }
        this.#internals.setFormValue(this.value);
    }

    focus(options) {
        this.input.focus(options);
    }

    formResetCallback() {
        this.value = '';
    }

    /** An id is no name: shows the card's name when it is known, unless something else is typed by then. */
    async #showName(id) {
        const reply = await find(id, this.currency(), undefined).catch(() => null); // else the id stays: it is right, too
        if (reply?.data.some((card) => card.id === id) && this.input.value === id) {
            this.#id = id;
            this.input.value = names.get(id);
        }
    }

    #listen() {
        this.input.addEventListener('focus', () => {
            styled ??= styleSheet('card_picker');
        });
        this.input.addEventListener('blur', () => this.#close()); // what is typed stays as it is
        this.input.addEventListener('input', () => this.#typed());
        this.input.addEventListener('compositionstart', () => {
            this.#isComposing = true;
            this.#pause.end();
        });
        this.input.addEventListener('compositionend', () => {
            this.#isComposing = false;
            this.#typed();
        });
        this.input.addEventListener('keydown', (event) => {
            if (!this.#isComposing && !event.isComposing && event.keyCode !== 229) { // 229: a key of the input method
                this.#pressed(event);
            }
        });
        this.list.addEventListener('pointerdown', (event) => event.preventDefault()); // the focus stays in the field
        this.list.addEventListener('click', (event) => {
            const option = event.target.closest('[role=option]');
            if (option !== null) {
                this.#pick(this.#cards[[...this.list.children].indexOf(option)]);
            }
        });
    }

    #typed() {
        this.#id = '';
        this.#internals.setFormValue(this.value);
        if (!this.#isComposing) {
            this.#pause.begin(() => this.#offer());
        }
    }

    /** Asks and shows what was found, unless the reader has typed on or left. */
    async #offer() {
        this.#search.abort();
        this.#search = new AbortController();
        const {signal} = this.#search;
        const text = this.input.value.trim();
        if (text === '') {
            this.#close();
            return;
        }
        const asked = find(text, this.currency(), signal).catch(() => null); // the server gone: the form says so
        const [reply] = await Promise.all([asked, styled]);
        if (signal.aborted || this.input.value.trim() !== text || document.activeElement !== this.input) {
            return;
        }
        if (reply === null) {
            this.#close();
        } else {
            this.#open(reply);
        }
    }

    #open(reply) {
        this.#cards = reply.data;
        this.status.textContent = this.#cards.length > 0 ? t('picker.found', reply.total) : t('picker.none');
        show(this.list, this.#cards.map((card, index) => this.#option(card, index)));
        this.#setOpen(this.#cards.length > 0);
        this.#activate(-1);
    }

    #option(card, index) {
        const price = card.price;
        return h(
            'li',
            {role: 'option', id: `${this.list.id}-${index}`, 'aria-selected': 'false'},
            h('span', {class: 'name'}, shortName(card.name)),
            h('span', {class: 'memory'}, isKnown(card.memory_gib) ? `${card.memory_gib} GiB` : t('unknown')),
            h(
                'span',
                {class: 'price'},
                isKnown(price)
                    ? [t(`picker.conditions.${price.condition}`), money(price.amount, price.currency)].join(' ')
                    : t('picker.no_price'),
            ),
        );
    }

    #setOpen(isOpen) {
        this.list.hidden = !isOpen;
        this.input.setAttribute('aria-expanded', String(isOpen));
    }

    #close() {
        this.#pause.end();
        this.#search.abort();
        this.status.textContent = '';
        this.#activate(-1);
        this.#setOpen(false);
    }

    #activate(index) {
        this.list.children[this.#active]?.setAttribute('aria-selected', 'false');
        this.#active = index;
        const option = this.list.children[index];
        if (option === undefined) {
            this.input.removeAttribute('aria-activedescendant');
        } else {
            option.setAttribute('aria-selected', 'true');
            option.scrollIntoView({block: 'nearest'});
            this.input.setAttribute('aria-activedescendant', option.id);
        }
    }

    #pick(card) {
        this.value = card.id;
        this.dispatchEvent(new Event('input', {bubbles: true}));
        this.onpick(card);
    }

    #pressed(event) {
        const last = this.#cards.length - 1;
        const isOpen = !this.list.hidden;
        const moves = {
            ArrowDown: this.#active < last ? this.#active + 1 : 0,
            ArrowUp: this.#active > 0 ? this.#active - 1 : last,
            Home: 0,
            End: last,
        };
        if (event.key === 'Escape' && isOpen) {
            event.preventDefault();
            event.stopPropagation();
            this.#close();
        } else if (event.key === 'Enter' && isOpen && this.#active >= 0) {
            event.preventDefault();
            this.#pick(this.#cards[this.#active]);
        } else if (event.key === 'Enter') {
            this.#close(); // the form goes on with what is typed
        } else if (event.key === 'ArrowDown' && !isOpen) {
            event.preventDefault();
            this.#offer();
        } else if (isOpen && event.key in moves && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
            if (event.key.startsWith('Arrow') || this.#active >= 0) { // before a choice, Home and End are the text's
                event.preventDefault();
                this.#activate(moves[event.key]);
            }
        }
    }
}

customElements.define('card-picker', CardPicker);

/**
 * A field that finds cards by any name. The element is a control of its form: form.elements[name].value reads and sets
 * the card's id, or the text as typed, which the server resolves and, where it means several cards, explains.
 * It fires `input`, bubbling, when something is typed or picked, and never picks by itself.
 *
 * @param {object} options
 * @param {string} options.name name in the form
 * @param {string} [options.id] id of the text field, for a label outside
 * @param {string} [options.value] an id or any name of a card
 * @param {string} [options.label] a label to stand above it; without it give one from outside
 * @param {string} [options.hint] shown while it is empty
 * @param {string} [options.describedBy] id of the place of its errors
 * @param {function(): string} [options.currency] of the prices in the list; USD if not given
 * @param {function(object): void} [options.onpick] called with the card of /gpus, after `input`
 * @returns {CardPicker} its .input is the text field
 */
export function cardPicker(options) {
    const picker = document.createElement('card-picker');
    picker.className = 'picker';
    picker.build(options);
    return picker;
}
