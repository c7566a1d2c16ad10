// Filters in the browser equal the program's, and the menu of a frame acts on that frame.
'use strict';

const assert = require('assert').strict;
const path = require('path');
const {execFileSync} = require('child_process');
const {draw, ask, press, clickBox, openMenu, goBack, hold} = require('./graph.js');

const tests = [];
const SIZES = [[1440, 900], [768, 700], [390, 700]];
const test = (name, body) => tests.push({name, body, size: {width: 1440, height: 900}});
const each = (name, body) => SIZES.forEach(([width, height]) =>
    tests.push({name: `${name}, ${width} px`, body, size: {width, height}}));
const STACKS = 'main;read;copy 30\nmain;write;copy 20\nmain;write;write;flush 5\nidle;wait 45\n';
const TITLES = 'shown().map(g => g.querySelector("title").textContent).sort()';
const FILES = ['redis-benchmark.perf.gz', 'rustc-compile.perf.gz', 'jvm-streams.perf.gz'];
const FILTERS = [['focus', 'tcp|parse|java'], ['ignore', '^sys|_start|read'], ['hide', '_(.)|::'],
    ['show', 'e'], ['show-from', 'main|run|do_'], ['collapse-recursion', null],
    ['prune-from', 'tcp_|alloc|call'], ['collapse-module', '^lib|redis|kernel|rustc|jit']];

// Returns the address and the options of filters.
function both(filters) {
    return {
        address: filters.map(([role, pattern]) =>
            `${role}=${pattern === null ? '1' : encodeURIComponent(pattern)}`).join('&'),
        options: filters.map(([role, pattern]) => `--${role}${pattern === null ? '' : `=${pattern}`}`),
    };
}

for (const file of FILES)
    test(`filters of the browser equal the program's to the digit: ${file}`, async page => {
        const chosen = [...FILTERS.map(one => [one]), [FILTERS[1], FILTERS[2], FILTERS[5]],
            [FILTERS[0], FILTERS[3]], [FILTERS[2], FILTERS[6], FILTERS[7]]];
        const plain = draw(file);

        for (const filters of chosen) {
            const {address, options} = both(filters);

            await page.open(draw(file, ...options));
            const want = await ask(page, TITLES);

            assert.ok(want.length > 3, `${options}: ${want.length}`);
            await page.open(`${plain}#${address}`);
            assert.deepEqual(await ask(page, TITLES), want, `${options}`);
        }
        await page.open('about:blank');
        await page.open(plain);
        const all = await ask(page, TITLES);

        await page.open('about:blank');
        await page.open(`${plain}#${both([FILTERS[2]]).address}`);
        assert.notDeepEqual(await ask(page, TITLES), all);
        await press(page, 'Clear Filters');
        assert.deepEqual(await ask(page, TITLES), all);
    });

test('the share of a search is that of the stacks that filters leave', async page => {
    const matched = () => ask(page, 'text(".matched")');

    await page.open(`${draw(STACKS)}#search=write`);
    assert.equal(await matched(), 'Matched: 25.00%');
    await openMenu(page, 'read');
    await press(page, 'Drop its stacks');
    assert.equal(await matched(), 'Matched: 35.71%');
    await press(page, 'View');
    await press(page, 'Drop what is found');
    assert.equal(await matched(), 'Matched: 0.00%');
    await goBack(page);
    assert.equal(await matched(), 'Matched: 35.71%');
    await press(page, 'Clear Filters');
    assert.equal(await matched(), 'Matched: 25.00%');
});

// bpftrace writes samples without a stack as "@[]".
const STACKLESS = '@[]: 60\n@[\n    read+1\n    main+2\n]: 30\n@[\n    write+1\n    main+2\n]: 10\n';

test('weight without a stack is filtered as the program filters it', async page => {
    const rows = [ // the share of write's 10 of what each filter leaves
        ['ignore=^read$', 'Matched: 14.29%'], ['hide=^read$', 'Matched: 10.00%'],
        ['hide=main|read', 'Matched: 14.29%'], ['focus=main', 'Matched: 25.00%'],
        ['show=write', 'Matched: 100.00%'], ['show-from=main', 'Matched: 25.00%'],
        ['prune-from=^read$', 'Matched: 10.00%'], ['collapse-recursion=1', 'Matched: 10.00%'],
    ];
    const shownNow = async () => [await ask(page, 'text(".matched")'), await ask(page, TITLES)];

    for (const [filter, share] of rows) {
        const option = `--${filter.replace('recursion=1', 'recursion')}`;

        await page.open(`${draw(STACKLESS, option)}#search=write`);
        const want = await shownNow();

        assert.equal(want[0], share, `the program: ${filter}`);
        await page.open(`${draw(STACKLESS)}#${filter}&search=write`);
        assert.deepEqual(await shownNow(), want, filter);
    }
});

