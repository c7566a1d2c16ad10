// Filters: stacks are kept or dropped and functions hidden, as by the program's options of the same
// names (src/tree/filter.h). Shares and totals are those of what remains.
//
// A filter is {role, pattern, ignoreCase}. The address has all of them, so that the back button
// undoes one.

// The roles, by the options' names; 'collapse-recursion' has no pattern.
const ROLES = ['focus', 'ignore', 'hide', 'show', 'show-from', 'collapse-recursion'];
const whole = {total: graph.total, whole: graph.whole}; // without filters

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

const MET_FOCUS = 1, MET_IGNORE = 2, MET_START = 4, LIVE = 8;

// Returns for each node what its stack has met, and LIVE if a stack through it remains; and whether
// its frame is kept.
function meetAll(tree, hits) {
    const met = new Uint8Array(tree.count), kept = new Uint8Array(tree.count);
    const wanted = (hits.focus ? MET_FOCUS : 0) | (hits['show-from'] ? MET_START : 0);

    for (let i = 1; i < tree.count; i++) {
        const symbol = tree.symbol[i], has = role => hits[role] && hits[role][symbol];
        const shown = !has('hide') && (!hits.show || has('show'));

        met[i] = met[tree.parent[i]] | (has('focus') && MET_FOCUS) | (has('ignore') && MET_IGNORE) |
            (shown && has('show-from') ? MET_START : 0);
        kept[i] = shown && (!hits['show-from'] || met[i] & MET_START) ? 1 : 0;
    }
    for (let i = tree.count - 1; i > 0; i--) {
        if (tree.self[i] && (met[i] & wanted) === wanted && !(met[i] & MET_IGNORE))
            met[i] |= LIVE;
        if (met[i] & 3 * LIVE)
            met[tree.parent[i]] |= 2 * LIVE; // a descendant remains
    }
    return {met, kept};
}

// Returns the tree of the stacks that remain.
function filtered(tree, filters) {
    const hits = filterHits(filters.filter(({pattern}) => pattern !== undefined));
    const collapse = filters.some(({role}) => role === 'collapse-recursion');
    const builder = new Builder(tree.symbol[0]), to = new Int32Array(tree.count);

    if (!hits)
        return tree;
    const {met, kept} = meetAll(tree, hits);

    for (let i = 1; i < tree.count; i++) {
        const above = to[tree.parent[i]], symbol = tree.symbol[i];

        to[i] = above;
        if (!(met[i] & 3 * LIVE))
            continue;
        if (kept[i] && !(collapse && above && builder.symbol[above] === symbol))
            to[i] = builder.child(above, symbol);
        if (met[i] & LIVE && to[i])
            builder.add(to[i], tree, i);
    }
    return builder.tree(false);
}

// Charts have an order of time, differential graphs two weights, and a file without room for all
// stacks has no exact ones: they are not filtered here.
function canFilter() {
    return !change && !graph.chart && graph.end === 'root';
}

const filterWord = ({role, pattern, ignoreCase}) => `${role}:${ignoreCase}:${pattern}`;

// Shows the graph with other filters.
function setFilters(filters) {
    const {reading} = paths;
    const place = view.zoom ? new Paths(view.tree, data.names).of(view.zoom) : '';

    view.filters = canFilter() ? filters : [];
    data.tree = data.drawn = view.filters.length ? filtered(data.all, view.filters) : data.all;
    graph.total = view.filters.length ? BigInt(data.tree.total[0]) : whole.total;
    graph.whole = view.filters.length && setting('whole') === null ? graph.total : whole.whole;
    paths.reading = true;
    merging.known.clear();
    setMerge(view.merge, view.symbol, () => {
        if (place)
            zoomTo({node: new Paths(view.tree, data.names).find(place)});
        paths.reading = reading;
        noteAddress(true);
    });
    paths.reading = reading;
}

function addFilter(role, pattern, ignoreCase = false) {
    const filter = {role, pattern, ignoreCase}, word = filterWord(filter);

    if (!canFilter())
        showDetails('This kind of graph is not filtered in the browser.');
    else if (!view.filters.some(one => filterWord(one) === word))
        setFilters([...view.filters, filter]);
}

// Keeps ('focus') or drops ('ignore') the stacks that the search finds.
function filterBySearch(role) {
    const {regex, ignoreCase, hits} = search.shown;

    if (hits)
        addFilter(role, regex.source, ignoreCase);
    else
        showDetails('Search first: what is found is kept or dropped.');
}

function toggleRecursion() {
    const without = view.filters.filter(({role}) => role !== 'collapse-recursion');

    if (without.length < view.filters.length)
        setFilters(without);
    else
        addFilter('collapse-recursion', undefined);
}

// The filters in an address: role=pattern, or role.i=pattern if case is ignored.
function writeFilters(parts) {
    for (const {role, pattern = '1', ignoreCase} of view.filters)
        parts.append(ignoreCase ? `${role}.i` : role, pattern);
}

function readFilters(parts) {
    const filters = [];

    for (const [key, pattern] of parts) {
        const [role, i] = key.split('.');

        if (ROLES.includes(role))
            filters.push({
                role, ignoreCase: i === 'i',
                pattern: role === 'collapse-recursion' ? undefined : pattern,
            });
    }
    if (filters.map(filterWord).join() !== view.filters.map(filterWord).join())
        setFilters(filters);
}
