// Runs the commands of commands.js and compares status, messages and files with what is kept. Usage:
//
//     FLAMEPRESS=program WORK=directory node tests/outputs/run.js [--accept] [WORD...]
//
// want/COMMAND.txt has a block for each run of a command: the arguments, the status if it is not 0,
// then what was written. A short text is there as it is, of other files a digest.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const {spawnSync} = require('child_process');
const {inputs, list} = require('./commands.js');

const {FLAMEPRESS, WORK} = process.env;
const DIRECTORY = path.join(WORK, 'in');
const WANT = path.join(__dirname, 'want');
const TABLES = ['graph', 'report', 'fold', 'convert', 'diff', 'top', 'check', 'digest'];
const SHORT = 700; // characters of a text that is kept as it is

const accept = process.argv[2] === '--accept';
const words = process.argv.slice(accept ? 3 : 2);
let passed = 0, failed = 0;

// ---- one command ----

function run(args) {
    const ran = spawnSync(FLAMEPRESS, args,
        {cwd: DIRECTORY, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'],
            env: {PATH: process.env.PATH, HOME: WORK, LC_ALL: 'C.UTF-8', TZ: 'UTC'}});

    return {...ran, status: ran.status === null ? ran.signal : ran.status};
}

fs.mkdirSync(DIRECTORY);
const version = run(['--version']).stdout.match(/\d+\.\d+\.\d+(?: \(commit [0-9a-z-]+\))?/)[0];

// Leaves out what is the same in all graphs and pages, what depends on the versions of libraries,
// such as packed data and pictures, and what names our version or the bytes of our scripts.
function stable(text) {
    return text.replaceAll(version, '@VERSION@').replaceAll(version.split(' ')[0], '@VERSION@')
        .replace(/(<metadata data-flame="(?:data|font)"[^>]*>)[^<]*/g, '$1@DATA@')
        .replace(/^<script>[^]*?<\/script>$/gm, '@SCRIPT@')
        .replace(/^<style>[^]*?<\/style>$/gm, '@STYLE@')
        .replace(/SVG has [\d,]+ bytes/g, 'SVG has @SIZE@ bytes')
        .replace(/sha256-[A-Za-z0-9+/=]+/g, '@HASH@')
        .replace(/(?:[A-Za-z0-9+/]{60,76}=*\r?\n){2,}|[A-Za-z0-9+/=]{160,}/g, '@BYTES@');
}

function filesBelow(directory) {
    return fs.readdirSync(directory, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => path.relative(directory, path.join(entry.path, entry.name))).sort();
}

// A text, or its digest. Compressed bytes depend on the versions of libraries.
function shown(name, bytes) {
    if (/\.(png|zst|gz|pb)$/.test(name))
        return `${name}: binary\n`;
    const text = stable(bytes.toString());

    if (text.length <= SHORT && !name.endsWith('.svg'))
        return `${name}:\n${text.replace(/^/gm, '  ').replace(/ +$/gm, '')}\n`;
    return `${name}: ${crypto.createHash('sha256').update(text).digest('hex').slice(0, 12)}\n`;
}

// The files of what is new in the directory, or of the history that a command changes.
function written(args, before) {
    const all = fs.readdirSync(DIRECTORY).filter(name => !before.includes(name));
    const history = args[args.indexOf('--to') + 1];

    if (args.includes('--to') && before.includes(history))
        all.push(history);
    return all.flatMap(name => fs.statSync(path.join(DIRECTORY, name)).isFile() ? [name] :
        filesBelow(path.join(DIRECTORY, name)).map(file => path.join(name, file)))
        .filter(name => !name.endsWith('.flamepress.reuse')); // has a digest of the program
}

// Of a report's graphs and pages, all files of a kind have one digest.
function shownFiles(names) {
    const kinds = new Map();
    let text = '';

    for (const name of names) {
        const bytes = fs.readFileSync(path.join(DIRECTORY, name));
        const kind = `${path.dirname(name)}/*${path.extname(name)}`;

        if (path.dirname(name).includes('/'))
            kinds.set(kind, (kinds.get(kind) || '') + shown(path.basename(name), bytes));
        else
            text += shown(name, bytes);
    }
    for (const [kind, list] of kinds)
        text += shown(kind, list.padEnd(SHORT + 1));
    return text;
}

// Runs a command and removes what it wrote. Returns its block.
function blockOf(args, before) {
    const ran = run(args);
    let block = ran.status ? `status: ${ran.status}\n` : '';

    for (const stream of ['stderr', 'stdout'])
        if (ran[stream])
            block += shown(stream, ran[stream]);
    block += shownFiles(written(args, before));
    for (const name of fs.readdirSync(DIRECTORY).filter(one => !before.includes(one)))
        fs.rmSync(path.join(DIRECTORY, name), {recursive: true});
    if (args.includes('--to')) {
        fs.rmSync(DIRECTORY, {recursive: true});
        inputs(DIRECTORY);
    }
    return block;
}

// ---- all commands ----

function parse(text) {
    const blocks = text.split(/^\$ /m).slice(1);

    return new Map(blocks.map(block => [block.split('\n')[0], block.slice(block.indexOf('\n') + 1)]));
}

function read(command) {
    const file = path.join(WANT, command + '.txt');

    return fs.existsSync(file) ? parse(fs.readFileSync(file, 'utf8')) : new Map();
}

function write(command, blocks) {
    fs.mkdirSync(WANT, {recursive: true});
    fs.writeFileSync(path.join(WANT, command + '.txt'),
        [...blocks].map(([line, block]) => `$ ${line}\n${block}`).join(''));
}

function verdict(name, why) {
    why ? failed++ : passed++;
    console.log(why ? `FAIL ${name}: ${why}` : `ok   ${name}`);
}

// The first lines that differ.
function show(want, got) {
    const lines = [want, got].map(text => text.split('\n'));
    const at = lines[0].findIndex((line, i) => line !== lines[1][i]);

    for (const [side, rows] of lines.entries())
        for (const line of rows.slice(at < 0 ? rows.length - 1 : at).slice(0, 8))
            console.log(`  ${'-+'[side]}${line.slice(0, 200)}`);
}

// Quotes what the line of a block could not show.
function lineOf(args) {
    return args.map(arg => /^[\x21-\x7e]+$/.test(arg) ? arg : JSON.stringify(arg)).join(' ');
}

// Blocks of commands that are not run any more count as failures, and are not accepted.
function check(command, runs, before) {
    const want = read(command), kept = new Map();

    for (const args of runs) {
        const line = lineOf(args);

        if (words.length && !words.some(word => line.includes(word))) {
            kept.set(line, want.get(line));
            want.delete(line);
            continue;
        }
        const got = blockOf(args, before);

        verdict(line, want.get(line) === undefined ? 'no output is kept' :
            want.get(line) !== got && 'other output');
        if (want.has(line) && want.get(line) !== got)
            show(want.get(line), got);
        kept.set(line, got);
        want.delete(line);
    }
    for (const line of want.keys())
        verdict(line, 'an output is kept, but the command is not run');
    if (accept)
        write(command, [...kept].filter(row => row[1] !== undefined));
}

function main() {
    const groups = new Map();

    inputs(DIRECTORY);
    for (const args of list(FLAMEPRESS)) {
        const command = TABLES.includes(args[0]) ? args[0] : 'other';

        groups.set(command, [...groups.get(command) || [], args]);
    }
    const before = fs.readdirSync(DIRECTORY);

    for (const [command, runs] of groups)
        check(command, runs, before);
    if (!accept)
        console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed && !accept ? 1 : 0);
}

main();
