#include "input/parse/head.h"

#include "input/parse/json.h"

/* Keeps the path of a member, and the text of its first occurrence. */
static void add_path(void *context, struct slice path, struct slice text)
{
    struct head *h = context;
    uint32_t id;

    if (path.len > HEAD_PATH || h->text_of.count == HEAD_PATHS)
        return;
    id = intern_add(&h->paths, path);
    if (id == h->text_of.count)
        *vec_add(&h->text_of) = intern_add(&h->texts, slice_take(text, HEAD_TEXT));
}

void head_init(struct head *h, struct slice bytes, bool whole)
{
    struct slice start = slice_trim_left(bytes);

    *h = (struct head){.bytes = bytes, .whole = whole};
    h->is_json = start.len && (start.ptr[0] == '{' || start.ptr[0] == '[');
    if (h->is_json)
        h->intact = json_outline(bytes, HEAD_OUTLINE_DEPTH, add_path, h);
}

void head_release(struct head *h)
{
    release_each(h, (intern, paths, texts), (vec, text_of));
}

bool head_has(const struct head *h, const char *path)
{
    return intern_find(&h->paths, slice_str(path)) != MAP_NONE;
}

bool head_any(const struct head *h, const char *const *paths)
{
    for (; *paths; paths++)
        if (head_has(h, *paths))
            return true;
    return false;
}

struct slice head_text(const struct head *h, const char *path)
{
    uint32_t id = intern_find(&h->paths, slice_str(path));

    return id == MAP_NONE ? SLICE("") : intern_get(&h->texts, h->text_of.items[id]);
}

struct slice head_lines(const struct head *h, size_t most)
{
    struct slice rest = h->bytes;

    while (most-- && rest.len)
        rest = slice_skip(rest, slice_find(rest, '\n') + 1);
    return slice_take(h->bytes, h->bytes.len - rest.len);
}

struct slice head_first(const struct head *h)
{
    head_each (line, h)
        if (slice_trim(line).len)
            return line;
    return SLICE("");
}

bool head_words(struct slice line, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slice word = slice_str(words[i]);

        line = slice_trim_left(line);
        if (!slice_starts(line, word))
            return false;
        line = slice_skip(line, word.len);
        if (line.len && !slice_is_blank(line.ptr[0]))
            return false;
    }
    return true;
}
