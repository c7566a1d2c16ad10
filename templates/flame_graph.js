// The graph that this script belongs to: its elements, and what the file says of it.
//
// The modules flame*.js become one script, which runs for each graph, so that a page may have
// several. A module imports only modules below it in the list of README.md.
//
// Weights are exact: numbers if the total fits a double, else BigInts.

export const svg = document.currentScript.closest('svg');

const SVG = 'http://www.w3.org/2000/svg';
export const XHTML = 'http://www.w3.org/1999/xhtml';
export const meta = svg.querySelector('[data-flame="data"]');
export const frames = svg.querySelector('.frames');
export const thin = svg.querySelector('.thin');
export const stage = frames.parentNode;
export const setting = name => meta.getAttribute(`data-${name}`);
export const number = name => Number(setting(name));
export const graph = {
    left: number('left'), span: number('span'), top: number('top'), rows: number('rows'),
    row: number('row'), pad: number('pad'), baseline: number('baseline'),
    pointable: number('pointable'), inverted: number('inverted') === 1,
    total: BigInt(setting('total')), places: number('places'),
    factor: number('factor'), seconds: number('seconds') === 1, bytes: setting('bytes') !== null,
    word: setting('word'), one: setting('word-of-one'),
    type: setting('type'), label: setting('label'), sourceUrl: setting('source-url'),
    labelPercent: setting('label-percent') !== null,
    byWeight: setting('sort') === 'weight',
    chart: setting('sort') === 'time',
    leftOut: BigInt(setting('left-out')),
    merge: setting('merge') || 'root', end: setting('data') || 'root',
    around: number('around'), below: number('below'),
    ground: setting('ground'), bySelf: setting('fills') === 'self',
    rootFill: setting('root'), view: setting('view') || '', differential: svg.classList.contains('differential'),
    whole: BigInt(setting('whole') || setting('total')),
};
export const whole = {total: graph.total, whole: graph.whole}; // without filters
export const exact = graph.total > BigInt(Number.MAX_SAFE_INTEGER) || setting('exact') !== null;
const weightOf = exact ? BigInt : Number;
export const ZERO = weightOf(0);

// Int32Array is fastest while the browser still interprets the script.
const isSmall = graph.total < 1n << 30n && !graph.differential;
const Weights = exact ? BigUint64Array : isSmall ? Int32Array : Float64Array;

export function newWeights(count) {
    return new Weights(count);
}

// Numbers of classes in src/profile/symbol.h; between SEPARATOR_CLASS and DEVICE_CLASS: processes,
// threads and files.
export const KERNEL_CLASS = 1;
export const INLINED_CLASS = 2;
export const JIT_CLASS = 3;
export const BASELINE_CLASS = 5;
export const WAKER_CLASS = 6;
export const SEPARATOR_CLASS = 9;
const DEVICE_CLASS = 12;

// Whether frames of a class are functions.
export function isCode(own) {
    return own < SEPARATOR_CLASS || own >= DEVICE_CLASS;
}

// Symbol 0 stands for frames that were left out; the one after all functions is the root's.
export const LEFT_OUT = 0;

export function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    if (parent)
        parent.append(made);
    return made;
}

// The graph may be a document of its own, or one of a column of graphs.
export const alone = document.documentElement === svg;
export const stack = svg.parentNode instanceof Element ? svg.parentNode.closest('.flamepress-stack') : null;
// The element that is the document; undefined for a graph in the markup of a page.
export const root = [svg, stack].find(one => one === document.documentElement);

// What readData() of flame_data.js returns: empty until the data is read.
export const data = {};
