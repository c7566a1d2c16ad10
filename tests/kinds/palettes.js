// The colour ranges of each palette, as published with flamegraph.pl: for red, green and blue the
// minimum and the width of the range.
'use strict';

const HUES = {
    hot: [[205, 50], [0, 230], [0, 55]],
    mem: [[0, 0], [190, 50], [0, 210]],
    io: [[80, 60], [80, 60], [190, 55]],
    red: [[200, 55], [50, 80], [50, 80]],
    green: [[50, 60], [200, 55], [50, 60]],
    blue: [[80, 60], [80, 60], [205, 50]],
    aqua: [[50, 60], [165, 55], [165, 55]],
    yellow: [[175, 55], [175, 55], [50, 20]],
    purple: [[190, 65], [80, 60], [190, 65]],
    orange: [[190, 65], [90, 65], [0, 0]],
    pink: [[245, 10], [138, 40], [148, 40]], // of intel/iaprof's flamegraph.pl
    grey: [[195, 15], [199, 15], [204, 15]], // not in flamegraph.pl: threads of neither side
};

// Roots of palettes with classes, and the lines between stacks.
const NEUTRAL = ['#d0d4d9', '#c8c8c8', '#a0a0a0'];

function inRange(value, [base, span]) {
    return value >= base && value <= base + span;
}

// Returns true if the colour is in the range of one of the hues.
function holds(hues, color) {
    return hues.some(hue => HUES[hue].every((range, i) => inRange(color[i], range)));
}

function isNeutral(box) {
    return NEUTRAL.includes(box.fill);
}

module.exports = {holds, isNeutral};
