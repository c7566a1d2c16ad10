// Reads what the program drew: the boxes of an SVG, and the pixels and texts of a PNG.
'use strict';

const zlib = require('zlib');

const ENTITIES = {lt: '<', gt: '>', amp: '&', quot: '"', apos: "'"};

function unescape(text) {
    return text.replace(/&(\w+);/g, (_, name) => ENTITIES[name]);
}

function attribute(element, name) {
    const found = new RegExp(`\\b${name}="([^"]*)"`).exec(element);

    return found ? found[1] : null;
}

// Returns the texts of a class, in the order of the file.
function texts(svg, name) {
    const pattern = new RegExp(`<text class="(?:muted )?${name}"[^>]*>([^<]*)</text>`, 'g');

    return [...svg.matchAll(pattern)].map(match => unescape(match[1]));
}

// Returns json::parse for the title "json::parse (0.427528 s, 49.05%)".
function nameOf(title) {
    const end = title.lastIndexOf(' (');

    return end > 0 ? title.slice(0, end) : title;
}

// The boxes that have a title, which are those wide enough to point at. The group around them has
// their colours; a picture of several graphs has the boxes of all graphs.
function readBoxes(svg) {
    const parts = svg.matchAll(
        /<g (fill="[^>]*)>|<title>([^<]*)<\/title><path d="M(\d+) (\d+)h(\d+)v(\d+)H\3"/g);
    const boxes = [];
    let colors = '';

    for (const [, group, title, x, y, width, height] of parts) {
        if (group !== undefined) {
            colors = group;
            continue;
        }
        boxes.push({
            name: nameOf(unescape(title)), title: unescape(title),
            x: Number(x), y: Number(y), width: Number(width), height: Number(height),
            fill: attribute(colors, 'fill'), dark: attribute(colors, 'color'),
        });
    }
    return boxes;
}

// Returns the texts of each picture of a column, or of the only one.
function readParts(svg) {
    return svg.split('<svg ').filter(part => part.includes('<text class="title"')).map(part => ({
        title: texts(part, 'title').join(''), facts: texts(part, 'facts').join(' · '),
        legend: texts(part, 'legend'),
    }));
}

function readSvg(svg) {
    const parts = readParts(svg);

    return {
        svg, parts,
        title: parts.map(part => part.title).join(' | '),
        facts: parts.map(part => part.facts).join(' | '),
        legend: parts.flatMap(part => part.legend),
        marks: (svg.match(/<rect class="swatch"[^>]*><title>/g) || []).length,
        ground: (/id="ground-([\w]+)-/.exec(svg) || [])[1],
        boxes: readBoxes(svg),
    };
}

function unfilter(line, before, filter, step) {
    for (let i = 0; i < line.length; i++) {
        const left = i >= step ? line[i - step] : 0;
        const up = before ? before[i] : 0;
        const corner = before && i >= step ? before[i - step] : 0;
        const near = [left, up, corner]
            .map(value => Math.abs(left + up - corner - value))
            .reduce((best, distance, at, all) => distance < all[best] ? at : best, 0);

        line[i] += [0, left, up, (left + up) >> 1, [left, up, corner][near]][filter];
    }
}

// An 8-bit PNG with a palette: its size, its texts, and the colour at a point.
function readPng(bytes) {
    const texts = {}, data = [];
    let width, height, palette;

    for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
        const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
        const type = bytes.toString('latin1', at + 4, at + 8);

        if (type === 'IHDR') {
            [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
            if (body[8] !== 8 || body[9] !== 3)
                throw new Error('a PNG that is not of 8 bits with a palette');
        } else if (type === 'PLTE') {
            palette = body;
        } else if (type === 'IDAT') {
            data.push(body);
        } else if (type === 'tEXt' || type === 'iTXt') {
            const [key, ...rest] = body.toString('utf8').split('\0');

            texts[key] = rest[rest.length - 1];
        }
    }
    const raw = zlib.inflateSync(Buffer.concat(data));
    const lines = [];

    for (let y = 0; y < height; y++) {
        const start = y * (width + 1);
        const line = raw.subarray(start + 1, start + 1 + width);

        unfilter(line, lines[y - 1], raw[start], 1);
        lines.push(line);
    }
    return {
        width, height, texts,
        color: (x, y) => [...palette.subarray(lines[y][x] * 3, lines[y][x] * 3 + 3)],
    };
}

function rgb(color) {
    return [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
}

module.exports = {readSvg, readPng, rgb};
