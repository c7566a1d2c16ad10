// Draws the view: a part of a tree as boxes, labels and strokes.
//
// The first view is the markup of the file. Any other view is drawn into a second group, and the
// markup is hidden. Frames narrower than a pixel are not drawn.

// The state of the view. `tree` grows away from the root's row; around a function, `callers` grows
// in the other direction.
const view = {
    tree: null, callers: null, zoom: 0,
    merge: graph.merge, inverted: graph.inverted, symbol: graph.around, span: graph.span,
    rows: graph.rows, below: graph.below, home: true,
    filters: [], tinted: [],
    crumbs: [], folded: 0, // the ancestors of the zoomed frame, and how many rows they save
};
const drawn = element('g', {class: 'view hidden'}, frames.parentNode);
const marks = element('g', {class: 'marks'}, frames.parentNode);
const middle = element('rect', {class: 'middle hidden', height: graph.row - 1}, frames.parentNode);

function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    if (parent)
        parent.append(made);
    return made;
}

// True if the view is merged like the first view.
function isHomeMerge() {
    return view.merge === graph.merge && view.symbol === graph.around;
}

// Returns the tree of a place. A place is a node of the tree or of the callers.
function sideOf(place) {
    return place.callers ? view.callers : view.tree;
}

function nameOf(place) {
    return data.names[sideOf(place).symbol[place.node]];
}

function fillOf(tree, node) {
    const {colors, fills} = data.colors, tint = tintOf(data.names[tree.symbol[node]]);

    if (tint)
        return tint;
    if (change)
        return changeFill(tree, node);
    if (graph.bySelf)
        return selfFill(tree, node);
    return colors[fills[tree.symbol[node] - 1]] || (node ? NO_CLASS : graph.rootFill);
}

// The colour of a frame's self share, like palette_self() of src/layout/palette.c.
function selfFill(tree, node) {
    const symbol = tree.symbol[node], rest = 1 - Number(tree.selfOf(node)) / Number(tree.totalOf(node));

    if (data.classes[symbol] === SEPARATOR_CLASS)
        return data.names[symbol] === '--' ? '#a0a0a0' : '#c8c8c8';
    if (node && !isFunction(symbol, data.names))
        return NO_CLASS;
    return '#' + [[230, 20], [90, 150], [20, 205]].map(([base, span]) =>
        Math.trunc(base + span * rest).toString(16).padStart(2, '0')).join('');
}

// ---- geometry ----------------------------------------------------------------------------------

// Returns the y coordinate of the row of a depth. The ancestors of the zoomed frame have one row.
function rowTop(depth, callers) {
    const up = callers ? -depth : Math.max(depth - view.folded, 0);
    const line = view.inverted ? view.below + up : view.rows - 1 - view.below - up;

    return graph.top + line * graph.row;
}

// Returns the weight of the full width: callers have all of theirs, whatever is zoomed. Without a zoom
// it is the first view's, which may be more than the root's, unless a merge moves more to the lane.
function viewWeight(callers) {
    const wide = view.tree.wideOf(callers ? 0 : view.zoom), total = Number(graph.total);

    return view.zoom || view.merge === 'around' ? Number(wide) : Math.max(Number(wide), total);
}

// Returns left edge and width of a chain in pixels, including the gap; the width is 0 if nothing is
// visible.
function extent(tree, chain, from, scale) {
    const left = Math.round(Number(tree.start[chain] - from) * scale);
    const right = Math.round(Number(tree.start[chain] + tree.wide[chain] - from) * scale);

    return {left, size: right - left};
}

function boxWidth(size) {
    return size > 2 ? size - 1 : size;
}

// Calls `visit` for `zoom` and its descendants of at least one pixel, depth first.
function eachVisible(tree, zoom, weight, visit) {
    const {first, stop} = tree, from = tree.startOf(zoom), scale = view.span / weight;
    let chain = tree.chainOf(zoom), node = zoom;

    for (const end = stop[chain]; chain < end; node = first[chain]) {
        const {left, size} = extent(tree, chain, from, scale);

        for (; size > 0 && node < first[chain + 1]; node++)
            visit(node, graph.left + left, size);
        chain = size > 0 ? chain + 1 : stop[chain];
    }
}

