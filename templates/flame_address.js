// The address: the view as a link, which is valid in another drawing of the same profile.
//
// A place is named by the functions from the root to it, not by pixels. A graph has an address only
// if it is a document of its own. flame_open.js reads it.

import {alone, data, graph} from './flame_graph.js';
import {tellPage} from './flame_page.js';
import {isHomeMerge, search, view} from './flame_view.js';
import {tellView} from './flame_stack.js';
import {writeTints} from './flame_tint.js';
import {Paths} from './flame_tree.js';
import {noteFunctions} from './flame_functions.js';

export const paths = {reading: false}; // an address is being read, and is not written

// The filters in an address: role=pattern, or role.i=pattern if case is ignored.
function writeFilters(parts) {
    for (const {role, pattern = '1', ignoreCase} of view.filters)
        parts.append(ignoreCase ? `${role}.i` : role, pattern);
}

export function addressOf() {
    const parts = new URLSearchParams();

    if (!isHomeMerge() && view.merge === 'around')
        parts.set('around', data.names[view.symbol]);
    else if (!isHomeMerge())
        parts.set('merge', view.merge);
    if (view.theme)
        parts.set('theme', view.theme);
    writeFilters(parts);
    writeTints(parts);
    if (view.inverted !== graph.inverted)
        parts.set('root', view.inverted ? 'top' : 'bottom');
    if (view.zoom)
        parts.set('zoom', new Paths(view.tree, data.names).of(view.zoom));
    if (search.shown.hits) {
        parts.set('search', search.shown.pattern);
        if (search.shown.ignoreCase)
            parts.set('case', 'ignore');
        if (search.shown.literal)
            parts.set('as', 'text');
    }
    return String(parts);
}

// Notes the view in the address: as a step for the back button, or in place.
export function noteAddress(step) {
    const address = addressOf();

    if (paths.reading)
        return;
    tellPage('view', {address});
    noteFunctions();
    if (step)
        tellView();
    if (!alone || address === location.hash.slice(1))
        return;
    try {
        history[step ? 'pushState' : 'replaceState'](null, '', `#${address}`);
    } catch (error) {
        // A document without an origin has no history; the view is what matters.
    }
}
