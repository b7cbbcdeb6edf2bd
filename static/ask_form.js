// The question as a form: the words, what everyone knows, what is assumed, and all the rest folded away.
import {needsDetails, showAssumed} from './ask_assumed.js';
import {basicFields, openField} from './ask_basics.js';
import {models, nameOfModel} from './ask_names.js';
import {questionField} from './ask_question.js';
import {quoteFields} from './ask_quotes.js';
import {h, show} from './dom.js';
import {obtained} from './request.js';
import {t, worded} from './text.js';

let isOpen = false; // the folded fields stay open when the language changes

/* Candidates belong to the error whose words name them. */
function candidatesOf(problem, error) {
    const isOnly = problem.errors.length === 1;
    return [...problem.candidates, ...problem.suggestions].filter((card) => isOnly || error.detail.includes(card.id));
}

/* The models that a name may mean, where the server says only that it is none. */
async function modelsLikeValue(error, values) {
    if (error.parameter !== 'model' || !values.model) {
        return [];
    }
    const [words, index] = await Promise.all([import('./ask_words.js').catch(() => null), models()]);
    const others = words?.understand(values.model, index).others ?? [];
    return others.filter((other) => other.parameter === 'model').map(({value}) => ({id: value, name: nameOfModel(value)}));
}

function clearErrors(element) {
    for (const place of element.querySelectorAll('.error')) {
        place.hidden = true;
        show(place);
    }
    for (const control of element.querySelectorAll('[aria-invalid]')) {
        control.removeAttribute('aria-invalid');
    }
}

function controlOf(element, name, place) {
    return element.querySelector(`#f-${CSS.escape(name)}`) ?? place.closest('.field, .quotes').querySelector('input, select');
}

/* The value that a candidate gives the parameter; of several prices only the ambiguous one changes. */
function valueWith(values, error, id) {
    if (error.parameter !== 'prices') {
        return id;
    }
    return values.prices.split(',').map((one) => {
        const [card, amount] = one.split(':');
        return error.detail.startsWith(`${card} `) || error.detail.includes(card) ? `${id}:${amount}` : one;
    }).join(',');
}

/* The server's sentence; the ids that end it are left to the buttons, which have the names of them. */
function sentenceOf({detail}, candidates) {
    const at = Math.min(...candidates.map(({id}) => detail.indexOf(id)).filter((place) => place > 0));
    return Number.isFinite(at) ? `${detail.slice(0, at).replace(/[\s:：，,]+$/u, '')}${t('stop')}${t('which')}` : detail;
}

function showError(form, problem, error, candidates) {
    const {element, state} = form;
    const place = element.querySelector(`#e-${CSS.escape(error.parameter)}`) ?? form.general;
    const control = place === form.general ? null : controlOf(element, error.parameter, place);
    const detail = sentenceOf(error, candidates);
    place.append(
        h('span', {}, place === form.general ? `${error.parameter}: ${detail}` : detail),
        ...candidates.map((one) =>
            h('button', {type: 'button', class: 'pill', onclick: () =>
                state.change({[error.parameter]: valueWith(state.values, error, one.id)}, 'choice')}, one.name)),
    );
    place.hidden = false;
    control?.setAttribute('aria-invalid', 'true');
    (place.closest('[data-field]') ?? element.querySelector(`[data-field="${CSS.escape(error.parameter)}"]`))?.classList.add('open');
    return control;
}

async function showErrors(form, problem, isAsked) {
    clearErrors(form.element);
    const errors = problem?.errors ?? [];
    if (problem !== null && errors.length === 0) {
        show(form.general, problem.message);
        form.general.hidden = false;
    }
    const isFolded = (name) => !form.element.querySelector(`#e-${CSS.escape(name)}`)?.closest('.question, .basics, .quotes');
    if (errors.some((error) => isFolded(error.parameter))) {
        const details = await form.loadDetails();
        const folded = errors.filter((error) => details?.has(error.parameter));
        folded.forEach((error) => details.reveal(error.parameter));
        if (folded.length > 0) {
            form.setOpen(true);
        }
    }
    const controls = [];
    for (const error of errors) {
        const near = await modelsLikeValue(error, form.state.values);
        controls.push(showError(form, problem, error, [...candidatesOf(problem, error), ...near]));
    }
    if (isAsked) {
        controls.find((control) => control !== null)?.focus();
    }
}

