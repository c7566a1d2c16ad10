// The script of a report's page, which is complete without it. The script sorts and filters tables,
// loads interactive graphs when the reader scrolls to them, highlights a search in all graphs, and
// zooms a graph to a function that is clicked in a table.
//
// If each graph has a page of its own, the summary is a page without graphs, whose links to graphs
// carry the search of their column (#search=).
//
// The script is the same in every report and reads links and data attributes from the page. A graph
// is a document in a frame; flame_page.js describes the messages.

'use strict';
(() => {

document.documentElement.classList.add('scripted');

function make(name, attributes, parent, text) {
    const made = document.createElement(name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    if (text !== undefined)
        made.textContent = text;
    if (parent)
        parent.append(made);
    return made;
}

// Returns the parameters after the # of a link.
function fragment(link) {
    return new URLSearchParams(link.hash.slice(1));
}

// True for a click that does not open another tab or window.
function isPlain(event) {
    return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey &&
        !event.altKey;
}

// ---- light and dark ----------------------------------------------------------------------------

// What the reader's system prefers, unless the reader or the address (?theme=dark) chooses. The
// address and the links to pages and graphs keep the choice.
const THEMES = {'': 'System', light: 'Light', dark: 'Dark'};
const theme = {chosen: '', buttons: new Map()};

// Shows the dark source of a picture, or not, as the reader chose.
function themeSource(source) {
    source.dataset.media = source.dataset.media || source.media;
    source.media = {light: 'not all', dark: 'screen'}[theme.chosen] || source.dataset.media;
}

function setTheme(chosen) {
    theme.chosen = Object.hasOwn(THEMES, chosen) ? chosen : '';
    if (theme.chosen)
        document.documentElement.dataset.theme = theme.chosen;
    else
        delete document.documentElement.dataset.theme;
    for (const [name, button] of theme.buttons)
        button.setAttribute('aria-pressed', String(name === theme.chosen));
    for (const source of document.querySelectorAll('source[media]'))
        themeSource(source);
    for (const picture of pictures.values())
        picture.sendTheme();
}

// Returns a page's parameters after the question mark with the chosen theme.
function themed(link) {
    const parts = new URLSearchParams(link.search);

    if (theme.chosen)
        parts.set('theme', theme.chosen);
    else
        parts.delete('theme');
    return String(parts) && `?${parts}`;
}

function noteTheme() {
    try {
        history.replaceState(null, '', location.pathname + themed(location) + location.hash);
    } catch (error) {
        // A page without an origin has no history; the look is what matters.
    }
}

function makeThemes() {
    const group = make('div', {class: 'theme', role: 'group', 'aria-label': 'Theme'});

    for (const name in THEMES) {
        const button = make('button', {type: 'button'}, group, THEMES[name]);

        theme.buttons.set(name, button);
        button.addEventListener('click', () => {
            setTheme(name);
            noteTheme();
        });
    }
    document.querySelector('main').prepend(group);
    setTheme(theme.chosen);
}

// Makes a link of this report lead to what has the same theme.
function keepTheme(link) {
    if (!theme.chosen || link.host !== location.host || link.protocol !== location.protocol)
        return;
    if (link.pathname.endsWith('.html'))
        link.search = themed(link);
    if (link.pathname.endsWith('.svg')) {
        const parts = fragment(link);

        parts.set('theme', theme.chosen);
        link.hash = String(parts);
    }
}

// ---- pictures: interactive graphs near the visible part, still pictures elsewhere --------------

const search = {pattern: '', ignoreCase: false};
const pictures = new Map(); // by the section they are in

async function unpack(text) {
    const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const svg = await new Response(stream).blob();

    return URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
}

class Picture {
    constructor(figure) {
        this.figure = figure;
        this.image = figure.querySelector('img');
        this.map = figure.querySelector('map');
        this.link = figure.querySelector('a.svg');
        this.frame = null;
        this.ready = false;
        this.address = ''; // the graph's present view
        this.said = null; // what is wrong with the search, {message, wrong}
        this.explorer = new Explorer(this);
        this.wish = null; // the 'zoom' message that the graph has not answered yet
    }

    // In a single-file report, the graph is unpacked from the page the first time.
    async source() {
        if (!this.link && !this.opened)
            this.opened = await unpack(this.figure.dataset.svg);
        return this.opened || this.link.href;
    }

    async mount() {
        if (this.frame || !(this.link || this.figure.dataset.svg))
            return;
        const frame = this.frame = make('iframe', {
            class: 'waiting', title: `\u2068${this.figure.dataset.title}\u2069: interactive flame graph`,
            height: this.image.getAttribute('height'), allow: 'clipboard-write *',
        });
        const source = await this.source();

        if (this.frame !== frame)
            return;
        frame.src = this.address ? `${source}#${this.address}` : source;
        this.figure.prepend(frame);
    }

    unmount() {
        if (this.frame)
            this.frame.remove();
        this.frame = null;
        this.ready = false;
        this.figure.classList.remove('live');
    }

    send(message) {
        if (this.ready)
            this.frame.contentWindow.postMessage(message, '*');
    }

    zoom(name) {
        this.wish = {flamepress: 'zoom', name};
        this.figure.scrollIntoView({block: 'nearest'});
        this.mount();
        this.sendWish();
    }

    // A graph that nobody chose a theme for has that of the system already.
    sendTheme() {
        if (theme.chosen || this.themed)
            this.send({flamepress: 'theme', theme: theme.chosen});
        this.themed = this.ready && theme.chosen !== '';
    }

    sendWish() {
        if (this.wish)
            this.send(this.wish);
    }

    hear(message) {
        if (Number.isFinite(message.height))
            this.frame.height = message.height;
        if (message.flamepress === 'ready') {
            this.ready = true;
            this.figure.classList.add('live');
            this.sendTheme();
            if (search.pattern || search.used)
                this.send({flamepress: 'search', ...search});
            // The graph scrolls to what is wished for, so it has to know what is seen of it.
            this.tellSeen();
            this.sendWish();
            this.explorer.ask();
        }
        this.explorer.hear(message);
        if (message.flamepress === 'problem') {
            this.said = {message: String(message.message), wrong: message.wrong === true};
            sayAll();
        }
        if (message.flamepress === 'zoomed' && this.wish && this.wish.name === message.name)
            this.wish = null;
        if (message.flamepress === 'reveal')
            this.reveal(message);
        this.tellSeen();
        if (typeof message.address === 'string')
            this.address = message.address;
    }

    // Returns the part of the frame that is in the window and not below the tools.
    seen() {
        const {top} = this.frame.getBoundingClientRect();
        const cover = tools.form ? tools.form.getBoundingClientRect() : {top: 0, bottom: 0};

        return {
            top: (cover.top <= 0 ? Math.max(cover.bottom, 0) : 0) - top, bottom: window.innerHeight - top,
        };
    }

    tellSeen() {
        if (this.ready)
            this.send({flamepress: 'seen', ...this.seen()});
    }

    // Scrolls so that a part of the frame is in sight, its top if it is higher than the window.
    reveal({top, bottom}) {
        const seen = this.seen(), above = top - seen.top, below = bottom - seen.bottom;
        const by = above < 0 ? above : Math.max(Math.min(below, above), 0);

        if (Number.isFinite(by))
            window.scrollBy(0, by);
    }

    // Scales the image map, whose coordinates are for the picture's full size.
    scaleMap() {
        const scale = this.image.clientWidth / this.image.getAttribute('width');

        if (!this.map || !scale)
            return;
        for (const area of this.map.areas) {
            area.dataset.coords = area.dataset.coords || area.coords;
            if (area.dataset.coords)
                area.coords = area.dataset.coords.split(',').map(x => Math.round(x * scale));
        }
    }
}

// All functions of a graph and its call tree, which follow its zoom, search and filters. The graph
// computes them (flame_functions.js): the page shows what it is sent.
const MORE = 100; // rows at first, and with each click

// A share as the report's tables write it.
const spaced = share => share.replace('%', '\u202f%');

class Explorer {
    constructor(picture) {
        this.picture = picture;
        this.wish = {flamepress: 'functions', sort: 'self', reversed: false, count: MORE};
        this.box = null;
    }

    // Shows the closed tables, once the graph is there to fill them.
    ask() {
        this.build();
        this.box.classList.remove('waiting');
        if (this.box.open)
            this.picture.send(this.wish);
    }

    // Adds the tables before the graph is there: what is below them must not move under the pointer.
    build() {
        if (this.box)
            return;
        const box = this.box = make('details', {class: 'explorer waiting'});

        make('summary', {}, box, 'All functions and call tree');
        this.about = make('p', {class: 'quiet', role: 'status'}, box);
        const panes = make('div', {class: 'panes'}, box);
        const scroll = {class: 'scroll', tabindex: 0, role: 'region'};

        this.list = make('div', {...scroll, 'aria-label': 'All functions'}, panes);
        this.tree = make('div', {...scroll, 'aria-label': 'Call tree'}, panes);
        this.makeTable();
        box.addEventListener('toggle', () =>
            this.picture.send(box.open ? this.wish : {flamepress: 'functions', count: 0}));
        this.picture.figure.after(box);
    }

    makeTable() {
        const table = make('table', {hidden: ''}, this.list); // until it has rows
        const row = make('tr', {}, make('thead', {}, table));

        this.heads = [['name', 'Function'], ['self', 'Self'], ['total', 'Total']].map(([sort, label]) => {
            const head = make('th', sort === 'name' ? {scope: 'col'}
                : {scope: 'col', class: 'number', colspan: 2}, row);

            make('button', {type: 'button', class: 'sort'}, head, label)
                .addEventListener('click', () => this.sortBy(sort));
            return head;
        });
        this.change = make('th', {scope: 'col', class: 'number', hidden: ''}, row, 'Change');
        this.body = make('tbody', {}, table);
        this.more = make('button', {type: 'button', class: 'more'}, this.list);
        this.more.addEventListener('click', () => {
            this.wish.count += MORE;
            this.ask();
        });
    }

    sortBy(sort) {
        this.wish.reversed = this.wish.sort === sort && !this.wish.reversed;
        this.wish.sort = sort;
        this.ask();
    }

    hear(message) {
        if (message.flamepress === 'functions')
            this.showFunctions(message);
        if (message.flamepress === 'callees')
            this.showCallees(message);
    }

    link(row, parent) {
        make('code', {}, make('a', {class: 'function', href: `#${this.picture.figure.closest('.graph').id}`,
            'data-function': encodeURIComponent(row.name)}, parent), row.name);
    }

    showFunctions({rows, count, within, matching, filtered}) {
        const {sort, reversed} = this.wish;

        this.about.textContent = `${count.toLocaleString('en')} ${count === 1 ? 'function' : 'functions'}` +
            (within ? ` in \u2068${within}\u2069` : '') + (matching ? ', matching the search' : '') +
            (filtered ? ', filtered' : '') + '. Shares are of what the graph shows.';
        this.heads.forEach((head, i) => {
            head.removeAttribute('aria-sort');
            if (['name', 'self', 'total'][i] === sort)
                head.setAttribute('aria-sort', (sort === 'name') !== reversed ? 'ascending' : 'descending');
        });
        this.change.hidden = !rows.some(row => row.change);
        this.body.replaceChildren(...rows.map(row => this.functionRow(row)));
        this.body.parentNode.hidden = !count;
        this.more.textContent = `${(count - rows.length).toLocaleString('en')} more`;
        this.more.hidden = count <= rows.length;
    }

    functionRow(row) {
        const made = make('tr', {});

        this.link(row, make('th', {scope: 'row', class: 'function'}, made));
        for (const text of [row.selfShare, row.self, row.totalShare, row.total])
            make('td', {class: 'number'}, made, spaced(text));
        if (row.change)
            make('td', {class: 'number'}, made, row.change);
        return made;
    }

    // Shows the callees of a frame below it; -1 is the frame at the top, which begins a new tree.
    showCallees({node, rows, left}) {
        if (node < 0)
            this.branches = new Map([[-1, this.tree]]);
        const branch = this.branches && this.branches.get(node);

        if (!branch)
            return;
        branch.replaceChildren(...rows.map(row => this.branch(row)));
        if (left)
            make('p', {class: 'quiet'}, branch, `${left.toLocaleString('en')} lighter callees`);
        const [first] = branch.querySelectorAll('.opener');

        if (node < 0 && first)
            first.click();
    }

    branch(row) {
        const made = make('div', {class: 'branch'});
        const line = make('div', row.found ? {class: 'line lit'} : {class: 'line'}, made);
        const opener = row.leaf ? null : make('button', {
            type: 'button', class: 'opener', 'aria-expanded': 'false', 'aria-label': `Callees of ${row.name}`,
        }, line);

        make('b', {}, line, spaced(row.totalShare));
        this.link(row, line);
        make('span', {class: 'quiet'}, line, `self ${spaced(row.selfShare)}${row.change ? `, ${row.change}` : ''}`);
        if (!opener)
            return made;
        const callees = make('div', {class: 'callees', hidden: ''}, made);

        this.branches.set(row.node, callees);
        line.addEventListener('click', ({target}) => {
            if (target.closest('a'))
                return;
            callees.hidden = !callees.hidden;
            opener.setAttribute('aria-expanded', String(!callees.hidden));
            if (!callees.hidden && !callees.firstChild)
                this.picture.send({flamepress: 'callees', node: row.node});
        });
        return made;
    }
}

function pictureOf(element) {
    const named = element.closest('[data-graph]');

    return pictures.get(element.closest('.graph') ||
        (named && document.getElementById(named.dataset.graph)));
}

window.addEventListener('message', event => {
    if (!event.data || typeof event.data.flamepress !== 'string')
        return;
    for (const picture of pictures.values())
        if (picture.frame && picture.frame.contentWindow === event.source)
            picture.hear(event.data);
});

function watchPictures() {
    const sizes = new ResizeObserver(entries => entries.forEach(entry =>
        pictureOf(entry.target).scaleMap()));
    // Graphs are loaded when scrolling pauses, so scrolling past them stays smooth.
    const close = new Set();
    let rest;
    const wait = () => {
        clearTimeout(rest);
        rest = setTimeout(() => close.forEach(picture => picture.mount()), 120);
    };
    const near = new IntersectionObserver(entries => entries.forEach(({target, isIntersecting}) => {
        close[isIntersecting ? 'add' : 'delete'](pictureOf(target));
        wait();
    }), {rootMargin: '25% 0px'});
    const far = new IntersectionObserver(entries => entries.forEach(({target, isIntersecting}) => {
        if (!isIntersecting)
            pictureOf(target).unmount();
    }), {rootMargin: '300% 0px'});

    for (const section of document.querySelectorAll('.graph')) {
        const figure = section.querySelector('.picture');

        if (!figure || !figure.querySelector('img'))
            continue;
        pictures.set(section, new Picture(figure));
        near.observe(figure);
        far.observe(figure);
        sizes.observe(figure.querySelector('img'));
    }
    const tellAll = () => close.forEach(picture => picture.tellSeen());

    window.addEventListener('scroll', wait, {passive: true});
    window.addEventListener('scroll', tellAll, {passive: true});
    window.addEventListener('resize', tellAll);
}

// Adds the picture of its graph to a row of the summary, unless the page has it there already: a
// single file has each picture once, and a summary of pages is complete sooner without pictures.
function addThumbnail(row) {
    const [head] = row.cells, link = head.querySelector('a');
    const picture = pictures.get(document.getElementById(decodeURIComponent(link.hash.slice(1))));
    const single = picture && picture.figure.dataset.svg, src = head.dataset.picture || (single && picture.image.src);
    const source = single && picture.figure.querySelector('source'), dark = head.dataset.dark || (source && source.srcset);

    if (!src || head.querySelector('img'))
        return;
    const thumbnail = make('picture', {});

    if (dark) {
        thumbnail.append(make('source', {media: 'screen and (prefers-color-scheme: dark)', srcset: dark}));
        themeSource(thumbnail.firstChild);
    }
    thumbnail.append(make('img', {class: 'thumbnail', loading: 'lazy', alt: '', src}));
    head.prepend(thumbnail);
}

// ---- searches ----------------------------------------------------------------------------------

const tools = {form: null, choice: null, input: null, problem: null};

// Says beside the field what is wrong with the search, or how graphs read it, as they say.
function sayAll() {
    const said = search.pattern ? [...pictures.values()].map(picture => picture.said) : [];
    const {message, wrong} = said.find(one => one && one.wrong) ||
        said.find(one => one && one.message) || {message: '', wrong: false};

    tools.input.setCustomValidity(wrong ? message : '');
    tools.problem.textContent = message;
    tools.problem.classList.toggle('wrong', wrong);
}

// Returns the report's searches, from the list below the summary or, in the page of a graph, from
// the links of its table.
function readSearches() {
    const list = document.querySelector('.patterns') && '.patterns dt';

    return [...document.querySelectorAll(list || '.matches a.match')].map(term => {
        const parts = term.hash ? fragment(term) : new URLSearchParams(term.dataset.search);

        return {
            name: term.textContent, pattern: parts.get('search'),
            ignoreCase: parts.get('case') === 'ignore',
        };
    });
}

let searches = [];

function light(pattern, ignoreCase) {
    const chosen = searches.findIndex(one => one.pattern === pattern &&
        one.ignoreCase === ignoreCase);

    Object.assign(search, {pattern, ignoreCase, used: true});
    for (const picture of pictures.values())
        picture.said = null;
    sayAll();
    tools.choice.value = String(chosen);
    tools.input.value = pattern;
    for (const row of document.querySelectorAll('.matches tbody tr'))
        row.classList.toggle('lit', row.dataset.search === String(chosen));
    for (const picture of pictures.values())
        picture.send({flamepress: 'search', pattern, ignoreCase});
}

function lightSearch(index) {
    const {pattern, ignoreCase} = searches[index] || {pattern: '', ignoreCase: false};

    light(pattern, ignoreCase);
}

function makeTools() {
    const first = document.querySelector('.graph');

    if (!pictures.size)
        return;
    tools.form = make('form', {class: 'tools', role: 'search', 'aria-label': 'All graphs'});
    make('label', {for: '_light'}, tools.form, 'Highlight');
    tools.choice = make('select', {'aria-label': 'A search of the report'}, tools.form);
    make('option', {value: '-1'}, tools.choice, 'no search');
    searches.forEach(({name}, i) => make('option', {value: i}, tools.choice, name));
    tools.input = make('input', {
        id: '_light', type: 'search', spellcheck: 'false', autocomplete: 'off',
        placeholder: searches.length ? 'or a function or regular expression' : 'a function or regular expression',
        'aria-label': 'Highlight functions in all graphs by regular expression',
    }, tools.form);
    tools.problem = make('output', {for: '_light'}, tools.form);
    tools.choice.hidden = !searches.length;
    tools.choice.addEventListener('change', () => lightSearch(Number(tools.choice.value)));
    tools.input.addEventListener('input', () => light(tools.input.value, search.ignoreCase));
    tools.form.addEventListener('submit', event => event.preventDefault());
    first.before(tools.form);
    for (const matches of document.querySelectorAll('.matches tbody'))
        [...matches.rows].forEach((row, i) => row.dataset.search = String(i));
}

// ---- tables ------------------------------------------------------------------------------------

// A table that may have thousands of rows: laying them all out takes seconds, so those that the
// reader has not come near yet are not in the page. Until this script has taken them out, page.css
// hides those after the first STEP.
const STEP = 100;
const longTables = new Map(); // by the element

class LongTable {
    constructor(table) {
        this.body = table.tBodies[0];
        this.rows = this.kept = [...this.body.rows];
        this.texts = new Map(); // of the rows, in lower case
        this.more = make('p', {class: 'more', hidden: ''});
        this.rest = make('button', {type: 'button'}, this.more);
        this.rest.addEventListener('click', () => this.draw(this.kept.length));
        table.parentNode.after(this.more);
        new IntersectionObserver(([{isIntersecting}]) => {
            if (isIntersecting)
                this.draw(this.shown + STEP);
        }, {rootMargin: '50% 0px'}).observe(this.more);
        longTables.set(table, this);
        if (this.rows.length > STEP)
            this.draw(STEP);
        else
            this.rows.forEach(addThumbnail);
        (window.requestIdleCallback || setTimeout)(() => this.readTexts());
    }

    readTexts() {
        if (!this.texts.size)
            this.rows.forEach(row => this.texts.set(row, row.textContent.toLowerCase()));
    }

    draw(most) {
        this.shown = Math.min(most, this.kept.length);
        this.body.parentNode.classList.add('drawn');
        this.body.replaceChildren(...this.kept.slice(0, this.shown));
        [...this.body.rows].forEach(addThumbnail);
        this.more.hidden = this.shown === this.kept.length;
        this.rest.textContent = `Show all ${this.kept.length.toLocaleString('en')} graphs`;
    }

    keep(wanted) {
        this.readTexts();
        this.kept = this.rows.filter(row => this.texts.get(row).includes(wanted));
        this.draw(STEP);
    }

    order(rows) {
        const kept = new Set(this.kept);

        this.rows = rows;
        this.kept = rows.filter(row => kept.has(row));
        this.draw(STEP);
    }
}

// Returns the sort key of a cell: its number or text. An empty cell is less than any number.
function keyOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.value || cell.textContent.trim();
    const value = parseFloat(text.replace(/,/g, ''));

    if (text === '')
        return -Infinity;
    return Number.isNaN(value) ? text.toLowerCase() : value;
}

function compare(a, b) {
    if (typeof a !== typeof b)
        return typeof a === 'number' ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
}

// Numbers descend first, texts and ranks ascend.
function sortBy(table, column) {
    const heads = [...table.tHead.rows[0].cells], long = longTables.get(table);
    const was = heads[column].getAttribute('aria-sort');
    const number = heads[column].classList.contains('number');
    const descending = was ? was === 'ascending' : number;
    const rows = (long ? long.rows : [...table.tBodies[0].rows])
        .map(row => [keyOf(row, column), row]);

    rows.sort(([a], [b]) => descending ? compare(b, a) : compare(a, b));
    for (const head of heads)
        head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    if (long)
        long.order(rows.map(([, row]) => row));
    else
        table.tBodies[0].append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = make('button', {type: 'button', class: 'sort'});

        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener('click', () => sortBy(table, column));
    });
}

