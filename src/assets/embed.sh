#!/bin/bash
# Writes the assembly that embeds the program's files. Usage: embed.sh MANIFEST FILE...
#
# A file's name is its path, or NAME if the argument is NAME=PATH.
#
# The table `asset_table` holds a row (name, data, size) for each file, sorted by name in the C
# locale; `asset_table_end` is its end. Data is read-only and followed by a NUL byte that the size
# does not count. Fonts are found where the packages of fonts/manifest put them.
set -euo pipefail
export LC_ALL=C

manifest=$1
shift

list_fonts()
{
    local family package file sha256 rest actual
    while IFS=$'\t' read -r family package file sha256 rest; do
        case $family in '' | '#'*) continue ;; esac
        if [ ! -r "$file" ]; then
            echo "embed: $file is missing; it is in the package $package (make deps)" >&2
            return 1
        fi
        actual=$(sha256sum "$file")
        if [ "${actual%% *}" != "$sha256" ]; then
            echo "embed: note: $file is another version than the one of $manifest (sha256" \
                "${actual%% *}); pictures are right, but labels may be cut at other places, and" \
                "have other pixels, than in the tests" >&2
        fi
        printf 'fonts/%s\t%s\n' "${file##*/}" "$file"
    done < "$manifest"
}

list=$(
    list_fonts
    for file; do
        printf '%s\t%s\n' "${file%%=*}" "${file#*=}"
    done
)
list=$(sort <<< "$list")

count=0
table=
echo '    .section .rodata'
while IFS=$'\t' read -r name path; do
    cat << END
.Lname$count:
    .asciz "$name"
    .balign 16
.Ldata$count:
    .incbin "$path"
.Lend$count:
    .byte 0
END
    table+="    .dc.a .Lname$count, .Ldata$count, .Lend$count - .Ldata$count"$'\n'
    count=$((count + 1))
done <<< "$list"
cat << END
    .section .data.rel.ro, "aw"
    .balign 16
    .globl asset_table
asset_table:
$table
    .globl asset_table_end
asset_table_end:
    .section .note.GNU-stack, "", %progbits
END
