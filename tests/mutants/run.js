// Breaks the program in many small ways, one at a time, and runs the suites, which should notice.
// Usage:
//
//     node tests/mutants/run.js [COUNT [SEED]]
//
// Draws COUNT places (60) at random from all that rules.js finds in src and templates. The same SEED
// draws the same places of the same sources. Works in a copy of what git knows, in build/mutants.
// What no suite noticed is printed with its place. Fails if that is more than a tenth. Results are
// kept in build/mutants-found: a run of the same sources takes what is known from there.
//
// A mutant that does not compile without warnings is noticed by the compiler. One whose object code
// is that of the original changes nothing, and another is drawn in its place.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {execFileSync, spawn, spawnSync} = require('child_process');
const {digestOf, openFound} = require('./found.js');
const RULES = require('./rules.js');

const PROJECT = path.join(__dirname, '../..');
const TREE = path.join(PROJECT, 'build/mutants');
const BROKEN = path.join(TREE, 'build/broken'); // has the name of the file that is changed
const FOUND = path.join(PROJECT, 'build/mutants-found');
const COLLECTION = process.env.CORPUS || path.join(PROJECT, '../shared/corpus');
const TEMPORARY = path.join(TREE, 'build/temporary');
const LIMIT = path.join(PROJECT, 'build/release/helpers/limit');
const LANES = os.availableParallelism ? os.availableParallelism() : os.cpus().length;
const MOST_SURVIVORS = 0.1;

// In the order in which they are likely to notice soon: `near` are the unit tests that see the
// changed file. A suite that prints no totals has noticed.
const OF_C = ['near', 'readings', 'pixels', 'outputs', 'tickets', 'convert', 'golden', 'weekly',
    'kinds', 'pairs', 'unit', 'hostile', 'installed', 'library', 'valgrind', 'browser', 'statistics'];
// These take at most 15 seconds of CPU time without a mutant: it may loop forever.
const QUICK = ['near', 'readings', 'pixels', 'outputs', 'tickets', 'convert', 'golden', 'weekly'];
const OF_SCRIPTS = ['browser', 'golden', 'valid'];
const UNIT = ['build/asan/unit-tests', '--fail-fast'];
const PROGRAMS = ['all', 'build/release/statistics', 'build/release/helpers/readings'];

// ---- places ----

