#include "options/glob.h"

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

bool options_check_glob(const char *glob, struct buf *why)
{
    const char *p = glob;

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
