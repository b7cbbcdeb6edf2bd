// From parameters to a sentence in the language of the page: the words that ask_words.js reads back.
import {t, word} from './text.js';

/** The parameters a question in words is made of, in the order of the address. */
export const SPOKEN = ['task', 'domain', 'model', 'users', 'framework'];

const FRAMEWORKS = {pytorch: 'PyTorch', tensorflow: 'TensorFlow', jax: 'JAX', 'llama.cpp': 'llama.cpp'};

/** "7B" of "7b": the size of a model that has no other name; null when it is one. */
export function sizeOf(model) {
    return /^\d+(\.\d+)?[bm]$/i.test(model) ? model.toUpperCase() : null;
}

function modelPhrase(model, nameOf) {
    const size = sizeOf(model ?? '');
    return size === null ? nameOf(model) : t('said.size', size);
}

/** The question in words; nameOf(id) is the name of a model. Empty where nothing of it is asked. */
export function sentenceOf(parameters, nameOf = (id) => id) {
    const {task, domain, model, users, framework} = parameters;
    const what = model ? modelPhrase(model, nameOf) : '';
    const named = framework ? (FRAMEWORKS[framework] ?? framework) : '';
    const isLearning = task === 'learn';
    const saidTask = word('said.tasks', task ?? ''); // of a task that is none, the address keeps the word
    const head = typeof saidTask === 'function' ? saidTask(what, isLearning ? named : '') : [saidTask, what].filter(Boolean).join(' ');
    const parts = [
        head,
        domain ? t('said.domain', word('domains', domain)) : '',
        users ? t('said.users', String(users)) : '',
        named && !isLearning ? t('said.framework', named) : '',
    ];
    const sentence = parts.filter(Boolean).join(t('said.blank'));
    const beginsWithName = !task && model && sizeOf(model) === null; // "gpt-oss 20B" is written so
    return beginsWithName ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
