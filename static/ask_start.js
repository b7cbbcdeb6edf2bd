// Before anything is asked: four budgets and the card that each buys.
import {get, queryOf} from './api.js';
import {h, show} from './dom.js';
import {money, shortName} from './format.js';
import {namedCurrency} from './question.js';
import {t} from './text.js';

function cardOf({gpu, price, count}) {
    return t('ask.tier_card', shortName(gpu.name), t(`condition_word.${price.condition}`), count);
}

function tierLink({id, label, picks}, currency) {
    const [pick] = picks;
    return h(
        'li',
        {},
        h(
            'a',
            {class: 'tier', href: `/?${queryOf({tier: id, currency: namedCurrency({tier: id, currency})})}`},
            h('b', {}, label),
            pick
                ? [
                      h('span', {class: 'small'}, cardOf(pick)),
                      h('span', {class: 'price'}, money(pick.price.total, pick.price.currency)),
                  ]
                : h('span', {class: 'small'}, t('ask.tier_empty')),
        ),
    );
}

/** Shows the tiers in place; answers the catalogue they are of. */
export async function showStart(place, values, signal) {
    const {tiers, query, catalogue} = await get('/tiers', {...values, limit: 1}, signal);
    show(
        place,
        h(
            'section',
            {class: 'start'},
            h('h1', {id: 'verdict', tabindex: -1}, t('ask.tiers')),
            h('p', {class: 'why'}, t('ask.tiers_why')),
            h('ul', {class: 'tiers'}, tiers.map((tier) => tierLink(tier, query.currency))),
            h('p', {class: 'small'}, h('a', {href: '/?view=choose'}, t('views.choose'))),
        ),
    );
    return catalogue ?? null;
}
