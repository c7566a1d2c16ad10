#include "compare/sources.h"

#include <string.h>

#include "base/ascii.h"

/* Appends a value to an address. Encodes all but unreserved characters (RFC 3986) and slashes. */
static void add_value(struct buf *out, struct slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];

        if (ascii_is_digit(value.ptr[i]) || ascii_is_letter(value.ptr[i]) ||
            (c && strchr("-._~/@", c)))
            buf_add_char(out, (char)c);
        else
            buf_printf(out, "%%%02X", c);
    }
}

/* Returns the path of a file without what no path in a repository begins with. */
static struct slice path_of(struct slice file)
{
    if (slice_starts(file, SLICE("file://")))
        file = slice_skip(file, 7);
    while (slice_starts(file, SLICE("./")) || slice_starts(file, SLICE("/")))
        file = slice_skip(file, file.ptr[0] == '/' ? 1 : 2);
    return file;
}

/* A name in braces, and what it stands for; empty if that is unknown. */
struct placeholder {
    struct slice name, value;
};

static struct slice expand(struct slice link, const struct placeholder *known, size_t count,
                           struct arena *memory)
{
    struct buf out = {0};
    struct slice text = {0};
    bool ok = true;

    while (ok && link.len) {
        size_t i = 0;

        while (i < count && !slice_starts(link, known[i].name))
            i++;
        if (i == count) {
            buf_add_char(&out, link.ptr[0]);
            link = slice_skip(link, 1);
            continue;
        }
        ok = known[i].value.len > 0;
        add_value(&out, known[i].value);
        link = slice_skip(link, known[i].name.len);
    }
    if (ok)
        text = arena_copy(memory, buf_slice(&out));
    buf_release(&out);
    return text;
}

static struct slice link_of(const struct finding *f, struct slice link, struct slice commit,
                            struct arena *memory)
{
    struct slice line = slice_str(f->line ? arena_printf(memory, "%u", f->line) : "");
    const struct placeholder known[] = {
        {SLICE("{commit}"), commit}, {SLICE("{file}"), path_of(f->file)}, {SLICE("{line}"), line}};

    if (!slice_starts(link, SLICE("https://")) && !slice_starts(link, SLICE("http://")))
        return SLICE("");
    return expand(link, known, sizeof(known) / sizeof(*known), memory);
}

void sources_add(struct compared_service *s, struct slice link, struct slice commit,
                 const struct codeowners *owners, struct arena *memory)
{
    vec_each (struct finding, f, &s->findings) {
        if (!f->file.len)
            continue;
        f->link = link_of(f, link, commit, memory);
        if (owners)
            f->owner = arena_copy(memory, codeowners_find(owners, f->file));
    }
}
