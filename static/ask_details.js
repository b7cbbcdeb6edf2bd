// All other parameters of a question, folded away until they are asked for: the work, its use, limits.
import {bind, errorPlace, field, select, textInput, write} from './ask_controls.js';
import {h} from './dom.js';
import {number} from './format.js';
import {TASKS, VENDORS} from './question.js';
import {addTexts, t, word} from './text.js';

addTexts('ask');

/** The fields of each group, the usual ones first. */
const GROUPS = {
    work: [
        'task', 'domain', 'model', 'users', 'quant', 'batch', 'seq_len', 'context', 'checkpointing', 'optimizer', 'lora_rank',
        'lora_targets', 'runtime', 'kv_dtype', 'resolution', 'flash_attention', 'master_weights', 'batch_fills', 'backend', 'strategy',
        'train_tokens', 'samples', 'hours', 'min_tokens_per_s',
    ],
    use: [
        'hours_per_month', 'months', 'electricity', 'vat_percent', 'prefer', 'region', 'host_price', 'host_watts', 'power_limit_watts',
        'display', 'checkpoint_hours', 'spot_interruptions_per_day', 'limit', 'explain',
    ],
    limits: [
        'vendor', 'os', 'framework', 'max_gpus', 'segment', 'min_memory_gib', 'tier', 'ecosystem', 'max_slots', 'max_length_mm',
        'power_plugs', 'pcie_gen', 'pcie_lanes',
    ],
};

/* So many of each are in sight at once, the rest behind a fold of their own. */
const USUAL = {work: 10, use: 6, limits: 6};

const YES_NO = ['yes', 'no'];

/** The values of those that are a choice. */
const CHOICES = {
    task: TASKS,
    domain: ['general', 'nlp', 'llm', 'vision', 'video', 'medical-imaging', 'speech', 'diffusion', 'tabular'],
    quant: ['fp32', 'bf16', 'fp16', 'fp8', 'int8', 'nf4', 'nf4-dq', 'gptq', 'gptq-8bit', 'gptq-g32', 'gptq-nogroup', 'awq', 'mxfp4', 'f16',
        'q8_0', 'q6_k', 'q5_k_m', 'q5_k_s', 'q5_0', 'q5_1', 'q4_k_m', 'q4_k_s', 'q4_0', 'q4_1', 'q3_k_l', 'q3_k_m', 'q3_k_s',
        'q2_k', 'q2_k_s', 'iq4_xs', 'iq4_nl', 'iq3_m', 'iq3_s', 'iq3_xs', 'iq3_xxs', 'iq2_m', 'iq2_s', 'iq2_xs', 'iq2_xxs',
        'iq1_m', 'iq1_s', 'tq1_0', 'tq2_0'],
    kv_dtype: ['fp16', 'bf16', 'fp8', 'q8_0', 'q4_0'],
    checkpointing: YES_NO,
    optimizer: ['adamw', 'adamw-8bit', 'paged-adamw-8bit', 'adafactor', 'lion', 'sgd'],
    lora_targets: ['qv', 'attention', 'mlp', 'all'],
    runtime: ['transformers', 'deepspeed', 'litgpt', 'torchtune', 'llama.cpp', 'exllama', 'autogptq', 'vllm'],
    flash_attention: YES_NO,
    master_weights: YES_NO,
    batch_fills: YES_NO,
    backend: ['cuda', 'rocm', 'vulkan', 'sycl'],
    strategy: ['single', 'ddp', 'fsdp', 'tp', 'pp'],
    prefer: ['balanced', 'value', 'speed'],
    display: YES_NO,
    explain: ['none', 'near', 'all'],
    vendor: VENDORS,
    os: ['linux', 'windows', 'wsl'],
    framework: ['pytorch', 'tensorflow', 'jax', 'llama.cpp'],
    segment: ['consumer', 'workstation', 'datacenter'],
    tier: ['low', 'mid', 'high', 'unlimited'],
    ecosystem: ['ignore'],
};
const NEEDS = ['bf16', 'fp8', 'nvlink', 'mig', 'ecc', 'flash-attention-2', 'cuda-13', 'export-free', 'display'];
const AS_TEXT = ['model', 'region', 'power_plugs'];

/* Words that other fields of the page have already. */
const SHARED_WORDS = {task: 'tasks', domain: 'domains', prefer: 'prefers', segment: 'segments'};
const YES_NO_FIELDS = Object.keys(CHOICES).filter((name) => CHOICES[name] === YES_NO);

function valueWord(name, value) {
    if (YES_NO_FIELDS.includes(name)) {
        return word('fields.yes_no', value);
    }
    return SHARED_WORDS[name] ? word(SHARED_WORDS[name], value) : word(`fields.words.${name}`, value);
}

