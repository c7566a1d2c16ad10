#include "input/parse/entities.h"

#include "base/num.h"
#include "base/utf8.h"

enum { LONGEST = 10 }; /* of an entity, in bytes */

/* Appends what an entity means, "&lt;" without '&' and ';'. Returns false if it is not known. */
static bool add_meaning(struct buf *out, struct slice name)
{
    static const struct {
        const char *name;
        char byte;
    } names[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    uint64_t number;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!slice_equal(name, slice_str(names[i].name)))
            continue;
        buf_add_char(out, names[i].byte);
        return true;
    }
    if (!slice_starts(name, SLICE("#")))
        return false;
    name = slice_skip(name, 1);
    if (slice_starts(name, SLICE("x")) ? !num_parse_hex(slice_skip(name, 1), &number)
                                       : !num_parse_u64(name, &number))
        return false;
    if (!number || number > 0x10ffff || (number >= 0xd800 && number < 0xe000))
        return false;
    utf8_encode(out, (uint32_t)number);
    return true;
}

void entities_add(struct buf *out, struct slice text)
{
    while (text.len) {
        size_t plain = slice_find(text, '&'), end;
        struct slice name;

        buf_add_slice(out, slice_take(text, plain));
        text = slice_skip(text, plain);
        if (!text.len)
            return;
        name = slice_take(slice_skip(text, 1), LONGEST);
        end = slice_find(name, ';');
        if (end < name.len && add_meaning(out, slice_take(name, end))) {
            text = slice_skip(text, end + 2);
        } else {
            buf_add_char(out, '&');
            text = slice_skip(text, 1);
        }
    }
}
