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

// Returns what the open graph shows for each pattern. The address is left as it is: Chromium takes
// longer to note a new one than the graph takes to search.
async function matched(page, patterns) {
    return page.value(`(async shares => {
        history.replaceState = () => {};
        const input = document.querySelector('.search input');
        const idle = () => new Promise(done => {
            const observer = new MutationObserver(() => {
                if (!input.hasAttribute('aria-busy'))
                    done(observer.disconnect());
            });
            observer.observe(input, {attributes: true});
        });
        for (const pattern of ${JSON.stringify(patterns)}) {
            input.value = pattern;
            input.dispatchEvent(new Event('input'));
            if (input.hasAttribute('aria-busy'))
                await idle();
            shares.push(document.querySelector('.matched').textContent);
        }
        return shares;
    })([])`);
}

const graphsOf = out => JSON.parse(fs.readFileSync(path.join(out, 'report.json'), 'utf8')).graphs;
const patternsOf = graph => graph.searches.map(one => one.pattern);

// Compares what was shown with the report's share. Returns whether the search finds something.
function compareSearch({pattern, exhausted, amount}, shown, graph) {
    assert.equal(exhausted, 0);
    assert.equal(shown, `Matched: ${amount.percent.toFixed(2)}%`,
        `${graph.source} ${graph.event}: /${pattern}/`);
    return amount.percent > 0;
}

// Returns how many searches of a report find something; `shown` has a list of texts for each graph.
function compare(graphs, shown) {
    return graphs.flatMap((graph, i) =>
        graph.searches.map((search, k) => compareSearch(search, shown[i][k], graph)))
        .filter(Boolean).length;
}

async function showAll(page, out) {
    const shown = [];

    page.allowed = /^blob:/; // the worker that matches slow patterns
    for (const graph of graphsOf(out)) {
        await page.open(withoutPresets(out, graph));
        await page.key('/');
        shown.push(await matched(page, patternsOf(graph)));
    }
    return shown;
}

async function samples(page) {
    const out = report([SAMPLES], []), graphs = graphsOf(out);
    const found = compare(graphs, await showAll(page, out));

    assert.ok(graphs.length >= 4 && found >= graphs.length,
        `${found} searches of ${graphs.length} graphs find something`);
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

function corpusReport(ignoreCase) {
    const searches = EXPRESSIONS.flatMap((one, i) =>
        ['--search', `s${i}=${ignoreCase && WITHOUT_PROPERTIES[one] || one}`]);

    return report(spread(), [...searches, ...ignoreCase ? ['--ignore-case'] : []]);
}

// Two tests compare the same graphs, with case and without: each graph is opened once for both.
let collected = null;

async function collect(page) {
    const outs = [corpusReport(false), corpusReport(true)], reports = outs.map(graphsOf);
    const shown = [[], []];

    assert.deepEqual(...reports.map(graphs => graphs.map(one => [one.source, one.event])));
    page.allowed = /^blob:/;
    for (const [i, graph] of reports[0].entries()) {
        await page.open(withoutPresets(outs[0], graph));
        await page.key('/');
        shown[0].push(await matched(page, patternsOf(graph)));
        await page.key('i', {ctrl: true});
        shown[1].push(await matched(page, patternsOf(reports[1][i])));
    }
    return {reports, shown};
}

async function corpus(page, ignoreCase) {
    collected = collected || await collect(page);
    const graphs = collected.reports[Number(ignoreCase)];
    const found = compare(graphs, collected.shown[Number(ignoreCase)]);

    assert.equal(EXPRESSIONS.length, 20);
    assert.ok(graphs.length >= 80 && found >= 5 * graphs.length,
        `${found} finds in ${graphs.length} graphs`);
}

// Weights that do not fit in a double.
async function large(page) {
    const input = path.join(process.env.WORK, 'large.folded');
    const rows = [['a;read', '9007199254740993'], ['a;write', '1'], ['b', '9007199254740991']];

    fs.writeFileSync(input, rows.map(row => row.join(' ') + '\n').join(''));
    const out = report([input], ['--search', 'x=^read$', '--search', 'y=^b$', '--search', 'z=write']);

    assert.equal(compare(graphsOf(out), await showAll(page, out)), 2);
}

module.exports = [
    {name: 'searches of the samples have the report\'s shares', body: samples, size},
    {name: 'shares are exact beyond 2^53', body: large, size},
    {name: 'twenty searches over the corpus', body: page => corpus(page, false), size, skip},
    {name: 'twenty searches over the corpus, case ignored', body: page => corpus(page, true), size,
        skip},
];
