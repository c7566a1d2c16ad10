// Every pair of the options of table.js, over every input, by graph, report, fold, top and diff:
// what is left out, the totals and the captions must be equal, or all refuse with the same message.
// Usage:
//
//     FLAMEPRESS=program WORK=directory node tests/pairs/run.js [WORD...]
//
// A report has a graph for each pair at once: the options of a pair are a rule of its settings.
'use strict';

const fs = require('fs');
const path = require('path');
const os = require('os');
const {execFile} = require('child_process');
const {readSvg} = require('../kinds/drawn.js');
const table = require('./table.js');

const {FLAMEPRESS, WORK} = process.env;
const PLAIN = ['--width=1600', '--pixel-ratio=1', '--svg-font=system', '--title=T'];

let passed = 0;
let failed = 0;

function run(args) {
    return new Promise(resolve => {
        execFile(FLAMEPRESS, args, {cwd: WORK, maxBuffer: 1 << 26}, (error, stdout, stderr) =>
            resolve({status: error ? error.code : 0, stdout, stderr}));
    });
}

// Runs `work` on each item, several at a time, and returns the results in order.
async function mapAll(items, work) {
    const results = new Array(items.length);
    let next = 0;
    const worker = async () => {
        while (next < items.length) {
            const at = next++;

            results[at] = await work(items[at]);
        }
    };

    await Promise.all(Array.from({length: os.cpus().length}, worker));
    return results;
}

// ---- what a command says ----

// Returns the texts of errors without the values that they name.
function errorsOf(stderr) {
    return [...stderr.matchAll(/^.*?: error: (.*)$/gm)].map(match => match[1])
        .filter(text => !/^nothing (could be drawn|to draw)/.test(text)).sort()
        .filter((text, at, all) => text !== all[at - 1]);
}

// "--focus leaves out 1 sample (21.70%)": returns the option and the share.
function removalsOf(stderr) {
    return [...stderr.matchAll(/^(--.*?) (leaves out|takes frames out of) .*?\((\S+%)(.*)\)$/gm)]
        .map(match => [match[1], match[2], match[3], match[4]].join(' ').trim());
}

// Returns whether the command lacks an option.
function isForeign(result) {
    return / is not for this command /.test(result.stderr);
}

async function byGraph(pair, command, files) {
    const out = path.join(WORK, `${pair.id}-${command}-${files.length}.svg`);
    const result = await run([command, ...PLAIN, ...pair.options, ...files, '-o', out]);
    const made = {command: `${command} ${files.join(' ')}`, foreign: isForeign(result),
        status: result.status, errors: errorsOf(result.stderr),
        removals: removalsOf(result.stderr)};

    if (result.status === 0) {
        made.facts = readSvg(fs.readFileSync(out, 'utf8')).facts;
        fs.unlinkSync(out);
    }
    return made;
}

async function byFold(pair, files) {
    const result = await run(['fold', ...pair.options, ...files]);
    const total = result.stdout.split('\n').filter(line => line && !line.startsWith('# '))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

    return {command: 'fold', foreign: isForeign(result), status: result.status, total,
        errors: errorsOf(result.stderr), removals: removalsOf(result.stderr)};
}

async function byTop(pair, files) {
    const result = await run(['top', '--format=json', ...pair.options, ...files]);
    const made = {command: 'top', foreign: isForeign(result), status: result.status,
        errors: errorsOf(result.stderr), removals: removalsOf(result.stderr)};

    if (result.status === 0)
        Object.assign(made, JSON.parse(result.stdout));
    return made;
}

// ---- reports ----

function readReport(place) {
    return JSON.parse(fs.readFileSync(path.join(place, 'report.json'), 'utf8')).graphs
        .map(graph => ({...graph, facts: readSvg(fs.readFileSync(
            path.join(place, 'graphs', `${graph.name}.svg`), 'utf8')).facts}));
}

// Makes a report of one pair, whose options are on the command line.
async function reportAlone(pair) {
    const place = path.join(WORK, `report-${pair.id}`);
    const result = await run(['report', ...PLAIN, ...pair.options, ...pair.input.files, '-o',
        place]);
    const made = {command: 'report', status: result.status, errors: errorsOf(result.stderr),
        foreign: isForeign(result)};

    if (result.status === 0)
        made.graphs = readReport(place);
    fs.rmSync(place, {recursive: true, force: true});
    return made;
}

