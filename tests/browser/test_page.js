// The report's page: complete without scripts; with them, graphs, searches and tables at work.
'use strict';

const assert = require('assert');
const fs = require('fs');
const {execFileSync} = require('child_process');
const {report, openReport, until, clickOn, inFrame, untilInFrame} = require('./report.js');

const size = {width: 1280, height: 900};
const tests = [];
const test = (name, body) => tests.push({name, body, size});

const ALPHA = 'main;read;parse 30\nmain;read;copy 20\nmain;write 40\nother;parse 10\n';
const BETA = 'main;sort;compare 75\nmain;sort 5\nmain;copy 20\n';
const TWO = {'alpha.folded': ALPHA, 'beta.folded': BETA};
const SEARCHES = ['--search', 'copies=^copy$', '--search', 'nothing=^zzz$'];

// Many graphs, so that most are outside the window.
function many(count) {
    const profiles = {};

    for (let i = 0; i < count; i++)
        profiles[`graph-${String(i).padStart(3, '0')}.folded`] =
            `main;f${i};parse ${i + 1}\nmain;g${i} ${2 * count - i}\n`;
    return profiles;
}

const text = (page, selector) =>
    page.value(`document.querySelector(${JSON.stringify(selector)}).innerText.trim()`);
const texts = (page, selector) =>
    page.value(`[...document.querySelectorAll(${JSON.stringify(selector)})]
        .filter(one => one.offsetParent).map(one => one.innerText.trim().replace(/\u202f/g, ' '))`);
// What each graph last reported to the page as its view. The test reads it from the page, because
// the graphs of a single file are in a process of their own, which the test cannot see.
const hear = page => page.value(`window.shown = {};
addEventListener('message', ({data, source}) => {
    const frame = [...document.querySelectorAll('iframe')]
        .find(one => one.contentWindow === source);

    if (data.flamepress === 'view')
        shown[frame.closest('.graph').id] = decodeURIComponent(data.address);
}); 0`);
// Returns whether the graph is zoomed: its ancestors are faded then.
const ZOOMED = `document.querySelector('.view:not(.hidden) .faded')`;
const scrollTo = (page, id) =>
    page.value(`document.getElementById(${JSON.stringify(id)}).scrollIntoView()`);

// ---- content --------------------------------------------------------------------------------

test('graphs of fewer than 20 samples are in one closed list; an address opens one', async page => {
    const file = report({...TWO, 'tiny.folded': 'main;tiny 19\n', 'some.folded': 'main;some 20\n',
        'least.folded': 'main;least 1\n'}, ...SEARCHES);

    await openReport(page, file);
    assert.deepEqual(await texts(page, '.summary tbody th'), ['alpha', 'beta', 'some']);
    assert.equal(await text(page, '.lead'),
        '5 graphs of samples. 2 graphs of fewer than 20 samples.');
    assert.deepEqual(await texts(page, '#_small summary'), ['least 1 sample', 'tiny 19 samples']);
    assert.deepEqual(await page.value('[...document.querySelectorAll("#_small details")].map(one => one.open)'),
        [false, false]);
    assert.ok(await page.value('document.querySelector("#tiny").offsetHeight') < 60, 'rows are low');
    await page.value('location.hash = "tiny"; 0');
    await until(page, 'document.querySelector("#tiny").open');
    await until(page, 'document.querySelector("#tiny .live iframe")');
    assert.equal(await page.value('document.querySelector("#least").open'), false);
});

test('--list-below moves the limit, and a report of small graphs only has no list', async page => {
    const small = {'tiny.folded': 'main;tiny 19\n', 'least.folded': 'main;least 1\n'};

    await openReport(page, report({...TWO, ...small}, '--list-below', '5'));
    assert.deepEqual(await texts(page, '#_small summary'), ['least 1 sample']);
    await openReport(page, report({...TWO, ...small}, '--list-below', '0'));
    assert.equal(await page.value('document.querySelectorAll("section.graph").length'), 4);
    await openReport(page, report(small));
    assert.equal(await page.value('document.querySelectorAll("section.graph").length'), 2);
    assert.equal(await page.value('document.querySelector("#_small")'), null);
});

