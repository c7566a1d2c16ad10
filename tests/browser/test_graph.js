// The interactive SVG: details, zoom, search, keyboard, without scripts, light and dark.
'use strict';

const assert = require('assert');
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {draw, program, leaving, ask, clickBox, hoverBox, press} = require('./graph.js');

const SMALL = 'main;alpha;beta 30\nmain;alpha;gamma 20\nmain;delta 40\nmain;delta;tiny 1\nother 9\n';
const size = {width: 1200, height: 1300};
const tests = [];
const test = (name, body) => tests.push({name, body, size});

async function search(page, pattern) {
    await page.key('/');
    await page.type(pattern);
}

test('opens without errors or requests, and comes alive', async page => {
    await page.open(draw('postgres-pgbench.perf.xz'));
    assert.equal(await ask(page, 'document.documentElement.classList.contains("live")'), true);
    assert.ok(await ask(page, 'shown().length') > 300);
    assert.deepEqual(await ask(page, '[...document.querySelectorAll(".button:not(.hidden)")].map(one => ' +
        'one.textContent)'), ['View', 'Search']);
});

test('the first click and the first search are answered from the moment that it is alive', async page => {
    const source = `new MutationObserver((records, self) => {
        if (!document.documentElement.classList.contains('live'))
            return;
        self.disconnect();
        const on = document.querySelectorAll('.frames g path')[1];
        const {x, y, width} = on.getBoundingClientRect();
        on.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x + width / 2, clientY: y + 5}));
        queueMicrotask(() => // the end of the task, before the next frame
            window.first = [...document.querySelectorAll('.view:not(.hidden) title')].map(t => t.textContent));
        window.dispatchEvent(new KeyboardEvent('keydown', {key: '/'}));
        document.activeElement.value = '^(beta|tiny)$';
        document.activeElement.dispatchEvent(new InputEvent('input'));
        window.found = document.querySelector('.matched').textContent;
    }).observe(document, {attributes: true, subtree: true});`;

    await page.send('Page.addScriptToEvaluateOnNewDocument', {source});
    await page.open(draw(SMALL));
    assert.deepEqual(await page.value('window.first'), ['all (100 samples, 100%)',
        'main (91 samples, 91.00%)', 'alpha (50 samples, 50.00%)', 'delta (41 samples, 41.00%)',
        'beta (30 samples, 30.00%)', 'gamma (20 samples, 20.00%)', 'tiny (1 sample, 1.00%)']);
    assert.equal(await page.value('window.found'), 'Matched: 34.07% of this, 31.00% of all');
});

test('nothing is offered before it is there', async page => {
    await page.send('Page.addScriptToEvaluateOnNewDocument',
        {source: 'window.requestAnimationFrame = () => 0; window.setTimeout = () => 0;'});
    page.ready = async () => undefined;
    await page.open(draw(SMALL));
    assert.equal(await ask(page, 'document.querySelector(".live")'), null);
    assert.deepEqual(await ask(page, '[...document.querySelectorAll(".button")].map(b => ' +
        'getComputedStyle(b).display)'), ['none', 'none', 'none', 'none']);
});

test('a graph that is not drawn, as in a hidden document, answers as well', async page => {
    await page.send('Page.addScriptToEvaluateOnNewDocument',
        {source: 'window.requestAnimationFrame = () => 0;'});
    await page.open(draw(SMALL));
    assert.equal(await ask(page, 'document.documentElement.classList.contains("live")'), true);
});

test('details of the frame under the mouse', async page => {
    await page.open(draw(SMALL));
    await hoverBox(page, 'alpha');
    assert.equal(await ask(page, 'text(".details")'), 'Function: alpha (50 samples, 50.00%; 54.95% of parent)');
    assert.equal(await ask(page, 'hidden(".facts")'), true, 'one line at a time');
    await page.move(600, 5);
    assert.equal(await ask(page, 'text(".details")'), '');
    assert.equal(await ask(page, 'hidden(".facts")'), false);
});

