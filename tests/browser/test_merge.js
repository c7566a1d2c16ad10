// Merged from the leaves: the same stacks as one by one, of very many stacks what can be seen, and
// the page answers meanwhile.
'use strict';

const assert = require('assert').strict;
const {draw, scriptPart, ask, press, clickBox} = require('./graph.js');
const {until} = require('./report.js');

const tests = [];
const test = (name, body) => tests.push({name, body, size: {width: 1200, height: 900}});

// Returns the functions of the parts, for a graph of `names` names.
function load(names, byWeight, mostFrames) {
    const tree = scriptPart('flame_tree.js').replace(/SOME = [^;]*;/, 'SOME = 9;');
    const merge = scriptPart('flame_merge.js').replace(/MOST_FRAMES = \S+;/,
        `MOST_FRAMES = ${mostFrames};`);
    const script = `const change = null, ZERO = 0, LEFT_OUT = 0, graph = {byWeight: ${byWeight}};
        const data = {names: Array(${names})}, newWeights = n => new Float64Array(n);
        ${tree} ${merge} ${scriptPart('flame_functions.js')
    .replace(/Object.assign\(requests[^]*/, '')}
        return {Builder, leafFirst, nodeOf, THINNEST, kept, merged, sumsBelow, matchedWeight};`;

    return new Function(script)();
}

function last(steps) {
    for (let step = steps.next(); ; step = steps.next())
        if (step.done)
            return step.value;
}

// Numbers that look random and are the same in each run.
function* random(seed) {
    for (let state = seed; ; yield state >>> 8)
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
}

// Returns stacks as [symbols, weight], some of them within others.
function someStacks(seed, names) {
    const numbers = random(seed), next = most => numbers.next().value % most;

    return Array.from({length: 400}, () => [
        Array.from({length: 1 + next(9)}, () => 1 + next(names)), 1 + next(50) ** 2]);
}

// Returns the tree of stacks, whose frames are merged one by one in nested maps.
function treeOf(parts, stacks, reverse, byWeight) {
    const made = () => ({self: 0, total: 0, callees: new Map()}), root = made();

    for (const [symbols, weight] of stacks) {
        let at = root;

        at.total += weight;
        for (const symbol of reverse ? [...symbols].reverse() : symbols) {
            if (!at.callees.has(symbol))
                at.callees.set(symbol, made());
            at = at.callees.get(symbol);
            at.total += weight;
        }
        at.self += weight;
    }
    const builder = new parts.Builder(99, Uint16Array, null);
    const add = (at, node) => {
        if (at.self)
            builder.add(at.self);
        for (const [symbol, callee] of [...at.callees].sort(([a, one], [b, other]) =>
            byWeight && other.total - one.total || a - b))
            add(callee, builder.append(node, symbol));
    };

    add(root, 0);
    return last(builder.tree(false));
}

// Lists the facts of each node.
const columns = tree => ['parentOf', 'depthOf', 'endOf', 'selfOf', 'totalOf', 'startOf']
    .map(name => [...tree.symbol.keys()].map(node => tree[name](node))).concat([[...tree.symbol]]);

// Returns what of the nodes a plain tree says, computed from symbols and depths only.
function plainColumns(tree) {
    const nodes = [...tree.symbol.keys()], depths = nodes.map(node => tree.path(node).length);
    const parents = nodes.map(node => depths.lastIndexOf(depths[node] - 1, node));
    const ends = nodes.map(node => {
        const end = depths.findIndex((depth, i) => i > node && depth <= depths[node]);

        return end < 0 ? nodes.length : end;
    });
    const selves = nodes.map(node => tree.selfOf(node));
    const totals = nodes.map(node => selves.slice(node, ends[node]).reduce((sum, self) => sum + self, 0));
    const starts = nodes.map(() => 0), cursor = nodes.map(() => 0);

    for (const node of nodes.slice(1)) {
        starts[node] = cursor[node] = cursor[parents[node]];
        cursor[parents[node]] += totals[node];
    }
    return [parents.with(0, 0), depths, ends, selves, totals, starts, [...tree.symbol]];
}

