// Graphs that are not merged from the root: the first view, and the views of the menu.
'use strict';

const assert = require('assert').strict;
const {draw, leaving, ask, press, clickBox, hoverBox, changeAddress} = require('./graph.js');

const tests = [];
const size = {width: 1200, height: 1300};
const test = (name, body) => tests.push({name, body, size});
const STACKS = 'a;f;x 10\nb;f;x 5\nb;f;y 3\nb;f;f;x 2\nc 80\n';
const boxes = `shown().map(g => {
    const r = g.querySelector('rect, path').getBoundingClientRect();
    return [g.querySelector('title').textContent, r.x, r.y, r.width,
        getComputedStyle(g.querySelector('rect, path')).fill.replaceAll(' ', '')].join(' ');
}).sort()`;
const title = name => `box("${name}").querySelector("title").textContent`;
const pressed = label => `button("${label}").getAttribute("aria-pressed")`;

// The script draws the first view as the file has it, but with the root at the other end: the same
// boxes, each as far from the top as it was from the bottom.
async function redrawn(page) {
    const first = await ask(page, boxes);
    const sideways = lines => lines.map(line => line.replace(/ (\S+) \S+ (\S+ \S+)$/, ' $1 $2')).sort();
    const height = line => Number(line.split(' ').at(-3));
    const sorted = (lines, sign) => lines.map(height).sort((a, b) => sign * (a - b));

    await press(page, 'View');
    await press(page, 'Root at the top');
    assert.equal(await ask(page, 'hidden(".frames")'), true);
    const second = await ask(page, boxes);
    assert.ok(second.length > 3);
    assert.deepEqual(sideways(second), sideways(first));
    const down = sorted(second, -1);
    const sums = sorted(first, 1).map((y, i) => y + down[i]);
    assert.ok(sums.every(sum => Math.abs(sum - sums[0]) < 0.01), `${sums}`);
    await press(page, 'View');
    await press(page, 'Root at the bottom');
    assert.equal(await ask(page, 'hidden(".frames")'), false);
    assert.deepEqual(await ask(page, boxes), first);
}

