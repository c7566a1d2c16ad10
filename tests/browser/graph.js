// Shared by the tests of a graph: draws one and queries the page.
'use strict';

const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {until} = require('./page.js');

const TEMPLATES = path.join(__dirname, '../../templates');

let made = 0;

// Draws folded stacks (or a file of that name below samples/) and returns the SVG's path.
function draw(input, ...options) {
    const number = ++made;
    const svg = path.join(process.env.WORK, `graph-${number}.svg`);
    let file = path.join(__dirname, '../../samples', input);

    if (/[\n ]/.test(input)) {
        file = path.join(process.env.WORK, `graph-${number}.folded`);
        fs.writeFileSync(file, input);
    }
    execFileSync(process.env.FLAMEPRESS, ['graph', file, '-o', svg, '--quiet', ...options]);
    return svg;
}

// The script of every SVG, as the build made it, and the program that it unpacks.
const packedScript = () => fs.readFileSync(
    path.join(path.dirname(process.env.FLAMEPRESS || '.'), 'graph.script'), 'utf8');
const program = () => fs.readFileSync(path.join(TEMPLATES, 'bundle/flame.js'), 'utf8');

// Returns a module of the program as part of a script that has what the module imports.
function scriptPart(module) {
    return fs.readFileSync(path.join(TEMPLATES, module), 'utf8')
        .replace(/^import [^;]*;$/gm, '').replace(/^export /gm, '');
}

// Returns the option that leaves `bytes` bytes of an SVG for everything but its script.
function leaving(bytes) {
    return `--svg-max-size=${packedScript().length + bytes}`;
}

// Functions for the page: the group, and the place, of the box whose title begins with a name.
const HELPERS = `
    const shown = () => [...document.querySelectorAll(
        '.frames:not(.hidden) g g, .view:not(.hidden) g g')];
    const box = name => shown().find(g =>
        g.querySelector('title').textContent.startsWith(name + ' ('));
    const place = name => {
        const r = box(name).querySelector('rect, path').getBoundingClientRect();
        return {x: r.x, y: r.y, width: r.width, cx: r.x + r.width / 2, cy: r.y + r.height / 2};
    };
    const button = label => [...document.querySelectorAll('.button, .panel button')].find(b =>
        b.textContent.startsWith(label));
    const text = selector => document.querySelector(selector).textContent;
    const hidden = selector =>
        getComputedStyle(document.querySelector(selector)).display === 'none';
`;

// Evaluates an expression that may use these functions, once the graph has done what it does in
// slices.
async function ask(page, expression) {
    await until(page, '!document.querySelector("[aria-busy=true]")');
    return page.value(`(() => { ${HELPERS} return ${expression}; })()`);
}

async function clickBox(page, name) {
    const at = await ask(page, `place(${JSON.stringify(name)})`);

    await page.click(at.cx, at.cy);
}

// Presses a button of the picture or of a panel, found by the start of its text.
async function press(page, label) {
    const at = await ask(page, `(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2}))(
        button(${JSON.stringify(label)}).getBoundingClientRect())`);

    await page.click(at.x, at.y);
}

async function hoverBox(page, name) {
    const at = await ask(page, `place(${JSON.stringify(name)})`);

    await page.move(at.cx, at.cy);
}

// Changes the address by a statement and waits until the graph has read it.
async function changeAddress(page, change) {
    await page.value(`new Promise(done => {
        addEventListener('hashchange', () => setTimeout(done), {once: true});
        ${change};
    })`);
}

// Goes back by one step of the history.
const goBack = page => changeAddress(page, 'history.back()');

// Puts a finger down until a menu or a panel opens, and lifts it.
async function hold(page, at) {
    await page.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [at]});
    await until(page, '[...document.querySelectorAll(".panel")].some(one => one.getClientRects().length)');
    await page.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
}

// Opens the menu of a frame.
async function openMenu(page, name) {
    const at = await ask(page, `place(${JSON.stringify(name)})`);

    await page.page.mouse.click(at.x + Math.min(at.width / 2, 40), at.cy, {button: 'right'});
}

module.exports = {
    draw, packedScript, program, scriptPart, leaving, ask, press, clickBox, hoverBox, openMenu,
    changeAddress, goBack, hold,
};
