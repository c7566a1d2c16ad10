#include "base/glob.h"

#include <fnmatch.h>
#include <string.h>

/* Returns the end of the set that begins at `p` with '[', or NULL if it has none. */
static const char *skip_set(const char *p)
{
    p++;
    if (*p == '!' || *p == '^')
        p++;
    /* The first character of a set is not its end. */
    if (*p == ']')
        p++;
    for (; *p && *p != ']'; p++) {
        if (p[0] == '\\' && p[1]) {
            p++;
        } else if (p[0] == '[' && p[1] && strchr(":.=", p[1])) {
            const char end[] = {p[1], ']', '\0'};
            const char *closed = strstr(p + 2, end);

            if (closed)
                p = closed + 1;
        }
    }
    return *p ? p + 1 : NULL;
}

bool glob_check(const char *glob, struct buf *why)
{
    const char *p = glob;

    if (strlen(glob) > GLOB_LONGEST) {
        buf_printf(why, "a pattern of paths has at most %d bytes", GLOB_LONGEST);
        return false;
    }
    if (!*p)
        buf_add_str(why, "expected a pattern of paths, found nothing");
    while (*p) {
        const char *end = *p == '[' ? skip_set(p) : p + 1 + (*p == '\\');

        if (!end || end > glob + strlen(glob)) {
            buf_printf(why, "'%s' is no pattern of paths: '%c' begins something that has no end",
                       glob, *p);
            return false;
        }
        p = end;
    }
    return *glob != '\0';
}

/* Returns the end of what begins at `p` and matches one character. */
static const char *skip_one(const char *p)
{
    const char *end = *p == '[' ? skip_set(p) : NULL;

    return end ? end : p + 1 + (*p == '\\' && p[1]);
}

/* Whether a set in brackets has a character; the C library reads classes and ranges. */
static bool set_has(const char *set, const char *end, char c)
{
    const char text[] = {c, '\0'};
    char pattern[GLOB_LONGEST + 1];
    size_t length = (size_t)(end - set);

    memcpy(pattern, set, length);
    pattern[length] = '\0';
    return fnmatch(pattern, text, 0) == 0;
}

/* Whether what begins at `p` and is no '*' matches the character. */
static bool one_matches(const char *p, char c)
{
    const char *end = skip_one(p);

    if (*p == '?')
        return true;
    if (*p == '[' && end > p + 1)
        return set_has(p, end, c);
    return c == (*p == '\\' && p[1] ? p[1] : *p);
}

size_t glob_cost(const char *glob)
{
    size_t longest = 0;

    for (const char *p = glob; *p;) {
        size_t part = strcspn(p, "*");

        longest = part > longest ? part : longest;
        p += part + (p[part] != '\0');
    }
    return longest + 1;
}

/*
 * A part between two '*' is best matched where it first can be, so only the last '*' is ever
 * tried again.
 */
bool glob_matches(const char *glob, const char *path)
{
    const char *star = NULL, *again = NULL;

    if (strlen(glob) > GLOB_LONGEST)
        return false;
    while (*path) {
        if (*glob == '*') {
            star = ++glob;
            again = path;
        } else if (*glob && one_matches(glob, *path)) {
            glob = skip_one(glob);
            path++;
        } else if (star) {
            glob = star;
            path = ++again;
        } else {
            return false;
        }
    }
    return glob[strspn(glob, "*")] == '\0';
}
