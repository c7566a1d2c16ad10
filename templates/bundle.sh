#!/bin/bash
# Makes what the build embeds of a graph's browser code. Usage: bundle.sh TO
#
# Writes into the directory TO
#
#     flame.js     the program: the modules flame*.js as one function, with short names
#     unpack.js    flame_unpack.js with short names
#     flame.css    the style sheet of every SVG
#
# Each begins with an empty line, so that it has lines of its own within an element. The files are
# committed in templates/bundle, so the build needs neither esbuild nor Node. Other versions of
# esbuild write other bytes. Exits with 77 if there is no esbuild of this version.
set -euo pipefail
export LC_ALL=C
version=0.17.0

found=$(esbuild --version 2> /dev/null || echo none)
if [ "$found" != "$version" ]; then
    echo "esbuild $version is needed, which Debian 12 has (here is $found)"
    exit 77
fi
to=$(realpath "$1")
cd "$(dirname "$0")"

# shorten FILE OPTION...: prints a file as esbuild shortens it.
shorten()
{
    printf '\n'
    esbuild --log-level=warning --minify --charset=utf8 --target=es2021 "$@"
}

# esbuild leaves the blank of "(prefers-color-scheme: dark)".
rules()
{
    shorten "$1" | sed -E 's/(\([a-z-]+:) /\1/g'
}

controls=$(rules flame_controls.css)
shorten flame.js --bundle --format=iife --banner:js="'use strict';" \
    --define:CONTROLS_STYLE="\"${controls#?}\"" > "$to/flame.js"
shorten flame_unpack.js > "$to/unpack.js"
rules flame.css > "$to/flame.css"
