#!/bin/bash
# Python-Markdown 3.7 with Python 3.13 drops the rest of a page after the begin of an end tag in code.
#
# Versions: python3-markdown 3.7-2+deb13u1 and python3.13 3.13.5 of Debian 13, where MkDocs uses both.
# Expected: what is in a code span is shown as it is. The same Python-Markdown does so with Debian
# 12's Python 3.11.
# Behaviour: Python-Markdown lets Python's html.parser look for HTML before it looks for code. Since
# the parser reads an end tag that does not end up to the end of the text, as browsers do, all that
# follows "</name" is gone: the rest of the code span and all further paragraphs. There is no error
# and no warning.
# Output seen:
#
#     <p>first `a</p>
#
# for a page with the paragraphs "first `a</b`" and "last".
#
# Exits with 0 if this is so, with 1 if it has changed, with 77 if the packages cannot be had.
set -u
export LC_ALL=C

command -v mmdebstrap > /dev/null || { echo "no mmdebstrap"; exit 77; }
work=$(mktemp -d) || exit 77
trap 'rm -rf --one-file-system "$work"' EXIT
mmdebstrap --quiet --variant=minbase --include=python3-markdown trixie "$work/root" \
    2> "$work/log" || { tail -n 3 "$work/log"; exit 77; }
chroot "$work/root" dpkg-query -W python3-markdown python3.13
page=$(chroot "$work/root" python3 -c '
import markdown
print(markdown.markdown("first `a</b`\n\nlast\n"))')
echo "$page"
[ "$page" = '<p>first `a</p>' ]
