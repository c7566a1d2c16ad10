// Compares all that the readers make of each profile with what is kept: facts, series, stacks,
// moments, what is known of symbols, and messages. readings.c writes it as text. Usage:
//
//     node tests/readings/run.js [--accept] [WORD...]
//
// want/ has a text for each file of tests/corpus/files.tsv. want/files.tsv has the digests of texts
// that are too long to keep, and want/collection.tsv those of the files of the collection that
// CORPUS names. want/damaged.tsv and want/damaged-collection.tsv have digests of what is read of
// damaged files: for messages, limits and all that only an unusual file meets.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawnSync} = require('child_process');

const PROJECT = path.resolve(__dirname, '../..');
const PROGRAM = path.join(PROJECT, 'build/release/helpers/readings');
const COLLECTION = process.env.CORPUS || path.join(PROJECT, '../shared/corpus');
const WANT = path.join(__dirname, 'want');
const PARTS = ['about', 'stacks', 'moments', 'symbols', 'messages'];
const DAMAGES = ['cut', 'missing', 'twice', 'swapped', 'number', 'word', 'sign', 'byte',
    'limited'];
const TIMES_DAMAGED = 60, TIMES_COLLECTED = 4; // each file, for each kind of damage
const LONGEST = 48 * 1024;                     // bytes of a text, or of a file that is damaged

const accept = process.argv[2] === '--accept';
const words = process.argv.slice(accept ? 3 : 2);
const tally = {ok: 0, FAIL: 0, SKIP: 0};

function verdict(word, name, why) {
    tally[word]++;
    console.log(word.padEnd(4), why ? `${name}: ${why}` : name);
}

function isChosen(file) {
    return !words.length || words.some(word => file.includes(word));
}

