/*
 * SVGs that flamepress drew: the data of the script has all frames (output/svg_data.h).
 *
 *     <svg xmlns="http://www.w3.org/2000/svg" class="flamepress" ...>
 *     <metadata data-flame="data" ... data-profile="version=1 name=cycles ...">BASE64</metadata>
 *
 * Earlier programs wrote class="flame-data" and profile="...".
 *
 * The elements are searched for instead of parsed, because pages contain them, too. The data is
 * exact. The boxes of the picture are not read.
 */
#include "input/formats/pictures/own_svg.h"

#include "input/format.h"
#include "input/formats/pictures/flame_tree.h"
#include "input/parse/base64.h"
#include "input/parse/entities.h"

/* The starts of the element, and of its attribute with what is measured. */
struct spelling {
    const char *element, *profile;
};

/* As it is written, and as earlier programs wrote it. */
static const struct spelling spellings[] = {
    {"<metadata data-flame=\"data\"", " data-profile=\""},
    {"<metadata class=\"flame-data\"", " profile=\""},
};

/* Where the first bytes of a file may have the element `svg`. */
enum { PROLOG = 1024 };

static bool svg_claims(const struct head *head)
{
    struct slice start = slice_take(slice_trim_left(head->bytes), PROLOG), tag;
    size_t svg = slice_search(start, SLICE("<svg "));

    if (!slice_starts(start, SLICE("<")) || svg >= start.len)
        return false;
    tag = slice_skip(start, svg);
    tag = slice_take(tag, slice_find(tag, '>'));
    return slice_has(tag, SLICE(" class=\"flamepress"));
}

/* Appends the value of an attribute of `tag`; returns false if the tag does not have it. */
static bool add_attribute(struct buf *out, struct slice tag, struct slice start)
{
    size_t at = slice_search(tag, start);
    struct slice value = slice_skip(tag, at < tag.len ? at + start.len : at);

    entities_add(out, slice_take(value, slice_find(value, '"')));
    return at < tag.len;
}

/* Returns the spelling of the element at the start of `text`, or NULL if it is another one. */
static const struct spelling *spelling_of(struct slice text)
{
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
        if (slice_starts(text, slice_str(spellings[i].element)))
            return &spellings[i];
    return NULL;
}

/*
 * Moves the next element from `*rest` to its tag and its text. Returns its spelling, or NULL at the
 * end.
 */
static const struct spelling *next_element(struct slice *rest, struct slice *tag,
                                           struct slice *text)
{
    static const struct slice start = {"<metadata ", 10};
    const struct spelling *found = NULL;
    size_t at = 0, end;

    while (!found) {
        at += slice_search(slice_skip(*rest, at), start);
        if (at == rest->len)
            return NULL;
        found = spelling_of(slice_skip(*rest, at));
        at += found ? 0 : start.len;
    }
    *tag = slice_skip(*rest, at);
    end = slice_find(*tag, '>');
    *text = slice_skip(*tag, end < tag->len ? end + 1 : end);
    *tag = slice_take(*tag, end);
    *text = slice_take(*text, slice_find(*text, '<'));
    *rest = slice_skip(*rest, at + tag->len + text->len);
    return found;
}

static bool read_graph(struct builder *b, struct slice words, struct slice text, struct slice title)
{
    struct buf packed = {0};
    bool ok;

    ok = base64_add(&packed, text) ||
         diag_error(b->diag, "the profile in the picture is damaged: it is not base64");
    ok = ok && flame_tree_read_graph(b, words, buf_slice(&packed), title);
    buf_release(&packed);
    return ok;
}

/* Whether the words are those of a graph of two weights. */
static bool is_pair(struct slice words)
{
    return slice_has(words, SLICE(" pair="));
}

bool own_svg_read(struct builder *b, struct slice svg, struct slice title)
{
    struct slice rest = svg, tag, text;
    const struct spelling *spelling;
    bool stack = slice_search(slice_take(svg, PROLOG), SLICE("class=\"flamepress-stack\"")) <
                 (svg.len < PROLOG ? svg.len : PROLOG);
    struct buf words = {0};
    size_t graphs = 0, old = 0;
    bool ok = true;

    while (ok && (spelling = next_element(&rest, &tag, &text)) != NULL) {
        buf_clear(&words);
        if (!add_attribute(&words, tag, slice_str(spelling->profile))) {
            old++;
            continue;
        }
        if (stack && !is_pair(buf_slice(&words)))
            continue;
        ok = read_graph(b, buf_slice(&words), text, title);
        graphs++;
    }
    buf_release(&words);
    if (!ok || graphs)
        return ok;
    return diag_error(b->diag, old ? "an older flamepress drew this SVG; its data does not say "
                                     "what was measured"
                                   : "this SVG of flamepress contains no data: it was drawn with "
                                     "--svg-script=none, or is a heat map");
}

static bool svg_read(struct content *c)
{
    struct buf bytes = {0};
    struct builder b;
    bool ok;

    builder_init(&b, c->profile, c->options, c->diag);
    ok = content_load(c, &bytes) && own_svg_read(&b, buf_slice(&bytes), SLICE(""));
    buf_release(&bytes);
    builder_release(&b);
    return ok;
}

const struct format format_own_svg = {
    .name = "flamepress-svg",
    .family = FORMAT_PICTURES,
    .description = "SVGs of flamepress, with all frames",
    .recognised = "<svg class=\"flamepress\"",
    .example = "flamepress graph app.perf -o app.svg",
    .claims = svg_claims,
    .read = svg_read,
    .picture = true,
};
