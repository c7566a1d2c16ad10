// Draws the view: a part of a tree as boxes, labels and strokes. Frames narrower than a pixel are not
// drawn.

import {data, element, frames, graph, svg, thin} from './flame_graph.js';
import {change} from './flame_change.js';
import {isolated, shareOf, visible} from './flame_text.js';
import {
    boxOf, boxWidth, drawn, eachVisible, foot, hasRow, home, isHomeMerge, marks, middle, once,
    rowTop, search, view, viewWeight,
} from './flame_view.js';
import {shareText} from './flame_share.js';
import {restack} from './flame_stack.js';
import {readNames} from './flame_data.js';
import {fit, groundColors, ink, width} from './flame_label.js';
import {panelBottom, placeControls} from './flame_controls.js';
import {drawHatch, fillOf} from './flame_fill.js';
import {drawNotes} from './flame_note.js';
import {layLegend} from './flame_legend.js';
import {placeBars} from './flame_sight.js';
import {noteView} from './flame_details.js';

function drawLabel(group, text, x, fill) {
    if (text)
        element('text', {x: x + graph.pad, y: graph.baseline, fill: ink(fill)}, group)
            .textContent = text;
}

export const given = readNames();

// The group of a box, with the class and the link that the user gives the function.
function boxGroup(row, {class: own, href, target}, className) {
    const classes = [className, own].filter(Boolean).join(' ');
    const group = element('g', classes ? {class: classes} : {}, row);

    return href ? element('a', {href, target: target || '_top'}, group) : group;
}

// Returns boxes for the ancestors of the zoomed frame in one row, from the root: as many as have
// room, the nearest ones first. The box of the root's child or of one above it says "…" if some
// are left out.
function crumbsOf(tree, zoom) {
    const names = node => visible(data.names[tree.symbol[node]]), crumbs = [];
    const size = text => Math.ceil(Math.min(width(text), 240)) + 2 * graph.pad + 1;
    const root = size(names(0)), dots = size('…');
    let room = view.span - root, node = tree.parentOf(zoom);

    for (; node > 0 && size(names(node)) + dots <= room; node = tree.parentOf(node)) {
        crumbs.unshift({node, width: size(names(node)) - 1});
        room -= size(names(node));
    }
    if (node > 0) {
        crumbs.unshift({node, width: dots - 1, text: '…'});
        room -= dots;
    }
    if (zoom)
        crumbs.unshift({node: 0, width: root - 1});
    let x = graph.left;

    for (const crumb of crumbs) {
        crumb.x = x;
        x += crumb.width + 1;
    }
    if (crumbs.length)
        crumbs[crumbs.length - 1].width += room;
    return crumbs;
}

// Returns the label of a frame: with its share, if the file asks for it and the name is not cut for
// it. The program has the same rule (src/output/picture.c).
function labelOf(tree, node, room) {
    const name = visible(data.names[tree.symbol[node]]);
    const share = graph.labelPercent ? ` ${shareOf(tree.totalOf(node), graph.whole)}` : '';
    const label = share && fit(name, room - width(share));

    return label && !label.includes('…') ? label + share : fit(name, room);
}

function drawBox(row, tree, node, x, width, className, text) {
    const name = data.names[tree.symbol[node]], colors = groundColors(fillOf(tree, node));
    const own = given.get(name) || {}, group = boxGroup(row, own, className);

    element('title', {}, group).textContent = own.title ||
        `${isolated(visible(name))} ${shareText(tree, node)}`;
    element('rect', {x, width, height: graph.row - 1, ...colors}, group);
    if (change)
        drawHatch(group, tree, node, x, width, colors.fill);
    drawLabel(group, text || labelOf(tree, node, width - 2 * graph.pad), x, colors.fill);
}

// Draws one side of the view.
function drawTree(tree, zoom, weight, callers) {
    const rows = new Map(), strokes = new Map();
    const row = depth => {
        if (!rows.has(depth))
            rows.set(depth, element('g', {transform: `translate(0,${rowTop(depth, callers)})`},
                drawn));
        return rows.get(depth);
    };

    for (const crumb of callers ? [] : view.crumbs)
        drawBox(row(0), tree, crumb.node, crumb.x, crumb.width, 'faded', crumb.text);
    eachVisible(tree, zoom, weight, (node, x, size) => {
        if ((callers && !node) || !hasRow(tree.depthOf(node), callers))
            return;
        if (size >= graph.pointable) {
            drawBox(row(tree.depthOf(node)), tree, node, x, boxWidth(size),
                callers && view.zoom ? 'faded' : '');
            return;
        }
        const fill = fillOf(tree, node);
        const path = `M${x + 0.5} ${rowTop(tree.depthOf(node), callers)}v${graph.row - 1}`;

        strokes.set(fill, (strokes.get(fill) || '') + path);
    });
    for (const [color, d] of strokes) {
        const {fill, ...dark} = groundColors(color);

        element('path', {stroke: fill, ...dark, d, fill: 'none'}, drawn);
    }
}

