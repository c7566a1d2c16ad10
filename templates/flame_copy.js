// What the reader copies, and how: by the browser's clipboard, or by hand where no script may use it.

import {data, element, graph} from './flame_graph.js';
import {trimZeros} from './flame_text.js';
import {keyboard, sideOf, view} from './flame_view.js';
import {controls, panels} from './flame_controls.js';
import {showDetails, showNotice} from './flame_details.js';
import {closeMenus, html, showPanel} from './flame_panel.js';

// Pages of plain http, and graphs unpacked from a page that was opened from a file, have no clipboard.
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        showNotice('Copied.');
    } catch (error) {
        offerText(text);
    }
}

let copied = null; // the field of the panel

export function makeCopyPanel() {
    panels.copy = element('foreignObject', {class: 'panel hidden', y: 2, height: 80}, controls.top);
    const box = html('div', {class: 'search', role: 'group', 'aria-label': 'Copy'}, panels.copy);

    html('span', {class: 'note'}, box).textContent = 'The browser blocks copying. Copy this yourself:';
    copied = html('textarea', {readonly: '', rows: 3, 'aria-label': 'Text to copy'}, box);
    // The browser copies after the event.
    copied.addEventListener('copy', () => setTimeout(() => {
        closeMenus();
        showNotice('Copied.');
    }));
}

function offerText(text) {
    copied.value = text;
    showPanel(panels.copy, true);
    copied.focus({preventScroll: true});
    copied.select();
}

// Copies a text of the frame that was clicked or has the focus.
export function copyPlace(textOf) {
    if (keyboard.place.node)
        copyText(textOf(keyboard.place));
    else
        showDetails('Click a frame first, or right-click it and copy its stack.');
}

// Returns the names from the root to a place.
export function stackOf(place) {
    const names = sideOf(place).path(place.node).map(node =>
        data.names[sideOf(place).symbol[node]]);

    if (view.merge === 'around')
        names.unshift(data.names[view.symbol]);
    return view.merge === 'leaf' || place.callers ? names.reverse() : names;
}

// Returns the stacks below a place as `fold` writes them, in its order.
export function foldedOf(place) {
    const tree = sideOf(place), lines = [];

    for (let i = tree.chainOf(place.node), end = tree.stop[i]; i < end; i++) {
        const weights = tree.before ? [tree.before[i], tree.self[i]] : [tree.self[i]];

        if (weights.some(weight => weight))
            lines.push([stackOf({node: tree.lastOf(i), callers: place.callers}).join(';'),
                weights.map(plainWeight).join(' ')]);
    }
    lines.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return lines.map(line => line.join(' ')).join('\n') + '\n';
}

// Writes a weight as in folded stacks: digits without a unit.
function plainWeight(weight) {
    const places = Math.max(graph.places, 0);
    const digits = String(weight).padStart(places + 1, '0');

    return graph.seconds ? String(weight)
        : digits.slice(0, digits.length - places) +
            trimZeros(digits.slice(digits.length - places));
}
