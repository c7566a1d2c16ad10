// Patterns that take long: a worker matches them, and stops at a deadline. The tab never hangs.
'use strict';

const assert = require('assert');
const fs = require('fs');
const {execFileSync} = require('child_process');
const {draw, scriptPart} = require('./graph.js');
const {until} = require('./report.js');

const STOPPED = 'The search takes too long and was stopped.';
const LONG = `main;${'a'.repeat(2000)}b 5\nmain;aaa 2\nx 3\n`;
const ENDLESS = ['^(a+)+$', '(a|aa)+$', '(?:a?){60}[cd]', 'a*a*a*a*a*a*a*[cd]',
    `${'(a|a)'.repeat(40)}[cd]`, `${'a?'.repeat(40)}[cd]`, '(.*)(.*)(.*)\\1\\2\\3[cd]'];
const tests = [];
const test = (name, body) => tests.push({name, body});

const text = selector => `(document.querySelector('${selector}') || {}).textContent`;

async function type(page, pattern) {
    await page.value('document.querySelector("foreignObject input").select()');
    await page.type(pattern);
}

// Searches for a pattern that is stopped. A tab that searched itself would never come to an end, and
// never answer.
async function expectStopped(page, pattern) {
    await type(page, `[${'x'.repeat(pattern.length)}]`);
    await until(page, `${text('.matched')} === 'Matched: 30.00%'`);
    await type(page, pattern);
    await until(page, `${text('.note.wrong')} === '${STOPPED}'`);
    assert.equal(await page.value(text('.matched')), 'Matched: 30.00%', pattern);
    assert.equal(await page.value('document.querySelector(".marks").childElementCount > 0'), true);
}

// Searches for endless patterns, and for others before and after.
async function expectCalm(page, patterns) {
    await page.page.focus('svg [tabindex="0"][role="group"]');
    await page.key('/');
    await type(page, '^x$');
    assert.equal(await page.value(text('.matched')), 'Matched: 30.00%');
    for (const pattern of patterns)
        await expectStopped(page, pattern);
    await type(page, '(a|b)+$');
    await until(page, `${text('.matched')} === 'Matched: 70.00%'`);
    assert.equal(await page.value(text('.note')), '');
}

test('a pattern that takes too long is stopped, and the view stays', async page => {
    page.allowed = /^blob:/;
    await page.open(draw(LONG));
    await expectCalm(page, ENDLESS.slice(0, 3));
    assert.match(await page.value('location.hash'), /^#search=%28a%7Cb%29%2B%24$/);
});

// Puts a graph into a page with a policy.
function pageOf(input, policy) {
    const file = process.env.WORK + '/match.html';
    const graph = fs.readFileSync(draw(input), 'utf8').replace(/^<\?xml.*\n/, '');

    fs.writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>policy</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">${graph}`);
    return file;
}

const printed = () => execFileSync(process.env.FLAMEPRESS, ['--csp'], {encoding: 'utf8'}).trim();

test('the policy that --csp prints allows the worker', async page => {
    page.allowed = /^blob:/;
    await page.open(pageOf(LONG, printed()));
    await expectCalm(page, ENDLESS.slice(0, 1));
});

test('without a worker, patterns that could take long are refused', async page => {
    page.allowed = /^blob:/;
    await page.open(pageOf(LONG, printed().replace(' worker-src blob:;', '')));
    await page.page.focus('svg [tabindex="0"][role="group"]');
    await page.key('/');
    await type(page, '^x$');
    for (const pattern of ENDLESS)
        await expectStopped(page, pattern);
    await type(page, 'a.*b$|x');
    await until(page, `${text('.matched')} === 'Matched: 80.00%'`);
    assert.ok(page.problems.length >= ENDLESS.length);
    assert.ok(page.problems.every(problem => /^log: Creating a worker .* violates|: Content-Security-Policy: .* worker/.test(problem)),
        page.problems.join('\n'));
    page.problems.length = 0;
});

test('the worker finds what the page finds', async page => {
    const names = Array.from({length: 3000}, (_, i) =>
        `${i % 7 ? '' : '\u{1f525}'}${'long_'.repeat(i % 20)}e${i}`);
    const patterns = ['e.*7', '(?:long_)+e\\d*3$', '^[^a-z]', '\\udd25', '(1|2)*0?$'];

    page.allowed = /^blob:/;
    await page.open(draw(LONG));
    const found = await page.value(`(async () => {
        'use strict';
        ${scriptPart('flame_match.js')}
        const names = ${JSON.stringify(names)}, all = [];
        for (const pattern of ${JSON.stringify(patterns)}) {
            const regex = new RegExp(pattern, 'u');
            const there = await new Promise(done => matchInWorker(names, regex, done, done));
            const here = matchHere(names, regex, () => 0);
            all.push([String(there) === String(here), here.includes(1)]);
        }
        return all;
    })()`);

    assert.deepEqual(found, patterns.map(pattern => [true, !/udd25/.test(pattern)]));
});

test('a link with an endless search opens the graph', async page => {
    page.allowed = /^blob:/;
    await page.open(draw(LONG) + '#search=' + encodeURIComponent('^(a+)+$'));
    await until(page, `${text('.note')} === '${STOPPED}'`);
    assert.equal(await page.value(text('.matched')), '');
    assert.equal(await page.value('document.documentElement.classList.contains("live")'), true);
});

module.exports = tests;
