// Prints the text of every cell of the tables in an HTML file, a line each. Usage:
//
//     node tests/valid/cells.js FILE
//
// Whoever made HTML of a report's Markdown, its tables have to say the same.
'use strict';

const fs = require('fs');
const {unescape} = require('./html.js');

const html = fs.readFileSync(process.argv[2], 'utf8');

for (const [, , cell] of html.matchAll(/<t([hd])\b[^>]*>([^]*?)<\/t\1>/g))
    console.log(unescape(cell.replace(/<[^>]*>/g, '')).trim());
