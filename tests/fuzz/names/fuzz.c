/*
 * Makes names of functions from any bytes. The first byte gives kind and options.
 * The rest is the text of a frame: its name up to a TAB, then its module. Whatever
 * the bytes are, the result is a name in valid UTF-8, bounded and without ';'.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/utf8.h"
#include "input/build/frame.h"
#include "input/build/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct symbols *symbols, const struct frame_symbols *found, size_t limit)
{
    if (!found->count)
        BUG("a frame without a symbol");
    vec_each (uint32_t, id, found) {
        struct slice name = symbol_name(symbols, *id);

        if (!utf8_valid(name) || memchr(name.ptr, ';', name.len) || name.len > 3 * limit)
            BUG("a name that is none");
    }
}

/* Rules that frames do not go through here; the sanitizers check them. */
static void try_others(struct slice name)
{
    struct buf text = {0}, next = {0};

    names_add_java(&text, name);
    names_add_reference(&text, name, true);
    names_add_without_addresses(&next, buf_slice(&text));
    buf_release(&text);
    buf_release(&next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_options options = input_options_default();
    struct frame_symbols found = {0};
    struct frame frame = {0};
    struct symbols symbols = {0};
    struct buf scratch = {0};

    if (!size)
        return 0;
    frame.name = slice_make((const char *)data + 1, size - 1);
    frame.module = slice_skip(frame.name, slice_find(frame.name, '\t') + 1);
    frame.name = slice_take(frame.name, slice_find(frame.name, '\t'));
    frame.kind = data[0] & 3;
    options.no_demangling = data[0] & 4;
    options.strip_addresses = data[0] & 8;
    options.kernel = options.jit = options.inlined = data[0] & 16;
    options.addrs = data[0] & 32;
    options.names = data[0] & 64 ? NAMES_REFERENCE : NAMES_CLEAN;
    options.limits.max_name = data[0] & 128 ? 16 : 4096;
    frame_resolve(&frame, &options, &symbols, &scratch, &found);
    check(&symbols, &found, options.limits.max_name);
    try_others(frame.name);
    vec_release(&found);
    buf_release(&scratch);
    symbols_release(&symbols);
    return 0;
}
