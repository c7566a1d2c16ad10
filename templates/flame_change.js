// Differential graphs: widths, the stacks that only one side has, colours and texts.
//
// Widths and these stacks are as in src/layout/change.h, colours as in src/layout/diverge.h
// and src/tree/evidence.h.

const change = graph.differential ? {
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

const NO_CLASS = '#d0d4d9';

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
function rootSymbol(names) {
    return names.length - (change ? 2 : 1);
}

// False for the root, the lane, and frames that were left out.
function isFunction(symbol, names) {
    return symbol !== LEFT_OUT && symbol < rootSymbol(names);
}

// ---- widths ------------------------------------------------------------------------------------

function widthOf(widthBy, now, before) {
    return widthBy === 'new' || widthBy === 'cycles' ? now : widthBy === 'base' ? before : now + before;
}

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
function withLane(tree, room, lane = laneOrNone(tree)) {
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
function withLanes(callees, callers) {
    const lanes = [callees, callers].map(laneOrNone);
    const [one, other] = lanes.map(lane => lane ? lane[0] : ZERO);
    const room = one < other ? other : one;
    const sides = {
        tree: withLane(callees, room, lanes[0]), callers: withLane(callers, room, lanes[1]),
    };

    sides.callers.isCallers = true;
    return sides;
}

function isOfTotal(tree) {
    return change.ofTotal || tree.isCallers;
}

// ---- colours -----------------------------------------------------------------------------------

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
function drawHatch(group, tree, node, x, width, ground) {
    const symbol = tree.symbol[node], size = change.hatch ? changeOf(tree, node) : 0n;

    if (!size || data.classes[symbol] === SEPARATOR_CLASS || (node && !isFunction(symbol, data.names)))
        return;
    element('rect', {
        class: 'hatch', x, width, height: graph.row - 1,
        fill: `url(#flame-${size > 0n ? 'more' : 'less'}${ink(ground) === '#ffffff' ? '-light' : ''})`,
    }, group);
}

// ---- texts, as src/output/picture_pair.c writes them -------------------------------------------

function shareOf(part, whole) {
    return !BigInt(whole) ? '0%' : BigInt(part) === BigInt(whole) ? '100%' : percent(part, whole);
}

function signed(size) {
    return (size > 0n ? '+' : size < 0n ? '-' : '') + weightText(size < 0n ? -size : size);
}

// Returns part / whole with two decimals.
function quotient(part, whole) {
    const hundredths = (BigInt(part) * 200n + BigInt(whole)) / (2n * BigInt(whole));

    return `${grouped(String(hundredths / 100n))}.${String(hundredths % 100n).padStart(2, '0')}`;
}

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