test('the summary comes first: what is measured, what stands out, searches by graph', async page => {
    await openReport(page, report(TWO, ...SEARCHES));
    assert.equal(await page.value('document.querySelector("h2").innerText'), 'Summary');
    assert.equal(await text(page, '.lead'), '2 graphs of samples.');
    assert.deepEqual((await texts(page, '.findings li')).map(one => one.split('\n')), [
        ['Heaviest function', '75.00 %', 'compare self (100 samples)', 'beta'],
        ['Highest share of the search "copies"', '20.00 %', '(100 samples)', 'alpha'],
    ]);
    assert.deepEqual(await texts(page, '.summary tbody tr:first-child > *'),
        ['alpha', '100 samples', 'parse 40.00 %', '20.00 %', '0.00 %'], 'the total says how many samples there are');
    assert.equal(await page.value(
        'document.querySelectorAll(".summary tbody tr:first-child .bar").length'), 1);
});

test('a row of the summary has a thumbnail and the hottest function, which zooms the graph', async page => {
    const idle = 'swapper;cpu_startup_entry;default_idle 70\nmain;work 20\nmain;rest 10\n';
    const thumbnails = `[...document.querySelectorAll('.summary tbody img')].map(img => [
        img.closest('tr').querySelector('a').innerText, img.currentSrc])`;

    for (const options of [[], ['--single-file']]) {
        await openReport(page, report({...TWO, 'idle.folded': idle}, ...options));
        assert.deepEqual(await texts(page, '.summary .hottest'),
            ['parse 40.00 %', 'compare 75.00 %', 'work 20.00 %']);
        await until(page, `[...document.querySelectorAll('.summary tbody img')].every(img => img.naturalWidth)`);
        const shown = await page.value(thumbnails);

        assert.deepEqual(shown.map(([name]) => name), ['alpha', 'beta', 'idle']);
        assert.ok(options.length ? shown.every(([, source]) => source.startsWith('data:image/png'))
            : shown.every(([name, source]) => source.endsWith(`/${name}.png`)), String(shown));
    }
    for (const [scheme, chosen, ending] of [['dark', '', 'svg'], ['dark', 'Light', 'png'], ['light', 'Dark', 'svg']])
        for (const options of [[], ['--pages=each']]) {
            await page.media({colorScheme: scheme});
            await openReport(page, report(TWO, ...options));
            if (chosen)
                await page.value(`[...document.querySelectorAll('.theme button')].find(one =>
                    one.textContent === '${chosen}').click()`);
            await until(page, `[...document.querySelectorAll('.summary tbody img')].length === 2 &&
                [...document.querySelectorAll('.summary tbody img')].every(img => img.currentSrc.endsWith('.${ending}'))`);
        }
    await page.media({colorScheme: 'light'});
    await openReport(page, report(TWO));
    await clickOn(page, '.summary tr:nth-child(2) .hottest a');
    await untilInFrame(page, 'beta', ZOOMED);
    await clickOn(page, '.summary thead th:last-child button');
    await clickOn(page, '.summary thead th:last-child button');
    assert.deepEqual(await texts(page, '.summary tbody th'), ['beta', 'alpha']);
});

const NARROW = [[1024, 768], [768, 1024], [390, 844]];

test('on narrow windows the summary scrolls and keeps the names of graphs', async page => {
    const searches = Array.from({length: 14}, (_, i) => ['--search', `search ${i}=^f${i}$`]).flat();

    await openReport(page, report(TWO, ...searches));
    for (const [width, height] of NARROW) {
        await page.size(width, height);
        const seen = await page.value(`(box => {
            const left = () => box.querySelector('tbody th').getBoundingClientRect().left;
            const before = left();

            box.scrollLeft = 10000;
            const last = box.querySelector('tbody tr').lastElementChild.getBoundingClientRect();
            const answer = [box.scrollLeft > 0, left() === before,
                last.right <= box.getBoundingClientRect().right + 1,
                document.documentElement.scrollWidth <= innerWidth];
            box.scrollLeft = 0;
            return answer;
        })(document.querySelector('.summary .scroll'))`);

        assert.deepEqual(seen, [true, true, true, true], String(width));
    }
});

test('what a finger points at is 24 px high and wide at least', async page => {
    await openReport(page, report(TWO, ...SEARCHES));
    for (const [width, height] of NARROW) {
        await page.size(width, height);
        await scrollTo(page, 'alpha');
        await until(page, 'document.querySelector("#alpha .sort") && document.querySelector("#alpha .live")');
        await page.value('document.querySelector("#alpha .explorer").open = true');
        await until(page, 'document.querySelector("#alpha .branch .branch a")');
        assert.deepEqual(await page.value(`[...document.querySelectorAll('a, button, input, select, summary')]
            .filter(one => one.offsetParent && !one.closest('p, footer'))
            .map(one => [one.className || one.localName, one.innerText, one.getBoundingClientRect()])
            .filter(([, , r]) => r.height < 23.99 || r.width < 23.99)
            .map(([name, text, r]) => name + ' ' + text + ' ' + r.width + ' ' + r.height)`), [], String(width));
    }
});

