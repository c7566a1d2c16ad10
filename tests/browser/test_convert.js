// Opens the files that `flamepress convert` writes for speedscope in speedscope itself.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');

const {FLAMEPRESS, WORK} = process.env;
const SPEEDSCOPE = path.resolve(process.env.NPM || '', 'node_modules/speedscope/dist/release');
const skip = fs.existsSync(SPEEDSCOPE) ? null : 'there is no speedscope; make deps installs it from npm';

const FOLDED = 'main;run;read 30\nmain;run;"quoted <b>" 50\nmain 20\n';
const SECONDS = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: {frames: [{name: 'main'}, {name: 'sleep'}]},
    profiles: [
        {type: 'sampled', name: 'wall', unit: 'milliseconds', startValue: 0, endValue: 40,
            samples: [[0], [0, 1]], weights: [10, 30]},
        {type: 'sampled', name: 'heap', unit: 'bytes', startValue: 0, endValue: 64,
            samples: [[0, 1]], weights: [64]}],
};

// Converts a file and opens the result as speedscope's own command does: from a script beside it.
async function open(page, name, content) {
    const file = path.join(WORK, name);

    fs.writeFileSync(file, content);
    const converted = execFileSync(FLAMEPRESS, ['convert', '-q', file, '--format', 'speedscope']);

    fs.writeFileSync(`${file}.js`, 'speedscope.loadFileFromBase64(' +
        `${JSON.stringify(name)}, "${converted.toString('base64')}")`);
    page.allowed = /^(file|data|blob):/;
    await page.open(`${SPEEDSCOPE}/index.html#localProfilePath=${file}.js`);
}

// Waits until the text of the page matches.
async function seen(page, pattern) {
    let text = '';

    for (let i = 0; i < 100 && !pattern.test(text); i++) {
        await new Promise(resolve => setTimeout(resolve, 50));
        text = await page.value('document.body.innerText');
    }
    assert.match(text, pattern);
    return text;
}

// speedscope's table of functions on one line: "40.00ms (100%) 10.00ms (25%) main", total, self and
// name.
async function table(page) {
    await page.key('3');
    page.needs('text inside of what speedscope draws');
    const text = await seen(page, /Symbol Name/);

    page.problems.length = 0; // speedscope logs what it does
    return text.replace(/\s+/g, ' ');
}

module.exports = [
    {
        name: 'convert: speedscope loads folded stacks', skip,
        async body(page) {
            await open(page, 'stacks.folded', FOLDED);
            await seen(page, /stacks\.folded|samples/);
            const text = await table(page);

            assert.match(text, /100 \(100%\) 20 \(20%\) main/);
            assert.match(text, /80 \(80%\) 0 \(<0\.01%\) run/);
            assert.match(text, /50 \(50%\) 50 \(50%\) "quoted <b>"/);
        },
    },
    {
        name: 'convert: speedscope keeps units and several series', skip,
        async body(page) {
            await open(page, 'two.speedscope.json', JSON.stringify(SECONDS));
            await seen(page, /wall \(1\/2\)/);
            const text = await table(page);

            assert.match(text, /40\.00ms \(100%\) 10\.00ms \(25%\) main/);
            assert.match(text, /30\.00ms \(75%\) 30\.00ms \(75%\) sleep/);
        },
    },
];
