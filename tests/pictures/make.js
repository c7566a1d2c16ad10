// Makes the pictures of samples/README.md. Usage:
//
//     FLAMEPRESS=program node tests/pictures/make.js [NAME...]   files whose names contain one of these
//
// table.js says what they are. The same program, browser and fonts make the same bytes.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {execFileSync} = require('child_process');
const {Browser} = require('../browser/chromium.js');
const graph = require('../browser/graph.js');
const report = require('../browser/report.js');
const {drawing} = require('./command.js');
const rows = require('./table.js');

const PROJECT = path.join(__dirname, '../..');
const PLACE = path.join(PROJECT, 'samples/pictures');

function run(...args) {
    execFileSync(process.env.FLAMEPRESS, [...args, '--quiet'], {cwd: PROJECT, stdio: 'inherit'});
}

// The file that Chromium is to open.
function write(row, folder) {
    const target = path.join(folder, row.file);

    if (row.report) {
        run('report', ...row.report, '-o', target);
        return `${target}/index.html`;
    }
    run(...drawing(row), '-o', `${target}.svg`);
    return `${target}.svg`;
}

// Waits until pictures and graphs in frames are shown.
async function settle(page) {
    let was;

    for (let same = 0; same < 3; ) {
        await new Promise(resolve => setTimeout(resolve, 300));
        const now = (await page.send('Page.captureScreenshot', {})).data;

        same = now === was ? same + 1 : 0;
        was = now;
    }
}

async function shoot(row, browser, folder) {
    const [width, height] = row.size;
    const page = await browser.page({width, height: height || 800});

    await page.media({colorScheme: row.scheme || 'light'});
    await report.openReport(page, write(row, folder));
    if (!height)
        await page.size(width, await page.value(
            'Math.ceil(document.documentElement.getBoundingClientRect().height)'));
    if (row.at)
        await page.value(`document.querySelector('${row.at}').scrollIntoView()`);
    if (row.steps)
        await row.steps(page, {...graph, ...report});
    await settle(page);
    await page.screenshot(path.join(PLACE, row.file));
}

async function main(wanted) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'flamepress-pictures-'));
    const browser = new Browser();

    fs.mkdirSync(PLACE, {recursive: true});
    for (const row of rows) {
        if (wanted.length && !wanted.some(part => row.file.includes(part)))
            continue;
        if (row.size)
            await shoot(row, browser, folder);
        else
            run(...drawing(row), '-o', path.join(PLACE, row.file));
        console.log(`samples/pictures/${row.file}`);
    }
    await browser.close();
    fs.rmSync(folder, {recursive: true});
}

main(process.argv.slice(2)).catch(error => {
    console.error(error.stack);
    process.exit(1);
});
