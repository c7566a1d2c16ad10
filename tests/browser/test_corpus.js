// A search has the same share in the browser and in the report, to the last digit: the searches of
// samples/, and twenty expressions over real profiles of every format.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');

const SAMPLES = path.join(__dirname, '../../samples');
const CORPUS = process.env.CORPUS || path.join(__dirname, '../../../shared/corpus');
const LARGEST = 200000; // bytes of a file
const skip = !fs.existsSync(CORPUS) && `there is no collection of profiles at ${CORPUS}`;
const size = {width: 1200, height: 900};

// Anchors, classes, alternation, repeats, case, Unicode, lookahead, lookbehind, references.
const EXPRESSIONS = [
    '^_', 'e$', '^[A-Z]', '[0-9]{2,}', '[^\\w.]', '\\d', '\\bread\\b|\\bwrite\\b',
    'alloc|free|gc', '^(?:main|start|_start|run)$', '(.)\\1', '^(?!.*::).*[a-z]_[a-z]',
    '(?=.*o)(?=.*i)', '(?<=\\.)[a-z]+$', '(?<![a-z])get', '\\p{Lu}\\p{Ll}+\\p{Lu}', '\\P{ASCII}',
    '[\\s()<>]', '^.{1,6}$', '\\W\\w{3}$', '([aeiou])\\1',
];

// The program refuses Unicode properties if case is ignored; these patterns are used instead.
const WITHOUT_PROPERTIES = {
    '\\p{Lu}\\p{Ll}+\\p{Lu}': '[A-Z][a-zß-ÿ]+[A-Z]',
    '\\P{ASCII}': '[^\\x00-\\x7f]',
};

function report(inputs, options) {
    const out = fs.mkdtempSync(path.join(process.env.WORK, 'searched-'));

    // Some files of the corpus cannot be read; the report of the others is written.
    try {
        execFileSync(process.env.FLAMEPRESS,
            ['report', ...inputs, '-o', out, '--quiet', '--pages=one', ...options], {stdio: 'ignore'});
    } catch (error) {
        assert.equal(error.status, 1, `flamepress report: exit status ${error.status}`);
    }
    return out;
}

// A picture without the report's searches, so that its script must compute the shares.
function withoutPresets(out, graph) {
    const file = path.join(out, 'counts-itself.svg');
    const svg = fs.readFileSync(path.join(out, graph.files.svg), 'utf8');

    fs.writeFileSync(file, svg.replace(/<metadata data-flame="searches">[^<]*<\/metadata>/, ''));
    return file;
}

async function matched(page, patterns, ignoreCase) {
    await page.key('/');
    if (ignoreCase)
        await page.key('i', {ctrl: true});
    return page.value(`(async shares => {
        for (const pattern of ${JSON.stringify(patterns)}) {
            const input = document.querySelector('.search input');
            input.value = pattern;
            input.dispatchEvent(new Event('input'));
            while (input.hasAttribute('aria-busy'))
                await new Promise(done => setTimeout(done, 5));
            shares.push(document.querySelector('.matched').textContent);
        }
        return shares;
    })([])`);
}

async function compare(page, out, ignoreCase) {
    const {graphs} = JSON.parse(fs.readFileSync(path.join(out, 'report.json'), 'utf8'));
    let found = 0;

    page.allowed = /^blob:/; // the worker that matches slow patterns
    for (const graph of graphs) {
        await page.open(withoutPresets(out, graph));
        const shown = await matched(page, graph.searches.map(one => one.pattern), ignoreCase);

        graph.searches.forEach(({pattern, exhausted, amount}, i) => {
            assert.equal(exhausted, 0);
            assert.equal(shown[i], `Matched: ${amount.percent.toFixed(2)}%`,
                `${graph.source} ${graph.event}: /${pattern}/`);
            found += amount.percent > 0;
        });
    }
    return {graphs: graphs.length, found};
}

async function samples(page) {
    const {graphs, found} = await compare(page, report([SAMPLES], []), false);

    assert.ok(graphs >= 4 && found >= graphs, `${found} searches of ${graphs} graphs find something`);
}

// The smallest and the largest profile of each format, up to a size.
function spread() {
    return fs.readdirSync(CORPUS).sort().flatMap(format => {
        const folder = path.join(CORPUS, format);
        const files = (fs.statSync(folder).isDirectory() ? fs.readdirSync(folder) : []).sort()
            .map(name => path.join(folder, name)).filter(file => fs.statSync(file).isFile())
            .map(file => ({file, bytes: fs.statSync(file).size})).filter(one => one.bytes < LARGEST)
            .sort((a, b) => a.bytes - b.bytes);

        return [...new Set([files[0], files.at(-1)])].filter(Boolean).map(one => one.file);
    });
}

async function corpus(page, ignoreCase) {
    const searches = EXPRESSIONS.flatMap((one, i) =>
        ['--search', `s${i}=${ignoreCase && WITHOUT_PROPERTIES[one] || one}`]);
    const out = report(spread(), [...searches, ...ignoreCase ? ['--ignore-case'] : []]);
    const {graphs, found} = await compare(page, out, ignoreCase);

    assert.equal(EXPRESSIONS.length, 20);
    assert.ok(graphs >= 80 && found >= 5 * graphs, `${found} finds in ${graphs} graphs`);
}

// Weights that do not fit in a double.
async function large(page) {
    const input = path.join(process.env.WORK, 'large.folded');
    const rows = [['a;read', '9007199254740993'], ['a;write', '1'], ['b', '9007199254740991']];

    fs.writeFileSync(input, rows.map(row => row.join(' ') + '\n').join(''));
    const out = report([input], ['--search', 'x=^read$', '--search', 'y=^b$', '--search', 'z=write']);

    assert.equal((await compare(page, out, false)).found, 2);
}

module.exports = [
    {name: 'searches of the samples have the report\'s shares', body: samples, size},
    {name: 'shares are exact beyond 2^53', body: large, size},
    {name: 'twenty searches over the corpus', body: page => corpus(page, false), size, skip},
    {name: 'twenty searches over the corpus, case ignored', body: page => corpus(page, true), size,
        skip},
];
