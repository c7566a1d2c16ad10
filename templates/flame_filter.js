// Filters: stacks are kept or dropped and functions hidden, as by the program's options of the same
// names (src/tree/filter.h). Shares and totals are those of what remains.
//
// A filter is {role, pattern, ignoreCase}. The address has all of them, so that the back button
// undoes one.

import {
    BASELINE_CLASS, INLINED_CLASS, JIT_CLASS, KERNEL_CLASS, LEFT_OUT, WAKER_CLASS, data, graph,
    isCode, setting, whole,
} from './flame_graph.js';
import {matchHere, regexOf, stepsOf} from './flame_match.js';
import {change, rootSymbol} from './flame_change.js';
import {visible} from './flame_text.js';
import {search, view} from './flame_view.js';
import {Paths, matchedWeight} from './flame_tree.js';
import {kept, merged} from './flame_merge.js';
import {noteAddress, paths} from './flame_address.js';
import {showDetails} from './flame_details.js';
import {inSlices, merging} from './flame_slices.js';
import {setMerge, zoomTo} from './flame_zoom.js';

// The roles, by the options' names; 'collapse-recursion' has no pattern.
const ROLES = ['focus', 'ignore', 'hide', 'show', 'show-from', 'prune-from', 'collapse-module',
    'collapse-recursion'];

