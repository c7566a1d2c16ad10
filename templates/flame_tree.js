// Call trees, and how they are built. Nodes are in depth-first order.
//
// A chain is a run of nodes of which each is the only child of the one before, and of which only the
// last one may have a self weight. So all nodes of a chain have the same total, width and place, and
// these are kept by chain: a million stacks of 15 frames are 15 million nodes in 1.6 million chains.
//
// Work on a whole tree is a generator, which pauses often; inSlices() of flame_slices.js runs it.

import {LEFT_OUT, ZERO, data, graph, newWeights} from './flame_graph.js';
import {change, widthOf} from './flame_change.js';

export const SOME = 2 ** 13; // stacks between pauses

export const MANY = 2 ** 16; // chains between pauses: a few milliseconds

// Runs a generator to its end, and returns the result.
export function atOnce(steps) {
    let step;

    do
        step = steps.next();
    while (!step.done);
    return step.value;
}

// Returns an array for the symbols of nodes. Modules may double the number of names.
export const symbolArray = names => names < 2 ** 15 ? Uint16Array : Int32Array;

export class Tree {
    constructor(symbol, chains, widthBy) {
        this.count = symbol.length;
        this.chains = chains;
        this.symbol = symbol; // by node; all others by chain
        this.first = new Uint32Array(chains + 1); // the first node; after the last chain `count`
        this.above = new Uint32Array(chains); // the chain whose last node is the first node's parent
        this.depth = new Uint32Array(chains); // of the first node
        this.stop = new Uint32Array(chains); // the chain after the last descendant
        this.self = newWeights(chains);
        this.total = newWeights(chains);
        this.start = newWeights(chains); // left edge
        this.wide = this.total; // widths
        this.before = this.baseTotal = null; // self and total of the base: differential graphs only
        this.lead = null; // charts only: self weight of the parent right before the chain
        this.widthBy = widthBy;
        this.isCallers = false; // the callers of a function, of which the view is around
        this.cut = 0; // frames narrower than this may lack their children: flame_merge.js
        this.near = 0; // the chain that was asked for last
    }

    // Computes totals, widths and places from self weights.
    * finish() {
        yield* this.addUp(this.total, this.self);
        if (this.before) {
            this.baseTotal = yield* this.addUp(newWeights(this.chains), this.before);
            this.wide = this.total.map((now, i) => widthOf(this.widthBy, now, this.baseTotal[i]));
        }
        return yield* this.lay();
    }

    * addUp(total, self) {
        const {chains, above} = this;

        total.set(self);
        for (let i = chains - 1; i > 0; i--) {
            total[above[i]] += total[i];
            if (i % MANY === 0)
                yield;
        }
        return total;
    }

    // Computes ends and places from widths. `cursor` is the end of the children placed so far.
    * lay() {
        const {chains, above, wide, start, stop, lead} = this;
        const cursor = newWeights(chains);

        for (let i = chains - 1; i > 0; i--) {
            stop[i] = stop[i] || i + 1;
            stop[above[i]] = stop[above[i]] || stop[i]; // the last child comes first
            if (i % MANY === 0)
                yield;
        }
        stop[0] = chains;
        for (let i = 1; i < chains; i++) {
            const from = lead ? cursor[above[i]] + lead[i] : cursor[above[i]];

            start[i] = cursor[i] = from;
            cursor[above[i]] = from + wide[i];
            if (i % MANY === 0)
                yield;
        }
        return this;
    }

    chainOf(node) {
        const {first, near} = this;
        let low = 0, high = this.chains;

        if (node < first[near])
            high = near;
        else if (node < first[near + 1])
            return near;
        else
            low = near + 1;
        while (high - low > 1) {
            const middle = low + high >>> 1;

            if (first[middle] <= node)
                low = middle;
            else
                high = middle;
        }
        return this.near = low;
    }

    lastOf(chain) {
        return this.first[chain + 1] - 1;
    }

    parentOf(node) {
        const chain = this.chainOf(node);

        return node > this.first[chain] ? node - 1 : chain && this.lastOf(this.above[chain]);
    }

    depthOf(node) {
        const chain = this.chainOf(node);

        return this.depth[chain] + node - this.first[chain];
    }

    // Returns the node after the last descendant.
    endOf(node) {
        return this.first[this.stop[this.chainOf(node)]];
    }

    totalOf(node) {
        return this.total[this.chainOf(node)];
    }

    baseOf(node) {
        return this.baseTotal[this.chainOf(node)];
    }