test('without scripts the page is complete: pictures, titles, links, tables', async page => {
    await page.scripts(false);
    await openReport(page, report(TWO, ...SEARCHES));
    await until(page, 'document.querySelector("#alpha img").complete');
    assert.equal(await page.value('document.querySelectorAll("iframe, .tools, .filter").length'), 0);
    assert.equal(await page.value('document.querySelector("#alpha img").naturalWidth'), 1200);
    assert.equal(await page.value('document.querySelector("#alpha img").clientWidth'), 1200);
    assert.match(await page.value('document.querySelector("#alpha img").alt'),
        /^Flame graph of alpha: 100 samples\. Heaviest stack: main, write\. Highest self: /);
    assert.equal(await page.value(`document.querySelectorAll('#alpha .halves tbody tr').length`), 9);
});

test('a dark page shows dark pictures: the SVG, or with --dark-images a PNG', async page => {
    const shown = 'document.querySelector("#alpha img").currentSrc';

    await page.scripts(false);
    await page.media({colorScheme: 'dark'});
    for (const [options, light, dark] of [
        [[], /graphs\/alpha\.png$/, /graphs\/alpha\.svg$/],
        [['--dark-images'], /graphs\/alpha\.png$/, /graphs\/alpha@dark\.png$/],
        [['--dark-images', '--single-file'], /^data:image\/png/, /^data:image\/png/],
    ]) {
        await openReport(page, report(TWO, ...options));
        await until(page, `(${dark}).test(${shown})`);
        const inDark = await page.value(shown);

        await page.media({colorScheme: 'light'});
        await until(page, `(${light}).test(${shown}) && ${shown} !== ${JSON.stringify(inDark)}`);
        await page.media({colorScheme: 'dark'});
    }
});

// Returns the colours that a page and its first graph have for their ground, in the theme shown.
const grounds = async page => [
    await page.value('getComputedStyle(document.body).backgroundColor'),
    await untilInFrame(page, 'alpha', `document.documentElement.classList.contains('live') &&
        getComputedStyle(document.querySelector('stop')).stopColor`),
];
const DARK = ['rgb(22, 20, 18)', 'rgb(23, 25, 30)'], LIGHT = ['rgb(252, 251, 249)', 'rgb(238, 238, 238)'];

