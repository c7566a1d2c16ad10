// Functions that --mark points out, in other views than the first one.
'use strict';

const assert = require('assert').strict;
const {draw, ask, press, clickBox} = require('./graph.js');

const tests = [];
const size = {width: 1200, height: 700};
const test = (name, body) => tests.push({name, body, size});
const STACKS = 'main;read;copy 30\nmain;write;copy 20\nmain;write 25\nidle 25\n';

// The texts of the notes in sight, with where they begin, and the corners of the outlines.
const NOTES = `[...document.querySelectorAll('.notes:not(.hidden) text')].map(t =>
    [t.textContent, Number(t.getAttribute('x'))])`;
const OUTLINES = `document.querySelector('.notes:not(.hidden) path').getAttribute('d')
    .split('M').slice(1).map(part => part.split('h')[0])`;
const LINES = `[...document.querySelectorAll('.notes:not(.hidden) path')]
    .find(p => !p.hasAttribute('stroke-width')).getAttribute('d')`;

const marked = (...more) => draw(STACKS, '--mark', 'copy=copies twice', '--mark', 'idle', '--mark',
    'write=what is written', ...more);

test('notes and outlines follow the view', async page => {
    await page.open(marked());
    const first = [await ask(page, NOTES), await ask(page, OUTLINES)];

    assert.deepEqual(first[0].map(([text]) => text).sort(), ['copies twice', 'what is written']);
    assert.equal(first[1].length, 4, 'copy twice, idle, write');
    await clickBox(page, 'write');
    assert.deepEqual((await ask(page, NOTES)).map(([text]) => text).sort(),
        ['copies twice', 'what is written']);
    assert.equal((await ask(page, OUTLINES)).length, 2, 'write and its copy');
    await clickBox(page, 'all');
    assert.deepEqual([await ask(page, NOTES), await ask(page, OUTLINES)], first);
});

// A graph whose root goes to the top in the browser is drawn by the script.
test('the browser places notes where the program does', async page => {
    const there = [NOTES, OUTLINES, LINES];
    const sorted = async () => {
        const found = [];

        for (const what of there)
            found.push(await ask(page, what));
        return [found[0].sort(), found[1].sort(), found[2].split('M').sort()];
    };

    for (const options of [[], ['--reverse'], ['--label-percent', '--subtitle', 'S']]) {
        await page.open(marked('--inverted', ...options));
        const program = await sorted();

        await page.open(marked(...options));
        await press(page, 'View');
        await press(page, 'Root at the top');
        assert.deepEqual(await sorted(), program, `graph ${options.join(' ')}`);
    }
});

test('a graph without marks has no notes', async page => {
    await page.open(draw(STACKS));
    assert.equal(await ask(page, 'document.querySelector(".notes")'), null);
    await clickBox(page, 'write');
    assert.equal(await ask(page, 'document.querySelector(".notes")'), null);
});

test('a note is in sight around a function', async page => {
    await page.open(marked());
    await clickBox(page, 'copy');
    await press(page, 'View');
    await press(page, 'Around this function');
    assert.ok((await ask(page, NOTES)).some(([text]) => text === 'copies twice'));
    assert.equal(await ask(page,
        'getComputedStyle(document.querySelector(".notes:not(.hidden) text")).fill'),
    'rgb(31, 35, 40)');
});

module.exports = tests;