// The lines that are code: no comments, no lines of the preprocessor.
function codeLines(text) {
    let comment = false;

    return text.split('\n').map((line, index) => {
        const begins = !comment && line.includes('/*');
        const code = !comment && !begins && !/^\s*(\/\/|#|\*)/.test(line);

        comment = (comment || begins) && !line.includes('*/');
        return {line, index, code};
    }).filter(row => row.code);
}

// A match within a string is no place: an odd number of quotes stands before it.
function isQuoted(line, at) {
    return (line.slice(0, at).replace(/\\./g, '').match(/["']/g) || []).length % 2 === 1;
}

function placesOf(file) {
    const rows = codeLines(fs.readFileSync(path.join(PROJECT, file), 'utf8'));
    const places = [];

    for (const rule of RULES) {
        if (rule.in && !rule.in.test(file))
            continue;
        for (const {line, index} of rows)
            for (const match of line.matchAll(rule.find))
                if (!isQuoted(line, match.index))
                    places.push({file, index, rule, at: match.index, length: match[0].length});
    }
    return places;
}

function sources() {
    return execFileSync('git', ['ls-files', 'src/*.c', 'templates/*.js', ':!templates/bundle'],
        {cwd: PROJECT})
        .toString().trim().split('\n');
}

// A generator of numbers below `n` that depends on the seed alone: xorshift, 32 bits, by Marsaglia.
function randomFrom(seed) {
    let state = (seed * 2654435761 >>> 0) || 1;

    return n => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % n;
    };
}

// ---- one mutant ----

function changed(text, place) {
    const lines = text.split('\n');
    const line = lines[place.index];
    const part = line.slice(place.at, place.at + place.length);
    const find = new RegExp(place.rule.find.source);
    // What stands around a match may matter to the rule: the whole line is given to it first.
    const put = find.test(part) ? part.replace(find, place.rule.put) :
        place.rule.put.replace('$1', part.match(/^\w*/)[0]);

    lines[place.index] = line.slice(0, place.at) + put + line.slice(place.at + place.length);
    return lines.join('\n');
}

// Standard input is not a pipe of node's, which is a socket: bash would take itself for a remote
// shell and read the user's ~/.bashrc for each command of make.
function run(command, args) {
    return spawnSync(command, args,
        {cwd: TREE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

function make(mode, ...targets) {
    return run('make', ['-s', `-j${LANES}`, `MODE=${mode}`, ...targets]);
}

// As `make test` does: the unit tests run with the sanitizers, which also report leaks.
function makePrograms(...more) {
    const made = make('release', ...PROGRAMS, ...more);

    return made.status === 0 ? make('asan', 'build/asan/unit-tests') : made;
}

function objectOf(file) {
    return path.join('build/release', file.replace(/\.c$/, '.o'));
}

// The object code without what only a debugger reads.
function codeOf(file) {
    const object = path.join(TREE, objectOf(file));
    const copy = path.join(TREE, 'build/code.o');

    execFileSync('objcopy', ['--strip-debug', '-R', '.comment', object, copy]);
    return fs.readFileSync(copy);
}

// The filter of the unit tests that see the file, or '' if there is none.
function nearTests(file) {
    const command = ['tests/support/changed', '', 'build/asan', file];

    return run('bash', command).stdout.trim();
}

function commandOf(suite, file) {
    return {
        near: [...UNIT, `--filter=${suite === 'near' && nearTests(file)}`], unit: UNIT,
        statistics: ['build/release/statistics'],
        valgrind: ['tests/support/valgrind'],
    }[suite] || [`tests/${suite}/run`];
}

// Ends what `limit` runs, which is a process group. Its first process is the first child of `limit`,
// which also gets those whose parent has ended.
function endCommand(limit) {
    const list = `/proc/${limit.pid}/task/${limit.pid}/children`;
    const [first] = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split(' ') : [];

    if (first)
        process.kill(-first, 'SIGKILL');
}

// Runs a suite until a test fails, or another suite has noticed. Returns whether it passed.
function runSuite(suite, file, running = new Set()) {
    const report = path.join(TREE, `build/limit-${suite}`);
    const env = {...process.env, ASAN_OPTIONS: 'abort_on_error=1:detect_leaks=1',
        UBSAN_OPTIONS: 'print_stacktrace=1',
        FLAMEPRESS: path.join(TREE, 'build/release/flamepress'), LIMIT,
        NPM: path.join(PROJECT, 'build/npm'), TMPDIR: TEMPORARY, CORPUS: COLLECTION};
    const seconds = QUICK.includes(suite) ? '120' : '1800';
    const limit = spawn(LIMIT, [seconds, '0', report, ...commandOf(suite, file)],
        {cwd: TREE, env, stdio: ['ignore', 'pipe', 'ignore']});
    let failed = false, begin = '';

    running.add(limit);
    limit.stdout.on('data', bytes => {
        const lines = (begin + bytes).split('\n');

        begin = lines.pop().slice(0, 4);
        if (!failed && lines.some(line => line.startsWith('FAIL'))) {
            failed = true;
            endCommand(limit);
        }
    });
    return new Promise(resolve => limit.on('close', () => {
        running.delete(limit);
        resolve(!failed && fs.readFileSync(report, 'utf8').split(' ')[0] === '0');
    }));
}

// Runs the suites side by side, as many as there are processors, until one notices. Returns its
// name, or 'nothing'.
async function firstToNotice(suites, file) {
    const waiting = suites.filter(suite => suite !== 'near' || nearTests(file));
    const running = new Set();
    let by = 'nothing';
    const takeTurns = async () => {
        while (by === 'nothing' && waiting.length) {
            const suite = waiting.shift(), passed = await runSuite(suite, file, running);

            if (!passed && by === 'nothing') {
                by = suite;
                running.forEach(endCommand);
            }
        }
    };

    fs.rmSync(TEMPORARY, {recursive: true, force: true});
    fs.mkdirSync(TEMPORARY);
    await Promise.all(Array.from({length: LANES}, takeTurns));
    return by;
}

// What notices the mutant: the name of a suite, 'compiler', 'nothing', or '' if it is no change.
async function noticedBy(place) {
    const script = place.file.endsWith('.js');

    if (!script) {
        const before = codeOf(place.file), compiled = make('release', objectOf(place.file));

        if (compiled.status !== 0 || compiled.stderr.includes('warning:'))
            return 'compiler';
        if (codeOf(place.file).equals(before))
            return '';
    }
    if (script && make('release', 'scripts').status !== 0)
        return 'compiler';
    const built = makePrograms();

    if (built.status !== 0)
        return 'compiler';
    return firstToNotice(script ? OF_SCRIPTS : OF_C, place.file);
}

const passing = new Set();

// A suite that fails without a mutant, too, would notice each.
async function checkSuite(noticed, file) {
    const suite = noticed === 'near' ? 'unit' : noticed;

    if (passing.has(suite))
        return;
    makePrograms();
    if (!await runSuite(suite, file))
        throw new Error(`the suite ${suite} fails without a mutant`);
    passing.add(suite);
}

// Only the object is made again: the next mutant links the programs.
async function tryPlace(place) {
    const file = path.join(TREE, place.file);
    const original = fs.readFileSync(file, 'utf8');
    let by;

    fs.writeFileSync(BROKEN, objectOf(place.file));
    fs.writeFileSync(file, changed(original, place));
    try {
        by = await noticedBy(place);
    } finally {
        fs.writeFileSync(file, original);
        make('release', place.file.endsWith('.c') ? objectOf(place.file) : 'scripts');
        fs.rmSync(BROKEN);
    }
    if (OF_C.includes(by) || OF_SCRIPTS.includes(by))
        await checkSuite(by, place.file);
    return by;
}

// ---- the whole ----

// What was built of the sources need not be compiled again in the copy: times are copied, too.
function copyObjects() {
    for (const name of ['flags', 'src', 'templates', 'fonts', 'tests'])
        for (const part of [`build/release/${name}`, `build/asan/${name}`]) {
            const from = path.join(PROJECT, part);

            if (fs.existsSync(from))
                fs.cpSync(from, path.join(TREE, part), {recursive: true, preserveTimestamps: true});
        }
}

// A run that was stopped leaves an object that is newer than its source, which is restored.
function removeBroken() {
    if (!fs.existsSync(BROKEN))
        return;
    const object = fs.readFileSync(BROKEN, 'utf8');

    for (const mode of ['release', 'asan'])
        fs.rmSync(path.join(TREE, object.replace('release', mode)), {force: true});
    fs.rmSync(BROKEN);
}

// Copies what git knows. Of an earlier copy only what was built is kept: the Makefile takes all files
// that it finds in src and tests. Returns the names of the files.
function copyTree() {
    const files = execFileSync('git', ['ls-files', '-z'], {cwd: PROJECT}).toString().split('\0')
        .filter(name => name && fs.existsSync(path.join(PROJECT, name)));

    fs.mkdirSync(TREE, {recursive: true});
    for (const name of fs.readdirSync(TREE).filter(one => one !== 'build'))
        fs.rmSync(path.join(TREE, name), {recursive: true});
    for (const file of files) {
        const to = path.join(TREE, file);

        fs.mkdirSync(path.dirname(to), {recursive: true});
        fs.cpSync(path.join(PROJECT, file), to, {preserveTimestamps: true});
    }
    if (!fs.existsSync(path.join(TREE, 'build/release/flamepress')))
        copyObjects();
    removeBroken();
    const bundled = make('release', 'scripts');

    if (bundled.status !== 0)
        throw new Error(bundled.stdout + bundled.stderr);
    const built = makePrograms('build/release/helpers/compare_png',
        ...['intruder.so', 'without', 'forge'].map(name => `build/release/helpers/${name}`));

    if (built.status !== 0)
        throw new Error(`the copy in ${TREE} does not build:\n${built.stderr}`);
    return files;
}

function nameOf(place) {
    return `${place.file}:${place.index + 1}:${place.at + 1}: ${place.rule.name}`;
}

async function main() {
    const count = Number(process.argv[2] || 60);
    const seed = Number(process.argv[3] || 1);
    const places = sources().flatMap(placesOf);
    const random = randomFrom(seed);
    const tally = {};

    const found = openFound(FOUND, digestOf(TREE, copyTree(), COLLECTION));

    console.log(`${count} of ${places.length} places, seed ${seed}`);
    for (let done = 0; done < count;) {
        const place = places.splice(random(places.length), 1)[0], name = nameOf(place);
        const known = found.get(name), by = known === undefined ? await tryPlace(place) : known;

        if (known === undefined)
            found.set(name, by);
        if (!by)
            continue;
        done++;
        tally[by] = (tally[by] || 0) + 1;
        console.log(`${by === 'nothing' ? 'SURVIVED' : by.padEnd(8)} ${name}` +
            `${known === undefined ? '' : ' (known)'}`);
    }
    const survived = tally.nothing || 0;

    console.log(Object.entries(tally).map(([by, n]) => `${by} ${n}`).join(', '));
    console.log(`${count - survived} passed, ${survived} failed`);
    process.exit(survived > count * MOST_SURVIVORS ? 1 : 0);
}

if (require.main === module)
    main().catch(error => {
        console.error(error.message);
        process.exit(2);
    });
