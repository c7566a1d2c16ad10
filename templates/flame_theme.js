// Light and dark: what the reader's system prefers, unless the reader or the address chooses.
//
// The style sheet has the dark colours in a media query, which the script turns on or off.

import {root, svg} from './flame_graph.js';
import {requests} from './flame_page.js';
import {view} from './flame_view.js';
import {noteAddress} from './flame_address.js';

export const theme = {shown: 'light', queries: []};
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

// Returns the media rules for dark colours. A sheet of another origin cannot be read.
function darkQueries() {
    const rules = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(sheet => {
        try {
            return [...sheet.cssRules];
        } catch (error) {
            return [];
        }
    });

    return rules.filter(rule => rule.media && /prefers-color-scheme: dark/.test(rule.media.mediaText) &&
        /\.flamepress/.test(rule.cssText));
}

// Chooses 'light', 'dark' or, with '', what the system prefers.
export function setTheme(chosen) {
    if (!theme.queries.length)
        theme.queries = darkQueries().map(rule => ({rule, text: rule.media.mediaText}));
    view.theme = ['light', 'dark'].includes(chosen) && theme.queries.length ? chosen : '';
    for (const {rule, text} of theme.queries) {
        const query = {light: 'not all', dark: 'screen'}[view.theme] || text;

        if (query !== rule.media.mediaText) // writing the same makes the browser style everything again
            rule.media.mediaText = query;
    }
    showTheme();
    noteAddress(false);
}

// The window around graphs that are a document of their own has the colour of its ground, whose
// bottom is the last stop of a gradient.
function showTheme() {
    theme.shown = view.theme || (prefersDark.matches ? 'dark' : 'light');
    if (!root)
        return;
    const stop = [...svg.querySelectorAll('stop')].pop(), ground = stop || svg.querySelector('.ground');

    // A computed style would have the browser style all frames at once.
    root.style.background = theme.shown === 'dark' && ground.getAttribute('color') ||
        ground.getAttribute(stop ? 'stop-color' : 'fill');
}

export function listenToTheme() {
    prefersDark.addEventListener('change', showTheme);
    window.addEventListener('afterprint', showTheme);
    window.addEventListener('beforeprint', () => root.style.background = '');
    showTheme();
}

requests.theme = ({theme: chosen}) => setTheme(String(chosen));
