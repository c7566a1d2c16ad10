// Functions that the reader has coloured: all frames of one have a colour of their own, in every
// view and in the address (color=NAME). The next function gets the next colour.

import {view} from './flame_view.js';

const TINTS = ['#3f9be0', '#6fbf4b', '#b07ae0', '#e070a8', '#3fbfb0', '#c9b21f'];

// Returns the colour of a function, or undefined. A function that is coloured no more leaves its
// place empty, so that the others keep their colours.
export function tintOf(name) {
    const place = view.tinted.indexOf(name);

    return place < 0 ? undefined : TINTS[place % TINTS.length];
}

export function writeTints(parts) {
    for (const name of view.tinted)
        if (name !== null)
            parts.append('color', name);
}

export function readTints(parts) {
    view.tinted = parts.getAll('color').slice(0, 100);
}
