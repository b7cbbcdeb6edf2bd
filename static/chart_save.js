// A drawing as a file: SVG with its colours written in as attributes, so that it stands without the page; PNG from that.
import {s} from './dom.js';

/** What a shape and a text of a drawing carry; of the page's styles nothing else matters. */
const OF_SHAPES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap'];
const OF_TEXTS = [...OF_SHAPES, 'font-size', 'font-weight', 'text-anchor', 'paint-order'];
const USUAL = ['1', 'none', 'miter', 'butt', 'normal']; // what a renderer takes without being told, but for fill
const GEOMETRY = ['d', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'width', 'height'];
const MARGIN = 16;
const HEAD = 44; // for the title and the line below it
const SHARP = 2; // pixels of a PNG in one of the page

/** A leaf of the drawing with its looks as attributes. */
function copyOf(node) {
    const style = getComputedStyle(node);
    const copy = s(node.localName, {});
    for (const name of GEOMETRY) {
        if (node.hasAttribute(name)) {
            copy.setAttribute(name, node.getAttribute(name));
        }
    }
    for (const name of node.localName === 'text' ? OF_TEXTS : OF_SHAPES) {
        const value = style.getPropertyValue(name);
        const isTold = name === 'fill' || (!USUAL.includes(value) && (style.stroke !== 'none' || !name.startsWith('stroke')));
        if (isTold) {
            copy.setAttribute(name, value);
        }
    }
    copy.textContent = node.textContent;
    return copy;
}

function isSeen(node) {
    const style = getComputedStyle(node);
    return style.display !== 'none' && style.visibility !== 'hidden' && !(style.fill === 'none' && style.stroke === 'none');
}

function headText(y, size, weight, fill, text) {
    return s('text', {x: 0, y, 'font-size': size, 'font-weight': weight, fill}, text);
}

/** A drawing as a document of its own: {text, width, height}. words: {title, hint, finding}. */
function exported(svg, words) {
    const {width, height} = svg.viewBox.baseVal;
    const page = getComputedStyle(document.body);
    const all = {width: width + 2 * MARGIN, height: height + HEAD + 2 * MARGIN};
    const leaves = [...svg.querySelectorAll('rect, line, path, circle, text')]
        .filter((node) => !node.closest('.c-over') && !node.classList.contains('c-hit') && isSeen(node));
    const copy = s('svg', {
        width: all.width,
        height: all.height,
        viewBox: `${-MARGIN} ${-MARGIN - HEAD} ${all.width} ${all.height}`,
        'font-family': page.fontFamily,
    }, s('title', {}, words.title), s('desc', {}, words.finding), s('rect', {
        x: -MARGIN,
        y: -MARGIN - HEAD,
        width: all.width,
        height: all.height,
        fill: page.backgroundColor,
    }), headText(14 - HEAD, 15, 650, page.color, words.title), headText(32 - HEAD, 12, 400, page.color, words.hint),
    leaves.map(copyOf));
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    return {text: new XMLSerializer().serializeToString(copy), ...all};
}

function download(blob, name) {
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000); // the browser reads it after the click
}

/** Hands the reader the drawing as an SVG file. */
export function saveSvg(svg, words, name) {
    download(new Blob([exported(svg, words).text], {type: 'image/svg+xml'}), `${name}.svg`);
}

/** Hands the reader the drawing as a PNG file. */
export async function savePng(svg, words, name) {
    const {text, width, height} = exported(svg, words);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * SHARP;
    canvas.height = height * SHARP;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(blob, `${name}.png`), 'image/png');
}
