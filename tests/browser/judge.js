// Run inside a page by tests/browser/test_care.mjs: what axe does not judge. Each judge answers a list of faults, [] for none.
(() => {
    const TARGET_PX = 24;
    const TEXT_CONTRAST = 4.5;
    const MARK_CONTRAST = 3;
    const BAND_ALPHA = 0.3; // an area one sees through is the ground of what stands on it
    const HALO_PX = 2; // a stroke this wide around a text is its ground

    const nameOf = (element) => {
        const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
        const id = element.id === '' ? '' : `#${element.id}`;
        const classes = [...element.classList].map((one) => `.${one}`).join('');
        return `${element.localName}${id}${classes} "${words}"`;
    };
    const distinct = (list) => [...new Set(list)].slice(0, 8);
    const isShown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
        element.getClientRects().length > 0;
    const OUT_OF_SIGHT = '.hidden, .skip:not(:focus)';
    const isForEyes = (element) => element.closest(`${OUT_OF_SIGHT}, [aria-hidden=true]`) === null && isShown(element);

    /* --- sizes --- */
    const CONTROLS = 'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=option]';

    /** A link with words beside it in its own paragraph is a part of a sentence. */
    function isInSentence(link) {
        let block = link.parentElement;
        while (block !== null && getComputedStyle(block).display.startsWith('inline')) {
            block = block.parentElement;
        }
        const own = [...(block?.querySelectorAll('a, button') ?? [])].reduce((sum, one) => sum + one.textContent.trim().length, 0);
        return getComputedStyle(link).display === 'inline' && (block?.textContent.trim().length ?? 0) > own + 3;
    }

    function boxOf(control) {
        const label = control.matches('input[type=radio], input[type=checkbox]') ? control.closest('label') : null;
        return (label ?? control).getBoundingClientRect();
    }

    function smallTargets() {
        return distinct([...document.querySelectorAll(CONTROLS)].filter((control) => isShown(control) &&
            control.closest(OUT_OF_SIGHT) === null && control.ownerSVGElement == null && !isInSentence(control)).map((control) => {
            const box = boxOf(control);
            return [control, Math.round(box.width * 10) / 10, Math.round(box.height * 10) / 10];
        }).filter(([, width, height]) => width < TARGET_PX || height < TARGET_PX)
            .map(([control, width, height]) => `${nameOf(control)} ${width}×${height}`));
    }

    /** Whether an element says in its title what its dots leave out. */
    const endsInDots = (element) => element.title !== '' && getComputedStyle(element).textOverflow === 'ellipsis';

    /** The part of a box that is seen beyond which its text is cut; null: nothing is. A scrolling direction cuts nothing. */
    function clipOf(element) {
        const {overflowX, overflowY} = getComputedStyle(element);
        const cuts = (value) => value === 'hidden' || value === 'clip';
        if ((!cuts(overflowX) && !cuts(overflowY)) || endsInDots(element)) {
            return null;
        }
        const {left, right, top, bottom} = element.getBoundingClientRect();
        const all = Infinity;
        return {left: cuts(overflowX) ? left : -all, right: cuts(overflowX) ? right : all,
            top: cuts(overflowY) ? top : -all, bottom: cuts(overflowY) ? bottom : all};
    }

    const leaves = (box, room) => box.width > 0 && (box.left < room.left - 1 || box.right > room.right + 1 ||
        box.top < room.top - 2 || box.bottom > room.bottom + 2);

    /** Text that a box hides a part of, or that leaves the drawing it stands in. */
    function cutText() {
        const faults = [];
        const range = document.createRange();
        for (const element of document.querySelectorAll('body *:not(script, noscript, option, select, svg, svg *)')) {
            const room = clipOf(element);
            if (room === null || !isForEyes(element)) {
                continue;
            }
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                range.selectNodeContents(walker.currentNode);
                const own = walker.currentNode.parentElement;
                const isAbove = own.closest(':popover-open') !== element.closest(':popover-open'); // no box below hides it
                if (!isAbove && isForEyes(own) && !endsInDots(own) && [...range.getClientRects()].some((box) => leaves(box, room))) {
                    faults.push(`${nameOf(element)} cuts "${walker.currentNode.textContent.slice(0, 40)}"`);
                }
            }
        }
        for (const text of document.querySelectorAll('svg text')) {
            const box = text.getBoundingClientRect();
            const drawing = text.ownerSVGElement;
            const room = drawing.getBoundingClientRect();
            if (isShown(text) && getComputedStyle(drawing).overflow !== 'visible' && leaves(box, room)) {
                faults.push(`${nameOf(text)} leaves its drawing`);
            }
        }
        return distinct(faults);
    }

    function sideways() {
        const {scrollWidth, clientWidth} = document.documentElement;
        if (scrollWidth <= clientWidth) {
            return [];
        }
        const wide = [...document.querySelectorAll('body *')].filter((element) => isShown(element) &&
            element.closest('.scroll') === null && element.getBoundingClientRect().right > clientWidth + 1);
        return [`${scrollWidth} in ${clientWidth}`, ...distinct(wide.map(nameOf))];
    }

    /* WCAG 1.4.12, word by word. */
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
        p { margin-bottom: 2em !important; }`);
    function setSpacing(isOn) {
        document.adoptedStyleSheets = isOn ? [spacing] : [];
    }

    /* --- colours --- */
    const brush = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const known = new Map();
    /** Red, green, blue from 0 to 255 and alpha from 0 to 1 of any CSS colour. */
    function colour(css) {
        if (!known.has(css)) {
            brush.clearRect(0, 0, 1, 1);
            brush.fillStyle = css;
            brush.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
            known.set(css, [r, g, b, a / 255]);
        }
        return known.get(css);
    }
    const over = ([r, g, b, a], ground) => [r, g, b].map((value, index) => value * a + ground[index] * (1 - a));
    function light(rgb) {
        const [r, g, b] = rgb.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    function contrast(one, other) {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    }

    function groundOfBox(element) {
        const layers = [];
        for (let place = element; place !== null; place = place.parentElement) {
            const found = colour(getComputedStyle(place).backgroundColor);
            if (found[3] > 0) {
                layers.push(found);
            }
            if (found[3] === 1) {
                break;
            }
        }
        const canvas = colour(matchMedia('(forced-colors: active)').matches ? 'Canvas'
            : getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#121212' : '#ffffff');
        return layers.reduceRight((ground, layer) => over(layer, ground), canvas.slice(0, 3));
    }

    const SHAPES = 'rect, circle, ellipse, path, polygon, polyline, line';
    function paint(shape, property) {
        const style = getComputedStyle(shape);
        if (style[property] === 'none' || (property === 'fill' && shape.localName === 'line') || style[property].startsWith('url') ||
            (property === 'stroke' && parseFloat(style.strokeWidth) === 0) || style.visibility !== 'visible') {
            return [0, 0, 0, 0];
        }
        const [r, g, b, a] = colour(style[property]);
        let seen = a * Number(style[`${property}Opacity`]);
        for (let place = shape; place.localName !== 'svg'; place = place.parentElement) {
            seen *= Number(getComputedStyle(place).opacity);
        }
        return [r, g, b, seen];
    }

    /** What is under a point of a drawing before an element is drawn. */
    function groundAt(element, x, y) {
        const drawing = element.ownerSVGElement;
        let ground = groundOfBox(drawing);
        for (const shape of drawing.querySelectorAll(SHAPES)) {
            if (shape === element || (shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 ||
                shape.closest('defs, clipPath, mask, symbol, pattern') !== null || shape.localName === 'line') {
                continue;
            }
            const matrix = shape.getScreenCTM();
            if (matrix !== null && shape.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix.inverse()))) {
                ground = over(paint(shape, 'fill'), ground);
            }
        }
        return ground;
    }

    function paleTexts() {
        const faults = [];
        for (const text of document.querySelectorAll('svg text')) {
            const box = text.getBoundingClientRect();
            if (!isShown(text) || box.width === 0 || text.textContent.trim() === '') {
                continue;
            }
            const style = getComputedStyle(text);
            const halo = style.stroke !== 'none' && parseFloat(style.strokeWidth) >= HALO_PX;
            const ground = halo ? colour(style.stroke).slice(0, 3)
                : groundAt(text, box.left + box.width / 2, box.top + box.height / 2);
            const seen = contrast(over(paint(text, 'fill'), ground), ground);
            if (seen < TEXT_CONTRAST) {
                faults.push(`${nameOf(text)} ${seen.toFixed(2)}`);
            }
        }
        return distinct(faults);
    }

    /* Colours that carry no meaning alone: tokens.md, section 1. */
    const QUIET = ['room', 'line', 'bg', 'sunken', 'raised', 'part-3', 'part-4', 'part-5', 'accent-weak', 'warn-ground', 'bad-ground',
        'good-ground'];
    function isQuiet(rgba) {
        const tokens = getComputedStyle(document.documentElement);
        return QUIET.some((name) => {
            const found = colour(tokens.getPropertyValue(`--${name}`).trim());
            return rgba[3] < BAND_ALPHA || [0, 1, 2].every((index) => Math.abs(found[index] - rgba[index]) <= 1);
        });
    }

    /** Marks whose fill and stroke are both hard to see, unless their colour is one that says nothing alone. */
    function paleMarks() {
        const faults = [];
        for (const mark of document.querySelectorAll(SHAPES.split(', ').map((one) => `svg ${one}`).join(', '))) {
            const box = mark.getBoundingClientRect();
            const paints = [paint(mark, 'fill'), paint(mark, 'stroke')].filter(([,,, alpha]) => alpha > 0);
            if (!isShown(mark) || mark.closest('defs, clipPath, mask, symbol, pattern, [data-quiet]') !== null || paints.length === 0 ||
                Math.max(box.width, box.height) === 0) {
                continue;
            }
            const ground = groundOfBox(mark.ownerSVGElement);
            const seen = Math.max(...paints.map((one) => contrast(over(one, ground), ground)));
            if (seen < MARK_CONTRAST && !paints.every(isQuiet)) {
                faults.push(`${nameOf(mark)} of ${mark.ownerSVGElement.getAttribute('class')} ${seen.toFixed(2)}`);
            }
        }
        return distinct(faults);
    }

    /* --- focus --- */
    const LOOK = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderColor', 'borderWidth', 'backgroundColor',
        'stroke', 'strokeWidth', 'fill', 'r', 'opacity', 'visibility', 'clipPath'];
    function lookOf(element) {
        const near = [element, element.nextElementSibling, element.closest('label'), element.parentElement,
            ...[...element.children].slice(0, 4), ...(element.ownerSVGElement?.querySelectorAll('.c-ring') ?? [])];
        return near.filter((one) => one !== null).map((one) => {
            const style = getComputedStyle(one);
            return LOOK.map((name) => style[name]).join();
        }).join('|');
    }

    /** Stops whose look does not change when the focus comes to them; the last thing pressed has to be a key. */
    function unseenFocus() {
        const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
            .filter((element) => element.tabIndex >= 0 && !element.disabled && isShown(element));
        const faults = [];
        for (const stop of stops) {
            document.activeElement?.blur();
            const plain = lookOf(stop);
            stop.focus({preventScroll: true, focusVisible: true});
            if (stop.isConnected && (document.activeElement !== stop || lookOf(stop) === plain)) {
                faults.push(nameOf(stop));
            }
        }
        document.activeElement?.blur();
        return distinct(faults);
    }

    /* --- media --- */
    function motion() {
        const moving = document.getAnimations().filter((one) => one.playState === 'running')
            .map((one) => nameOf(one.effect.target));
        const wouldMove = [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element);
            const lasts = (list) => list.split(',').some((one) => parseFloat(one) > 0.001);
            return (style.animationName !== 'none' && lasts(style.animationDuration)) || lasts(style.transitionDuration) ||
                style.scrollBehavior === 'smooth';
        }).map(nameOf);
        return distinct([...moving, ...wouldMove]);
    }

    /** On paper: nothing to press or fill in, unless its words are the content; dark ink, the heading there. */
    function paper() {
        const content = '.sourced, .sort, .change:not(.undo)';
        const faults = [...document.querySelectorAll('button, input, select, textarea, .top nav, .foot nav, .tray')]
            .filter((control) => isForEyes(control) && !control.matches(content)).map(nameOf);
        faults.push(...[...document.querySelectorAll('.sourced')].filter((figure) => figure.parentElement.checkVisibility() &&
            !isShown(figure)).map((figure) => `hidden ${nameOf(figure)}`));
        const head = document.querySelector('h1');
        if (head === null || !isShown(head)) {
            faults.push('no heading');
        } else if (contrast(colour(getComputedStyle(head).color).slice(0, 3), [255, 255, 255]) < TEXT_CONTRAST) {
            faults.push('the heading is pale on white paper');
        }
        return distinct(faults);
    }

    /** What does not fit at this width, by kind; {}: everything does. */
    function fit() {
        const found = {sideways: sideways(), cut: cutText(), small: smallTargets()};
        return Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0));
    }

    window.judge = {fit, setSpacing, paleTexts, paleMarks, unseenFocus, motion, paper, contrast};
})();