function read(file) {
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

// ---- tables ----

function tableOf(text) {
    const rows = text.split('\n').filter(row => row && !row.startsWith('#'));

    return new Map(rows.map(row => [row.split('\t')[0], row]));
}

function kept(name) {
    return tableOf(read(path.join(WANT, name)));
}

function writeTable(name, columns, rows) {
    const sorted = [...rows.values()].sort();

    fs.writeFileSync(path.join(WANT, name),
        `# file\t${columns.join('\t')}\n${sorted.map(row => row + '\n').join('')}`);
}

// What differs between two rows; '' if nothing does.
function difference(want, got, columns) {
    if (!want || !got)
        return want ? 'the file is missing' : 'no result is kept (make accept SUITE=readings)';
    const digests = [want, got].map(row => row.split('\t').slice(1));
    const other = columns.filter((column, i) => digests[0][i] !== digests[1][i]);

    return other.length ? `other digests of ${other.join(', ')}` : '';
}

// Runs readings.c for the files. Returns the rows that it prints.
function readings(directory, files, ...args) {
    const ran = spawnSync(PROGRAM, args,
        {cwd: directory, input: files.map(file => file + '\n').join(''), encoding: 'utf8',
            env: {...process.env, GLIBC_TUNABLES: 'glibc.malloc.tcache_count=0'}});
    const rows = ran.stdout ? tableOf(ran.stdout) : new Map();

    if (ran.status !== 0) {
        verdict('FAIL', `${directory} ${args.join(' ')}`,
            `the program ends by ${ran.status || ran.signal || ran.error} ` +
            `after ${rows.size} of ${files.length} files`);
        process.stdout.write(ran.stderr || '');
    }
    return rows;
}

// ---- the files of the project ----

function showDifference(want, got) {
    const ran = spawnSync('diff', ['-u', '--label', 'want', '--label', 'got', want, got],
        {encoding: 'utf8'});

    for (const line of ran.stdout.split('\n').slice(0, 40))
        console.log(`  ${line.slice(0, 300)}`);
}

function keepText(file, text, table) {
    const want = path.join(WANT, file + '.txt');

    fs.rmSync(want, {force: true});
    table.delete(file);
    if (text.length <= LONGEST) {
        fs.mkdirSync(path.dirname(want), {recursive: true});
        fs.writeFileSync(want, text);
    }
    return text.length > LONGEST;
}

function ownFiles() {
    const table = read(path.join(PROJECT, 'tests/corpus/files.tsv'));

    return [...tableOf(table).keys()].filter(isChosen);
}

function checkOwn(out) {
    const files = ownFiles(), rows = readings(PROJECT, files, '--leaks', out), table = kept('files.tsv');

    for (const file of files) {
        const want = path.join(WANT, file + '.txt'), got = path.join(out, file + '.txt');
        const why = fs.existsSync(want) ? read(want) !== read(got) && 'another text' :
            difference(table.get(file), rows.get(file), PARTS);

        verdict(why ? 'FAIL' : 'ok', file, why);
        if (why && fs.existsSync(want))
            showDifference(want, got);
        if (why && accept && keepText(file, read(got), table))
            table.set(file, rows.get(file));
    }
    checkGone(files, table);
    if (accept)
        writeTable('files.tsv', PARTS, table);
}

// A result of a file that the corpus does not have any more is a mistake.
function checkGone(files, table) {
    const texts = fs.readdirSync(WANT, {recursive: true}).filter(name => name.endsWith('.txt'))
        .map(name => name.slice(0, -'.txt'.length));

    for (const file of [...texts, ...table.keys()].filter(isChosen))
        if (!files.includes(file)) {
            verdict('FAIL', file, 'a result is kept, but there is no such file');
            if (accept && !table.delete(file))
                fs.rmSync(path.join(WANT, file + '.txt'));
        }
}

// ---- tables of digests ----

// Expat's versions disagree on what a damaged document still has. The digests are of Debian 12's.
const EXPAT = (spawnSync('pkg-config', ['--modversion', 'expat'], {encoding: 'utf8'}).stdout || '').trim();

function isOfOtherExpat(file) {
    return !EXPAT.startsWith('2.5.') && read(path.join(PROJECT, file)).trimStart().startsWith('<');
}

function filesBelow(directory) {
    return fs.readdirSync(directory, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => path.relative(directory, path.join(entry.path, entry.name)));
}

function isShort(file) {
    const stat = fs.statSync(path.join(COLLECTION, file), {throwIfNoEntry: false});

    return stat && stat.size <= LONGEST;
}

// A test for each name that `testOf` gives the files. Rows that are kept of files that are not
// chosen stay.
function checkTable(name, columns, files, rows, testOf) {
    const table = kept(name), problems = {};

    for (const file of files) {
        const test = testOf(file), why = difference(table.get(file), rows.get(file), columns);

        problems[test] = problems[test] || [];
        if (why)
            problems[test].push(`${file}: ${why}`);
        if (why && accept)
            table.set(file, rows.get(file));
    }
    for (const [test, list] of Object.entries(problems))
        verdict(list.length ? 'FAIL' : 'ok', test, list.slice(0, 10).join('; '));
    if (accept)
        writeTable(name, columns, table);
}

function checkDamaged() {
    const files = ownFiles().filter(file => !isOfOtherExpat(file));
    const rows = readings(PROJECT, files, '--leaks', `--damaged=${TIMES_DAMAGED}`, '-');

    if (files.length < ownFiles().length)
        verdict('SKIP', 'damaged documents of XML', `expat is ${EXPAT}, and 2.5 on Debian 12`);

    checkTable('damaged.tsv', DAMAGES, files, rows, file => `damaged ${file}`);
}

// A test for each directory. New files of the collection are accepted, but not missed.
function checkCollection() {
    const all = filesBelow(COLLECTION).filter(isChosen).sort();
    const chosen = name => accept ? all : [...kept(name).keys()].filter(isChosen);
    const files = chosen('collection.tsv');
    const short = chosen('damaged-collection.tsv').filter(isShort);
    const damaged = readings(COLLECTION, short, `--damaged=${TIMES_COLLECTED}`, '-');

    checkTable('collection.tsv', PARTS, files, readings(COLLECTION, files, '-'),
        file => `collection/${file.split('/')[0]}`);
    checkTable('damaged-collection.tsv', DAMAGES, short, damaged,
        file => `damaged collection/${file.split('/')[0]}`);
}

function main() {
    const out = fs.mkdtempSync(path.join(os.tmpdir(), 'readings-'));

    try {
        checkOwn(out);
        checkDamaged();
        if (fs.existsSync(COLLECTION))
            checkCollection();
        else
            verdict('SKIP', 'collection', `there is no collection of profiles at ${COLLECTION}`);
    } finally {
        fs.rmSync(out, {recursive: true});
    }
    if (!accept)
        console.log(`${tally.ok} passed, ${tally.FAIL} failed, ${tally.SKIP} skipped`);
    process.exit(tally.FAIL && !accept ? 1 : 0);
}

main();
