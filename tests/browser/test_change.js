// Differential graphs: the script draws the same boxes as the file has, the lane included.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const path = require('path');
const {draw, ask, press, clickBox, hoverBox} = require('./graph.js');
const {report, openReport, until} = require('./report.js');

const tests = [];
const size = {width: 1200, height: 900};
const test = (name, body) => tests.push({name, body, size});
const STACKS = 'a 2 3\na;b 10 30\na;c 60 20\na;c;old 7 0\na;c;old;deep_[k] 5 0\na;fresh 0 12\n' +
    'z;-;w 4 0\nz;v 1 3\nx;y 0 3\nx 0 0\n';
const boxes = `shown().map(g => {
    const r = g.querySelector('rect, path'), {x, y, width, height} = r.getBoundingClientRect();
    return [g.querySelector('title').textContent, x, y, width, height,
        getComputedStyle(r).fill, g.querySelector('.hatch')?.getAttribute('fill')].join(' ');
}).sort()`;

test('the tooltip tells base, new and change', async page => {
    await page.open(draw('a;b 10 30\na;c 60 20\na;thin 1 0.02\n'));
    await hoverBox(page, 'b');
    assert.equal(await ask(page, 'text(".details")'), 'Function: b (base 10 samples, 14.08%; ' +
        'new 30 samples, 59.98%; change +20 samples, self +20 samples)');
});

test('the script draws the boxes that the file has, in every way of drawing', async page => {
    for (const width of ['new', 'base', 'both'])
        for (const more of [[], ['--delta', 'total'], ['--normalize', '--sort', 'weight'],
            ['--negate', '--hatch'], ['--hatch', '--delta', 'total']]) {
            const options = ['--width-by', width, ...more];

            await page.open(draw(STACKS, '--inverted', ...options));
            const wanted = await ask(page, boxes);

            await page.open(draw(STACKS, ...options));
            await press(page, 'View');
            await press(page, 'Root at the top');
            assert.equal(await ask(page, 'hidden(".frames")'), true);
            assert.deepEqual(await ask(page, boxes), wanted, options.join(' '));
        }
});

const AROUND = 'main;a;f;x 10 4\nmain;b;f;y 20 40\nmain;c 5 5\nmain;g;f 3 0\nmain;h;f;z 0 9\n' +
    'main;a;f;old;older 6 0\nmain;g;f;f;y 1 2\nf 2 1\n';

