// Prints the pictures of a page whose alternative text differs from the report's.
// Usage: node alts.js PAGE REPORT.json
'use strict';

const fs = require('fs');
const {unescape} = require('./html.js');

const page = fs.readFileSync(process.argv[2], 'utf8');
const {graphs} = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const found = [...page.matchAll(/<img [^>]*?\balt="([^"]*)"/g)].map(([, alt]) => unescape(alt));
const wrong = graphs.map(({alt}, i) => [alt, found[i]]).filter(([wanted, is]) => wanted !== is);

for (const [wanted, is] of wrong)
    console.log(`wanted ${wanted}\nfound  ${is}`);
process.exitCode = wrong.length || !found.length ? 1 : 0;
