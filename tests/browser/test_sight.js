// Controls and frames in use stay in sight: the bars, the focused frame, the width of the window.
'use strict';

const assert = require('assert').strict;
const {draw, ask, press, clickBox, hoverBox, changeAddress} = require('./graph.js');
const {report, openReport, until, clickOn, inFrame, untilInFrame} = require('./report.js');

const tests = [];
const SIZES = [[1440, 900], [768, 700], [390, 600]];
const name = i => `frame_${String(i).padStart(4, '0')}`;
const tower = count => Array.from({length: count}, (_, i) => name(i)).join(';');
const TALL = `${tower(80)} 60\nmain;other;needle 20\n${tower(40)};needle 10\nneedle 10\n`;

// Tests at each size of a window, in light and in dark.
function test(name, body) {
    for (const [width, height] of SIZES)
        tests.push({name: `${name}, ${width} px`, body, size: {width, height}});
}

const IN_WINDOW = `const seen = element => {
    const r = element.getBoundingClientRect();
    return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth + 1;
};`;
const seen = (page, selector) =>
    page.value(`(() => { ${IN_WINDOW} return seen(document.querySelector('${selector}')); })()`);

async function scroll(page, y) {
    await page.value(`new Promise(done => { scrollTo(0, ${y});
        requestAnimationFrame(() => requestAnimationFrame(done)); })`);
}

test('buttons and details are in the window wherever it is scrolled', async page => {
    await page.open(draw(TALL));
    const most = await page.value('document.documentElement.getBoundingClientRect().height - innerHeight');

    assert.ok(most > 200, `${most}`);
    for (const y of [0, most / 2, most]) {
        await scroll(page, y);
        assert.ok(await seen(page, '.button:not(.hidden)'), `buttons at ${y}`);
        await page.move(60, 300);
        assert.match(await ask(page, 'text(".details")'), /^Function: /);
        assert.ok(await seen(page, '.details'), `details at ${y}`);
    }
    await scroll(page, most / 2);
    await press(page, 'Search');
    assert.ok(await seen(page, '.panel input'));
    await page.type('needle');
    assert.ok(await seen(page, '.matched'));
});

test('facts are cut where the window or the matched share begins, with an ellipsis', async page => {
    const right = 'document.querySelector(".facts").getBoundingClientRect().right';
    const narrow = await page.value('innerWidth') < 500;
    const ends = narrow ? /…$/ : / · colours only tell frames apart$/;

    await page.open(draw('redis-benchmark.perf.gz'));
    assert.match(await ask(page, 'text(".facts")'), ends);
    assert.ok(await page.value(`${right} <= innerWidth - 9`));
    await page.key('/');
    await page.type('tcp');
    await until(page, '/^Matched/.test(document.querySelector(".matched").textContent)');
    assert.match(await ask(page, 'text(".facts")'), ends);
    const gap = await page.value(
        `document.querySelector('.matched').getBoundingClientRect().left - ${right}`);

    assert.ok(narrow ? gap >= 10 && gap < 40 : gap > 100, `${gap}`);
});

test('what a filter removes is not in the details line', async page => {
    await page.open(draw('main;read;copy 30\nmain;write;copy 70\n'));
    await hoverBox(page, 'copy');
    assert.match(await ask(page, 'text(".details")'), /^Function: copy /);
    await page.value('location.hash = "#hide=copy"');
    await until(page, 'document.querySelector(".facts").textContent.includes("hidden by filters")');
    assert.equal(await ask(page, 'text(".details")'), '');
});

test('n and N go to the matches, and say which one it is', async page => {
    await page.open(draw(TALL));
    await page.key('/');
    await page.type('^needle$');
    await page.key('Enter');
    const found = [];

    for (const key of ['n', 'n', 'n', 'n', 'N']) {
        await page.key(key);
        assert.ok(await seen(page, '.stage .ring'), `${key}: the frame is in the window`);
        found.push((await ask(page, 'text(".details")')).match(/· (.*)$/)[1]);
    }
    assert.deepEqual(found, ['1 of 3', '2 of 3', '3 of 3', '1 of 3', '3 of 3']);
});

test('the ancestors of a zoomed frame share a row, and lead back', async page => {
    await page.open(draw(TALL));
    await page.key('/');
    await page.type('^frame_0030$');
    await page.key('Enter');
    await page.key('n');
    await page.key('Enter');
    const crumbs = 'shown().filter(g => g.classList.contains("faded"))';
    const rows = `new Set(${crumbs}.map(g => g.getBoundingClientRect().top)).size`;

    assert.equal(await ask(page, rows), 1);
    assert.ok(await ask(page, `${crumbs}.length`) >= 3);
    assert.ok(await ask(page, 'place("frame_0030").width') > await page.value('document.documentElement.clientWidth') - 30);
    assert.ok(await page.value(`(() => { ${IN_WINDOW} const all = [...document.querySelectorAll(
        '.view g g')].find(g => g.textContent.startsWith('frame_0030')); return seen(all); })()`));
    assert.ok(await ask(page, 'place("frame_0029").y > place("frame_0030").y'));
    await clickBox(page, 'frame_0029');
    assert.match(await ask(page, 'text(".details")'), /^Function: frame_0029 /);
    assert.ok(await ask(page, '!box("frame_0029").classList.contains("faded")'));
    await clickBox(page, 'all');
    assert.equal(await ask(page, `${crumbs}.length`), 0);
});