// Returns the box of a place in the present view, or null.
function boxOf(place) {
    const tree = sideOf(place), zoom = place.callers ? 0 : view.zoom;

    if (!place.callers && place.node < zoom)
        return view.crumbs.find(crumb => crumb.node === place.node) || null;
    if (place.node >= tree.endOf(zoom))
        return null;
    const {left, size} = extent(tree, tree.chainOf(place.node), tree.startOf(zoom),
        view.span / viewWeight(place.callers));

    return size > 0 ? {x: graph.left + left, width: boxWidth(size)} : null;
}

// Returns the place at a point of the picture, or null.
function placeAt(x, y) {
    const line = Math.floor((y - graph.top) / graph.row);
    const up = view.inverted ? line - view.below : view.rows - 1 - view.below - line;
    const callers = up < 0;
    const tree = callers ? view.callers : view.tree;
    const depth = callers ? -up : up + view.folded, zoom = callers ? 0 : view.zoom;
    const share = (Math.floor(x) + 0.5 - graph.left) / view.span;
    let node = zoom;

    if (!tree || share < 0 || share > 1 || line < 0)
        return null;
    if (depth < tree.depthOf(zoom))
        return view.crumbs.find(crumb => x < crumb.x + crumb.width + 1) || null;
    const at = Number(tree.startOf(zoom)) + share * viewWeight(callers);

    while (tree.depthOf(node) < depth) {
        let found = -1;

        for (const child of tree.children(node))
            if (at >= Number(tree.startOf(child)) &&
                at < Number(tree.startOf(child)) + Number(tree.wideOf(child)))
                found = child;
        if (found < 0)
            return null;
        node = found;
    }
    return at < Number(tree.startOf(node)) + Number(tree.wideOf(node)) ? {node, callers} : null;
}

// ---- drawing -----------------------------------------------------------------------------------

function drawLabel(group, text, x, fill) {
    if (text)
        element('text', {x: x + graph.pad, y: graph.baseline, fill: ink(fill)}, group)
            .textContent = text;
}

const given = readNames();

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

// Returns whether a row of a depth is among the rows of the view, which are limited.
function hasRow(depth, callers) {
    return callers ? depth <= view.below : depth - view.folded < view.rows - view.below;
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
function setSize() {
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

const home = {
    width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')),
};
const foot = [...svg.querySelectorAll('.facts, .left-out')]
    .map(line => ({element: line, y: Number(line.getAttribute('y'))}));

// Returns a function that lets `later` run `work`, once for all calls before that.
function once(later, work) {
    let asked = false;

    return () => {
        if (!asked)
            later(() => {
                asked = false;
                work();
            });
        asked = true;
    };
}

// Shows the view: its size and texts at once, its boxes at the end of the task. Many changes, such as
// those of an address, are one drawing.
function redraw() {
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

const markSoon = once(queueMicrotask, () => {
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
function animate(x, width) {
    const scale = width / (view.span - 1);

    if (calm.matches || !drawn.animate || !(scale > 0))
        return;
    const from = `translateX(${x - graph.left * scale}px) scaleX(${scale})`;

    for (const part of view.home ? [frames, thin, marks] : [drawn, marks])
        part.animate([{transform: from}, {transform: 'none'}],
            {duration: 180, easing: 'ease-out'});
}

// ---- texts -------------------------------------------------------------------------------------

// Characters that are invisible or change the direction of text, as in unicode_is_forbidden() of
// src/text/unicode.h. U+FFFD replaces them.
const UNSEEN = new RegExp('[\\0-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e' +
    '\\u2066-\\u2069\\p{NChar}]', 'gu');
const RIGHT_TO_LEFT = new RegExp('[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc' +
    '\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]', 'u');

function visible(name) {
    return name.replace(UNSEEN, '\ufffd');
}

// Isolates a name that runs from right to left, so that a sentence keeps its direction.
function isolated(name) {
    return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

// Returns a node's weight as in the titles of the file: "(272,959 samples, 78.34%)".
function shareText(tree, node) {
    if (change)
        return changeText(tree, node);
    return `(${weightText(tree.totalOf(node))}, ${shareOf(tree.totalOf(node), graph.whole)})`;
}
