// The commands whose output is compared. Each runs in a directory with the files of `inputs`.
'use strict';

const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const OPTIONS = require('./options.js');
const {files} = require('../pairs/table.js');

const TESTS = path.join(__dirname, '..');
const SAMPLES = path.join(TESTS, '../samples');

// Commands that take one option at a time, in turns with these inputs. What several commands have in
// common is tried with one of them: `beyond` names commands whose options are left out.
const TRIED = {
    graph: {inputs: [['timed.perf'], ['two.folded'], ['pipe.folded'], ['mixed.perf', 'timed.perf']]},
    fold: {inputs: [['timed.perf'], ['pipe.folded']]},
    top: {inputs: [['timed.perf'], ['two.folded'], ['pipe.folded']], beyond: ['fold']},
    diff: {inputs: [['before.folded', 'after.folded'], ['two.folded']], beyond: ['fold', 'graph']},
    convert: {inputs: [['timed.perf']], beyond: ['fold']},
    report: {inputs: [['small']], beyond: ['graph', 'fold', 'check']},
    check: {inputs: [['w2', '--baseline', 'w1']], beyond: ['graph', 'fold']},
    digest: {inputs: [['w2', '--baseline', 'w1']], beyond: ['graph', 'fold', 'check']},
};

const OUTPUT = {graph: ['-o', 'out.svg'], convert: ['-o', 'out.speedscope.json'], report: ['-o', 'out']};

// Commands that show more than one option does.
const MORE = [
    ...['text', 'csv', 'json'].flatMap(format => [
        `top timed.perf --format ${format} --search a=foo --event all`,
        `top pipe.folded --format ${format} --around pipe_write --rows 4`,
        `top two.folded --format ${format} --rows 3`,
    ]),
    ...['text', 'csv', 'json', 'folded', 'svg'].map(format =>
        `diff before.folded after.folded --format ${format} --rows 4 --normalize`),
    ...['out.pb', 'out.firefox.json', 'out.cpuprofile', 'out.json', 'out.folded', 'out.x'].map(out =>
        `convert timed.perf --event all --split=thread -o ${out}`),
    'report corpus -o out --pages one --search kernel=entry --search gc=GC --symfs=none',
    ...['*.folded', 'timed*', '[', '**', 'none'].map(glob => `report small --exclude=${glob} -o out`),
    'report small -o out --baseline small --search a=foo --with folded --crops --dark-images',
    'report w2 --baseline w1 -o out --fail-on worse --all-changes',
    'report w2 -o out --merge plain --each-run',
    ...['text', 'markdown', 'html', 'eml'].map(format => `digest w2 --baseline w1 --format ${format}`),
    'digest history --format text', 'digest history:w5 --format markdown', 'digest history:w1',
    'check w2 --baseline w1 --json out.json --junit out.xml --sarif out.sarif',
    'check week --baseline history --json out.json', 'check week --baseline history:w3',
    'trends history -o out', 'trends history -o out --title Shop',
    'archive w2 --to history2 --label w6 --date 2026-11-21', 'archive w2 --to history --label w5',
    'archive w2 --to history --label w6 --date 2026-11-21 --keep 2',
    'index small', 'formats', 'formats jstack perf-script x', '--help', 'x', 'graph x.perf',
    'top timed.perf x.perf', 'fold small', 'report x -o out', 'graph timed.perf -o out.md',
    'graph timed.perf -o out.svg --alt out.txt --link', 'diff two.folded before.folded',
    'graph --format svg empty', 'fold empty', 'report empty -o out', 'diff timed.perf mixed.perf',
];

// Returns the options that a command's help has.
function optionsOf(program, command) {
    const help = execFileSync(program, [command, '--help=all'], {encoding: 'utf8'});

    return new Set([...help.matchAll(/^ +(?:-\w, )? *--([a-z0-9-]+)/gm)].map(match => match[1]));
}

exports.list = program => {
    const commands = MORE.map(line => line.split(' '));

    for (const [command, {inputs, beyond = []}] of Object.entries(TRIED)) {
        const others = beyond.map(other => optionsOf(program, other));
        const known = optionsOf(program, command);
        let turn = 0;

        for (const [option, values] of Object.entries(OPTIONS)) {
            if (!known.has(option) || others.some(other => other.has(option)))
                continue;
            for (const value of values)
                commands.push([command, ...inputs[turn++ % inputs.length],
                    value === '' && values.length === 1 ? `--${option}` : `--${option}=${value}`,
                    ...(OUTPUT[command] || [])]);
        }
    }
    return commands;
};

exports.inputs = directory => {
    const copy = (from, to) =>
        fs.cpSync(from, path.join(directory, to), {recursive: true, preserveTimestamps: true});

    for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.join(directory, 'small'), {recursive: true});
        fs.writeFileSync(path.join(directory, name), text);
        fs.writeFileSync(path.join(directory, 'small', name), text);
    }
    fs.writeFileSync(path.join(directory, 'empty'), '');
    copy(path.join(SAMPLES, 'pipe-switches.folded'), 'pipe.folded');
    copy(path.join(TESTS, 'corpus/jstack'), 'small/jstack');
    copy(path.join(TESTS, 'corpus'), 'corpus');
    for (const part of ['w1', 'w2'])
        copy(path.join(TESTS, 'golden/check/in', part), part);
    for (const part of ['history', 'week'])
        copy(path.join(TESTS, 'golden/check-history/in', part), part);
};
