#!/bin/bash
# go tool pprof matches the expressions drop_frames and keep_frames of a profile with a function's
# name up to its first parenthesis, except those of "(anonymous namespace)" and of Go's receivers.
#
# Version: golang-1.19-go 1.19.8-2 (amd64), the package of Debian 12.
# Expected: profile.proto says that frames whose function's name matches drop_frames are dropped, so
# an expression can name one overload, "f\(int\)", or all of them, "f\(.*\)".
# Behaviour: an expression with the parenthesis of an argument list never matches, and one that
# ends behind the name matches every overload. "$" stands before the arguments.
# Output seen, for a stack main, f(int), leaf:
#
#     f\(int\)    leaf f(int) main
#     f           main
#     f$          main
#
# ("f" drops the function and what it calls.)
#
# Exits with 0 if this is so, with 1 if it has changed, with 77 if the packages cannot be had.
set -u
export LC_ALL=C

version=1.19.8-2
work=$(mktemp -d) || exit 77
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 77
for command in curl dpkg-deb python3; do
    command -v $command > /dev/null || { echo "no $command"; exit 77; }
done
pool=http://deb.debian.org/debian/pool/main/g/golang-1.19
file=golang-1.19-go_${version}_amd64.deb
curl -fsSO "$pool/$file" && dpkg-deb -x "$file" root || { echo "no $file"; exit 77; }
pprof=$(find root -name pprof -type f -perm /111 | head -n 1)
[ -n "$pprof" ] || { echo 'no pprof in the package'; exit 77; }

# profile EXPRESSION: a profile in which the stack main, f(int), leaf has one sample.
profile()
{
    python3 - "$1" << 'PYTHON'
import sys

def number(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])

def field(id, value):
    if isinstance(value, int):
        return number(id << 3) + number(value)
    return number(id << 3 | 2) + number(len(value)) + value

texts = ['', 'samples', 'count', 'main', 'f(int)', 'leaf', sys.argv[1]]
out = field(1, field(1, 1) + field(2, 2))
out += field(2, field(1, b'\3\2\1') + field(2, b'\1'))
for id in (1, 2, 3):
    out += field(4, field(1, id) + field(4, field(1, id)))
    out += field(5, field(1, id) + field(2, id + 2))
for text in texts:
    out += field(6, text.encode())
sys.stdout.buffer.write(out + field(7, 6))
PYTHON
}

status=0
while read -r expression want; do
    profile "$expression" > profile.pb
    got=$("$pprof" -traces profile.pb 2> /dev/null | sed -nE 's/^ *(1 +)?(main|f\(int\)|leaf)$/\2/p' |
        paste -sd ' ')
    printf '%-11s %s\n' "$expression" "$got"
    [ "$got" = "$want" ] || status=1
done << 'ROWS'
f\(int\) leaf f(int) main
f main
f$ main
ROWS
exit $status
