// The functions of the view, and its call tree, for the tables of the page around a graph.
//
// They follow zoom, search and filters: after a change of the view the graph sends the page new rows,
// whose nodes are those of the new view.

import {ZERO, data, graph, isCode, newWeights} from './flame_graph.js';
import {change, rootSymbol} from './flame_change.js';
import {requests, tellPage} from './flame_page.js';
import {percent, signed, visible, weightText} from './flame_text.js';
import {nameOf, search, view} from './flame_view.js';
import {atOnce, compareSymbols} from './flame_tree.js';
import {kept, merged} from './flame_merge.js';

const MOST_CALLEES = 100; // rows of a branch of the call tree
const listing = {wish: null, timer: 0, tree: null, from: 0};

// Sets the tree whose functions are listed, from its root or from the zoomed frame.
function listView() {
    const {merge, tree, zoom} = view, leafFirstFile = graph.end === 'leaf';

    listing.tree = merge === 'leaf' && !leafFirstFile ? data.tree : tree;
    listing.from = merge === 'leaf' ? 0 : zoom;
    if (merge === 'leaf' && zoom && !leafFirstFile)
        listing.tree = atOnce(merged(atOnce(kept(data.tree, {}, tree.path(zoom).map(node =>
            tree.symbol[node]))), [0], data.tree.symbol[0]));
}

// Returns self and total of each symbol below a node; of calls within each other, the outermost
// counts. Differential graphs also have those of the base.
function sumsBelow(tree, from) {
    const sums = {}, ends = new Uint32Array(data.names.length); // by symbol the node after a call
    const {symbol: symbols, first, stop, self, total, baseTotal: before} = tree;
    let chain = tree.chainOf(from), node = from;

    for (const name of ['self', 'total', 'before'])
        sums[name] = newWeights(data.names.length);
    for (const end = stop[chain]; chain < end; chain++) {
        for (; node < first[chain + 1]; node++) {
            const symbol = symbols[node];

            if (node < ends[symbol])
                continue;
            ends[symbol] = first[stop[chain]];
            sums.total[symbol] += total[chain];
            if (before)
                sums.before[symbol] += before[chain];
        }
        sums.self[symbols[node - 1]] += self[chain];
    }
    return sums;
}

// Returns the cells of a function or frame.
function cellsOf(symbol, self, total, before) {
    const {tree, from} = listing, all = from ? tree.totalOf(from) : graph.whole;

    return {
        name: visible(data.names[symbol]), self: weightText(self), selfShare: percent(self, all),
        total: weightText(total), totalShare: percent(total, all),
        change: change && !change.counters ? signed(BigInt(total) - BigInt(before)) : '',
    };
}

const ORDERS = {
    name: () => compareSymbols,
    self: ({self}) => (a, b) => self[a] < self[b] ? 1 : self[a] > self[b] ? -1 : a - b,
    total: ({total}) => (a, b) => total[a] < total[b] ? 1 : total[a] > total[b] ? -1 : a - b,
};

// Sends the page as many functions of the view as it wishes for, those that match if there is a
// search.
function tellFunctions() {
    const {sort, reversed, count} = listing.wish, {hits} = search.shown;

    listView();
    const {tree, from} = listing, sums = sumsBelow(tree, from), found = [];

    for (let symbol = 1; symbol < rootSymbol(data.names); symbol++)
        if ((sums.total[symbol] || sums.before[symbol]) && (!hits || hits[symbol]) &&
            isCode(data.classes[symbol]))
            found.push(symbol);
    found.sort(ORDERS[sort](sums));
    if (reversed)
        found.reverse();
    tellPage('functions', {
        count: found.length, within: view.zoom ? visible(nameOf({node: view.zoom})) : '',
        matching: hits !== null, filtered: view.filters.length > 0,
        rows: found.slice(0, count).map(symbol =>
            cellsOf(symbol, sums.self[symbol], sums.total[symbol], sums.before[symbol])),
    });
    tellCallees(-1);
}

// Sends the page the callees of a frame, heaviest first, or with -1 the frame at the top.
function tellCallees(node) {
    const {tree, from} = listing;
    const frames = node < 0 ? [from] : [...tree.children(node)]
        .sort((a, b) => tree.totalOf(a) < tree.totalOf(b) ? 1 : tree.totalOf(a) > tree.totalOf(b) ? -1 : a - b);

    tellPage('callees', {
        node, left: Math.max(frames.length - MOST_CALLEES, 0),
        rows: frames.slice(0, MOST_CALLEES).map(frame => ({
            node: frame, leaf: tree.endOf(frame) === frame + 1,
            found: search.shown.hits !== null && search.shown.hits[tree.symbol[frame]] === 1,
            ...cellsOf(tree.symbol[frame], tree.selfOf(frame), tree.totalOf(frame),
                tree.baseTotal ? tree.baseOf(frame) : ZERO),
        })),
    });
}

// Sends rows soon after a change of the view, once for several changes.
export function noteFunctions() {
    clearTimeout(listing.timer);
    if (listing.wish)
        listing.timer = setTimeout(tellFunctions, 30);
}

Object.assign(requests, {
    functions: ({sort, reversed, count}) => {
        listing.wish = count > 0 && {
            sort: Object.hasOwn(ORDERS, sort) ? sort : 'self', reversed: reversed === true,
            count: Math.min(Number(count), 5000),
        };
        noteFunctions();
    },
    callees: ({node}) => {
        if (listing.tree && node >= 0 && node < listing.tree.count)
            tellCallees(Number(node));
    },
});
