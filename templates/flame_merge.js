// Merges a tree from its leaves, or around a function.
//
// A merge of many stacks takes seconds. It is a generator, which pauses often; inSlices() runs it
// in slices, so that the page answers meanwhile.

const PAUSE = 2e4; // steps between pauses: a few milliseconds
const MOST_FRAMES = 4e6; // of all stacks: above, frames too thin to be seen are left out
const THINNEST = 2 ** 14; // a frame is left out if it is thinner than this part of the view

// The stacks of a tree for leafFirst(): `entry` is where a stack ends, `cursor` its next frame on the
// way to the root.
class Stacks {
    constructor(tree) {
        const {count, self, before} = tree;

        this.tree = tree;
        this.frames = 0;
        this.entry = new Int32Array(count);
        this.count = 0;
        for (let i = 0; i < count; i++)
            if (self[i] || (before && before[i])) {
                this.entry[this.count++] = i;
                this.frames += tree.depth[i];
            }
        this.entry = this.entry.slice(0, this.count);
        this.cursor = this.entry.slice();
        this.room = [new Int32Array(this.count), new Int32Array(this.count)];
        this.sizes = new Int32Array(data.names.length);
        this.weights = newWeights(data.names.length);
    }

    // Returns the width of a stack.
    wide(i) {
        const {self, before} = this.tree, entry = this.entry[i];

        return before ? widthOf(change.widthBy, self[entry], before[entry]) : self[entry];
    }

