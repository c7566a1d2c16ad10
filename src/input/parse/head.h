/*
 * What a format is recognised by: the first bytes of the content.
 *
 * For JSON, whose members come in any order, an outline is made once for all
 * formats: the paths of the members met in these bytes, down to
 * HEAD_OUTLINE_DEPTH names, arrays written as "[]":
 *
 *     {"meta":{"version":5},"threads":[{"name":"Main"}]}
 *     meta   meta.version   threads   threads[].name
 *
 * An array at the top gives "[].ph". The head owns the outline, not the bytes.
 */
#ifndef INPUT_PARSE_HEAD_H
#define INPUT_PARSE_HEAD_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"

enum {
    HEAD_OUTLINE_DEPTH = 5, /* names in a path */
    HEAD_TEXT = 256,        /* bytes kept of a string */
    HEAD_PATH = 4096,       /* bytes of the longest path that is kept */
    HEAD_PATHS = 1 << 16,   /* paths that are kept */
};

struct head {
    struct slice bytes; /* content, at most SOURCE_HEAD bytes of it */
    bool whole;         /* they are the whole content; if not, the last line may be cut */
    bool is_json;       /* the first byte that is not blank opens an object or an array */
    bool intact;        /* JSON: these bytes are well-formed, as far as they go */
    const char *path;   /* of the file, borrowed; NULL if the content has none */
    struct intern paths;
    struct intern texts;   /* the first string of each path; by id through `text_of` */
    VEC(uint32_t) text_of; /* by path */
};

void head_init(struct head *h, struct slice bytes, bool whole);
void head_release(struct head *h);

/* JSON: a member with this path is among the first bytes. False for anything else. */
bool head_has(const struct head *h, const char *path);
/* JSON: whether one of the paths is there: head_has_any(h, "a", "b") */
bool head_any(const struct head *h, const char *const *paths);
#define head_has_any(h, ...) head_any(h, SLICE_WORDS(__VA_ARGS__))
/* JSON: the first string with this path, cut at HEAD_TEXT bytes; empty if there is none. */
struct slice head_text(const struct head *h, const char *path);

/*
 * Text: takes the next line, without its end, off `*rest`, which is h->bytes
 * to begin with. A last line that may be cut is not given.
 */
static inline bool head_line(const struct head *h, struct slice *rest, struct slice *line)
{
    size_t end = slice_find(*rest, '\n');

    if (end == rest->len && (!h->whole || !end))
        return false;
    *line = slice_take(*rest, end);
    if (end && line->ptr[end - 1] == '\r')
        line->len--;
    *rest = slice_skip(*rest, end + 1);
    return true;
}

/* Text: the first `most` lines. */
struct slice head_lines(const struct head *h, size_t most);

/* Text: for each line, or each of the first `most`: head_each (line, head) ... */
#define head_each(line, h) HEAD_EACH(line, h, (h)->bytes)
#define head_each_of(line, h, most) HEAD_EACH(line, h, head_lines(h, most))
#define HEAD_EACH(line, h, lines)                                                                  \
    for (struct slice rest_##line = (lines), line = {0}; head_line(h, &rest_##line, &line);)

/* Text: the first line that is not blank, or an empty slice. */
struct slice head_first(const struct head *h);

/* Text: whether a line begins with these words. */
bool head_words(struct slice line, const char *const *words, size_t count);

#endif
