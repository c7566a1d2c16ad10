// Reads a graph's data.
//
// src/output/svg_data.h and svg_tree.h describe the attributes and bytes of the <metadata> element.

import {ZERO, exact, graph, newWeights, svg} from './flame_graph.js';
import {change, rootSymbol} from './flame_change.js';
import {Builder, SOME, symbolArray} from './flame_tree.js';

// ---- bytes -------------------------------------------------------------------------------------

function fromBase64(text) {
    if (Uint8Array.fromBase64)
        return Uint8Array.fromBase64(text);
    const binary = atob(text), bytes = new Uint8Array(binary.length);

    for (let i = 0; i < bytes.length; i++)
        bytes[i] = binary.charCodeAt(i);
    return bytes;
}

// Feeds the stream directly: a Blob would copy the bytes to another process and back.
export async function inflate(text) {
    const stream = new DecompressionStream('deflate');
    const writer = stream.writable.getWriter(), reader = stream.readable.getReader();
    const parts = [], written = [writer.write(fromBase64(text)), writer.close()];
    let length = 0;

    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push([part.value, length]);
        length += part.value.length;
    }
    await Promise.all(written);
    const whole = new Uint8Array(length);

    for (const [part, at] of parts)
        whole.set(part, at);
    return whole;
}

const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});

// Reads numbers of seven bits per byte, lowest first. Most numbers take one byte.
class Bytes {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    number() {
        const {bytes} = this;
        let byte = bytes[this.at++], value = byte & 127;

        for (let scale = 128; byte > 127; scale *= 128) {
            byte = bytes[this.at++];
            value += (byte & 127) * scale;
        }
        return value;
    }

    weight() {
        let value = 0n, shift = 0n, byte;

        if (!exact)
            return this.number();
        do {
            byte = this.bytes[this.at++];
            value |= BigInt(byte & 127) << shift;
            shift += 7n;
        } while (byte > 127);
        return value;
    }

    numbers(count) {
        const values = new Uint32Array(count), {bytes} = this;

        for (let i = 0; i < count; i++)
            values[i] = bytes[this.at] < 128 ? bytes[this.at++] : this.number();
        return values;
    }

    weights(count) {
        const values = newWeights(count);

        for (let i = 0; i < count; i++)
            values[i] = this.weight();
        return values;
    }

    text(length) {
        this.at += length;
        return utf8.decode(this.bytes.subarray(this.at - length, this.at));
    }
}

// ---- symbols, the tree, colours ----------------------------------------------------------------

// Reads names and classes by symbol.
function readSymbols(bytes) {
    const names = ['(left out)'], classes = [-1];
    const count = bytes.number();

    for (let i = 0; i < count; i++) {
        names.push(bytes.text(bytes.number()));
        classes.push(bytes.number());
    }
    names.push('all');
    if (change)
        names.push(change.lane);
    return {names, classes};
}

// For each symbol the list of symbols that it has called so far, in the order of svg_tree.h.
class Calls {
    constructor(bytes, symbols) {
        this.bytes = bytes;
        this.lists = Array.from({length: symbols}, () => []);
    }

    // Returns the symbol of the next added frame.
    next(caller) {
        const list = this.lists[caller], place = this.bytes.number();

        if (place === 0) {
            list.push(this.bytes.number());
            return list[list.length - 1];
        }
        const callee = list[place - 1];

        if (place > 1) {
            list[place - 1] = list[place - 2];
            list[place - 2] = callee;
        }
        return callee;
    }
}

function* readTree(bytes, names) {
    const stacks = bytes.number();
    const drops = bytes.numbers(stacks), adds = bytes.numbers(stacks);
    const weights = bytes.weights(stacks + 1);
    const before = graph.differential ? bytes.weights(stacks + 1) : null;
    const added = adds.reduce((sum, n) => sum + n, 0);
    const leads = graph.chart ? bytes.weights(added) : null;
    const builder = new Builder(rootSymbol(names), symbolArray(names.length),
        change && change.widthBy, 1 + added);
    const calls = new Calls(bytes, names.length), path = [0];
    let depth = 0;

    builder.add(weights[0], before && before[0]);
    for (let i = 0; i < stacks; i++) {
        depth -= drops[i];
        for (let count = adds[i]; count; count--) {
            const above = path[depth];

            path[++depth] = builder.append(above, calls.next(builder.symbol[above]),
                leads ? leads[builder.count - 1] : ZERO);
        }
        builder.add(weights[i + 1], before && before[i + 1]);
        if (i % SOME === 0)
            yield;
    }
    return yield* builder.tree(graph.differential);
}

// Reads the colours, and those of functions and of their modules. Differential graphs have none.
function readColors(bytes, names) {
    const colors = Array.from({length: bytes.number()}, () => {
        const rgb = [0, 0, 0].map(() => bytes.bytes[bytes.at++].toString(16).padStart(2, '0'));

        return '#' + rgb.join('');
    });
    const plain = change || graph.bySelf, fills = bytes.numbers(plain ? 0 : names.length - 2);

    return {colors, fills, modules: bytes.numbers(plain ? 0 : bytes.number())};
}

// Returns the modules, source files and lines of functions by symbol; empty or 0 if they are unknown.
function readOrigins(bytes, names) {
    const count = bytes.at < bytes.bytes.length ? bytes.number() : 0; // without any, there is no table
    const texts = ['', ...Array.from({length: count}, () => bytes.text(bytes.number()))];
    const numbers = bytes.numbers.bind(bytes, count ? names.length - 2 - (change ? 1 : 0) : 0);
    const modules = [...numbers()], files = [...numbers()];
    const lines = files.map(file => file && bytes.number());

    return {
        modules: ['', ...modules.map(module => texts[module])],
        files: ['', ...files.map(file => texts[file])], lines: [0, ...lines],
    };
}

// Reads everything: names by symbol, the tree merged from its root or leaves, the colours, and where
// functions are from.
export function* readData(inflated) {
    const bytes = new Bytes(inflated);
    const {names, classes} = readSymbols(bytes);
    const tree = yield* readTree(bytes, names);
    const colors = readColors(bytes, names);

    return {names, classes, tree, drawn: tree, colors, origins: readOrigins(bytes, names)};
}

// Returns the report's searches. The weight is null if the program gave the search up.
export function readSearches() {
    const list = svg.querySelector('[data-flame="searches"]');
    const lines = list ? list.textContent.split('\n').slice(0, -1) : [];

    return lines.map(line => {
        const [weight, name, ...pattern] = line.split('\t');

        return {
            name, pattern: pattern.join('\t'), ignoreCase: weight[0] === 'i',
            weight: weight.length > 1 ? BigInt(weight.slice(1)) : null,
        };
    });
}

// Returns the user's attributes of functions by name: title, class, href, target.
export function readNames() {
    const list = svg.querySelector('[data-flame="names"]');
    const lines = list ? list.textContent.split('\n').slice(0, -1) : [];

    return new Map(lines.map(line => {
        const [name, ...pairs] = line.split('\t');

        return [name, Object.fromEntries(pairs.map(pair =>
            [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))];
    }));
}