    // Groups the stacks lo to hi by the symbols of their next frames, each of which is passed; adds
    // those that have none to the node. Returns the groups, {symbol, lo, hi, weight}, in order.
    split(lo, hi, builder, node) {
        const {tree, entry, cursor, room, sizes, weights} = this, found = [];

        for (let i = lo; i < hi; i++) {
            const symbol = tree.symbol[cursor[i]];

            if (!cursor[i]) {
                builder.add(node, tree, entry[i]);
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

        for (let i = lo; i < hi; i++)
            if (cursor[i]) {
                const to = sizes[tree.symbol[cursor[i]]]++;

                room[0][to] = entry[i];
                room[1][to] = tree.parent[cursor[i]];
            }
        entry.set(room[0].subarray(lo, at), lo);
        cursor.set(room[1].subarray(lo, at), lo);
        for (const {symbol} of groups)
            sizes[symbol] = 0;
        return groups;
    }

    // Adds the callers of a single stack's frame.
    climb(at, builder, node) {
        const {tree, entry, cursor} = this;

        for (let frame = cursor[at]; frame; frame = tree.parent[frame])
            node = builder.append(node, tree.symbol[frame]);
        builder.add(node, tree, entry[at]);
    }

    addAll(lo, hi, builder, node) {
        for (let i = lo; i < hi; i++)
            builder.add(node, this.tree, this.entry[i]);
    }
}

// Merged from the leaves: the children of the root are the sampled functions, above them callers.
// Of very many stacks, frames without a visible width have no children; `path` has the symbols of a
// frame below which frames are as wide as if the view were zoomed to it.
function* leafFirst(tree, path = []) {
    const stacks = new Stacks(tree), builder = new Builder(tree.symbol[0]);
    const cut = stacks.frames > MOST_FRAMES ? Number(tree.wide[0]) / THINNEST : 0;
    const waiting = [{lo: 0, hi: stacks.count, parent: -1, weight: tree.wide[0], known: 0, cut}];
    let steps = 0;

    while (waiting.length) {
        const {symbol, lo, hi, parent, weight, known, cut: least} = waiting.pop();
        const node = parent < 0 ? 0 : builder.append(parent, symbol);
        const onPath = known >= 0 && known < path.length;

        if ((steps += hi - lo + 8) > PAUSE)
            steps = 0, yield;
        if (!onPath && Number(weight) < least) {
            stacks.addAll(lo, hi, builder, node);
        } else if (hi - lo === 1 && !onPath) {
            stacks.climb(lo, builder, node);
        } else {
            for (const group of stacks.split(lo, hi, builder, node).reverse()) {
                const next = onPath && path[known] === group.symbol ? known + 1 : -1;

                waiting.push(Object.assign(group, {
                    parent: node, known: next,
                    cut: next === path.length ? Number(group.weight) / THINNEST * (cut && 1) : least,
                }));
            }
        }
    }
    const made = yield* builder.inOrder(tree.before !== null);

    made.cut = cut;
    return made;
}

// Outermost calls of a function: the places whose weights do not contain each other.
function outermost(tree, symbol) {
    const places = [];

    for (let i = 1; i < tree.count;) {
        if (tree.symbol[i] === symbol) {
            places.push(i);
            i = tree.end[i];
        } else {
            i++;
        }
    }
    return places;
}

// What a function calls, merged over all places where it is called.
function* calleesOf(tree, symbol) {
    const builder = new Builder(symbol);
    let steps = 0;

    for (const place of outermost(tree, symbol)) {
        const node = new Int32Array(tree.end[place] - place);

        for (let i = place; i < tree.end[place]; i++) {
            if (i > place)
                node[i - place] = builder.child(node[tree.parent[i] - place], tree.symbol[i]);
            builder.add(node[i - place], tree, i);
            if (++steps % PAUSE === 0)
                yield;
        }
    }
    return builder.tree(tree.before !== null);
}

// Merges the callers of a function, nearest caller first. Weights are those of the calls.
function* callersOf(tree, symbol) {
    const builder = new Builder(symbol);
    let steps = 0;

    for (const place of outermost(tree, symbol)) {
        let node = 0;

        for (let frame = tree.parent[place]; frame; frame = tree.parent[frame])
            node = builder.child(node, tree.symbol[frame]);
        builder.self[node] += tree.total[place];
        if (tree.before)
            builder.before[node] += tree.baseTotal[place];
        if ((steps += tree.depth[place]) > PAUSE)
            steps = 0, yield;
    }
    return builder.tree(tree.before !== null);
}

// ---- views in slices -----------------------------------------------------------------------------

const SLICE = 40; // milliseconds
const MOST_KNOWN = 4; // views that are kept

const merging = {timer: 0, known: new Map()}; // trees by merge and symbol

// Shows that work goes on in slices (`timer` is the next one's), or with 0 that it has ended.
function showWork(timer) {
    const changed = !timer !== !merging.timer;

    merging.timer = timer;
    if (!changed)
        return;
    stage.setAttribute('aria-busy', String(timer > 0));
    showDetails('');
}

// Runs a merge or other work in slices, the first one at once, then calls `done` with the result.
// Work that is running is dropped.
function inSlices(steps, done) {
    const run = () => {
        const end = performance.now() + SLICE;
        let step;

        do
            step = steps.next();
        while (!step.done && performance.now() < end);
        showWork(step.done ? 0 : setTimeout(run));
        if (step.done)
            done(step.value);
    };

    clearTimeout(merging.timer);
    run();
}

// Makes the trees of a view: {tree, callers}.
function* mergeTrees(merge, symbol) {
    const around = merge === 'around', end = around ? 'root' : merge;
    const from = end === graph.end ? data.tree : yield* leafFirst(data.tree);

    if (around)
        return withLanes(yield* calleesOf(from, symbol), yield* callersOf(from, symbol));
    return {tree: from === data.tree ? data.drawn : withLane(from), callers: null};
}

// Calls `done` with the trees of a view, which are kept: at once if they are known or quickly made.
function whenMerged(merge, symbol, done) {
    const {known} = merging, key = `${merge} ${symbol}`;

    if (merge === graph.end || known.has(key)) {
        clearTimeout(merging.timer);
        showWork(0);
        done(known.get(key) || {tree: data.drawn, callers: null});
        return;
    }
    inSlices(mergeTrees(merge, symbol), trees => {
        if (known.size >= MOST_KNOWN)
            known.delete(known.keys().next().value);
        known.set(key, trees);
        done(trees);
    });
}

// Follows symbols from the root, as far as the tree has them.
function nodeOf(tree, symbols) {
    return symbols.reduce((node, symbol) =>
        [...tree.children(node)].find(child => tree.symbol[child] === symbol) || node, 0);
}

// Merges again if the zoomed frame has children that are too thin for the whole view.
function refine() {
    const {tree, zoom} = view, path = tree.path(zoom).map(node => tree.symbol[node]);

    if (!zoom || !tree.cut || change || tree.refined === zoom ||
        Number(tree.wide[zoom]) >= tree.cut * THINNEST / 4)
        return;
    inSlices(leafFirst(data.tree, path), made => {
        view.tree = made;
        view.zoom = made.refined = nodeOf(made, path);
        keyboard.place = {node: view.zoom};
        updateMatches();
        redraw();
        showMatched();
        placeRing();
    });
}
