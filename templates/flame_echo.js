// What a graph shows because of another one in its column: pointing at a function in one graph
// highlights it in the others; searches and zooms apply to all.

import {data, element, graph, stack, stage, svg} from './flame_graph.js';
import {isFunction, rootSymbol} from './flame_change.js';
import {isolated, shareOf, visible, weightText} from './flame_text.js';
import {boxWidth, eachVisible, rowTop, view, viewWeight} from './flame_view.js';
import {listening} from './flame_stack.js';
import {matchedWeight} from './flame_tree.js';
import {showDetails} from './flame_details.js';
import {setInverted, setMerge, zoomTo} from './flame_zoom.js';
import {setSearch} from './flame_search.js';

const lights = element('g', {class: 'lights'}, stage);

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

export function listenToStack() {
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
