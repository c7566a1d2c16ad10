// Graphs under each other in one picture: what is pointed at in one lights up in the others, a
// search is a search of all, and they stay apart when one grows.

const stack = svg.parentNode instanceof Element ? svg.parentNode.closest('.flamepress-stack') : null;
const lights = element('g', {class: 'lights'}, stage);
const listening = {lit: '', told: false};

// Tells the other graphs; not what one of them has told.
function tellStack(word, detail) {
    if (stack && !listening.told)
        stack.dispatchEvent(new CustomEvent(`flamepress-${word}`, {detail: {svg, ...detail}}));
}

// Frames a function wherever it is, and says what it weighs in all.
function lightUp(name) {
    const symbol = data.names.indexOf(name, 1), tree = view.tree;

    if (name === listening.lit)
        return;
    listening.lit = name;
    lights.replaceChildren();
    showDetails('');
    if (!isFunction(symbol, data.names) || symbol < 0)
        return;
    const matched = Uint8Array.from(tree.symbol, one => one === symbol ? 1 : 0);
    const weight = matchedWeight(tree, matched, 0);

    eachVisible(tree, view.zoom, viewWeight(), (node, x, size) => {
        if (matched[node])
            element('rect', {
                class: 'ring', x, y: rowTop(tree.depth[node], false), width: boxWidth(size),
                height: graph.row - 1,
            }, lights);
    });
    showDetails(`${graph.type} ${isolated(visible(name))} (${weightText(weight)}, ` +
        `${shareOf(weight, graph.whole)}, wherever it is)`);
}

// One below the other, however high each is.
function restack() {
    let y = 0;

    if (!stack)
        return;
    for (const one of stack.querySelectorAll(':scope > svg')) {
        one.setAttribute('y', y);
        y += Number(one.getAttribute('height'));
    }
    stack.setAttribute('height', y);
    stack.setAttribute('viewBox', `0 0 ${stack.getAttribute('width')} ${y}`);
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
    hear('search', ({pattern, ignoreCase}) => setSearch(pattern, ignoreCase));
}
