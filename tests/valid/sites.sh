# shellcheck shell=bash
# Builds sites with the generators of --site and checks their pages; run sources this file.
#
# A generator builds one site of several reports, as a user's site has them: each as one page and
# with a page of each graph. NPM_SITES is the directory where `make deps` put the generators of npm.

modules=${NPM_SITES:-}/node_modules
declare -A tool_of=([sphinx]=sphinx-build [jekyll]=jekyll
    [docusaurus]=$modules/@docusaurus/core/bin/docusaurus.mjs
    [vitepress]=$modules/vitepress/bin/vitepress.js)

# begin_GENERATOR SITE: writes what a site needs besides reports, which are in SITE/docs.
begin_sphinx()
{
    printf '%s\n' "project = 'Site'" "extensions = ['myst_parser']" 'smartquotes = False' \
        'html_show_sphinx = False' "html_theme = 'basic'" > "$1/docs/conf.py"
    printf '%s\n' '# Home' '' '```{toctree}' ':glob:' '' '*/index' '```' > "$1/docs/index.md"
}
begin_jekyll()
{
    mkdir -p "$1/docs/_layouts"
    echo 'title: Site' > "$1/docs/_config.yml"
    echo '<!DOCTYPE html><title>{{ page.title }}</title>{{ content }}' > \
        "$1/docs/_layouts/default.html"
}
begin_docusaurus()
{
    ln -s "$modules" "$1/node_modules"
    echo '{"name": "site", "version": "1.0.0"}' > "$1/package.json"
    cat > "$1/docusaurus.config.js" << 'END'
const hooks = {onBrokenMarkdownLinks: 'throw', onBrokenMarkdownImages: 'throw'};

module.exports = {
    title: 'Site', url: 'https://example.org', baseUrl: '/', markdown: {hooks},
    onBrokenLinks: 'throw', onBrokenAnchors: 'throw', onDuplicateRoutes: 'throw',
    presets: [['classic', {docs: {routeBasePath: '/'}, blog: false, pages: false}]],
};
END
    echo '# Home' > "$1/docs/index.md"
}
begin_vitepress()
{
    ln -s "$modules" "$1/node_modules"
    echo '{"name": "site", "version": "1.0.0", "type": "module"}' > "$1/package.json"
    echo '# Home' > "$1/docs/index.md"
}

# build_GENERATOR SITE: builds the site into SITE/site. Any warning is an error.
build_sphinx() { sphinx-build -q -W --keep-going -b html "$1/docs" "$1/site"; }
build_jekyll()
{
    is_silent jekyll build --quiet --strict_front_matter --disable-disk-cache -s "$1/docs" \
        -d "$1/site"
}
build_docusaurus()
{
    (cd "$1" && DO_NOT_TRACK=1 NO_UPDATE_NOTIFIER=1 DOCUSAURUS_NO_PERSISTENT_CACHE=true \
        no_warning node "${tool_of[docusaurus]}" build --no-minify --out-dir site)
}
build_vitepress()
{
    (cd "$1" && no_warning node "${tool_of[vitepress]}" build docs --outDir site)
}

# is_silent COMMAND..., no_warning COMMAND...: pass if the command prints nothing, or no warning.
is_silent()
{
    local output
    output=$("$@" 2>&1) && [ -z "$output" ] || { printf '%s\n' "$output"; return 1; }
}
no_warning()
{
    local output
    output=$("$@" 2>&1) && ! grep -qi 'warn' <<< "$output" || { printf '%s\n' "$output"; return 1; }
}

# check_page TITLE SITE PAGE REPORT: links, pictures and their texts, tables and interactive SVGs.
check_page()
{
    check "$1: links" node "$here/links.js" --root "$2" --site https://example.org "$3"
    check "$1: words for the pictures" node "$here/alts.js" "$3" "$4/report.json"
    check "$1: files of the graphs" node "$here/reach.js" --root "$2" "$3" "$4"/graphs/*.svg
}

# generator GENERATOR NAME...: builds a site of the reports and checks it.
generator()
{
    local generator=$1 name out site=$work/sites/$1 page
    shift
    if ! command -v "${tool_of[$generator]}" > /dev/null; then
        skipped=$((skipped + 1))
        echo "SKIP sites: there is no $generator; make deps installs it"
        return
    fi
    mkdir -p "$site/docs"
    "begin_$generator" "$site"
    for name; do
        for out in "$site/docs/$name" "$site/docs/$name-pages"; do
            "$FLAMEPRESS" report "$work/$name" -o "$out" --quiet --site "$generator" \
                --crops --list-below 0 --date 2025-01-01 --subtitle 'import {{x}} <T> "--x"' \
                --pages="$([[ $out = *-pages ]] && echo each || echo one)" > /dev/null 2>&1
        done
    done
    check "$generator builds a site" "build_$generator" "$site"
    check "$generator: no text of a profile is evaluated" \
        check_inert "$generator" "$work/inert-$generator"
    for name; do
        out=$site/docs/$name page=$site/site/$name
        check_page "$generator, $name" "$site/site" "$page/index.html" "$out"
        check_with cmark-gfm "$generator, $name: tables" \
            diff <(node "$here/cells.js" "$work/out-$name/report.md.html") \
            <(node "$here/cells.js" "$page/index.html")
        page=$page-pages
        check "$generator, $name: links of pages" node "$here/links.js" --root "$site/site" \
            --site https://example.org "$page/index.html" "$page"/pages/*/index.html
    done
}