test('chains say of each node what its depth and self weight imply', async () => {
    for (const seed of [1, 2, 3]) {
        const parts = load(100, false, 4e6), tree = treeOf(parts, someStacks(seed, 5), false, false);

        assert.ok(tree.chains < tree.count);
        assert.deepEqual(columns(tree), plainColumns(tree));
    }
});

test('sums and matches below a node are those of its stacks', async () => {
    const parts = load(100, false, 4e6), stacks = someStacks(5, 5);
    const tree = treeOf(parts, stacks, false, false), hits = new Uint8Array(100);

    hits[2] = 1;
    for (const node of [0, 1, 2, 7, 60, 200, tree.count - 1]) {
        const path = tree.path(node).map(one => tree.symbol[one]);
        const through = stacks.filter(([symbols]) => path.every((symbol, i) => symbol === symbols[i]));
        const sum = some => some.reduce((all, [, weight]) => all + weight, 0);
        const below = symbols => symbols.slice(Math.max(path.length - 1, 0));
        const sums = parts.sumsBelow(tree, node);

        assert.equal(parts.matchedWeight(tree, hits, node), sum(through.filter(([symbols]) => symbols.includes(2))));
        for (const symbol of [1, 2, 3, 4, 5]) {
            assert.equal(sums.total[symbol], sum(through.filter(([symbols]) => below(symbols).includes(symbol))));
            assert.equal(sums.self[symbol], sum(through.filter(([symbols]) =>
                below(symbols).length && symbols[symbols.length - 1] === symbol)));
        }
    }
});

for (const byWeight of [false, true])
    test(`merged from the leaves is each stack reversed, by ${byWeight ? 'weight' : 'name'}`,
        async () => {
            for (const seed of [1, 2, 3]) {
                const parts = load(100, byWeight, 4e6), stacks = someStacks(seed, 5);
                const made = last(parts.leafFirst(treeOf(parts, stacks, false, byWeight)));

                assert.equal(made.cut, 0);
                assert.deepEqual(columns(made), columns(treeOf(parts, stacks, true, byWeight)));
            }
        });

test('of very many stacks, frames that can be seen are merged, below a zoom all that can', async () => {
    const parts = load(100, true, 0), stacks = someStacks(4, 4);

    stacks.push([[1, 2, 3], 3e7]);
    const tree = treeOf(parts, stacks, false, true), whole = treeOf(parts, stacks, true, true);
    const made = last(parts.leafFirst(tree));
    const places = (one, least) => [...one.symbol.keys()].filter(i => one.totalOf(i) >= least).map(i =>
        `${one.path(i).map(node => one.symbol[node])} ${one.totalOf(i)} ${one.startOf(i)}`);

    assert.ok(made.cut > 0 && made.count < whole.count, `${made.count} of ${whole.count}`);
    assert.equal(made.total[0], whole.total[0]);
    assert.deepEqual(places(made, made.cut), places(whole, made.cut));
    const path = [2, 1], fine = last(parts.leafFirst(tree, path));
    const [at, all] = [parts.nodeOf(fine, path), parts.nodeOf(whole, path)];

    assert.ok(fine.totalOf(at) < made.cut * 100 && fine.count > made.count);
    assert.deepEqual([fine.totalOf(at), fine.endOf(at) - at], [whole.totalOf(all), whole.endOf(all) - all]);
});

test('what follows a long slice of work has a slice of its own', async () => {
    const later = [];
    let now = 0;
    const inSlices = new Function('performance', 'setTimeout', 'clearTimeout', 'stage', 'showDetails',
        `const view = {}; ${scriptPart('flame_slices.js')} return inSlices;`)(
        {now: () => now}, run => later.push(run), () => {}, {setAttribute() {}}, () => {});
    const slices = (...times) => {
        const seen = [];

        function* work() {
            for (const time of times) {
                now += time;
                yield;
            }
            return 'made';
        }
        inSlices(work(), made => seen.push(made));
        for (seen.push('first'); later.length; seen.push('next'))
            later.pop()();
        return seen.join(' ');
    };

    assert.equal(slices(5, 5), 'made first');
    assert.equal(slices(15, 15), 'first made next');
    assert.equal(slices(30, 30, 5), 'first made next');
    assert.equal(slices(30, 30, 30), 'first next made next');
});

