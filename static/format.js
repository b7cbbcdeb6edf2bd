// Numbers, money and dates as each language writes them. Unknown is said, never shown as 0.
import {language, t, word} from './text.js';

function locale() {
    return language() === 'zh' ? 'zh-CN' : 'en-US';
}

/** Whether a value is there: the API says null where it knows none. */
export function isKnown(value) {
    return value !== null && value !== undefined;
}

/** A number with at most `digits` decimals, grouped; unknown as a word. */
export function number(value, digits = 0) {
    return isKnown(value)
        ? value.toLocaleString(locale(), {maximumFractionDigits: digits})
        : t('unknown');
}

/** The number a text means, full-width digits and groups of three taken as people write them; null: none. */
export function typedNumber(text) {
    const plain = text.trim().normalize('NFKC');
    const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
    return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : null;
}

/** Three significant digits: what an estimate deserves. */
export function rough(value) {
    return isKnown(value)
        ? value.toLocaleString(locale(), {maximumSignificantDigits: 3})
        : t('unknown');
}

/** What a currency is called beside an amount. */
export function currencyWord(currency) {
    return word('currencies', currency);
}

/** The unit of a speed in words, by the `unit` of the server. */
export function speedUnit(unit) {
    return {'tokens/s': t('units.tokens'), 'images/s': t('units.images')}[unit] ?? t('units.relative');
}

/** The name of a country by its two letters, as "eu" too. */
export function country(code) {
    return new Intl.DisplayNames([locale()], {type: 'region'}).of(code.toUpperCase());
}

/** The number of an amount: cents only below 100, and then both of them. */
export function amount(value) {
    return isKnown(value) && Math.abs(value) < 100 && !Number.isInteger(value)
        ? value.toLocaleString(locale(), {minimumFractionDigits: 2, maximumFractionDigits: 2})
        : number(value);
}

/** "1,704 USD", "5,069 元". */
export function money(value, currency) {
    return isKnown(value) ? `${amount(value)} ${currencyWord(currency)}` : t('unknown');
}

/** A number of GiB, to a tenth. */
export function gib(value) {
    return isKnown(value)
        ? value.toLocaleString(locale(), {maximumFractionDigits: 1})
        : t('unknown');
}

/** "31 Oct 2023" in English, ISO in Chinese; as exact as the source: a year or a month stays one. */
export function date(text) {
    if (!isKnown(text)) {
        return t('unknown');
    }
    if (language() === 'zh' || text.length === 4) {
        return text;
    }
    const parts =
        text.length === 7
            ? {month: 'short', year: 'numeric'}
            : {day: 'numeric', month: 'short', year: 'numeric'};
    return new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`).toLocaleDateString(
        'en-GB',
        {...parts, timeZone: 'UTC'},
    );
}

/** The name without its maker: what people say. */
export function shortName(name) {
    return name
        .replace(/^(NVIDIA|AMD|Intel) /, '')
        .replace(/^(GeForce|Radeon|Instinct) (?=R?[XTG])/, '');
}