// Waits until page and graph have the colours.
async function shows(page, wanted) {
    for (let i = 0; i < 100; i++) {
        if (String(await grounds(page)) === String(wanted))
            return;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.deepEqual(await grounds(page), wanted);
}

test('light and dark are chosen for page, pictures and graphs, and stay in the address', async page => {
    const file = report(TWO), shown = 'document.querySelector("#beta img").currentSrc';
    const source = 'document.querySelector("#beta source").media';
    const pressed = `[...document.querySelectorAll('.theme [aria-pressed="true"]')].map(b => b.innerText).join()`;
    const choose = async label => {
        await page.value('window.scrollTo(0, 0)');
        const at = await page.value(`(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2, high: r.height}))(
            [...document.querySelectorAll('.theme button')].find(b => b.innerText === '${label}')
                .getBoundingClientRect())`);

        assert.ok(at.high >= 24);
        await page.click(at.x, at.y);
    };

    await page.media({colorScheme: 'light'});
    await openReport(page, file);
    await scrollTo(page, 'alpha');
    await shows(page, LIGHT);
    assert.equal(await page.value(pressed), 'System');
    await choose('Dark');
    await scrollTo(page, 'alpha');
    await shows(page, DARK);
    assert.equal(await page.value(source), 'screen');
    await until(page, `/beta\.svg$/.test(${shown})`);
    assert.equal(await page.value('location.search'), '?theme=dark');
    await choose('System');
    await scrollTo(page, 'alpha');
    await shows(page, LIGHT);
    assert.equal(await page.value('location.search'), '');

    await page.media({colorScheme: 'dark'});
    await page.open(file + '?theme=light#alpha');
    await scrollTo(page, 'alpha');
    await shows(page, LIGHT);
    assert.equal(await page.value(source), 'not all');
    assert.equal(await page.value(pressed), 'Light');
    assert.equal(await page.value(`(link => {
        link.addEventListener('click', event => event.preventDefault());
        link.click();
        return link.hash;
    })(document.querySelector('#alpha a.svg'))`), '#theme=light');
    await page.media({colorScheme: 'light'});
});

test('the image map has a title and a link to the zoomed graph for every wide box', async page => {
    const file = report(TWO);

    await page.scripts(false);
    await openReport(page, file);
    const areas = await page.value(`[...document.querySelector('#alpha map').areas].map(area =>
        ({title: area.title, alt: area.alt, href: area.href, coords: area.coords}))`);
    const read = areas.find(area => area.title.startsWith('read '));

    assert.deepEqual(areas.map(area => area.title).sort(), [
        'copy (20 samples, 20.00%)', 'main (90 samples, 90.00%)', 'other (10 samples, 10.00%)',
        'parse (10 samples, 10.00%)', 'parse (30 samples, 30.00%)', 'read (50 samples, 50.00%)',
        'write (40 samples, 40.00%)']);
    assert.ok(areas.every(area => area.alt === area.title));
    const [left, top, right, bottom] = read.coords.split(',').map(Number);

    assert.deepEqual([left, right - left, bottom - top], [10, 589, 15]);
    await page.value(`document.querySelector('#alpha img').scrollIntoView()`);
    const at = await page.value(`(r => ({x: r.x, y: r.y}))(
        document.querySelector('#alpha img').getBoundingClientRect())`);
    assert.equal(await page.value(`document.elementFromPoint(${at.x + left + 5}, ${at.y + top + 5})
        .getAttribute('title')`), 'read (50 samples, 50.00%)');
    await page.scripts(true);
    for (const area of areas) {
        await page.open('about:blank');
        await page.open(area.href.replace('file://', ''));
        await until(page, 'document.querySelector(".view:not(.hidden)")');
        assert.deepEqual(await page.value(`[...document.querySelectorAll('.view g g:not(.faded)')]
            .filter(g => Number(g.querySelector('rect').getAttribute('width')) === innerWidth - 21)
            .map(g => g.querySelector('title').textContent)[0]`), area.title);
    }
});

// ---- graphs in frames --------------------------------------------------------------------------

test('a graph becomes interactive once it is scrolled to, and only then', async page => {
    await openReport(page, report(many(12)));
    assert.equal(await page.value('document.querySelectorAll("iframe").length'), 0);
    await scrollTo(page, 'graph-006');
    await until(page, 'document.querySelector("#graph-006 .live iframe")');
    assert.ok(await page.value('document.querySelectorAll("iframe").length') < 5);
    assert.equal(await page.value('!!document.querySelector("#graph-000 iframe, #graph-011 iframe")'),
        false);
    assert.equal(await page.value(
        `getComputedStyle(document.querySelector('#graph-006 .still')).display`), 'none');
    await scrollTo(page, 'graph-000');
    await until(page, '!document.querySelector("#graph-006 iframe")');
    assert.notEqual(await page.value(
        `getComputedStyle(document.querySelector('#graph-006 .still')).display`), 'none');
});

test('a graph that becomes interactive moves nothing on the page', async page => {
    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: `
        window.held = [];
        const hold = event => {
            event.stopImmediatePropagation();
            held.push(event);
        };
        const release = () => {
            removeEventListener('message', hold);
            held.forEach(({data, source}) => dispatchEvent(new MessageEvent('message', {data, source})));
        };
        addEventListener('message', hold);`});
    await openReport(page, report(TWO));
    await scrollTo(page, 'alpha');
    await until(page, 'held.some(({data}) => data.flamepress === "ready")');
    await until(page, 'document.querySelector("#alpha .sort")');
    const places = `[...document.querySelectorAll('#alpha .halves, #beta')]
        .map(one => one.getBoundingClientRect().top)`;
    const shown = `(document.querySelector('#alpha .explorer') || document.head).checkVisibility(
        {visibilityProperty: true})`;
    const before = await page.value(places), early = await page.value(shown);

    await page.value('release()');
    await until(page, 'document.querySelector("#alpha .live")');
    assert.deepEqual(await page.value(places), before);
    assert.deepEqual([early, await page.value(shown)], [false, true]);
});

test('a click on a function of a table zooms to its heaviest place', async page => {
    await openReport(page, report(TWO));
    await clickOn(page, '#alpha .halves a.function[href$="=parse"]');
    await untilInFrame(page, 'alpha', `document.querySelector('.view:not(.hidden)')`);
    assert.equal(await inFrame(page, 'alpha', `document.querySelector('.details').textContent`),
        'Function: parse (30 samples, 30.00%; 60.00% of parent)');
    const top = await page.value('document.querySelector("#alpha iframe").getBoundingClientRect().top');

    assert.ok(top > 0 && top < 800, `the graph is in sight, at ${top}`);
});

