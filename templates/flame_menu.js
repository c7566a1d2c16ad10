// The menu of the view, and that of a frame: by right click, long press, the menu key or Shift-F10.

import {data, element, graph, stage, svg} from './flame_graph.js';
import {quoted} from './flame_match.js';
import {isFunction} from './flame_change.js';
import {boxOf, keyboard, nameOf, placeAt, rowTop, sideOf, view} from './flame_view.js';
import {controls, isOpen, panels} from './flame_controls.js';
import {screenMatrix, seenPart} from './flame_sight.js';
import {setTheme, theme} from './flame_theme.js';
import {showPlace} from './flame_details.js';
import {closeMenus, html, htmlButton, showPanel} from './flame_panel.js';
import {sourceAddress, sourceOf} from './flame_tip.js';
import {aroundPointed, setInverted, setMerge, toggleTint, zoomTo} from './flame_zoom.js';
import {copyPlace, copyText, foldedOf, stackOf} from './flame_copy.js';
import {addFilter, filterBySearch, toggleRecursion} from './flame_filter.js';
import {setSearch} from './flame_search.js';

// ---- the menu of the view ----------------------------------------------------------------------

// What belongs together is in one row of two.
const actions = [
    ['Root at the bottom', () => setInverted(false), () => !view.inverted],
    ['Root at the top', () => setInverted(true), () => view.inverted],
    ['Merged from the root', () => setMerge('root', 0), () => view.merge === 'root'],
    ['Merged from the leaves', () => setMerge('leaf', 0), () => view.merge === 'leaf'],
    ['Around this function', () => aroundPointed(), () => view.merge === 'around'],
    ['Merge recursion', () => toggleRecursion(),
        () => view.filters.some(({role}) => role === 'collapse-recursion')],
    ['Light', () => setTheme('light'), () => theme.shown === 'light'],
    ['Dark', () => setTheme('dark'), () => theme.shown === 'dark'],
    ['Keep what is found', () => filterBySearch('focus'), null],
    ['Drop what is found', () => filterBySearch('ignore'), null],
    ['Copy this stack', () => copyPlace(place => stackOf(place).join('\n') + '\n'), null],
    ['Copy as folded stacks', () => copyText(foldedOf(keyboard.place)), null],
    // A graph unpacked from a page has an address that nobody else can open.
    ...(location.protocol === 'blob:' ? []
        : [['Copy a link to this view', () => copyText(location.href), null]]),
];

export function makeMenu() {
    panels.view = element('foreignObject', {
        class: 'panel hidden', y: 2, height: 12 + 26 * Math.ceil(actions.length / 2),
    }, controls.top);
    const box = html('div', {class: 'menu', role: 'group', 'aria-label': 'View'}, panels.view);

    for (const [label, action] of actions)
        htmlButton(label, {}, box, () => {
            closeMenus();
            action();
        });
}

export function toggleMenu() {
    const buttons = panels.view.querySelectorAll('button');

    actions.forEach(([, , chosen], i) => {
        if (chosen)
            buttons[i].setAttribute('aria-pressed', String(chosen()));
    });
    showPanel(panels.view, !isOpen(panels.view));
    if (isOpen(panels.view))
        buttons[0].focus();
}

// ---- the menu of a frame -----------------------------------------------------------------------

const LONG_PRESS = 500, TREMOR = 10; // milliseconds, and pixels
const pressing = {timer: 0, x: 0, y: 0, done: false}; // `done`: the next click is part of the press
let pointed = null; // the place that the menu is for
const moduleAt = place => data.modules[sideOf(place).symbol[place.node]];
const nameless = place => !isFunction(sideOf(place).symbol[place.node], data.names);

// Labels, what is done with a place, and for which places it cannot be done.
const frameActions = [
    ['Zoom', place => zoomTo(place)],
    ['Copy the stack', place => copyText(stackOf(place).join('\n') + '\n')],
    ['Copy its folded stacks', place => copyText(foldedOf(place))],
    ['Copy the name', place => copyText(nameOf(place)), nameless],
    ['Copy file and line', place => copyText(sourceOf(place)), place => !sourceOf(place)],
    ...(graph.sourceUrl ? [['Open its source line',
        place => window.open(sourceAddress(place), '_blank', 'noopener'),
        place => !sourceAddress(place)]] : []),
    ['Search this name', place => setSearch(`^${quoted(nameOf(place))}$`, false), nameless],
    ['Callers and callees', place => setMerge('around', sideOf(place).symbol[place.node]), nameless],
    ['Colour this function', place => toggleTint(nameOf(place)), nameless],
    ['Hide this function', place => addFilter('hide', `^${quoted(nameOf(place))}$`), nameless],
    ['Collapse its module', place => addFilter('collapse-module',
        `^${quoted(data.names[moduleAt(place)])}$`), place => !moduleAt(place)],
    ['Hide what it calls', place => addFilter('prune-from', `^${quoted(nameOf(place))}$`), nameless],
    ['Keep only its stacks', place => addFilter('focus', `^${quoted(nameOf(place))}$`), nameless],
    ['Drop its stacks', place => addFilter('ignore', `^${quoted(nameOf(place))}$`), nameless],
];

