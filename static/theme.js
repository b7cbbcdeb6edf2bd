// Sets the theme before the first paint. A classic script: modules run too late for that.
(() => {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') {
        document.documentElement.dataset.theme = theme;
    }
})();
