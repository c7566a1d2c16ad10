// The fonts in a graph: its labels are as wide in the browser as the program shaped them, on any machine.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {Browser} = require('./chromium.js');
const {draw, ask, press} = require('./graph.js');

const tests = [];
const size = {width: 1200, height: 1300};
const test = (name, body) => tests.push({name, body, size});
const SCRIPTS = ['Ωμέγα_функция', 'e\u0301te\u0301_Łódź', 'a→b≠c', 'שלום_עולם', 'مرحبا_بالعالم',
    'fi_ffl->x != AVATAR'].map(name => `main;${name} 10\n`).join('');

// Returns the labels whose width differs by more than a pixel from the program's, or that leave
// their box. Hidden texts are empty.
const MISFITS = `[...document.querySelectorAll('.frames text, .title, .facts')].map(text => {
    const wanted = Number(text.getAttribute('textLength'));
    text.removeAttribute('textLength');
    return [text.textContent, wanted, text.getComputedTextLength(),
        text.previousElementSibling?.getBBox().width];
}).filter(([text, wanted, is, box]) =>
    text && (wanted ? Math.abs(wanted - is) >= 1 : !(is <= box - 6)))`;

// A browser on a machine that has DejaVu Sans Mono and no other font.
async function withOneFont(use) {
    const config = path.join(process.env.WORK, 'fonts.conf');
    const before = process.env.FONTCONFIG_FILE;

    fs.writeFileSync(config, `<?xml version="1.0"?><fontconfig><dir>${
        path.join(process.env.WORK, 'fonts')}</dir></fontconfig>`);
    fs.mkdirSync(path.join(process.env.WORK, 'fonts'), {recursive: true});
    fs.copyFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
        path.join(process.env.WORK, 'fonts', 'mono.ttf'));
    process.env.FONTCONFIG_FILE = config;
    const browser = new Browser();

    try {
        await use(await browser.page(size));
    } finally {
        await browser.close();
        delete process.env.FONTCONFIG_FILE;
        if (before)
            process.env.FONTCONFIG_FILE = before;
    }
}

test('labels are as wide as the program shaped them', async page => {
    for (const input of ['postgres-pgbench.perf.xz', 'sqlite-orders.perf', SCRIPTS]) {
        await page.open(draw(input));
        assert.ok(await ask(page, 'document.querySelectorAll(".frames text").length') > 5);
        assert.deepEqual(await ask(page, MISFITS), []);
    }
});

test('also on a machine that has no such font', async () => {
    await withOneFont(async page => {
        for (const input of ['postgres-pgbench.perf.xz', SCRIPTS]) {
            await page.open(draw(input));
            assert.deepEqual(await ask(page, MISFITS), []);
        }
        assert.deepEqual(page.problems, []);
        await page.open(draw(SCRIPTS, '--svg-font', 'system'));
        assert.ok((await ask(page, MISFITS)).length > 3, 'the machine has such a font');
        await page.open(draw('postgres-pgbench.perf.xz', '--svg-font', 'system'));
        const leaving = (await ask(page, MISFITS)).filter(([, wanted]) => !wanted);

        assert.deepEqual(leaving, [], 'labels without a width fit in a wider font, too');
    });
});

test('labels that the script fits are those that the program fitted', async page => {
    const labels = `JSON.stringify(shown().map(g => [g.querySelector('title').textContent,
        g.querySelector('text')?.textContent || '']).sort())`;

    for (const input of ['postgres-pgbench.perf.xz', 'sqlite-orders.perf', SCRIPTS]) {
        await page.open(draw(input));
        const program = await ask(page, labels);

        await press(page, 'View');
        await press(page, 'Root at the top');
        assert.deepEqual(JSON.parse(await ask(page, labels)), JSON.parse(program));
    }
});

test('no fonts with --svg-font=system, and none where no script could load them', async page => {
    for (const options of [['--svg-font', 'system'], ['--svg-script', 'none']]) {
        const svg = fs.readFileSync(draw(SCRIPTS, ...options), 'utf8');

        assert.ok(!svg.includes('data-flame="font'));
        assert.match(svg, /<text [^>]*textLength=/);
    }
    assert.deepEqual(page.problems, []);
});

test('without scripts, labels keep to their boxes whatever font there is', async () => {
    await withOneFont(async page => {
        await page.scripts(false);
        await page.open(draw('postgres-pgbench.perf.xz'));
        await page.scripts(true);
        assert.deepEqual(await ask(page, `[...document.querySelectorAll('.frames g text')]
            .map(text => [text.textContent, text.getBoundingClientRect().width,
                text.previousSibling.getBoundingClientRect().width])
            .filter(([, text, box]) => text > box)`), []);
    });
});

test('the policy that --csp prints allows the fonts and needs no font-src', async page => {
    const policy = execFileSync(process.env.FLAMEPRESS, ['--csp'], {encoding: 'utf8'}).trim();
    const graph = fs.readFileSync(draw(SCRIPTS), 'utf8').replace(/^<\?xml.*\n/, '');
    const file = path.join(process.env.WORK, 'font-policy.html');

    assert.ok(!policy.includes('font-src'));
    fs.writeFileSync(file, `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>policy</title>${graph}`);
    await page.open(file);
    assert.deepEqual(await ask(page, '[...document.fonts].map(face => face.status)'),
        ['loaded', 'loaded']);
    assert.deepEqual(await ask(page, MISFITS), []);
});

module.exports = tests;
