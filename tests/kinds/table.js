// What is drawn of every kind, palette and option of a picture's shape, from real recordings. A row
// may say:
//
//     args       the command, without the files to write; corpus: begins a file of the collection
//     files      how many profiles a diff has
//     title, facts, legend, ground, holds
//                texts of the SVG: the title, the line of facts, the legend's entries, the name of
//                the background, and whatever else must be in it
//     frames     shares of the width in per cent, all boxes of that name together but for those
//                above others of it; 0 for a name that must not be there
//     above      pairs: the second has a box right above one of the first
//     across     names whose first boxes stand in this order, from left to right
//     rows       how many there are
//     fills      the hues that all boxes are of (palettes.js); hues: that of a name
//     unit, total    in the report, the weight in the unit that the profile has
//     report     false where a report draws something else
//     dark, ratio, hatched, stacked, downwards    what reading the picture needs
//
// The shares were counted with other means in what `flamepress fold` prints of the same file, the
// totals in the recordings themselves.
'use strict';

// Options that change nothing of what is drawn, or only how names are read; those of a report are
// in golden/report-*, those of names in golden/fold-*.
const elsewhere = [
    'output', 'config', 'force', 'follow', 'no-fsync', 'exclude', 'format', 'rows', 'svg-script', 'svg-font', 'svg-max-size',
    'font', 'font-dir', 'scale', 'single-file', 'site', 'dark-images', 'templates', 'date',
    'names', 'demangle', 'strip-address', 'pid', 'tid', 'kernel', 'jit', 'all', 'addrs',
    'max-size', 'max-line', 'max-name', 'max-frames', 'max-stacks', 'threads', 'quiet',
    'verbose', 'help', 'csp', 'version',
];

// Choices that are made where nothing is said.
const usual = [
    'merge=off', 'group=function', 'idle=keep', 'label=smart', 'theme=light', 'sort=name',
    'width-by=new', 'delta=self',
];

module.exports = {
    kinds: require('./kinds.js'),
    palettes: require('./colors.js'),
    shapes: require('./shapes.js'),
    elsewhere,
    usual,
};
