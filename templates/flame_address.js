// The address: what a view shows, as a link that another drawing of the same profile understands.
//
// Places are named by the functions from the root to them, not by pixels. Only a graph that is
// a document of its own has an address.

const alone = document.documentElement === svg;
const paths = {of: null};

function addressOf() {
    const parts = new URLSearchParams();

    if (!isHomeMerge() && view.merge === 'around')
        parts.set('around', data.names[view.symbol]);
    else if (!isHomeMerge())
        parts.set('merge', view.merge);
    if (view.inverted !== graph.inverted)
        parts.set('root', view.inverted ? 'top' : 'bottom');
    if (view.zoom)
        parts.set('zoom', new Paths(view.tree, data.names).of(view.zoom));
    if (search.pattern) {
        parts.set('search', search.pattern);
        if (search.ignoreCase)
            parts.set('case', 'ignore');
    }
    return String(parts);
}

// A step that the back button undoes, or a change of the present one.
function noteAddress(step) {
    const address = addressOf();

    if (paths.reading)
        return;
    tellPage('view', {address});
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

// What an address says of merging; without a word it is as in the first view.
function mergeOf(parts) {
    const merge = parts.get('merge'), symbol = data.names.indexOf(parts.get('around'), 1);

    if (symbol > 0 && isFunction(symbol, data.names))
        return {merge: 'around', symbol};
    return ['root', 'leaf'].includes(merge) ? {merge, symbol: 0}
        : {merge: graph.merge, symbol: graph.around};
}

// Shows what the address says. What this profile has not is left out.
function readAddress() {
    const parts = new URLSearchParams(alone ? location.hash.slice(1) : '');
    const {merge, symbol} = mergeOf(parts);

    paths.reading = true;
    view.inverted = parts.has('root') ? parts.get('root') === 'top' : graph.inverted;
    if (merge !== view.merge || symbol !== view.symbol)
        setMerge(merge, symbol);
    zoomTo({node: parts.has('zoom') ? new Paths(view.tree, data.names).find(parts.get('zoom'))
        : parts.has('function') ? heaviestOf(parts.get('function')) : 0});
    if (parts.get('search') || search.pattern)
        setSearch(parts.get('search') || '', parts.get('case') === 'ignore');
    paths.reading = false;
    tellPage('view', {address: addressOf()});
}
