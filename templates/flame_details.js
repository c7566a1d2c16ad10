// The line of details, the lines of facts and the title, which say what the view shows.

import {data, graph, svg, whole} from './flame_graph.js';
import {change, isFunction} from './flame_change.js';
import {isolated, percent, plainText, shareOf, visible} from './flame_text.js';
import {isHomeMerge, nameOf, sideOf, view} from './flame_view.js';
import {shareText} from './flame_share.js';
import {tellStack} from './flame_stack.js';
import {cut, fontSize, width} from './flame_label.js';
import {
    buttonsFromRight, controls, leftOut, placeControls, showLine, textLine, title,
} from './flame_controls.js';
import {focusStage, placeBars} from './flame_sight.js';

const factLines = [...svg.querySelectorAll('.facts')].map(textLine);
const PLAIN_COLORS = 'colours only tell frames apart', BETWEEN_FACTS = ' · '; // as in src/output/facts.h

// Says how the view is merged and where its root is, in the words of the caption.
function viewWords() {
    const root = graph.chart ? 'in the order of time' : isHomeMerge() ? '' : 'merged from the root';
    const merge = {
        root, leaf: 'merged from the leaves',
        around: `callers and callees of ${visible(data.names[view.symbol] || '')}`,
    }[view.merge];
    const top = view.inverted ? 'root at the top' : graph.inverted ? 'root at the bottom' : '';

    return isHomeMerge() && view.inverted === graph.inverted ? graph.view
        : [merge, top].filter(Boolean).join(', ');
}

const heading = svg.querySelector(':scope > title');
const homeTitle = textLine(title);
const subtitle = textLine(svg.querySelector('.subtitle'));

// Names the function that the view is around in the title of the picture and of the window.
function noteTitle() {
    if (subtitle)
        showLine(subtitle, subtitle.text, view.span + 1);
    if (!title)
        return;
    const plain = homeTitle.text.replace(/^Callers and callees of .*/, 'Flame Graph');
    const room = (controls.topGround.getAttribute('x') - graph.left) * fontSize /
        title.getAttribute('font-size');
    const around = plain === 'Flame Graph' ? 'Callers and callees' : `${plain}: callers and callees`;
    const wish = isHomeMerge() ? homeTitle.text : view.merge !== 'around' ? plain
        : `${around} of ${visible(data.names[view.symbol])}`;

    showLine(homeTitle, wish, room);
    if (heading)
        heading.textContent = wish;
}

// Inserts words at the end of a line, but before the statement about colours.
function insertFact(line, words) {
    const facts = line.split(BETWEEN_FACTS);

    facts.splice(facts.length - (facts[facts.length - 1] === PLAIN_COLORS), 0, words);
    return facts.join(BETWEEN_FACTS);
}

// Returns the lines of facts of the view; `words` say how it is merged.
function factsOf(words) {
    const lines = factLines.map(line => line.text), last = lines.length - 1;
    const at = graph.view ? lines.findIndex(line => line.includes(graph.view)) : -1;
    const left = whole.total - graph.total;

    if (view.filters.length)
        return [[plainText(graph.total), left ? `${percent(left, whole.total)} left out by filters`
            : 'frames hidden by filters', words, lines[last].endsWith(PLAIN_COLORS) && PLAIN_COLORS].filter(Boolean).join(BETWEEN_FACTS)];
    if (words !== graph.view)
        lines[at < 0 ? last : at] = at < 0 ? insertFact(lines[last], words)
            : lines[at].replace(graph.view, () => words);
    return lines;
}

// Returns the room of a line of facts: the first one is beside the matched share, or `other` words. A
// pixel more is for fonts that are a little wider than the program's.
function factsRoom(line, other = '') {
    const matched = line ? '' : controls.matched.textContent || other;

    return view.span + 1 - (matched && width(matched) + 1.5 * fontSize);
}

// Updates the lines of facts after the view or the matched share has changed.
export function noteView() {
    const said = factLines.length ? factsOf(viewWords()) : [];

    noteTitle();
    if (leftOut)
        showLine(leftOut, leftOut.text, Math.max(factsRoom(0, said[0]), view.span / 2));
    factLines.forEach((line, i) =>
        showLine(line, said[i] || '', factsRoom(i, leftOut ? leftOut.element.textContent : '')));
}

// Shows what was left out of the file, unless details or matches need the place.
export function showLeftOut() {
    const free = !controls.details.textContent && !controls.matched.textContent;

    if (leftOut)
        leftOut.element.classList.toggle('hidden', !free);
}

// Shows the details before the matched share, cut if there is no room.
export function fitDetails() {
    const text = controls.said, room = factsRoom(0);

    controls.details.textContent = width(text) <= room ? text : cut(text, room);
}

export function showDetails(text) {
    controls.said = view.busy ? 'Working…' : text;
    fitDetails();
    if (factLines.length)
        factLines[0].element.classList.toggle('hidden', controls.said !== '');
    showLeftOut();
    placeBars();
}

// Shows a message that the pointer, which may rest on a frame, does not replace at once.
export function showNotice(text) {
    showDetails(text);
    controls.noticed = performance.now();
}

export const NOTICE = 1500; // milliseconds

// Returns name type, name, weight, share of all and of the parent, and `end`. In a narrow window, what
// leaves no room for the name goes: the parent's share, the weight, the type. A long name is cut.
function placeText(place, end) {
    const tree = sideOf(place), {node} = place, name = visible(nameOf(place));
    const whole = node && tree.totalOf(tree.parentOf(node)), share = shareText(tree, node);
    const more = `; ${percent(tree.totalOf(node), whole)} of parent)`;
    const least = change ? share : `(${shareOf(tree.totalOf(node), graph.whole)})`;
    const forms = [[graph.type, share], [graph.type, least], ['', least]];
    const roomOf = ([type, text]) => factsRoom(0) - 1 - width(`${type}  ${text}${end}`);

    if (node && !change && BigInt(whole) !== graph.whole)
        forms.unshift([graph.type, share.slice(0, -1) + more]);
    const form = forms.find(one => roomOf(one) >= Math.min(width(name), 7 * fontSize)) || forms[forms.length - 1];
    const room = roomOf(form), shown = width(name) <= room ? name : cut(name, room);

    return `${form[0]} ${isolated(shown)} ${form[1]}${end}`.trimStart();
}

export function showPlace(place, end = '') {
    tellStack('point', {name: place && isFunction(sideOf(place).symbol[place.node], data.names)
        ? nameOf(place) : ''});
    showDetails(place ? placeText(place, end) : '');
}

// ---- buttons -----------------------------------------------------------------------------------

// Shows the buttons that can do something.
export function showButtons() {
    for (const one of buttonsFromRight())
        one.classList.remove('hidden');
    controls.reset.classList.toggle('hidden', view.zoom === 0);
    controls.filters.classList.toggle('hidden', !view.filters.length);
    keepFocus();
    placeControls();
    noteTitle();
}

// Gives the frames the focus if what had it was hidden.
export function keepFocus() {
    const {activeElement: at} = document;

    if (at && at.closest('.flamepress .hidden'))
        focusStage();
}
