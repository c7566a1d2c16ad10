#!/usr/bin/env python3
"""Checks a feed by the rules of RFC 4287 for the elements that flamepress writes.

Usage: atom.py FEED DIRECTORY

Each rule is a condition that a valid feed fulfils; links lead to files below DIRECTORY. Then each
element of the feed is removed, and each date and id is damaged: some rule must notice.
"""
import copy
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

ATOM = '{http://www.w3.org/2005/Atom}'
# Elements, how often they occur (least, most), by their parent.
CONTENT = {
    'feed': {'id': (1, 1), 'title': (1, 1), 'updated': (1, 1), 'author': (1, 9), 'link': (1, 9),
             'entry': (0, 100)},
    'entry': {'id': (1, 1), 'title': (1, 1), 'updated': (1, 1), 'link': (1, 9), 'summary': (1, 1)},
    'author': {'name': (1, 1)},
}
ID = re.compile(r'urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}')
DATE = re.compile(r'\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ')


def short(element):
    return element.tag.removeprefix(ATOM)


def children(element, name):
    return element.findall(ATOM + name)


def check_content(element, errors):
    allowed = CONTENT.get(short(element), {})
    for child in element:
        if short(child) not in allowed:
            errors.append(f'{short(element)} contains {short(child)}')
        check_content(child, errors)
    for name, (least, most) in allowed.items():
        if not least <= len(children(element, name)) <= most:
            errors.append(f'{short(element)} has {len(children(element, name))} of {name}')


def check_links(element, place, errors):
    kinds = [link.get('rel', 'alternate') for link in children(element, 'link')]
    if kinds.count('alternate') != 1:  # 4.1.1 and 4.1.2: at most one without type and language
        errors.append(f'{short(element)} has no single alternate link')
    if short(element) == 'feed' and kinds.count('self') != 1:
        errors.append('the feed has no link to itself')
    for link in children(element, 'link'):
        if not link.get('href') or not (place / urllib.parse.unquote(link.get('href'))).is_file():
            errors.append(f'{link.get("href")} is no file')


def errors_of(feed, place):
    errors = [] if feed.tag == ATOM + 'feed' else ['the root is no feed']
    check_content(feed, errors)
    for element in [feed] + children(feed, 'entry'):
        check_links(element, place, errors)
    for element in feed.iter():
        text = element.text or ''
        if short(element) == 'id' and not ID.fullmatch(text):
            errors.append(f'id {text!r}')
        if short(element) == 'updated' and not DATE.fullmatch(text):
            errors.append(f'updated {text!r}')
        if short(element) in ('title', 'name', 'summary') and not text.strip():
            errors.append(f'{short(element)} is empty')
    ids = [entry.findtext(ATOM + 'id') for entry in children(feed, 'entry')]
    if len(set(ids)) != len(ids):  # 4.2.6
        errors.append('two entries have one id')
    newest = max((entry.findtext(ATOM + 'updated') or '' for entry in children(feed, 'entry')),
                 default='')
    if newest > (feed.findtext(ATOM + 'updated') or ''):
        errors.append('an entry is newer than the feed')
    return errors


def damaged(feed):
    """Yields what was damaged, and the damaged feed."""
    count = sum(1 for _ in feed.iter())
    for i in range(1, count):
        for how in ('removed', 'emptied'):
            bad = copy.deepcopy(feed)
            element = list(bad.iter())[i]
            if how == 'removed' and short(element) != 'entry':
                parent = next(p for p in bad.iter() if element in list(p))
                parent.remove(element)
            elif how == 'emptied' and element.text and element.text.strip():
                element.text = ''
            else:
                continue
            yield f'{short(element)} {how}', bad


def main():
    feed = ElementTree.parse(sys.argv[1]).getroot()
    place = pathlib.Path(sys.argv[2])
    wrong = errors_of(feed, place)
    if not children(feed, 'entry'):
        wrong.append('the feed has no entry: nothing is tested')
    wrong += [f'unnoticed: {what}' for what, bad in damaged(feed) if not errors_of(bad, place)]
    print('\n'.join(wrong[:20]))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
