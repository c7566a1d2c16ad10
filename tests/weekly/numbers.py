#!/usr/bin/python3
"""Holds that each number in the comparison of a report is in its report.json. Usage:

    numbers.py OUT [LEAST]

Reads the section in OUT/index.html and in OUT/report.md. A number may be rounded, or be part of a
text of the JSON. Fails if fewer than LEAST numbers are found, since then it has compared nothing.
"""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

# The limits of the method, which the page explains and which no report changes.
CONSTANTS = {95, 25, 5, 1}


class Section(HTMLParser):
    """The texts of the section of the comparison, without names of functions and files."""

    def __init__(self):
        super().__init__()
        self.depth = 0
        self.code = 0
        self.texts = []

    def handle_starttag(self, tag, attrs):
        if self.depth or dict(attrs).get('id') == '_comparison':
            self.depth += tag == 'section'
        self.code += tag in ('code', 'svg', 'style')

    def handle_endtag(self, tag):
        self.depth -= self.depth > 0 and tag == 'section'
        self.code -= tag in ('code', 'svg', 'style')

    def handle_data(self, data):
        if self.depth and not self.code:
            self.texts.append(data)


def of_markdown(text):
    begin = text.index('## Comparison')
    text = text[begin:text.index('\n## ', begin + 1)]
    text = re.sub(r'`[^`]*`', '', text)
    return re.sub(r'\]\([^)]*\)', ']', text)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield value


def costs_of(service):
    """The cost of a service, and the parts of its findings, in three digits: as they are, in
    thousands and in millions of the unit."""
    cost = service['cost']
    if not cost:
        return []
    amounts = [cost['base'], cost['new']]
    amounts += [int(f['new_weight']) / cost['new_run'] - int(f['base_weight']) / cost['base_run']
                for f in service['findings']]
    return [float(f'{amount / scale:.3g}') for amount in amounts for scale in (1, 1e3, 1e6, 1e9)]


def known(comparison):
    """The numbers of the JSON, and its texts."""
    numbers = set(CONSTANTS)
    texts = []
    services = comparison['services']
    counts = [len(services)] + [sum(s['verdict'] == word for s in services)
                                for word in {s['verdict'] for s in services}]
    counts.append(sum(b['broken'] for b in comparison['budgets']))
    for s in services:
        for f in s['findings']:
            counts.append(int(f['new_weight']) - int(f['base_weight']))
        counts += costs_of(s)
    for b in comparison['budgets']:
        counts += [b['new_percent'] - b['base_percent']]
    for leaf in [*leaves(comparison), *counts]:
        if isinstance(leaf, str):
            texts.append(leaf)
            if not re.fullmatch(r'-?\d+', leaf):
                continue
            leaf = int(leaf)
        numbers.add(abs(leaf))
    return numbers, ' '.join(texts)


def is_rounded(token, numbers):
    """Whether the token is one of the numbers, of which the JSON has four decimals."""
    value = float(token.replace(',', ''))
    decimals = len(token.partition('.')[2])
    slack = 0.5 * 10 ** -decimals + 0.00006 if decimals else 0
    return any(abs(value - number) <= slack for number in numbers)


def main():
    out = Path(sys.argv[1])
    least = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    numbers, texts = known(json.loads((out / 'report.json').read_text())['comparison'])
    page = Section()
    page.feed((out / 'index.html').read_text())
    faults = []
    for name, text in [('index.html', ' '.join(page.texts)),
                       ('report.md', of_markdown((out / 'report.md').read_text()))]:
        found = re.findall(r'(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?', text)
        if len(found) < least:
            faults.append(f'{name}: {len(found)} numbers, not {least}')
        faults += [f'{name}: {number} is not in report.json' for number in found
                   if not is_rounded(number, numbers) and number not in texts]
    print('\n'.join(faults))
    return bool(faults)


sys.exit(main())
