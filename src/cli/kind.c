#include "cli/kind.h"

#include "base/suggest.h"
#include "prepare/kind.h"

bool kind_check(const char *name, struct buf *why)
{
    struct suggest near;

    if (kind_find(slice_str(name)))
        return true;
    suggest_init(&near, name);
    buf_printf(why, "invalid value '%s', expected one of:", name);
    for (const struct kind *k = kinds; k->name; k++) {
        suggest_offer(&near, k->name);
        buf_printf(why, " %s", k->name);
    }
    suggest_write(&near, "", why);
    return false;
}
