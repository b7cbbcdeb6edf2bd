// Facts of cards in the words of the page: for one card, and for cards side by side.
import {date, isKnown, number} from './format.js';
import {addTexts, t, word} from './text.js';

addTexts('facts');

/** Numbers that count something a card may lack: 0 is said as a word. */
const MAY_LACK = ['nvlink_gb_s', 'mig_max_instances', 'display_outputs', 'tensor_cores'];

const DAYS = ['release_date', 'discontinued', 'end_date', 'observed_on'];

/** What a fact of a card is called, with its unit. */
export function factName(name) {
    return word('fact_names', name);
}

/** The maker by its code. */
export function makerName(code) {
    return word('makers', code);
}

/** Features of a card, as the list of the server. */
export function featureNames(features) {
    return features.map((feature) => word('features', feature)).join(t('comma'));
}

/** The value of a fact as it is read: numbers grouped, codes as words, unknown said; digits: most decimals. */
export function factValue(name, value, digits = 1) {
    if (!isKnown(value)) {
        return t('unknown');
    }
    if (MAY_LACK.includes(name) && value === 0) {
        return t('none');
    }
    if (DAYS.includes(name)) {
        return date(value);
    }
    if (typeof value === 'number') {
        return number(value, digits);
    }
    if (typeof value === 'boolean') {
        return word('values', value ? 'yes' : 'no');
    }
    return word('values', word('statuses', value));
}
