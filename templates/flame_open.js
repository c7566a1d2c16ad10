// Reads the address, and shows its view.

import {alone, data, graph, root, stack} from './flame_graph.js';
import {isFunction} from './flame_change.js';
import {tellPage} from './flame_page.js';
import {search, view} from './flame_view.js';
import {listening} from './flame_stack.js';
import {readTints} from './flame_tint.js';
import {Paths} from './flame_tree.js';
import {addressOf, paths} from './flame_address.js';
import {setTheme} from './flame_theme.js';
import {heaviestOf, setMerge, zoomTo} from './flame_zoom.js';
import {readFilters} from './flame_filter.js';
import {setSearch} from './flame_search.js';

// Returns how an address merges the tree; by default like the first view.
function mergeOf(parts) {
    const merge = parts.get('merge'), symbol = data.names.indexOf(parts.get('around'), 1);

    if (symbol > 0 && isFunction(symbol, data.names))
        return {merge: 'around', symbol};
    return ['root', 'leaf'].includes(merge) ? {merge, symbol: 0}
        : {merge: graph.merge, symbol: graph.around};
}

// Shows the view of the address. Ignores functions that the graph lacks.
export function readAddress() {
    const parts = new URLSearchParams(alone ? location.hash.slice(1) : '');
    const {merge, symbol} = mergeOf(parts);

    paths.reading = true;
    setTheme(parts.get('theme'));
    view.inverted = parts.has('root') ? parts.get('root') === 'top' : graph.inverted;
    readTints(parts);
    readFilters(parts, () => {
        paths.reading = true;
        if (merge !== view.merge || symbol !== view.symbol)
            setMerge(merge, symbol, () => readPlace(parts));
        else
            readPlace(parts);
        paths.reading = false;
    });
    paths.reading = false;
}

// Reads what an address shows in its view: the zoom and the search.
function readPlace(parts) {
    zoomTo({node: parts.has('zoom') ? new Paths(view.tree, data.names).find(parts.get('zoom'))
        : parts.has('function') ? heaviestOf(parts.get('function')) : 0});
    if (parts.get('search') || search.shown.hits)
        setSearch(parts.get('search') || '', parts.get('case') === 'ignore',
            parts.get('as') === 'text');
    tellPage('view', {address: addressOf()});
}

// Reads the address of a column of graphs, as an image map links to it.
export function readStackAddress() {
    const place = new URLSearchParams(location.hash.slice(1)).get('zoom');

    if (!place || root !== stack)
        return;
    listening.told = true;
    zoomTo({node: new Paths(view.tree, data.names).find(place)});
    listening.told = false;
}
