// The one big field: free words, what they were understood as, what they were not.
import {isNamed, learnName, models, nameOfModel} from './ask_names.js';
import {sentenceOf, sizeOf, SPOKEN} from './ask_sentence.js';
import {h, show} from './dom.js';
import {loaded, obtained, Pause} from './request.js';
import {t, word, worded} from './text.js';

/* Errors about these stand below the question. */
const ERRORS = ['task', 'domain', 'model', 'users'];

let latest = null; // the reading that is shown

/* Words not read yet, or with something not understood, have no parameters: they outlive the form when the language changes. */
let kept = {words: '', parameters: '{}'};

const sentence = (values) => sentenceOf(values, nameOfModel);
const bare = (text) => text.toLowerCase().replace(/[\s\p{P}]+/gu, '');
const spokenOf = (values) => Object.fromEntries(SPOKEN.filter((name) => values[name]).map((name) => [name, values[name]]));

/* Whether the parameters say all that the words do. */
const isPlain = ({unknown, cards, absent}) => unknown.length + cards.length + absent.length === 0;

function otherWord({parameter, value}) {
    return {
        task: () => word('tasks', value),
        model: () => nameOfModel(value),
        users: () => t('said.users', value),
    }[parameter]();
}

function buttons(others, onpick) {
    return others.map((other) =>
        h('button', {type: 'button', class: 'pill', onclick: () => onpick(other)}, otherWord(other)));
}

/** The line below the field: as what the words were understood, what else they may mean, what was not understood. */
function showReading(place, result, text, values, onpick) {
    const canonicalWords = sentence(values);
    const {others, unknown, which} = result;
    show(
        place,
        canonicalWords !== '' && bare(canonicalWords) !== bare(text)
            ? h('span', {class: 'reading'}, t('ask.understood'), h('b', {}, canonicalWords))
            : null,
        which !== null ? h('span', {class: 'reading'}, t('ask.which', which)) : null,
        others.length > 0 && which === null ? h('span', {class: 'reading'}, t('ask.or')) : null,
        buttons(others, onpick),
        unknownWords(unknown),
    );
    place.hidden = place.childElementCount === 0;
    latest = result;
    if (result.cards.length + result.absent.length > 0) {
        showNamed(place, result, values);
    }
}

/* The cards that the words name are looked up; till then the rest of the line stands. */
async function showNamed(place, result, values) {
    const told = await worded(import('./ask_cards.js')).then(({cardNotes}) => cardNotes(result, values)).catch(() => null);
    if (told === null || latest !== result) {
        return; // not to be had now, or other words are read by now
    }
    place.append(...told.nodes, ...unknownWords(told.unknown));
    place.hidden = place.childElementCount === 0;
}

function unknownWords(words) {
    return words.length === 0 ? []
        : [h('span', {class: 'reading unknown'}, t('ask.unknown', words.map((one) => t('ask.quote', one)).join(t('enumeration'))))];
}

function examples(onpick) {
    return h(
        'div',
        {class: 'examples', hidden: true},
        h('span', {class: 'small'}, t('ask.try')),
        Object.values(t('ask.examples')).map((text) =>
            h('button', {type: 'button', class: 'pill', onclick: () => onpick(text)}, text)),
    );
}

function inputField() {
    return h('input', {
        id: 'f-question',
        'data-rebuilt': true, // from the parameters, in the language of the page
        type: 'text',
        role: 'combobox',
        'aria-expanded': 'false',
        'aria-controls': 'suggestions',
        'aria-autocomplete': 'list',
        'aria-describedby': ['reading', ...ERRORS.map((name) => `e-${name}`)].join(' '),
        placeholder: t('ask.example'),
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'search',
        maxlength: 300,
    });
}

/* Reads the words and changes the parameters they are about; those said before and not any more are taken back. */
function reader(field) {
    const {state, input, reading} = field;
    let spoken = spokenOf(state.values);
    return {
        forget(values) {
            spoken = spokenOf(values);
        },
        async read(how) {
            const text = input.value;
            const [words, early] = await Promise.all([obtained('ask_words', () => import('./ask_words.js')), models()]);
            const index = words?.isLate ? await models() : early; // they were lost with the words
            if (words === null || input.value !== text || !input.isConnected) {
                return null; // typed on meanwhile
            }
            const {modules, isLate} = words;
            const result = modules.understand(text, index, how === 'typing');
            const gone = Object.keys(spoken).filter((name) => String(state.values[name]) === String(spoken[name]));
            const changes = {...Object.fromEntries(gone.map((name) => [name, ''])), ...result.parameters};
            spoken = result.parameters;
            state.change(changes, isLate ? 'submit' : how, 'question'); // what was in flight was given up
            kept = {words: text, parameters: JSON.stringify(spokenOf(state.values)), isPlain: isPlain(result)};
            showReading(reading, result, text, state.values, (other) => field.pick(other, result.isShared));
            return {result, index};
        },
    };
}

