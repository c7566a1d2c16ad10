// The keyboard.

import {graph} from './flame_graph.js';
import {
    boxOf, eachVisible, isHomeMerge, keyboard, search, sideOf, view, viewWeight,
} from './flame_view.js';
import {isOpen, panels} from './flame_controls.js';
import {closeMenus} from './flame_panel.js';
import {focusPlace, setMerge, zoomTo} from './flame_zoom.js';
import {
    clearSearch, closeSearch, endSearch, openSearch, setIgnoreCase, stepMatch,
} from './flame_search.js';

// Returns the next visible box of the row, to the left or to the right.
function neighbour({node, callers}, step) {
    const tree = sideOf({callers}), depth = tree.depthOf(node), row = [];

    eachVisible(tree, callers ? 0 : view.zoom, viewWeight(callers), one => {
        if (tree.depthOf(one) === depth)
            row.push(one);
    });
    const next = row[row.indexOf(node) + step];

    return row.includes(node) && next ? {node: next, callers} : null;
}

// Returns the widest visible child.
function widestChild({node, callers}) {
    const tree = sideOf({callers});
    let best = null;

    for (const child of tree.children(node))
        if (boxOf({node: child, callers}) && (best === null || tree.wideOf(child) > tree.wideOf(best)))
            best = child;
    return best === null ? null : {node: best, callers};
}

// climb() moves one row away from the root's row, descend() one row towards it or beyond.
function climb(place) {
    if (place.callers)
        return {node: sideOf(place).parentOf(place.node),
            callers: sideOf(place).parentOf(place.node) > 0};
    return widestChild(place);
}

function descend(place) {
    if (place.callers || (place.node === 0 && view.callers))
        return widestChild({node: place.node, callers: true});
    return place.node ? {node: sideOf(place).parentOf(place.node)} : null;
}

const boxKeys = {
    ArrowUp: place => view.inverted ? descend(place) : climb(place),
    ArrowDown: place => view.inverted ? climb(place) : descend(place),
    ArrowLeft: place => neighbour(place, -1),
    ArrowRight: place => neighbour(place, 1),
    Home: () => ({node: 0}),
};

export function onStageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (boxKeys[event.key]) {
        keyboard.shown = true;
        focusPlace(boxKeys[event.key](keyboard.place));
        event.preventDefault();
    } else if (event.key === 'Enter' || event.key === ' ') {
        zoomTo(keyboard.place);
        event.preventDefault();
    } else if (event.key === 'n' || event.key === 'N') {
        stepMatch(event.key === 'n' ? 1 : -1);
        event.preventDefault();
    }
}

function onEscape() {
    if (closeMenus())
        return;
    if (isOpen(panels.search))
        endSearch();
    else if (view.zoom !== 0)
        zoomTo({node: 0});
    else if (!isHomeMerge())
        setMerge(graph.merge, graph.around);
    else
        clearSearch();
}

export function onKey(event) {
    const inInput = event.target === search.input;
    const ctrl = event.ctrlKey || event.metaKey;

    if (event.key === 'Escape')
        onEscape();
    else if (event.key === 'F3' && search.shown.hits)
        stepMatch(event.shiftKey ? -1 : 1);
    else if (ctrl && event.key.toLowerCase() === 'f' && inInput)
        return; // the second Ctrl-F is the browser's
    else if (event.key === 'F3' || (ctrl && event.key.toLowerCase() === 'f') ||
        (event.key === '/' && !inInput))
        openSearch();
    else if (ctrl && event.key.toLowerCase() === 'i')
        setIgnoreCase(!search.ignoreCase);
    else if (inInput && event.key === 'Enter' && event.shiftKey)
        stepMatch(-1);
    else if (inInput && event.key === 'Enter')
        closeSearch();
    else
        return;
    event.preventDefault();
}
