// The weight of a frame in its title and in the details, of differential graphs with the change, as
// src/output/picture_pair.c writes them.

import {data, graph} from './flame_graph.js';
import {change} from './flame_change.js';
import {percent, quotient, shareOf, signed, weightText} from './flame_text.js';

function ratioText(part, cycles) {
    const average = change.counters.average;

    if (cycles && average)
        return average[0] ? `${quotient(BigInt(part) * average[1], BigInt(cycles) * average[0])} × average`
            : '-';
    return !cycles ? 'no cycles' : change.counters.stalls ? `${percent(part, cycles)} stalled`
        : `IPC ${quotient(part, cycles)}`;
}

function countersText(tree, node) {
    const cycles = tree.totalOf(node), part = tree.baseOf(node);

    return `(${weightText(cycles)}, ${shareOf(cycles, graph.whole)}; ` +
        `${weightText(part, change.counters.word, change.counters.one)}; ${ratioText(part, cycles)}, ` +
        `self ${ratioText(tree.selfOf(node, tree.before), tree.selfOf(node))})`;
}

function changeText(tree, node) {
    if (change.counters)
        return countersText(tree, node);
    const base = tree.baseOf(node), now = tree.totalOf(node);
    const self = BigInt(tree.selfOf(node)) - BigInt(tree.selfOf(node, tree.before));

    return `(base ${weightText(base)}, ${shareOf(base, data.tree.baseTotal[0])}; ` +
        `new ${weightText(now)}, ${shareOf(now, graph.whole)}; ` +
        `change ${signed(BigInt(now) - BigInt(base))}` +
        `${tree.isCallers ? '' : `, self ${signed(self)}`})`;
}

// Returns a node's weight as in the titles of the file: "(272,959 samples, 78.34%)".
export function shareText(tree, node) {
    if (change)
        return changeText(tree, node);
    return `(${weightText(tree.totalOf(node))}, ${shareOf(tree.totalOf(node), graph.whole)})`;
}
