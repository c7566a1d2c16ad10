// The controls around the frames, and where they are: buttons, panels, the line of details.

import {element, graph, stage, svg} from './flame_graph.js';
import {boxOf, foot, keyboard, rowTop, sideOf, view} from './flame_view.js';
import {cut, fontSize, width} from './flame_label.js';

/* global CONTROLS_STYLE */

// What the script adds has rules of its own: flame_controls.css, which bundle.sh puts in. A
// constructed sheet needs no permission of a security policy.
const controlsStyle = new CSSStyleSheet();

controlsStyle.replaceSync(CONTROLS_STYLE);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, controlsStyle];

export const title = svg.querySelector('.title');
const topLine = title ? Number(title.getAttribute('y')) : 2 * fontSize;
const TOUCH = 24; // least width and height of a target for fingers, in pixels

// A text on an area that can be touched. onPress() gives it an action.
function button(label, parent) {
    const height = Math.max(2 * fontSize, TOUCH);
    const made = element('g', {
        class: 'button muted hidden', 'text-anchor': 'end', role: 'button', tabindex: 0,
    }, parent);

    element('rect', {y: topLine - 0.35 * fontSize - height / 2, height, 'fill-opacity': 0}, made);
    element('text', {y: topLine}, made).textContent = label;
    return made;
}

export function onPress(button, action) {
    button.addEventListener('click', action);
    button.addEventListener('keydown', event => {
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            event.stopPropagation();
            action();
        }
    });
}

// Returns the colours of the ground, for a rectangle that covers texts.
function groundPaint() {
    const ground = svg.querySelector('.ground'), colors = {fill: ground.getAttribute('fill')};

    if (ground.hasAttribute('color'))
        colors.color = ground.getAttribute('color');
    return colors;
}

// Two bars, which flame_sight.js keeps in sight: buttons at the top, details at the bottom.
const bars = [element('g', {class: 'bar'}, svg), element('g', {class: 'bar'}, svg)];

bars[0].before(bars[1]); // panels cover details

function barGround(parent) {
    return element('rect', {...groundPaint(), class: 'bar-ground hidden', height: 2 * fontSize},
        parent);
}

export const controls = {
    top: bars[0], topGround: barGround(bars[0]),
    bottom: bars[1], bottomGround: barGround(bars[1]),
    // From left to right, which is the order of Tab.
    filters: button('Clear Filters', bars[0]),
    reset: button('Reset Zoom', bars[0]),
    view: button('View', bars[0]),
    search: button('Search', bars[0]),
    details: element('text', {class: 'details title', x: graph.left, 'aria-live': 'polite'},
        bars[1]),
    matchedGround: element('rect', {...groundPaint(), class: 'hidden', height: 1.5 * fontSize},
        bars[1]),
    matched: element('text', {
        class: 'matched title', 'text-anchor': 'end', role: 'status',
    }, bars[1]),
    ring: element('rect', {class: 'ring hidden', height: graph.row - 1}, stage),
    said: '', // the details, uncut
    noticed: -Infinity, // when showNotice() was called
};

// The panels, which are made at the start; all but the first are menus.
export const panels = {search: null, view: null, copy: null, frame: null};
export const menus = () => [panels.view, panels.frame, panels.copy];
export const isOpen = panel => !panel.classList.contains('hidden');

export const buttonsFromRight = () => [controls.search, controls.view, controls.reset, controls.filters];

// ---- lines of text -----------------------------------------------------------------------------

// A text of the file: the element, its words, and their length there.
export const textLine = element => element &&
    {element, text: element.textContent, length: element.getAttribute('textLength')};

export const leftOut = textLine(svg.querySelector('.left-out'));

// Shows words in a line, cut to its room. Those of the file are as wide as there.
export function showLine(line, words, room) {
    const text = width(words) <= room ? words : cut(words, room);

    line.element.textContent = text;
    if (text === line.text && line.length)
        line.element.setAttribute('textLength', line.length);
    else
        line.element.removeAttribute('textLength');
}

// ---- places ------------------------------------------------------------------------------------

export function bottomLine() {
    const facts = foot.find(line => line.element.classList.contains('facts'));

    return facts ? Number(facts.element.getAttribute('y'))
        : graph.top + view.rows * graph.row + 1.6 * fontSize;
}

export function placeMatched() {
    const right = graph.left + view.span, size = width(controls.matched.textContent);

    controls.matchedGround.setAttribute('x', right - size - 2 * fontSize);
    controls.matchedGround.setAttribute('y', bottomLine() - 1.1 * fontSize);
    controls.matchedGround.setAttribute('width', size + 2 * fontSize);
    controls.matched.setAttribute('x', right);
    controls.matched.setAttribute('y', bottomLine());
}

// Puts the end of a button's text at `x`. Returns where the text before it ends.
function placeButton(one, x) {
    const [area, text] = one.children, gap = 1.5 * fontSize;
    const size = Math.max(width(text.textContent), TOUCH - gap);

    text.setAttribute('x', x);
    area.setAttribute('x', x - size - gap / 2);
    area.setAttribute('width', size + gap);
    return x - size - gap;
}

export function placeControls() {
    let x = graph.left + view.span;

    for (const one of buttonsFromRight()) {
        if (!isOpen(one))
            continue;
        x = placeButton(one, x);
    }
    controls.topGround.setAttribute('x', x);
    controls.topGround.setAttribute('width', graph.left + view.span - x + graph.left);
    controls.bottomGround.setAttribute('y', bottomLine() - 1.4 * fontSize);
    controls.bottomGround.setAttribute('width', view.span + 2 * graph.left);
    controls.details.setAttribute('y', bottomLine());
    if (leftOut)
        leftOut.element.setAttribute('x', graph.left + view.span);
    for (const panel of [panels.search, panels.view, panels.copy]) {
        const fitting = Math.min(360, view.span);

        panel.setAttribute('width', fitting);
        panel.setAttribute('x', graph.left + view.span - fitting);
    }
    placeMatched();
}

// Returns the bottom of the open panel, or 0.
export function panelBottom() {
    const open = [panels.search, ...menus()].find(isOpen);

    return open ? Number(open.getAttribute('height')) + Number(open.getAttribute('y')) + graph.left
        : 0;
}

export function placeRing() {
    const at = keyboard.shown ? boxOf(keyboard.place) : null;

    controls.ring.classList.toggle('hidden', !at);
    if (!at)
        return;
    controls.ring.setAttribute('x', at.x);
    controls.ring.setAttribute('y', rowTop(sideOf(keyboard.place).depthOf(keyboard.place.node),
        keyboard.place.callers));
    controls.ring.setAttribute('width', at.width);
}