const labelOf = (name) => t(`fields.labels.${name}`);

function control(name) {
    if (CHOICES[name]) {
        return select(name, [['', t('fields.by_default')], ...CHOICES[name].map((value) => [value, valueWord(name, value)])]);
    }
    return textInput(name, AS_TEXT.includes(name) ? 'text' : 'decimal');
}

/* Of the parts of the question the errors stand below the words above. */
function detail(name) {
    if (['task', 'domain', 'model', 'users'].includes(name)) {
        const node = control(name);
        node.id = `f-${name}`;
        node.setAttribute('aria-describedby', `e-${name}`);
        return h('div', {class: 'field', 'data-field': name}, h('label', {for: node.id}, labelOf(name)), node);
    }
    const unit = word('fields.units', name);
    const input = control(name);
    if (unit === name) {
        return field(name, labelOf(name), input);
    }
    input.id = `f-${name}`;
    input.setAttribute('aria-describedby', `e-${name}`);
    return h(
        'div',
        {class: 'field', 'data-field': name},
        h('label', {for: input.id}, labelOf(name)),
        h('span', {class: 'suffixed'}, input, h('span', {class: 'suffix'}, unit)),
        errorPlace(name),
    );
}

function needsField() {
    return h(
        'fieldset',
        {class: 'field needs', 'data-field': 'needs'},
        h('legend', {}, labelOf('needs')),
        h('div', {class: 'checks'}, NEEDS.map((value, at) =>
            h('label', {},
                h('input', {type: 'checkbox', name: 'needs', value, id: at === 0 ? 'f-needs' : null}),
                h('span', {}, word('fields.words.needs', value))))),
        errorPlace('needs'),
    );
}

function group(name, names) {
    return h(
        'fieldset',
        {},
        h('legend', {}, t(`fields.groups.${name}`)),
        h('div', {class: 'pairs'}, names.slice(0, USUAL[name]).map(detail)),
        h(
            'details',
            {class: 'more-fields'},
            h('summary', {}, t('fields.more')),
            h('div', {class: 'pairs'}, names.slice(USUAL[name]).map(detail), name === 'limits' ? needsField() : null),
        ),
    );
}

const ALL = [...Object.values(GROUPS).flat(), 'needs'];

function showValues(element, values, source) {
    for (const name of Object.values(GROUPS).flat()) {
        const node = element.querySelector(`[name=${name}]`);
        const value = values[name] ?? '';
        if (node.tagName === 'SELECT' && value !== '' && ![...node.options].some((one) => one.value === value)) {
            node.append(h('option', {value}, value)); // what the server will not take is not lost
        }
        write(node, value, source);
    }
    const needs = (values.needs ?? '').split(',');
    for (const box of element.querySelectorAll('[name=needs]')) {
        box.checked = needs.includes(box.value);
    }
}

function showDefault(node, name, value) {
    const isNone = value === undefined || value === null || value === '';
    if (node.tagName === 'SELECT') {
        node.options[0].textContent = isNone ? t('fields.by_default') : t('fields.default', valueWord(name, String(value)));
    } else {
        node.placeholder = isNone ? t('fields.none') : (typeof value === 'number' ? number(value, 6) : String(value));
    }
}

/** The folded fields of a state: {element, has(name), textOf(name, value), showDefaults(query)}. */
export function detailFields(state) {
    const element = h('div', {class: 'groups'}, Object.entries(GROUPS).map(([name, names]) => group(name, names)));
    bind(element, state, (node) => (node.name === 'needs'
        ? {needs: [...element.querySelectorAll('[name=needs]:checked')].map((box) => box.value).join(',')}
        : null));
    showValues(element, state.values);
    state.listen((values, how, source) => showValues(element, values, source));
    return {
        element,
        has: (name) => ALL.includes(name),
        /** Unfolds what holds a field. */
        reveal(name) {
            const rest = element.querySelector(`[data-field="${CSS.escape(name)}"]`)?.closest('details');
            if (rest) {
                rest.open = true;
            }
        },
        textOf: (name, value) => (ALL.includes(name)
            ? `${labelOf(name)}${t('colon')}${String(value).split(',').map((one) => valueWord(name, one)).join(t('comma'))}`
            : undefined),
        /** What the last answer used where nothing is filled in. */
        showDefaults(query) {
            for (const name of Object.values(GROUPS).flat()) {
                showDefault(element.querySelector(`[name=${name}]`), name, state.values[name] === undefined ? query[name] : undefined);
            }
        },
    };
}
