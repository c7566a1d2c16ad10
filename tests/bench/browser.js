// Times what is written in Chromium. Usage:
//
//     node tests/bench/browser.js RUNS KIND NAME GOAL FILE
//
// KIND says what is waited for: `content` the page's first content, `graph` a graph that is on the
// screen and answers.
// Prints a row of the table: the median of RUNS, in ms since the navigation, and the file's size.
'use strict';

const fs = require('fs');
const {Browser} = require('../browser/chromium.js');

// Run in the page before its own scripts: what there is to wait for, as a promise.
const WAITING = `const live = new Promise(done => new MutationObserver((records, self) => {
    if (document.documentElement.classList.contains('live')) {
        self.disconnect();
        done(performance.now());
    }
}).observe(document, {attributes: true, subtree: true, attributeFilter: ['class']}));
window.content = new Promise(done => new PerformanceObserver(list =>
    list.getEntriesByName('first-contentful-paint').forEach(one => done(one.startTime)))
    .observe({type: 'paint', buffered: true}));
window.graph = Promise.all([live, window.content]).then(times => Math.max(...times));`;

async function time(browser, kind, file) {
    const page = await browser.page({width: 1280, height: 900});

    page.allowed = /./;
    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: WAITING});
    await page.open(file);
    const ms = await page.value(`window.${kind}`);

    await page.send('Page.close');
    return ms;
}

async function main([runs, kind, name, goal, file]) {
    const browser = new Browser(), times = [];

    while (times.length < Number(runs))
        times.push(await time(browser, kind, file));
    await browser.close();
    times.sort((a, b) => a - b);
    const size = fs.statSync(file).size / 1e6;

    console.log(`| ${name} | ${times[times.length >> 1].toFixed(0)} | ${size.toFixed(2)} | ${goal} |`);
}

main(process.argv.slice(2));