function listen(field) {
    const {input, examplesRow} = field;
    const pause = new Pause();
    let isComposing = false;
    const later = () => {
        examplesRow.hidden = input.value !== '';
        pause.begin(() => field.ask('typing'));
    };
    input.addEventListener('compositionstart', () => {
        isComposing = true;
        pause.end();
    });
    input.addEventListener('compositionend', () => {
        isComposing = false;
        later();
    });
    input.addEventListener('input', (event) => {
        event.stopPropagation(); // of no account to the form: the words are read first
        kept = {words: input.value, parameters: JSON.stringify(spokenOf(field.state.values)), isPlain: false}; // till they are
        if (!isComposing) {
            later();
        }
    });
    input.addEventListener('focus', () => field.openList(false), {once: true});
    input.addEventListener('keydown', (event) => {
        if (isComposing || event.isComposing) {
            event.stopImmediatePropagation(); // Enter and arrows belong to the input method
        } else if (event.key === 'Enter') {
            event.preventDefault();
            pause.end();
            field.ask('submit');
        } else if (event.key === 'ArrowDown' && input.getAttribute('aria-expanded') === 'false') {
            field.openList(true);
        }
    });
}

/* The list of suggestions is loaded with the first focus. */
function lister(field) {
    let list = null;
    return async (isAsked) => {
        const module = await loaded('ask_suggest', () => import('./ask_suggest.js')).catch(() => null);
        if (module === null) {
            return; // words are understood without
        }
        list ??= module.suggestions(field);
        field.list = list;
        if (isAsked) {
            const read = await field.reader.read('typing');
            if (read !== null) {
                const filled = list.update(read.result, read.index);
                if (list.isOpen) {
                    list.activate(0);
                }
                await filled;
            }
        }
    };
}

/** The question of a state, with its suggestions, its reading and its examples: {element, input, show}. */
export function questionField(state) {
    const field = {state, input: inputField(), list: null};
    field.reading = h('p', {class: 'readings', id: 'reading', role: 'status', hidden: true});
    field.listPlace = h('div', {class: 'suggestions', hidden: true});
    field.pick = ({parameter, value}, isShared) => {
        state.change({[parameter]: value, ...(isShared && parameter === 'model' ? {domain: ''} : {})}, 'choice'); // the model says it
        field.input.focus();
    };
    field.take = (parameters) => {
        const gone = Object.fromEntries(SPOKEN.map((name) => [name, '']));
        state.change({...gone, ...parameters}, 'choice');
    };
    field.examplesRow = examples(async (text) => {
        field.input.value = text;
        field.examplesRow.hidden = true;
        await field.ask('choice');
    });
    field.reader = reader(field);
    field.openList = lister(field);
    field.ask = async (how) => {
        const read = await field.reader.read(how);
        if (read !== null && field.list === null) {
            await field.openList(false); // it may not have been to be had when the field was first used
        }
        if (read !== null && field.list !== null) {
            await (how === 'typing' ? field.list.update(read.result, read.index) : field.list.close());
        }
    };
    field.element = h(
        'div',
        {class: 'field question'},
        h('label', {for: 'f-question'}, t('ask.question')),
        h('div', {class: 'combo'}, field.input, field.listPlace),
        ERRORS.map((name) => h('p', {class: 'error', id: `e-${name}`, hidden: true})),
        field.reading,
        field.examplesRow,
    );
    listen(field);
    showWords(field, state.values);
    state.listen((values, how, source, before) => {
        if (source !== 'question' && SPOKEN.some((name) => values[name] !== before[name])) {
            showWords(field, values);
        }
    });
    return field;
}

/* Writes the sentence of the parameters; words that were kept with these parameters are left as they are. */
function showWords(field, values) {
    const {input, examplesRow, reading} = field;
    const isKept = kept.isPlain === false && kept.parameters === JSON.stringify(spokenOf(values));
    input.value = isKept && input.value === '' ? kept.words : sentence(values);
    examplesRow.hidden = input.value !== '';
    reading.hidden = true;
    latest = null;
    show(reading);
    field.reader.forget(values);
    if (isKept && input.value === kept.words) {
        field.reader.read('kept');
    }
    if (values.model && !isNamed(values.model) && sizeOf(values.model) === null) {
        const written = input.value;
        learnName(values.model).then(() => {
            if (input.value === written) {
                input.value = sentence(values);
            }
        });
    }
}