test('--nametype, --countname and --factor reach the details line', async page => {
    await page.open(draw(SMALL, '--nametype', 'Call:', '--countname', 'ticks', '--factor', '1000'));
    await hoverBox(page, 'delta');
    assert.equal(await ask(page, 'text(".details")'), 'Call: delta (41,000 ticks, 41.00%; 45.05% of parent)');
});

test('a frame too thin for a title has details and appears when zoomed', async page => {
    await page.open(draw('a;thin 2\na;b 1998\n'));
    assert.equal(await ask(page, '!!box("thin")'), false);
    await page.move(1189, (await ask(page, 'place("b")')).cy);
    assert.equal(await ask(page, 'text(".details")'), 'Function: thin (2 samples, 0.10%)');
    await page.click(1189, (await ask(page, 'place("b")')).cy);
    assert.deepEqual(await ask(page, '[place("thin").x, place("thin").width]'), [10, 1179]);
    assert.equal(await ask(page, 'box("thin").querySelector("text").textContent'), 'thin');
    assert.equal(await ask(page, 'hidden(".thin")'), true);
});

test('zoom shows the subtree at full width and fades the ancestors', async page => {
    await page.open(draw(SMALL));
    assert.equal(await ask(page, 'button("Reset Zoom").classList.contains("hidden")'), true, 'nothing to reset');
    await clickBox(page, 'alpha');
    assert.deepEqual(await ask(page, '[place("alpha").x, place("alpha").width]'), [10, 1179]);
    assert.deepEqual(await ask(page, '[place("beta").x, place("beta").width]'), [10, 707]);
    assert.deepEqual(await ask(page, '[place("gamma").x, place("gamma").width]'), [718, 471]);
    assert.equal(await ask(page, '!!box("delta") || !!box("other")'), false);
    assert.equal(await ask(page, 'box("main").classList.contains("faded")'), true);
    assert.equal(await ask(page, 'box("all").classList.contains("faded")'), true);
    assert.equal(await ask(page, 'box("alpha").classList.contains("faded")'), false);
});

for (const [how, reset] of [
    ['the button', page => press(page, 'Reset Zoom')],
    ['Escape', page => page.key('Escape')],
    ['a click on the root', page => clickBox(page, 'all')],
]) {
    test(`zoom is reset by ${how}, to what the file says`, async page => {
        const state = `JSON.stringify(shown().map(g => [g.querySelector('rect, path').outerHTML,
            g.querySelector('text')?.textContent, g.querySelector('text')?.getAttribute('x'),
            g.querySelector('text')?.getAttribute('textLength'), g.classList.contains('faded')]))`;

        await page.open(draw('postgres-pgbench.perf.xz'));
        const before = await ask(page, state);

        await clickBox(page, 'postgres');
        assert.notEqual(await ask(page, state), before);
        await reset(page);
        assert.equal(await ask(page, state), before);
        assert.equal(await ask(page, 'hidden(".thin")'), false);
    });
}

test('beside the frames there is nothing to click', async page => {
    await page.open(draw('main;parse 30\nmain;sort 10\n'));
    await clickBox(page, 'parse');
    const wide = await ask(page, 'place("parse").width');

    for (const [name, x] of [['parse', 'left - 4'], ['parse', 'right + 4'], ['all', 'left - 4']]) {
        const at = await ask(page, `(r => ({x: r.${x}, y: r.top + 5}))(
            box(${JSON.stringify(name)}).querySelector('rect, path').getBoundingClientRect())`);

        await page.move(at.x, at.y);
        assert.equal(await ask(page, 'text(".details")'), '', `${name}, ${x}`);
        await page.click(at.x, at.y);
        assert.equal(await ask(page, 'place("parse").width'), wide, `${name}, ${x}`);
    }
});

