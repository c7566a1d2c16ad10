# shellcheck shell=bash
# Words that mention, close or link something when Markdown is posted on a forge; run sources this
# file. A forge looks for them in all text that is shown except code.

mention_words=(@person @org/team '#12' 'fixes #12' 'org/repo#12' GH-12 ABC-12 '!12' '~bug' '%v1'
    http://evil.example/a https://evil.example www.evil.example a@evil.example '[[page]]')

# mention_week DIRECTORY WEIGHT: runs of a service, whose every text has all of these words.
mention_week()
{
    local word run texts=${mention_words[*]} first=${mention_words[*]:0:7}
    mkdir -p "$1"
    for run in 1 2 3 4 5; do
        {
            for word in "${mention_words[@]}"; do
                printf 'main;(%s) and `%s`;%s| %d\n' "$word" "$word" "$word" $((900 + run))
            done
            printf 'main;%s %d\n' "$texts" "$2"
        } > "$1/${first//\//_}.$run.folded"
        printf '{"facts": [{"key": "%s", "value": "%s"}], "host": "%s"}\n' "$texts" "$texts" \
            "$texts" > "$1/${first//\//_}.$run.meta.json"
    done
    # Addresses in a commentary may become links.
    word=${texts//evil/ours}
    printf '# %s\n\n%s (%s)\n\n- %s\n\n> *%s*\n\n| %s |\n' "$word" "$word" "@person" \
        "&#64;person" "\\@person" "@person" > "$1/${first//\//_}.1.md"
    cp "$1/${first//\//_}.1.md" "$1/README.md"
    printf 'title: "%s"\nsubtitle: "%s"\nsearches:\n  "%s": main\nservices:\n  - match: "*"\n' \
        "$texts" "$texts" "$texts" > "$1/flamepress.yml"
    printf '    name: "%s"\n    owner: "%s"\n' "$texts" "$texts" >> "$1/flamepress.yml"
}

# mention_nobody FILE: in the HTML of the Markdown nothing is live but the links of commentaries.
mention_nobody()
{
    local page=$1.shown
    [ -s "$1" ] || { echo "$1 is empty"; return 1; }
    grep -q 'person' "$1" || { echo "$1 has none of the words"; return 1; }
    perl -0pe 's/\A(---|\+\+\+)\n.*?\n\1\n//s' "$1" > "$page.md" # without front matter
    markdown "$page.md" |
        perl -0pe 's/<code[ >].*?<\/code>/\n/gs; s/<script.*?<\/script>//gs' > "$page"
    ! grep -oE 'href="(https?:|mailto:)[^"]*"' "$page" |
        grep -v '^href="https\?://ours.example[/a]*"$' || return 1
    perl -0pe 's/<[^>]*>/\n/gs' "$page" > "$page.txt"
    ! grep -nE '@[A-Za-z]|(#|!)[0-9]|(GH|ABC)-[0-9]|~bug|%v1|\[\[|www\.' "$page.txt"
}

mentions()
{
    local out=$work/mentions generator file
    mention_week "$out/base" 900
    mention_week "$out/new" 3000
    "$FLAMEPRESS" report "$out/new" -o "$out/report" --baseline "$out/base" --quiet --list-below 0 \
        > /dev/null 2>&1
    "$FLAMEPRESS" report "$out/new" -o "$out/pages" --quiet --list-below 0 --pages each \
        > /dev/null 2>&1
    "$FLAMEPRESS" digest "$out/report" --format markdown > "$out/digest.md" 2> /dev/null
    : > "$out/summary.md"
    GITHUB_STEP_SUMMARY=$out/summary.md "$FLAMEPRESS" check "$out/new" --baseline "$out/base" \
        --github > /dev/null 2>&1
    "$FLAMEPRESS" graph "$out/new"/*.1.folded -o "$out/graph.svg" --title "${mention_words[*]}" \
        -o "$out/snippet.md" > /dev/null 2>&1
    for file in "$out"/report/report.md "$out"/pages/report.md "$out"/pages/pages/*.md \
        "$out"/{digest,summary,snippet}.md; do
        check_with cmark-gfm "mentions: $(cut -c 1-40 <<< "${file#"$out/"}") mentions nobody" \
            mention_nobody "$file"
    done
    # cmark-gfm does not read the dialects of MkDocs and Docusaurus.
    for generator in github-wiki hugo jekyll sphinx vitepress zola; do
        "$FLAMEPRESS" report "$out/new" -o "$out/$generator" --baseline "$out/base" --quiet \
            --list-below 0 --site $generator > /dev/null 2>&1
        for file in "$out/$generator"/*.md; do
            check_with cmark-gfm "mentions: $generator's Markdown mentions nobody" \
                mention_nobody "$file"
        done
    done
}
