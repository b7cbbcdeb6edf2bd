// What one card runs, by kind of work: the largest models that fit, how well, and with which settings.
import {queryOf} from './api.js';
import {h} from './dom.js';
import {gib, isKnown, number} from './format.js';
import {t} from './text.js';

const SHOWN = 2; // of each work; the others wait behind a button

function settingsText(settings) {
    return Object.entries(settings)
        .filter(([, value]) => isKnown(value))
        .map(([name, value]) => [name, typeof value === 'number' ? number(value) : value])
        .map(([name, value]) => (name === 'optimizer' ? value : t(`card.settings.${name}`, value)))
        .join(t('comma'));
}

function runRow(card, runs, model) {
    const format = model.formats[0];
    const question = {task: runs.task, model: model.id, quant: format.quant, own: card.id};
    return h(
        'li',
        {class: format.tight ? 'tight' : 'fits'},
        h('span', {class: 'sign', 'aria-hidden': 'true'}, format.tight ? '△' : '✓'),
        h('a', {href: `/?${queryOf(question)}`}, model.name),
        h('span', {class: 'note'}, format.quant),
        h('span', {class: 'need'}, `${gib(format.needed_gib)} GiB`, format.tight ? `${t('comma')}${t('tight')}` : ''),
        format.tight ? null : h('span', {class: 'hidden'}, t('card.fits')),
    );
}

function settingsPart(runs, rows) {
    return h(
        'details',
        {},
        h('summary', {}, t('card.more_runs', rows.length)),
        h('p', {class: 'small'}, `${runs.framework}${t('colon')}${settingsText(runs.settings)}`),
        rows.length > 0 ? h('ul', {class: 'plain'}, rows) : null,
    );
}

function workSection(card, runs) {
    const rows = runs.models.map((model) => runRow(card, runs, model));
    const isPossible = runs.fitting > 0;
    const why = runs.note?.text ?? (isPossible ? null : t('card.none_fits', number(runs.tried)));
    const sign = isPossible ? ['sign', '△ '] : ['no', '✕ '];
    return h(
        'div',
        {class: 'work', 'data-task': runs.task, 'data-of': runs.models_of},
        h(
            'h3',
            {},
            t(`card.works.${runs.task}.${runs.models_of}`),
            runs.tried > 0 ? h('span', {class: 'note'}, t('card.fitting', number(runs.fitting), number(runs.tried))) : null,
        ),
        why ? h('p', {class: 'small'}, h('span', {class: sign[0], 'aria-hidden': 'true'}, sign[1]), why) : null,
        isPossible ? [h('ul', {class: 'plain'}, rows.slice(0, SHOWN)), settingsPart(runs, rows.slice(SHOWN))] : null,
    );
}

/** The section of what the card runs, from `runs` of /gpus/{id}. */
export function runsSection(card) {
    return h(
        'section',
        {class: 'runs'},
        h('div', {class: 'head'}, h('h2', {}, t('card.runs')), h('a', {href: `/?${queryOf({own: card.id})}`}, t('card.another'))),
        h('p', {class: 'small'}, t('card.runs_lead')),
        card.runs.map((runs) => workSection(card, runs)),
    );
}
