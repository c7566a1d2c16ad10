#!/bin/bash
# Makes the script and style of every SVG from the templates, and the pages' security policy. Usage:
#
#     graph.sh script     the templates flame*.js as one function of the graph, in the order in
#                         which they refer to each other, so that the page sees none of their names
#     graph.sh part FILE  a template as it is included in the script or style
#     graph.sh style      the graph's style sheet
#     graph.sh policy     a content security policy that allows graphs and pages and nothing else,
#                         by the hashes of their scripts and styles
set -euo pipefail
export LC_ALL=C

cd "$(dirname "$0")/../../templates"

# Prints a template without comments and indentation, which would be a quarter of the script.
# No line of a template may begin inside a string.
part()
{
    sed -E '/^ *\/\//d; /^$/d; s/^ +//' "$1"
}

script()
{
    local name
    printf "\n'use strict';\n(function (svg) {\n"
    for name in data tree change match label view search controls address stack page; do
        part "flame_$name.js"
    done
    part flame.js
    printf "})(document.currentScript.closest('svg'));\n"
}

style()
{
    printf '\n'
    cat flame.css
}

page_style()
{
    printf '\n'
    cat page.css
    printf '\n'
}

page_script()
{
    printf '\n'
    cat page.js
    printf '\n'
}

hash()
{
    local hex
    hex=$(sha256sum)
    # shellcheck disable=SC2059  # the format is the bytes
    printf "'sha256-%s'" "$(printf "$(sed 's/ .*//; s/../\\x&/g' <<< "$hex")" | base64)"
}

case $1 in
    script) script ;;
    part) part "$2" ;;
    style) style ;;
    policy)
        printf "default-src 'none'; img-src 'self' data:; "
        printf "frame-src 'self' blob:; worker-src blob:; "
        printf "script-src %s %s; " "$(script | hash)" "$(page_script | hash)"
        printf "style-src %s %s\n" "$(style | hash)" "$(page_style | hash)"
        ;;
esac
