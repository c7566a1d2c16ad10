// Functions that the reader has coloured: all frames of one have a colour of their own, in every
// view and in the address (color=NAME). The next function gets the next colour.

const TINTS = ['#3f9be0', '#6fbf4b', '#b07ae0', '#e070a8', '#3fbfb0', '#c9b21f'];

// Returns the colour of a function, or undefined. A function that is coloured no more leaves its
// place empty, so that the others keep their colours.
function tintOf(name) {
    const place = view.tinted.indexOf(name);

    return place < 0 ? undefined : TINTS[place % TINTS.length];
}

// Colours a function, or takes its colour away.
function toggleTint(name) {
    const place = view.tinted.indexOf(name), free = view.tinted.indexOf(null);

    if (place >= 0)
        view.tinted[place] = null;
    else if (free >= 0)
        view.tinted[free] = name;
    else
        view.tinted.push(name);
    redraw();
    placeRing();
    noteAddress(true);
}

function writeTints(parts) {
    for (const name of view.tinted)
        if (name !== null)
            parts.append('color', name);
}

function readTints(parts) {
    view.tinted = parts.getAll('color').slice(0, 100);
}
