// Prints the lines of a page's list of contents (the list with the id "contents") that differ from
// its headings. Usage: node contents.js PAGE
'use strict';

const fs = require('fs');
const {unescape} = require('./html.js');

const html = fs.readFileSync(process.argv[2], 'utf8');
const [contents, text] = html.split(/<ul id="contents">/)[1].split('</ul>');
const shown = (part, pattern) => [...part.matchAll(pattern)].map(([, , inner]) =>
    unescape(inner.replace(/<[^>]*>/g, '')).trim());
const listed = shown(contents, /<(li)>([^]*?)<\/li>/g);
const headings = shown(html.slice(html.indexOf(text)), /<(h[1-6])\b[^>]*>([^]*?)<\/\1>/g);
const wrong = headings.filter((heading, i) => listed[i] !== heading);

for (const heading of wrong)
    console.log(`not listed: ${heading}; there is ${listed[headings.indexOf(heading)]}`);
process.exitCode = wrong.length || !headings.length || listed.length !== headings.length ? 1 : 0;
