#!/usr/bin/python3
"""Puts the pages of a report where a site serves them, for generators that are not installed.

    serve.py zola|github-wiki REPORT TARGET

Checks what the generator would refuse: front matter that is no TOML, and shortcodes. TARGET is
the directory of the report in the site.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib


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


if __name__ == '__main__':
    source, target = map(pathlib.Path, sys.argv[2:])
    target.mkdir(parents=True)
    shutil.copytree(source / 'graphs', target / 'graphs')
    {'zola': serve_zola, 'github-wiki': serve_github_wiki}[sys.argv[1]](source, target)
