// A column of graphs in one picture: pointing at a function in one graph highlights it in the
// others; searches and zooms apply to all; the graphs below move when one grows.

const stack = svg.parentNode instanceof Element ? svg.parentNode.closest('.flamepress-stack') : null;
// The element that is the document; undefined for a graph in the markup of a page.
const root = [svg, stack].find(one => one === document.documentElement);
const lights = element('g', {class: 'lights'}, stage);
const listening = {lit: '', told: false};

// Sends an event to the other graphs, unless it answers one of theirs.
function tellStack(word, detail) {
    if (stack && !listening.told)
        stack.dispatchEvent(new CustomEvent(`flamepress-${word}`, {detail: {svg, ...detail}}));
}

// Outlines all boxes of a function and shows its total.
function lightUp(name) {
    const symbol = data.names.indexOf(name, 1), tree = view.tree;

    if (name === listening.lit)
        return;
    listening.lit = name;
    lights.replaceChildren();
    showDetails('');
    if (!isFunction(symbol, data.names) || symbol < 0)
        return;
    const hits = Uint8Array.from(data.names, (one, i) => i === symbol ? 1 : 0);
    const weight = matchedWeight(tree, hits, 0);

    eachVisible(tree, view.zoom, viewWeight(), (node, x, size) => {
        if (hits[tree.symbol[node]])
            element('rect', {
                class: 'ring', x, y: rowTop(tree.depthOf(node), false), width: boxWidth(size),
                height: graph.row - 1,
            }, lights);
    });
    showDetails(`${graph.type} ${isolated(visible(name))} (${weightText(weight)}, ` +
        `${shareOf(weight, graph.whole)}, in all stacks)`);
}

// Returns the functions from the root to the zoomed frame, without the "gone" box.
function zoomedNames() {
    return view.tree.path(view.zoom).map(node => view.tree.symbol[node])
        .filter(symbol => isFunction(symbol, data.names)).map(symbol => data.names[symbol]);
}

// Follows a path of names from a node as far as this graph has it.
function follow(names, node) {
    const tree = view.tree;

    for (const name of names) {
        const next = [...tree.children(node)].find(child => tree.wideOf(child) &&
            isFunction(tree.symbol[child], data.names) && data.names[tree.symbol[child]] === name);

        if (next === undefined)
            return node;
        node = next;
    }
    return node;
}

// Follows a path from the root, or among stacks that only one side has if that goes farther.
function placeOfNames(names) {
    const tree = view.tree, main = follow(names, 0);
    const lane = [...tree.children(0)].find(child => tree.symbol[child] > rootSymbol(data.names));
    const aside = lane === undefined ? 0 : follow(names, lane);

    return tree.depthOf(aside) > tree.depthOf(main) + 1 ? aside : main;
}

// Makes the other graphs show the same view, as far as they have its frames.
function tellView() {
    tellStack('view', {
        merge: view.merge, around: data.names[view.symbol], inverted: view.inverted,
        names: zoomedNames(),
    });
}

function hearView({merge, around, inverted, names}) {
    const symbol = merge === 'around' ? data.names.indexOf(around, 1) : 0;

    if (symbol < 0)
        return; // it has not got that function
    if (inverted !== view.inverted)
        setInverted(inverted);
    if (merge !== view.merge || (merge === 'around' && symbol !== view.symbol))
        setMerge(merge, symbol, () => zoomTo({node: placeOfNames(names)}));
    else
        zoomTo({node: placeOfNames(names)});
}

// Reads the address of a column of graphs, as an image map links to it.
function readStackAddress() {
    const place = new URLSearchParams(location.hash.slice(1)).get('zoom');

    if (!place || root !== stack)
        return;
    listening.told = true;
    zoomTo({node: new Paths(view.tree, data.names).find(place)});
    listening.told = false;
}

// Places the graphs below each other.
function restack() {
    let y = 0;

    if (!stack)
        return;
    for (const one of stack.querySelectorAll(':scope > svg')) {
        one.setAttribute('y', y);
        y += Number(one.getAttribute('height'));
    }
    stack.setAttribute('width', svg.getAttribute('width'));
    stack.setAttribute('height', y);
    stack.setAttribute('viewBox', `0 0 ${svg.getAttribute('width')} ${y}`);
}

function listenToStack() {
    const hear = (word, answer) => stack.addEventListener(`flamepress-${word}`, event => {
        if (event.detail.svg === svg)
            return;
        listening.told = true;
        answer(event.detail);
        listening.told = false;
    });

    if (!stack)
        return;
    hear('point', ({name}) => lightUp(name));
    hear('search', ({pattern, ignoreCase, literal}) => setSearch(pattern, ignoreCase, literal));
    hear('view', detail => {
        const {lit} = listening;

        hearView(detail);
        lightUp('');
        lightUp(lit); // where the boxes are now
    });
}