test('a click that opens another tab leaves the page as it is', async page => {
    await openReport(page, report(TWO));
    const left = await page.value(`(() => {
        const link = document.querySelector('#alpha .halves a.function[href$="=parse"]');
        const untouched = [];

        addEventListener('click', event => {
            untouched.push(!event.defaultPrevented);
            event.preventDefault();
        });
        for (const how of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey', ''])
            link.dispatchEvent(new MouseEvent('click',
                {bubbles: true, cancelable: true, [how]: true}));
        return untouched;
    })()`);

    assert.deepEqual(left, [true, true, true, true, false]);
});

test('the same click opens the SVG zoomed where the page has no script', async page => {
    await page.scripts(false);
    await openReport(page, report(TWO));
    const link = await page.value(
        'document.querySelector("#beta .halves a.function[href$=compare]").href');

    await page.scripts(true);
    await page.open(link.replace('file://', ''));
    await until(page, 'document.querySelector(".view:not(.hidden)")');
    assert.equal(await page.value(`[...document.querySelectorAll('.view g g:not(.faded) title')]
        .map(one => one.textContent).join()`), 'compare (75 samples, 75.00%)');
});

test('of time, the number of samples has a column; a share is searched after it as before',
    async page => {
        const perf = ['main', 'other'].map(name => `app 1 10.1: 1000000 cpu-clock: \n` +
            `\t401000 copy (/bin/app)\n\t401000 ${name} (/bin/app)\n\n`).join('');

        for (const [profiles, cells] of [[{'a.folded': ALPHA},
            ['a', '100 samples', 'parse 40.00 %', '20.00 %', '0.00 %']],
            [{'a.folded': ALPHA, 'b.perf': perf},
                ['a', '100 samples', '', 'parse 40.00 %', '20.00 %', '0.00 %']],
            [{'b.perf': perf},
                ['b', '2.00 ms', '2', 'copy 100.00 %', '100.00 %', '0.00 %']]]) {
            await openReport(page, report(profiles, ...SEARCHES, '--list-below', '0'));
            assert.deepEqual(await texts(page, '.summary tbody tr:first-child > *'), cells);
            await clickOn(page, '.summary .share a');
            assert.equal(await page.value('document.querySelector(".tools select").value'), '0');
        }
        await openReport(page, report({'a.folded': ALPHA, 'b.perf': perf}, '--list-below', '0'));
        await clickOn(page, '.summary thead th:nth-child(3) button');
        assert.deepEqual(await texts(page, '.summary tbody th'), ['b', 'a'], 'none is the least');
    });

test('a search is lit in every graph at once, also in those that come later', async page => {
    await openReport(page, report({...TWO, ...many(6)}, ...SEARCHES));
    await scrollTo(page, 'alpha');
    await until(page, 'document.querySelector("#alpha .live")');
    await page.value(`(select => { select.value = '0';
        select.dispatchEvent(new Event('change')); })(document.querySelector('.tools select'))`);
    const matched = `document.querySelector('.matched').textContent`;

    assert.equal(await untilInFrame(page, 'alpha', matched), 'Matched: 20.00%');
    await scrollTo(page, 'beta');
    assert.equal(await untilInFrame(page, 'beta', matched), 'Matched: 20.00%');
    assert.deepEqual(await texts(page, '#beta .matches .lit th'), ['copies']);
    await page.value(`(input => { input.value = 'sort'; input.dispatchEvent(new Event('input')); })(
        document.querySelector('.tools input'))`);
    await untilInFrame(page, 'beta', `${matched} === 'Matched: 80.00%'`);
    assert.equal(await page.value('document.querySelector(".tools select").value'), '-1');
    await scrollTo(page, 'alpha');
    await untilInFrame(page, 'alpha', `${matched} === 'Matched: 0.00%'`);
    await clickOn(page, '#alpha .matches a.match');
    await untilInFrame(page, 'alpha', `${matched} === 'Matched: 20.00%'`);
});

test('without searches there is a field for one, and no list to choose from', async page => {
    await openReport(page, report(TWO));
    await until(page, 'document.querySelector(".tools")');
    assert.equal(await page.value('document.querySelector(".tools select").offsetParent'), null);
    assert.equal(await text(page, '.tools label'), 'Highlight');
    await clickOn(page, '.tools label');
    await page.type('^copy$');
    await scrollTo(page, 'alpha');
    await untilInFrame(page, 'alpha',
        `document.querySelector('.matched').textContent === 'Matched: 20.00%'`);
});

