// Reads a graph's data, and writes numbers as text.
//
// src/output/svg_data.h and svg_tree.h describe the attributes and bytes of the <metadata> element.
// Weights are exact: numbers if the total fits a double, else BigInts.
//
// The flame*.js files are one script: src/assets/graph.sh puts them into one function of `svg`, the
// graph, so a page may have several graphs.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const meta = svg.querySelector('[data-flame="data"]');
const frames = svg.querySelector('.frames');
const thin = svg.querySelector('.thin');
const setting = name => meta.getAttribute(`data-${name}`);
const number = name => Number(setting(name));
const graph = {
    left: number('left'), span: number('span'), top: number('top'), rows: number('rows'),
    row: number('row'), pad: number('pad'), baseline: number('baseline'),
    pointable: number('pointable'), inverted: number('inverted') === 1,
    total: BigInt(setting('total')), places: number('places'),
    factor: number('factor'), seconds: number('seconds') === 1, bytes: setting('bytes') !== null,
    word: setting('word'), one: setting('word-of-one'),
    type: setting('type'), label: setting('label'), sourceUrl: setting('source-url'),
    labelPercent: setting('label-percent') !== null,
    byWeight: setting('sort') === 'weight',
    chart: setting('sort') === 'time',
    leftOut: BigInt(setting('left-out')),
    merge: setting('merge') || 'root', end: setting('data') || 'root',
    around: number('around'), below: number('below'),
    ground: setting('ground'), bySelf: setting('fills') === 'self',
    rootFill: setting('root'), view: setting('view') || '', differential: svg.classList.contains('differential'),
    whole: BigInt(setting('whole') || setting('total')),
};
const exact = graph.total > BigInt(Number.MAX_SAFE_INTEGER) || setting('exact') !== null;
const weightOf = exact ? BigInt : Number;
const ZERO = weightOf(0);

// What the script adds has rules of its own (flame_controls.css). A constructed sheet needs no
// permission of a security policy.
const controlsStyle = new CSSStyleSheet();

controlsStyle.replaceSync(CONTROLS_STYLE);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, controlsStyle];

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
async function inflate(text) {
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

// Int32Array is fastest while the browser still interprets the script.
const isSmall = graph.total < 1n << 30n && !graph.differential;
const Weights = exact ? BigUint64Array : isSmall ? Int32Array : Float64Array;

function newWeights(count) {
    return new Weights(count);
}

// ---- symbols, the tree, colours ----------------------------------------------------------------

// Numbers of classes in src/profile/symbol.h; between SEPARATOR_CLASS and DEVICE_CLASS: processes,
// threads and files.
const KERNEL_CLASS = 1, INLINED_CLASS = 2, JIT_CLASS = 3, BASELINE_CLASS = 5, WAKER_CLASS = 6,
    SEPARATOR_CLASS = 9, DEVICE_CLASS = 12;

// Whether frames of a class are functions.
function isCode(own) {
    return own < SEPARATOR_CLASS || own >= DEVICE_CLASS;
}

// Symbol 0 stands for frames that were left out; the one after all functions is the root's.
const LEFT_OUT = 0;

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

const SOME = 2 ** 13; // stacks between pauses

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
function* readData(inflated) {
    const bytes = new Bytes(inflated);
    const {names, classes} = readSymbols(bytes);
    const tree = yield* readTree(bytes, names);
    const colors = readColors(bytes, names);

    return {names, classes, tree, drawn: tree, colors, origins: readOrigins(bytes, names)};
}

// Returns the report's searches. The weight is null if the program gave the search up.
function readSearches() {
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
function readNames() {
    const list = svg.querySelector('[data-flame="names"]');
    const lines = list ? list.textContent.split('\n').slice(0, -1) : [];

    return new Map(lines.map(line => {
        const [name, ...pairs] = line.split('\t');

        return [name, Object.fromEntries(pairs.map(pair =>
            [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))];
    }));
}

// ---- numbers as text ---------------------------------------------------------------------------

function grouped(digits) {
    return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function trimZeros(fraction) {
    const kept = fraction.replace(/0+$/, '');

    return kept && '.' + kept;
}

// Writes a weight like unit_write_exact() of src/profile/unit.h.
function weightText(weight, word = graph.word, one = graph.one) {
    let whole, fraction = '';

    if (graph.factor !== 1) {
        const value = Number(weight) * graph.factor * 10 ** -graph.places;

        [whole, fraction = ''] = value.toFixed(graph.seconds ? 9 : 0).split('.');
    } else if (graph.places > 0) {
        const digits = String(weight).padStart(graph.places + 1, '0');

        whole = digits.slice(0, -graph.places);
        fraction = digits.slice(-graph.places);
    } else {
        whole = String(BigInt(weight) * 10n ** BigInt(-graph.places));
    }
    const digits = grouped(whole) + trimZeros(fraction), noun = digits === '1' ? one : word;

    return digits + (noun && ' ' + noun);
}

// Writes a total for the line of facts like unit_write_plain() of src/profile/unit.h: counts exactly,
// time and bytes in three digits. Amounts are fractions of BigInts, so that rounding is exact.
function plainText(weight) {
    const scaled = graph.factor !== 1, power = 10n ** BigInt(Math.abs(graph.places));
    const value = Number(weight) * graph.factor * 10 ** -graph.places * 1e6 + 0.5;
    const part = scaled ? BigInt(Math.trunc(Math.min(value, 1e24)))
        : BigInt(weight) * (graph.places < 0 ? power : 1n);
    const whole = scaled ? 1000000n : graph.places > 0 ? power : 1n;
    const rounded = (decimals, up = 1n, down = 1n) =>
        (part * up * 10n ** BigInt(decimals) * 2n + whole * down) / (whole * down * 2n);
    const steps = graph.seconds ? [['ns', 10n ** 9n], ['µs', 1000000n], ['ms', 1000n], ['s']]
        : [...'KMGTPE'].map((name, i) => [`${name}iB`, 1n, 1024n ** BigInt(i + 1)]);

    if (graph.seconds ? !part : !graph.bytes || rounded(0) < 1024n)
        return weightText(weight);
    const [name, ...step] = steps.find(([, ...one]) => rounded(0, ...one) < (graph.seconds ? 1000n : 1024n)) ||
        steps[steps.length - 1];
    const decimals = rounded(2, ...step) < 1000n ? 2 : rounded(1, ...step) < 1000n ? 1 : 0;
    const digits = String(rounded(decimals, ...step)).padStart(decimals + 1, '0');
    const end = digits.length - decimals;

    return `${grouped(digits.slice(0, end))}${decimals ? '.' : ''}${digits.slice(end)} ${name}`;
}

// Returns part / whole in per cent with two decimals, rounded half up, computed exactly.
function percent(part, whole) {
    const all = BigInt(whole);
    const hundredths = all ? (BigInt(part) * 20000n / all + 1n) / 2n : 0n;

    return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}
