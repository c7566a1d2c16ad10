// Merges a tree from its leaves, around a function, or from what filters keep of it.
//
// A merge of many stacks takes seconds. It is a generator, which pauses often; inSlices() of
// flame_slices.js runs it in slices, so that the page answers meanwhile.

import {ZERO, data, graph, newWeights} from './flame_graph.js';
import {change, widthOf} from './flame_change.js';
import {Builder, MANY, SOME, endsWith, hitIn, siblingOrder} from './flame_tree.js';

const PAUSE = 2e4; // steps between pauses: a few milliseconds
const MOST_FRAMES = 4e6; // of all stacks: above, frames too thin to be seen are left out
export const THINNEST = 2 ** 14; // a frame is left out if it is thinner than this part of the view

// ---- from the leaves -----------------------------------------------------------------------------

// Stacks for leafFirst(). `entry` is the chain in which a stack ends, whose weight in `now` and `base`
// is the stack's; `cursor` is the next frame on the way to the root, in the chain `link`.
class Stacks {
    constructor(tree, entry, now, base) {
        this.tree = tree;
        this.entry = entry;
        this.count = entry.length;
        this.now = now;
        this.base = base;
        this.cursor = new Uint32Array(this.count);
        this.link = new Uint32Array(this.count);
        this.room = [0, 0, 0].map(() => new Uint32Array(this.count));
        this.sizes = new Int32Array(data.names.length);
        this.weights = newWeights(data.names.length);
    }

    begin(i, node, chain) {
        this.cursor[i] = node;
        this.link[i] = chain;
    }

    // Returns the width of a stack.
    wide(i) {
        const {now, base} = this, entry = this.entry[i];

        return base ? widthOf(change.widthBy, now[entry], base[entry]) : now[entry];
    }

    add(i, builder) {
        builder.add(this.now[this.entry[i]], this.base && this.base[this.entry[i]]);
    }

    // Groups the stacks lo to hi by the symbols of their next frames, each of which is passed; adds
    // those that have none to the last node. Returns the groups, {symbol, lo, hi, weight}, in order.
    split(lo, hi, builder) {
        const {tree: {symbol: symbols}, cursor, sizes, weights} = this, found = [];

        for (let i = lo; i < hi; i++) {
            const symbol = symbols[cursor[i]];

            if (!cursor[i]) {
                this.add(i, builder);
                continue;
            }
            if (!sizes[symbol]++)
                found.push(symbol);
            weights[symbol] += this.wide(i);
        }
        found.sort(siblingOrder(symbol => weights[symbol], symbol => symbol));
        let at = lo;
        const groups = found.map(symbol => {
            const group = {symbol, lo: at, hi: at + sizes[symbol], weight: weights[symbol]};

            sizes[symbol] = at;
            weights[symbol] = ZERO;
            at = group.hi;
            return group;
        });

        this.move(lo, hi, at);
        for (const {symbol} of groups)
            sizes[symbol] = 0;
        return groups;
    }

    // Puts the stacks of each group together; `sizes` has where each group begins.
    move(lo, hi, end) {
        const {tree, entry, cursor, link, room, sizes} = this;

        for (let i = lo; i < hi; i++) {
            if (!cursor[i])
                continue;
            const to = sizes[tree.symbol[cursor[i]]]++, begin = cursor[i] === tree.first[link[i]];
            const above = tree.above[link[i]];

            room[0][to] = entry[i];
            room[1][to] = begin ? tree.lastOf(above) : cursor[i] - 1;
            room[2][to] = begin ? above : link[i];
        }
        [entry, cursor, link].forEach((list, i) => list.set(room[i].subarray(lo, end), lo));
    }

    // Adds the callers of a single stack's frame.
    climb(at, builder, node) {
        const {symbol, first, above} = this.tree;
        let frame = this.cursor[at], chain = this.link[at];

        while (frame) {
            node = builder.append(node, symbol[frame]);
            if (frame-- === first[chain]) {
                chain = above[chain];
                frame = first[chain + 1] - 1;
            }
        }
        this.add(at, builder);
    }

    addAll(lo, hi, builder) {
        for (let i = lo; i < hi; i++)
            this.add(i, builder);
    }
}

// Merged from the leaves: the children of the root are the sampled functions, above them callers.
// Of very many stacks, frames without a visible width have no children; `path` has the symbols of a
// frame below which frames are as wide as if the view were zoomed to it.
export function* leafFirst(tree, path = []) {
    const {chains, first, depth, self, before} = tree, entry = new Uint32Array(chains);
    let count = 0, frames = 0;

    for (let i = 0; i < chains; i++)
        if (self[i] || (before && before[i]))
            entry[count++] = i;
    const stacks = new Stacks(tree, entry.slice(0, count), self, before);

    stacks.entry.forEach((chain, i) => {
        stacks.begin(i, tree.lastOf(chain), chain);
        frames += depth[chain] + first[chain + 1] - first[chain] - 1;
    });
    return yield* climbing(stacks, tree.symbol[0], path,
        frames > MOST_FRAMES ? Number(tree.wide[0]) / THINNEST : 0);
}