test('what the reader made of a graph is still there when it comes back', async page => {
    await openReport(page, report(many(12)));
    await clickOn(page, '#graph-000 a.function[href$="=f0"]');
    await untilInFrame(page, 'graph-000', ZOOMED);
    await scrollTo(page, 'graph-011');
    await until(page, '!document.querySelector("#graph-000 iframe")');
    await scrollTo(page, 'graph-000');
    await untilInFrame(page, 'graph-000', ZOOMED);
});

test('a graph that is put away before it answers is asked again when it comes back', async page => {
    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: `
        addEventListener('message', event => {
            if (window.deaf !== false && /^(view|zoomed)$/.test(event.data.flamepress))
                event.stopImmediatePropagation();
        });`});
    await openReport(page, report(many(12)));
    await page.value(`document.querySelector('#graph-000 a.function[href$="=f0"]').click()`);
    await untilInFrame(page, 'graph-000', ZOOMED);
    await scrollTo(page, 'graph-011');
    await until(page, '!document.querySelector("#graph-000 iframe")');
    await page.value('window.deaf = false');
    await scrollTo(page, 'graph-000');
    await untilInFrame(page, 'graph-000', ZOOMED);
});

test('a picture that is put away while its graph is unpacked gets no second frame', async page => {
    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: `
        const blob = Response.prototype.blob, remove = Element.prototype.remove;

        window.removed = 0;
        window.unpacking = [];
        Response.prototype.blob = async function () {
            await new Promise(resolve => unpacking.push(resolve));
            return blob.call(this);
        };
        Element.prototype.remove = function () {
            window.removed += this.localName === 'iframe';
            remove.call(this);
        };`});
    await openReport(page, report(many(12), '--single-file'));
    await scrollTo(page, 'graph-000');
    await until(page, 'unpacking.length');
    await scrollTo(page, 'graph-011');
    await until(page, 'removed');
    const before = await page.value('unpacking.length');

    await scrollTo(page, 'graph-000');
    await until(page, `unpacking.length > ${before}`);
    await page.value('unpacking.forEach(resolve => resolve())');
    await until(page, 'document.querySelector("#graph-000.live, #graph-000 .live")');
    assert.equal(await page.value('document.querySelectorAll("#graph-000 iframe").length'), 1);
});

// ---- tables ------------------------------------------------------------------------------------

test('tables sort by any column, by number where it has numbers', async page => {
    await openReport(page, report(many(12)));
    const names = () => texts(page, '.summary tbody th');

    await clickOn(page, '.summary thead th:nth-child(2) button');
    assert.deepEqual((await names()).slice(0, 2), ['graph-000', 'graph-001']);
    assert.equal(await page.value(
        'document.querySelector(".summary thead th:nth-child(2)").getAttribute("aria-sort")'),
    'descending');
    await clickOn(page, '.summary thead th:nth-child(1) button');
    await clickOn(page, '.summary thead th:nth-child(1) button');
    assert.deepEqual((await names()).slice(0, 2), ['graph-011', 'graph-010']);
});

test('tables filter as one types', async page => {
    await openReport(page, report(many(12)));
    await clickOn(page, '.summary .filter');
    await page.type('-01');
    assert.deepEqual(await texts(page, '.summary tbody th'), ['graph-010', 'graph-011']);
    await scrollTo(page, 'graph-003');
    await until(page, 'document.querySelector("#graph-003 .filter")');
    await clickOn(page, '#graph-003 .filter');
    await page.type('PARSE');
    assert.deepEqual(await texts(page, '#graph-003 .half:last-child tbody code'), ['parse']);
});

// ---- other readers -----------------------------------------------------------------------------

