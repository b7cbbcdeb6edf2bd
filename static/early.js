// What must be known before the first paint: theme and language. A classic script: modules run too late for that.

// Where a browser keeps nothing for this page (its access throws), what is kept lasts as long as the page.
for (const name of ['localStorage', 'sessionStorage']) {
    try {
        window[name].getItem('theme');
    } catch {
        const kept = new Map();
        const value = {
            getItem: (key) => kept.get(key) ?? null,
            setItem: (key, text) => void kept.set(key, String(text)),
            removeItem: (key) => void kept.delete(key),
        };
        Object.defineProperty(window, name, {value, configurable: true});
    }
}

// What a view has beside the modules of every page; words by their part.
const FILES_OF_VIEW = {
    ask: [
        'answer.js', 'answer_figures.js', 'answer_rest.js', 'answer_table.js', 'answer_verdict.js', 'ask_assumed.js',
        'ask_basics.js', 'ask_controls.js', 'ask_form.js', 'ask_models.js', 'ask_money.js', 'ask_names.js', 'ask_question.js',
        'ask_quotes.js', 'ask_sentence.js', 'ask_state.js', 'card_picker.js', 'copy.js', 'marks.js', 'source_note.js',
        'view_ask.js', 'warnings.js', 'text_answer',
    ],
    chart: [
        'chart.css', 'chart.js', 'chart_labels.js', 'chart_pareto.js', 'chart_points.js', 'chart_scale.js', 'd3_ticks.js',
        'filters.js', 'marks.js', 'source_note.js', 'view_chart.js', 'text_chart',
    ],
    cards: [
        'cards.css', 'compare_tray.css', 'cards_data.js', 'cards_table.js', 'compare_tray.js', 'facts.js', 'filters.js',
        'marks.js', 'row_window.js', 'source_note.js', 'view_cards.js', 'text_cards', 'text_facts', 'text_tray',
    ],
    card: [
        'card.css', 'chart.css', 'compare_tray.css', 'card_picker.js', 'card_runs.js', 'chart.js', 'chart_context.js',
        'chart_history.js', 'chart_labels.js', 'chart_scale.js', 'chart_support.js', 'compare_tray.js', 'd3_ticks.js',
        'facts.js', 'marks.js', 'source_note.js', 'view_card.js', 'warnings.js', 'text_card', 'text_chart', 'text_facts',
        'text_tray',
    ],
    compare: [
        'compare.css', 'compare_tray.css', 'card_picker.js', 'compare_table.js', 'compare_tray.js', 'facts.js', 'marks.js',
        'source_note.js', 'view_compare.js', 'warnings.js', 'text_compare', 'text_facts', 'text_tray',
    ],
    cloud: [
        'cloud.css', 'card_picker.js', 'cloud_filters.js', 'cloud_question.js', 'cloud_tables.js', 'marks.js', 'source_note.js',
        'view_cloud.js', 'warnings.js', 'text_cloud',
    ],
    deal: [
        'deal.css', 'ask_models.js', 'ask_names.js', 'ask_sentence.js', 'card_picker.js', 'copy.js', 'deal_form.js',
        'deal_scale.js', 'marks.js', 'source_note.js', 'view_deal.js', 'warnings.js', 'text_deal',
    ],
    choose: [
        'choose.css', 'choose_live.js', 'choose_rules.js', 'cloud_tables.js', 'facts.js', 'marks.js', 'source_note.js',
        'view_choose.js', 'text_choose', 'text_cloud', 'text_facts',
    ],
    prices: [
        'prices.css', 'prices_files.js', 'prices_report.js', 'prices_rows.js', 'prices_send.js', 'view_prices.js', 'text_prices',
    ],
};

(() => {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') {
        document.documentElement.dataset.theme = theme;
    }
    const query = new URLSearchParams(location.search);
    const isChinese = (query.get('lang') ?? localStorage.getItem('lang') ?? navigator.language).startsWith('zh');
    document.documentElement.lang = isChinese ? 'zh-CN' : 'en';
    const script = document.currentScript;
    const {texts, view} = script.dataset; // view: the one of an address that names none; undefined: the page has no views
    const name = view && Object.hasOwn(FILES_OF_VIEW, query.get('view')) ? query.get('view') : view;
    for (const file of [...texts.split(' '), ...(FILES_OF_VIEW[name] ?? [])]) { // all at once: none waits for another
        const link = document.createElement('link');
        const isStyle = file.endsWith('.css');
        const isWords = !isStyle && !file.endsWith('.js'); // of the two languages one is loaded
        Object.assign(link, {rel: isStyle ? 'preload' : 'modulepreload', as: isStyle ? 'style' : ''});
        link.href = new URL(isWords ? `${file}_${isChinese ? 'zh' : 'en'}.js` : file, script.src).href;
        document.head.append(link);
    }
})();