// Merges stacks in the order of their cursors, which go to the root.
function* climbing(stacks, root, path, cut) {
    const {tree} = stacks, builder = new Builder(root, tree.symbol.constructor, tree.widthBy);
    const waiting = [{lo: 0, hi: stacks.count, parent: -1, weight: tree.wide[0], known: 0, cut}];
    let steps = 0;

    while (waiting.length) {
        const {symbol, lo, hi, parent, weight, known, cut: least} = waiting.pop();
        const node = parent < 0 ? 0 : builder.append(parent, symbol);
        const onPath = known >= 0 && known < path.length;

        if ((steps += hi - lo + 8) > PAUSE)
            steps = 0, yield;
        if (!onPath && Number(weight) < least) {
            stacks.addAll(lo, hi, builder);
        } else if (hi - lo === 1 && !onPath) {
            stacks.climb(lo, builder, node);
        } else {
            for (const group of stacks.split(lo, hi, builder).reverse()) {
                const next = onPath && path[known] === group.symbol ? known + 1 : -1;

                waiting.push(Object.assign(group, {
                    parent: node, known: next,
                    cut: next === path.length ? Number(group.weight) / THINNEST * (cut && 1) : least,
                }));
            }
        }
    }
    const made = yield* builder.tree(tree.before !== null);

    made.cut = cut;
    return made;
}

// ---- from the root -------------------------------------------------------------------------------

const MET_FOCUS = 1, MET_IGNORE = 2, MET_START = 4, MET_END = 8;

// Returns by symbol what a frame of it means for its stack.
function meanings({focus, ignore, hide, show, 'show-from': from, 'prune-from': end}) {
    return Uint8Array.from(data.names, (name, i) => {
        const shown = !(hide && hide[i]) && (!show || show[i]);

        return (focus && focus[i] && MET_FOCUS) | (ignore && ignore[i] && MET_IGNORE) |
            (shown && from && from[i] ? MET_START : 0) | (shown && end && end[i] ? MET_END : 0);
    });
}

// Returns what is kept of a tree, by chain: the node `at` has the weights `gain`, and in differential
// graphs `base`; `live` is the width of what is kept; `reach` is the last node that is needed, 0 if
// none is; `begin` is the first node of a stack that is shown. `hits` are those of the filters by role
// (flame_filter.js). If `path` has symbols, stacks are kept whose last frames it has.
export function* kept(tree, hits, path = []) {
    const {chains, first, above, symbol, self, before} = tree, met = new Uint8Array(chains);
    const [at, reach, begin, ends] = [1, 1, hits['show-from'], hits['prune-from']]
        .map(needed => new Uint32Array(needed ? chains : 0));
    const gain = newWeights(chains), means = meanings(hits), some = means.some(meaning => meaning);
    const wanted = (hits.focus ? MET_FOCUS : 0) | (hits['show-from'] ? MET_START : 0);

    for (let i = 1; i < chains && some; i++) {
        met[i] = met[above[i]] & ~MET_END;
        if (begin.length)
            begin[i] = begin[above[i]];
        if (ends.length)
            ends[i] = ends[above[i]];
        for (let node = first[i]; node < first[i + 1]; node++) {
            const meaning = means[symbol[node]];

            if (begin.length && meaning & MET_START && !begin[i])
                begin[i] = node;
            if (meaning & MET_END && (!begin.length || begin[i]))
                ends[i] = node;
            met[i] |= meaning;
        }
        if (i % SOME === 0)
            yield;
    }
    for (let i = chains - 1; i >= 0; i--) {
        if ((self[i] || (before && before[i])) && (met[i] & wanted) === wanted && !(met[i] & MET_IGNORE) &&
            endsWith(tree, path.length ? tree.lastOf(i) : 0, path)) {
            const end = ends.length && ends[i] || first[i + 1] - 1, to = end >= first[i] ? i : tree.chainOf(end);

            gain[to] += self[i];
            at[to] = end;
            reach[to] = Math.max(reach[to], end);
        }
        if (i && reach[i])
            reach[above[i]] = first[above[i] + 1] - 1;
        if (i % MANY === 0)
            yield;
    }
    const live = before ? tree.wide : yield* tree.addUp(newWeights(chains), gain);

    return {tree, at, gain, base: before, live, reach, begin};
}

// Merges what is kept of the subtrees of nodes, so that no frame has two children of a symbol. Nodes
// wait in groups that become one node. A frame that `symbolOf` gives no symbol, -1, is left out, and so
// is one with the symbol of its caller if `joins` says so; its callees are its caller's.
class Merging {
    constructor(what, symbolOf, joins) {
        Object.assign(this, what, {symbolOf, joins});
        this.groups = [];
        this.weights = newWeights(data.names.length);
        this.found = [];
        this.steps = 0;
    }

