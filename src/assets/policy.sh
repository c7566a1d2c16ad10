#!/bin/bash
# Prints a content security policy that allows graphs and pages and nothing else, by the hashes of
# their scripts and styles. Usage: policy.sh SCRIPT PROGRAM STYLE PAGE_SCRIPT PAGE_STYLE
#
# A page has an empty line before and after its script and its style.
set -euo pipefail
export LC_ALL=C

hash()
{
    local hex
    hex=$(sha256sum)
    # shellcheck disable=SC2059  # the format is the bytes
    printf "'sha256-%s'" "$(printf "$(sed 's/ .*//; s/../\\x&/g' <<< "$hex")" | base64)"
}

of_page()
{
    { printf '\n'; cat "$1"; printf '\n'; } | hash
}

printf "default-src 'none'; img-src 'self' data:; frame-src 'self' blob:; worker-src blob:; "
printf 'script-src %s %s %s; ' "$(hash < "$1")" "$(hash < "$2")" "$(of_page "$4")"
printf 'style-src %s %s\n' "$(hash < "$3")" "$(of_page "$5")"
