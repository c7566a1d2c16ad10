// Accessibility: axe-core finds nothing on a report's page and on a graph, in light and dark, on a
// wide window and on a phone, at rest and in use.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {draw, clickBox, press} = require('./graph.js');
const {report, openReport, until} = require('./report.js');

const AXE = path.join(process.env.NPM || '', 'node_modules/axe-core/axe.min.js');
const skip = !fs.existsSync(AXE) && 'there is no axe-core; make deps installs it from npm';
const PHONE = {width: 390, height: 844};
const WIDE = {width: 1280, height: 900};
const WEEKS = path.join(__dirname, '../golden/report-baseline/in');
const tests = [];

let written;
// Writes the trends of 16 labels, in which a function grows; returns the paths of two pages.
function trends() {
    if (written)
        return written;
    const at = path.join(process.env.WORK, 'trends'), labels = [...Array(16).keys()];
    const run = (...args) => execFileSync(process.env.FLAMEPRESS, [...args, '--quiet']);

    for (const week of labels) {
        const label = `w${String(week + 10)}`, place = path.join(at, label);

        fs.mkdirSync(place, {recursive: true});
        for (const number of [1, 2, 3])
            fs.writeFileSync(path.join(place, `orders.${number}.folded`),
                ['alpha', 'beta', 'gamma', 'delta', 'a_name_that_is_long_enough_to_be_wider_than_a_phone_is']
                    .map(name => `main;run;${name} ${400 + week}\n`).join('') +
                `main;run;slow ${(week < 9 ? 200 : 900) + number}\n`);
        run('archive', place, '--to', path.join(at, 'history'), '--label', label,
            '--date', `2026-01-${label.slice(1)}`);
    }
    run('trends', path.join(at, 'history'), '-o', path.join(at, 'out'));
    written = {index: path.join(at, 'out/index.html'),
        service: path.join(at, 'out/services/orders.html')};
    return written;
}

// Returns what axe finds, and on a page also what axe could not decide.
async function findings(page) {
    await page.value(`${fs.readFileSync(AXE, 'utf8')}; 0`);
    return page.value(`axe.run(document, {
        iframes: false, preload: false, rules: {'frame-tested': {enabled: false}},
    }).then(({violations, incomplete}) => [violations, document.body ? incomplete : []].flat()
        .flatMap(rule => rule.nodes.map(node =>
            rule.id + ': ' + node.html.slice(0, 120) + ': ' + node.failureSummary)))`);
}

// axe does not judge the contrast of text in SVG: that of the controls, by WCAG's formula.
const LOW_CONTRAST = `(() => {
    const channels = text => text.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    // The background may be a gradient: the colour with the least contrast counts.
    const papers = [...document.querySelectorAll('#' + CSS.escape(
        getComputedStyle(document.querySelector('.ground')).fill.match(/#([^"]+)"/)[1]) + ' stop')]
        .map(stop => getComputedStyle(stop).stopColor);
    const shown = element => getComputedStyle(element).display !== 'none' &&
        (element.checkVisibility ? element.checkVisibility() : true);
    const behind = element => {
        const ground = element.namespaceURI.endsWith('xhtml')
            ? getComputedStyle(element).backgroundColor : 'rgba(0, 0, 0, 0)';
        return /, 0\\)$/.test(ground)
            ? element.parentElement ? behind(element.parentElement) : papers : [ground];
    };
    const all = [...document.querySelectorAll('svg > text, .bar text, .panel button, .panel input')];
    const judged = all.filter(shown).map(element => {
        const style = getComputedStyle(element);
        const a = light(channels(element.tagName === 'text' ? style.fill : style.color));
        const ratios = behind(element).map(ground => light(channels(ground)))
            .map(b => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
        return {element, ratio: Math.min(...ratios)};
    });
    if (judged.length < 4)
        return ['only ' + judged.length + ' texts'];
    return judged.filter(({ratio}) => !(ratio >= 4.5))
        .map(({element, ratio}) => element.outerHTML.slice(0, 100) + ': ' + ratio);
})()`;

// Checks a graph at rest, zoomed and searched, and with its menu open.
async function use(page, file) {
    const look = async () => assert.deepEqual(
        [...await findings(page), ...await page.value(LOW_CONTRAST)], []);

    await page.open(file);
    await look();
    await clickBox(page, 'main');
    await page.key('/');
    await page.type('^tcp');
    await look();
    await page.key('Escape');
    await press(page, 'View');
    await look();
}

