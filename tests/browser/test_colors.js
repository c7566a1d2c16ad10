// A function has one colour in all graphs of a palette: by default of a kind, with --colors of a
// report.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');

const SAMPLES = path.join(__dirname, '../../samples');
const BOX = /<g fill="(#[0-9a-f]{6})"|<title>(.*) \([^()]*\)<\/title><path /g; // colour of a group, box
let made = 0;

// Returns the colours of functions, {group: {name: Set of colours}}.
function colorsOf(groupOf, ...options) {
    const out = path.join(process.env.WORK, `colors-${++made}`);
    const groups = new Map();

    execFileSync(process.env.FLAMEPRESS, ['report', SAMPLES, '-o', out, '--quiet', ...options]);
    const {graphs} = JSON.parse(fs.readFileSync(`${out}/report.json`, 'utf8'));

    for (const graph of graphs.filter(one => !one.differential)) {
        const svg = fs.readFileSync(path.join(out, graph.files.svg), 'utf8');
        const group = groupOf(graph), names = groups.get(group) || new Map();

        let fill = null;

        for (const [, color, name] of svg.matchAll(BOX)) {
            fill = color || fill;
            if (name)
                names.set(name, (names.get(name) || new Set()).add(fill));
        }
        groups.set(group, names);
    }
    return groups;
}

function several(names) {
    return [...names].filter(([, colors]) => colors.size > 1).map(([name]) => name);
}

async function kinds() {
    const groups = colorsOf(graph => graph.kind);
    const [first, ...others] = groups.values();
    const shared = [...first].filter(([name]) => others.some(names => names.has(name)));

    assert.ok(groups.size >= 3 && first.size > 500, `${groups.size} kinds, ${first.size} names`);
    for (const [kind, names] of groups)
        assert.deepEqual(several(names), [], kind);
    assert.ok(shared.length > 20);
    assert.ok(shared.some(([name, colors]) => others.some(names =>
        names.has(name) && ![...names.get(name)].some(color => colors.has(color)))),
    'kinds differ at a glance');
}

async function palettes() {
    for (const palette of ['hot', 'red']) {
        const names = colorsOf(() => 'all', '--colors', palette).get('all');

        assert.ok(names.size > 1000);
        assert.deepEqual(several(names), [], palette);
    }
}

module.exports = [
    {name: 'a function has one colour in all graphs of a kind', body: kinds},
    {name: 'with --colors a function has one colour in the whole report', body: palettes},
];
