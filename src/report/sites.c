#include "report/site.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json_writer.h"

enum { MAX_TAGS = 12, MAX_TAG = 40 };

/* report.md: the dialect of GitHub and GitLab. */
static const struct site plain = {
    .index = "report.md",
    .titled = true,
    .html_dark = true,
};

const struct site_key site_keys_plain[] = {
    {"title: ", SITE_TITLE},
    {"description: ", SITE_SUMMARY},
    {"date: ", SITE_DATE},
    {"tags: ", SITE_TAGS},
    {0},
};

#define SITE_ROW(id, variable, word) [REPORT_##id] = &site_##variable,
static const struct site *const sites[REPORT_SITE_COUNT] = {[REPORT_PAGE] = &plain,
                                                            REPORT_SITES(SITE_ROW)};

const struct site *site_of(enum report_site site)
{
    return sites[site];
}

/* ---- names for addresses --------------------------------------------------------------------- */

/* Appends lower case, digits and single hyphens. Returns whether that is `text` itself. */
static bool add_slug(struct slice text, struct buf *out)
{
    size_t start = out->len;

    for (size_t i = 0; i < text.len; i++) {
        char c = ascii_lower(text.ptr[i]);

        if (ascii_is_small(c) || ascii_is_digit(c))
            buf_add_char(out, c);
        else if (out->len > start && out->ptr[out->len - 1] != '-')
            buf_add_char(out, '-');
    }
    while (out->len > start && out->ptr[out->len - 1] == '-')
        out->len--;
    return slice_equal(slice_skip(buf_slice(out), start), text);
}

void site_write_name(struct slice name, struct buf *out)
{
    if (!add_slug(name, out))
        buf_printf(out, "-%08x", (unsigned)hash_bytes(name.ptr, name.len));
}

/* ---- front matter ---------------------------------------------------------------------------- */

void site_add_tag(struct site_front *front, struct arena *memory, struct slice text)
{
    struct buf tag = {0};
    bool known = false;

    add_slug(slice_take(text, MAX_TAG), &tag);
    vec_each (const struct slice, other, &front->tags)
        known = known || slice_equal(*other, buf_slice(&tag));
    if (tag.len && !known && front->tags.count < MAX_TAGS)
        *vec_add(&front->tags) = arena_copy(memory, buf_slice(&tag));
    buf_release(&tag);
}

/*
 * Appends a string that YAML and TOML read as JSON does. Some generators expand templates and
 * include files in the whole file, so the characters with which these begin are written as numbers.
 */
static void write_string(struct buf *out, struct slice text)
{
    struct buf string = {0};

    json_writer_string(&string, text);
    for (size_t i = 0; i < string.len; i++)
        if (memchr("<{}", string.ptr[i], 3))
            buf_printf(out, "\\u%04x", (unsigned)string.ptr[i]);
        else
            buf_add_char(out, string.ptr[i]);
    buf_release(&string);
}

static void write_tags(const struct site_front *front, struct buf *out)
{
    for (size_t i = 0; i < front->tags.count; i++) {
        buf_add_str(out, i ? ", " : "[");
        write_string(out, front->tags.items[i]);
    }
    buf_add_char(out, ']');
}

static void write_words(const struct site_front *front, struct buf *out)
{
    struct buf words = {0};

    for (size_t i = 0; i < front->tags.count; i++)
        buf_printf(&words, "%s%.*s", i ? ", " : "", SLICE_ARG(front->tags.items[i]));
    write_string(out, buf_slice(&words));
    buf_release(&words);
}

/* Writes a line of the front matter unless its value is missing. */
static void write_line(const struct site_key *key, const struct site_front *front, struct buf *out)
{
    bool tags = key->value == SITE_TAGS || key->value == SITE_WORDS_OF_TAGS;

    if ((key->value == SITE_DATE && !front->date.len) || (tags && !front->tags.count) ||
        (key->value == SITE_SUMMARY && !front->summary.len))
        return;
    buf_add_str(out, key->key);
    switch (key->value) {
    case SITE_LINE:
        break;
    case SITE_TITLE:
        write_string(out, front->title);
        break;
    case SITE_SUMMARY:
        write_string(out, front->summary);
        break;
    case SITE_DATE:
        buf_add_slice(out, front->date);
        break;
    case SITE_TAGS:
        write_tags(front, out);
        break;
    case SITE_WORDS_OF_TAGS:
        write_words(front, out);
        break;
    case SITE_NAME:
        buf_add_char(out, '"');
        site_write_name(front->name, out);
        buf_add_char(out, '"');
        break;
    }
    buf_add_char(out, '\n');
}

void site_write_front(const struct site *site, const struct site_key *keys,
                      const struct site_front *front, struct buf *out)
{
    if (!site->fence)
        return;
    buf_printf(out, "%s\n", site->fence);
    for (; keys->key; keys++)
        write_line(keys, front, out);
    buf_printf(out, site->titled ? "%s\n" : "%s", site->fence);
}
