// Labels: measures the text of a box, shortens it to fit, and chooses its colour.
//
// Names are shortened in the same steps as in src/text/shorten.c; both must pass
// tests/unit/text/shorten.tsv.

import {XHTML, graph, svg} from './flame_graph.js';
import {inflate} from './flame_data.js';

// ---- names, ever shorter -----------------------------------------------------------------------

function isOperatorWord(before) {
    return /(?<![\w\x80-\uffff])operator$/.test(before.slice(-9));
}

// True if a bracket after `before` belongs to an operator's name, as the second of `<<`.
function afterOperator(before) {
    return /(?<![\w\x80-\uffff])operator[ <>=-]{0,4}$/.test(before.slice(-13));
}

// What may follow a name's arguments: a Java type, or text that begins with one of these words.
const ENDING = new RegExp('^(?:|\\[*(?:[BCDFIJSVZ]|L.*;)|' +
    '[ \\t]*(?:const|volatile|noexcept|&|\\[clone|\\[abi:|requires|\\[inlined\\]).*)$', 's');

// Returns the offset of the parenthesis that `close` closes, or -1.
function findOpen(name, close) {
    let depth = 0;

    for (let at = close; at >= 0; at--) {
        depth += (name[at] === ')') - (name[at] === '(');
        if (depth === 0)
            return at;
    }
    return -1;
}

// Returns the name after a return type: after the last blank outside brackets.
function withoutReturnType(name) {
    let depth = 0;

    for (let at = name.length - 1; at >= 0; at--) {
        if (')>]}'.includes(name[at]) && !name.startsWith('->', at - 1))
            depth++;
        else if ('(<[{'.includes(name[at]) && depth > 0)
            depth--;
        else if (name[at] === ' ' && depth === 0 && !afterOperator(name.slice(0, at)))
            return name.slice(at + 1);
    }
    return name;
}

function withoutArguments(name) {
    const close = name.lastIndexOf(')');
    const open = close >= 0 && ENDING.test(name.slice(close + 1)) ? findOpen(name, close) : -1;
    const before = name.slice(0, Math.max(open, 0));
    const kept = before.replace(/ +$/, '');

    if (kept === '' || isOperatorWord(before))
        return name;
    const whole = kept === before ? withoutReturnType(kept) : kept;

    return whole.replace(/^[*&]+/, '') || kept;
}

// True if the angle bracket at `at` is part of an arrow or an operator's name.
function isOperator(name, at, before) {
    return name[at] === '<' ? name[at + 1] === '-' || afterOperator(before)
        : /[-=]$/.test(before) || afterOperator(before);
}

// Returns the offset of the bracket that closes the first character of `text`, or -1.
function findClose(text) {
    let depth = 0;

    for (let at = 0; at < text.length; at++) {
        if (!'<>'.includes(text[at]) || isOperator(text, at, text.slice(0, at)))
            continue;
        depth += text[at] === '<' ? 1 : -1;
        if (depth === 0)
            return at;
    }
    return -1;
}

// Rust's `<Type as Trait>::method` as `Type::method`.
function keepType(name) {
    const close = name[0] === '<' ? findClose(name) : -1;
    let depth = 0, end = 1;

    if (close < 0 || !name.startsWith('::', close + 1))
        return name;
    for (; end < close && (depth > 0 || close - end < 5 || !name.startsWith(' as ', end)); end++) {
        if (name[end] === '<')
            depth++;
        else if (name[end] === '>' && name[end - 1] !== '-' && depth > 0)
            depth--;
    }
    return name.slice(1, end) + name.slice(close + 1);
}

function isBalanced(name) {
    let depth = 0;

    for (let at = 0; at < name.length && depth >= 0; at++)
        if ('<>'.includes(name[at]) && !isOperator(name, at, name.slice(0, at)))
            depth += name[at] === '<' ? 1 : -1;
    return depth === 0;
}

function withoutTemplates(name) {
    let kept = '';

    if (!isBalanced(name))
        return name;
    name = keepType(name);
    for (let at = 0; at < name.length; at++) {
        // Brackets at the start of a name or before a path are part of it: <module>, Foo.<init>.
        const opens = name[at] === '<' && /[^.]$/.test(kept) && !isOperator(name, at, kept);
        const close = opens ? findClose(name.slice(at)) : -1;

        if (close < 0 || name.startsWith(':/', close + at + 1)) {
            kept += name[at];
        } else {
            kept = kept.replace(/(?<=.)::$/s, '');
            at += close;
        }
    }
    return kept;
}

// Separators of a scope and a name. Compilers' suffixes and file endings are no names, nor is the
// rest of a truncated thread name, ForkJoinPool.co.
const SEPARATOR = new RegExp('(?:::|[/!`]|\\.(?!(?:isra|constprop|part|cold|lto_priv|llvm|clone|' +
    'so|dll|exe|ko|py|m?js|ts|rb|php|pl|lua|go|c|cc|cpp|h|rs|java|jar|wasm|dylib|node|[a-z]{2}$)' +
    '(?![\\w\\x80-\\uffff])))(?=[A-Za-z_\\x80-\\uffff~$({[<+*@-])', 'y');

function separator(name, at) {
    SEPARATOR.lastIndex = at;
    return SEPARATOR.test(name) ? SEPARATOR.lastIndex - at : 0;
}

// A function followed by the path of its file, as Python's py::loads:/lib/decoder.py; not C:/.
const FILE = /^([^ /]{2,}?|[\x80-\uffff]):\/(?!\/).*$/s;