export function makeFrameMenu() {
    panels.frame = element('foreignObject', {
        class: 'panel hidden', width: 190, height: 12 + 26 * frameActions.length,
    }, svg);
    const box = html('div', {class: 'menu frame', role: 'group', 'aria-label': 'Frame'},
        panels.frame);

    for (const [label, action] of frameActions)
        htmlButton(label, {}, box, () => {
            const place = pointed;

            closeMenus();
            action(place);
        });
    box.addEventListener('keydown', onMenuKey);
}

function onMenuKey(event) {
    const buttons = [...panels.frame.querySelectorAll('button:not([disabled])')];
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];

    if (!step)
        return;
    const next = buttons.indexOf(document.activeElement) + step;

    buttons[(next + buttons.length) % buttons.length].focus();
    event.preventDefault();
    event.stopPropagation();
}

// Opens the menu at a point of the picture, moved so that all of it is in sight.
function openFrameMenu(place, x, y) {
    const {frame: panel} = panels, {top, bottom} = seenPart();
    const height = Number(panel.getAttribute('height')), right = graph.left * 2 + view.span;
    const end = Math.min(bottom, Number(svg.getAttribute('height')));

    pointed = keyboard.place = place;
    panel.setAttribute('x', Math.max(Math.min(x, right - panel.getAttribute('width') - 2), 2));
    panel.setAttribute('y', Math.max(Math.min(y, end - height - 2), top, 2));
    [...panel.querySelectorAll('button')].forEach((one, i) =>
        one.disabled = (frameActions[i][2] || (() => false))(place));
    showPanel(panel, true);
    panel.querySelector('button').focus({preventScroll: true});
    showPlace(place); // after the stage has lost the focus
}

// Returns the point of an event in the picture.
function pointOf(event) {
    const {clientX: x, clientY: y} = event.touches ? event.touches[0] : event;

    return new DOMPoint(x, y).matrixTransform(screenMatrix().inverse());
}

function onContextMenu(event) {
    const byKey = keyboard.shown && event.button !== 2;
    const box = byKey && boxOf(keyboard.place), {x, y} = pointOf(event);
    const place = byKey ? keyboard.place : placeAt(x, y);

    if (!place)
        return;
    event.preventDefault();
    if (box)
        openFrameMenu(place, box.x + 10,
            rowTop(sideOf(place).depthOf(place.node), place.callers) + graph.row);
    else
        openFrameMenu(place, x, y);
}

// A long press opens the menu where the browser itself has none for it. Fingers tremble.
function onTouch(event) {
    const {type, touches} = event, {x, y} = touches.length === 1 ? pointOf(event) : {x: NaN, y: 0};

    if (type === 'touchmove' && Math.hypot(x - pressing.x, y - pressing.y) < TREMOR)
        return;
    clearTimeout(pressing.timer);
    if (type !== 'touchstart' || isNaN(x))
        return;
    Object.assign(pressing, {x, y});
    pressing.timer = setTimeout(() => {
        const place = placeAt(x, y);

        pressing.done = true;
        if (place)
            openFrameMenu(place, x, y);
    }, LONG_PRESS);
}

export function listenToMenu() {
    stage.addEventListener('contextmenu', onContextMenu);
    for (const word of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
        stage.addEventListener(word, onTouch, {passive: true});
    // A press beside an open menu closes it and does nothing else.
    window.addEventListener('pointerdown', ({target, button}) => {
        pressing.done = !target.closest('.panel, .button') && closeMenus() && !button;
    }, true);
    svg.addEventListener('click', event => {
        if (pressing.done) {
            event.preventDefault();
            event.stopImmediatePropagation();
        }
        pressing.done = false;
    }, true);
}