// The texts of the boxes from the top to the bottom and from the left to the right.
const IN_PLACE = `shown().map(g => g.querySelector("rect, path").getBoundingClientRect()).map((r, i) =>
    [Math.round(r.y), Math.round(r.x), shown()[i].querySelector("title").textContent])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([y, x, text]) => text)`;

test('a module is collapsed by the menu, in the places of the program\'s frames', async page => {
    const plain = draw('redis-benchmark.perf.gz');

    await page.open(draw('redis-benchmark.perf.gz', '--collapse-module=^\\[kernel\\]$'));
    const want = await ask(page, IN_PLACE);

    await page.open(plain);
    const all = await ask(page, IN_PLACE);

    await openMenu(page, 'tcp_sendmsg');
    await press(page, 'Collapse its module');
    assert.equal(await page.value('location.hash'), '#collapse-module=%5E%5C%5Bkernel%5C%5D%24');
    assert.deepEqual(await ask(page, IN_PLACE), want);
    assert.ok(!want.some(text => text.startsWith('tcp_sendmsg')));
    await openMenu(page, '[kernel]');
    assert.equal(await page.value(`[...document.querySelectorAll('.menu.frame button')]
        .find(one => one.textContent === 'Collapse its module').disabled`), true);
    await page.key('Escape');
    await goBack(page);
    assert.deepEqual(await ask(page, IN_PLACE), all);
});

const sample = frames => `app 7 1.000000: 10 cycles:\n${frames.map(([name, module]) =>
    `\t1a2b ${name} (${module})\n`).join('')}\n`;
const LIBC = '/usr/lib/libc.so.6', APP = '/srv/app/app.bin';
const INLINED = [
    [['fill', LIBC], ['copy', 'inlined'], ['read', LIBC], ['main', APP]],
    [['work', APP], ['fill', LIBC], ['main', APP]], [['step', 'inlined'], ['main', APP]],
].map(sample).join('');

test('a collapsed module has its inlined functions, as the program has them', async page => {
    for (const pattern of ['^libc', 'app|libc']) {
        await page.open(draw(INLINED, `--collapse-module=${pattern}`));
        const want = await ask(page, IN_PLACE);

        await page.open(`${draw(INLINED)}#collapse-module=${encodeURIComponent(pattern)}`);
        assert.deepEqual(await ask(page, IN_PLACE), want, pattern);
        assert.ok(!want.some(text => text.startsWith('copy')));
    }
});

test('a collapsed module has the colour that the program gives it', async page => {
    const colours = `Object.fromEntries(shown().map(g => [g.querySelector('title').textContent.replace(/ \\(.*/, ''),
        getComputedStyle(g.querySelector('rect, path'))[g.querySelector('rect') ? 'fill' : 'stroke']]))`;

    for (const options of [[], ['--colors=module'], ['--colors=search', '--search=x=libc'], ['--hash']]) {
        await page.open(draw(INLINED, '--collapse-module=.', ...options));
        const want = await ask(page, colours);

        await page.open(`${draw(INLINED, ...options)}#collapse-module=.`);
        const seen = await ask(page, colours);

        assert.ok(seen['libc.so.6'] && seen['app.bin'], Object.keys(seen));
        assert.deepEqual(seen, want, options);
    }
});

// Modules with paths of Windows and with queries of URLs.
const WHOLE = [['run', 'C:\\Users\\ann\\app.exe'], ['main', 'https://a.example/x/app.js?token=1'],
    ['start', '/srv/ann/start.bin']];
