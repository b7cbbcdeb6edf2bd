// The question: a plain form whose fields are named as the parameters of /recommend.
import {get} from './api.js';
import {h, show} from './dom.js';
import {currencyWord} from './format.js';
import {t, word} from './text.js';

const TASKS = ['learn', 'train', 'finetune', 'lora', 'qlora', 'inference'];
const DOMAINS = [
    'general',
    'nlp',
    'llm',
    'vision',
    'video',
    'medical-imaging',
    'speech',
    'diffusion',
    'tabular',
];
const QUANTS = [
    'fp32',
    'bf16',
    'fp16',
    'fp8',
    'int8',
    'nf4',
    'gptq',
    'awq',
    'q8_0',
    'q6_k',
    'q5_k_m',
    'q4_k_m',
    'q3_k_m',
    'q2_k',
];

/** The parameters this form can hold, in the order of the address. */
export const FIELDS = [
    'task',
    'domain',
    'model',
    'budget',
    'currency',
    'condition',
    'psu_watts',
    'own',
    'quant',
    'batch',
    'context',
    'seq_len',
    'min_memory_gib',
    'hours_per_month',
    'months',
    'electricity',
    'vat_percent',
    'vendor',
    'segment',
    'os',
    'framework',
    'chassis',
    'max_gpus',
    'prefer',
    'region',
];

function field(name, label, control) {
    control.id = `f-${name}`;
    control.setAttribute('aria-describedby', `e-${name}`);
    return h(
        'div',
        {class: 'field'},
        h('label', {for: `f-${name}`}, label),
        control,
        h('p', {class: 'error', id: `e-${name}`, hidden: true}),
    );
}

function choice(name, values, wordOf, empty) {
    return h(
        'select',
        {name},
        empty === undefined ? [] : h('option', {value: ''}, empty),
        values.map((value) => h('option', {value}, wordOf(value))),
    );
}

function text(name, mode, placeholder, list) {
    return h('input', {
        name,
        type: 'text',
        inputmode: mode,
        placeholder,
        list,
        autocomplete: 'off',
        spellcheck: 'false',
        maxlength: 200,
    });
}

function segmented(name, values) {
    return h(
        'fieldset',
        {class: 'field'},
        h('legend', {}, t(name)),
        h(
            'div',
            {class: 'segments'},
            values.map(([value, label]) =>
                h('label', {}, h('input', {type: 'radio', name, value}), h('span', {}, label)),
            ),
        ),
        h('p', {class: 'error', id: `e-${name}`, hidden: true}),
    );
}

function details() {
    const pick = (name, values, words) =>
        field(
            name,
            t(name),
            choice(name, values, (value) => (words ? word(words, value) : value), t('by_default')),
        );
    const fill = (name, mode = 'decimal') => field(name, t(name), text(name, mode));
    return h(
        'div',
        {class: 'details', id: 'details', hidden: true},
        h(
            'fieldset',
            {},
            h('legend', {}, t('groups.work')),
            h(
                'div',
                {class: 'pairs'},
                pick('domain', DOMAINS, 'domains'),
                pick('quant', QUANTS),
                fill('batch'),
                fill('seq_len'),
                fill('context'),
                fill('min_memory_gib'),
            ),
        ),
        h(
            'fieldset',
            {},
            h('legend', {}, t('groups.use')),
            h(
                'div',
                {class: 'pairs'},
                fill('hours_per_month'),
                fill('months'),
                fill('electricity'),
                fill('vat_percent'),
                pick('prefer', ['balanced', 'value', 'speed'], 'prefers'),
                fill('max_gpus'),
            ),
        ),
        h(
            'fieldset',
            {},
            h('legend', {}, t('groups.limits')),
            h(
                'div',
                {class: 'pairs'},
                pick('vendor', ['nvidia', 'amd', 'intel']),
                pick('segment', ['consumer', 'workstation', 'datacenter'], 'segments'),
                pick('os', ['linux', 'windows', 'wsl']),
                pick('framework', ['pytorch', 'tensorflow', 'jax', 'llama.cpp']),
                pick('chassis', ['desktop', 'server'], 'chassis_of'),
                pick('region', ['cn'], 'regions'),
            ),
        ),
    );
}