for (const [place, size] of [['wide', WIDE], ['on a phone', PHONE]]) {
    for (const scheme of ['light', 'dark']) {
        const test = (what, body) => tests.push({
            name: `axe: ${what}, ${scheme}, ${place}`, size, skip,
            async body(page) {
                await page.media({colorScheme: scheme});
                await body(page);
            },
        });

        test('a page', async page => {
            // The page's policy forbids the style that is added below; other tests check the
            // policy.
            await page.send('Page.setBypassCSP', {enabled: true});
            await openReport(page, report({
                'alpha.folded': 'main;read;parse_[k] 30\nmain;write 40\nother;parse 10\n',
                'alpha.md': 'Notes with a [link](other.html), `code` and\n\n> a quotation.\n',
                'beta.folded': 'main;sort 75\n[unknown];copy 20\nnonsense\n',
                'gamma.folded': 'main;a 3\nmain;b;c 4\n', 'delta.folded': 'main;d 3\n',
                'diff.folded': 'main;a 3 5\nmain;b 4 4\n', 'epsilon.folded': 'e 1\n',
                'broken.svg.gz': '\x1f\x8b\x08broken', 'other.txt': 'nothing\n',
                'README.md': '# Introduction\n\nWords.\n',
            }, '--search', 'copies=^copy$', '--date', '2025-01-01'));
            // Text that is not laid out or beyond the window, or that something may cover, is not
            // judged.
            await page.value(`document.head.append(Object.assign(document.createElement('style'), {
                textContent: '.graph { content-visibility: visible !important }' +
                    '.tools, .summary th:first-child { position: static !important }' +
                    '.summary .hottest, .summary .sort { min-width: 0 !important }' +
                    '.scroll { overflow: visible !important }'}))`);
            await page.value(`document.querySelector('.tools select').value = '0';
                document.querySelector('.tools select').dispatchEvent(new Event('change'))`);
            await page.value(`document.querySelectorAll('details:not(.explorer)')
                .forEach(one => one.open = true)`);
            await page.value('document.querySelector("#alpha").scrollIntoView()');
            await until(page, 'document.querySelector("#alpha .live")');
            await page.value('document.querySelector("#alpha .explorer").open = true');
            await until(page, 'document.querySelector("#alpha .branch .branch a")');
            await page.value('scrollTo(0, 0)');
            assert.deepEqual(await findings(page), []);
        });
        test('a comparison', async page => {
            const week = number => Object.fromEntries([1, 2, 3].map(run => [`web.${run}.folded`,
                fs.readFileSync(path.join(WEEKS, `w${number}/web.${run}.folded`), 'utf8')]));

            await page.send('Page.setBypassCSP', {enabled: true});
            await openReport(page, report(week(2), '--baseline', path.join(WEEKS, 'w1')));
            await page.value(`document.querySelectorAll('details').forEach(one => one.open = true)`);
            await page.value(`document.head.append(Object.assign(document.createElement('style'), {
                textContent: '.tools, .summary th:first-child { position: static !important }' +
                    '.summary .hottest, .summary .sort { min-width: 0 !important }' +
                    '.scroll, .crop { overflow: visible !important } .services { font-size: 3px }' +
                    '.services th, .services td { padding: 1px; font-size: 3px }'}))`);
            assert.notEqual(await page.value('document.querySelectorAll(".change-card").length'), 0);
            assert.deepEqual(await findings(page), []);
        });
        test('the pages of trends', async page => {
            const pages = trends();

            await page.send('Page.setBypassCSP', {enabled: true});
            page.allowed = /\/trends\.css$/;
            for (const file of [pages.index, pages.service]) {
                await page.open(file);
                assert.equal(await page.value('document.scripts.length'), 0);
                assert.ok(await page.value('document.documentElement.scrollWidth <= innerWidth'),
                    'no wider than the window');
                await page.value(`document.querySelectorAll('details').forEach(one => one.open = true)`);
                // A table that is wider than a phone scrolls; axe does not judge text out of sight.
                await page.value(`document.head.append(Object.assign(document.createElement('style'), {
                    textContent: '.scroll { overflow: visible !important }' +
                        'table, th, td { font-size: 3px !important; padding: 1px !important }'}))`);
                assert.deepEqual(await findings(page), []);
            }
        });
        test('a graph', async page => use(page, draw('redis-benchmark.perf.gz')));
    }
}

module.exports = tests;
