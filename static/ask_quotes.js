// Prices one was quoted: card and amount, which rank that card with this price; the parameter `prices` of /recommend.
import {queryOf} from './api.js';
import {bind, errorPlace} from './ask_controls.js';
import {cardPicker} from './card_picker.js';
import {h, show} from './dom.js';
import {currencyWord} from './format.js';
import {DEFAULT_CURRENCY, questionOf, quotesOf} from './question.js';
import {t} from './text.js';

function dealAddress(values, card, amount) {
    return `/?${queryOf({view: 'deal', gpu: card, price: amount, ...questionOf({...values, prices: ''}, '/deal')})}`;
}

function amountBox(value) {
    return h('input', {
        class: 'amount',
        type: 'text',
        inputmode: 'decimal',
        'aria-label': t('ask.quoted_price'),
        'aria-describedby': 'e-prices',
        placeholder: t('ask.quoted_price'),
        value,
        autocomplete: 'off',
        maxlength: 20,
    });
}

function rowOf(state, [card, amount], onremove) {
    const currency = () => state.values.currency ?? DEFAULT_CURRENCY;
    const picker = cardPicker({name: 'quoted', value: card, hint: t('ask.quoted_card'), describedBy: 'e-prices', currency});
    picker.input.setAttribute('aria-label', t('ask.quoted_card'));
    const row = h(
        'div',
        {class: 'quote'},
        picker,
        h('span', {class: 'suffixed'}, amountBox(amount), h('span', {class: 'suffix'})),
        h('a', {class: 'check'}, t('ask.check_quote')),
        h('button', {type: 'button', class: 'take', 'aria-label': t('ask.remove', t('ask.quoted')), onclick: () => onremove(row)}, '✕'),
    );
    return row;
}

const amountOf = (text) => text.normalize('NFKC').replace(/,(?=\d{3}\b)/g, '').trim();

const quoteOf = (row) => [row.querySelector('card-picker').value, amountOf(row.querySelector('.amount').value)];

/** The quotes of a state: {element, open()}; hidden as long as there is none. */
export function quoteFields(state) {
    const rows = h('div', {class: 'rows'});
    const element = h(
        'fieldset',
        {class: 'quotes', 'data-field': 'prices', hidden: true},
        h('legend', {}, t('ask.quoted')),
        rows,
        errorPlace('prices'),
    );
    const value = () => [...rows.children].map(quoteOf).filter((quote) => quote.every(Boolean))
        .map(([card, amount]) => `${card.replaceAll(/[,:]/g, ' ')}:${amount}`).join(',');
    const refresh = () => {
        element.hidden = rows.childElementCount === 0;
        for (const row of rows.children) {
            const [card, amount] = quoteOf(row);
            row.querySelector('.check').hidden = card === '' || amount === '';
            row.querySelector('.check').href = dealAddress(state.values, card, amount);
            row.querySelector('.suffix').textContent = currencyWord(state.values.currency ?? DEFAULT_CURRENCY);
        }
    };
    const remove = (row) => {
        row.remove();
        state.change({prices: value()}, 'choice', rows);
        refresh();
    };
    const add = (quote) => rows.append(rowOf(state, quote, remove));
    const draw = () => {
        show(rows);
        quotesOf(state.values.prices).forEach(add);
        refresh();
    };
    bind(rows, state, () => ({prices: value()}));
    draw();
    state.listen((values, how, source) => {
        if (!(source instanceof Node && rows.contains(source)) && value() !== (values.prices ?? '')) {
            draw();
        }
        refresh();
    });
    return {
        element,
        open() {
            add(['', '']);
            refresh();
            rows.lastChild.querySelector('card-picker').focus();
        },
    };
}
