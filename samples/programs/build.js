// Markdown in, pages out: a small static site generator, run over and over.
const crypto = require('crypto');
const zlib = require('zlib');

const words = 'flame stack frame leaf root sample weight symbol module kernel user event page fault'.split(' ');

function article(seed) {
  let x = seed;
  const next = n => (x = (x * 1103515245 + 12345) & 0x7fffffff) % n;
  const lines = [`# Article ${seed}`, ''];
  for (let i = 0; i < 60; i++) {
    const text = Array.from({length: 12}, () => words[next(words.length)]);
    text[next(12)] = `**${text[next(12)]}**`;
    text[next(12)] = `[${text[0]}](page-${next(100)}.html)`;
    lines.push((i % 5 ? '' : '- ') + text.join(' '), '');
  }
  return lines.join('\n');
}

const inline = [
  [/&/g, '&amp;'],
  [/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'],
  [/\[([^\]]+)\]\(([^)]+)\)/g, (_, label, url) => `<a href="${url}">${label}</a>`],
];

const renderInline = text => inline.reduce((s, [pattern, by]) => s.replace(pattern, by), text);

function parse(markdown) {
  return markdown.split(/\n{2,}/).map(block => {
    const heading = /^(#+) (.*)$/.exec(block);
    if (heading) return {type: `h${heading[1].length}`, children: [renderInline(heading[2])]};
    if (block.startsWith('- ')) return {type: 'ul', children: [{type: 'li', children: [renderInline(block.slice(2))]}]};
    return {type: 'p', children: [renderInline(block)]};
  });
}

function render(node) {
  if (typeof node === 'string') return node;
  return `<${node.type}>${node.children.map(render).join('')}</${node.type}>`;
}

function index(pages) {
  const counts = new Map();
  for (const {markdown} of pages)
    for (const word of markdown.match(/\w+/g)) counts.set(word, (counts.get(word) || 0) + 1);
  return JSON.stringify([...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])), null, 1);
}

function build(round) {
  const pages = Array.from({length: 40}, (_, i) => ({name: `page-${i}.html`, markdown: article(round * 40 + i)}));
  for (const page of pages) {
    page.html = parse(page.markdown).map(render).join('\n');
    page.etag = crypto.createHash('sha256').update(page.html).digest('hex');
    page.gzip = zlib.gzipSync(page.html, {level: 4});
  }
  return JSON.parse(index(pages)).length + pages.reduce((n, p) => n + p.gzip.length, 0);
}

const end = Date.now() + 1000 * process.argv[2];
let rounds = 0, size = 0;
for (; Date.now() < end; rounds++) size += build(rounds);
console.log(rounds, size);