test('drawn around a function, that is the first view', async page => {
    await page.open(draw(STACKS, '--around', 'f'));
    await redrawn(page);
    assert.equal(await ask(page, title('f')), 'f (20 samples, 20.00%)');
    assert.equal(await ask(page, title('x')), 'x (15 samples, 15.00%)');
    assert.equal(await ask(page, title('b')), 'b (10 samples, 10.00%)');
    assert.ok(await ask(page, 'place("x").y < place("f").y && place("f").y < place("a").y'));
    await hoverBox(page, 'a');
    assert.match(await ask(page, 'text(".details")'), /^Function: a \(10 samples, 10.00%/);
    await clickBox(page, 'x');
    assert.equal(await ask(page, 'hidden(".frames")'), true, 'zoomed');
    await press(page, 'Reset Zoom');
    assert.equal(await ask(page, 'hidden(".frames")'), false);
});

test('the script draws around a function what the file has', async page => {
    const file = draw(STACKS, '--around', 'f');

    await page.open(file);
    const first = (await ask(page, boxes)).map(line => line.replace(/ [\d.]+ [\d.]+ /, ' '));

    await page.open('about:blank');
    await page.open(draw(STACKS) + '#around=f');
    const scripted = (await ask(page, boxes)).map(line => line.replace(/ [\d.]+ [\d.]+ /, ' '));

    assert.deepEqual(scripted, first);
});

test('from around a function to all of the graph and back', async page => {
    await page.open(draw(STACKS, '--around', 'f'));
    await press(page, 'View');
    assert.equal(await ask(page, pressed('Around this function')), 'true');
    await press(page, 'Merged from the root');
    assert.equal(await ask(page, title('c')), 'c (80 samples, 80.00%)');
    assert.equal(await ask(page, 'location.hash'), '#merge=root');
    await page.key('Escape');
    assert.equal(await ask(page, 'hidden(".frames")'), false, 'Escape goes back');
    assert.equal(await ask(page, 'location.hash'), '');
});

test('drawn leaf first, the menu knows which end it is merged from', async page => {
    await page.open(draw('main;read;copy 30\nmain;write;copy 20\nidle 45\n', '--reverse'));
    await redrawn(page);
    assert.equal(await ask(page, title('copy')), 'copy (50 samples, 52.63%)');
    await press(page, 'View');
    assert.equal(await ask(page, pressed('Merged from the leaves')), 'true');
    await press(page, 'Merged from the root');
    assert.equal(await ask(page, title('main')), 'main (50 samples, 52.63%)');
    assert.ok(await ask(page, 'place("main").y > place("copy").y'));
    await clickBox(page, 'read');
    await press(page, 'View');
    await press(page, 'Around this function');
    assert.ok(await ask(page, 'place("copy").y < place("read").y && ' +
        'place("read").y < place("main").y'));
});

// The file contains the stacks from the root if all of them fit; if not, what it shows.
for (const [what, end, least, ...options] of [
    ['', null, 2],
    [' by weight', null, 2, '--sort=weight'],
    [' with a part of the stacks', 'leaf', 100, leaving(71000)],
]) {
    test(`the script merges from the leaves what the file has${what}`, async page => {
        const placed = `${boxes}.map(line => line.replace(/ (\\S+) \\S+ (\\S+ \\S+)$/, ' $1 $2'))
            .filter(line => line.split(' ').at(-2) >= ${least} && !line.startsWith('(left out)'))
            .map(line => ${end !== null} ? line.replace(/\\).*/, '') : line).sort()`;

        await page.open(draw('postgres-pgbench.perf.xz', '--reverse', ...options));
        const first = await ask(page, placed);

        assert.equal(await ask(page, 'document.querySelector("[data-flame=data]").getAttribute("data-data")'), end);
        await press(page, 'View');
        await press(page, 'Root at the top');
        assert.equal(await ask(page, 'hidden(".frames")'), true);
        assert.ok(first.length > (end ? 10 : 300), `${first.length} boxes`);
        assert.deepEqual(await ask(page, placed), first);
    });
}

test('around a function, the title names it and an outline marks it', async page => {
    const ring = 'hidden(".middle")', windowTitle = 'text("svg > title")';

    await page.open(draw(STACKS));
    assert.equal(await ask(page, ring), true);
    await clickBox(page, 'f');
    await press(page, 'View');
    await press(page, 'Around this function');
    assert.equal(await ask(page, 'text("text.title")'), 'Callers and callees of f');
    assert.equal(await ask(page, windowTitle), 'Callers and callees of f');
    assert.equal(await ask(page, ring), false);
    const [is, want] = await ask(page, `[document.querySelector('.middle'),
        box('f').querySelector('rect, path')].map(one => {
            const {x, y, width, height} = one.getBoundingClientRect();
            return [x, y, width, height].map(Math.round).join();
        })`);

    assert.equal(is, want);
    await clickBox(page, 'x');
    assert.equal(await ask(page, ring), true, 'zoomed to another function');
    await press(page, 'View');
    await press(page, 'Merged from the root');
    assert.equal(await ask(page, 'text("text.title")'), 'Flame Graph');
    await page.open(draw(STACKS, '--around', 'f'));
    assert.equal(await ask(page, ring), false, 'in the first view, too');
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    assert.equal(await ask(page, windowTitle), 'Flame Graph');
    await page.open(draw(STACKS, '--title', 'api'));
    await changeAddress(page, 'location.hash = "around=f"');
    assert.equal(await ask(page, windowTitle), 'api: callers and callees of f');
});

test('Tab goes from left to right', async page => {
    await page.open(draw(STACKS));
    await clickBox(page, 'c');
    await page.value('document.activeElement.blur()');
    const seen = await ask(page, `[...document.querySelectorAll('.button')]
        .filter(one => one.getBoundingClientRect().width).map(one =>
            [one.getBoundingClientRect().x, one.textContent])`);

    assert.deepEqual(seen.map(one => one[1]), ['Reset Zoom', 'View', 'Search']);
    assert.deepEqual(seen, [...seen].sort((a, b) => a[0] - b[0]));
});

test('buttons are 24 pixels high and wide at least, and answer at their edges', async page => {
    await page.open(draw(STACKS));
    await clickBox(page, 'c');
    const areas = await ask(page, `[...document.querySelectorAll('.button')]
        .map(one => one.getBoundingClientRect()).filter(area => area.width)
        .map(({x, y, width, height}) => [x, y, width, height])`);

    assert.equal(areas.length, 3);
    for (const [, , width, height] of areas)
        assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
    const [x, y, width] = areas[1];

    await page.page.mouse.click(x + width - 1, y + 1);
    assert.ok(await ask(page, `document.querySelector('.menu').getBoundingClientRect().height > 0`));
});

test('printed, a tall graph is on one page', async page => {
    const deep = Array.from({length: 300}, (_, i) => `f${i}`).join(';');

    await page.open(draw(`${deep} 5\nmain 3\n`));
    const {data} = await page.send('Page.printToPDF', {printBackground: true});
    const pages = Buffer.from(data, 'base64').toString('latin1').match(/\/Type ?\/Page\b/g);

    assert.equal(pages.length, 1);
});

module.exports = tests;
