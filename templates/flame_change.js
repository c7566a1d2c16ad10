// Differential graphs: what the file says of the change, and the widths, which are as in
// src/layout/change.h.

import {LEFT_OUT, graph, number, setting} from './flame_graph.js';

export const change = graph.differential ? {
    widthBy: setting('width-by'), ofTotal: setting('delta') === 'total',
    most: number('most-change'), sample: sampleWeights(), lane: setting('lane'),
    more: setting('more').split(' '), less: setting('less').split(' '),
    findings: setting('findings') !== null
        ? new Set(JSON.parse(setting('findings'))) : null,
    hatch: setting('hatch') !== null, counters: readCounters(),
} : null;

// Returns the weight of a sample of the new side and of the base, or null if not known.
function sampleWeights() {
    return setting('sample') !== null ? setting('sample').split(' ').map(Number) : null;
}

// Reads the counters of a graph of two, the ends of the range and its average (src/layout/ratio.h).
function readCounters() {
    const ends = ['stalled', 'flowing', 'average']
        .map(name => (setting(name) || '').split(' '));

    return setting('counters') !== null ? {
        stalls: setting('counters') === 'stalls',
        ends: ends.map(([part, cycles]) => Number(part) / Number(cycles)),
        average: setting('relative') !== null ? ends[2].map(BigInt) : null,
        least: Number(setting('least')),
        sign: setting('negate') === '1' ? -1 : 1, word: setting('other-word'),
        one: setting('other-word-of-one'),
    } : null;
}

// Returns the root's symbol, which follows the last function's. The lane's is the next.
export function rootSymbol(names) {
    return names.length - (change ? 2 : 1);
}

// False for the root, the lane, and frames that were left out.
export function isFunction(symbol, names) {
    return symbol !== LEFT_OUT && symbol < rootSymbol(names);
}

export function widthOf(widthBy, now, before) {
    return widthBy === 'new' || widthBy === 'cycles' ? now : widthBy === 'base' ? before : now + before;
}