// Makes one report of all pairs. The options of a pair are a rule of the settings, and its file has
// the pair's number.
async function reportTogether(pairs) {
    const place = path.join(WORK, 'report');
    const inputs = path.join(WORK, 'inputs');
    let settings = 'width: 1600\nsvg-font: system\npixel-ratio: 1\nprofiles:\n';

    fs.mkdirSync(inputs);
    for (const pair of pairs) {
        const [name] = pair.input.files;
        const values = {};

        fs.copyFileSync(path.join(WORK, name), path.join(inputs, `${pair.id}-${name}`));
        settings += `  - match: "${pair.id}-*"\n    title: T\n`;
        for (const option of pair.options) {
            const [key, value = 'true'] = option.slice(2).split(/=(.*)/s);

            (values[key] = values[key] || []).push(value);
        }
        for (const [key, list] of Object.entries(values))
            settings += `    ${key}: ${list.length > 1 ? JSON.stringify(list) :
                JSON.stringify(list[0])}\n`;
    }
    fs.writeFileSync(path.join(inputs, 'flamepress.yml'), settings);
    const result = await run(['report', 'inputs', '-o', place]);
    const graphs = new Map();

    if (!fs.existsSync(path.join(place, 'report.json')))
        throw new Error(`there is no report: ${result.stderr.slice(0, 2000)}`);
    for (const graph of readReport(place)) {
        const id = graph.source.split('-')[0];

        graphs.set(id, [...graphs.get(id) || [], graph]);
    }
    return pair => {
        const mine = result.stderr.split('\n').filter(line => line.startsWith(`${pair.id}-`) ||
            line.startsWith(`inputs/${pair.id}-`)).join('\n');

        return {command: 'report by a rule', status: graphs.has(pair.id) ? 0 : 3,
            errors: errorsOf(mine), graphs: graphs.get(pair.id)};
    };
}

// ---- comparing ----

class Comparison {
    constructor(pair) {
        this.pair = pair;
        this.faults = [];
    }

    same(got, want, who, what) {
        const [g, w] = [JSON.stringify(got), JSON.stringify(want)];

        if (g !== w)
            this.faults.push(`${who}: ${what} ${g}, not ${w}`);
    }

    close() {
        const name = `${this.pair.input.name} ${this.pair.options.join(' ')}`;

        if (this.faults.length) {
            failed++;
            console.log(`FAIL ${name}\n  ${this.faults.join('\n  ')}`);
        } else {
            passed++;
            console.log(`ok   ${name}`);
        }
    }
}

// What a report, which has several graphs, takes and one graph does not: an option for changes, or
// a filter that leaves nothing of the first event, if other events have it.
function isOfReportAlone(graph) {
    return graph.errors.some(text => /the graph shows no change|^nothing is left to show/.test(text));
}

// Page faults are drawn as bytes and printed as they were counted; times are drawn as they are.
const PAGE = 4096;

function compareFold(c, graph, top, fold) {
    if (fold.foreign)
        return;
    c.same(fold.status, graph.status, 'fold', 'status');
    c.same(fold.errors, graph.errors, 'fold', 'errors');
    c.same(fold.removals, graph.removals, 'fold', 'left out');
    if (fold.status === 0 && top.status === 0 && !top.foreign) {
        const each = top.unit === 'bytes' && fold.total * PAGE === Number(top.total) ? PAGE : 1;

        c.same(fold.total * each, Number(top.total), 'fold', 'total');
    }
}

// A caption leaves out the process that the title names.
function captionBelow(title, facts) {
    return facts.replace(/ · process (\w+)(?= · |$)/, (part, name) => title.includes(name) ? '' : part);
}