test('a sign of work makes the browser style no frame', async page => {
    const signs = 20;
    const styled = async () => (await page.send('Performance.getMetrics')).metrics
        .find(({name}) => name === 'RecalcStyleCount').value;

    await page.open(draw('main;read 5\nmain;write 4\n'));
    await page.send('Performance.enable');
    const before = await styled();

    await page.value(`for (let i = 0; i < ${signs}; i++) {
            document.querySelector('.stage').setAttribute('aria-busy', i % 2 === 0);
            document.querySelector('.stage').getBoundingClientRect();
        }`);
    // The browser also styles when the page settles: a few times, whatever the number of signs.
    assert.ok(await styled() - before < signs / 2);
});

// 70,000 stacks of 64 frames: more than are merged at once.
const MANY = Array.from({length: 70000}, (_, i) => {
    const frames = Array.from({length: 60}, (__, j) => `f${(i >> j % 17) % 7}_${j % 5}`);

    return `main;${frames.join(';')};s${i % 251};t${i % 9};u${i % 3} ${1 + i % 5}`;
}).join('\n') + '\n';

// Notes each begin ("true Working…") and end ("false") of work.
const SIGNS = `window.signs = []; new MutationObserver(() => signs.push(
    document.querySelector('.stage').getAttribute('aria-busy') + ' ' +
    document.querySelector('.details').textContent + (document.querySelector('.details').textContent &&
        !document.querySelector('.facts').classList.contains('hidden') ? ' over facts' : ''))).observe(
    document.querySelector('.stage'), {attributeFilter: ['aria-busy']})`;
const idle = 'document.querySelector(".stage").getAttribute("aria-busy") !== "true"';

test('a filter of many stacks is done in slices, with a sign of work', async page => {
    const file = draw(MANY, '--svg-max-size=90M', '--title=');

    await page.open(file);
    const facts = await ask(page, 'text(".facts")');

    await page.value(SIGNS);
    await page.value('location.hash = "#ignore=%5Eu0%24&hide=%5Ef._3%24"');
    await until(page, `signs.length >= 2 && ${idle}`);
    assert.equal(await page.value('signs[0]'), 'true Working…');
    assert.match(await ask(page, 'text(".facts")'), / · 33\.33% left out by filters/);
    assert.ok(!await ask(page, 'box("u0")') && await ask(page, 'box("main")'));
    await page.value('history.back()');
    await until(page, `document.querySelector('.facts').textContent === ${JSON.stringify(facts)}`);
    assert.equal(await page.value('location.hash'), '');
});

test('a merge of many stacks is done in slices, with a sign of work, once', async page => {
    await page.open(draw(MANY, '--svg-max-size=90M', '--title='));
    await page.value(SIGNS);

    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    await until(page, `signs.length >= 2 && ${idle}`);
    assert.equal(await page.value('signs[0]'), 'true Working…');
    assert.match(await ask(page, 'text(".facts")'), /merged from the leaves/);
    assert.match(await ask(page, 'box("u0").querySelector("title").textContent'), /, 33\.33%\)$/);
    await clickBox(page, 't1');
    await until(page, idle);
    const zoomed = await page.value('decodeURIComponent(location.hash)');

    assert.match(zoomed, /merge=leaf&zoom=/);
    await page.value('document.querySelector(".stage").focus()');
    await page.key('/');
    await page.type('^s(10|20)$');
    await until(page, '/ of this/.test(document.querySelector(".matched").textContent)');
    const [, some] = /Matched: ([\d.]+)% of this/.exec(await ask(page, 'text(".matched")'));

    assert.ok(Number(some) > 0.5 && Number(some) < 1.1, some);
    await press(page, 'View').catch(() => 0);
    await page.key('Escape');
    await page.key('Escape');
    const before = await page.value('signs.length');

    await page.key('Escape');
    await press(page, 'View');
    await press(page, 'Merged from the root');
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    assert.match(await ask(page, 'text(".facts")'), /merged from the leaves/);
    assert.equal(await page.value('signs.length'), before, 'kept');
});

module.exports = tests;
