// Call trees, and the trees that are made from them. Nodes are in depth-first order.
//
// Trees may have millions of nodes. Work on all of them is a generator, which pauses often;
// inSlices() of flame_merge.js runs it.

const MANY = 2 ** 18; // nodes between pauses: a few milliseconds

// Runs a generator to its end, and returns the result.
function atOnce(steps) {
    let step;

    do
        step = steps.next();
    while (!step.done);
    return step.value;
}

class Tree {
    constructor(count, widthBy) {
        this.count = count;
        this.symbol = new Int32Array(count);
        this.parent = new Int32Array(count);
        this.depth = new Int32Array(count);
        this.end = new Int32Array(count); // the node after the last descendant
        this.self = newWeights(count);
        this.total = newWeights(count);
        this.start = newWeights(count); // left edge
        this.wide = this.total; // widths
        this.before = this.baseTotal = null; // self and total of the base: differential graphs only
        this.lead = null; // charts only: self weight of the parent right before a node
        this.widthBy = widthBy;
        this.isCallers = false; // the callers of a function, of which the view is around
        this.cut = 0; // frames narrower than this may lack their children: flame_merge.js
    }

    // Computes totals, widths and places from self weights.
    * finish() {
        const {count, total} = this;

        yield* this.addUp(total, this.self);
        if (this.before) {
            this.baseTotal = yield* this.addUp(newWeights(count), this.before);
            this.wide = total.map((now, i) => widthOf(this.widthBy, now, this.baseTotal[i]));
        }
        return yield* this.lay();
    }

    * addUp(total, self) {
        const {count, parent} = this;

        total.set(self);
        for (let i = count - 1; i > 0; i--) {
            total[parent[i]] += total[i];
            if (i % MANY === 0)
                yield;
        }
        return total;
    }

    // Computes ends and places from widths. `cursor` is the end of the children placed so far.
    * lay() {
        const {count, parent, wide, start, end, lead} = this;
        const cursor = newWeights(count);

        for (let i = count - 1; i > 0; i--) {
            end[i] = end[i] || i + 1;
            end[parent[i]] = end[parent[i]] || end[i]; // the last child comes first
            if (i % MANY === 0)
                yield;
        }
        end[0] = count;
        for (let i = 1; i < count; i++) {
            const above = parent[i], at = lead ? cursor[above] + lead[i] : cursor[above];

            start[i] = cursor[i] = at;
            cursor[above] = at + wide[i];
            if (i % MANY === 0)
                yield;
        }
        return this;
    }

    * children(node) {
        for (let child = node + 1; child < this.end[node]; child = this.end[child])
            yield child;
    }

    // Returns the path from the first frame below the root to the node.
    path(node) {
        const path = [];

        for (; node; node = this.parent[node])
            path.push(node);
        return path.reverse();
    }
}

// Builds a tree. Nodes are in any order after their parents. A table of slots finds a child by its
// parent and symbol; a Map would be slow, and has a largest size.
class Builder {
    constructor(symbol, widthBy = change && change.widthBy, room = 256) {
        this.widthBy = widthBy;
        this.count = 1;
        this.symbol = new Int32Array(room);
        this.parent = new Int32Array(room);
        this.self = newWeights(room);
        this.before = newWeights(change ? room : 0);
        // 0 is free: the root is nobody's child
        this.slots = new Int32Array(2 ** Math.ceil(Math.log2(room * 2 + 2)));
        this.symbol[0] = symbol;
        this.parent[0] = -1;
    }

    slotOf(parent, symbol) {
        const {slots} = this, mask = slots.length - 1;
        let slot = Math.imul(parent, 0x9e3779b1) + Math.imul(symbol, 0x85ebca6b);

        for (slot = (slot ^ slot >>> 15) & mask; slots[slot]; slot = slot + 1 & mask)
            if (this.parent[slots[slot]] === parent && this.symbol[slots[slot]] === symbol)
                break;
        return slot;
    }

    child(parent, symbol) {
        const slot = this.slotOf(parent, symbol), known = this.slots[slot];

        if (known)
            return known;
        const node = this.slots[slot] = this.append(parent, symbol);

        if (this.count * 2 > this.slots.length) {
            this.slots = new Int32Array(this.slots.length * 4);
            for (let i = 1; i < this.count; i++)
                this.slots[this.slotOf(this.parent[i], this.symbol[i])] = i;
        }
        return node;
    }

    // Adds a node that child() does not find.
    append(parent, symbol) {
        const node = this.count++;

        if (node === this.symbol.length)
            for (const name of ['symbol', 'parent', 'self', 'before']) {
                const was = this[name];

                this[name] = new was.constructor(was.length * 2);
                this[name].set(was);
            }
        this.parent[node] = parent;
        this.symbol[node] = symbol;
        return node;
    }

    add(node, tree, from) {
        this.self[node] += tree.self[from];
        if (tree.before)
            this.before[node] += tree.before[from];
    }

    widths() {
        const {count, parent} = this;
        const wide = this.self.slice(0, count);

        if (change)
            for (let i = 0; i < count; i++)
                wide[i] = widthOf(this.widthBy, wide[i], this.before[i]);
        for (let i = count - 1; i > 0; i--)
            wide[parent[i]] += wide[i];
        return wide;
    }

