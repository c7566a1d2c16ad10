// The lane of a differential graph: a box at the right, which has the stacks that only one side has,
// as in src/layout/change.h.

import {ZERO, data, newWeights} from './flame_graph.js';
import {change} from './flame_change.js';
import {Builder, Tree, atOnce} from './flame_tree.js';
import {arranged} from './flame_merge.js';

// Returns by chain the weight of stacks that only one side has.
function laneOf(tree) {
    const {chains, above, wide} = tree, lane = newWeights(chains);

    for (let i = chains - 1; i >= 0; i--) {
        if (!wide[i])
            lane[i] = tree.total[i] + tree.baseTotal[i];
        if (i && wide[above[i]])
            lane[above[i]] += lane[i];
    }
    return lane;
}

// Returns a tree of the lane's stacks.
function laneTree(tree, lane) {
    const builder = new Builder(data.names.length - 1, tree.symbol.constructor, 'both');
    const {chains, first, above, wide} = tree, ends = new Uint32Array(chains);

    for (let i = 1; i < chains; i++) {
        if (!lane[i])
            continue;
        ends[i] = ends[above[i]];
        for (let node = first[i]; node < first[i + 1]; node++)
            ends[i] = builder.append(ends[i], tree.symbol[node]);
        if (!wide[i])
            builder.add(tree.self[i], tree.before[i]);
    }
    return atOnce(arranged(atOnce(builder.tree(true))));
}

// Copies chain `from` of a tree to chain `at`, whose first node has its place already.
function copyChain(to, at, tree, from, above) {
    const nodes = tree.symbol.subarray(tree.first[from], tree.first[from + 1]);

    to.symbol.set(nodes, to.first[at]);
    to.first[at + 1] = to.first[at] + nodes.length;
    to.above[at] = above;
    to.depth[at] = tree.depth[from];
    for (const list of ['self', 'before', 'total', 'baseTotal', 'wide'])
        to[list][at] = tree[list][from];
}

// Returns the lane of a tree, or null if the graph has none.
function laneOrNone(tree) {
    return change && !change.counters ? laneOf(tree) : null;
}

// Returns the tree to draw: frames without a width are moved to its lane, the last child of the
// root, which gets `room` for it.
export function withLane(tree, room, lane = laneOrNone(tree)) {
    const width = lane ? lane[0] : ZERO;

    if (!width && !room)
        return tree;
    const aside = width ? laneTree(tree, lane) : {count: 0, chains: 0};
    const main = [...tree.wide.keys()].filter(i => i === 0 || tree.wide[i]);
    const nodes = main.reduce((sum, i) => sum + tree.first[i + 1] - tree.first[i], aside.count);
    const made = new Tree(new tree.symbol.constructor(nodes), main.length + aside.chains, change.widthBy);
    const place = new Uint32Array(tree.chains);

    for (const list of ['before', 'baseTotal', 'wide'])
        made[list] = newWeights(made.chains);
    main.forEach((from, at) => {
        place[from] = at;
        copyChain(made, at, tree, from, place[tree.above[from]]);
    });
    for (let i = 0; i < aside.chains; i++) {
        copyChain(made, main.length + i, aside, i, i ? main.length + aside.above[i] : 0);
        made.depth[main.length + i]++;
    }
    made.wide[0] += room || width;
    atOnce(made.lay());
    for (let i = made.chains - 1; i >= main.length; i--) // past the self weight of the root
        made.start[i] += tree.wide[0] - made.start[main.length];
    return made;
}

// Returns callees and callers of a function to draw, with room for the wider of their lanes.
// Callers have the weight of the calls that come through them, and no self weight.
export function withLanes(callees, callers) {
    const lanes = [callees, callers].map(laneOrNone);
    const [one, other] = lanes.map(lane => lane ? lane[0] : ZERO);
    const room = one < other ? other : one;
    const sides = {
        tree: withLane(callees, room, lanes[0]), callers: withLane(callers, room, lanes[1]),
    };

    sides.callers.isCallers = true;
    return sides;
}
