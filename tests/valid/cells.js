// Prints the text of every table cell of an HTML file, one cell per line. Usage:
//
//     node tests/valid/cells.js FILE
//
// The tables of a report must have the same text, whichever program made HTML from its Markdown. The
// word of links to crops is left out: VitePress has the links elsewhere.
'use strict';

const fs = require('fs');
const {unescape} = require('./html.js');

const html = fs.readFileSync(process.argv[2], 'utf8');

for (const [, , cell] of html.matchAll(/<t([hd])\b[^>]*>([^]*?)<\/t\1>/g))
    console.log(unescape(cell.replace(/<[^>]*>/g, '')).trim().replace(/ crop$/, ''));
