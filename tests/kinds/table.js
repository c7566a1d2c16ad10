// What each kind, palette and option of a picture's shape must draw from real recordings. A row may
// have these members:
//
//     args       the command, without the files to write; corpus: begins a file of the collection
//     files      number of profiles, for diff
//     title, facts, legend, ground, holds
//                texts of the SVG: the title, the line of facts without the statement about
//                colours, which every picture without a legend must end with, the legend's
//                entries, the name of the background, and any other text that it must contain
//     frames     for a name, the share of the width in per cent: the sum of its boxes, without
//                boxes above a box of the same name; 0 for a name that must be absent
//     functions  for a name that processes or threads have as well, the share that the report
//                lists: that of the function
//     above      pairs of names: a box of the second is directly above a box of the first
//     across     names whose first boxes are in this order, from left to right
//     rows       number of rows
//     fills      the hues (palettes.js) that all boxes have
//     hues       for a name, the hue of its box
//     unit, total    the weight in the report, in the unit of the profile
//     report     false if a report draws something else
//     dark, ratio, hatched, stacked, downwards    how to read the picture
//
// The shares were counted by other means in the output of `flamepress fold` for the same file, and
// the totals in the recordings.
'use strict';

// Options that do not change the picture, or only change names. golden/report-* tests the options
// of reports, golden/fold-* the options of names.
const elsewhere = [
    'output', 'config', 'force', 'follow', 'no-fsync', 'fresh', 'watch', 'exclude', 'format', 'rows', 'svg-script', 'svg-font', 'svg-max-size', 'source-url',
    'embed', 'alt', 'link', 'source', 'font', 'font-dir', 'scale', 'single-file', 'site', 'pages', 'dark-images', 'templates', 'date',
    'names', 'literal', 'demangle', 'strip-address', 'pid', 'tid', 'tag', 'split-tag', 'kernel', 'jit', 'all', 'addrs', 'srcline',
    'symfs', 'debuginfod', 'program', 'kallsyms', 'inline', 'each-run', 'list-below', 'keep', 'to', 'label', 'commit', 'note',
    'max-size', 'max-memory', 'max-work', 'max-line', 'max-name', 'max-frames', 'max-stacks', 'threads', 'quiet',
    'verbose', 'help', 'csp', 'version', 'no-sandbox',
    'digest', 'preset', 'max-height', 'label-percent', 'mark', 'origin', 'with', 'part', 'parts', 'stitch', 'slurm', 'wait', 'dry-run',
    'baseline', 'max-graphs',
    'crops', 'json', 'junit', 'sarif', 'github', 'strict', 'confirm', 'measure', 'min-change', 'min-share',
    'fdr', 'fail-on', 'all-changes', 'min-samples', 'min-runs', 'budget', 'accept', 'codeowners',
];

// Choices that are the default.
const usual = [
    'fail-on=nothing', 'merge=off', 'group=function', 'idle=keep', 'label=smart', 'theme=light', 'sort=name',
    'width-by=new', 'delta=self',
];

module.exports = {
    kinds: require('./kinds.js'),
    palettes: require('./colors.js'),
    shapes: require('./shapes.js'),
    elsewhere,
    usual,
};