test('labels are fitted again when zoomed', async page => {
    const name = 'a_function_with_a_rather_long_name_that_does_not_fit_at_first';

    await page.open(draw(`x;${name} 1\nx 19\n`));
    assert.match(await ask(page, `box("${name}").querySelector("text").textContent`), /^a_.*…$/);
    await clickBox(page, name);
    assert.equal(await ask(page, `box("${name}").querySelector("text").textContent`), name);
    assert.ok(await ask(page, `shown().every(g => !g.querySelector('text') ||
        g.querySelector('text').getComputedTextLength() <=
        g.querySelector('rect, path').getBoundingClientRect().width)`));
});

test('search counts every sample once', async page => {
    await page.open(draw('a;b;a;c 10\na;c 5\nd;c 20\nd;e 65\n'));
    await search(page, '^(a|c)$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 35.00%');
    assert.equal(await ask(page, 'document.querySelectorAll(".marks rect").length'), 5);
    assert.equal(await ask(page,
        'getComputedStyle(document.querySelector(".marks rect")).fill'), 'rgb(230, 0, 230)');
});

test('frames too thin for the first view are found', async page => {
    await page.open(draw('a;b 50000\na;c;deep 4\nd 49996\n', '--minwidth', '5'));
    await search(page, '^deep$|^b$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 50.00%');
    await page.key('Escape');
    await search(page, '^deep$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
});

test('frames that the file has no room for make the match a least value', async page => {
    const stacks = Array.from({length: 5000}, (_, i) => `a;b${i % 50};c${i} 1`).join('\n');

    await page.open(draw(`${stacks}\nheavy 95000\n`, leaving(26000)));
    await search(page, '^c77$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: ≥ 0.00%');
    await page.key('Escape');
    await search(page, '.');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 100.00%');
    await clickBox(page, 'b7');
    assert.equal(await ask(page, 'box("(left out)").querySelector("title").textContent'),
        '(left out) (100 samples, 0.10%)');
});

test('what the file has no room for is reported where nothing else is', async page => {
    const stacks = Array.from({length: 5000}, (_, i) => `a;b${i % 50};c${i} 1`).join('\n');
    const told = 'document.querySelector(".left-out").getBoundingClientRect()';

    await page.open(draw(`${stacks}\nheavy 95000\n`, leaving(26000)));
    assert.match(await ask(page, 'text(".left-out")'),
        /^left out to limit the file's size: [\d,]+ frames \(\d\.\d%\)$/);
    const at = JSON.parse(await ask(page, `JSON.stringify(${told})`));

    assert.ok(at.left > 600 && Math.abs(at.right - 1190) < 1.5, `${at.left} to ${at.right}`);
    await hoverBox(page, 'heavy');
    assert.equal(await ask(page, 'hidden(".left-out")'), true, 'one line at a time');
    await page.move(600, 5);
    assert.equal(await ask(page, 'hidden(".left-out")'), false);
    await search(page, '^heavy$');
    assert.equal(await ask(page, 'hidden(".left-out")'), true, 'the match stands there');
});

test('a long name leaves room for its numbers', async page => {
    await page.open(draw(`${'long_name_'.repeat(60)} 10\n`));
    await page.move(600, 45);
    assert.match(await ask(page, 'text(".details")'), /^Function: long_.*… \(10 samples, 100%\)$/);
    assert.ok(await ask(page, 'document.querySelector(".details").getComputedTextLength()') < 1181);
});

test('search looks at names, not at the rest of the title', async page => {
    await page.open(draw(SMALL));
    await search(page, 'samples|%|Function');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
});

test('search follows the zoom', async page => {
    await page.open(draw(SMALL));
    await search(page, 'beta|other');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 39.00%');
    await page.key('Enter');
    await clickBox(page, 'alpha');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 60.00% of this, 39.00% of all');
    await clickBox(page, 'beta');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 100.00% of this, 39.00% of all');
    await page.key('Escape');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 39.00%');
    await page.key('Escape');
    assert.equal(await ask(page, 'text(".matched")'), '');
    assert.equal(await ask(page, 'document.querySelectorAll(".marks *").length'), 0);
});

test('Ctrl-F searches, Ctrl-I ignores case, a bad pattern says so', async page => {
    await page.open(draw(SMALL));
    await page.key('f', {ctrl: true});
    await page.type('BETA');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
    await page.key('i', {ctrl: true});
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 30.00%');
    await page.key('i', {ctrl: true});
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
    await page.type('|(');
    assert.equal(await ask(page, 'text(".matched")'), '');
    assert.match(await ask(page, 'text(".note.wrong")'), /[Ii]nvalid regular expression|unterminated/);
    assert.equal(await ask(page, 'document.querySelector("input").validity.valid'), false);
    assert.ok(await ask(page, `(([note, field, panel]) => note.top >= field.bottom &&
        note.bottom <= panel.bottom)(['.note', '.panel input', '.search'].map(one =>
            document.querySelector(one).getBoundingClientRect()))`), 'it is below the field');
    await page.key('Backspace');
    assert.equal(await ask(page, 'text(".note")'), '');
    assert.equal(await ask(page, 'document.querySelector("input").validity.valid'), true);
});

test('a name that is no regular expression is searched as text, and any pattern if asked', async page => {
    const file = draw('operator[](int) 10\nstd::vector{int} 20\nfoo(int) 30\na-b 25\nfoo_bar 15\n');

    await page.open(file);
    for (const [pattern, share, note] of [['operator[]', '10', 'Searched as text.'],
        ['std::vector{', '20', 'Searched as text.'], ['foo(', '30', 'Searched as text.'],
        ['a\\-b', '25', ''], ['foo\\_bar', '15', ''], ['foo.', '45', '']]) {
        await search(page, pattern);
        assert.equal(await ask(page, 'text(".matched")'), `Matched: ${share}.00%`, pattern);
        assert.equal(await ask(page, 'text(".note")'), note, pattern);
        await page.key('Escape');
    }
    await search(page, 'foo.');
    await press(page, '.*');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
    assert.equal(await page.value('location.hash'), '#search=foo.&as=text');
    await page.open('about:blank');
    await page.open(`${file}#search=foo.&as=text`);
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 0.00%');
    assert.equal(await ask(page, 'button(".*").getAttribute("aria-pressed")'), 'false');
});

test('all searches of the report are offered', async page => {
    const names = Array.from({length: 25}, (_, i) => `search ${String.fromCharCode(97 + i)}`);

    await page.open(draw(SMALL, ...names.flatMap(name => ['--search', `${name}=beta`])));
    await press(page, 'Search');
    assert.equal(await ask(page, 'document.querySelectorAll(".preset").length'), 25);
    await ask(page, 'button("search y").scrollIntoView()');
    await press(page, 'search y');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 30.00%');
});

test('the root, which is no function, is not searched', async page => {
    await page.open(draw('main;alpha 1\nall;beta 3\n'));
    await search(page, '^al');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 100.00%');
    assert.equal(await ask(page, 'document.querySelectorAll(".marks rect").length'), 2);
    await page.open(draw('main;alpha 1\nmain;beta 3\n'));
    await search(page, '^al');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 25.00%');
});

test('the search is that of the report', async page => {
    const file = draw('sqlite-orders.perf', '--minwidth', '0');
    const out = process.env.WORK + '/report';

    execFileSync(process.env.FLAMEPRESS, ['report', __dirname + '/../../samples/sqlite-orders.perf',
        '-o', out, '--quiet', '--search', 'wanted=btree|[Vv]dbe']);
    const report = fs.readFileSync(out + '/report.md', 'utf8').replace(/\\/g, '');

    await page.open(file);
    await search(page, 'btree|[Vv]dbe');
    const [, percent] = (await ask(page, 'text(".matched")')).match(/Matched: ([\d.]+)%/);

    assert.ok(Number(percent) > 1, `${percent}% is no test`);
    assert.match(report, new RegExp(`wanted .* ${percent} %`));
});

test('weights beyond 2^53 are exact', async page => {
    await page.open(draw('a 9007199254740993\nb 9007199254740992\n'));
    await hoverBox(page, 'a');
    assert.equal(await ask(page, 'text(".details")'),
        'Function: a (9,007,199,254,740,993 samples, 50.00%)');
    await search(page, '^[ab]$');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 100.00%');
    await clickBox(page, 'b');
    assert.equal(await ask(page, 'place("b").width'), 1179);
});

test('fractional weights', async page => {
    await page.open(draw('a;b 0.25\na;c 1.5\na 0.0005\n'));
    await hoverBox(page, 'a');
    assert.equal(await ask(page, 'text(".details")'), 'Function: a (1.7505 samples, 100%)');
});

test('names are text, whatever is in them', async page => {
    const names = ['<script>alert(1)</script>', ']]>', 'a&b', '"x" \'y\'', 'f(x) (y)', '漢字', '{{x}}'];

    await page.open(draw(names.map(name => `${name} 10`).join('\n') + '\n\x01bell\x07 10\n'));
    for (const name of names) {
        await hoverBox(page, name);
        assert.equal(await ask(page, 'text(".details")'),
            `Function: ${name} (10 samples, 12.50%)`);
    }
    await hoverBox(page, '\ufffdbell\ufffd');
    assert.equal(await ask(page, 'document.querySelectorAll("script").length'), 1);
});

test('the keyboard reaches what the mouse does', async page => {
    await page.open(draw(SMALL));
    await page.key('Tab');
    assert.match(await ask(page, 'text(".details")'), /^Function: all /);
    assert.equal(await ask(page, 'hidden(".ring")'), false);
    for (const [key, name] of [['ArrowUp', 'main'], ['ArrowUp', 'alpha'], ['ArrowRight', 'delta'],
        ['ArrowLeft', 'alpha'], ['ArrowUp', 'beta'], ['ArrowRight', 'gamma'], ['ArrowDown', 'alpha'],
        ['Home', 'all'], ['ArrowDown', 'all'], ['ArrowUp', 'main'], ['ArrowRight', 'other']]) {
        await page.key(key);
        assert.ok((await ask(page, 'text(".details")')).startsWith(`Function: ${name} (`),
            `${key} goes to ${name}: ${await ask(page, 'text(".details")')}`);
    }
    await page.key('Enter');
    assert.equal(await ask(page, 'place("other").width'), 1179);
    await page.key('Escape');
    assert.ok(await ask(page, 'place("other").width') < 200);
    for (const label of ['View', 'Search']) {
        await page.key('Tab');
        assert.equal(await page.value('document.activeElement.textContent'), label);
    }
    await page.key('Enter');
    await page.type('beta');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 30.00%');
});

test('upside down, up and down change places', async page => {
    await page.open(draw(SMALL, '--inverted'));
    assert.ok(await ask(page, 'place("all").y < place("main").y'));
    await page.key('Tab');
    await page.key('ArrowDown');
    assert.match(await ask(page, 'text(".details")'), /^Function: main /);
    await hoverBox(page, 'beta');
    assert.match(await ask(page, 'text(".details")'), /^Function: beta /);
});

test('an address says nothing that the picture has anyway', async page => {
    await page.open(draw(SMALL, '--inverted'));
    await page.key('Tab');
    await page.key('ArrowDown');
    await page.key('ArrowDown');
    await page.key('Enter');
    assert.match(await ask(page, 'location.hash'), /^#zoom=\w+$/);
});

test('complete with scripts off', async page => {
    await page.scripts(false);
    await page.open(draw(SMALL));
    await page.scripts(true);
    assert.equal(await ask(page, 'document.querySelectorAll(".button").length'), 0);
    assert.deepEqual(await ask(page, 'shown().map(g => g.querySelector("text")?.textContent)'),
        ['all', 'main', 'other', 'alpha', 'delta', 'beta', 'gamma', null]);
    assert.equal(await ask(page, 'box("tiny").querySelector("title").textContent'),
        'tiny (1 sample, 1.00%)');
});

// Returns the least contrast of a shown label with its box, and the colours of the page around
// both.
const COLORS = `(() => {
    const style = (node, name) => getComputedStyle(node)[name];
    const channels = color => color.match(/\\d+/g).map(Number).map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const light = color => channels(color)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0) + 0.05;
    const contrast = (a, b) => Math.max(a, b) / Math.min(a, b);
    const labels = shown().filter(g => g.querySelector('text') && !g.matches('.faded'));
    const least = Math.min(...labels.map(g => contrast(light(style(g.querySelector('rect, path'), 'fill')),
        light(style(g.querySelector('text'), 'fill')))));

    return {
        labels: labels.length, readable: least >= 4.5,
        fill: style(labels[0].querySelector('rect, path'), 'fill'),
        ground: style(document.querySelector('stop') || document.querySelector('.ground'),
            document.querySelector('stop') ? 'stopColor' : 'fill'),
        title: style(document.querySelector('.title'), 'fill'),
    };
})()`;

test('light and dark follow the reader', async page => {
    await page.open(draw(SMALL, '--colors', 'red'));
    const light = await ask(page, COLORS);

    assert.equal(light.ground, 'rgb(248, 248, 248)');
    assert.equal(light.title, 'rgb(31, 35, 40)');
    assert.ok(light.readable);
    await page.media({colorScheme: 'dark'});
    const dark = await ask(page, COLORS);

    assert.equal(dark.ground, 'rgb(23, 25, 30)');
    assert.equal(dark.title, 'rgb(232, 234, 237)');
    assert.notEqual(dark.fill, light.fill);
    assert.ok(dark.readable && dark.labels === light.labels);
    const fills = 'shown().slice(0, 2).map(g => getComputedStyle(g.querySelector("rect, path")).fill)';
    const before = await ask(page, fills);

    // The script draws in the same colours as the markup.
    await clickBox(page, 'main');
    assert.deepEqual(await ask(page, fills), before);
    assert.ok((await ask(page, COLORS)).readable);
    await page.media({colorScheme: 'light'});
    assert.notDeepEqual(await ask(page, fills), before);
    assert.ok((await ask(page, COLORS)).readable);
});

test('a function that is a link can be followed and zoomed', async page => {
    const names = path.join(process.env.WORK, 'names');
    const link = 'box("x").querySelector("a")';

    fs.writeFileSync(names, 'b\thref=#there\ttarget=_self\ttitle=x (y)\tclass=mine\n');
    await page.open(draw('a;b;c 3\na;d 2\n', '--nameattr', names));
    assert.equal(await ask(page, `${link}.getAttribute("href")`), '#there');
    assert.equal(await ask(page, 'document.querySelectorAll(".mine").length'), 1);
    await clickBox(page, 'x');
    assert.equal(await ask(page, 'location.hash'), '#there');
    assert.ok(await ask(page, 'hidden(".view")'), 'a click follows the link and does not zoom');
    await ask(page, `${link}.dispatchEvent(new MouseEvent("click", {ctrlKey: true,
        bubbles: true, cancelable: true, clientX: place("x").cx, clientY: place("x").cy}))`);
    assert.ok(!await ask(page, 'hidden(".view")'));
    assert.equal(await ask(page, `${link}.getAttribute("href")`), '#there');
    assert.equal(await ask(page, 'document.querySelectorAll(".view .mine").length'), 1);
});

test('colours by self weight are those of the file, in all views', async page => {
    const fill = name => `getComputedStyle(box("${name}").querySelector("rect, path")).fill`;

    await page.open(draw('a;b 3\na;c;b 1\na 4\n', '--colors', 'self'));
    const before = [await ask(page, fill('a')), await ask(page, fill('b'))];

    assert.deepEqual(before, ['rgb(240, 165, 122)', 'rgb(230, 90, 20)']);
    await clickBox(page, 'a');
    assert.deepEqual([await ask(page, fill('a')), await ask(page, fill('b'))], before);
});

test('a background of the user\'s own is the same for all readers', async page => {
    for (const [color, ground] of [['#000000', 'rgb(0, 0, 0)'], ['#ffeedd', 'rgb(255, 238, 221)']]) {
        await page.open(draw(SMALL, '--bgcolors', color));
        const light = await ask(page, COLORS);

        assert.equal(light.ground, ground);
        assert.ok(light.readable);
        await page.media({colorScheme: 'dark'});
        assert.deepEqual(await ask(page, COLORS), light);
        await clickBox(page, 'main');
        assert.ok((await ask(page, COLORS)).readable);
        await page.media({colorScheme: 'light'});
    }
});

test('two graphs in one page, under a strict content security policy', async page => {
    const graphs = [draw(SMALL), draw('x;y 3\nx 1\n')]
        .map(file => fs.readFileSync(file, 'utf8').replace(/^<\?xml.*\n/, ''));
    const hash = text =>
        `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;
    const inside = tag => graphs[0].match(`<${tag}>([^]*?)</${tag}>`)[1]
        .replace(/^<!\[CDATA\[/, '').replace(/]]>$/, '');
    const policy = `default-src 'none'; script-src ${hash(inside('script'))} ` +
        `${hash(program())}; style-src ${hash(inside('style'))}`;
    const file = process.env.WORK + '/page.html';

    fs.writeFileSync(file, `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>two</title><body>${graphs.join('')}</body>`);
    await page.open(file);
    assert.equal(await ask(page, 'document.querySelectorAll("svg.live").length'), 2);
    await hoverBox(page, 'y');
    assert.deepEqual(await ask(page,
        '[...document.querySelectorAll(".details")].map(e => e.textContent)'),
    ['', 'Function: y (3 samples, 75.00%)']);
    await page.key('/');
    assert.equal(await ask(page, '[...document.querySelectorAll("foreignObject")]' +
        '.every(e => e.classList.contains("hidden"))'), true, 'keys belong to the page');
});

test('a tooltip has self, and shares of the parent, of the zoomed frame and of all', async page => {
    const titles = () => ask(page, `[...document.querySelectorAll('.stage title')]
        .map(title => title.textContent).filter(text => text.includes('\\n'))`);

    await page.open(draw('main;read;copy;move 10\nmain;read;copy 5\nmain;read 5\nmain;write 20\nrest 10\n'));
    await hoverBox(page, 'copy');
    assert.deepEqual(await titles(),
        ['copy (15 samples, 30.00%)\nself 5 samples, 10.00%\n75.00% of read']);
    await hoverBox(page, 'main');
    assert.deepEqual(await titles(), ['main (40 samples, 80.00%)\nself 0 samples, 0.00%']);
    await clickBox(page, 'main');
    await hoverBox(page, 'copy');
    assert.deepEqual(await titles(), ['copy (15 samples, 30.00%)\nself 5 samples, 10.00%\n' +
        '75.00% of read\n37.50% of main']);
    await hoverBox(page, 'all');
    assert.deepEqual(await titles(), []);
});

const LINKED = ['--source-url', 'https://code.example/a&b/{file}#L{line}'];

// Draws a CPU profile of main, which calls read, which is native code.
function drawWithSources(...options) {
    const frame = (functionName, url, lineNumber) => ({functionName, url, lineNumber, columnNumber: 0});
    const file = path.join(process.env.WORK, 'sources.cpuprofile');
    const nodes = [
        {id: 1, callFrame: frame('(root)', '', -1), children: [2, 4]},
        {id: 2, callFrame: frame('main', 'file:///srv/app.js', 41), children: [3]},
        {id: 3, callFrame: frame('read', '', -1)},
        {id: 4, callFrame: frame('<b>', 'file:///srv/<i>&.js', 6)},
    ];

    fs.writeFileSync(file, JSON.stringify({nodes, startTime: 0, endTime: 50,
        samples: [2, 3, 3, 4, 4], timeDeltas: [10, 10, 10, 10, 10]}));
    return draw(path.relative(path.join(__dirname, '../../samples'), file), ...options);
}

test('tooltips have the module and the source line if the input has them', async page => {
    const tooltip = async name => {
        await hoverBox(page, name);
        return ask(page, `box(${JSON.stringify(name)}).querySelector('title').textContent.split('\\n').slice(1)`);
    };
    const at = name => ask(page, `place(${JSON.stringify(name)})`);
    const menu = async name => {
        const {cx, cy} = await at(name);

        await page.page.mouse.click(cx, cy, {button: 'right'});
        return ask(page, 'button("Copy file and line").disabled');
    };

    await page.open(drawWithSources());
    const main = await tooltip('main');

    assert.ok(main.includes('source app.js:42'), main.join());
    assert.ok((await tooltip('<b>')).includes('source <i>&.js:7'));
    assert.ok(!(await tooltip('read')).some(line => line.startsWith('source')));
    assert.equal(await menu('main'), false);
    await page.value(`navigator.clipboard.writeText = async text => { window.copied = text; }`);
    await press(page, 'Copy file and line');
    assert.equal(await page.value('window.copied'), 'app.js:42');
    assert.equal(await menu('read'), true);
    await page.open(draw('postgres-pgbench.perf.xz'));
    const postgres = await tooltip('PostgresMain');

    assert.ok(postgres.includes('module postgres'), postgres.join());
    await page.open(draw(SMALL));
    assert.ok(!(await tooltip('beta')).some(line => /^(module|source) /.test(line)));
});

test('--source-url lets the menu of a frame open its source line', async page => {
    const open = async name => {
        const {cx, cy} = await ask(page, `place(${JSON.stringify(name)})`);

        await page.page.mouse.click(cx, cy, {button: 'right'});
        if (await ask(page, '!button("Open its source line") || button("Open its source line").disabled'))
            return null;
        await page.value('window.open = (...all) => { window.opened = all; }');
        await press(page, 'Open its source line');
        return page.value('window.opened');
    };

    await page.open(drawWithSources(...LINKED));
    await hoverBox(page, 'main');
    assert.match(await ask(page, 'box("main").querySelector("title").textContent'),
        /^source file:\/\/\/srv\/app\.js:42$/m);
    assert.deepEqual(await open('main'),
        ['https://code.example/a&b/srv/app.js#L42', '_blank', 'noopener']);
    assert.equal((await open('<b>'))[0], 'https://code.example/a&b/srv/%3Ci%3E%26.js#L7');
    assert.equal(await open('read'), null, 'its source line is unknown');
    await page.open(drawWithSources());
    assert.equal(await open('main'), null);
    for (const address of ['javascript:alert(1)//{file}', 'https://code.example/'])
        assert.throws(() => drawWithSources('--source-url', address), /expected an address that/);
});

test('modules and source lines stay with their functions in a differential graph', async page => {
    drawWithSources();
    const file = path.join(process.env.WORK, 'sources.cpuprofile');
    const svg = path.join(process.env.WORK, 'sources-diff.svg');

    execFileSync(process.env.FLAMEPRESS, ['diff', file, file, '-o', svg, '--quiet', ...LINKED]);
    await page.open(svg);
    for (const [name, source] of [['main', 'file:///srv/app.js:42'], ['<b>', 'file:///srv/<i>&.js:7']]) {
        await hoverBox(page, name);
        assert.deepEqual(await ask(page, `box(${JSON.stringify(name)}).querySelector('title')
            .textContent.split('\\n').slice(1)`), ['source ' + source]);
    }
});

// Returns how long the page works to search and zoom in a graph of so many stacks.
async function workIn(page, count) {
    let stacks = '';

    for (let i = 0; i < count; i++)
        stacks += `a${i % 7};b${i % 11};c${i % 101};d${i % 1009};e${i} ${1 + i % 13}\n`;
    await page.open(draw(stacks, '--minwidth', '0'));
    const start = await page.worked();

    await search(page, 'c5');
    await clickBox(page, 'a3');
    await ask(page, '0');
    return await page.worked() - start;
}

test('a large graph takes no more time for a frame than a small one', async page => {
    const few = await workIn(page, 2000);
    const many = await workIn(page, 20000);

    assert.ok(many < 6 * few, `search and zoom take ${few} and ${many} ms`);
});

module.exports = tests;
