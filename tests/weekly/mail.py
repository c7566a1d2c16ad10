"""Reads a mail with Python's email module: it has no defects, a text and an HTML without scripts,
its subject is its first line, the report is its only link, and each picture that the HTML shows is a
PNG in the mail. Usage: mail.py FILE PICTURES TEXT
"""
import email
import re
import sys
from email import policy

with open(sys.argv[1], 'rb') as file:
    mail = email.message_from_binary_file(file, policy=policy.default)
wanted, text = int(sys.argv[2]), sys.argv[3]
parts = list(mail.walk())
assert not [part.defects for part in parts if part.defects], 'defects'
plain = mail.get_body(('plain',)).get_content()
html = mail.get_body(('html',)).get_content()
assert mail['subject'] == plain.splitlines()[0], mail['subject']
assert ': orders worse, slow +' in mail['subject'], mail['subject']
assert len(plain.splitlines()) <= 40, 'more than 40 lines'
# Names are code, so that no program takes them for links or mentions.
shown_text = re.sub(r'<[^>]*>', '', html)
assert text in plain and text in shown_text, f'no {text!r}'
links = re.findall(r'\w+://[^"]*', html)
assert '<script' not in html and len(links) == 1, f'scripts or links: {links}'
assert f'<a href="{links[0]}">The report</a>' in html and f'report: {links[0]}' in plain, links
pictures = {part['content-id'].strip('<>'): part for part in parts
            if part.get_content_type() == 'image/png'}
shown = re.findall(r'<img src="cid:([^"]+)" alt="[^"]+">', html)
assert shown == list(pictures), f'{shown} are shown, {list(pictures)} are in the mail'
assert len(shown) == wanted, f'{len(shown)} pictures, not {wanted}'
for part in pictures.values():
    assert part.get_content().startswith(b'\x89PNG\r\n\x1a\n'), 'no PNG'
    assert part.get_content().endswith(b'IEND\xaeB`\x82'), 'a cut PNG'
    assert part.get_content_disposition() == 'inline', 'not inline'