test('a single file has all in it, graphs and searches work, and nothing stands beside it',
    async page => {
        const file = report(TWO, ...SEARCHES, '--single-file');

        page.allowed = /^blob:|^data:/;
        await page.open(file);
        assert.equal(await page.value(`[...document.querySelectorAll('[src], [srcset], [href]')]
            .filter(one => !/^(data:|blob:|#|$)/.test(one.getAttribute('src') ||
                one.getAttribute('srcset') || one.getAttribute('href'))).length`), 0);
        await hear(page);
        await clickOn(page, '#alpha .halves a.function');
        await until(page, '/^zoom=/.test(shown.alpha)');
        await page.value('document.querySelector("#alpha .matches a.match").click()');
        await until(page, '/^zoom=.*search=.copy.$/.test(shown.alpha)');
        const labels = await page.page.frames().find(frame => frame.url().startsWith('blob:')).evaluate(
            `[...document.querySelectorAll('.panel button')].map(one => one.textContent).join()`);

        // Nobody else can open the address of a graph in the page.
        assert.match(labels, /Copy as folded stacks/);
        assert.doesNotMatch(labels, /Copy a link/);
        await page.scripts(false);
        await page.open('about:blank');
        await page.open(file);
        await until(page, 'document.querySelector("#alpha img").naturalWidth === 2400');
        assert.equal(await page.value('document.querySelector("#alpha img").clientWidth'), 1200);
        assert.equal(await page.value('document.querySelector("#alpha area").title'),
            'main (90 samples, 90.00%)');
    });

test('the page says which search is wrong or takes too long', async page => {
    const long = `main;${'a'.repeat(60)}b 5\nmain;aaa 2\n`;

    await openReport(page, report({'alpha.folded': long, 'beta.folded': BETA}, '--list-below', '0'));
    await until(page, 'document.querySelector("#alpha .live")');
    await page.page.focus('#_light');
    await page.type('^(');
    await until(page, '/missing|Unterminated/i.test(document.querySelector(".tools output").innerText)');
    await page.page.fill('#_light', '^(a+)+$');
    await until(page, 'document.querySelector(".tools output").innerText === ' +
        '"The search takes too long and was stopped."');
    await page.page.fill('#_light', '^a');
    await until(page, 'document.querySelector(".tools output").innerText === ""');
});