// Adds a field that gives its text, in lower case, to `filter`.
function makeFilter(label, before, filter) {
    const field = make('input', {
        type: 'search', class: 'filter', placeholder: label, 'aria-label': label,
        autocomplete: 'off', spellcheck: 'false',
    });

    field.addEventListener('input', () => filter(field.value.toLowerCase()));
    before.before(field);
}

function upgrade(section) {
    const halves = section.querySelector('.halves'), picture = pictures.get(section);

    if (picture)
        picture.explorer.build();
    section.querySelectorAll('table:not(.explorer table)').forEach(makeSortable);
    if (halves)
        makeFilter('Filter functions', halves, wanted => {
            for (const row of halves.querySelectorAll('tbody tr'))
                row.hidden = !row.textContent.toLowerCase().includes(wanted);
        });
}

function watchTables() {
    const summary = document.querySelector('.summary table');
    const seen = new IntersectionObserver(entries => entries.forEach(({target, isIntersecting}) => {
        if (!isIntersecting)
            return;
        seen.unobserve(target);
        upgrade(target);
    }), {rootMargin: '100% 0px'});

    if (summary) {
        const rows = new LongTable(summary);

        makeSortable(summary);
        if (rows.rows.length > 5)
            makeFilter('Filter graphs', summary.parentNode, wanted => rows.keep(wanted));
    }
    for (const section of document.querySelectorAll('.graph'))
        seen.observe(section);
}

