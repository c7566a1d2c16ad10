// The share of the weight that a search matches.

import {ZERO, data, graph} from './flame_graph.js';
import {percent} from './flame_text.js';
import {search, view} from './flame_view.js';
import {endsWith, hitIn, matchedWeight} from './flame_tree.js';
import {readSearches} from './flame_data.js';
import {controls, placeMatched} from './flame_controls.js';
import {fitDetails, noteView, showLeftOut} from './flame_details.js';

// If frames were left out of the file, a share is a lower bound: they might match as well.
function matchedShare(weight, whole) {
    const least = graph.leftOut > 0n && BigInt(weight) < BigInt(whole);

    return (least ? '≥ ' : '') + percent(weight, whole);
}

// A search of the report has the exact share, even if the file lacks frames.
function matchedOfAll() {
    const {pattern, ignoreCase, literal, weight} = search.shown;
    const preset = !view.filters.length && readSearches().find(one => one.pattern === pattern && !literal &&
        one.ignoreCase === ignoreCase && one.weight !== null);

    return preset ? percent(preset.weight, graph.whole) : matchedShare(weight, graph.whole);
}

// Returns the matched weight of the zoomed frame. If the view lacks thin frames, the stacks of the
// whole tree are counted that end with the frames from the zoomed one to the root.
function matchedInView() {
    const {tree, zoom} = view, all = data.tree, {hits} = search.shown;
    const path = tree.path(zoom).map(node => tree.symbol[node]);
    const met = new Uint8Array(tree.cut ? all.chains : 0);
    let sum = ZERO;

    if (!tree.cut)
        return matchedWeight(tree, hits, zoom);
    for (let i = 1; i < all.chains; i++) {
        met[i] = met[all.above[i]] || hitIn(all, i, hits) >= 0;
        if (met[i] && all.self[i] && endsWith(all, all.lastOf(i), path))
            sum += all.self[i];
    }
    return sum;
}

export function showMatched() {
    let text = '';

    if (search.shown.hits) {
        const tree = view.tree, zoomed = view.zoom || view.merge === 'around';

        text = `Matched: ${matchedOfAll()}`;
        if (zoomed)
            text = `Matched: ${matchedShare(matchedInView(), tree.totalOf(view.zoom))} of ` +
                `this, ${matchedOfAll()} of all`;
    }
    controls.matched.textContent = text;
    controls.matchedGround.classList.toggle('hidden', text === '');
    fitDetails();
    showLeftOut();
    placeMatched();
    noteView();
}