function compareReport(c, graph, top, report) {
    const event = top.status === 0 && !top.foreign ? top.event : undefined;

    if (isOfReportAlone(graph))
        return;
    if (graph.status !== 0) {
        c.same(report.status !== 0, true, report.command, 'refuses');
        c.same(report.errors, graph.errors, report.command, 'errors');
        return;
    }
    c.same(report.status, 0, report.command, `status (${report.errors})`);
    if (report.status !== 0)
        return;
    const same = report.graphs.find(other => other.event === event) || report.graphs[0];

    // One graph is the sum of the events or parts that a report draws one by one.
    if (event !== undefined && event.includes(' + ')) {
        const sum = report.graphs.reduce((total, graph) => total + Number(graph.total.weight), 0);

        c.same(sum, Number(top.total), report.command, 'sum of the totals');
        return;
    }
    c.same(same.facts, captionBelow(same.title, graph.facts), report.command, 'caption');
    if (event !== undefined && same.event === event)
        c.same(same.total.weight, top.total, report.command, 'total');
}

// A caption without the names of two files, which a file of two columns does not have.
function withoutNames(facts, files) {
    return files.map(file => path.basename(file)).reduce((text, name) =>
        text.replace(`new ${name}: `, '').replace(`base ${name}: `, 'base '), facts || '');
}

// In a message, the part about the input follows a semicolon or the last comma; diff of two files
// names the one that lacks an event.
function withoutInput(message) {
    return message.replace(/(; the input|, which has: ).*$/, '')
        .replace(/^(no event .*) in (before|after)\.folded$/, '$1 in the input');
}

async function comparePair(pair, byRule) {
    const c = new Comparison(pair);
    const graph = await byGraph(pair, 'graph', pair.input.files);
    const top = await byTop(pair, pair.input.files);
    const fold = await byFold(pair, pair.input.files);

    if (!isPicture(pair) && !top.foreign && !pair.options.includes('--reverse')) {
        c.same(top.status, graph.status, 'top', 'status');
        c.same(top.errors, graph.errors, 'top', 'errors');
        c.same(top.removals, graph.removals, 'top', 'left out');
    }
    if (!isPicture(pair))
        compareFold(c, graph, top, fold);
    for (const files of pair.input.diff || []) {
        const diff = await byGraph(pair, 'diff', files);

        if (diff.foreign)
            continue;
        // With one side only, there is no change; a file of one side has no sides.
        if (pair.options.includes('--event=base')) {
            c.same(diff.status, 2, diff.command, 'status');
            c.same(diff.errors.length > 0, true, diff.command, 'tells why');
            continue;
        }
        c.same(diff.errors.map(withoutInput), graph.errors.map(withoutInput), diff.command,
            'errors');
        c.same(diff.removals, graph.removals, diff.command, 'left out');
        c.same(withoutNames(diff.facts, files), graph.facts || '', diff.command, 'caption');
    }
    compareReport(c, graph, top, graph.status === 0 && !isGlobal(pair) ? byRule(pair) :
        await reportAlone(pair));
    c.close();
}

// Pictures that do not show a call tree.
function isPicture(pair) {
    return pair.options.some(option => ['--kind=heatmap', '--flamechart'].includes(option));
}

function isGlobal(pair) {
    return pair.options.some(option => table.global.includes(option));
}

function allPairs(words) {
    const pairs = [];

    for (const input of table.inputs) {
        for (const [i, one] of table.options.entries()) {
            for (const two of table.options.slice(i)) {
                const options = one === two ? [one] : [one, two];
                const name = `${input.name} ${options.join(' ')}`;
                const [key] = one.split('=');

                // A later value of an option replaces an earlier one.
                if (one !== two && key === two.split('=')[0] && /kind|group|merge|from$/.test(key))
                    continue;
                if (input.only && !input.only.test(name))
                    continue;
                if (!words.length || words.some(word => name.includes(word)))
                    pairs.push({id: `p${pairs.length}`, input, options});
            }
        }
    }
    return pairs;
}

async function main() {
    const pairs = allPairs(process.argv.slice(2));

    for (const [name, text] of Object.entries(table.files))
        fs.writeFileSync(path.join(WORK, name), text);
    // Returns the pairs that can be drawn: a rule that contradicts itself would refuse the whole
    // report.
    const drawn = await mapAll(pairs.filter(pair => !isGlobal(pair)), async pair =>
        (await run(['graph', ...pair.options, ...pair.input.files, '-o', '/dev/null',
            '--format=svg', '--quiet'])).status === 0 && pair);
    const byRule = await reportTogether(drawn.filter(Boolean));

    await mapAll(pairs, pair => comparePair(pair, byRule));
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
}

main().catch(error => {
    console.log(error.stack);
    process.exitCode = 1;
});
