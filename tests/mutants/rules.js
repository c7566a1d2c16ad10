// What a mutant changes. Each rule has a name, a regular expression that finds places in a line,
// and the text that replaces a match ($1 as in String.replace). `in` says which files have such
// places; without it all have. Rules are of the kind that tests miss: limits that are off by one,
// halves of conditions, steps that are left out.
'use strict';

const C = /\.c$/;
const JS = /\.js$/;

module.exports = [
    {name: 'a limit includes its bound', find: / < (?!=)/g, put: ' <= '},
    {name: 'a limit excludes its bound', find: / <= /g, put: ' < '},
    {name: 'a floor includes its bound', find: / > (?!=)/g, put: ' >= '},
    {name: 'a floor excludes its bound', find: / >= /g, put: ' > '},
    {name: 'equal is unequal', find: / == /g, put: ' != ', in: C},
    {name: 'unequal is equal', find: / != /g, put: ' == ', in: C},
    {name: 'equal is unequal', find: / === /g, put: ' !== ', in: JS},
    {name: 'unequal is equal', find: / !== /g, put: ' === ', in: JS},
    {name: 'one condition is enough', find: / && /g, put: ' || '},
    {name: 'both conditions are needed', find: / \|\| /g, put: ' && '},
    {name: 'a condition is turned round', find: /\b(if|while) \((?=\w)/g, put: '$1 (!'},
    {name: 'a negation is lost', find: /!(?=[a-z(])/g, put: ''},
    {name: 'a sum is a difference', find: / \+ /g, put: ' - '},
    {name: 'a difference is a sum', find: / - /g, put: ' + '},
    {name: 'one more', find: / \+ 1\b/g, put: ' + 2'},
    {name: 'one less', find: / - 1\b/g, put: ''},
    {name: 'a product is a quotient', find: / \* (?=[a-z(\d])/g, put: ' / '},
    {name: 'a failure is a success', find: /\breturn false;/g, put: 'return true;'},
    {name: 'a success is a failure', find: /\breturn true;/g, put: 'return false;'},
    {name: 'the rest of a loop is not skipped', find: /\bcontinue;/g, put: ';'},
    {name: 'a value is not added', find: / \+= /g, put: ' = '},
    {name: 'a call is left out', find: /^( +)[a-z]\w*\([^;{}]*\);$/g, put: '$1;'},
    {name: 'an assignment is left out', find: /^( +)[a-z][\w.>[\]-]* = [^;{}]*;$/g, put: '$1;'},
];
