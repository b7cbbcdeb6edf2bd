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

(() => {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') {
        document.documentElement.dataset.theme = theme;
    }
    const asked = new URLSearchParams(location.search).get('lang');
    const isChinese = (asked ?? localStorage.getItem('lang') ?? navigator.language).startsWith('zh');
    document.documentElement.lang = isChinese ? 'zh-CN' : 'en';
    const script = document.currentScript;
    for (const name of script.dataset.texts.split(' ')) { // of the words in two languages one is loaded, with the modules
        const link = document.createElement('link');
        link.rel = 'modulepreload';
        link.href = new URL(`${name}_${isChinese ? 'zh' : 'en'}.js`, script.src).href;
        document.head.append(link);
    }
})();
