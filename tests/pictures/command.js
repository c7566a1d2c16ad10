// Returns the command that draws a row of table.js, as samples/README.md shows it.
'use strict';

// Quotes a word for a shell.
function quote(argument) {
    return /^[\w.,:=/%+@-]+$/.test(argument) ? argument : `'${argument.replace(/'/g, "'\\''")}'`;
}

// Returns the command's name and its arguments, without the file to write.
function drawing(row) {
    return row.diff ? ['diff', ...row.diff] : ['graph', ...row.draw];
}

function command(row) {
    return ['flamepress', ...drawing(row), '-o', row.file].map(quote).join(' ');
}

module.exports = {drawing, command};
