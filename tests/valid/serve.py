#!/usr/bin/python3
"""Puts the pages of a report where a site serves them, for generators that are not installed.

    serve.py zola|github-wiki|confluence REPORT TARGET

Checks what the generator would refuse: front matter that is no TOML, shortcodes, and markup that is
no XML. TARGET is the directory of the report in the site.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.parse
import xml.etree.ElementTree as ElementTree


def to_html(text):
    return subprocess.run(['cmark-gfm', '--unsafe', '-e', 'table'], input=text, text=True,
                          capture_output=True, check=True).stdout


def serve_zola(source, target):
    for page in source.rglob('*.md'):
        empty, front, text = page.read_text().split('+++\n', 2)
        front = tomllib.loads(front)
        assert not empty and front['title'] and 'flame-graphs' in front['extra']['tags'], page
        assert not re.search(r'\{[{%]', text), f'{page} has a shortcode'
        place = target / page.parent.relative_to(source)
        if 'slug' in front:
            assert re.fullmatch('[a-z0-9]+(-[a-z0-9]+)*', front['slug']), front['slug']
            place = place.parent / front['slug']
        place.mkdir(parents=True, exist_ok=True)
        assert not (place / 'index.html').exists(), f'{place} is of two pages'
        html = re.sub(r'<h2>(.*) \{#(\S*)\}</h2>', r'<h2 id="\2">\1</h2>', to_html(text))
        (place / 'index.html').write_text(html.replace('<h2>Small', '<h2 id="small-graphs">Small'))


def serve_github_wiki(source, target):
    """All pages are in one place, under the names of their files."""
    for page in source.rglob('*.md'):
        html = to_html(page.read_text())
        place = target.parent / page.stem
        if page.stem == target.name:
            (target / 'index.html').write_text(html)  # a link to the page finds this
            place = target.with_suffix('.html')
        assert not place.exists(), f'{place} is of two pages'
        place.write_text(html)


def serve_confluence(source, target):
    """Macros become the HTML that Confluence makes of them; attachments have one directory."""
    page = json.loads((source / 'confluence.json').read_text())
    assert page['type'] == 'page' and page['title'], page
    assert {'prefix': 'global', 'name': 'flame-graphs'} in page['metadata']['labels'], page
    text = page['body']['storage']['value']
    root = ElementTree.fromstring(f'<div xmlns:ac="urn:ac" xmlns:ri="urn:ri">{text}</div>')
    ac, ri = '{urn:ac}', '{urn:ri}'
    for e in list(root.iter()):
        assert e.tag.startswith((ac, ri)) or e.tag in {
            'div', 'p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'a', 'em', 'strong', 'code',
            'pre', 'table', 'tbody', 'tr', 'th', 'td', 'hr', 'br', 'blockquote'}, e.tag
        file = e.find(f'{ri}attachment')
        if file is not None:
            name = 'graphs/' + urllib.parse.quote(file.get(f'{ri}filename'))
            e.remove(file)
        if e.tag == f'{ac}image':
            e.tag, e.attrib = 'img', {'alt': e.get(f'{ac}alt'), 'src': name}
        elif e.tag == f'{ac}link':
            anchor = e.get(f'{ac}anchor')
            e.tag, e.attrib = 'a', {'href': '#' + anchor if anchor else name}
        elif e.tag == f'{ac}link-body':
            e.tag = 'span'
        elif e.tag == f'{ac}structured-macro':
            assert e.get(f'{ac}name') == 'anchor', e.attrib
            e.tag, e.attrib = 'a', {'id': e[0].text}
            e.remove(e[0])
    (target / 'index.html').write_text(ElementTree.tostring(root, encoding='unicode', method='html'))


if __name__ == '__main__':
    source, target = map(pathlib.Path, sys.argv[2:])
    target.mkdir(parents=True)
    shutil.copytree(source / 'graphs', target / 'graphs')
    {'zola': serve_zola, 'github-wiki': serve_github_wiki,
     'confluence': serve_confluence}[sys.argv[1]](source, target)