    wideOf(node) {
        return this.wide[this.chainOf(node)];
    }

    startOf(node) {
        return this.start[this.chainOf(node)];
    }

    // Returns the self weight of a node, or that of the base.
    selfOf(node, list = this.self) {
        const chain = this.chainOf(node);

        return node === this.lastOf(chain) ? list[chain] : ZERO;
    }

    * children(node) {
        const chain = this.chainOf(node), {first, stop} = this;

        if (node < this.lastOf(chain))
            yield node + 1;
        else
            for (let child = chain + 1; child < stop[chain]; child = stop[child])
                yield first[child];
    }

    // Returns the path from the first frame below the root to the node.
    path(node) {
        const path = [];

        for (; node; node = this.parentOf(node))
            path.push(node);
        return path.reverse();
    }
}

// Builds a tree from nodes that are added depth first, siblings in their order. A run is what is
// added before a node with another parent than the last one, or after a weight; where runs branch,
// they are cut into chains.
export class Builder {
    constructor(symbol, Symbols, widthBy, room = 256) {
        this.widthBy = widthBy;
        this.count = this.runs = 1;
        this.symbol = new Symbols(room);
        this.ends = new Uint8Array(room); // by node: whether it ends a chain
        this.first = new Uint32Array(256); // the first node; from here on by run
        this.parent = new Uint32Array(256); // of the first node
        this.lead = newWeights(graph.chart ? 256 : 0);
        this.self = newWeights(256); // of the last node
        this.before = newWeights(change ? 256 : 0);
        this.symbol[0] = symbol;
        this.ends[0] = 1;
    }

    grow(...names) {
        for (const name of names) {
            const was = this[name];

            this[name] = new was.constructor(was.length * 2);
            this[name].set(was);
        }
    }

    // Adds a node below the last one or one of its ancestors.
    append(parent, symbol, lead = ZERO) {
        const node = this.count++;

        if (node === this.symbol.length)
            this.grow('symbol', 'ends');
        this.symbol[node] = symbol;
        if (parent !== node - 1 || lead || this.ends[parent]) {
            this.ends[parent] = this.ends[node - 1] = 1;
            if (this.runs === this.first.length)
                this.grow('first', 'parent', 'lead', 'self', 'before');
            this.first[this.runs] = node;
            this.parent[this.runs] = parent;
            if (lead)
                this.lead[this.runs] = lead;
            this.runs++;
        }
        return node;
    }

    // Adds self weights to the node that was appended last.
    add(now, before) {
        this.ends[this.count - 1] = 1;
        this.self[this.runs - 1] += now;
        if (before)
            this.before[this.runs - 1] += before;
    }

    // Returns the tree.
    * tree(differential) {
        const {count, runs, ends, first, parent} = this;
        let chains = 0, chain = 0;

        ends[count - 1] = 1;
        for (let i = 0; i < count; i++) {
            chains += ends[i];
            if (i % (16 * MANY) === 0)
                yield;
        }
        yield;
        const symbol = count < this.symbol.length ? this.symbol.slice(0, count) : this.symbol;
        const tree = new Tree(symbol, chains, this.widthBy);

        if (differential)
            tree.before = newWeights(chains);
        if (graph.chart)
            tree.lead = newWeights(chains);
        for (let run = 0; run < runs; run++) {
            const begin = chain, end = run + 1 < runs ? first[run + 1] : count;
            let above = Math.max(chain - 1, 0), node = first[run];

            while (tree.first[above] > parent[run])
                above = tree.above[above];
            for (; node < end; above = chain++) {
                tree.first[chain] = node;
                tree.above[chain] = above;
                tree.depth[chain] = chain && tree.depth[above] + tree.first[above + 1] - tree.first[above];
                node = ends.indexOf(1, node) + 1;
            }
            this.weigh(tree, run, begin, above);
            if (run % MANY === 0)
                yield;
        }
        tree.first[chains] = count;
        return yield* tree.finish();
    }

    // Gives a run's weights to its first chain and its last one.
    weigh(tree, run, begin, last) {
        tree.self[last] = this.self[run];
        if (tree.before)
            tree.before[last] = this.before[run];
        if (tree.lead)
            tree.lead[begin] = this.lead[run];
    }
}

// Returns a function that compares siblings: by weight where the graph is sorted by weight, else in
// the order of names.
export function siblingOrder(weight, symbol) {
    return (a, b) => {
        const one = graph.byWeight ? weight(a) : 0, other = graph.byWeight ? weight(b) : 0;

        return one < other ? 1 : one > other ? -1 : compareSymbols(symbol(a), symbol(b));
    };
}