/** Builds the form; onask is called after a pause in typing or a choice. */
export function askForm(values, onask) {
    const form = h(
        'form',
        {class: 'ask', method: 'get', action: '/', autocomplete: 'off'},
        h(
            'div',
            {class: 'inner'},
            h(
                'div',
                {class: 'question'},
                field(
                    'task',
                    t('task'),
                    choice('task', TASKS, (task) => word('tasks', task)),
                ),
                field('model', t('model'), text('model', 'text', t('model_hint'), 'models')),
            ),
            h(
                'div',
                {class: 'basics'},
                field('budget', t('budget'), h('span', {})),
                segmented(
                    'condition',
                    ['new', 'used', 'any'].map((value) => [value, word('conditions', value)]),
                ),
                field('psu_watts', t('psu_watts'), text('psu_watts', 'numeric', t('no_limit'))),
                field('own', t('own'), text('own', 'text', t('own_hint'), 'cards')),
            ),
            h('p', {class: 'assumed', id: 'assumed'}),
            details(),
        ),
        h('datalist', {id: 'models'}),
        h('datalist', {id: 'cards'}),
    );
    const slot = form.querySelector('#f-budget');
    const budget = text('budget', 'decimal', t('no_limit'));
    budget.id = 'f-budget';
    budget.setAttribute('aria-describedby', 'e-budget');
    slot.replaceWith(
        h(
            'span',
            {class: 'joined'},
            budget,
            h(
                'select',
                {name: 'currency', 'aria-label': t('currency')},
                ['USD', 'CNY', 'EUR'].map((value) => h('option', {value}, value)),
            ),
        ),
    );
    setValues(form, values);
    listen(form, onask);
    return form;
}

function listen(form, onask) {
    let timer = 0;
    let composing = false;
    const later = (pause) => {
        clearTimeout(timer);
        timer = setTimeout(onask, pause);
    };
    form.addEventListener('compositionstart', () => {
        composing = true;
    });
    form.addEventListener('compositionend', () => {
        composing = false;
        later(150);
    });
    form.addEventListener('input', () => {
        if (!composing) {
            later(150);
        }
    });
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        later(0);
    });
}

/** Fills the two lists to choose from, once. */
export async function offerNames(form) {
    const [models, cards] = await Promise.all([
        get('/models', {limit: 500}),
        get('/gpus', {limit: 500}),
    ]);
    show(
        form.querySelector('#models'),
        models.data.map((model) => h('option', {value: model.id}, model.name)),
    );
    show(
        form.querySelector('#cards'),
        cards.data.map((card) => h('option', {value: card.id}, card.name)),
    );
}

export function setValues(form, values) {
    for (const name of FIELDS) {
        const fallback = {task: 'learn', condition: 'any', currency: 'USD'}[name] ?? '';
        form.elements[name].value = values[name] ?? fallback;
    }
}

/** What differs from the defaults, by parameter. */
export function valuesOf(form) {
    const values = {};
    for (const name of FIELDS) {
        const value = form.elements[name].value.trim();
        const fallback = {task: 'learn', condition: 'any', currency: 'USD'}[name] ?? '';
        if (value !== fallback) {
            values[name] = value;
        }
    }
    return values;
}

function openDetails(form, name) {
    const place = form.querySelector('#details');
    const opens = name !== undefined || place.hidden;
    place.hidden = !opens;
    form.querySelector('#edit').textContent = opens ? t('close') : t('edit');
    form.querySelector('#edit').setAttribute('aria-expanded', String(opens));
    if (name !== undefined) {
        form.elements[name].focus();
    }
}

/** The defaults the answer used, each a button that leads to its field. */
export function showAssumed(form, query) {
    const names = [
        'quant',
        'batch',
        'seq_len',
        'context',
        'hours_per_month',
        'months',
        'electricity',
        'os',
        'framework',
        'chassis',
        'max_gpus',
    ];
    const chips = names
        .filter(
            (name) =>
                query[name] !== null && query[name] !== undefined && !form.elements[name].value,
        )
        .map((name) =>
            h(
                'button',
                {type: 'button', class: 'chip', onclick: () => openDetails(form, name)},
                t(`chips.${name}`, String(query[name]), currencyWord(query.currency)),
            ),
        );
    const isOpen = !form.querySelector('#details').hidden;
    show(
        form.querySelector('#assumed'),
        chips.length > 0 ? h('span', {class: 'meta'}, t('assumed')) : null,
        chips,
        h(
            'button',
            {
                type: 'button',
                class: 'link',
                id: 'edit',
                'aria-expanded': String(isOpen),
                'aria-controls': 'details',
                onclick: () => openDetails(form),
            },
            isOpen ? t('close') : t('edit'),
        ),
    );
}

/** The server's own words at the fields they are about; candidates become buttons. */
export function showErrors(form, problem, onpick) {
    for (const place of form.querySelectorAll('.error')) {
        place.hidden = true;
    }
    for (const control of form.querySelectorAll('[aria-invalid]')) {
        control.removeAttribute('aria-invalid');
    }
    let first = null;
    for (const error of problem?.errors ?? []) {
        const place = form.querySelector(`#e-${CSS.escape(error.parameter)}`);
        if (place === null) {
            continue;
        }
        const control = form.querySelector(`#f-${CSS.escape(error.parameter)}`);
        const names =
            error.parameter === 'own' ? [...problem.candidates, ...problem.suggestions] : [];
        show(
            place,
            error.detail,
            names.map((card) =>
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'pill',
                        onclick: () => onpick(error.parameter, card.id),
                    },
                    card.name,
                ),
            ),
        );
        place.hidden = false;
        control?.setAttribute('aria-invalid', 'true');
        first ??= control;
        if (form.querySelector('#details').contains(place)) {
            form.querySelector('#details').hidden = false;
        }
    }
    return first;
}
