// Runs a search and shows what it finds; the panel of the search.

import {LEFT_OUT, data, element, graph} from './flame_graph.js';
import {matchNames, regexOf, stopMatching} from './flame_match.js';
import {rootSymbol} from './flame_change.js';
import {framed, requests, tellPage} from './flame_page.js';
import {isolated, percent, visible} from './flame_text.js';
import {NO_SEARCH, eachVisible, keyboard, search, view, viewWeight} from './flame_view.js';
import {tellStack} from './flame_stack.js';
import {matchedWeight} from './flame_tree.js';
import {readSearches} from './flame_data.js';
import {noteAddress} from './flame_address.js';
import {buttonsFromRight, controls, isOpen, panels} from './flame_controls.js';
import {showButtons, showDetails} from './flame_details.js';
import {markSoon, setSize} from './flame_draw.js';
import {showMatched} from './flame_found.js';
import {html, htmlButton, showPanel} from './flame_panel.js';
import {focusPlace, zoomTo} from './flame_zoom.js';

function showSearch(shown) {
    search.shown = shown;
    markSoon();
    showMatched();
    noteAddress(false);
}

// Says below the field what is wrong with the pattern, or how it is read; '' for nothing.
function say(message, wrong) {
    search.note.textContent = message;
    search.note.classList.toggle('wrong', wrong);
    search.input.setCustomValidity(wrong ? message : '');
    search.input.setAttribute('aria-invalid', String(wrong));
    if (wrong && !framed)
        panels.search.classList.remove('hidden');
    fitSearchPanel();
    tellPage('problem', {message, wrong});
}

// Returns the compiled pattern; null after saying what is wrong with it.
function compile(pattern, ignoreCase, literal) {
    try {
        const {regex, asText} = regexOf(pattern, ignoreCase, literal);

        say(asText && !literal ? 'Searched as text.' : '', false);
        return regex;
    } catch (error) {
        say(error.message, true);
        return null;
    }
}

function runSearch(pattern) {
    const {ignoreCase, literal} = search, {names, tree} = data;
    const regex = compile(pattern, ignoreCase, literal);

    tellStack('search', {pattern: regex ? pattern : '', ignoreCase, literal});
    stopMatching();
    search.input.removeAttribute('aria-busy');
    if (!regex || pattern === '') {
        showSearch(NO_SEARCH);
        return;
    }
    search.input.setAttribute('aria-busy', 'true');
    matchNames(names, regex, hits => {
        search.input.removeAttribute('aria-busy');
        if (!hits) {
            say('The search takes too long and was stopped.', true);
            return;
        }
        hits[LEFT_OUT] = 0;
        hits.fill(0, rootSymbol(names));
        showSearch({pattern, ignoreCase, literal, regex, hits,
            weight: matchedWeight(tree, hits, 0)});
    });
}

export function setSearch(pattern, ignoreCase, literal = false) {
    Object.assign(search, {ignoreCase, literal});
    search.case.setAttribute('aria-pressed', String(!ignoreCase));
    search.expression.setAttribute('aria-pressed', String(!literal));
    search.input.value = pattern;
    runSearch(pattern);
}

export function setIgnoreCase(ignore) {
    setSearch(search.input.value, ignore, search.literal);
}

// Zooms to the outermost frame in which the first match is wide enough to see.
function zoomToMatch() {
    const {tree, zoom} = view, end = tree.endOf(zoom), {hits} = search.shown;
    let node = zoom;

    while (node < end && !hits[tree.symbol[node]])
        node++;
    if (node === end || !tree.wideOf(node))
        return;
    const least = Number(tree.wideOf(node)) * view.span / graph.pointable;

    zoomTo({node: tree.path(node).find(frame => frame > zoom &&
        Number(tree.wideOf(frame)) <= least)});
    focusPlace({node});
}

// Moves the focus to the next or previous match. If all are too thin to see, zooms to the first
// one.
export function stepMatch(step) {
    const {tree, zoom} = view, {hits} = search.shown, seen = [];

    if (!hits)
        return;
    keyboard.shown = true;
    eachVisible(tree, zoom, viewWeight(), node => {
        if (hits[tree.symbol[node]])
            seen.push(node);
    });
    if (!seen.length) {
        zoomToMatch();
        return;
    }
    const after = step > 0 ? seen.findIndex(i => i > keyboard.place.node)
        : seen.findLastIndex(i => i < keyboard.place.node);
    const next = after < 0 && step < 0 ? seen.length - 1 : Math.max(after, 0);

    focusPlace({node: seen[next]}, ` · ${next + 1} of ${seen.length}`);
}

export function makeSearchPanel() {
    panels.search = element('foreignObject', {class: 'panel hidden', y: 2}, controls.top);
    const box = html('div', {class: 'search'}, panels.search);
    const row = html('div', {class: 'line'}, box);

    search.input = html('input', {
        type: 'text', placeholder: 'regular expression or name', 'aria-label': 'Search functions',
        spellcheck: 'false', autocomplete: 'off',
    }, row);
    search.expression = htmlButton('.*', {
        'aria-pressed': 'true', title: 'Regular expression, not text',
    }, row, () => setSearch(search.input.value, search.ignoreCase, !search.literal));
    search.case = htmlButton('Aa', {'aria-pressed': 'true', title: 'Match case (Ctrl-I)'}, row,
        () => setIgnoreCase(!search.ignoreCase));
    htmlButton('‹', {title: 'Previous match (Shift-Enter)', 'aria-label': 'Previous match'}, row,
        () => stepMatch(-1));
    htmlButton('›', {title: 'Next match (F3)', 'aria-label': 'Next match'}, row,
        () => stepMatch(1));
    htmlButton('×', {title: 'Clear and close (Escape)', 'aria-label': 'Close'}, row, endSearch);
    search.note = html('output', {class: 'note'}, box);
    search.input.addEventListener('input', () => runSearch(search.input.value));
    search.presets = html('div', {class: 'presets'}, box);
    readSearches().forEach(preset => makePreset(preset, search.presets));
    fitSearchPanel();
}

// Gives the panel room for what it holds. Of many presets, a part is seen and the others scroll.
function fitSearchPanel() {
    const note = search.note.textContent ? 18 * Math.ceil(search.note.textContent.length / 48) : 0;
    const presets = Math.min(24 * search.presets.childElementCount, PRESETS_HEIGHT);

    panels.search.setAttribute('height', 36 + note + presets);
    if (isOpen(panels.search))
        setSize();
}

const PRESETS_HEIGHT = 290; // CSS pixels: a twelfth of a preset shows that there are more

// Adds a button for a search of the report. A click focuses the field, as if the pattern was typed.
function makePreset({name, pattern, ignoreCase, weight}, box) {
    const button = htmlButton(`${isolated(visible(name))} `, {class: 'preset', title: pattern}, box,
        () => {
            setSearch(pattern, ignoreCase);
            search.input.focus();
        });

    html('span', {}, button).textContent = weight === null ? 'given up'
        : percent(weight, graph.whole);
}

export function openSearch() {
    showPanel(panels.search, true);
    for (const one of buttonsFromRight())
        one.classList.add('hidden');
    search.input.focus();
    search.input.select();
}

export function closeSearch() {
    showPanel(panels.search, false);
    showButtons();
}

export function endSearch() {
    clearSearch();
    closeSearch();
}

export function clearSearch() {
    search.input.value = '';
    runSearch('');
    showDetails('');
}

requests.search = ({pattern, ignoreCase}) => setSearch(String(pattern || ''), ignoreCase === true);