test('the ancestors of a zoomed frame are seen above the details', async page => {
    await page.open(draw(TALL));
    await clickBox(page, 'frame_0070');
    assert.match(await ask(page, 'text(".details")'), /^Function: frame_0070 /);
    await page.value('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const crumb = await ask(page,
        'shown().find(g => g.classList.contains("faded")).getBoundingClientRect().toJSON()');
    const details = await page.value('document.querySelector(".details").getBoundingClientRect().top');

    assert.ok(crumb.bottom <= details, `${crumb.bottom}, details at ${details}`);
    assert.ok(crumb.top > await ask(page, 'place("frame_0070").y'));
});

test('a picture of deep stacks grows to a limit', async page => {
    await page.open(draw(`${tower(2600)} 3\n`, '--max-depth', '200'));
    await page.key('/');
    await page.type('^frame_2500$');
    await page.key('n');
    const rows = await ask(page, '(s => s.height.baseVal.value)(document.documentElement) / 16');

    assert.ok(rows > 1990 && rows < 2010, `${rows} rows`);
});

test('a frame deeper than the rows of a picture is seen when zoomed', async page => {
    await page.open(draw(`${tower(2600)} 3\n`, '--max-depth', '200'));
    await page.key('/');
    await page.type('^frame_2500$');
    await page.key('Enter');
    await page.key('n');
    await page.key('Enter');
    const top = await ask(page, 'place("frame_2500").y');

    assert.ok(top > await ask(page, 'document.querySelector(".title").getBoundingClientRect().bottom'));
    assert.ok(top < await page.value('innerHeight'));
    assert.ok(await ask(page, 'shown().every(g => g.querySelector("rect, path").getBoundingClientRect().top >= ' +
        'document.querySelector(".title").getBoundingClientRect().bottom)'));
    await page.key('Escape');
    assert.ok(await ask(page, 'shown().every(g => g.querySelector("rect, path").getBoundingClientRect().top >= ' +
        'document.querySelector(".title").getBoundingClientRect().bottom)'));
});

test('a graph fills the window from the start, and the canvas has its colour', async page => {
    for (const [scheme, canvas] of [['light', /^rgb\([12]\d\d, [12]\d\d, [12]\d\d\)$/], ['dark', /^rgb\(\d\d?, \d\d?, \d\d?\)$/]]) {
        await page.media({colorScheme: scheme});
        await page.open(draw('a;b 5\nc 5\n'));
        const all = await ask(page, 'place("all")');

        assert.ok(Math.abs(all.width - (await page.value('innerWidth') - 20)) <= 2, `${all.width}`);
        assert.match(await page.value('getComputedStyle(document.documentElement).backgroundColor'), canvas);
    }
});

test('a graph that grows or shrinks stays as wide as a window with a scroll bar', async page => {
    const file = draw(`main;read;copy 99999\n${tower(80)} 1\n`);
    const height = 'Number(document.documentElement.getAttribute("height"))';
    const heights = [];

    await page.scrollBars(true);
    await page.open(file);
    for (const place of ['', 'function=frame_0002', 'function=frame_0079', '']) {
        if (heights.length)
            await changeAddress(page, `location.hash = ${JSON.stringify(place)}`);
        await page.value('scrollBy(100, 0)');
        heights.push(await ask(page, height));
        assert.deepEqual(await page.value('[scrollX, document.documentElement.getAttribute("width")]'),
            [0, String(await page.value('visualViewport.width'))], place);
    }
    assert.ok(heights[1] > 1000 && heights[0] < 200, `${heights}`);
});

test('the theme is chosen in the menu and kept in the address', async page => {
    const ground = 'getComputedStyle(document.documentElement).backgroundColor';
    const file = draw('a;b 5\nc 5\n');

    await page.open(file);
    const light = await page.value(ground);

    await press(page, 'View');
    await press(page, 'Dark');
    const dark = await page.value(ground);

    assert.notEqual(dark, light);
    assert.equal(await page.value('location.hash'), '#theme=dark');
    await page.open('about:blank');
    await page.open(`${file}#theme=dark`);
    assert.equal(await page.value(ground), dark);
    await press(page, 'View');
    assert.equal(await ask(page, 'button("Dark").getAttribute("aria-pressed")'), 'true');
    await press(page, 'Light');
    assert.equal(await page.value(ground), light);
});

