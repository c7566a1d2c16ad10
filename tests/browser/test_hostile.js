// Names with scripts, invisible characters or right-to-left text: one report of them, in all outputs.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {report, openReport, until} = require('./report.js');
const {draw, ask, hoverBox} = require('./graph.js');

const size = {width: 1200, height: 900};
const LONG = 'L'.repeat(100000);
const text = string => Buffer.from(string, 'utf8');

// A name in the profile, the name that the program makes of it, and how people read that name.
const NAMES = [
    [text('<script>alert(1)</script>'), '<script>alert(1)</script>', '<script>alert(1)</script>'],
    [text('"quoted\'s"'), '"quoted\'s"', '"quoted\'s"'],
    [text(']]>'), ']]>', ']]>'],
    [text('</metadata><b>'), '</metadata><b>', '</metadata><b>'],
    [text('a|b`c*d_e[f](g)'), 'a|b`c*d_e[f](g)', 'a|b`c*d_e[f](g)'],
    [text('esc\x1b[31mred\x07\x7f'), 'esc\x1b[31mred\x07\x7f', 'esc\\x1b[31mred\\x07\\x7f'],
    [text('csi\x9b31m\x85'), 'csi\x9b31m\x85', 'csi\\u{9b}31m\\u{85}'],
    [text('line\u2028end\u2029'), 'line\u2028end\u2029', 'line\\u{2028}end\\u{2029}'],
    [Buffer.from('cesu\xed\xa0\x80x', 'latin1'), 'cesu\ufffd\ufffd\ufffdx', 'cesu\ufffd\ufffd\ufffdx'],
    [Buffer.from('bad\xff\xfeutf', 'latin1'), 'bad\ufffd\ufffdutf', 'bad\ufffd\ufffdutf'],
    [text('over\u202egpj.exe'), 'over\u202egpj.exe', 'over\\u{202e}gpj.exe'],
    [text('iso\u2067x\u2069y'), 'iso\u2067x\u2069y', 'iso\\u{2067}x\\u{2069}y'],
    [text('mark\u200e\u200f\u061cs'), 'mark\u200e\u200f\u061cs', 'mark\\u{200e}\\u{200f}\\u{61c}s'],
];

// The input is JSON, in which half a character can be escaped.
const LONE = ['lone\ud800hi', 'lone\udc00low'];
const FROM_JSON = LONE.map(name => name.replace(/[\ud800-\udfff]/, '\ufffd'));

const UNSAFE = new RegExp('[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2066-\\u2069\\ufeff]', 'u');

// The name in a label, and in the title of a box.
const drawn = name => name.replace(new RegExp(UNSAFE, 'gu'), '\ufffd');

function write() {
    const folder = fs.mkdtempSync(path.join(process.env.WORK, 'hostile-'));
    const rows = [...NAMES.map(([bytes]) => bytes), Buffer.from(LONG)]
        .map(bytes => Buffer.concat([text('main;'), bytes, text(' 10\n')]));
    const frames = [...LONE, 'main'].map(name => ({name}));

    fs.writeFileSync(path.join(folder, 'bytes.folded'), Buffer.concat(rows));
    fs.writeFileSync(path.join(folder, 'json.json'), JSON.stringify({
        $schema: 'https://www.speedscope.app/file-format-schema.json', shared: {frames},
        profiles: [{type: 'sampled', name: 'p', unit: 'none', startValue: 0, endValue: 20,
            samples: [[2, 0], [2, 1]], weights: [10, 10]}],
    }));
    return folder;
}

const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');

function assertSafe(text, what) {
    const at = text.search(UNSAFE);

    assert.equal(at, -1, `${what}: ${JSON.stringify(text.slice(Math.max(at - 40, 0), at + 20))}`);
}