test('around a function, the script draws the boxes that the file has', async page => {
    for (const width of ['new', 'base', 'both'])
        for (const more of [[], ['--delta', 'total', '--hatch'], ['--negate', '--sort', 'weight']]) {
            const options = ['--width-by', width, ...more], around = [...options, '--around', 'f'];
            const places = `${boxes}.map(box => box.replace(/ #[0-9a-f]{6}|url\\S+/g, ''))`;

            await page.open(draw(AROUND, '--inverted', ...around));
            const wanted = await ask(page, boxes), placed = await ask(page, places);

            await page.open(draw(AROUND, ...around));
            await press(page, 'View');
            await press(page, 'Root at the top');
            assert.equal(await ask(page, 'hidden(".frames")'), true);
            assert.deepEqual(await ask(page, boxes), wanted, options.join(' '));
            await press(page, 'View');
            await press(page, 'Merged from the root');
            const root = await ask(page, boxes);

            await page.open(draw(AROUND, '--inverted', ...options));
            assert.deepEqual(await ask(page, places),
                root.map(box => box.replace(/ #[0-9a-f]{6}|url\S+/g, '')), options.join(' '));
            await page.open(draw(AROUND, '--inverted', ...options) + '#around=f');
            assert.deepEqual(await ask(page, places), placed, options.join(' '));
        }
});

test('only findings have a strong colour, in the file and when the script draws', async page => {
    const weeks = path.join(__dirname, '../golden/report-baseline/in');
    const runs = {};

    for (const file of fs.readdirSync(path.join(weeks, 'w2')))
        runs[file] = fs.readFileSync(path.join(weeks, 'w2', file), 'utf8')
            .replace(/until: .*/, 'until: 2999-12-31');
    const page_file = report(runs, '--baseline', path.join(weeks, 'w1'));
    const fills = `Object.fromEntries(shown().map(g => {
        const title = g.querySelector('title').textContent;
        return [title, getComputedStyle(g.querySelector('rect, path')).fill];
    }))`;

    await page.open(path.join(path.dirname(page_file), 'graphs/shop@change.svg'));
    const before = await ask(page, fills);
    await press(page, 'View');
    await press(page, 'Root at the top');
    const after = await ask(page, fills);
    const fill = name => Object.entries(after).find(([title]) => title.startsWith(name))[1];

    assert.deepEqual(after, before);
    assert.notEqual(fill('slugger'), fill('all'));
});

test('two counters: the script has the colours and the texts of the file', async page => {
    const event = (name, weight, ...frames) => `app 1 [000] 1.5: ${weight} ${name}: \n` +
        frames.map(frame => `\t401000 ${frame} (/usr/bin/app)\n`).join('') + '\n';
    const file = path.join(process.env.WORK, 'counters.perf');
    const perf = path.relative(path.join(__dirname, '../../samples'), file);

    fs.writeFileSync(file, event('cycles', 3000, 'parse', 'main') +
        event('cycles', 1800, 'copy', 'main') + event('cycles', 50, 'main') +
        event('instructions', 1500, 'parse', 'main') + event('instructions', 7000, 'copy', 'main'));
    for (const options of [[], ['--delta', 'total', '--negate']]) {
        await page.open(draw(perf, '--kind', 'cpi', '--inverted', ...options));
        const wanted = await ask(page, boxes);

        await page.open(draw(perf, '--kind', 'cpi', ...options));
        await press(page, 'View');
        await press(page, 'Root at the top');
        assert.deepEqual(await ask(page, boxes), wanted, options.join(' '));
    }
    assert.match(await ask(page, 'box("copy").querySelector("title").textContent'),
        /^copy \(1,800 cycles, 37.11%; 7,000 instructions; IPC 3.89, self IPC 3.89\)$/);
});

test('the lane opens by a click, and its frames are no functions of now', async page => {
    await page.open(draw(STACKS));
    await clickBox(page, 'gone');
    assert.equal(await ask(page, 'place("gone").width'), 1179);
    await clickBox(page, 'old');
    assert.equal(await ask(page, 'place("old").width'), 1179);
    await page.key('Escape');
    await page.key('/');
    await page.type('^(gone|old|b)$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 42.25%');
});

test('of three graphs under each other, one lights up what is pointed at in another', async page => {
    const panel = 'const panels = [...document.querySelectorAll("svg.flamepress")];' +
        'const inside = (i, name) => [...panels[i].querySelectorAll(".frames g g")].find(g => ' +
        'g.querySelector("title").textContent.startsWith(name + " (")).querySelector("rect, path")' +
        '.getBoundingClientRect();';
    const at = (i, name) => page.value(`(() => { ${panel} const r = inside(${i}, "${name}");
        return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`);
    const tell = what => page.value(`(() => { ${panel} return ${what}; })()`);

    await page.open(draw('a;b 10 30\na;c 60 20\nz;c 5 0\n', '--triple'));
    assert.equal(await tell('panels.length'), 3);
    assert.equal(await tell('panels.every(one => one.classList.contains("live"))'), true);
    const c = await at(1, 'c');

    await page.move(c.x, c.y);
    assert.deepEqual(await tell('panels.map(one => one.querySelectorAll(".lights rect").length)'),
        [2, 0, 2]);
    assert.equal(await tell('panels[0].querySelector(".details").textContent'),
        'Function: c (65 samples, 86.67%, in all stacks)');
    assert.equal(await tell('panels[1].querySelector(".details").textContent'),
        'Function: c (20 samples, 40.00%)');
    const below = await at(2, 'b');

    await page.click(below.x, below.y);
    assert.deepEqual(await tell(`panels.slice(0, 2).map(one => [...one.querySelectorAll('.lights rect')]
        .map(rect => rect.getBoundingClientRect().width))`), [[1179], [1179]], 'b fills the zoomed view');
    await page.key('/');
    await page.type('^b$');
    assert.deepEqual(await tell('panels.map(one => one.querySelector(".matched").textContent)'),
        ['Matched: 100.00% of this, 13.33% of all', 'Matched: 100.00% of this, 60.00% of all',
            'Matched: 100.00% of this, 60.00% of all']);
});

const PANELS = `const panels = [...document.querySelectorAll("svg.flamepress")];
    const names = panels.map(one => [...one.querySelectorAll(
        '.frames:not(.hidden) g g, .view:not(.hidden) g g')].map(g =>
        g.querySelector('title').textContent.replace(/ \\(.*/, '')).sort().join(' '));`;
const panels = (page, what) => page.value(`(() => { ${PANELS} return ${what}; })()`);

test('three graphs under each other show the same part, as far as they have it', async page => {
    const boxAt = (i, name) => panels(page, `(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2}))(
        [...panels[${i}].querySelectorAll('.frames:not(.hidden) g g, .view:not(.hidden) g g')].find(g =>
            g.querySelector('title').textContent.startsWith('${name} ('))
            .querySelector('rect, path').getBoundingClientRect())`);
    const click = async (i, name) => {
        const {x, y} = await boxAt(i, name);

        await page.click(x, y);
    };

    await page.open(draw('a;b;n 0 9\na;b 10 30\na;c 60 20\nz;c 5 0\n', '--triple'));
    assert.deepEqual(await panels(page, 'names'),
        ['a all b c c z', 'a all b c n', 'a all b c c gone n z']);
    await click(1, 'b');
    assert.deepEqual(await panels(page, 'names'), ['a all b', 'a all b n', 'a all b n']);
    await click(2, 'n');
    assert.deepEqual(await panels(page, 'names'), ['a all b', 'a all b n', 'a all b n'],
        'as deep as the base has it');
    await page.key('Escape');
    assert.deepEqual(await panels(page, 'names'),
        ['a all b c c z', 'a all b c n', 'a all b c c gone n z']);
    await click(0, 'z');
    assert.deepEqual(await panels(page, 'names'), ['all c z', 'a all b c n', 'all c gone z'],
        'what is gone is in the lane of the difference');
    await page.key('Escape');
    await click(2, 'z');
    assert.deepEqual(await panels(page, 'names'), ['all c z', 'a all b c n', 'all c gone z']);
});

test('three graphs under each other are as wide as the window, on a phone too', async page => {
    const widths = 'panels.map(one => one.getBoundingClientRect().width)';
    const height = 'panels.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0)';
    const rect = what => page.value(`document.documentElement.getBoundingClientRect().${what}`);

    for (const [width, mobile] of [[1440, false], [768, false], [390, true]]) {
        await page.send('Emulation.setDeviceMetricsOverride',
            {width, height: 844, deviceScaleFactor: 2, mobile});
        await page.open(draw('a;b;n 0 9\na;b 10 30\na;c 60 20\nz;c 5 0\n', '--triple'));
        assert.deepEqual(await panels(page, `[innerWidth, ...${widths}]`), Array(4).fill(width));
        assert.equal(await panels(page, height), await rect('height'));
    }
    await page.media({colorScheme: 'dark'});
    await until(page, '/^rgb\\(\\d\\d?, \\d\\d?, \\d\\d?\\)$/.test(' +
        'getComputedStyle(document.documentElement).backgroundColor)');
    await page.send('Emulation.setDeviceMetricsOverride',
        {width: 600, height: 844, deviceScaleFactor: 2, mobile: false});
    await until(page, 'document.documentElement.getAttribute("width") === "600"');
    assert.deepEqual(await panels(page, widths), [600, 600, 600]);
});

test('a part of the image map of three graphs opens it in all that have it', async page => {
    const index = report({'two.folded': 'a;b 10 30\na;c 60 20\nz;c 5 0\n'}, '--triple');

    await openReport(page, index);
    const areas = await page.value(`[...document.querySelectorAll('#two area')].map(area => ({
        name: area.title.replace(/ \\(.*/, ''), top: Number(area.coords.split(',')[1]),
        href: area.getAttribute('href')}))`);
    const c = areas.filter(area => area.name === 'c').map(area => area.top);

    assert.deepEqual(areas.map(area => area.name).sort(),
        ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'c', 'c', 'gone', 'z', 'z'].sort());
    assert.ok(Math.max(...c) - Math.min(...c) > 200, `the areas are apart as the pictures: ${c}`);
    await page.open(require('path').join(require('path').dirname(index),
        areas.find(area => area.name === 'b').href));
    assert.deepEqual(await panels(page, 'names'), ['a all b', 'a all b', 'a all b']);
});

test('in a report, three graphs under each other answer as one', async page => {
    await openReport(page, report({'two.folded': 'a;b 10 30\na;c 60 20\nz;c 5 0\n'}, '--triple'));
    await until(page, 'document.querySelector("#two .live iframe")');
    const size = await page.value('(f => [f.width || f.style.width, f.height || f.style.height])' +
        '(document.querySelector("#two .live iframe"))');
    const height = await page.value('document.querySelector("#two .live iframe").clientHeight');

    assert.ok(height > 300, `all three are seen: ${size} ${height}`);
});

test('merged from the leaves, what is gone still has its lane', async page => {
    await page.open(draw(STACKS));
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    const titles = await ask(page, 'shown().map(g => g.querySelector("title").textContent)');
    const sum = titles.map(title => title.match(/self ([+-]?\d+)/)).filter(found => found)
        .reduce((all, found) => all + Number(found[1]), 0);

    assert.equal(sum, 71 - 89);
    assert.ok(titles.some(title => title.startsWith('gone (base ')));
});

module.exports = tests;
