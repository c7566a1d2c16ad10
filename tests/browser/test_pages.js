// A report in which each graph has a page: the summary, its filter, and the way from page to page.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const {report, openReport, until, clickOn} = require('./report.js');

const size = {width: 1280, height: 900};
const tests = [];
const test = (name, body) => tests.push({name, body, size});

const PROFILES = {
    'alpha.folded': 'main;read;parse 30\nmain;read;copy 20\nmain;write 40\n',
    'beta.folded': 'main;sort;compare 75\nmain;sort 5\nmain;copy 20\n',
    'gamma.folded': 'main;wait 25\n',
    'tiny.folded': 'main;tiny 3\n',
};
const SEARCHES = ['--search', 'copies=^copy$', '--search', 'nothing=^zzz$'];

const paged = (...options) => report(PROFILES, ...SEARCHES, '--pages=each', ...options);
const leads = async (page, name) => {
    await until(page, `location.pathname.endsWith(${JSON.stringify(`/${name}`)}) &&
        document.readyState === 'complete'`);
};

test('the summary of pages has no graphs and links each, small ones too', async page => {
    const file = paged();

    await openReport(page, file);
    assert.equal(await page.value('document.querySelectorAll(".graph, iframe, img:not(.thumbnail)").length'), 0);
    await until(page, '[...document.querySelectorAll(".summary img")].every(img => img.naturalWidth)');
    assert.deepEqual(await page.value(`[...document.querySelectorAll('.summary tbody th a, #_small a')]
        .map(link => link.getAttribute('href'))`),
    ['pages/alpha.html', 'pages/beta.html', 'pages/gamma.html', 'pages/tiny.html']);
    for (const name of ['alpha', 'beta', 'gamma', 'tiny'])
        for (const ending of ['html', 'md', 'json'])
            assert.ok(fs.existsSync(path.join(path.dirname(file), 'pages', `${name}.${ending}`)));
});

test('previous and next lead through all pages, and back to the summary', async page => {
    await openReport(page, paged());
    await clickOn(page, '.summary tbody th a');
    await leads(page, 'alpha.html');
    assert.equal(await page.value('document.querySelector("[rel=prev]")'), null);
    for (const name of ['beta.html', 'gamma.html', 'tiny.html']) {
        await clickOn(page, '[rel=next]');
        await leads(page, name);
    }
    assert.equal(await page.value('document.querySelector("[rel=next]")'), null);
    await clickOn(page, '[rel=prev]');
    await leads(page, 'gamma.html');
    await clickOn(page, '.neighbours a');
    await leads(page, 'index.html');
});

test('the chosen theme goes from page to page', async page => {
    await openReport(page, paged() + '?theme=dark');
    await clickOn(page, '.summary tbody th a');
    await leads(page, 'alpha.html');
    assert.equal(await page.value('location.search'), '?theme=dark');
    assert.equal(await page.value('getComputedStyle(document.body).backgroundColor'), 'rgb(22, 20, 18)');
    await clickOn(page, '.theme button:first-child');
    await clickOn(page, '[rel=next]');
    await leads(page, 'beta.html');
    assert.equal(await page.value('location.search'), '');
});

test('a page of a graph has style and script, and its graph becomes interactive', async page => {
    const file = paged();

    await openReport(page, path.join(path.dirname(file), 'pages', 'beta.html'));
    assert.equal(await page.value('document.title'), 'beta · Flame graphs');
    await until(page, 'document.querySelector("#beta .live iframe")');
    assert.equal(await page.value('getComputedStyle(document.querySelector(".neighbours")).display'),
        'flex');
    assert.equal(await page.value('document.querySelectorAll("#beta .halves tbody tr").length'), 7);
    assert.ok(await page.value('document.querySelector("#beta .halves button.sort")'));
});

test('without scripts a page shows the picture and links to the graph', async page => {
    const file = paged();

    await page.scripts(false);
    await openReport(page, path.join(path.dirname(file), 'pages', 'alpha.html'));
    await until(page, 'document.querySelector("#alpha img").complete');
    assert.equal(await page.value('document.querySelector("#alpha img").naturalWidth'), 1200);
    assert.equal(await page.value('document.querySelector("#alpha a.svg").getAttribute("href")'),
        '../graphs/alpha.svg');
});