async function inSvg(page, out) {
    for (const [file, names] of [['bytes', NAMES.map(([, name]) => name)], ['json', FROM_JSON]]) {
        const svg = path.join(out, 'graphs', `${file}.svg`);

        assertSafe(read(svg), svg);
        await page.open(svg);
        const titles = await ask(page, `shown().map(g => g.querySelector('title').textContent
            .replace(/ \\(.*/, ''))`);

        for (const name of names) {
            assert.ok(titles.includes(drawn(name)), `${file}: ${drawn(name)}`);
            await hoverBox(page, drawn(name));
            assert.match(await ask(page, 'text(".details")'), /^Function: .* \(10 samples, /);
            assert.ok((await ask(page, 'text(".details")')).startsWith(`Function: ${drawn(name)} (`));
        }
        assert.equal(await ask(page, 'document.querySelectorAll("script").length'), 1);
        assert.equal(await ask(page, 'document.querySelectorAll("b").length'), 0);
    }
    await page.open(path.join(out, 'graphs', 'bytes.svg'));
    await page.move(0, 0);
    await hoverBox(page, LONG);
    assert.match(await ask(page, 'text(".details")'), /^Function: LLL+… \(10 samples, .*\)$/);
    assert.ok(await ask(page, 'document.querySelector(".details").getComputedTextLength()') < 1181);
}

async function inPage(page, out) {
    page.needs('markup with < escaped in attributes');
    await openReport(page, path.join(out, 'index.html'));
    const codes = await page.value(
        `[...document.querySelectorAll('tbody code')].map(one => one.textContent)`);

    // The page isolates the name of a graph in the title of its frame.
    await until(page, 'document.querySelector("iframe")');
    assertSafe((await page.value('document.documentElement.outerHTML'))
        .replace(/(<iframe [^>]*title=")\u2068([^"]*)\u2069(?=: interactive)/g, '$1$2'), 'index.html');
    for (const name of [...NAMES.map(([, , shown]) => shown), ...FROM_JSON])
        assert.ok(codes.includes(name), `index.html: ${name}`);
    assert.ok(codes.some(name => /^L{400}… \(100,000 characters\)$/.test(name)));
    assert.equal(await page.value('document.querySelectorAll("body b, td script").length'), 0);
    assert.ok(await page.value('document.documentElement.scrollWidth') <= 1200);
}

// In a table of Markdown a name is a code span; only | and line ends could have an effect there.
function inMarkdown(out) {
    const markdown = read(out, 'report.md');

    assertSafe(markdown, 'report.md');
    for (const [, , shown] of NAMES) {
        const span = shown.replaceAll('|', '\\|');
        const fence = shown.includes('`') ? '``' : '`';

        assert.ok(markdown.includes(` ${fence}${span}${fence} |`), `report.md: ${shown}`);
    }
    assert.ok(markdown.includes(`${'L'.repeat(400)}… (100,000 characters)`));
}

function inJson(out) {
    const json = read(out, 'report.json');
    const names = JSON.parse(json).graphs.flatMap(graph => graph.top_self).map(row => row.name);

    assertSafe(json, 'report.json');
    assert.ok(!/[<>&]/.test(json));
    for (const name of [...NAMES.map(([, name]) => name), ...FROM_JSON, LONG])
        assert.ok(names.includes(name), `report.json: ${name.slice(0, 100)}`);
}

// The terminal's output, messages included, contains no control characters except line ends.
function inTerminal(folder) {
    const input = path.join(folder, 'bytes.folded');

    for (const command of ['top', 'fold', 'top --format csv', 'top --format json']) {
        const said = execFileSync('script', ['-qec',
            `"$FLAMEPRESS" ${command} --max-name 200000 '${input}'`, '/dev/null'],
        {encoding: 'utf8', env: {...process.env, NO_COLOR: '1'}, maxBuffer: 1 << 26});

        assertSafe(said.replaceAll('\r\n', '\n'), command);
        if (command === 'fold' || command === 'top')
            for (const [, , shown] of NAMES)
                assert.ok(said.includes(shown), `${command}: ${shown}`);
    }
}

