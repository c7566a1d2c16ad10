// How long a browser takes from the navigation to an SVG until the graph answers. Usage:
//
//     node tests/bench/load.js RUNS FILE
//
// prints the median in milliseconds.
'use strict';

const {Browser} = require('../browser/chromium.js');

// Remembers when the graph came alive, counted from the navigation.
const WATCH = `new MutationObserver(() => {
    if (window.liveAt === undefined && document.documentElement.classList.contains('live'))
        window.liveAt = performance.now();
}).observe(document, {attributes: true, subtree: true, attributeFilter: ['class']});`;

async function load(browser, file) {
    const page = await browser.page();

    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: WATCH});
    await page.open(file);
    for (let i = 0; i < 1000; i++) {
        const time = await page.value('window.liveAt');

        if (time !== undefined) {
            await page.open('about:blank');
            return time;
        }
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    throw new Error(`${file} does not come alive`);
}

async function main(runs, file) {
    const browser = new Browser();
    const times = [];

    try {
        for (let i = 0; i < runs; i++)
            times.push(await load(browser, file));
    } finally {
        await browser.close();
    }
    console.log(times.sort((a, b) => a - b)[runs >> 1].toFixed(0));
}

main(Number(process.argv[2]), process.argv[3]).catch(error => {
    console.error(`bench: ${error.message}`);
    process.exitCode = 1;
});
