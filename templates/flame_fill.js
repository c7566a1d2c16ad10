// The colours of frames; those of differential graphs are as in src/layout/diverge.h and
// src/tree/evidence.h.

import {SEPARATOR_CLASS, data, element, graph} from './flame_graph.js';
import {change, isFunction} from './flame_change.js';
import {tintOf} from './flame_tint.js';
import {ink} from './flame_label.js';

const NO_CLASS = '#d0d4d9';

function isOfTotal(tree) {
    return change.ofTotal || tree.isCallers;
}

function channel(color, at) {
    return parseInt(color.slice(at, at + 2), 16);
}

function between([pale, full], share) {
    const mixed = [1, 3, 5].map(at => {
        const from = channel(pale, at), to = channel(full, at);

        return from === to ? from : Math.trunc(from * (1 - share) + to * share);
    });

    return '#' + mixed.map(value => value.toString(16).padStart(2, '0')).join('');
}

// Maps a ratio to a change of at most `change.most`; the average to no change.
function ratioChange(part, cycles) {
    const [stalled, flowing, middle] = change.counters.ends;

    if (!cycles || cycles < change.counters.least)
        return 0n;
    const from = Number(part) / Number(cycles) - middle;
    const low = stalled - middle, high = flowing - middle;
    const place = low !== 0 && from / low > 0 ? -Math.min(from / low, 1)
        : high !== 0 && from / high > 0 ? Math.min(from / high, 1) : 0;

    return BigInt(change.counters.sign * Math.trunc(place * change.most));
}

function changeOf(tree, node) {
    if (change.counters)
        return change.ofTotal ? ratioChange(tree.baseOf(node), tree.totalOf(node))
            : ratioChange(tree.selfOf(node, tree.before), tree.selfOf(node));
    return isOfTotal(tree) ? BigInt(tree.totalOf(node)) - BigInt(tree.baseOf(node))
        : BigInt(tree.selfOf(node)) - BigInt(tree.selfOf(node, tree.before));
}

// Returns how far samples support a change, from 0 to 1 (src/tree/evidence.h).
function support(now, base) {
    if (!change.sample || now === base)
        return 1;
    const error = Math.sqrt(Number(now) * change.sample[0] + Number(base) * change.sample[1]);
    const share = (Math.abs(Number(now) - Number(base)) / error - 2) / (4 - 2);

    return Math.min(Math.max(share, 0), 1);
}

// Returns how far a change is supported: by a finding if findings are known, else by samples.
function supportOf(tree, node) {
    if (change.findings)
        return change.findings.has(data.names[tree.symbol[node]]) ? 1 : 0;
    return isOfTotal(tree) ? support(tree.totalOf(node), tree.baseOf(node))
        : support(tree.selfOf(node), tree.selfOf(node, tree.before));
}

function changeFill(tree, node) {
    const symbol = tree.symbol[node], size = Number(changeOf(tree, node));

    if (data.classes[symbol] === SEPARATOR_CLASS)
        return data.names[symbol] === '--' ? '#a0a0a0' : '#c8c8c8';
    if (node && !isFunction(symbol, data.names))
        return NO_CLASS;
    if (!size)
        return '#ffffff';
    return between(size > 0 ? change.more : change.less,
        Math.min(Math.abs(size), change.most) / change.most * supportOf(tree, node));
}

// Draws the hatching of a box that changed, if the graph has hatching.
export function drawHatch(group, tree, node, x, width, ground) {
    const symbol = tree.symbol[node], size = change.hatch ? changeOf(tree, node) : 0n;

    if (!size || data.classes[symbol] === SEPARATOR_CLASS || (node && !isFunction(symbol, data.names)))
        return;
    element('rect', {
        class: 'hatch', x, width, height: graph.row - 1,
        fill: `url(#flame-${size > 0n ? 'more' : 'less'}${ink(ground) === '#ffffff' ? '-light' : ''})`,
    }, group);
}

export function fillOf(tree, node) {
    const {colors, fills} = data.colors, tint = tintOf(data.names[tree.symbol[node]]);

    if (tint)
        return tint;
    if (change)
        return changeFill(tree, node);
    if (graph.bySelf)
        return selfFill(tree, node);
    return colors[fills[tree.symbol[node] - 1]] || (node ? NO_CLASS : graph.rootFill);
}

// The colour of a frame's self share, like palette_self() of src/layout/palette.c.
function selfFill(tree, node) {
    const symbol = tree.symbol[node], rest = 1 - Number(tree.selfOf(node)) / Number(tree.totalOf(node));

    if (data.classes[symbol] === SEPARATOR_CLASS)
        return data.names[symbol] === '--' ? '#a0a0a0' : '#c8c8c8';
    if (node && !isFunction(symbol, data.names))
        return NO_CLASS;
    return '#' + [[230, 20], [90, 150], [20, 205]].map(([base, span]) =>
        Math.trunc(base + span * rest).toString(16).padStart(2, '0')).join('');
}