test('the total of a filtered graph is written as the program writes it', async page => {
    const weights = [557557557, 1234567, 999999, 12, 99950000, 1048576000, 1073741824, 1000, 1023, 8191999999];
    const facts = 'text(".facts").split(" · ")[0]';

    for (const [options, scale] of [[['--countname=ns']], [['--countname=us']], [['--countname=seconds'], 1e-6],
        [['--countname=calls']], [['--countname=ns', '--factor=0.37']]])
        for (const weight of weights) {
            const stacks = `a;b ${weight * (scale || 1)}\nc;d ${weight * (scale || 1) * 3}\n`;

            await page.open(draw(stacks.replace(/^c.*/m, ''), ...options));
            const want = await ask(page, facts);

            await page.open(`${draw(stacks, ...options)}#focus=b`);
            assert.equal(await ask(page, facts), want, `${weight} ${options}`);
        }
    for (const weight of weights) { // bytes, in a table of massif's kind
        const massif = (more, total) => 'desc: x\ncmd: a\ntime_unit: B\n#-----------\nsnapshot=0\n#-----------\ntime=1\n' +
            `mem_heap_B=${total}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n` +
            `n${more ? 2 : 1}: ${total} (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n` +
            ` n0: ${weight} 0x1: b (b.c:1)\n${more}`;

        await page.open(draw(massif('', weight)));
        const want = await ask(page, 'text(".facts").split(" · ")');

        await page.open(`${draw(massif(` n0: ${weight} 0x2: d (d.c:1)\n`, 2 * weight))}#focus=%5Eb`);
        assert.ok(want.includes(await ask(page, facts)), `${weight} bytes: ${want}`);
    }
});

test('modules are called the same in the program and in the browser', async page => {
    for (const [, module] of WHOLE) {
        const name = /[\w.]+$/.exec(module.replace(/[?].*/, ''))[0];

        for (const options of [[], ['--source-url=https://code.example/{file}']]) {
            await page.open(`${draw(sample(WHOLE), ...options)}#collapse-module=${encodeURIComponent(`^${name}$`)}`);
            const seen = await ask(page, TITLES);

            await page.open(draw(sample(WHOLE), `--collapse-module=^${name}$`));
            assert.deepEqual(seen, await ask(page, TITLES), name);
            assert.ok(seen.some(title => title.startsWith(`${name} (`)), `${name}: ${seen}`);
        }
    }
});

each('the menu of a frame hides, keeps and drops; the back button undoes', async page => {
    await page.open(draw(STACKS));
    const all = await ask(page, TITLES);

    await openMenu(page, 'write');
    assert.ok(await page.value(`(r => r.left >= 0 && r.right <= innerWidth && r.top >= 0 &&
        r.bottom <= innerHeight)(document.querySelector('.menu.frame').getBoundingClientRect())`));
    await press(page, 'Hide this function');
    assert.match(await ask(page, 'text(".facts")'), /^100 samples · frames hidden by filters/);
    assert.ok((await ask(page, TITLES)).includes('main (55 samples, 55.00%)'));
    assert.ok(!await ask(page, 'box("write")'));
    assert.equal(await page.value('location.hash'), '#hide=%5Ewrite%24');
    await openMenu(page, 'idle');
    await press(page, 'Drop its stacks');
    assert.ok((await ask(page, TITLES)).includes('main (55 samples, 100%)'));
    assert.match(await ask(page, 'text(".facts")'), /^55 samples · 45.00% left out by filters/);
    await goBack(page);
    assert.ok((await ask(page, TITLES)).includes('idle (45 samples, 45.00%)'));
    await goBack(page);
    assert.deepEqual(await ask(page, TITLES), all);
    await openMenu(page, 'read');
    await press(page, 'Keep only its stacks');
    assert.ok((await ask(page, TITLES)).includes('copy (30 samples, 100%)'));
});

each('the menu of a frame colours its function in every view; a link keeps the colours', async page => {
    const file = draw(STACKS), fill = name => ask(page,
        `box(${JSON.stringify(name)}).querySelector('rect, path').getAttribute('fill')`);
    const colour = async name => {
        await openMenu(page, name);
        await press(page, 'Colour this function');
    };

    await page.open(file);
    const before = [await fill('read'), await fill('write')];

    await colour('read');
    await colour('write');
    assert.deepEqual([await fill('read'), await fill('write')], ['#3f9be0', '#6fbf4b']);
    assert.equal(await page.value('location.hash'), '#color=read&color=write');
    await clickBox(page, 'main');
    assert.equal(await fill('read'), '#3f9be0');
    await page.open('about:blank');
    await page.open(file + '#color=read&color=write');
    assert.deepEqual([await fill('read'), await fill('write')], ['#3f9be0', '#6fbf4b']);
    await colour('read');
    assert.deepEqual([await fill('read'), await fill('write')], [before[0], '#6fbf4b']);
    await goBack(page);
    assert.equal(await fill('read'), '#3f9be0');
    await colour('read');
    await colour('write');
    assert.deepEqual([await fill('read'), await fill('write')], before);
    assert.equal(await page.value('location.hash'), '');
});