    // Notes a callee of a frame whose symbol is `caller`; one that is left out is put into `left`.
    meet(node, chain, caller, left) {
        const symbol = node <= this.reach[chain] ? this.symbolOf(node, chain) : -2;

        if (symbol === -1 || (symbol === caller && this.joins(node))) {
            left.push(node);
        } else if (symbol >= 0) {
            if (!this.groups[symbol]) {
                this.groups[symbol] = [];
                this.found.push(symbol);
            }
            this.groups[symbol].push(node);
            this.weights[symbol] += this.live[chain];
            if (node > this.at[chain] && this.at[chain])
                this.weights[symbol] -= this.gain[chain];
        }
    }

    // Adds what a node has as self weight to the last node of the builder, which it became. Filters drop
    // stacks of which no frame is left: those of the nodes from `emptied` on.
    weigh(node, chain, builder, made) {
        if (node === this.at[chain] && (made || !(node >= this.emptied)))
            builder.add(this.gain[chain], this.base && this.base[chain]);
    }

    // Groups the callees of nodes, which are one node of the builder.
    * gather(nodes, builder, made) {
        const {tree} = this, caller = made ? builder.symbol[made] : -1;

        while (nodes.length) {
            const node = nodes.pop(), chain = tree.chainOf(node), end = tree.stop[chain];

            this.weigh(node, chain, builder, made);
            if (node < tree.lastOf(chain))
                this.meet(node + 1, chain, caller, nodes);
            else
                for (let child = chain + 1; child < end; child = tree.stop[child]) {
                    this.meet(tree.first[child], child, caller, nodes);
                    if (++this.steps % PAUSE === 0)
                        yield;
                }
            if (++this.steps % PAUSE === 0)
                yield;
        }
    }

    // Copies a chain from a node, and returns its last node and what became of it.
    follow(node, builder, made) {
        const chain = this.tree.chainOf(node), end = Math.min(this.tree.lastOf(chain), this.reach[chain]);

        for (; node < end; node++) {
            this.weigh(node, chain, builder, made);
            const symbol = this.symbolOf(node + 1, chain);

            if (symbol !== -1 && !(made && symbol === builder.symbol[made] && this.joins(node + 1)))
                made = builder.append(made, symbol);
        }
        return {node, made};
    }

    // Returns the groups in order, the last one first.
    take(parent) {
        const {groups, weights} = this;
        const taken = this.found.sort(siblingOrder(symbol => weights[symbol], symbol => symbol)).reverse()
            .map(symbol => ({symbol, nodes: groups[symbol], parent}));

        for (const symbol of this.found)
            weights[symbol] = ZERO, groups[symbol] = null;
        this.found = [];
        return taken;
    }
}

// Returns the tree of what is kept below nodes, whose symbol becomes the root's.
export function* merged(what, nodes, root, symbolOf = node => what.tree.symbol[node], joins = () => false) {
    const {symbol: {constructor}, widthBy, before} = what.tree;
    const builder = new Builder(root, constructor, widthBy);
    const work = new Merging(what, symbolOf, joins), waiting = [{symbol: root, nodes, parent: -1}];

    while (waiting.length) {
        const {symbol, nodes: group, parent} = waiting.pop();
        let made = parent < 0 ? 0 : builder.append(parent, symbol);

        if (group.length === 1)
            ({node: group[0], made} = work.follow(group[0], builder, made));
        yield* work.gather(group, builder, made);
        for (const next of work.take(made))
            waiting.push(next);
    }
    return yield* builder.tree(before !== null);
}

// Siblings by weight where the graph wants them so; the data has them by name.
export function* arranged(tree) {
    return graph.byWeight ? yield* merged(yield* kept(tree, {}), [0], tree.symbol[0]) : tree;
}

// ---- around a function ---------------------------------------------------------------------------

// Outermost calls of a function: the places whose weights do not contain each other.
function outermost(tree, symbol) {
    const places = [], hits = new Uint8Array(data.names.length);

    hits[symbol] = 1;
    for (let i = 1; i < tree.chains;) {
        const place = hitIn(tree, i, hits);

        if (place >= 0)
            places.push(place);
        i = place >= 0 ? tree.stop[i] : i + 1;
    }
    return places;
}

// What a function calls, merged over all places where it is called.
export function* calleesOf(tree, symbol) {
    return yield* merged(yield* kept(tree, {}), outermost(tree, symbol), symbol);
}

// Merges the callers of a function, nearest caller first. Weights are those of the calls.
export function* callersOf(tree, symbol) {
    const places = outermost(tree, symbol);
    const stacks = new Stacks(tree, Uint32Array.from(places, place => tree.chainOf(place)), tree.total,
        tree.baseTotal);

    places.forEach((place, i) => {
        const parent = tree.parentOf(place);

        stacks.begin(i, parent, tree.chainOf(parent));
    });
    return yield* climbing(stacks, symbol, [], 0);
}
