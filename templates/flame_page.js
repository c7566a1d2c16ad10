// Messages between a graph and the page around it.
//
// A report's page shows each graph in a frame. Opened from files, both have different origins, so
// they use window.postMessage() with objects that have a member `flamepress`:
//
//     page to graph   {flamepress: 'search', pattern, ignoreCase}  search; '' clears it
//                     {flamepress: 'zoom', name}                   zoom to its heaviest frame
//                     {flamepress: 'theme', theme}                 'light', 'dark' or the system's, ''
//                     {flamepress: 'seen', top, bottom}            the part of the frame in sight
//                     {flamepress: 'functions', sort, reversed, count}  send `count` functions, now
//                                                                  and after changes; 0 for none
//                     {flamepress: 'callees', node}                send the callees of a frame
//     graph to page   {flamepress: 'ready', width, height}         the graph listens
//                     {flamepress: 'zoomed', name}                 the answer to 'zoom'
//                     {flamepress: 'size', width, height}          the size has changed
//                     {flamepress: 'problem', message, wrong}      what is wrong with a search, or
//                                                                  how it is read; '' for nothing
//                     {flamepress: 'functions', ...}               tellFunctions() of
//                     {flamepress: 'callees', ...}                 flame_functions.js, tellCallees()
//                     {flamepress: 'view', address}                the view has changed
//                     {flamepress: 'reveal', top, bottom, width, height}  scroll so that this part
//                                                                  of the frame is in sight
//
// The graph listens only to the window that has its frame.

import {alone, root, stack, svg} from './flame_graph.js';

// In a column of graphs the first one answers for all.

export const leads = root === stack && stack.querySelector(':scope > svg') === svg;
export const framed = (alone || leads) && window.parent !== window;

export const requests = {}; // what is done for each; the modules that do it add it

export function tellPage(word, more) {
    if (framed)
        window.parent.postMessage(Object.assign({flamepress: word}, more), '*');
}

export function sizeOfGraph() {
    return {
        width: Number((stack || svg).getAttribute('width')),
        height: Number((stack || svg).getAttribute('height')),
    };
}

export function listenToPage() {
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