/* The folded fields with their words are loaded when the first of them is needed; null: something newer was asked meanwhile. */
function detailsOf(form) {
    let loading = null;
    form.details = null;
    form.loadDetails = async () => {
        loading ??= obtained('ask_details', () => worded(import('./ask_details.js'))).then((details) => {
            if (details === null) {
                loading = null; // the next press asks again
                return;
            }
            form.details = details.modules.detailFields(form.state);
            show(form.fold, form.details.element);
            form.details.showDefaults(form.answer?.query ?? {});
            if (details.isLate) {
                form.state.change({}, 'submit'); // what was in flight was given up
            }
        });
        await loading;
        return form.details;
    };
    form.setOpen = (opens) => {
        isOpen = opens;
        form.fold.hidden = !opens;
        form.drawLine();
    };
    form.openDetail = async (name) => {
        const details = await form.loadDetails();
        if (details === null) {
            return;
        }
        form.setOpen(true);
        details.reveal(name);
        details.element.querySelector(`#f-${CSS.escape(name)}`)?.focus();
    };
}

function lineOf(form) {
    const actions = {
        open: (name) => form.openDetail(name),
        remove: (name) => {
            form.state.change({[name]: ''}, 'choice');
            form.element.querySelector('#edit').focus();
        },
        edit: async () => {
            form.setOpen((await form.loadDetails()) !== null && form.fold.hidden);
            form.element.querySelector('#edit').focus();
        },
        quote: () => form.quotes.open(),
    };
    return () => {
        const {values} = form.state;
        if (form.details === null && needsDetails(values)) {
            form.loadDetails().then((details) => details && form.drawLine()); // without them it would ask for them again
        }
        const focused = document.activeElement?.closest('.assumed [id]')?.id;
        showAssumed(form.line, {values, answer: form.answer, details: form.details, isOpen: !form.fold.hidden}, actions);
        if (focused) {
            form.line.querySelector(`#${focused}`)?.focus();
        }
    };
}

/**
 * Builds the form of a state: {element, showAnswered(answer), showErrors(problem, isAsked), general}; general is where
 * the server's words stand that are about no field: it is shown above the answer.
 */
export function askForm(state) {
    const form = {state, answer: null, general: h('p', {class: 'error general', hidden: true})};
    form.line = h('div', {class: 'assumed', id: 'assumed'});
    form.fold = h('div', {class: 'details', id: 'details', hidden: !isOpen});
    form.question = questionField(state);
    const basics = basicFields(state);
    form.quotes = quoteFields(state);
    form.element = h(
        'form',
        {class: 'ask', method: 'get', action: '/', autocomplete: 'off', onsubmit: (event) => event.preventDefault()},
        h(
            'div',
            {class: 'inner'},
            form.question.element,
            basics.words,
            basics.element,
            form.quotes.element,
            form.line,
            form.fold,
            form.general,
        ),
    );
    detailsOf(form);
    form.drawLine = lineOf(form);
    form.drawLine();
    if (isOpen) {
        form.loadDetails().then((details) => details && form.setOpen(true));
    }
    state.listen(() => form.drawLine());
    form.showErrors = (problem, isAsked = false) => showErrors(form, problem, isAsked);
    form.showAnswered = (answer) => {
        form.answer = answer;
        clearErrors(form.element);
        form.drawLine();
        form.details?.showDefaults(answer?.query ?? {});
    };
    form.openField = (name) => openField(form.element, name);
    return form;
}
