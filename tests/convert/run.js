// In, out and in again: every file of tests/corpus/files.tsv that is a profile, by every format of
// `flamepress convert`, must give the stacks and the weights that `flamepress fold` gives for the
// file itself. `go tool pprof` must add up the same. Usage:
//
//     FLAMEPRESS=program WORK=directory node tests/convert/run.js [WORD...|/PATH...]
'use strict';

const fs = require('fs');
const path = require('path');
const os = require('os');
const {execFile} = require('child_process');

const {FLAMEPRESS, WORK} = process.env;
const ROOT = path.resolve(__dirname, '../..');
const FORMATS = {
    'pprof': '.pb.gz', 'pprof-raw': '.pb', 'speedscope': '.speedscope.json',
    'firefox': '.firefox.json', 'folded': '.folded', 'cpuprofile': '.cpuprofile', 'd3': '.json',
    'otlp': '.otlp', 'otlp-json': '.otlp.json',
};
const PPROF_FILES = /sqlite-orders|pipe-switches|speedscope|heaptrack/;
const ONE = 10n ** 18n; // weights have up to 18 decimals

let passed = 0;
const failures = [], skips = [];

function run(command, args) {
    return new Promise(resolve => {
        execFile(command, args, {cwd: ROOT, maxBuffer: 1 << 28}, (error, stdout, stderr) =>
            resolve({status: error ? error.code : 0, stdout, stderr}));
    });
}

function report(name, problem) {
    if (!problem) {
        passed++;
        console.log(`ok   ${name}`);
        return;
    }
    failures.push(name);
    console.log(`FAIL ${name}: ${problem}`);
}

// ---- stacks --------------------------------------------------------------------------------------

function amount(text) {
    const [whole, decimals = ''] = text.split('.');

    return BigInt(whole) * ONE + BigInt((decimals + '0'.repeat(18)).slice(0, 18));
}

// Returns the weights of folded stacks, without stacks of weight 0.
function stacksOf(folded) {
    const stacks = new Map();

    for (const line of folded.split('\n').filter(text => text && !text.startsWith('#'))) {
        const [, stack, weight] = line.match(/^(.*?) ((?:[\d.]+ )?[\d.]+)$/s) || [null, line, '0'];
        const weights = weight.split(' ').map(amount), before = stacks.get(stack);

        if (weights.some(w => w))
            stacks.set(stack, before ? weights.map((w, i) => w + before[i]) : weights);
    }
    return stacks;
}

// The weights must have one ratio; the units may differ by a power of ten.
function difference(wanted, got, exact) {
    const missing = [...wanted.keys()].find(stack => !got.has(stack));
    const extra = [...got.keys()].find(stack => !wanted.has(stack));
    const [first] = wanted.keys();
    let unlike;

    if (missing !== undefined || extra !== undefined)
        return `${wanted.size} stacks became ${got.size}; lost: ${missing}; new: ${extra}`;
    if (!exact || first === undefined)
        return null;
    unlike = [...wanted].find(([stack, weights]) => weights.some((w, i) =>
        w * sum(got.get(first)) !== (got.get(stack)[i] || 0n) * sum(wanted.get(first))));
    return unlike ? `other weights, as of ${unlike[0]}` : null;
}

function sum(weights) {
    return weights.reduce((a, b) => a + b, 0n);
}

// ---- the files -----------------------------------------------------------------------------------

function filesOfTable() {
    const rows = fs.readFileSync(path.join(ROOT, 'tests/corpus/files.tsv'), 'utf8').split('\n');
    const files = rows.map(row => row.split('\t')).filter(row => row[1] === 'read');

    return [...new Set(files.map(row => row[0]))].filter(file => fs.existsSync(path.join(ROOT, file)));
}

// Formats without a base have the weights of the new side.
function newSideOf(stacks, got) {
    const pairs = [...stacks.values()].some(weights => weights.length > 1);
    const isPair = [...got.values()].some(weights => weights.length > 1);

    return !pairs || isPair ? stacks : new Map([...stacks].filter(([, weights]) => weights[1])
        .map(([stack, weights]) => [stack, [weights[1]]]));
}

