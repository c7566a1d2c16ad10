#include "compare/codeowners.h"

#include <string.h>

#include "base/buf.h"

enum { PATTERN_MOST = 255, PATH_MOST = 4096 };

/* Cuts the next word off `line`; "\ " is a blank in a word. */
static struct slice next_word(struct slice *line)
{
    struct slice word;
    size_t n = 0;

    *line = slice_trim_left(*line);
    while (n < line->len && line->ptr[n] != ' ' && line->ptr[n] != '\t')
        n += line->ptr[n] == '\\' && n + 1 < line->len ? 2 : 1;
    word = slice_take(*line, n);
    *line = slice_skip(*line, n);
    return word;
}

static struct slice read_owners(struct codeowners *c, struct slice line)
{
    struct buf text = {0};
    struct slice word, owners;

    while ((word = next_word(&line)).len && word.ptr[0] != '#') {
        if (text.len)
            buf_add_char(&text, ' ');
        buf_add_slice(&text, word);
    }
    owners = arena_copy(&c->memory, buf_slice(&text));
    buf_release(&text);
    return owners;
}

static void add_rule(struct codeowners *c, struct slice line)
{
    struct slice pattern = next_word(&line);
    struct codeowners_rule rule = {0};

    if (!pattern.len || pattern.len > PATTERN_MOST || strchr("#![^", pattern.ptr[0]))
        return;
    rule.directory = slice_ends(pattern, SLICE("/"));
    pattern.len -= rule.directory;
    rule.anchored = slice_find(pattern, '/') < pattern.len;
    if (slice_starts(pattern, SLICE("/")))
        pattern = slice_skip(pattern, 1);
    rule.pattern = arena_copy(&c->memory, pattern);
    rule.owners = read_owners(c, line);
    *vec_add(&c->rules) = rule;
}

void codeowners_init(struct codeowners *c, struct slice text)
{
    struct slice line;

    *c = (struct codeowners){0};
    while (slice_line(&text, &line))
        add_rule(c, slice_trim(line));
}

void codeowners_release(struct codeowners *c)
{
    vec_release(&c->rules);
    arena_release(&c->memory);
}

/* ---- matching -------------------------------------------------------------------------------- */

/* One unit of a pattern: a character, '?', '*', or "**" with the slash after it. */
enum unit { UNIT_CHARACTER, UNIT_ANY, UNIT_STAR, UNIT_DIRECTORIES };

static enum unit next_unit(struct slice pattern, size_t *at, char *character)
{
    char c = pattern.ptr[(*at)++];

    *character = c;
    if (c == '?')
        return UNIT_ANY;
    if (c == '\\' && *at < pattern.len)
        *character = pattern.ptr[(*at)++];
    if (c != '*')
        return UNIT_CHARACTER;
    if (*at == pattern.len || pattern.ptr[*at] != '*')
        return UNIT_STAR;
    while (*at < pattern.len && pattern.ptr[*at] == '*')
        ++*at;
    *at += *at < pattern.len && pattern.ptr[*at] == '/';
    return UNIT_DIRECTORIES;
}

/*
 * Fills after[n] with whether the pattern matches the first n bytes of `path`. Work is the product
 * of the lengths.
 */
static void match_prefixes(struct slice pattern, struct slice path, bool *after)
{
    memset(after, 0, path.len + 1);
    after[0] = true;
    for (size_t at = 0; at < pattern.len;) {
        char c;
        enum unit unit = next_unit(pattern, &at, &c);
        bool open = false, before = false;

        for (size_t n = 0; n <= path.len; n++) {
            bool here = after[n], slash = n && path.ptr[n - 1] == '/';

            switch (unit) {
            case UNIT_CHARACTER:
                after[n] = n && before && path.ptr[n - 1] == c;
                break;
            case UNIT_ANY:
                after[n] = n && before && !slash;
                break;
            case UNIT_STAR:
                open = here || (open && !slash);
                after[n] = open;
                break;
            case UNIT_DIRECTORIES: /* nothing, or up to a slash; at the end of a pattern all */
                open = open || here;
                after[n] = here || (open && (slash || at == pattern.len));
                break;
            }
            before = here;
        }
    }
}

/* Whether the pattern matches the path from its start, or a directory of it. */
static bool matches_from(const struct codeowners_rule *rule, struct slice path, bool *after)
{
    match_prefixes(rule->pattern, path, after);
    if (after[path.len] && !rule->directory)
        return true;
    for (size_t n = 1; n < path.len; n++)
        if (after[n] && path.ptr[n] == '/')
            return true;
    return false;
}

/* Returns the next part of the path that may match: after the next slash. */
static struct slice next_part(struct slice path)
{
    size_t slash = slice_find(path, '/');

    return slice_skip(path, slash + 1);
}

static bool matches(const struct codeowners_rule *rule, struct slice path, bool anywhere,
                    bool *after)
{
    while (path.len) {
        if (matches_from(rule, path, after))
            return true;
        if (rule->anchored && !anywhere)
            return false;
        path = next_part(path);
    }
    return false;
}

struct slice codeowners_find(const struct codeowners *c, struct slice path)
{
    size_t scheme = slice_search(path, SLICE("://"));
    struct slice owners = {0};
    bool anywhere, *after;

    if (scheme < path.len)
        path = slice_skip(path, scheme + 2);
    anywhere = slice_starts(path, SLICE("/")) || slice_starts(path, SLICE("../"));
    while (slice_starts(path, SLICE("./")) || slice_starts(path, SLICE("/")))
        path = next_part(path);
    if (path.len > PATH_MOST)
        return owners;
    after = xcalloc(path.len + 1, sizeof(*after));
    for (size_t i = c->rules.count; i-- > 0;)
        if (matches(&c->rules.items[i], path, anywhere, after)) {
            owners = c->rules.items[i].owners;
            break;
        }
    free(after);
    return owners;
}
