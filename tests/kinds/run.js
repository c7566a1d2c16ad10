// Draws each row of table.js as SVG, as PNG and in a report, and compares the three with the row
// and with each other. Usage:
//
//     FLAMEPRESS=program WORK=directory node tests/kinds/run.js [ROW...]
//
// runs the rows whose names contain one of these. Without arguments it runs all rows and the commands
// of samples/README.md, whose name is README.
'use strict';

const fs = require('fs');
const path = require('path');
const {execFileSync, spawnSync} = require('child_process');
const {readSvg, readPng, rgb} = require('./drawn.js');
const palettes = require('./palettes.js');
const readme = require('./readme.js');
const table = require('./table.js');

const PROJECT = path.join(__dirname, '../..');
const CORPUS = process.env.CORPUS || path.join(PROJECT, '../shared/corpus');
const {FLAMEPRESS, WORK} = process.env;
const BOUND = 16; // largest difference between a colour and its nearest of the 256 colours of a PNG
const PIXELS = 1180;

// "corpus:jfr/x.jfr" is a file of the collection of profiles, "work:x" a file that the row writes.
function argumentsOf(row) {
    return row.args.map(argument =>
        argument.replace(/^corpus:/, `${CORPUS}/`).replace(/=work:/, `=${WORK}/`));
}

function misses(row) {
    const file = argumentsOf(row).find(argument => argument.startsWith(CORPUS));

    return file && !fs.existsSync(file) ? file : '';
}