// Folded stacks are not read back: they must equal the output of fold without its first line, by
// which alone some files are recognised.
async function checkFormat(file, format, wanted, at) {
    const out = path.join(WORK, at + FORMATS[format]);
    const made = await run(FLAMEPRESS, ['convert', file, '-o', out]);
    const back = format === 'folded' ? {status: 0, stdout: fs.readFileSync(out, 'utf8'), stderr: ''} :
        await run(FLAMEPRESS, ['fold', '-q', out]);
    const name = `${format} ${file}`;

    if (made.status || back.status) {
        report(name, (made.stderr + back.stderr).trim().split('\n').pop());
        return;
    }
    const exact = !/are rounded to whole/.test(made.stderr);

    const got = stacksOf(back.stdout);

    report(name, difference(newSideOf(stacksOf(wanted), got), got, exact));
    fs.unlinkSync(out);
}

async function checkFile(file, at) {
    const folded = await run(FLAMEPRESS, ['fold', '-q', file]);

    if (folded.status) {
        report(file, folded.stderr.trim());
        return;
    }
    for (const format of Object.keys(FORMATS))
        await checkFormat(file, format, folded.stdout, at);
}

// ---- other tools ---------------------------------------------------------------------------------

// The self weights of functions in what `go tool pprof -raw` prints: "    1555: 1 10 11", a value and
// the locations from the leaf on, then "     1: 0x0 M=1 name file:0 s=0", a location.
function selfOfPprof(text) {
    const [samples, locations = ''] = text.split('\nLocations\n');
    const names = new Map(), self = new Map();

    for (const [, id, name] of locations.matchAll(/^ +(\d+): 0x0 (?:M=\d+ )?(.*) \S*:\d+ s=\d+$/gm))
        names.set(id, name);
    for (const [, value, leaf] of samples.matchAll(/^ +(-?\d+)(?: +-?\d+)*: (\d+)/gm))
        self.set(names.get(leaf), (self.get(names.get(leaf)) || 0n) + BigInt(value));
    return self;
}

async function checkPprof(file, at) {
    const out = path.join(WORK, `pprof-${at}.pb.gz`);
    const name = `go tool pprof ${file}`;

    await run(FLAMEPRESS, ['convert', '-q', file, '-o', out]);
    const theirs = await run('go', ['tool', 'pprof', '-symbolize=none', '-raw', out]);
    const ours = await run(FLAMEPRESS, ['fold', '-q', out]);
    const self = new Map();

    for (const [stack, [weight]] of stacksOf(ours.stdout)) {
        const leaf = stack.slice(stack.lastIndexOf(';') + 1);

        self.set(leaf, (self.get(leaf) || 0n) + weight / ONE);
    }
    const found = selfOfPprof(theirs.stdout);
    const wrong = [...self].find(([leaf, weight]) => found.get(leaf) !== weight);

    report(name, theirs.status ? theirs.stderr : !found.size ? 'printed nothing' :
        wrong ? `${wrong[0]}: ${found.get(wrong[0])}, not ${wrong[1]}` : null);
}

// `go tool pprof -diff_base` must accept a converted profile beside its original, and find no change.
async function checkDifference() {
    const file = path.join(ROOT, 'tests/corpus/pprof/app.pb.gz');
    const out = path.join(WORK, 'difference.pb.gz');

    await run(FLAMEPRESS, ['convert', '-q', file, '-o', out]);
    const {status, stdout, stderr} = await run('go',
        ['tool', 'pprof', '-symbolize=none', '-top', `-diff_base=${file}`, out]);

    report('difference by go tool pprof', status ? stderr :
        / accounting for 0, /.test(stdout) ? null : stdout);
}

// `go tool pprof` must name modules, files and lines of functions as the recording does.
// That of Go 1.24 writes a column behind the line.
async function checkPlaces() {
    const out = path.join(WORK, 'places.pb');
    const file = path.join(ROOT, 'tests/golden/convert-places-folded/in/app.raw.txt');

    await run(FLAMEPRESS, ['convert', '-q', file, '-o', out]);
    const {stdout} = await run('go', ['tool', 'pprof', '-symbolize=none', '-raw', out]);
    const places = [...stdout.matchAll(/0x0 M=(\d+) (\S+) (\S*?:\d+)(?::0)? s=/g)].map(match => {
        const module = stdout.match(new RegExp(`^${match[1]}: 0x0/0x0/0x0 (\\S*)`, 'm'));

        return `${module && module[1]} ${match[2]} ${match[3]}`;
    });
    const wanted = ['/srv/app main src/main.c:3', '/srv/lib.so work src/work.c:12'];

    report('places by go tool pprof', wanted.find(place => !places.includes(place)) &&
        `${places.join(', ') || stdout}, not ${wanted.join(', ')}`);
}

