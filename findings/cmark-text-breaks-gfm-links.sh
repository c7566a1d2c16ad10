#!/bin/bash
# Markdown that cmark writes has broken links where GitHub's dialect finds addresses in text.
#
# Versions: cmark 0.30.2-6 and cmark-gfm 0.29.0.gfm.6-6 (amd64), the packages of Debian 12.
# Expected: text that is read by cmark and written again as Markdown (-t commonmark) means the same
# to every reader, so a bare address still leads to the same page.
# Behaviour: to CommonMark a bare address is only text, so cmark's writer escapes its "#" and "_".
# The extension autolink, which GitHub uses, takes the whole address from the source, and the
# backslashes with it: escapes do not count there. The link leads to another page. With an address in
# angle brackets both agree.
# Output seen:
#
#     written: See https://a.example/b_c#1 now -> See https://a.example/b\_c\#1 now
#     link: https://a.example/b%5C_c%5C#1
#
# What follows: a formatter of Markdown must know whether its readers have this extension.
#
# Exits with 0 if this is so, with 1 if it has changed, with 77 if the packages cannot be had.
set -u
export LC_ALL=C

work=$(mktemp -d) || exit 77
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 77
for command in curl dpkg-deb; do
    command -v $command > /dev/null || { echo "no $command"; exit 77; }
done
pool=http://deb.debian.org/debian/pool/main/c
for package in cmark/cmark_0.30.2-6 cmark/libcmark0.30.2_0.30.2-6 \
    cmark-gfm/cmark-gfm_0.29.0.gfm.6-6 cmark-gfm/libcmark-gfm0.29.0.gfm.6_0.29.0.gfm.6-6 \
    cmark-gfm/libcmark-gfm-extensions0.29.0.gfm.6_0.29.0.gfm.6-6; do
    { curl -fsSO "$pool/${package}_amd64.deb" && dpkg-deb -x "${package##*/}_amd64.deb" root; } ||
        { echo "no $package"; exit 77; }
done
PATH=$work/root/usr/bin:$PATH
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu

text='See https://a.example/b_c#1 now'
written=$(cmark -t commonmark <<< "$text") || exit 77
link=$(cmark-gfm -e autolink <<< "$written" | sed -n 's/.*href="\([^"]*\)".*/\1/p')
plain=$(cmark-gfm -e autolink <<< "$text" | sed -n 's/.*href="\([^"]*\)".*/\1/p')
bracketed=$(cmark -t commonmark <<< 'See <https://a.example/b_c#1> now' |
    cmark-gfm -e autolink | sed -n 's/.*href="\([^"]*\)".*/\1/p')
echo "written: $text -> $written"
echo "link: $link"
[ "$plain" = 'https://a.example/b_c#1' ] && [ "$bracketed" = "$plain" ] || exit 1
[ "$link" = 'https://a.example/b%5C_c%5C#1' ]