// A type before a dotted name, as the JVM's void java.util.List.add.
const TYPED = new RegExp('^D+ (D+)$'.replace(/D/g, '(?:[\\w\\x80-\\uffff.$[\\]<>]|/(?=0x))'));

// Returns the name without its type, its file or its first scope; '' if it has none of these.
function withoutScope(name) {
    const [, typed] = TYPED.exec(name) || [];
    let depth = 0;

    if (typed && Array.from(typed).some((c, at) => separator(typed, at)))
        return typed;
    if (FILE.test(name))
        return name.replace(FILE, '$1');
    for (let at = 0; at < name.length; at++) {
        const c = name[at];

        if ('({['.includes(c) || (c === '<' && !afterOperator(name.slice(0, at))))
            depth++;
        else if (depth > 0 && ')}]>'.includes(c) && !name.startsWith('->', at - 1))
            depth--;
        if (depth > 0)
            continue;
        if (c === ' ')
            return ''; // a sentence is no path
        const length = separator(name, at);

        if (length > 0)
            return name.slice(at + length);
    }
    return '';
}

// Yields shorter and shorter forms of a name that a person would still recognise.
function* shorterNames(name) {
    yield name;
    name = withoutArguments(name);
    yield name;
    for (name = withoutTemplates(name); name !== ''; name = withoutScope(name))
        yield name;
}

// ---- text that fits ----------------------------------------------------------------------------

export const fontSize = parseFloat(svg.getAttribute('font-size'));

const canvas = document.createElementNS(XHTML, 'canvas').getContext('2d');
let segmenter = null; // created when a label is first cut, because loading its data is slow

// Loads the fonts of the file. They take precedence over the reader's fonts.
export async function readFonts() {
    const files = await Promise.all([...svg.querySelectorAll('[data-flame="font"]')]
        .map(part => inflate(part.textContent.trim())));
    const loads = files.map(async file => {
        const family = `flamepress-${document.fonts.size}`;
        const face = new FontFace(family, file);

        document.fonts.add(face);
        await face.load();
        return `${family},`;
    });
    const families = (await Promise.allSettled(loads)).map(one => one.value || '').join('');

    svg.setAttribute('font-family', families + svg.getAttribute('font-family'));
    canvas.font = `${fontSize}px ${svg.getAttribute('font-family')}`;
    canvas.textRendering = 'geometricPrecision';
}

export function width(text) {
    return canvas.measureText(text).width;
}

function characters(text) {
    if (!segmenter && typeof Intl.Segmenter === 'function')
        segmenter = new Intl.Segmenter();
    return segmenter ? Array.from(segmenter.segment(text), s => s.segment) : Array.from(text);
}

// Returns as much of the beginning, or of the end, as fits with an ellipsis.
export function cut(name, room) {
    const tail = graph.label === 'tail';
    const most = 4 * Math.ceil(room);
    const parts = characters(tail ? name.slice(-most) : name.slice(0, most));
    const keep = count => tail ? '…' + parts.slice(parts.length - count).join('').trimStart()
        : parts.slice(0, count).join('').trimEnd() + '…';
    let low = 0, high = parts.length;

    while (low < high) {
        const middle = (low + high + 1) >> 1;

        if (width(keep(middle)) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low < 2 ? '' : keep(low);
}

function fitted(name, room) {
    const smart = graph.label === 'smart' && name.length <= 1 << 14;
    let shortest = name;

    for (const text of smart ? shorterNames(name) : [name]) {
        if (width(text) <= room && (text.length > 1 || text === name))
            return text;
        shortest = text;
    }
    return cut(shortest, room);
}

// Returns the label of a box; '' if it would be too short to read.
export function fit(name, room) {
    const label = room < Math.floor(fontSize) || graph.label === 'none' ? '' : fitted(name, room);

    return label.includes('…') && Array.from(label).length < 4 ? '' : label;
}

function light(color, at) {
    const c = parseInt(color.slice(at, at + 2), 16) / 255;

    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function luminance(color) {
    return 0.2126 * light(color, 1) + 0.7152 * light(color, 3) + 0.0722 * light(color, 5);
}

// Returns the range of the channels, from 0 for grey to 1 for strong colours.
function strength(color) {
    const channels = [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));

    return Math.min((Math.max(...channels) - Math.min(...channels)) / 102, 1);
}

// Returns the same hue for dark ground, like color_dark() of src/raster/color.c.
const twins = new Map();

function darken(color) {
    if (!twins.has(color)) {
        const from = luminance(color);
        const to = 0.045 + (0.015 + 0.105 * strength(color)) * from;
        const twin = [1, 3, 5].map(at => {
            const c = from > 0 ? light(color, at) * to / from : to;
            const s = c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055;

            return Math.round(Math.min(s, 1) * 255).toString(16).padStart(2, '0');
        });

        twins.set(color, '#' + twin.join(''));
    }
    return twins.get(color);
}

// Returns a shape's fill, and its `color`, which is the style sheet's fill on dark ground.
export function groundColors(color) {
    if (graph.ground)
        return {fill: graph.ground === 'dark' ? darken(color) : color};
    return {fill: color, color: darken(color)};
}

// Black where its contrast is at least 4.5 to 1, else white.
export function ink(color) {
    return (luminance(color) + 0.05) / 0.05 >= 4.5 ? '#000000' : '#ffffff';
}