// ---- clicks ------------------------------------------------------------------------------------

function onClick(event) {
    const link = event.target.closest('a, area');

    if (link)
        keepTheme(link);
    if (!link || !isPlain(event))
        return;
    const parts = fragment(link), picture = pictureOf(link);
    const name = link.dataset.function ? decodeURIComponent(link.dataset.function)
        : parts.get('function');

    if (link.classList.contains('function') && picture) {
        picture.zoom(name);
        event.preventDefault();
    } else if (link.classList.contains('match')) {
        lightSearch(link.closest('tr').dataset.search);
        event.preventDefault();
    } else if (link.closest('.summary .share')) {
        const index = link.closest('td').cellIndex - link.closest('table').dataset.before;

        if (pictures.size)
            lightSearch(index);
        else
            link.hash = document.querySelectorAll('.patterns dt')[index].dataset.search;
    }
}

// Highlights the search that a link of the summary asks for.
function lightNamed() {
    const parts = fragment(location);

    if (tools.form && parts.has('search'))
        light(parts.get('search'), parts.get('case') === 'ignore');
}

// Opens the small graph that the address names.
function openNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));

    if (named && named.matches('details.graph'))
        named.open = true;
}

function start() {
    searches = readSearches();
    openNamed();
    watchPictures();
    makeThemes();
    makeTools();
    watchTables();
    lightNamed();
    window.addEventListener('hashchange', openNamed);
    window.addEventListener('hashchange', lightNamed);
    document.addEventListener('click', onClick);
}

setTheme(new URLSearchParams(location.search).get('theme')); // before the page is drawn
if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', start);
else
    start();

})();