// Functions are in the order of names, but modules follow them: addModules(). What was left out is
// the last of its siblings, as in the file.
export function compareSymbols(a, b) {
    const {names, functions} = data;

    if (a === LEFT_OUT || b === LEFT_OUT)
        return a === LEFT_OUT ? 1 : -1;
    return Math.max(a, b) < functions || names[a] === names[b] ? a - b : names[a] < names[b] ? -1 : 1;
}

// ---- search ------------------------------------------------------------------------------------

// Returns the first node from `node` to the end of its chain whose symbol is in `hits`, or -1.
export function hitIn(tree, chain, hits, node = tree.first[chain]) {
    const {symbol} = tree, end = tree.first[chain + 1];

    for (; node < end; node++)
        if (hits[symbol[node]])
            return node;
    return -1;
}

// Returns the weight of a node's stacks with a match; `hits` are by symbol.
export function matchedWeight(tree, hits, within) {
    const {total, stop} = tree, chain = tree.chainOf(within);
    let sum = ZERO;

    if (tree.path(within).some(node => hits[tree.symbol[node]]) || hitIn(tree, chain, hits, within + 1) >= 0)
        return total[chain];
    for (let i = chain + 1; i < stop[chain];) {
        const hit = hitIn(tree, i, hits) >= 0;

        if (hit)
            sum += total[i];
        i = hit ? stop[i] : i + 1;
    }
    return sum;
}

// ---- places: names of nodes that are valid in another drawing ----------------------------------

function hashName(name) {
    let a = 0xdeadbeef, b = 0x41c6ce57;

    for (let i = 0; i < name.length; i++) {
        const c = name.charCodeAt(i);

        a = Math.imul(a ^ c, 2654435761);
        b = Math.imul(b ^ c, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return [a >>> 0, b >>> 0];
}

// A place is a hash of the names from the root to a node (src/output/areas.c computes it likewise).
// In a chart, several nodes have the same names; after a dot is how many of them are before the node.
export class Paths {
    constructor(tree, names) {
        this.tree = tree;
        this.names = names;
        this.known = new Map();
    }

    symbol(symbol) {
        if (!this.known.has(symbol))
            this.known.set(symbol, hashName(this.names[symbol]));
        return this.known.get(symbol);
    }

    step([a, b], node) {
        const [c, d] = this.symbol(this.tree.symbol[node]);

        return [Math.imul(a ^ c, 2654435761) + 0x9e37 >>> 0,
            Math.imul(b ^ d, 1597334677) + (a >>> 16) >>> 0];
    }

    text([a, b]) {
        return a.toString(36).padStart(7, '0') + b.toString(36).padStart(7, '0');
    }

    of(node) {
        const text = this.text(this.tree.path(node).reduce((hash, frame) => this.step(hash, frame),
            [0, 0]));
        let before = 0;

        for (const other of graph.chart ? this.found(text) : []) {
            if (other === node)
                break;
            before++;
        }
        return before ? `${text}.${before}` : text;
    }

    find(text) {
        let [place, before = 0] = text.split('.');

        for (const node of this.found(place))
            if (before-- < 1)
                return node;
        return 0;
    }

    * found(text) {
        const [wantA, wantB] = [text.slice(0, 7), text.slice(7)].map(half => parseInt(half, 36));
        const {chains, first, depth, symbol} = this.tree, as = [0], bs = [0];

        for (let chain = 1; chain < chains; chain++) {
            let at = depth[chain] - 1;

            for (let node = first[chain]; node < first[chain + 1]; node++) {
                const [c, d] = this.symbol(symbol[node]);

                as[at + 1] = Math.imul(as[at] ^ c, 2654435761) + 0x9e37 >>> 0;
                bs[at + 1] = Math.imul(bs[at] ^ d, 1597334677) + (as[at] >>> 16) >>> 0;
                if (as[++at] === wantA && bs[at] === wantB)
                    yield node;
            }
        }
    }
}

// Follows symbols from the root, as far as the tree has them.
export function nodeOf(tree, symbols) {
    return symbols.reduce((node, symbol) =>
        [...tree.children(node)].find(child => tree.symbol[child] === symbol) || node, 0);
}

// Returns whether the stack that ends with a node has these symbols at its end, the last one first.
export function endsWith(tree, node, path) {
    for (const symbol of path) {
        if (!node || tree.symbol[node] !== symbol)
            return false;
        node = tree.parentOf(node);
    }
    return true;
}
