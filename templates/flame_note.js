// Functions that --mark points out: outlines, and notes with a line to a frame. Those of the first
// view are in the file; others are placed by the rules of src/output/notes.c.

import {element, graph, svg} from './flame_graph.js';
import {boxWidth, eachVisible, hasRow, rowTop, view, viewWeight} from './flame_view.js';
import {cut, fontSize, width} from './flame_label.js';

const noted = svg.querySelector('.notes');
const redrawnNotes = noted && noted.cloneNode(false);
const NOTE_GAP = 8, NOTE_EDGE = 4; // pixels
const NOTE_ROW = 1.5, NOTE_BELOW = 0.75; // font sizes

// Returns the notes: their functions and texts.
function readNotes() {
    const list = svg.querySelector('[data-flame="notes"]');
    const lines = list ? list.textContent.split('\n').slice(0, -1) : [];

    return lines.map(line => {
        const tab = line.indexOf('\t');

        return {symbols: new Set(line.slice(0, tab).split(' ').map(Number)), text: line.slice(tab + 1)};
    });
}

const notes = readNotes();

// Returns the frames of the view: function, position, width with the gap, and the top of the row.
function framesInView() {
    const found = [];
    const each = (tree, zoom, callers) => eachVisible(tree, zoom, viewWeight(callers), (node, x, size) => {
        if ((!callers || node) && hasRow(tree.depthOf(node), callers))
            found.push({symbol: tree.symbol[node], x, width: size,
                y: rowTop(tree.depthOf(node), callers)});
    });

    each(view.tree, view.zoom, false);
    if (view.callers)
        each(view.callers, 0, true);
    return found;
}

// Returns a path around all frames that are pointed out.
function outlineNotes(all) {
    return all.filter(({symbol}) => notes.some(({symbols}) => symbols.has(symbol)))
        .map(({x, y, width}) => {
            const inner = Math.max(boxWidth(width) - 2, 0);

            return `M${x + 1} ${y + 1}h${inner}v${graph.row - 3}h${-inner}z`;
        }).join('');
}

// Returns where a line to a frame crosses the fewest frames above it, near the middle.
function linePosition(all, target) {
    const steps = new Int32Array(target.width + 1), middle = target.width >> 1;
    let best = middle, crossed = 0, least = Infinity;

    for (const {x, y, width} of all) {
        const left = x - target.x, right = left + width;

        if (y >= target.y || right <= 0 || left >= target.width)
            continue;
        steps[Math.max(left, 0)]++;
        steps[Math.min(right, target.width)]--;
    }
    for (let x = 0; x < target.width; x++) {
        const edge = x < NOTE_EDGE || x >= target.width - NOTE_EDGE;

        crossed += steps[x];
        if ((edge && target.width > 2 * NOTE_EDGE) || crossed > least ||
            (crossed === least && Math.abs(x - middle) >= Math.abs(best - middle)))
            continue;
        least = crossed;
        best = x;
    }
    return target.x + best;
}

// Gives a note the first row in which it covers no other one and no line meets a note.
function chooseNoteRow(note, placed) {
    const free = row => placed.every(other => other.row !== row ||
        note.left >= other.right + NOTE_GAP || other.left >= note.right + NOTE_GAP);
    const clear = row => placed.every(other => {
        const [upper, lower] = other.row > row ? [other, note] : [note, other];

        return other.row === row || upper.at < lower.left || upper.at >= lower.right;
    });
    let row = 0;

    while (row < placed.length + 1 && !(free(row) && clear(row)))
        row++;
    if (row > placed.length)
        for (row = 0; !free(row);)
            row++;
    note.row = row;
    placed.push(note);
}

// Returns the widest frame of a note, or null.
function widestOf(all, note) {
    return all.reduce((widest, frame) => note.symbols.has(frame.symbol) &&
        (!widest || frame.width > widest.width) ? frame : widest, null);
}

// Returns the notes with their places. Those for which the picture has no row are left out.
function placeNotes(all) {
    const right = graph.left + view.span, placed = [];
    const shown = notes.flatMap(({symbols, text}) => {
        const frame = text && widestOf(all, {symbols});

        if (!frame)
            return [];
        const label = width(text) > view.span ? cut(text, view.span) : text;
        const size = Math.ceil(width(label)), at = linePosition(all, frame);
        const ending = at - size + 1 < graph.left ? right - size : at - size + 1;
        const left = at + size <= right ? at : ending;

        return [{frame, label, at, left, right: left + size}];
    });

    const moved = note => Number(note.left < note.at);

    shown.sort((a, b) =>
        moved(a) - moved(b) || (moved(a) ? a.at - b.at : b.at - a.at));
    for (const note of shown)
        chooseNoteRow(note, placed);
    return placed.filter(note => note.row < noteRows());
}

// Returns how many rows of notes have room above the frames, as in the first view.
function noteRows() {
    const baselines = [...noted.querySelectorAll('text')].map(text => text.getAttribute('y'));

    return new Set(baselines).size || Math.floor((graph.top / fontSize - 3 - NOTE_BELOW) / NOTE_ROW);
}

export function drawNotes() {
    if (!noted)
        return;
    noted.classList.toggle('hidden', !view.home);
    redrawnNotes.classList.toggle('hidden', view.home);
    redrawnNotes.replaceChildren();
    if (view.home)
        return;
    const all = framesInView();
    let lines = '';

    element('path', {d: outlineNotes(all), fill: 'none', 'stroke-width': 2}, redrawnNotes);
    for (const note of placeNotes(all)) {
        const y = graph.top - Math.round((note.row * NOTE_ROW + NOTE_BELOW + 0.25) * fontSize);

        lines += `M${note.at + 0.5} ${y + Math.round(0.25 * fontSize)}V${note.frame.y}`;
        element('text', {x: note.left, y, stroke: 'none'}, redrawnNotes).textContent = note.label;
    }
    element('path', {d: lines, fill: 'none'}, redrawnNotes);
}

if (noted)
    noted.after(redrawnNotes);
