// The page around the graph: what it may ask for, and what it is told.
//
// A report's page shows each graph in a frame. Read from files, the two are of different origins,
// so they talk by messages (window.postMessage), objects with a member `flamepress`:
//
//     page to graph   {flamepress: 'search', pattern, ignoreCase}  searches; '' for none
//                     {flamepress: 'zoom', name}                   to the heaviest such function
//     graph to page   {flamepress: 'ready', width, height}         it answers from now on
//                     {flamepress: 'zoomed', name}                 it did what 'zoom' asked
//                     {flamepress: 'size', width, height}          it has become so large
//                     {flamepress: 'view', address}                what it shows, as an address
//
// The graph listens to the window that holds its frame and to no other.

// Of graphs under each other the first one answers for all.

const leads = stack !== null && document.documentElement === stack &&
    stack.querySelector(':scope > svg') === svg;
const framed = (alone || leads) && window.parent !== window;

// The node of a function that weighs most, of the view; 0 where there is none. A name may be as
// the page shows it.
function heaviestOf(name) {
    const tree = view.tree;
    const wanted = data.names.map((one, symbol) => isFunction(symbol, data.names) &&
        (one === name || visible(one) === name));
    let best = 0;

    for (let i = 1; i < tree.count; i++)
        if (wanted[tree.symbol[i]] && (!best || tree.total[i] > tree.total[best]))
            best = i;
    return best;
}

function zoomToFunction(name) {
    if (view.merge !== 'root')
        setMerge('root', 0);
    const node = heaviestOf(name);

    if (node) {
        keyboard.place = {node};
        zoomTo({node});
        showPlace({node});
    }
}

const requests = {
    search: ({pattern, ignoreCase}) => setSearch(String(pattern || ''), ignoreCase === true),
    zoom: ({name}) => {
        zoomToFunction(String(name));
        tellPage('zoomed', {name});
    },
};

function tellPage(word, more) {
    if (framed)
        window.parent.postMessage(Object.assign({flamepress: word}, more), '*');
}

function sizeOfGraph() {
    return {
        width: Number((stack || svg).getAttribute('width')),
        height: Number((stack || svg).getAttribute('height')),
    };
}

function listenToPage() {
    if (!framed)
        return;
    window.addEventListener('message', event => {
        const asked = event.data && event.data.flamepress;

        if (event.source === window.parent && Object.hasOwn(requests, asked))
            requests[asked](event.data);
    });
    new MutationObserver(() => tellPage('size', sizeOfGraph()))
        .observe(stack || svg, {attributeFilter: ['height', 'width']});
    tellPage('ready', sizeOfGraph());
}
