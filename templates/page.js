// The script of a report's page, which is complete without it. The script sorts and filters tables,
// loads interactive graphs when the reader scrolls to them, highlights a search in all graphs, and
// zooms a graph to a function that is clicked in a table.
//
// It is the same in every report and reads links and data attributes from the page. A graph is a
// document in a frame; flame_page.js describes the messages.

'use strict';
(() => {

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
            height: this.image.getAttribute('height'),
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

    sendWish() {
        if (this.wish)
            this.send(this.wish);
    }

    hear(message) {
        if (message.flamepress === 'ready') {
            this.ready = true;
            this.figure.classList.add('live');
            if (search.pattern || search.used)
                this.send({flamepress: 'search', ...search});
            this.sendWish();
        }
        if (message.flamepress === 'problem') {
            this.said = {message: String(message.message), wrong: message.wrong === true};
            sayAll();
        }
        if (message.flamepress === 'zoomed' && this.wish && this.wish.name === message.name)
            this.wish = null;
        if (message.flamepress === 'reveal' && Number.isFinite(message.by))
            window.scrollBy(0, message.by);
        if (Number.isFinite(message.height))
            this.frame.height = message.height;
        this.tellSeen();
        if (typeof message.address === 'string')
            this.address = message.address;
    }

    // Tells the graph which part of its frame is in the window and not below the tools.
    tellSeen() {
        if (!this.ready)
            return;
        const {top} = this.frame.getBoundingClientRect();
        const cover = tools.form ? tools.form.getBoundingClientRect() : {top: 0, bottom: 0};

        this.send({
            flamepress: 'seen', bottom: window.innerHeight - top,
            top: (cover.top <= 0 ? Math.max(cover.bottom, 0) : 0) - top,
        });
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

// Returns the report's searches, from the list below the summary.
function readSearches() {
    return [...document.querySelectorAll('.patterns dt[data-search]')].map(term => {
        const parts = new URLSearchParams(term.dataset.search);

        return {
            name: term.textContent, pattern: parts.get('search'),
            ignoreCase: parts.get('case') === 'ignore',
        };
    });
}

const searches = readSearches();

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
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    const was = heads[column].getAttribute('aria-sort');
    const number = heads[column].classList.contains('number');
    const descending = was ? was === 'ascending' : number;
    const rows = [...body.rows].map(row => [keyOf(row, column), row]);

    rows.sort(([a], [b]) => descending ? compare(b, a) : compare(a, b));
    for (const head of heads)
        head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    body.append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = make('button', {type: 'button', class: 'sort'});

        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener('click', () => sortBy(table, column));
    });
}

// Adds a field that hides those of `parts` that do not contain its text.
function makeFilter(label, before, parts) {
    const field = make('input', {
        type: 'search', class: 'filter', placeholder: label, 'aria-label': label,
        autocomplete: 'off', spellcheck: 'false',
    });

    field.addEventListener('input', () => {
        const wanted = field.value.toLowerCase();

        for (const part of parts())
            part.hidden = !part.textContent.toLowerCase().includes(wanted);
    });
    before.before(field);
}

function upgrade(section) {
    const halves = section.querySelector('.halves');

    section.querySelectorAll('table').forEach(makeSortable);
    if (halves)
        makeFilter('Filter functions', halves, () => halves.querySelectorAll('tbody tr'));
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
        makeSortable(summary);
        if (summary.tBodies[0].rows.length > 5)
            makeFilter('Filter graphs', summary.parentNode, () =>
                summary.tBodies[0].rows);
    }
    for (const section of document.querySelectorAll('.graph'))
        seen.observe(section);
}

// ---- clicks ------------------------------------------------------------------------------------

function onClick(event) {
    const link = event.target.closest('a, area');

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
        lightSearch(link.closest('td').cellIndex - link.closest('table').dataset.before);
    }
}

// Opens the small graph that the address names.
function openNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));

    if (named && named.matches('details.graph'))
        named.open = true;
}

window.addEventListener('hashchange', openNamed);
openNamed();
watchPictures();
makeTools();
watchTables();
document.addEventListener('click', onClick);

})();
