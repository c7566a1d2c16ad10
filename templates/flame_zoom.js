// What changes the view: zooms, merges, which end has the root, colours of functions.

import {ZERO, data, graph} from './flame_graph.js';
import {change, isFunction} from './flame_change.js';
import {requests, tellPage} from './flame_page.js';
import {visible} from './flame_text.js';
import {boxOf, keyboard, sideOf, view} from './flame_view.js';
import {listening} from './flame_stack.js';
import {hitIn, nodeOf} from './flame_tree.js';
import {THINNEST, leafFirst} from './flame_merge.js';
import {noteAddress, paths} from './flame_address.js';
import {placeRing} from './flame_controls.js';
import {reveal} from './flame_sight.js';
import {showButtons, showDetails, showPlace} from './flame_details.js';
import {animate, redraw} from './flame_draw.js';
import {showMatched} from './flame_found.js';
import {inSlices, whenMerged} from './flame_slices.js';

// Merges again if the zoomed frame has children that are too thin for the whole view.
function refine() {
    const {tree, zoom} = view, path = tree.path(zoom).map(node => tree.symbol[node]);

    if (!zoom || !tree.cut || change || tree.refined === zoom ||
        Number(tree.wideOf(zoom)) >= tree.cut * THINNEST / 4)
        return;
    inSlices(leafFirst(data.tree, path), made => {
        view.tree = made;
        view.zoom = made.refined = nodeOf(made, path);
        keyboard.place = {node: view.zoom};
        redraw();
        showMatched();
        placeRing();
    });
}

// Colours a function, or takes its colour away.
export function toggleTint(name) {
    const place = view.tinted.indexOf(name), free = view.tinted.indexOf(null);

    if (place >= 0)
        view.tinted[place] = null;
    else if (free >= 0)
        view.tinted[free] = name;
    else
        view.tinted.push(name);
    redraw();
    placeRing();
    noteAddress(true);
}

export function zoomTo(place) {
    const was = boxOf(place);

    if (place.callers)
        return;
    const out = place.node < view.zoom;
    const old = view.zoom;

    view.zoom = place.node;
    redraw();
    showButtons();
    showMatched();
    if (!out && was)
        animate(was.x, was.width);
    else if (out && boxOf({node: old}))
        animate(graph.left, view.span - 1);
    placeRing();
    if (view.zoom)
        reveal(place);
    noteAddress(true);
    refine();
}

// Shows trees of showMerge() with the root over the full width.
function setTrees(merge, symbol, trees) {
    Object.assign(view, trees, {merge, symbol, zoom: 0});
    keyboard.place = {node: 0};
    redraw();
    showButtons();
    showMatched();
    placeRing();
    noteAddress(true);
}

// Merges the graph otherwise, then calls `then`: at once if that is quick.
export function setMerge(merge, symbol, then = () => {}) {
    const {reading} = paths, {told} = listening;

    whenMerged(merge, symbol, trees => {
        const was = {reading: paths.reading, told: listening.told};

        paths.reading = reading;
        listening.told = told;
        setTrees(merge, symbol, trees);
        then();
        paths.reading = was.reading;
        listening.told = was.told;
    });
}

export function setInverted(inverted) {
    view.inverted = inverted;
    redraw();
    placeRing();
    noteAddress(true);
}

export function aroundPointed() {
    const symbol = sideOf(keyboard.place).symbol[keyboard.place.node];

    if (keyboard.place.node && isFunction(symbol, data.names))
        setMerge('around', symbol);
    else
        showDetails('Click a frame first, or move to it with the arrow keys.');
}

export function focusPlace(place, end = '') {
    if (!place)
        return;
    keyboard.place = place;
    placeRing();
    showPlace(place, end);
    reveal(place);
}

// Returns the heaviest node of a function in the view, or 0. The name may be in the form that the
// page shows.
export function heaviestOf(name) {
    const tree = view.tree;
    const wanted = data.names.map((one, symbol) => isFunction(symbol, data.names) &&
        (one === name || visible(one) === name));
    let best = 0;

    for (let i = 1, most = ZERO; i < tree.chains; i++) {
        const node = !best || tree.total[i] > most ? hitIn(tree, i, wanted) : -1;

        if (node >= 0) {
            best = node;
            most = tree.total[i];
        }
    }
    return best;
}

function zoomToFunction(name) {
    if (view.merge !== 'root') {
        setMerge('root', 0, () => zoomToFunction(name));
        return;
    }
    const node = heaviestOf(name);

    if (node) {
        keyboard.place = {node};
        zoomTo({node});
        showPlace({node});
    }
}

requests.zoom = ({name}) => {
    zoomToFunction(String(name));
    tellPage('zoomed', {name});
};
