// Slow work in slices, and the trees of a view, which are made so.

import {data, graph, stage} from './flame_graph.js';
import {view} from './flame_view.js';
import {calleesOf, callersOf, leafFirst} from './flame_merge.js';
import {withLane, withLanes} from './flame_lane.js';
import {showDetails} from './flame_details.js';

const SLICE = 40; // milliseconds
const MOST_KNOWN = 4; // views that are kept
const MOST_CHAINS = 3e5; // of a view that is kept
export const merging = {timer: 0, known: new Map()}; // trees by merge and symbol

// Shows that work goes on in slices (`timer` is the next one's), or with 0 that it has ended.
function showWork(timer) {
    const changed = !timer !== !merging.timer;

    merging.timer = timer;
    view.busy = timer > 0;
    if (!changed)
        return;
    stage.setAttribute('aria-busy', String(timer > 0));
    showDetails('');
}

// Runs a merge or other work in slices, the first one at once, then calls `done` with the result, in
// a slice of its own if the last one was long. Work that is running is dropped.
export function inSlices(steps, done) {
    let step = {};
    const run = () => {
        const end = performance.now() + SLICE;

        while (!step.done && performance.now() < end)
            step = steps.next();
        if (step.done && performance.now() < end - SLICE / 2) {
            showWork(0);
            done(step.value);
        } else {
            showWork(setTimeout(run));
        }
    };

    clearTimeout(merging.timer);
    run();
}

// Makes the trees of a view: {tree, callers}.
export function* mergeTrees(merge, symbol) {
    const around = merge === 'around', end = around ? 'root' : merge;
    const from = end === graph.end ? data.tree : yield* leafFirst(data.tree);

    if (around)
        return withLanes(yield* calleesOf(from, symbol), yield* callersOf(from, symbol));
    return {tree: from === data.tree ? data.drawn : withLane(from), callers: null};
}

// Calls `done` with the trees of a view, which are kept: at once if they are known or quickly made.
export function whenMerged(merge, symbol, done) {
    const {known} = merging, key = `${merge} ${symbol}`;

    if (merge === graph.end || known.has(key)) {
        clearTimeout(merging.timer);
        showWork(0);
        done(known.get(key) || {tree: data.drawn, callers: null});
        return;
    }
    inSlices(mergeTrees(merge, symbol), trees => {
        if (known.size >= MOST_KNOWN)
            known.delete(known.keys().next().value);
        if (trees.tree.chains < MOST_CHAINS)
            known.set(key, trees);
        done(trees);
    });
}