function deepest(tree, zoom, weight) {
    let depth = tree.depthOf(zoom);

    eachVisible(tree, zoom, weight, node => depth = Math.max(depth, tree.depthOf(node)));
    return depth;
}

// Sets the number of rows, at least that of the first view. The lines below move down.
function setRows() {
    const weight = viewWeight();
    const above = deepest(view.tree, view.zoom, weight) + 1;
    const below = view.callers ? deepest(view.callers, 0, viewWeight(true)) : 0;
    const least = view.zoom && view.span < NARROW ? 1 : graph.rows;
    const rows = Math.min(Math.max(least, above - view.folded + below), MOST_ROWS);

    view.below = Math.min(below, MOST_ROWS / 2);
    if (rows !== view.rows) {
        view.rows = rows;
        setSize();
    }
}

const MOST_ROWS = 2000;
const NARROW = 700; // pixels: a phone's window, where the height fits after a zoom

// Sets the size of the picture from the view's width, its rows and an open panel.
export function setSize() {
    const width = view.span + 2 * graph.left;
    const more = (view.rows - graph.rows) * graph.row;
    const height = Math.max(home.height + more + layLegend(more), panelBottom());

    if (svg.getAttribute('viewBox') !== `0 0 ${width} ${height}`) {
        svg.setAttribute('width', width);
        svg.setAttribute('height', height);
        svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    }
    for (const line of foot)
        line.element.setAttribute('y', line.y + more);
    placeControls();
    restack();
    placeBars();
}

// Shows the view: its size and texts at once, its boxes at the end of the task. Many changes, such as
// those of an address, are one drawing.
export function redraw() {
    view.home = view.zoom === 0 && isHomeMerge() && view.inverted === graph.inverted &&
        view.span === graph.span && !view.filters.length && view.tinted.every(name => name === null);
    if (view.home) {
        view.rows = graph.rows;
        view.below = graph.below;
        view.crumbs = [];
        view.folded = 0;
        setSize();
    } else {
        view.crumbs = crumbsOf(view.tree, view.zoom);
        view.folded = Math.max(view.tree.depthOf(view.zoom) - 1, 0);
        setRows();
    }
    for (const part of [frames, thin])
        part.classList.toggle('hidden', !view.home);
    drawn.classList.toggle('hidden', view.home);
    drawSoon();
    markSoon();
    noteView();
}

const drawSoon = once(queueMicrotask, () => {
    drawn.replaceChildren();
    if (!view.home) {
        drawTree(view.tree, view.zoom, viewWeight(), false);
        if (view.callers)
            drawTree(view.callers, 0, viewWeight(true), true);
    }
    markMiddle();
    drawNotes();
});

// Outlines the function that the view is around.
function markMiddle() {
    const box = view.merge === 'around' ? boxOf({node: 0}) : null;

    middle.classList.toggle('hidden', !box || view.zoom > 0);
    if (box)
        for (const [name, value] of [['x', box.x], ['width', box.width], ['y', rowTop(0, false)]])
            middle.setAttribute(name, value);
}

// ---- marks of matches, over the drawing --------------------------------------------------------

function markTree(tree, hits, zoom, callers) {
    let strokes = '';

    eachVisible(tree, zoom, viewWeight(callers), (node, x, size) => {
        const y = rowTop(tree.depthOf(node), callers);

        if (!hits[tree.symbol[node]] || (callers && !node) || !hasRow(tree.depthOf(node), callers))
            return;
        if (size < graph.pointable) {
            strokes += `M${x + 0.5} ${y}v${graph.row - 1}`;
            return;
        }
        const group = element('g', {transform: `translate(0,${y})`}, marks);
        const width = boxWidth(size);

        element('rect', {x, width, height: graph.row - 1}, group);
        drawLabel(group, labelOf(tree, node, width - 2 * graph.pad), x, '#e600e6');
    });
    if (strokes)
        element('path', {d: strokes, fill: 'none'}, marks);
}

export const markSoon = once(queueMicrotask, () => {
    marks.replaceChildren();
    const {hits} = search.shown;

    if (!hits)
        return;
    markTree(view.tree, hits, view.zoom, false);
    if (view.callers)
        markTree(view.callers, hits, 0, true);
});

// ---- motion ------------------------------------------------------------------------------------

const calm = matchMedia('(prefers-reduced-motion: reduce)');

// Animates the new drawing from the box at `x` of that width.
export function animate(x, width) {
    const scale = width / (view.span - 1);

    if (calm.matches || !drawn.animate || !(scale > 0))
        return;
    const from = `translateX(${x - graph.left * scale}px) scaleX(${scale})`;

    for (const part of view.home ? [frames, thin, marks] : [drawn, marks])
        part.animate([{transform: from}, {transform: 'none'}],
            {duration: 180, easing: 'ease-out'});
}
