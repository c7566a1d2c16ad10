// Numbers and names as texts.

import {graph} from './flame_graph.js';

function grouped(digits) {
    return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

export function trimZeros(fraction) {
    const kept = fraction.replace(/0+$/, '');

    return kept && '.' + kept;
}

// Writes a weight like unit_write_exact() of src/profile/unit.h.
export function weightText(weight, word = graph.word, one = graph.one) {
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
export function plainText(weight) {
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
export function percent(part, whole) {
    const all = BigInt(whole);
    const hundredths = all ? (BigInt(part) * 20000n / all + 1n) / 2n : 0n;

    return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}

// Returns a share as src/output/picture_pair.c writes it.

export function shareOf(part, whole) {
    return !BigInt(whole) ? '0%' : BigInt(part) === BigInt(whole) ? '100%' : percent(part, whole);
}

export function signed(size) {
    return (size > 0n ? '+' : size < 0n ? '-' : '') + weightText(size < 0n ? -size : size);
}

// Returns part / whole with two decimals.
export function quotient(part, whole) {
    const hundredths = (BigInt(part) * 200n + BigInt(whole)) / (2n * BigInt(whole));

    return `${grouped(String(hundredths / 100n))}.${String(hundredths % 100n).padStart(2, '0')}`;
}

// ---- names -------------------------------------------------------------------------------------

// Characters that are invisible or change the direction of text, as in unicode_is_forbidden() of
// src/text/unicode.h. U+FFFD replaces them.
const UNSEEN = new RegExp('[\\0-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e' +
    '\\u2066-\\u2069\\p{NChar}]', 'gu');

const RIGHT_TO_LEFT = new RegExp('[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc' +
    '\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]', 'u');

export function visible(name) {
    return name.replace(UNSEEN, '\ufffd');
}

// Isolates a name that runs from right to left, so that a sentence keeps its direction.
export function isolated(name) {
    return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
