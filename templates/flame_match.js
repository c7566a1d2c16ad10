// Matches function names against a regular expression. No pattern can hang the tab.
//
// A pattern that cannot take long is matched at once. Any other pattern is matched by a worker,
// which is stopped at a deadline. If the browser allows no worker here, names are matched one by
// one until the deadline, and a name on which the pattern could take long ends the search.

const DEADLINE = 1000; // milliseconds
const MOST_STEPS = 3e8; // for all names at once, or for each name without a worker
const matching = {worker: null, timer: 0};

// ---- what a pattern means: src/match/meant.h ----------------------------------------------------

export function quoted(text) {
    return text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
}

// Drops backslashes before punctuation that needs none; "-" needs one within a class.
function loosened(pattern) {
    return pattern.replace(/\[(?:\\[^]|[^\]\\])*\]?|\\[^]/g, part =>
        part.replace(/\\([^])/g, (escape, c) =>
            (part[0] === '[' ? '' : '-').concat(' !"#%&\',:;<=>@_`~').includes(c) ? c : escape));
}

const EMPTY_CLASS = /^(?:\\[^]|\[(?!\])(?:\\[^]|[^\]\\])*\]|[^[\\])*\[\]/;
const MEANT = /[\^$|\\]|\(\?|\.[*+?]|\{\d+(,\d*)?\}/; // a regular expression, even a wrong one

// Returns the regular expression that a reader means, {regex, asText}: the pattern, or its text if
// it is literal, or if it does not compile and is a name. Throws what is wrong with the pattern.
export function regexOf(pattern, ignoreCase, literal) {
    const flags = ignoreCase ? 'iu' : 'u', loose = loosened(pattern);

    try {
        if (!literal && EMPTY_CLASS.test(loose))
            throw new SyntaxError('Nothing is in []; \\[\\] matches brackets');
        return {regex: new RegExp(literal ? quoted(pattern) : loose, flags), asText: literal};
    } catch (error) {
        if (MEANT.test(loose))
            throw error;
        return {regex: new RegExp(quoted(loose), flags), asText: true};
    }
}

// ---- matching ------------------------------------------------------------------------------------

// Returns a function that tells whether a name matches. Browsers may start a match in the middle of
// a character of two UTF-16 units; in names with such characters each start is tried separately.
function matcher(regex) {
    const here = new RegExp(regex.source, regex.flags + 'y');

    return name => {
        if (!/[\u{10000}-\u{10ffff}]/u.test(name))
            return regex.test(name);
        for (let at = 0; at <= name.length; at += name.codePointAt(at) > 0xffff ? 2 : 1) {
            here.lastIndex = at;
            if (here.test(name))
                return true;
        }
        return false;
    };
}

// Returns the number of ways to choose `count` places in order, which may be the same.
function waysToPlace(count, length) {
    let ways = 1;

    for (let i = 1; i <= count; i++)
        ways *= (length + i) / i;
    return ways;
}

// Returns a function from the length of a name to an upper bound of the steps that matching takes:
// a match starts and each repeat ends at any place, a reference may compare all characters, and
// choices multiply. If a group is repeated, there is no bound.
export function stepsOf({source}) {
    const plain = source.replace(/\\[pPu]\{[^}]*\}|\\.|\[(?:\\.|[^\]])*\]/gsu, '.')
        .replaceAll('(?', '(');
    const starts = plain[0] === '^' && !plain.includes('|') ? 0 : 1;
    const repeats = plain.split(/[*+?{]/).length - 1;
    const references = source.split(/\\[1-9]/).length - 1;
    const choices = plain.split(/[()]/)
        .reduce((product, part) => product * part.split('|').length, 1);

    if (/\)[*+{]/.test(plain))
        return () => Infinity;
    return length => source.length * choices * waysToPlace(starts + repeats, length) *
        (length + 1) ** references;
}

// Returns by index whether a name matches, or null if that takes too long.
export function matchHere(names, regex, steps) {
    const matches = matcher(regex), hits = new Uint8Array(names.length);
    const end = performance.now() + DEADLINE;

    for (let i = 0; i < names.length; i++) {
        if (steps(names[i].length) > MOST_STEPS || performance.now() > end)
            return null;
        hits[i] = matches(names[i]);
    }
    return hits;
}

export function stopMatching() {
    clearTimeout(matching.timer);
    if (!matching.worker)
        return;
    matching.worker.onmessage = matching.worker.onerror = null;
    matching.worker.terminate();
    matching.worker = null;
}

function startWorker() {
    // The text of the function may have another name than here.
    const script = `'use strict'; const matcher = ${matcher}; onmessage = ({data: {names, regex}}) =>
        postMessage(Uint8Array.from(names, matcher(regex)));`;
    const address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));

    try {
        return new Worker(address);
    } finally {
        URL.revokeObjectURL(address);
    }
}

function matchInWorker(names, regex, done, otherwise) {
    const finish = hits => {
        stopMatching();
        done(hits);
    };

    try {
        matching.worker = startWorker();
    } catch (error) {
        otherwise();
        return;
    }
    matching.timer = setTimeout(finish, DEADLINE, null);
    matching.worker.onmessage = ({data: hits}) => finish(hits);
    matching.worker.onerror = event => {
        event.preventDefault();
        stopMatching();
        otherwise();
    };
    matching.worker.postMessage({names, regex});
}

// Calls `done` with a Uint8Array that is 1 for each name that matches, or with null if matching
// takes too long: before it returns if the pattern is simple. Drops a matching that still runs.
export function matchNames(names, regex, done) {
    const steps = stepsOf(regex), here = () => done(matchHere(names, regex, steps));

    stopMatching();
    if (names.reduce((sum, name) => sum + steps(name.length), 0) <= MOST_STEPS)
        here();
    else
        matchInWorker(names, regex, done, here);
}
