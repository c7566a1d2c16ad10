// Call trees, and the trees that are made from them. Nodes are in depth-first order.

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
    }

    // Computes totals, widths and places from self weights.
    finish() {
        const {count, total} = this;

        this.addUp(total, this.self);
        if (this.before) {
            this.baseTotal = this.addUp(newWeights(count), this.before);
            this.wide = total.map((now, i) => widthOf(this.widthBy, now, this.baseTotal[i]));
        }
        return this.lay();
    }

    addUp(total, self) {
        const {count, parent} = this;

        total.set(self);
        for (let i = count - 1; i > 0; i--)
            total[parent[i]] += total[i];
        return total;
    }

    // Computes ends and places from widths. `cursor` is the end of the children placed so far.
    lay() {
        const {count, parent, wide, start, end, lead} = this;
        const cursor = newWeights(count);

        for (let i = count - 1; i > 0; i--) {
            end[i] = end[i] || i + 1;
            end[parent[i]] = end[parent[i]] || end[i]; // the last child comes first
        }
        end[0] = count;
        for (let i = 1; i < count; i++) {
            const above = parent[i], at = lead ? cursor[above] + lead[i] : cursor[above];

            start[i] = cursor[i] = at;
            cursor[above] = at + wide[i];
        }
        return this;
    }

    * children(node) {
        for (let child = node + 1; child < this.end[node]; child = this.end[child])
            yield child;
    }

    isAncestor(node, of) {
        return node <= of && this.end[node] >= this.end[of];
    }

    // Returns the path from the first frame below the root to the node.
    path(node) {
        const path = [];

        for (; node; node = this.parent[node])
            path.push(node);
        return path.reverse();
    }
}

// Builds a tree. Nodes are in any order after their parents.
class Builder {
    constructor(symbol, widthBy = change && change.widthBy) {
        this.widthBy = widthBy;
        this.symbol = [symbol];
        this.parent = [-1];
        this.self = [ZERO];
        this.before = [ZERO];
        this.index = new Map();
    }

    child(parent, symbol) {
        const key = parent * 2 ** 26 + symbol;
        let node = this.index.get(key);

        if (node === undefined) {
            node = this.symbol.push(symbol) - 1;
            this.parent.push(parent);
            this.self.push(ZERO);
            this.before.push(ZERO);
            this.index.set(key, node);
        }
        return node;
    }

    add(node, tree, from) {
        this.self[node] += tree.self[from];
        if (tree.before)
            this.before[node] += tree.before[from];
    }

    // Returns the tree, depth first, siblings in the order of names or by weight.
    tree(differential) {
        const count = this.symbol.length;
        const wide = this.self.map((self, i) => change
            ? widthOf(this.widthBy, self, this.before[i]) : self);
        const order = Array.from({length: count - 1}, (_, i) => i + 1);
        const lists = new Map();

        for (let i = count - 1; i > 0; i--)
            wide[this.parent[i]] += wide[i];
        order.sort((a, b) => graph.byWeight && wide[a] !== wide[b]
            ? (wide[a] < wide[b] ? 1 : -1) : this.symbol[a] - this.symbol[b]);
        for (const node of order.reverse()) {
            const list = lists.get(this.parent[node]);

            if (list)
                list.push(node);
            else
                lists.set(this.parent[node], [node]);
        }
        return this.lay(count, lists, differential);
    }

    lay(count, lists, differential) {
        const tree = new Tree(count, this.widthBy);
        const waiting = [0], above = [0], depths = [0];
        let at = 0;

        if (differential)
            tree.before = newWeights(count);
        for (; waiting.length; at++) {
            const node = waiting.pop();

            tree.parent[at] = above.pop();
            tree.depth[at] = depths.pop();
            tree.symbol[at] = this.symbol[node];
            tree.self[at] = this.self[node];
            if (differential)
                tree.before[at] = this.before[node];
            for (const child of lists.get(node) || []) {
                waiting.push(child);
                above.push(at);
                depths.push(tree.depth[at] + 1);
            }
        }
        return tree.finish();
    }
}

// Siblings by weight where the graph wants them so; the data has them by name.
function arranged(tree) {
    if (!graph.byWeight)
        return tree;
    const builder = new Builder(tree.symbol[0]);
    const node = [0];

    builder.add(0, tree, 0);
    for (let i = 1; i < tree.count; i++) {
        node[i] = builder.child(node[tree.parent[i]], tree.symbol[i]);
        builder.add(node[i], tree, i);
    }
    return builder.tree(tree.before !== null);
}

// Merged from the leaves: the children of the root are the sampled functions, above them callers.
function leafFirst(tree) {
    const builder = new Builder(tree.symbol[0]);

    for (let i = 0; i < tree.count; i++) {
        let node = 0;

        if (!tree.self[i] && !(tree.before && tree.before[i]))
            continue;
        for (let frame = i; frame; frame = tree.parent[frame])
            node = builder.child(node, tree.symbol[frame]);
        builder.add(node, tree, i);
    }
    return builder.tree(tree.before !== null);
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
function calleesOf(tree, symbol) {
    const builder = new Builder(symbol);

    for (const place of outermost(tree, symbol)) {
        const node = new Map([[place, 0]]);

        for (let i = place; i < tree.end[place]; i++) {
            if (i > place)
                node.set(i, builder.child(node.get(tree.parent[i]), tree.symbol[i]));
            builder.add(node.get(i), tree, i);
        }
    }
    return builder.tree(tree.before !== null);
}

// Merges the callers of a function, nearest caller first. Weights are those of the calls.
function callersOf(tree, symbol) {
    const builder = new Builder(symbol);

    for (const place of outermost(tree, symbol)) {
        let node = 0;

        for (let frame = tree.parent[place]; frame; frame = tree.parent[frame])
            node = builder.child(node, tree.symbol[frame]);
        builder.self[node] += tree.total[place];
        if (tree.before)
            builder.before[node] += tree.baseTotal[place];
    }
    return builder.tree(tree.before !== null);
}

// ---- search ------------------------------------------------------------------------------------

// Returns the nodes whose symbols match, by symbol.
function findMatches(tree, hits) {
    return Uint8Array.from(tree.symbol, symbol => hits[symbol]);
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
        const hashes = [[0, 0]];

        for (let i = 1; i < this.tree.count; i++) {
            hashes[this.tree.depth[i]] = this.step(hashes[this.tree.depth[i] - 1], i);
            if (this.text(hashes[this.tree.depth[i]]) === text)
                return i;
        }
        return 0;
    }
}
