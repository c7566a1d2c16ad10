// A column of graphs in one picture: what one sends to the others, whose answers are in
// flame_echo.js; the graphs below move when one grows.

import {data, stack, svg} from './flame_graph.js';
import {isFunction} from './flame_change.js';
import {view} from './flame_view.js';

export const listening = {lit: '', told: false};

// Sends an event to the other graphs, unless it answers one of theirs.
export function tellStack(word, detail) {
    if (stack && !listening.told)
        stack.dispatchEvent(new CustomEvent(`flamepress-${word}`, {detail: {svg, ...detail}}));
}

// Returns the functions from the root to the zoomed frame, without the "gone" box.
function zoomedNames() {
    return view.tree.path(view.zoom).map(node => view.tree.symbol[node])
        .filter(symbol => isFunction(symbol, data.names)).map(symbol => data.names[symbol]);
}

// Makes the other graphs show the same view, as far as they have its frames.
export function tellView() {
    tellStack('view', {
        merge: view.merge, around: data.names[view.symbol], inverted: view.inverted,
        names: zoomedNames(),
    });
}

// Places the graphs below each other.
export function restack() {
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