test('the page keeps to the policy that --csp prints, frames included', async page => {
    const policy = execFileSync(process.env.FLAMEPRESS, ['--csp'], {encoding: 'utf8'}).trim();
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.replace(/'/g, '&#39;')}">`;

    for (const options of [[], ['--single-file']]) {
        const file = report(TWO, ...SEARCHES, ...options);

        assert.ok(fs.readFileSync(file, 'utf8').includes(meta));
        await openReport(page, file);
        await hear(page);
        await clickOn(page, '#beta .halves a.function');
        await until(page, '/^zoom=/.test(shown.beta)');
    }
});

// Returns the words on each page of a PDF.
function wordsByPage(data) {
    const input = Buffer.from(data, 'base64');
    const text = execFileSync('pdftotext', ['-', '-'], {input, encoding: 'utf8'});

    return text.split('\f').slice(0, -1).map(page => page.split(/\s+/).filter(Boolean).length);
}

test('printed, it is light, still and in whole rows', async page => {
    await openReport(page, report(many(4), ...SEARCHES));
    await scrollTo(page, 'graph-001');
    await until(page, 'document.querySelector("#graph-001 .live")');
    await page.media({media: 'print', colorScheme: 'dark'});
    const style = (selector, name) => page.value(
        `getComputedStyle(document.querySelector('${selector}')).${name}`);

    assert.equal(await style('body', 'backgroundColor'), 'rgb(255, 255, 255)');
    assert.equal(await style('body', 'color'), 'rgb(0, 0, 0)');
    assert.equal(await style('#graph-001 iframe', 'display'), 'none');
    assert.equal(await style('#graph-001 .still', 'display'), 'block');
    assert.match(await page.value('document.querySelector("#graph-001 img").currentSrc'), /\.png$/);
    assert.equal(await style('.tools', 'display'), 'none');
    assert.equal(await style('#graph-001', 'breakBefore'), 'page');
    assert.equal(await style('#graph-001 tr', 'breakInside'), 'avoid');
    const {data} = await page.send('Page.printToPDF', {printBackground: true});
    const words = wordsByPage(data);

    assert.ok(words.length >= 5, `${words.length} pages`);
    assert.ok(Math.min(...words) > 5, `an empty page among ${words}`);
});

test('on a phone nothing is wider than the screen, and the graph fits it', async page => {
    await page.size(390, 844);
    await openReport(page, report(TWO, ...SEARCHES));
    assert.equal(await page.value('document.documentElement.scrollWidth'), 390);
    await scrollTo(page, 'beta');
    await until(page, 'document.querySelector("#beta .live iframe")');
    assert.ok(await inFrame(page, 'beta',
        `Number(document.documentElement.getAttribute('width')) < 390`));
    assert.equal(await page.value('document.documentElement.scrollWidth'), 390);
});

test('the image map follows a picture that the window makes smaller', async page => {
    await page.size(700, 900);
    await openReport(page, report(TWO, '--svg-script', 'none'));
    await scrollTo(page, 'alpha');
    await until(page, 'document.querySelector("#alpha area").dataset.coords');
    const scale = await page.value('document.querySelector("#alpha img").clientWidth') / 1200;
    const [, , right] = await page.value(
        `document.querySelector('#alpha area').coords.split(',').map(Number)`);

    assert.ok(scale < 0.6 && Math.abs(right - 1070 * scale) < 3, `${right} at ${scale}`);
});

test('names that would be markup are text, and work in links', async page => {
    const name = `<script>alert(1)</script> "'&#x`;

    for (const options of [[], ['--single-file']]) {
        await openReport(page, report({'a.folded': `main;${name} 3\nmain;b 1\n`}, ...options));
        assert.deepEqual(await texts(page, '.half:first-child tbody code'), [name, 'b']);
        await hear(page);
        await clickOn(page, '.half:first-child a.function');
        await until(page, '/^zoom=/.test(shown.a)');
    }
});

// The processor time that a page works until it has shown something: the least of a few runs, for
// other programs share the caches.
async function workToShow(page, file) {
    let best = Infinity;

    for (let i = 0; i < 5; i++) {
        await openReport(page, 'about:blank');
        const before = await page.worked();

        await openReport(page, file);
        await page.value(`new Promise(done => new PerformanceObserver(done)
            .observe({type: 'paint', buffered: true})).then(() => 0)`);
        best = Math.min(best, await page.worked() - before);
    }
    return best;
}

// Machines differ, so times are compared with those of a smaller page, in one run.
test('two hundred graphs: little more work to show them than twenty, frames only where the reader is',
    async page => {
        const few = await workToShow(page, report(many(20), ...SEARCHES, '--pages=one'));
        const all = await workToShow(page, report(many(200), ...SEARCHES, '--pages=one'));

        // Ten times the content may take some time more, and not ten times as long.
        assert.ok(all < 6 * few, `the page worked for ${few} and ${all} ms`);
        for (let i = 0; i < 200; i += 20)
            await scrollTo(page, `graph-${String(i).padStart(3, '0')}`);
        await until(page, 'document.querySelector(".live iframe")');
        assert.ok(await page.value('document.querySelectorAll("iframe").length') < 12);
    });

// Scrolls through the page. Returns the time that it worked for each frame of the screen.
async function scrollThrough(page, file) {
    const frames = 300;

    await openReport(page, file);
    const before = await page.worked();

    const loaded = await page.value(`(async () => {
        let loaded = 0;
        new MutationObserver(records => records.forEach(record =>
            record.addedNodes.forEach(node => { loaded += node.tagName === 'IFRAME'; })))
            .observe(document.body, {childList: true, subtree: true});
        for (let i = 0; i < ${frames}; i++) {
            scrollTo(0, 1000 + 120 * i);
            await new Promise(done => requestAnimationFrame(done));
        }
        return loaded;
    })()`);

    // On a busy machine, the user may have to wait once or twice.
    assert.ok(loaded < 6, `${loaded} graphs loaded`);
    return (await page.worked() - before) / frames;
}

test('scrolling through two hundred graphs is smooth: they are loaded where the reader rests',
    async page => {
        const few = await scrollThrough(page, report(many(50), ...SEARCHES, '--pages=one'));
        const all = await scrollThrough(page, report(many(200), ...SEARCHES, '--pages=one'));

        assert.ok(all < 3.5 * few, `${few} and ${all} ms for each frame`);
        await until(page, 'document.querySelector(".live iframe")');
    });

test('a page opened from a file can copy a link to a view', async page => {
    // A browser without windows has nobody to ask.
    await page.page.context().grantPermissions(['clipboard-write']);
    await openReport(page, report(TWO));
    await scrollTo(page, 'alpha');
    await until(page, 'document.querySelector("#alpha .live iframe")');
    const middle = async label => {
        const at = await page.value(`(r => ({x: r.x, y: r.y}))(
            document.querySelector('#alpha iframe').getBoundingClientRect())`);
        const where = await inFrame(page, 'alpha', `(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2}))(
            [...document.querySelectorAll('.button, .panel button')].find(one =>
                one.textContent.startsWith('${label}')).getBoundingClientRect())`);

        await page.click(at.x + where.x, at.y + where.y);
    };

    await middle('View');
    await middle('Copy a link');
    assert.equal(await untilInFrame(page, 'alpha', `document.querySelector('.details').textContent`),
        'Copied.');
});

module.exports = tests;