test('what a search finds is kept or dropped, and recursion merged', async page => {
    await page.open(draw(STACKS));
    await page.key('/');
    await page.type('WRITE');
    await page.key('i', {ctrl: true});
    await page.key('Enter');
    await press(page, 'View');
    await press(page, 'Keep what is found');
    assert.ok((await ask(page, TITLES)).includes('main (25 samples, 100%)'));
    assert.match(await page.value('location.hash'), /^#focus.i=WRITE/);
    await press(page, 'View');
    await press(page, 'Merge recursion');
    assert.match(await page.value('location.hash'), /collapse-recursion=1/);
    assert.match(await ask(page, 'text(".facts")'), /left out by filters/);
    assert.equal(await ask(page, 'shown().filter(g => /^write /.test(' +
        'g.querySelector("title").textContent)).length'), 1);
});

test('the menu copies what the pointer was on', async page => {
    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.open(draw(STACKS));
    const copied = [];

    await page.value(`navigator.clipboard.writeText = text => (window.copied = text, Promise.resolve())`);
    for (const label of ['Copy the stack', 'Copy the name', 'Copy its folded stacks']) {
        await openMenu(page, 'read');
        await press(page, label);
        copied.push(await page.value('window.copied'));
    }
    assert.deepEqual(copied, ['main\nread\n', 'read', 'main;read;copy 30\n']);
    await openMenu(page, 'copy');
    await press(page, 'Search this name');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 50.00%');
    await openMenu(page, 'copy');
    await press(page, 'Callers and callees');
    assert.match(await ask(page, 'text(".facts")'), /callers and callees of copy/);
});

// The stacks as `flamepress fold` writes them, without the lines about the run.
function folded(file, options) {
    const text = execFileSync(process.env.FLAMEPRESS, ['fold', '-q', ...options, file],
        {encoding: 'utf8', maxBuffer: 1 << 26});

    return text.replace(/^# .*\n/gm, '');
}

const UNUSUAL = 'caf\u00e9;\u05e9\u05dc\u05d5\u05dd;[unknown] 2\n' +
    'std::map<int, char>::at(int);a "b" <c> & =%41;x 3\nmain;a 1\nmain 4\nmain;a;a 5\n';

test('the folded stacks that the menu copies are those of fold, byte for byte', async page => {
    const inputs = [
        [UNUSUAL], ['main;a 0.25\nmain;b 1.125\nmain 3\n'], ['sqlite-orders.perf'],
        ['redis-benchmark.perf.gz'], ['jvm-streams.perf.gz'], ['rustc-compile.perf.gz'],
        ['node-site.perf.gz', '--hide=^Builtins'], ['../tests/corpus/v8-log/app.v8.log.xz'],
    ];

    for (const [input, ...options] of inputs) {
        const svg = draw(input, '--svg-max-size=10000000', ...options);
        const file = /\n/.test(input) ? svg.replace(/svg$/, 'folded') : path.join(__dirname, '../../samples', input);

        await page.open(svg);
        await page.value(`navigator.clipboard.writeText =
            text => (window.copied = text, Promise.resolve())`);
        await ask(page, 'box("all").scrollIntoView({block: "center"})');
        await openMenu(page, 'all');
        await press(page, 'Copy its folded stacks');
        assert.equal(await page.value('window.copied'), folded(file, options), input);
    }
});

test('the menu opens by key and by long press', async page => {
    page.needs('a menu key that reaches the page, and touch');
    await page.open(draw(STACKS));
    const open = '!!document.querySelector(".menu.frame").getClientRects().length';

    await page.page.focus('svg [tabindex="0"][role="group"]');
    await page.key('ArrowUp');
    await page.key('F10', {shift: true});
    assert.equal(await page.value(open), true);
    await page.key('ArrowDown');
    assert.equal(await page.value('document.activeElement.textContent'), 'Copy the stack');
    await page.key('Escape');
    assert.equal(await page.value(open), false);
    const at = await ask(page, 'place("read")');

    await hold(page, {x: at.cx, y: at.cy});
    assert.equal(await page.value(open), true);
    assert.match(await ask(page, 'text(".details")'), /^Function: read /);
    await press(page, 'Zoom');
    assert.match(await page.value('location.hash'), /^#zoom=/);
});

module.exports = tests;
