// The part of the picture that the reader sees: the controls stay in it, and frames come into it.
//
// A graph of its own, or in the markup of a page, asks the window. A graph in a frame receives
// messages from the page around it (flame_page.js): it cannot know how far that page is scrolled.

import {element, graph, stage} from './flame_graph.js';
import {framed, requests, sizeOfGraph, tellPage} from './flame_page.js';
import {once, rowTop, sideOf, view} from './flame_view.js';
import {fontSize} from './flame_label.js';
import {bottomLine, controls} from './flame_controls.js';

// The top and the bottom of the part, in the document's CSS pixels; all of it before a page's first
// message. If `still`, nothing scrolls.
const sight = {top: 0, bottom: Infinity, still: false};

// A point at the origin of the picture, which says where that is in the window.
const originMark = element('rect', {width: 1, height: 1, visibility: 'hidden'}, stage);

// Returns the matrix from the picture to the window, or null while the picture is not shown.
// Firefox's getScreenCTM() ignores how far a document that is an SVG is scrolled; places of elements
// do not.
export function screenMatrix() {
    const matrix = stage.getScreenCTM();

    if (matrix) {
        const {left, top} = originMark.getBoundingClientRect();

        matrix.e = left;
        matrix.f = top;
    }
    return matrix;
}

// Returns the part in coordinates of the picture, and the size of a unit in CSS pixels.
export function seenPart() {
    const {d: scale, f: origin} = screenMatrix() || {d: 1, f: 0};
    const {top, bottom} = framed ? sight : {top: 0, bottom: window.innerHeight};

    return {top: (top - origin) / scale, bottom: (bottom - origin) / scale, scale};
}

// The heights of the bars at the top and at the bottom.
const BAR = 2 * fontSize;

// Moves the controls to the edges of the part if their own places are outside: before the next frame,
// when the browser places everything anyway.
export const placeBars = once(requestAnimationFrame, () => {
    const {top, bottom} = seenPart(), end = bottomLine() + 0.6 * fontSize;
    const down = Math.max(Math.min(top, end - 2 * BAR), 0);
    const up = Math.min(Math.max(bottom - end, BAR - end), 0);
    const bar = (group, ground, y, shown) => {
        group.setAttribute('transform', `translate(0,${y})`);
        ground.classList.toggle('hidden', !shown);
    };

    bar(controls.top, controls.topGround, down, down > 0);
    bar(controls.bottom, controls.bottomGround, up,
        up < 0 && (controls.details.textContent || controls.matched.textContent));
});

requests.seen = ({top, bottom}) => {
    Object.assign(sight, {top: Number(top), bottom: Number(bottom)});
    placeBars();
};

// Scrolls so that a place is seen between the bars: the zoomed frame with the row of its ancestors.
export function reveal(place) {
    const {d: scale, f: origin} = screenMatrix() || {d: 1, f: 0};
    const y = rowTop(sideOf(place).depthOf(place.node), place.callers);
    const ancestors = view.crumbs.length && place.node === view.zoom && !place.callers ? rowTop(0) : y;
    const top = origin + (Math.min(y, ancestors) - BAR) * scale;
    const bottom = origin + (Math.max(y, ancestors) + graph.row + BAR) * scale;

    if (sight.still)
        return;
    if (framed)
        tellPage('reveal', {top, bottom, ...sizeOfGraph()});
    else
        window.scrollBy(0, top < 0 ? top : Math.max(Math.min(bottom - window.innerHeight, top), 0));
}

// Gives the frames the focus, and scrolls nowhere.
export function focusStage() {
    sight.still = true;
    stage.focus({preventScroll: true});
    sight.still = false;
}

export function listenToScrolling() {
    window.addEventListener('scroll', placeBars, {passive: true});
    window.addEventListener('resize', placeBars);
}