async function everywhere(page) {
    const folder = write(), out = path.join(folder, 'out');

    execFileSync(process.env.FLAMEPRESS, ['report', folder, '-o', out, '--quiet', '--rows', '50',
        '--max-name', '200000']);
    inMarkdown(out);
    inJson(out);
    inTerminal(folder);
    await inSvg(page, out);
    await inPage(page, out);
}

// Returns the places of the characters of a text, from left to right.
const places = element => `(text => Array.from(text.textContent, (c, i) =>
    [c, text.getExtentOfChar(i).x]).filter(([c]) => !/[\\u2066-\\u2069]/.test(c))
    .sort((a, b) => a[1] - b[1]).map(([c]) => c).join(''))(${element})`;

// A name that runs from right to left does not move the text around it.
async function turned(page) {
    page.needs('places of the marks of direction in a text');
    for (const [name, seen] of [['שלום', 'םולש'], ['שלום foo', 'foo םולש'], ['foo שלום', 'foo םולש']]) {
        await page.open(draw(`main;${name} 12\n`));
        await page.move(600, 45);
        assert.equal(await ask(page, places('document.querySelector(".details")')), `Function: ${seen} (12 samples, 100%)`);
        assert.equal(await ask(page, places('shown().at(-1).querySelector("text")')), seen);
        assert.equal(await ask(page, 'shown().at(-1).querySelector("title").textContent'),
            `\u2068${name}\u2069 (12 samples, 100%)\nself 12 samples, 100%\n100% of main`);
    }
}

// The same names on the page, in the titles of its image map, and in Markdown, which has no style.
async function turnedInReport(page) {
    const name = 'שלום', long = 'ש'.repeat(300);
    const file = report({'rtl.folded': `main;${name} 12\nmain;${long} 9\nmain;read 1\n`,
        'rtl.md': `# ${name}\n`}, '--search', `${name}=${name}`);
    const isolated = `\u2068${name}\u2069`;

    await openReport(page, file);
    assert.deepEqual(await page.value(
        `[...document.querySelectorAll('area')].map(area => area.title)`),
    [`main (22 samples, 100%)`, 'read (1 sample, 4.55%)', `${isolated} (12 samples, 54.55%)`,
        `\u2068${'ש'.repeat(120)}… (300 characters)\u2069 (9 samples, 40.91%)`]);
    assert.equal(await page.value(`document.querySelector('.picture img').alt`),
        `Flame graph of ${isolated}: 22 samples. Heaviest stack: main, ${isolated}. ` +
        `Highest self: ${isolated}, 54.55 %.`);
    assert.equal(await page.value(`(span => {
        const texts = document.createTreeWalker(span, NodeFilter.SHOW_TEXT), seen = [];
        while (texts.nextNode())
            [...texts.currentNode.data].forEach((c, i) => {
                const range = document.createRange();
                range.setStart(texts.currentNode, i);
                range.setEnd(texts.currentNode, i + 1);
                seen.push([c, range.getBoundingClientRect().x]);
            });
        return seen.sort((a, b) => a[1] - b[1]).map(([c]) => c).join('').trim();
    })(document.querySelector('.findings span:nth-of-type(2)'))`), 'םולש self (22 samples)');
    const markdown = read(path.dirname(file), 'report.md');

    for (const line of [`- Heaviest function: \u2068\`${name}\`\u2069 54.55 % self (22 samples), in `,
        `| [${isolated}](#${encodeURIComponent(name)}) | 22 samples | \u2068\`${name}\`\u2069 54.55 % | 54.55 % |`,
        `## ${isolated}\n`])
        assert.ok(markdown.includes(line), line);
}

module.exports = [
    {name: 'hostile names are seen and do nothing in SVG, page, Markdown, JSON and terminal',
        body: everywhere, size},
    {name: 'names from right to left turn nothing around them', body: turned, size},
    {name: 'nor on the page, in titles and in Markdown', body: turnedInReport, size},
];
