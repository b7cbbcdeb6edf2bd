// Amounts of money as people write them: "$1,500", "1.500 €", "1.5k", "1 万元", "五千". Read alike in the question and in its field.

const THOUSANDS = {k: 1e3, 千: 1e3, w: 1e4, 万: 1e4, m: 1e6};
const CURRENCIES = {
    $: 'USD', usd: 'USD', dollar: 'USD', dollars: 'USD', bucks: 'USD', 美元: 'USD', 美金: 'USD',
    '¥': 'CNY', cny: 'CNY', rmb: 'CNY', yuan: 'CNY', 元: 'CNY', 块: 'CNY', 块钱: 'CNY', 人民币: 'CNY',
    '€': 'EUR', eur: 'EUR', euro: 'EUR', euros: 'EUR', 欧元: 'EUR', 欧: 'EUR',
};
const DIGITS = {一: '1', 二: '2', 两: '2', 三: '3', 四: '4', 五: '5', 六: '6', 七: '7', 八: '8', 九: '9'};

/** An amount with its unit, on words joined by blanks (each Chinese character is one). */
export const AMOUNT = '(\\d+(?:[.,]\\d+)*|[一二两三四五六七八九](?= [千万]))(?: (?=[千万]))?(k|w|千|万| k)?';

/** The name of a currency, on such words. */
export const MONEY = '(美 元|美 金|人 民 币|块 钱|欧 元|[$¥€元块欧]|usd|dollars?|bucks|cny|rmb|yuan|eur|euros?)';

/** "1,500" is 1500, "32k" 32000, or 32768 where tokens are counted, "1.5 万" 15000. */
export function numberOf(digits, unit, thousand = 1e3) {
    const factor = unit === 'k' ? thousand : (THOUSANDS[unit] ?? 1);
    return String(Math.round(Number(digits.replaceAll(',', '')) * factor * 100) / 100);
}

/* Money in points: "1.500" is as much as "1,500", nobody has one and a half to spend; "1,5" has no group of three. */
function amountOf(said, unit) {
    const digits = (DIGITS[said] ?? said).replace(/^(\d+),(\d{1,2})$/, '$1.$2');
    return numberOf(!unit && /^\d{1,3}(\.\d{3})+$/.test(digits) ? digits.replaceAll('.', '') : digits, unit);
}

/** The parameters that an amount is. */
export function budgetOf(digits, unit, currency) {
    const named = CURRENCIES[currency?.replaceAll(' ', '')];
    return {budget: amountOf(digits, unit?.trim()), ...(named ? {currency: named} : {})};
}

const ALONE = new RegExp(`^(?:${MONEY} ?)?${AMOUNT}(?: ?${MONEY})?$`, 'u');

/** What is typed as an amount: {budget, currency?}; null where it is none. */
export function typedBudget(text) {
    const plain = text.normalize('NFKC').toLowerCase().replace('￥', '¥').trim()
        .replace(/(\d)\s+(?=\d{3}(?!\d))/g, '$1')
        .replace(/\p{Script=Han}/gu, ' $& ').replace(/\s+/g, ' ').trim();
    const found = ALONE.exec(plain);
    return found === null ? null : budgetOf(found[2], found[3], found[1] ?? found[4]);
}