test('on a phone, the height fits what is zoomed', async page => {
    await page.open(draw(TALL));
    const height = 'document.documentElement.getBoundingClientRect().height';
    const before = await page.value(height);

    await page.key('/');
    await page.type('^other$');
    await page.key('Enter');
    await page.key('n');
    await page.key('Enter');
    const after = await page.value(height);

    assert.equal(after < before, await page.value('innerWidth') < 700, `${before} ${after}`);
    await page.key('Escape');
    assert.equal(await page.value(height), before);
});

// Waits until an element of a graph is between the page's tools and the window's lower edge.
async function untilSeen(page, graph, selector) {
    const inside = `(r => [r.top, r.bottom])(
        document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`;
    const frame = `(r => r.top)(document.querySelector("#${graph} iframe").getBoundingClientRect())`;
    const tools = '(r => r.top <= 0 ? Math.max(r.bottom, 0) : 0)(document.querySelector(".tools").getBoundingClientRect())';
    let at;

    for (let i = 0; i < 50; i++) {
        const [top, bottom] = await inFrame(page, graph, inside);
        const from = await page.value(frame);

        at = [top + from - await page.value(tools), bottom + from - await page.value('innerHeight')];
        if (at[0] >= -1 && at[1] <= 1)
            break;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.ok(at[0] >= -1 && at[1] <= 1, `${selector}: ${at}`);
}

// The line at the bottom tells about the frame, or the graph if the mouse came to another place of it.
const IN_SIGHT = ['.view:not(.hidden) g:not(.faded) > rect', '.button:not(.hidden)',
    '.details:not(:empty), .facts:not(.hidden)'];

test('in a page, a click in a table shows the frame, and the bars stay in the window', async page => {
    await openReport(page, report({'alpha.folded': TALL, 'beta.folded': 'x 1\n'}));
    await page.value('document.querySelector("#alpha").scrollIntoView()');
    await until(page, 'document.querySelector("#alpha .live")');
    await clickOn(page, '#alpha .halves a.function');
    await untilInFrame(page, 'alpha', 'document.querySelector(".view:not(.hidden) .faded")');
    for (const selector of IN_SIGHT)
        await untilSeen(page, 'alpha', selector);
});

test('a click in a table shows the frame of a graph that is further away than the window', async page => {
    const rows = Array.from({length: 60}, (_, i) => `${TALL}main;f${i};leaf_${i} 1\n`).join('');

    await openReport(page, report({'alpha.folded': rows, 'beta.folded': 'x 1\n'}, '--rows=100'));
    await page.value('document.querySelector("#alpha").scrollIntoView()');
    await until(page, 'document.querySelector("#alpha .live")');
    for (let i = 1; i <= 60; i += 20) {
        const link = `#alpha .halves tbody tr:nth-child(${i}) a.function`;
        const name = await page.value(`document.querySelector('${link}').textContent`);

        await clickOn(page, link);
        await untilInFrame(page, 'alpha', `[...document.querySelectorAll('.view:not(.hidden) g:not(.faded)')]
            .some(frame => frame.textContent.startsWith('${name} ('))`);
        for (const selector of IN_SIGHT)
            await untilSeen(page, 'alpha', selector);
    }
});

test('a click in the summary shows the frame of a graph that is not loaded yet', async page => {
    const before = Object.fromEntries(Array.from({length: 9}, (_, i) => [`a${i}.folded`, TALL]));

    await openReport(page, report({...before, 'beta.folded': TALL}));
    assert.equal(await page.value('document.querySelectorAll("#beta iframe").length'), 0);
    await clickOn(page, '.summary tr:last-child .hottest a');
    await until(page, 'document.querySelector("#beta .live")');
    await untilInFrame(page, 'beta', 'document.querySelector(".view:not(.hidden) .faded")');
    for (const selector of IN_SIGHT)
        await untilSeen(page, 'beta', selector);
});

const LONG = 'a_function_with_a_name_that_is_longer_than_the_window_of_a_telephone_'.repeat(3);

for (const [width, height] of [[1440, 900], [768, 700], [390, 700]])
    tests.push({
        name: `details end before the matched share, ${width} px`, size: {width, height},
        body: async page => {
            await page.open(`${draw(`main;${LONG} 272959\nmain;other 75123\nrest 111\n`)}#search=other`);
            const edges = `['.details', '.matched'].map(one =>
                document.querySelector(one).getBoundingClientRect()).map(r => [r.left, r.right])`;

            for (const name of ['main', LONG]) {
                await hoverBox(page, name);
                const [details, matched] = await page.value(edges);

                assert.match(await ask(page, 'text(".details")'), /^(Function: )?(main|a_func.*…) \(/);
                assert.ok(details[1] <= matched[0], `${details} ${matched}`);
            }
            await changeAddress(page, "location.hash = ''");
            await hoverBox(page, 'main');
            assert.match(await ask(page, 'text(".details")'), /^Function: main \(348,082 samples, 99\.97%\)$/);
        },
    });

module.exports = tests;