function run(args) {
    return execFileSync(FLAMEPRESS, args, {cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe']});
}

class Faults {
    constructor() {
        this.found = [];
    }

    expect(holds, what) {
        if (!holds)
            this.found.push(what);
    }

    same(got, want, what) {
        this.expect(got === want, `${what} is "${got}", not "${want}"`);
    }
}

// ---- one picture ----

const PLAIN = ' · colours only tell frames apart';

// A picture either has a legend, or ends its facts with PLAIN; with a colour map it has neither.
function checkMeaning(faults, row, drawn) {
    const mapped = row.args.some(argument => argument.startsWith('--cp'));

    drawn.parts.forEach(part => faults.same(part.facts.endsWith(PLAIN),
        !part.legend.length && !mapped, `${PLAIN} below "${part.title}"`));
}

function checkTexts(faults, row, drawn) {
    for (const key of ['title', 'ground'])
        if (row[key] !== undefined)
            faults.same(drawn[key], row[key], key);
    if (row.facts !== undefined)
        faults.same(drawn.facts.replaceAll(PLAIN, ''), row.facts, 'facts');
    checkMeaning(faults, row, drawn);
    if (row.legend)
        faults.same(drawn.legend.join('; '), row.legend, 'legend');
    for (const text of row.holds || [])
        faults.expect(drawn.svg.includes(text), `the SVG does not hold: ${text}`);
}

// Returns the boxes named `name` that are not above another box of that name.
function outermost(boxes, name) {
    const named = boxes.filter(box => box.name === name);

    return named.filter(box => !named.some(other => other !== box && other.x <= box.x &&
        box.x + box.width <= other.x + other.width && other.depth < box.depth));
}

function share(boxes, name) {
    return outermost(boxes, name).reduce((sum, box) => sum + box.width, 0) / PIXELS * 100;
}

function addDepths(row, boxes) {
    const upwards = row.downwards ? -1 : 1;
    const rows = [...new Set(boxes.map(box => box.y))].sort((a, b) => upwards * (b - a));

    for (const box of boxes)
        box.depth = rows.indexOf(box.y);
}

function checkFrames(faults, row, boxes) {
    for (const [name, percent] of Object.entries(row.frames || {})) {
        const count = outermost(boxes, name).length;
        const got = share(boxes, name);

        // Each box is rounded to pixels and has a gap at its right.
        faults.expect(Math.abs(got - percent) <= 0.1 + count * 0.1 && (count > 0) === (percent > 0),
            `${name} is ${got.toFixed(2)} % wide in ${count} boxes, not ${percent} %`);
    }
    for (const [below, above] of row.above || [])
        faults.expect(boxes.some(low => low.name === below && boxes.some(high =>
            high.name === above && high.depth === low.depth + 1 && high.x >= low.x &&
            high.x + high.width <= low.x + low.width)), `${above} is not above ${below}`);
    if (row.across) {
        const widest = name => boxes.filter(box => box.name === name)
            .reduce((best, box) => box.width > best.width ? box : best, {x: undefined, width: -1});
        const places = row.across.map(name => widest(name).x);

        faults.expect(places.every((x, i) => x !== undefined && (!i || x > places[i - 1])),
            `${row.across.join(', ')} do not stand in this order, but at ${places.join(', ')}`);
    }
    if (row.rows)
        faults.same(Math.max(...boxes.map(box => box.depth)) + 1, row.rows, 'number of rows');
    if (row.boxHeight)
        faults.same(Math.max(...boxes.map(box => box.height)), row.boxHeight, 'height of a box');
}

function checkColors(faults, row, boxes) {
    for (const box of boxes) {
        if (row.fills && !palettes.holds(row.fills, rgb(box.fill)) && !palettes.isNeutral(box))
            faults.expect(false, `${box.fill} of ${box.name} is not of ${row.fills}`);
        if (faults.found.length > 5)
            return;
    }
    for (const [name, hue] of Object.entries(row.hues || {}))
        for (const box of boxes.filter(other => other.name === name))
            faults.expect(palettes.holds([hue], rgb(box.fill)),
                `${box.fill} of ${name} is not ${hue}`);
}

function near(a, b) {
    return a.every((value, i) => Math.abs(value - b[i]) <= BOUND);
}

function checkPng(faults, row, drawn, png) {
    const ratio = row.ratio || 1;
    const dark = row.dark || false;
    let different = 0;

    faults.same(png.texts.Title, drawn.title.split(' | ').pop(), 'title in the PNG');
    if (row.hatched || row.stacked)
        return;
    for (const box of drawn.boxes) {
        const got = png.color((box.x + box.width) * ratio - 1, (box.y + box.height) * ratio - 1);

        if (!near(got, rgb(dark ? box.dark : box.fill)) && different++ < 3)
            faults.expect(false, `the PNG has ${got} where the SVG has ${box.name}, ${box.fill}`);
    }
}

// ---- the report ----

function boxesAsText(boxes) {
    return boxes.map(box => `${box.name} ${box.x}+${box.width} ${box.y} ${box.fill}`).join('\n');
}

function readReport(folder) {
    return JSON.parse(fs.readFileSync(`${folder}/report.json`, 'utf8'));
}

// Returns the graph of the report with the boxes of the picture.
function findGraph(folder, drawn) {
    const want = boxesAsText(drawn.boxes);

    return readReport(folder).graphs.find(graph => graph.files.svg && boxesAsText(
        readSvg(fs.readFileSync(`${folder}/${graph.files.svg}`, 'utf8')).boxes) === want);
}

function checkReportGraph(faults, row, kind, graph) {
    const top = new Map(graph.top_total.map(line => [line.name, line.total.percent]));
    const once = name => graph.top_total.filter(line => line.name === name).length === 1;

    if (kind !== undefined)
        faults.same(graph.kind, kind === 'stacks' ? null : kind, 'kind in the report');
    if (row.unit)
        faults.same(graph.unit.word, row.unit, 'unit in the report');
    if (row.total)
        faults.same(graph.total.weight, row.total, 'total in the report');
    const listed = {...row.frames, ...row.functions};

    for (const [name, percent] of Object.entries(kind === undefined ? {} : listed))
        if (percent && once(name)) // boxes of one name may be of several classes
            faults.expect(Math.abs(top.get(name) - percent) <= 0.06,
                `${name} has ${top.get(name)} % in the report, not ${percent} %`);
}

// Draws the two-column stacks of a change, whose first line has the numbers of samples.
function drawFolded(faults, folded, options, drawn) {
    run(['diff', folded, ...options, '-q', '-o', `${folded}.svg`]);
    const made = readSvg(fs.readFileSync(`${folded}.svg`, 'utf8'));

    faults.expect(boxesAsText(made.boxes) === boxesAsText(drawn.boxes),
        'the two-column stacks have other boxes');
    return made;
}

function checkReport(faults, row, kind, drawn, folder) {
    const args = argumentsOf(row).slice(1);

    if (row.args[0] === 'diff') {
        const folded = `${folder}.folded`;
        const rest = args.slice(row.files || 2);

        fs.writeFileSync(folded, run(['diff', ...args.slice(0, row.files || 2), '-q']));
        run(['report', folded, ...rest, '-o', folder, '-q', '--pixel-ratio=1', '--rows=5000']);
        drawn = drawFolded(faults, folded, rest, drawn);
    } else {
        run(['report', ...args, '-o', folder, '-q', '--pixel-ratio=1', '--rows=5000']);
    }
    const graph = findGraph(folder, drawn);

    if (!graph) {
        faults.expect(false, 'no graph of the report has the same boxes');
        return;
    }
    faults.expect(graph.files.png && fs.existsSync(`${folder}/${graph.files.png}`),
        'the report has no PNG of it');
    checkReportGraph(faults, row, kind, graph);
}

// ---- rows ----

function checkRow(row, kind, place) {
    const faults = new Faults();
    const args = argumentsOf(row);

    for (const [name, text] of Object.entries(row.writes || {}))
        fs.writeFileSync(path.join(WORK, name), text);
    try {
        run([...args, '-q', '-o', `${place}.svg`, '-o', `${place}.png`]);
        const drawn = readSvg(fs.readFileSync(`${place}.svg`, 'utf8'));
        const png = readPng(fs.readFileSync(`${place}.png`));

        addDepths(row, drawn.boxes);
        checkTexts(faults, row, drawn);
        checkFrames(faults, row, drawn.boxes);
        checkColors(faults, row, drawn.boxes);
        checkPng(faults, row, drawn, png);
        if (row.marks !== undefined)
            faults.same(drawn.marks, row.marks, 'number of marks');
        if (row.report !== false)
            checkReport(faults, row, kind, drawn, `${place}.report`);
    } catch (error) {
        faults.expect(false, `${error.message}\n${error.stderr || ''}`);
    }
    return faults.found;
}

// ---- every kind, palette and option has a row ----

function offered(option) {
    const told = spawnSync(FLAMEPRESS, ['graph', '-', `--${option}=nosuch`], {encoding: 'utf8'});

    return /expected one of: (.*)/.exec(told.stderr)[1].split(' ');
}

// Names and choices of the options of graph, diff and report, without the choices of --kind,
// --colors and --bgcolors; kinds and palettes have their own tables.
function options() {
    const found = new Map();
    const registries = ['kind', 'colors', 'bgcolors'];

    for (const command of ['graph', 'diff', 'report'])
        for (const text of run([command, '--help=all']).toString().split(/^(?=  (?:-\w, |    )--)/m)) {
            const option = /^  (?:-\w, |    )--([\w-]+)/.exec(text);
            const choices = /\(([a-z]+(?:,\s+[a-z]+)+)(?:; default:\s+\w+)?\)$/.exec(
                text.split('\n\n')[0].trim());

            if (option)
                found.set(option[1], choices && !registries.includes(option[1]) ?
                    choices[1].split(/,\s+/) : []);
        }
    return found;
}

function lacking() {
    const faults = [];
    const drawn = Object.values({...table.shapes, ...table.kinds}).flatMap(row => row.args);

    for (const kind of offered('kind'))
        if (!table.kinds[kind])
            faults.push(`the kind ${kind} has no row`);
    for (const palette of offered('colors'))
        if (!table.palettes[palette])
            faults.push(`the palette ${palette} has no row`);
    for (const [option, choices] of options()) {
        if (table.elsewhere.includes(option))
            continue;
        if (!drawn.some(argument => argument.split('=')[0] === `--${option}`))
            faults.push(`the option --${option} has no row`);
        for (const choice of choices.map(name => `${option}=${name}`))
            if (!table.usual.includes(choice) && !drawn.includes(`--${choice}`))
                faults.push(`--${choice} has no row`);
    }
    return faults;
}

function main(wanted) {
    const rows = [
        ...Object.entries(table.kinds).map(([name, row]) => [`kind ${name}`, row, name]),
        ...Object.entries(table.palettes).map(([name, row]) => [`palette ${name}`, row]),
        ...Object.entries(table.shapes).map(([name, row]) => [`shape ${name}`, row]),
    ];
    const counts = {passed: 0, failed: 0, skipped: 0};
    const tell = (name, faults) => {
        counts[faults.length ? 'failed' : 'passed']++;
        console.log(faults.length ? `FAIL ${name}:\n    ${faults.join('\n    ')}` : `ok   ${name}`);
    };

    if (!wanted.length)
        tell('every kind, palette and option', lacking());
    rows.forEach(([name, row, kind], i) => {
        if (wanted.length && !wanted.some(part => name.includes(part)))
            return;
        if (misses(row)) {
            counts.skipped++;
            console.log(`skip ${name}: there is no ${misses(row)}`);
            return;
        }
        tell(name, checkRow(row, kind, path.join(WORK, `row${i}`)));
    });
    readme.commands().forEach((command, i) => {
        if (!wanted.length || wanted.includes('README'))
            tell(`samples/README.md: ${command}`,
                readme.faultsOf(command, FLAMEPRESS, path.join(WORK, `readme${i}`)));
    });
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    process.exitCode = counts.failed ? 1 : 0;
}

main(process.argv.slice(2));