# inert DIRECTORY: a directory of profiles whose every text is in the languages of the generators.
# An expression that is evaluated leaves Q42Q, and a file that is included or copied S3CRET.
# shellcheck disable=SC2016  # the texts contain $ and backticks
inert()
{
    local text quoted number=0
    mkdir -p "$1"
    printf 'Markers.\n\n[a](../secret.txt) ![a](../secret.png) ![a](../../secret.png)\n' > "$1/a.md"
    for text in 'Q{{ 6 | times: 7 }}Q' 'Q{{ 6 * 7 }}Q' 'Q{6 * 7}Q' 'Q{{< fortytwo >}}Q' \
        'Q{{% fortytwo %}}Q' 'Q${6 * 7}Q' '{% include_relative secret.txt %}' \
        '<!--@include: ./secret.txt-->' '<!-- @include: ../secret.txt -->' '--8<-- "secret.txt"' \
        'import x from "./secret.txt"' '<<< ./secret.txt'; do
        number=$((number + 1)) quoted=${text//\"/\\\"}
        printf 'main;%s %d\n' "$text" $number >> "$1/a.folded"
        printf 'main;f %d\n' $number > "$1/m${text//\//_}.folded"
        printf '\n%s\n\n## %s\n\n`%s` *%s* [%s](http://x/ "%s")\n\n' "$text" "$text" \
            "$text" "$text" "$text" "$quoted" >> "$1/a.md"
        printf '![%s](graphs/a.png "%s") [a](<http://x/%s>)\n\n- %s\n\n> %s\n\n```\n%s\n```\n' \
            "$text" "$quoted" "${text//[<>]/_}" "$text" "$text" "$text" >> "$1/a.md"
        printf '  "%s": f\n' "$quoted" >> "$1/searches"
        printf '%s ' "$quoted" >> "$1/title"
    done
    cp "$1/a.md" "$1/flamepress.md"
    { printf 'title: "%s"\nsubtitle: "%s"\nsearches:\n' "$(< "$1/title")" "$(< "$1/title")"
        cat "$1/searches"; } > "$1/flamepress.yml"
    rm "$1/title" "$1/searches"
}

# is_inert GENERATOR SITE: nothing of a site was evaluated, included or copied. The generators of
# `copies` copy all files that are among the pages.
copies=(hugo jekyll mkdocs)
is_inert()
{
    local but=()
    [[ " ${copies[*]} " != *" $1 "* ]] || but=('--exclude=secret.*')
    [ -n "$(find "$2" -name '*.html')" ] && ! grep -rE "${but[@]}" 'Q42Q|S3CRET' "$2"
}

# check_inert GENERATOR SITE: builds a site of the markers, and passes if all are inert. Links to
# what is not there are warnings.
check_inert()
{
    local which place=$2/docs
    [ -d "$work/inert" ] || inert "$work/inert"
    mkdir -p "$place"
    "begin_$1" "$2"
    [ "$1" != hugo ] || place=$2/content/posts
    for which in one each; do
        "$FLAMEPRESS" report "$work/inert" -o "$place/$which" --quiet --site "$1" --pages=$which
        echo S3CRET | tee "$2/secret.txt" "$2/secret.png" "$place/secret.txt" "$place/secret.png" \
            > "$place/$which/secret.txt"
    done
    "build_$1" "$2" > /dev/null 2>&1
    is_inert "$1" "$2/${built[$1]:-site}"
}
declare -A built=([hugo]=public)

# served GENERATOR NAME: the generator is not here, so that serve.py puts the pages where it would.
served()
{
    local generator=$1 name=$2 out pages which place=$work/served/$1 page
    mkdir -p "$work/sites-$generator"
    for which in one each; do
        [ "$generator $which" != 'confluence each' ] || continue
        out=$work/sites-$generator/$name-$which
        "$FLAMEPRESS" report "$work/$name" -o "$out" --quiet --site "$generator" --crops \
            --list-below 0 --date 2025-01-01 --pages=$which > /dev/null 2>&1
        check_with cmark-gfm "$generator: $name, $which" "$here/serve.py" "$generator" "$out" \
            "$place/${out##*/}"
        command -v cmark-gfm > /dev/null || continue
        if [ "$generator" = github-wiki ]; then
            mapfile -t pages < <(find "$place" -maxdepth 1 -type f -name "$name-$which*")
            check "$generator: links of $name, $which" node "$here/links.js" --github "${pages[@]}"
        else
            mapfile -t pages < <(find "$place/${out##*/}" -name index.html)
            check "$generator: links of $name, $which" node "$here/links.js" "${pages[@]}"
        fi
    done
    page=$place/$name-one.html out=$work/sites-$generator/$name-one
    [ -f "$page" ] || page=$place/$name-one/index.html
    check_with cmark-gfm "$generator, $name: files of the graphs" node "$here/reach.js" \
        "$page" "$out"/graphs/*.svg
    check_with cmark-gfm "$generator, $name: words for the pictures" \
        node "$here/alts.js" "$page" "$out/report.json"
    check_with cmark-gfm "$generator, $name: tables" \
        diff <(node "$here/cells.js" "$work/out-$name/report.md.html") \
        <(node "$here/cells.js" "$page")
}
