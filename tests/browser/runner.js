// Runs the tests of test_*.js, each in a page of its own, and prints the closing line of a suite.
// BROWSER=firefox takes Firefox; tests that need what its driver cannot do are left out.
'use strict';

const fs = require('fs');
const path = require('path');
const chromium = require('./chromium.js');
const firefox = require('./firefox.js');
const {Unable} = require('./page.js');

async function run(browser, test) {
    const page = await browser.page(test.size);

    try {
        await test.body(page);
    } catch (error) {
        if (error instanceof Unable)
            throw error;
        return error.stack;
    } finally {
        await page.close();
    }
    return page.problems.join('\n');
}

async function main(wanted) {
    const inFirefox = process.env.BROWSER === 'firefox';
    const missing = chromium.isInstalled() ? inFirefox && !firefox.findFirefox() && 'firefox'
        : 'playwright-core; make deps installs it from npm';

    if (missing) {
        console.log('[SKIP] there is no ' + missing);
        console.log('0 passed, 0 failed, 1 skipped');
        return;
    }

    const files = fs.readdirSync(__dirname).filter(name => /^test_.*\.js$/.test(name)).sort();
    const tests = files.flatMap(name => require(path.join(__dirname, name)))
        .filter(test => !wanted.length || wanted.some(part => test.name.includes(part)));
    const {Browser} = inFirefox ? firefox : chromium;
    const browser = new Browser();
    let passed = 0, failed = 0, skipped = 0, unable = 0;

    for (const test of tests) {
        if (test.skip) {
            skipped++;
            console.log(`SKIP ${test.name}: ${test.skip}`);
            continue;
        }
        try {
            const problem = await run(browser, test);

            if (problem) {
                failed++;
                console.log(`FAIL ${test.name}\n${problem.replace(/^/gm, '    ')}`);
            } else {
                passed++;
                console.log(`ok   ${test.name}`);
            }
        } catch (error) {
            if (!(error instanceof Unable))
                throw error;
            unable++;
            console.log(`left out: ${test.name}: ${error.message}`);
        }
    }
    await browser.close();
    if (unable)
        console.log(`${unable} tests need what this browser's driver cannot do`);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed || !passed ? 1 : 0;
}

main(process.argv.slice(2));
