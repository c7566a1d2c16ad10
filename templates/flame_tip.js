// The tooltip of the frame under the pointer: its title, with lines for the frame's self weight, for
// its shares of its parent and of the zoomed frame, and for its module and source line if the input
// has them. The title is as in the file otherwise.

import {data, graph} from './flame_graph.js';
import {change} from './flame_change.js';
import {isolated, shareOf, visible, weightText} from './flame_text.js';
import {nameOf, sideOf, view} from './flame_view.js';
import {given} from './flame_draw.js';

const tip = {title: null, text: ''};
const moduleOf = place => data.origins.modules[sideOf(place).symbol[place.node]] || '';
const fileOf = place => data.origins.files[sideOf(place).symbol[place.node]] || '';
const lineOf = place => data.origins.lines[sideOf(place).symbol[place.node]] || 0;
export const sourceOf = place => fileOf(place) + (lineOf(place) ? `:${lineOf(place)}` : '');

// Returns the address of a place's source line as src/compare/sources.c does: empty if a part of it
// is unknown.
export function sourceAddress(place) {
    const known = {
        file: fileOf(place).replace(/^file:\/\//, '').replace(/^(\.?\/)+/, ''),
        line: lineOf(place) ? String(lineOf(place)) : '',
    };
    const parts = graph.sourceUrl.match(/\{(file|line)\}/g);

    if (parts.some(part => !known[part.slice(1, -1)]))
        return '';
    return graph.sourceUrl.replace(/\{(file|line)\}/g, (part, name) =>
        known[name].replace(/[^\w.~/@-]+/g, encodeURIComponent));
}

// Scripts are modules in some inputs: their name is in the source line already.
function originLines(place) {
    const module = moduleOf(place) === fileOf(place) ? '' : moduleOf(place);

    return [['module', module], ['source', sourceOf(place)]]
        .filter(([, text]) => text).map(([word, text]) => `${word} ${isolated(visible(text))}`);
}

function shareLines(place) {
    const tree = sideOf(place), {node} = place, parent = tree.parentOf(node), lines = [];
    const add = whole => lines.push(`${shareOf(tree.totalOf(node), tree.totalOf(whole))} of ` +
        isolated(visible(data.names[tree.symbol[whole]])));

    if (view.merge === 'root')
        lines.push(`self ${weightText(tree.selfOf(node))}, ${shareOf(tree.selfOf(node), graph.whole)}`);
    if (parent)
        add(parent);
    if (view.zoom && parent !== view.zoom && node > view.zoom && node < tree.endOf(view.zoom))
        add(view.zoom);
    return lines;
}

// Titles that the user gave stay as they are; those of differential graphs have the shares.
export function showTip(element, place) {
    const title = place && place.node && element.closest('.frames path, .view rect') &&
        element.closest('g').querySelector('title');

    if (title === tip.title)
        return;
    if (tip.title)
        tip.title.textContent = tip.text;
    tip.title = title;
    if (!title || (given.get(nameOf(place)) || {}).title) {
        tip.title = null;
        return;
    }
    tip.text = title.textContent;
    title.textContent = [tip.text, ...(change ? [] : shareLines(place)), ...originLines(place)].join('\n');
}
