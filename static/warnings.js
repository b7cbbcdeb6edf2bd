// Warnings of the server: which may cost money or time, which only ask for a look at the machine, and how they are listed.
import {h} from './dom.js';
import {sign} from './marks.js';

const TO_CHECK = ['psu-large', 'eps-power', 'many-slots', 'long-board', 'discontinued', 'no-display-output', 'no-nvlink',
    'no-fp8', 'loud-blower', 'lowest-power'];

/** Whether a warning only asks for a look at the machine. */
export function isNote({code}) {
    return TO_CHECK.includes(code);
}

/** Whether a warning tells the age of the price. */
export function isOfAge({code}) {
    return code === 'price-stale';
}

/** Warnings by weight: the age of the price is part of the price and comes first, what to look at last; else as they came. */
function byWeight(warnings) {
    const weight = (warning) => (isOfAge(warning) ? 0 : isNote(warning) ? 2 : 1);
    return [...warnings].sort((one, other) => weight(one) - weight(other));
}

/** The items of a list of class warnings, the weightiest first; words(warning) are what stands beside the sign. */
export function warningRows(warnings, words = ({text}) => text) {
    return byWeight(warnings).map((warning) => h('li', {'data-code': warning.code, class: isNote(warning) ? 'info' : null},
        sign(isNote(warning)),
        h('span', {}, words(warning))));
}
