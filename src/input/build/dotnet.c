#include "input/build/dotnet.h"

/* The value of a field, "|ns:" for example, up to the next one. Empty if there is none. */
static struct slice field(struct slice text, struct slice key)
{
    size_t at = slice_search(text, key), depth = 0, end;

    if (at == text.len)
        return SLICE("");
    text = slice_skip(text, at + key.len);
    /* Types in braces, as parameters, have fields of their own. */
    for (end = 0; end < text.len && (depth || text.ptr[end] != '|'); end++) {
        if (text.ptr[end] == '{')
            depth++;
        else if (text.ptr[end] == '}' && depth)
            depth--;
    }
    return slice_trim(slice_take(text, end));
}

/* Appends "<T>" as it is, and "{|ns:System |ct:Int32}" as "<System.Int32>". */
static void add_parameters(struct buf *out, struct slice s)
{
    const struct slice space = SLICE("|ns:"), type = SLICE(" |ct:");

    while (s.len) {
        size_t taken = 1;

        if (slice_starts(s, space)) {
            taken = space.len;
            if (slice_starts(slice_skip(s, taken), type))
                taken += type.len;
        } else if (slice_starts(s, type)) {
            taken = type.len;
            buf_add_char(out, '.');
        } else {
            buf_add_char(out, s.ptr[0] == '{' ? '<' : s.ptr[0] == '}' ? '>' : s.ptr[0]);
        }
        s = slice_skip(s, taken);
    }
}

bool dotnet_add_name(struct buf *out, struct slice text, struct slice *module)
{
    const struct slice parts[] = {field(text, SLICE("|ns:")), field(text, SLICE("|ct:")),
                                  field(text, SLICE("|fn:"))};
    const struct slice generic[] = {SLICE(""), field(text, SLICE("|cg:")),
                                    field(text, SLICE("|fg:"))};
    size_t from = out->len;

    if (!slice_starts(text, SLICE("|lm:")) || !parts[2].len)
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!parts[i].len)
            continue;
        if (out->len > from)
            buf_add_char(out, '.');
        buf_add_slice(out, parts[i]);
        add_parameters(out, generic[i]);
    }
    *module = field(text, SLICE("|lm:"));
    if (slice_starts(*module, SLICE("[")))
        *module = SLICE("");
    return true;
}
