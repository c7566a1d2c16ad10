// Compares all that the readers make of each profile with what is kept: facts, series, stacks,
// moments, what is known of symbols, and messages. readings.c writes it as text. Usage:
//
//     node tests/readings/run.js [--accept] [WORD...]
//
// want/ has a text for each file of tests/corpus/files.tsv. want/files.tsv has the digests of texts
// that are too long to keep, and want/collection.tsv those of the files of the collection that
// CORPUS names. `echo FILE | build/release/helpers/readings OUT` writes any of the texts.
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
const LONGEST = 48 * 1024;

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

function writeTable(name, rows) {
    const sorted = [...rows.values()].sort();

    fs.writeFileSync(path.join(WANT, name),
        `# file\t${PARTS.join('\t')}\n${sorted.map(row => row + '\n').join('')}`);
}

// What differs between two rows; '' if nothing does.
function difference(want, got) {
    if (!want || !got)
        return want ? 'the file is missing' : 'no result is kept (make accept SUITE=readings)';
    const digests = [want, got].map(row => row.split('\t').slice(1));
    const other = PARTS.filter((part, i) => digests[0][i] !== digests[1][i]);

    return other.length ? `other digests of ${other.join(', ')}` : '';
}

// Reads the files, with texts in `out` if it is given. Returns the rows.
function readings(directory, files, out) {
    const ran = spawnSync(PROGRAM, out ? [out] : [],
        {cwd: directory, input: files.map(file => file + '\n').join(''), encoding: 'utf8'});

    if (ran.status !== 0) {
        verdict('FAIL', directory, `the program ends by ${ran.status || ran.signal || ran.error} ` +
            `after ${ran.stdout ? tableOf(ran.stdout).size : 0} of ${files.length} files`);
        process.stdout.write(ran.stderr || '');
    }
    return tableOf(ran.stdout || '');
}

// ---- the files of the project ----

function showDifference(want, got) {
    const ran = spawnSync('diff', ['-u', '--label', 'want', '--label', 'got', want, got],
        {encoding: 'utf8'});

    for (const line of ran.stdout.split('\n').slice(0, 40))
        console.log(`  ${line.slice(0, 300)}`);
}

function keepText(file, text, kept) {
    const want = path.join(WANT, file + '.txt');

    fs.rmSync(want, {force: true});
    kept.delete(file);
    if (text.length <= LONGEST) {
        fs.mkdirSync(path.dirname(want), {recursive: true});
        fs.writeFileSync(want, text);
    }
    return text.length > LONGEST;
}

function checkOwn(out) {
    const table = read(path.join(PROJECT, 'tests/corpus/files.tsv'));
    const files = [...tableOf(table).keys()].filter(isChosen);
    const rows = readings(PROJECT, files, out), kept = tableOf(read(path.join(WANT, 'files.tsv')));

    for (const file of files) {
        const want = path.join(WANT, file + '.txt'), got = path.join(out, file + '.txt');
        const why = fs.existsSync(want) ? read(want) !== read(got) && 'another text' :
            difference(kept.get(file), rows.get(file));

        verdict(why ? 'FAIL' : 'ok', file, why);
        if (why && fs.existsSync(want))
            showDifference(want, got);
        if (why && accept && keepText(file, read(got), kept))
            kept.set(file, rows.get(file));
    }
    checkGone(files, kept);
    if (accept)
        writeTable('files.tsv', kept);
}

// A result of a file that the corpus does not have any more is a mistake.
function checkGone(files, kept) {
    const texts = fs.readdirSync(WANT, {recursive: true}).filter(name => name.endsWith('.txt'))
        .map(name => name.slice(0, -'.txt'.length));

    for (const file of [...texts, ...kept.keys()].filter(isChosen))
        if (!files.includes(file)) {
            verdict('FAIL', file, 'a result is kept, but there is no such file');
            if (accept && !kept.delete(file))
                fs.rmSync(path.join(WANT, file + '.txt'));
        }
}

// ---- the collection ----

function filesBelow(directory) {
    return fs.readdirSync(directory, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => path.relative(directory, path.join(entry.path, entry.name)));
}

// A test for each directory. New files of the collection are accepted, but not missed.
function checkCollection() {
    const kept = tableOf(read(path.join(WANT, 'collection.tsv')));
    const files = (accept ? filesBelow(COLLECTION) : [...kept.keys()]).filter(isChosen).sort();
    const rows = readings(COLLECTION, files);
    const problems = {};

    for (const file of files) {
        const directory = file.split('/')[0];
        const why = difference(kept.get(file), rows.get(file));

        problems[directory] = problems[directory] || [];
        if (why)
            problems[directory].push(`${file}: ${why}`);
        if (why && accept)
            kept.set(file, rows.get(file));
    }
    for (const [directory, list] of Object.entries(problems))
        verdict(list.length ? 'FAIL' : 'ok', `collection/${directory}`,
            list.slice(0, 10).join('; '));
    if (accept)
        writeTable('collection.tsv', kept);
}

function main() {
    const out = fs.mkdtempSync(path.join(os.tmpdir(), 'readings-'));

    try {
        checkOwn(out);
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