test('a share of the summary opens the page with its search highlighted', async page => {
    await openReport(page, paged());
    await clickOn(page, '.summary tbody .share a');
    await leads(page, 'alpha.html');
    await until(page, 'document.querySelector("#alpha .live iframe")');
    assert.equal(await page.value('document.querySelector("#_light").value'), '^copy$');
    assert.equal(await page.value('document.querySelector(".matches .lit").rowIndex'), 1);
    await page.value('history.replaceState(null, "", "#search=parse"); 0');
    await page.value('dispatchEvent(new Event("hashchange")); 0');
    assert.equal(await page.value('document.querySelector("#_light").value'), 'parse');
});

// ---- many graphs -------------------------------------------------------------------------------

// The summary of a report of ten thousand graphs, made of the row of one.
function manyRows(count) {
    const file = paged();
    const html = fs.readFileSync(file, 'utf8');
    const [row] = html.match(/<tr>\n<th scope="row"[^]*?<\/tr>\n/);
    const rows = Array.from({length: count}, (none, i) =>
        row.replaceAll(/alpha(?!\.png")/g, `service-${String(i).padStart(5, '0')}`));

    fs.writeFileSync(file, html.replace(/<tbody>[^]*?<\/tbody>/, `<tbody>\n${rows.join('')}</tbody>`));
    return file;
}

const shown = page => page.value(`[...document.querySelectorAll('.summary tbody tr')]
    .filter(row => row.offsetParent !== null || row.getClientRects().length)
    .map(row => row.cells[0].textContent.trim())`);

// Sets the filter of the summary. Returns the time that the page worked for it.
async function filterRows(page, text) {
    const before = await page.worked();

    await page.value(`(async () => {
        const field = document.querySelector('.filter');
        field.value = ${JSON.stringify(text)};
        field.dispatchEvent(new Event('input'));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    })()`);
    return await page.worked() - before;
}

// The times that a summary of so many graphs takes to load and, at most, to filter: the best of a
// few, for the machine may be busy with something else.
async function summaryTimes(page, count) {
    const file = manyRows(count);
    const best = {load: Infinity, filter: Infinity};

    for (let i = 0; i < 3; i++) {
        const before = await page.worked(), times = [];

        await openReport(page, 'about:blank');
        await openReport(page, file);
        await until(page, 'document.querySelector(".filter")');
        best.load = Math.min(best.load, await page.worked() - before);
        for (const text of ['service-00', 'service-0001', 'nowhere', '', 'service-00999'])
            times.push(await filterRows(page, text));
        best.filter = Math.min(best.filter, Math.max(...times));
    }
    return best;
}

// Ratios of one run, for machines differ: a load that compared each row with all others would have
// taken more than ten times as long for ten times the rows, and a filter that made all rows anew as
// long as the load.
test('a summary loads in a time that grows as its graphs, and filters in a part of that', async page => {
    const few = await summaryTimes(page, 1000), many = await summaryTimes(page, 10000);

    assert.deepEqual(await shown(page), ['service-00999']);
    await filterRows(page, 'service-0012');
    assert.equal((await shown(page)).length, 10);
    assert.ok(many.load < 8 * few.load, `${few.load} and ${many.load} ms to load`);
    assert.ok(many.filter < many.load / 2, `${many.filter} of ${many.load} ms to filter`);
});

test('a long summary shows more rows at its end, and all of them on request', async page => {
    await openReport(page, manyRows(1000));
    await until(page, 'document.querySelector(".more button")');
    const first = (await shown(page)).length;

    assert.ok(first < 300, `${first} rows at the start`);
    await page.value('document.querySelector(".more").scrollIntoView(); 0');
    await until(page, `document.querySelectorAll('.summary tbody tr').length > ${first}`);
    await page.value('document.querySelector(".summary thead button").click(); 0');
    await page.value('document.querySelector(".summary thead button").click(); 0');
    assert.equal((await shown(page))[0], 'service-00999', 'all rows are sorted');
    await page.value('document.querySelector(".more button").click(); 0');
    assert.equal((await shown(page)).length, 1000);
    assert.ok(await page.value('document.querySelector(".more").hidden'));
});

test('without scripts a long summary is complete', async page => {
    await page.scripts(false);
    await openReport(page, manyRows(300));
    assert.equal((await shown(page)).length, 300);
});

module.exports = tests;
