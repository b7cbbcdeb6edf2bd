// Rows of a long table: those near the screen are in the page, the others are room of the same height.
import {h} from './dom.js';

/** So many rows are simply there: then the search of the browser finds them all. */
export const ALL_UP_TO = 300;

const BEYOND = 12; // rows above and below the screen that are there before they are seen
const SLICE = 8; // rows that are made without a pause: a press in between is not kept waiting

const IDLE_MS_MAX = 200; // a busy machine may have no idle moment for long

/** Not every browser has requestIdleCallback. */
const whenIdle = (call) =>
    globalThis.requestIdleCallback ? requestIdleCallback(call, {timeout: IDLE_MS_MAX}) : setTimeout(call);

/**
 * Shows rows in a <tbody> whose rows are all of one height, and follows the scrolling of the window.
 * A row that has the focus stays in the page wherever it is, and so do the rows about it.
 */
export class RowWindow {
    #items = [];
    #made = new Map(); // rows in the page, by index
    #frame = 0;
    #filled = 0; // so many, from the first on, are there or come with the next drawing though nobody sees them yet
    #shown = 0; // counts what was shown: an older filling ends
    #isPrinting = false;

    /**
     * @param {HTMLTableSectionElement} body
     * @param {function(object, number): HTMLTableRowElement} row makes the row of an item
     * @param {AbortSignal} signal ends the following
     */
    constructor(body, row, signal) {
        this.body = body;
        this.row = row;
        const later = () => {
            cancelAnimationFrame(this.#frame);
            this.#frame = requestAnimationFrame(() => this.#draw());
        };
        addEventListener('scroll', later, {passive: true, signal});
        addEventListener('resize', later, {signal});
        body.addEventListener('focusin', later, {signal});
        body.addEventListener('keydown', (event) => this.#key(event), {signal});
        for (const [name, isPrinting] of [['beforeprint', true], ['afterprint', false]]) {
            addEventListener(name, () => {
                this.#isPrinting = isPrinting;
                this.#draw();
            }, {signal});
        }
    }

    /** Whether rows are left out of the page. */
    get isLong() {
        return this.#items.length > ALL_UP_TO && !this.#isPrinting;
    }

    /** Shows these items. What has the focus has it again in the row of the same id (data-gpu), if that is still there. */
    show(items) {
        const held = this.#focused() === null ? null : document.activeElement.closest('tr').dataset.gpu;
        const place = held === null ? null : ['input', 'th a', '.sourced'].find((one) => document.activeElement.matches(one));
        this.#made.clear();
        this.#items = items;
        this.#filled = held === null ? 0 : items.length;
        this.#shown += 1;
        this.#draw();
        this.#fill(this.#shown);
        const at = held === null ? -1 : items.findIndex(({id}) => id === held);
        if (at >= 0) {
            this.#focus(at, place);
        }
    }

    /** Of a table that is no long one the rows out of sight come in slices. */
    #fill(mine) {
        const isBusy = !this.isLong && this.#filled < this.#items.length;
        this.body.setAttribute('aria-busy', isBusy);
        if (isBusy) {
            whenIdle(() => {
                if (mine === this.#shown && this.body.isConnected) {
                    this.#filled += SLICE;
                    this.#draw();
                    this.#fill(mine);
                }
            });
        }
    }

    #rowHeight() {
        const row = this.body.querySelector('tr:not([aria-hidden])');
        return row?.getBoundingClientRect().height || 33;
    }

    /** The indices of the rows that are to be in the page. */
    #wanted() {
        const last = this.#items.length - 1;
        const wanted = new Set();
        const add = (from, to) => {
            for (let index = Math.max(0, from); index <= Math.min(last, to); index += 1) {
                wanted.add(index);
            }
        };
        if (this.#isPrinting || (!this.isLong && this.#filled > last)) {
            add(0, last);
            return [...wanted];
        }
        const height = this.#rowHeight();
        const first = Math.floor(-this.body.getBoundingClientRect().top / height);
        add(first - BEYOND, first + Math.ceil(innerHeight / height) + BEYOND);
        const focused = this.#focused();
        if (focused !== null) {
            add(focused - 1, focused + 1);
        }
        if (!this.isLong) {
            add(0, this.#filled - 1);
        }
        return [...wanted].sort((a, b) => a - b);
    }

    #focused() {
        const row = document.activeElement?.closest('tr');
        return row && this.body.contains(row) && row.dataset.index !== undefined ? Number(row.dataset.index) : null;
    }

    #at(index) {
        if (!this.#made.has(index)) {
            const row = this.row(this.#items[index], index);
            row.dataset.index = index;
            row.setAttribute('aria-rowindex', index + 2); // the head is the first
            this.#made.set(index, row);
        }
        return this.#made.get(index);
    }

    #draw() {
        if (!this.body.isConnected) {
            return;
        }
        const wanted = this.#wanted();
        const height = wanted.length < this.#items.length ? this.#rowHeight() : 0;
        const rows = [];
        let next = 0;
        for (const index of wanted) {
            if (index > next) {
                rows.push(this.#room((index - next) * height));
            }
            rows.push(this.#at(index));
            next = index + 1;
        }
        if (next < this.#items.length) {
            rows.push(this.#room((this.#items.length - next) * height));
        }
        this.#place(rows);
        const kept = new Set(wanted);
        for (const index of this.#made.keys()) {
            if (!kept.has(index)) {
                this.#made.delete(index);
            }
        }
    }

    /** Rows that are there stay where they are: one that is moved would lose the focus. */
    #place(rows) {
        const stay = new Set(rows);
        for (const row of [...this.body.children]) {
            if (!stay.has(row)) {
                row.remove();
            }
        }
        rows.forEach((row, position) => {
            if (this.body.children[position] !== row) {
                this.body.insertBefore(row, this.body.children[position] ?? null);
            }
        });
    }

    #room(height) {
        const row = h('tr', {'aria-hidden': 'true'});
        row.style.setProperty('height', `${height}px`);
        return row;
    }

    /** Brings a row to the screen and moves the focus to its name. */
    #focus(index, place = 'th a') {
        const at = Math.max(0, Math.min(this.#items.length - 1, index));
        if (!this.#made.has(at)) {
            const top = this.body.getBoundingClientRect().top + scrollY;
            scrollTo({top: top + at * this.#rowHeight() - innerHeight / 2, behavior: 'instant'});
            this.#draw();
        }
        this.#made.get(at)?.querySelector(place)?.focus();
    }

    /** Arrows, Page Up and Down, Home and End move from the name of a card to another. */
    #key(event) {
        const row = event.target.closest('tr');
        const at = Number(row?.dataset.index);
        const page = Math.max(1, Math.floor(innerHeight / this.#rowHeight()) - 2);
        const moves = {
            ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.#items.length - 1,
        };
        if (event.key in moves && event.target.matches('th a') && !event.altKey && !event.shiftKey && !event.metaKey) {
            event.preventDefault();
            this.#focus(moves[event.key]);
        }
    }
}
