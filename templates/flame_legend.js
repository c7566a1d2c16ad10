// The legend in a window of another width than the picture: entries go to rows as in
// src/output/legend.c, and a text without room is cut.

import {graph, svg} from './flame_graph.js';
import {view} from './flame_view.js';
import {fontSize, width} from './flame_label.js';
import {showLine, textLine} from './flame_controls.js';

// The entries: the swatch, with its hatching, and the text if the entry has one.
const legend = [];

function readLegend() {
    const at = (one, name) => Number(one.getAttribute(name));

    for (const swatch of svg.querySelectorAll('.swatch')) {
        const x = at(swatch, 'x'), y = at(swatch, 'y'), last = legend[legend.length - 1];

        if (last && last.x === x && last.y === y)
            last.swatches.push(swatch);
        else
            legend.push({x, y, size: at(swatch, 'height'), swatches: [swatch], line: null});
    }
    for (const text of svg.querySelectorAll('.legend')) {
        const entry = legend.findLast(({x, y, size}) =>
            y + size === at(text, 'y') && x < at(text, 'x'));

        Object.assign(entry, {line: textLine(text), gap: at(text, 'x') - entry.x});
    }
}

// Places the legend `more` pixels below its own place, at the picture's own width as in the file.
// Returns how much higher it is than there.
export function layLegend(more) {
    const original = view.span === graph.span, rowHeight = 1.6 * fontSize;
    let x = 0, row = 0, end = 0, isStep = false; // of a scale, which stays in one row

    for (const entry of legend) {
        const {line, gap, size} = entry, length = line ? gap + Math.ceil(width(line.text)) : size;

        if (x && x + length > view.span && !isStep) {
            row++;
            x = 0;
        }
        const left = original ? entry.x : graph.left + x;
        const top = more + (original ? entry.y : legend[0].y + Math.round(row * rowHeight));

        for (const swatch of entry.swatches) {
            swatch.setAttribute('x', left);
            swatch.setAttribute('y', top);
        }
        if (line) {
            line.element.setAttribute('x', left + gap);
            line.element.setAttribute('y', top + size);
            showLine(line, line.text, original ? Infinity : view.span - x - gap + 1);
        }
        end = top - more - legend[legend.length - 1].y;
        x += length + (line ? 2 * size : 0);
        isStep = !line;
    }
    return end;
}

readLegend();