// Returns the name of a symbol's module as src/tree/group.c and symbol_module_file() do, or ''.
function moduleName({classes, origins}, symbol) {
    const own = classes[symbol], whole = origins.modules[symbol] || '';
    const module = (whole.includes('://') ? whole.replace(/[?#].*/, '') : whole).replace(/^.*[/\\]/, '');

    return /^(\[(guest\.)?kernel|vmlinux)/.test(module) || (!module && own === KERNEL_CLASS)
        ? '[kernel]' : module || (own >= JIT_CLASS && own <= BASELINE_CLASS ? '[jit]' : '');
}

// Adds a symbol for each module, after those of functions; data.modules has the module's symbol by
// symbol, 0 if it is unknown.
export function addModules(data) {
    const {names, classes, colors, origins} = data, fills = [...colors.fills];
    const known = new Map(names.map((name, symbol) => [`${classes[symbol]} ${name}`, symbol]));
    const met = new Set(); // in the order of colors.modules

    data.functions = rootSymbol(names);
    data.modules = new Int32Array(canFilter() ? data.functions : 0).map((none, symbol) => {
        const own = classes[symbol], name = moduleName(data, symbol);
        const key = `${own === KERNEL_CLASS || own === WAKER_CLASS ? own : 0} ${name}`;

        if (!name || !isCode(own))
            return 0;
        met.add(key);
        if (!known.has(key)) {
            const made = rootSymbol(names);

            known.set(key, made);
            names.splice(made, 0, name);
            classes[made] = parseInt(key);
            origins.modules[made] = name;
            fills[made - 1] = colors.modules[met.size - 1];
        }
        return known.get(key);
    });
    colors.fills = fills;
    data.tree.symbol[0] = rootSymbol(names);
}

// Returns by role which symbols match, undefined for roles without filters; null after saying which
// pattern takes too long or is wrong.
function filterHits(filters) {
    const hits = {};

    for (const {role, pattern, ignoreCase} of filters) {
        const found = hits[role] = hits[role] || new Uint8Array(data.names.length);
        let matched = null;

        try {
            const {regex} = regexOf(pattern, ignoreCase, false);

            matched = matchHere(data.names, regex, stepsOf(regex));
        } catch (error) {
            // Only an address can have a wrong pattern.
        }
        if (!matched) {
            showDetails(`The filter ${visible(pattern)} is wrong or takes too long.`);
            return null;
        }
        matched[LEFT_OUT] = 0;
        matched.fill(0, rootSymbol(data.names));
        matched.forEach((hit, symbol) => found[symbol] |= hit);
    }
    return hits;
}

// Returns the module that each node's frame becomes, 0 for none. An inlined function without a module
// is in its caller's.
function collapsedModules(tree, hits) {
    const {classes, modules, origins} = data, {chains, first, symbol: symbols} = tree;
    const into = new symbols.constructor(hits ? tree.count : 0);

    for (let chain = 1; chain < chains && hits; chain++)
        for (let node = first[chain]; node < first[chain + 1]; node++) {
            const symbol = symbols[node], module = modules[symbol];
            const caller = node > first[chain] ? node - 1 : tree.lastOf(tree.above[chain]);

            into[node] = classes[symbol] === INLINED_CLASS && !origins.modules[symbol]
                ? into[caller] : hits[module] ? module : 0;
        }
    return into;
}

// Returns the tree of the stacks that remain.
function* filtered(tree, filters) {
    const hits = filterHits(filters.filter(({pattern}) => pattern !== undefined));
    const collapse = filters.some(({role}) => role === 'collapse-recursion');

    if (!hits || !filters.length)
        return tree;
    const {symbol: symbols} = tree, {hide, show, 'show-from': from} = hits;
    const what = yield* kept(tree, hits), {begin} = what;
    const into = collapsedModules(tree, hits['collapse-module']);
    const symbolOf = (node, chain) => {
        const symbol = symbols[node];

        return (hide && hide[symbol]) || (show && !show[symbol]) ||
            (from && !(begin[chain] && begin[chain] <= node)) ? -1 : into[node] || symbol;
    };

    // The root's own weight has no frames, and only 'show' drops it for that.
    return yield* merged({...what, emptied: show ? 0 : 1}, [0], symbols[0], symbolOf,
        node => collapse || into[node] > 0);
}

// Charts have an order of time, differential graphs two weights, and a file without room for all
// stacks has no exact ones: they are not filtered here.
function canFilter() {
    return !change && !graph.chart && graph.end === 'root';
}

const filterWord = ({role, pattern, ignoreCase}) => `${role}:${ignoreCase}:${pattern}`;

// Shows the graph with other filters, then calls `then`: at once if that is quick.
export function setFilters(filters, then = () => {}) {
    const {reading} = paths, chosen = canFilter() ? filters : [];
    const place = view.zoom ? new Paths(view.tree, data.names).of(view.zoom) : '';

    showDetails(''); // the frame that they are about may be gone
    inSlices(filtered(data.all, chosen), tree => {
        view.filters = chosen;
        data.tree = data.drawn = tree;
        graph.total = chosen.length ? BigInt(data.tree.total[0]) : whole.total;
        graph.whole = chosen.length && setting('whole') === null ? graph.total : whole.whole;
        merging.known.clear();
        if (search.shown.hits)
            search.shown.weight = matchedWeight(tree, search.shown.hits, 0);
        const was = paths.reading;

        paths.reading = true;
        setMerge(view.merge, view.symbol, () => {
            if (place)
                zoomTo({node: new Paths(view.tree, data.names).find(place)});
            paths.reading = reading;
            noteAddress(true);
            then();
        });
        paths.reading = was;
    });
}

export function addFilter(role, pattern, ignoreCase = false) {
    const filter = {role, pattern, ignoreCase}, word = filterWord(filter);

    if (!canFilter())
        showDetails('This kind of graph is not filtered in the browser.');
    else if (!view.filters.some(one => filterWord(one) === word))
        setFilters([...view.filters, filter]);
}

// Keeps ('focus') or drops ('ignore') the stacks that the search finds.
export function filterBySearch(role) {
    const {regex, ignoreCase, hits} = search.shown;

    if (hits)
        addFilter(role, regex.source, ignoreCase);
    else
        showDetails('Search first: what is found is kept or dropped.');
}

export function toggleRecursion() {
    const without = view.filters.filter(({role}) => role !== 'collapse-recursion');

    if (without.length < view.filters.length)
        setFilters(without);
    else
        addFilter('collapse-recursion', undefined);
}

export function readFilters(parts, then) {
    const filters = [];

    for (const [key, pattern] of parts) {
        const [role, i] = key.split('.');

        if (ROLES.includes(role))
            filters.push({
                role, ignoreCase: i === 'i',
                pattern: role === 'collapse-recursion' ? undefined : pattern,
            });
    }
    if (filters.map(filterWord).join() === view.filters.map(filterWord).join())
        then();
    else
        setFilters(filters, then);
}