// --split=thread: pprof, speedscope, Firefox and OpenTelemetry keep which thread each sample is of. In pprof, both
// threads are of one type; Firefox has no names of events.
async function checkThreads() {
    const file = path.join(ROOT, 'tests/golden/convert-times-firefox/in/app.perf.txt');

    for (const ending of ['.pb', '.speedscope.json', '.firefox.json', '.otlp', '.otlp.json']) {
        const out = path.join(WORK, 'threads' + ending);
        const made = await run(FLAMEPRESS, ['convert', '--split=thread', file, '-o', out]);

        report(`threads${ending}: nothing about threads on stderr`,
            made.status || /threads/.test(made.stderr) ? made.stderr || 'failed' : null);
        for (const thread of ['app (101)', 'app (102)']) {
            const split = ['fold', '-q', '--split=thread', '--event'];
            const event = ending === '.firefox.json' ? 'tracing' : 'cpu-clock';
            const want = await run(FLAMEPRESS, [...split, `cpu-clock, ${thread}`, file]);
            const got = await run(FLAMEPRESS, [...split, `${event}, ${thread}`, out]);

            report(`threads${ending}: ${thread}`, got.status || want.status ?
                want.stderr + got.stderr : difference(stacksOf(want.stdout), stacksOf(got.stdout), true));
        }
    }
    const whole = await run(FLAMEPRESS, ['fold', '-q', path.join(WORK, 'threads.pb')]);
    const want = await run(FLAMEPRESS, ['fold', '-q', file]);

    report('threads.pb: one type of samples',
        difference(stacksOf(want.stdout), stacksOf(whole.stdout), true));
}

// The label by which pprof tells threads apart.
async function checkLabels() {
    const {stdout} = await run('go', ['tool', 'pprof', '-symbolize=none', '-raw',
        path.join(WORK, 'threads.pb')]);
    const labels = [...stdout.matchAll(/thread:\[(.*)\]/g)].map(match => match[1]).sort();

    report('threads by go tool pprof',
        labels.join() === 'app (101),app (102)' ? null : labels.join() || stdout);
}

// Each thread has functions, resources and strings of its own; the libraries are those of all.
async function checkFirefox() {
    const file = path.join(ROOT, 'tests/golden/convert-places-folded/in/app.raw.txt');
    const out = path.join(WORK, 'places.firefox.json');

    await run(FLAMEPRESS, ['convert', '-q', file, '-o', out]);
    const profile = JSON.parse(fs.readFileSync(out, 'utf8'));
    const [{funcTable, resourceTable, stringArray}] = profile.threads;
    const places = funcTable.name.map((name, i) => {
        const resource = funcTable.resource[i];
        const lib = resource < 0 ? null : profile.libs[resourceTable.lib[resource]];

        return [stringArray[name], lib && lib.path, lib && stringArray[resourceTable.name[resource]]].join(' ');
    });

    report('modules of Firefox', ['main /srv/app app', 'work /srv/lib.so lib.so'].every(
        place => places.includes(place)) ? null : places.join(', '));
}

async function main(wanted) {
    const named = wanted.filter(word => path.isAbsolute(word));
    const files = named.length ? named : filesOfTable().filter(file =>
        !wanted.length || wanted.some(word => file.includes(word)));
    let next = 0;
    const worker = async () => {
        while (next < files.length) {
            const at = next++;

            await checkFile(files[at], at);
        }
    };

    await Promise.all(Array.from({length: os.cpus().length}, worker));
    if ((await run('go', ['version'])).status)
        skips.push('SKIP go tool pprof: there is no go');
    else
        for (const file of files.filter(name => PPROF_FILES.test(name)))
            await checkPprof(file, files.indexOf(file));
    await checkThreads();
    await checkFirefox();
    if (!skips.length) {
        await checkPlaces();
        await checkDifference();
        await checkLabels();
    }
    skips.forEach(text => console.log(text));
    console.log(`${passed} passed, ${failures.length} failed, ${skips.length} skipped`);
    process.exitCode = failures.length || !passed ? 1 : 0;
}

main(process.argv.slice(2));
