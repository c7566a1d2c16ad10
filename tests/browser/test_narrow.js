// Windows narrower than the picture: no text leaves the picture or covers another one.
'use strict';

const assert = require('assert').strict;
const {draw, ask, press, clickBox, hoverBox, leaving} = require('./graph.js');

const tests = [];
const test = (name, width, body) => tests.push({name: `${name}, ${width} px`, body, size: {width, height: 700}});
const CHANGES = 'main;read;copy 30 40\nmain;write 20 0\nmain;flush 0 9\nidle 45 20\n';
const LONG = 'a title of many words, which has no room beside the buttons of a window of a phone';
const GRAPHS = {
    'changes, with a long subtitle': () => draw(CHANGES, '--hatch', '--subtitle', `${LONG}: ${LONG}`),
    'a long title': () => draw('main;read 5\nmain;write 4\n', '--title', LONG),
    'a legend of languages': () => draw('jvm-streams.perf.gz', '--colors=java'),
    'frames that were left out': () => draw(Array.from({length: 900}, (none, i) =>
        `main;read;${'f'.repeat(i % 40)}${i} ${i + 1}`).join('\n') + '\n', leaving(24000)),
};

// Texts around the frames that leave the picture, and pairs that cover each other.
const TEXTS = `[...document.querySelectorAll('text')].filter(one => one.textContent &&
    !one.closest('.hidden, .frames, .view, .marks')).map(one => [one.textContent, one.getBoundingClientRect()])`;
const OUTSIDE = `${TEXTS}.filter(([, r]) => r.left < 0 || r.right > innerWidth).map(([text]) => text)`;
const COVERED = `${TEXTS}.flatMap(([text, r], i, all) => all.slice(i + 1).filter(([, o]) =>
    r.left < o.right - 1 && o.left < r.right - 1 && r.top < o.bottom - 3 && o.top < r.bottom - 3)
    .map(([other]) => [text, other]))`;

async function isInPlace(page, what) {
    assert.deepEqual(await page.value(OUTSIDE), [], `${what}: outside`);
    assert.deepEqual(await page.value(COVERED), [], `${what}: covered`);
    assert.ok(await page.value(`document.documentElement.getAttribute('width') <= innerWidth`), what);
}

for (const width of [768, 390, 320])
    for (const what in GRAPHS)
        test(`${what}: all texts have room`, width, async page => {
            await page.open(GRAPHS[what]());
            await isInPlace(page, 'first view');
            assert.ok(await page.value(`${TEXTS}.length`) > 3);
            await clickBox(page, /languages/.test(what) ? 'start_thread' : 'main');
            assert.match(await page.value('location.hash'), /zoom=/);
            await page.move(1, 1);
            await isInPlace(page, 'zoomed');
        });

for (const width of [390, 320])
    test('panels are inside the window', width, async page => {
        const edges = `(r => [r.left >= 0, r.right <= innerWidth])(document.querySelector(
            '.panel:not(.hidden) > div').getBoundingClientRect())`;

        await page.open(draw('main;read 5\nmain;write 4\n'));
        await press(page, 'View');
        assert.deepEqual(await page.value(edges), [true, true]);
        await page.key('Escape');
        await press(page, 'Search');
        assert.deepEqual(await page.value(edges), [true, true]);
    });

test('details are cut again when the window becomes narrower', 1200, async page => {
    await page.open(draw(CHANGES));
    await hoverBox(page, 'read');
    assert.match(await ask(page, 'text(".details")'), /self [+-]?\d+ samples\)$/);
    await page.size(390, 700);
    assert.deepEqual(await page.value(OUTSIDE), []);
});

test('the menu of a frame goes when the window becomes narrower', 1200, async page => {
    await page.open(draw(CHANGES));
    const {cx, cy} = await ask(page, 'place("main")');
    const wide = 'document.querySelector(".menu.frame").getBoundingClientRect().width > 0';

    await page.page.mouse.click(cx, cy, {button: 'right'});
    assert.equal(await page.value(wide), true);
    await page.size(390, 700);
    assert.equal(await page.value(wide), false);
});

test('a scale is one row of the legend', 390, async page => {
    const rows = `new Set([...document.querySelectorAll('.swatch')].slice(0, 9)
        .map(one => one.getAttribute('y'))).size`;

    await page.open(draw(CHANGES));
    assert.equal(await page.value(rows), 1);
    await page.open(draw(CHANGES, '--width=390'));
    assert.equal(await page.value(rows), 1);
});

module.exports = tests;
