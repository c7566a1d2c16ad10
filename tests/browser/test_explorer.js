// All functions of a graph and its call tree, beside the graph in the page.
'use strict';

const assert = require('assert').strict;
const {execFileSync} = require('child_process');
const fs = require('fs');
const path = require('path');
const {report, openReport, until, clickOn} = require('./report.js');

const tests = [];
const SIZES = [[1440, 900], [768, 700], [390, 700]];
const test = (name, body, [width, height] = SIZES[0]) =>
    tests.push({name, body, size: {width, height}});
const STACKS = 'main;read;copy 30\nmain;write;copy 20\nmain;write;write;flush 5\nidle;wait 45\n';

// The rows of the table, and the lines of the call tree that are open, as texts.
const ROWS = `[...document.querySelectorAll('.explorer tbody tr')].map(row =>
    [...row.cells].map(cell => cell.textContent).join(' ').replaceAll('\u202f%', '%'))`;
const TREE = `[...document.querySelectorAll('.branch')].filter(one => one.offsetParent &&
    !one.parentNode.closest('details:not([open])')).map(one =>
    one.firstChild.textContent.replaceAll('\u202f%', '%'))`;
const ABOUT = 'document.querySelector(".explorer p").textContent';

async function explore(page, profiles, ...options) {
    await openReport(page, report(profiles, ...options));
    await page.value('document.querySelector(".picture").scrollIntoView()');
    await until(page, 'document.querySelector(".live iframe")');
    await clickOn(page, '.explorer summary');
    await until(page, `${ROWS}.length`);
}

const is = (page, expression, wanted) =>
    until(page, `JSON.stringify(${expression}) === ${JSON.stringify(JSON.stringify(wanted))}`)
        .catch(async () => assert.deepEqual(await page.value(expression), wanted));

for (const size of SIZES)
    test(`functions are sorted, and follow zoom and search, ${size[0]} px`, async page => {
        await explore(page, {'one.folded': STACKS}, '--search', 'w=^w');
        await is(page, ROWS, ['copy 50.00% 50 samples 50.00% 50 samples',
            'wait 45.00% 45 samples 45.00% 45 samples', 'flush 5.00% 5 samples 5.00% 5 samples',
            'idle 0.00% 0 samples 45.00% 45 samples', 'main 0.00% 0 samples 55.00% 55 samples',
            'read 0.00% 0 samples 30.00% 30 samples', 'write 0.00% 0 samples 25.00% 25 samples']);
        await clickOn(page, '.explorer th:nth-child(3) button');
        await until(page, `/^main 0/.test(${ROWS}[0])`);
        await clickOn(page, '.explorer th:nth-child(3) button');
        await until(page, `/^flush/.test(${ROWS}[0])`);
        assert.equal(await page.value('document.documentElement.scrollWidth <= innerWidth'), true);
        await page.value(`(s => { s.value = '0'; s.dispatchEvent(new Event('change')); })(
            document.querySelector('.tools select'))`);
        await until(page, `${ROWS}.length === 2`);
        assert.match(await page.value(ABOUT), /^2 functions, matching the search\./);
        await page.value(`(s => { s.value = '-1'; s.dispatchEvent(new Event('change')); })(
            document.querySelector('.tools select'))`);
        await until(page, `${ROWS}.length === 7`);
        await page.value(`[...document.querySelectorAll('.explorer tbody a')].find(one =>
            one.textContent === 'write').click()`);
        await is(page, ROWS, ['flush 20.00% 5 samples 20.00% 5 samples',
            'copy 80.00% 20 samples 80.00% 20 samples', 'write 0.00% 0 samples 100.00% 25 samples']);
        assert.match(await page.value(ABOUT), /^3 functions in .write.\./);
    }, size);

test('the call tree opens frame by frame, and begins at the zoomed one', async page => {
    await explore(page, {'one.folded': STACKS});
    await is(page, TREE, ['100.00%allself 0.00%', '55.00%mainself 0.00%', '45.00%idleself 0.00%']);
    await page.value('document.querySelectorAll(".branch .opener")[1].click()');
    await is(page, TREE, ['100.00%allself 0.00%', '55.00%mainself 0.00%', '30.00%readself 0.00%',
        '25.00%writeself 0.00%', '45.00%idleself 0.00%']);
    await page.value(`[...document.querySelectorAll('.branch a')].find(one =>
        one.textContent === 'write').click()`);
    await is(page, TREE, ['100.00%writeself 0.00%', '80.00%copyself 80.00%', '20.00%writeself 0.00%']);
});

test('the numbers are those of flamepress top', async page => {
    const file = path.join(__dirname, '../../samples/redis-benchmark.perf.gz');
    const {top} = JSON.parse(execFileSync(process.env.FLAMEPRESS,
        ['top', file, '-n', '100000', '--format', 'json'], {encoding: 'utf8'}));
    const wanted = top.map(({name, self, total}) => [name, Number(self), Number(total)]);

    await explore(page, {'redis.perf.gz': fs.readFileSync(file)});
    for (let i = 0; i < 50 && await page.value('!document.querySelector(".explorer .more").hidden'); i++) {
        const count = await page.value(`${ROWS}.length`);

        await page.value('document.querySelector(".explorer .more").click()');
        await until(page, `${ROWS}.length > ${count}`);
    }
    const rows = await page.value(`[...document.querySelectorAll('.explorer tbody tr')].map(row =>
        [0, 2, 4].map(i => row.cells[i].textContent))`);
    const billionths = text => Math.round(Number(text.replace(/[^\d.]/g, '')) * 1e9);
    const sorted = list => list.map(one => one.join(' ')).sort();

    assert.ok(rows.length > 300);
    assert.deepEqual(sorted(rows.map(([name, self, total]) =>
        [name, billionths(self), billionths(total)])), sorted(wanted));
});

module.exports = tests;
