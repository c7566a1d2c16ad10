#!/bin/bash
# Makes the script and style of every SVG from the templates, and the pages' security policy. Usage:
#
#     graph.sh source     the templates flame*.js as one function of the graph, in the order in
#                         which they refer to each other, so that the page sees none of their names
#     graph.sh program    the source with short names, without blanks
#     graph.sh script     the program, compressed, in a script that unpacks and runs it
#     graph.sh part FILE  a template as it is included in the program
#     graph.sh all TO     writes the files
#                         TO.program, TO.script: as above
#                         TO.style: the graph's style sheet, without the rules that the source
#                         contains
#                         TO.policy: a content security policy that allows graphs and pages and
#                         nothing else, by the hashes of their scripts and styles
#
# Program, script and all need HELPERS, the directory with the programs minify and pack. EMULATOR
# runs them if they are another machine's.
set -euo pipefail
export LC_ALL=C

helpers=$(realpath "${HELPERS:-.}")
[ "$1" != all ] || to=$(realpath "$2")
cd "$(dirname "$0")/../../templates"

# helper NAME ARGUMENT...: runs one of the two programs.
helper()
{
    local name=$1
    shift
    ${EMULATOR:-} "$helpers/$name" "$@"
}

# Prints a template without comments and indentation. No line of a template may begin inside a
# string.
part()
{
    sed -E '/^ *\/\//d; /^$/d; s/^ +//' "$1"
}

source_text()
{
    local name
    printf "\n'use strict';\n(function (svg) {\nconst CONTROLS_STYLE = '%s';\n" \
        "$(rules flame_controls.css)"
    for name in data tree change merge match label view note tint search controls legend \
        filter menu copy tip sight theme address stack page functions; do
        part "flame_$name.js"
    done
    part flame.js
    printf "})(document.currentScript.closest('svg'));\n"
}

# The first line is empty, so that all of the script is on lines of its own.
program()
{
    printf '\n'
    source_text | helper minify
}

# Reads the program. gzip writes no name and no time: the bytes depend on the templates only.
script()
{
    printf '\n'
    gzip -9n | helper pack <(part flame_unpack.js | helper minify)
}

# A style sheet without comments, and without the spaces and lines that CSS does not need. Each
# comment has lines of its own, and no string of a style sheet contains a space or a single quote.
rules()
{
    sed -E '/^ *\/\*.*\*\/$/d; /^ *\/\*/,/\*\//d; s/^ +//
            s/ *([{}]) */\1/g; s/([:;,]) +/\1/g' "$1" | tr -d '\n' | sed 's/;}/}/g'
}

style()
{
    printf '\n'
    rules flame.css
    printf '\n'
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

# policy MADE: MADE.program and the like are the graph's.
policy()
{
    printf "default-src 'none'; img-src 'self' data:; "
    printf "frame-src 'self' blob:; worker-src blob:; "
    printf "script-src %s %s " "$(hash < "$1.script")" "$(hash < "$1.program")"
    printf "%s; " "$(page_script | hash)"
    printf "style-src %s %s\n" "$(hash < "$1.style")" "$(page_style | hash)"
}

case $1 in
    source) source_text ;;
    program) program ;;
    script) program | script ;;
    part) part "$2" ;;
    all)
        program > "$to.program"
        script < "$to.program" > "$to.script"
        style > "$to.style"
        policy "$to" > "$to.policy"
        ;;
esac
