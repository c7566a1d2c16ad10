// The address: the view as a link, which is valid in another drawing of the same profile.
//
// A place is named by the functions from the root to it, not by pixels. A graph has an address only
// if it is a document of its own.

const alone = document.documentElement === svg;
const paths = {of: null};

function addressOf() {
    const parts = new URLSearchParams();

    if (!isHomeMerge() && view.merge === 'around')
        parts.set('around', data.names[view.symbol]);
    else if (!isHomeMerge())
        parts.set('merge', view.merge);
    if (theme.chosen)
        parts.set('theme', theme.chosen);
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
function noteAddress(step) {
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

// Returns how an address merges the tree; by default like the first view.
function mergeOf(parts) {
    const merge = parts.get('merge'), symbol = data.names.indexOf(parts.get('around'), 1);

    if (symbol > 0 && isFunction(symbol, data.names))
        return {merge: 'around', symbol};
    return ['root', 'leaf'].includes(merge) ? {merge, symbol: 0}
        : {merge: graph.merge, symbol: graph.around};
}

// Shows the view of the address. Ignores functions that the graph lacks.
function readAddress() {
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
