// Runs the tests of test_*.js, each in a page of its own, and prints the closing line of a suite.
'use strict';

const fs = require('fs');
const path = require('path');
const {Browser, isInstalled} = require('./chromium.js');

async function run(browser, test) {
    const page = await browser.page(test.size);

    try {
        await test.body(page);
    } catch (error) {
        return error.stack;
    }
    return page.problems.join('\n');
}

async function main(wanted) {
    if (!isInstalled()) {
        console.log('[SKIP] there is no playwright-core; make deps installs it from npm');
        console.log('0 passed, 0 failed, 1 skipped');
        return;
    }

    const files = fs.readdirSync(__dirname).filter(name => /^test_.*\.js$/.test(name)).sort();
    const tests = files.flatMap(name => require(path.join(__dirname, name)))
        .filter(test => !wanted.length || wanted.some(part => test.name.includes(part)));
    const browser = new Browser();
    let failed = 0, skipped = 0;

    for (const test of tests) {
        if (test.skip) {
            skipped++;
            console.log(`SKIP ${test.name}: ${test.skip}`);
            continue;
        }
        const problem = await run(browser, test);

        if (problem) {
            failed++;
            console.log(`FAIL ${test.name}\n${problem.replace(/^/gm, '    ')}`);
        }
    }
    await browser.close();
    console.log(`${tests.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed || !tests.length ? 1 : 0;
}

main(process.argv.slice(2));