    // Returns the tree, depth first, siblings in the order of names or by weight.
    tree(differential) {
        return atOnce(this.making(differential));
    }

    * making(differential) {
        const {count, parent, symbol} = this, wide = this.widths();
        const from = new Int32Array(count + 1), lists = new Int32Array(count);

        yield;
        for (let i = 1; i < count; i++)
            from[parent[i] + 1]++;
        for (let i = 0; i < count; i++)
            from[i + 1] += from[i];
        yield;
        const next = from.slice();

        for (let i = 1; i < count; i++) {
            lists[next[parent[i]]++] = i;
            if (i % MANY === 0)
                yield;
        }
        const compare = siblingOrder(node => wide[node], node => symbol[node]);

        for (let i = 0; i < count; i++) {
            let at = from[i] + 1;

            // Nodes were mostly added in order.
            while (at < from[i + 1] && compare(lists[at - 1], lists[at]) < 0)
                at++;
            if (at < from[i + 1])
                lists.subarray(from[i], from[i + 1]).sort(compare);
            if (i % MANY === 0)
                yield;
        }
        return yield* this.lay(from, lists, differential);
    }

    // Lays out nodes: the children of i are lists[from[i]] to lists[from[i + 1] - 1].
    * lay(from, lists, differential) {
        const {count} = this, tree = new Tree(count, this.widthBy);
        const waiting = new Int32Array(count), place = new Int32Array(count);

        if (differential)
            tree.before = newWeights(count);
        for (let at = 0, left = 1; left; at++) {
            const node = waiting[--left];

            place[node] = at;
            tree.parent[at] = at ? place[this.parent[node]] : 0;
            tree.depth[at] = at ? tree.depth[tree.parent[at]] + 1 : 0;
            tree.symbol[at] = this.symbol[node];
            tree.self[at] = this.self[node];
            if (differential)
                tree.before[at] = this.before[node];
            for (let i = from[node + 1] - 1; i >= from[node]; i--)
                waiting[left++] = lists[i];
            if (at % MANY === 0)
                yield;
        }
        return yield* tree.finish();
    }

    // Returns the tree if its nodes were added depth first, siblings in their order.
    * inOrder(differential) {
        const {count} = this, tree = new Tree(count, this.widthBy);

        for (const name of differential ? ['symbol', 'parent', 'self', 'before']
            : ['symbol', 'parent', 'self'])
            tree[name] = this[name].slice(0, count);
        tree.parent[0] = 0;
        for (let i = 1; i < count; i++)
            tree.depth[i] = tree.depth[tree.parent[i]] + 1;
        return yield* tree.finish();
    }
}

// Returns a function that compares siblings: by weight where the graph is sorted by weight, else in
// the order of names.
function siblingOrder(weight, symbol) {
    return (a, b) => {
        const one = graph.byWeight ? weight(a) : 0, other = graph.byWeight ? weight(b) : 0;

        return one < other ? 1 : one > other ? -1 : compareSymbols(symbol(a), symbol(b));
    };
}

// Functions are in the order of names, but modules follow them: addModules().
function compareSymbols(a, b) {
    const {names, functions} = data;

    return Math.max(a, b) < functions || names[a] === names[b] ? a - b : names[a] < names[b] ? -1 : 1;
}

// Siblings by weight where the graph wants them so; the data has them by name.
function* arranged(tree) {
    if (!graph.byWeight)
        return tree;
    const builder = new Builder(tree.symbol[0]);

    // Nodes keep their numbers until the builder makes the tree.
    builder.add(0, tree, 0);
    for (let i = 1; i < tree.count; i++) {
        builder.add(builder.append(tree.parent[i], tree.symbol[i]), tree, i);
        if (i % MANY === 0)
            yield;
    }
    return yield* builder.making(tree.before !== null);
}

// ---- search ------------------------------------------------------------------------------------

// Returns the nodes whose symbols match, by symbol.
function findMatches(tree, hits) {
    const {count, symbol} = tree, matched = new Uint8Array(count);

    for (let i = 0; i < count; i++)
        matched[i] = hits[symbol[i]];
    return matched;
}

function matchedWeight(tree, matched, within) {
    let sum = ZERO;

    for (let up = within; up; up = tree.parent[up])
        if (matched[up])
            return tree.total[within];
    for (let i = within + 1; i < tree.end[within];) {
        if (matched[i]) {
            sum += tree.total[i];
            i = tree.end[i];
        } else {
            i++;
        }
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
class Paths {
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
        return this.text(this.tree.path(node).reduce((hash, frame) => this.step(hash, frame),
            [0, 0]));
    }

    find(text) {
        const [a, b] = [text.slice(0, 7), text.slice(7)].map(half => parseInt(half, 36));
        const {count, depth} = this.tree, hashes = [[0, 0]];

        for (let i = 1; i < count; i++) {
            const hash = hashes[depth[i]] = this.step(hashes[depth[i] - 1], i);

            if (hash[0] === a && hash[1] === b)
                return i;
        }
        return 0;
    }
}
