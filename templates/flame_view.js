// The state of the view, and where its frames are.
//
// The first view is the markup of the file. Any other view is drawn into a second group, and the
// markup is hidden.

import {ZERO, data, element, graph, stage, svg} from './flame_graph.js';

// `tree` grows away from the root's row; around a function, `callers` grows in the other direction.
export const view = {
    tree: null, callers: null, zoom: 0,
    merge: graph.merge, inverted: graph.inverted, symbol: graph.around, span: graph.span,
    rows: graph.rows, below: graph.below, home: true,
    filters: [], tinted: [], theme: '', // what the reader chose; '' is the system's
    busy: false, // work goes on in slices
    crumbs: [], folded: 0, // the ancestors of the zoomed frame, and how many rows they save
};

// `shown` is the search that the view shows: `hits` by symbol, null for none. What the reader asked
// for may still be matched, or may have been stopped.
export const NO_SEARCH = {pattern: '', ignoreCase: false, literal: false, hits: null, weight: ZERO};
export const search = {
    shown: NO_SEARCH, ignoreCase: false, literal: false, input: null, note: null,
    case: null, expression: null, // the toggles
};

// The place that the keyboard moves, and whether the reader sees which it is.
export const keyboard = {place: {node: 0}, shown: false};

export const drawn = element('g', {class: 'view hidden'}, stage);
export const marks = element('g', {class: 'marks'}, stage);
export const middle = element('rect', {class: 'middle hidden', height: graph.row - 1}, stage);

// True if the view is merged like the first view.
export function isHomeMerge() {
    return view.merge === graph.merge && view.symbol === graph.around;
}

// Returns the tree of a place. A place is a node of the tree or of the callers.
export function sideOf(place) {
    return place.callers ? view.callers : view.tree;
}

export function nameOf(place) {
    return data.names[sideOf(place).symbol[place.node]];
}

// ---- geometry ----------------------------------------------------------------------------------

// Returns the y coordinate of the row of a depth. The ancestors of the zoomed frame have one row.
export function rowTop(depth, callers) {
    const up = callers ? -depth : Math.max(depth - view.folded, 0);
    const line = view.inverted ? view.below + up : view.rows - 1 - view.below - up;

    return graph.top + line * graph.row;
}

// Returns the weight of the full width: callers have all of theirs, whatever is zoomed. Without a zoom
// it is the first view's, which may be more than the root's, unless a merge moves more to the lane.
export function viewWeight(callers) {
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

export function boxWidth(size) {
    return size > 2 ? size - 1 : size;
}

// Calls `visit` for `zoom` and its descendants of at least one pixel, depth first.
export function eachVisible(tree, zoom, weight, visit) {
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
export function boxOf(place) {
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
export function placeAt(x, y) {
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

// Returns whether a row of a depth is among the rows of the view, which are limited.
export function hasRow(depth, callers) {
    return callers ? depth <= view.below : depth - view.folded < view.rows - view.below;
}

export const home = {
    width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')),
};

export const foot = [...svg.querySelectorAll('.facts, .left-out')]
    .map(line => ({element: line, y: Number(line.getAttribute('y'))}));

// Returns a function that lets `later` run `work`, once for all calls before that.
export function once(later, work) {
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
