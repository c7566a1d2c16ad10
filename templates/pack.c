/*
 * Writes the script that unpacks and runs a graph's program. The build runs it:
 *
 *     pack UNPACK < COMPRESSED > SCRIPT
 *
 * UNPACK is bundle/unpack.js. COMPRESSED as a string takes the place of the name PROGRAM, and its
 * size that of PROGRAM_SIZE. Its bits, lowest first, are written in groups of 13: a group is two
 * characters, GROUP % 91 and GROUP / 91, of the 91 in `alphabet`. That is 8 % shorter than base64.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"

enum { MOST = 16 << 20, BITS = 13, BASE = 91 };

/* The printable characters that have no meaning within a string in a CDATA section. */
static const char alphabet[BASE + 1] = " !#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "[^_`abcdefghijklmnopqrstuvwxyz{|}~";

static void write_group(struct buf *out, unsigned group)
{
    buf_add_char(out, alphabet[group % BASE]);
    buf_add_char(out, alphabet[group / BASE]);
}

static void write_packed(struct buf *out, const struct buf *bytes)
{
    unsigned waiting = 0, count = 0;

    for (size_t i = 0; i < bytes->len; i++) {
        waiting |= (unsigned)(unsigned char)bytes->ptr[i] << count;
        count += 8;
        if (count < BITS)
            continue;
        write_group(out, waiting & ((1U << BITS) - 1));
        waiting >>= BITS;
        count -= BITS;
    }
    if (count)
        write_group(out, waiting);
}

/* Returns the offset after `mark`, having copied the text from `at` to the mark. */
static size_t copy_to(struct buf *out, struct slice text, size_t at, struct slice mark)
{
    size_t found = slice_search(slice_skip(text, at), mark);

    if (at + found == text.len)
        die("the script that unpacks has no %.*s", SLICE_ARG(mark));
    buf_add(out, text.ptr + at, found);
    return at + found + mark.len;
}

int main(int count, char **arguments)
{
    struct buf unpack = {0}, bytes = {0}, script = {0}, why = {0};
    size_t at;

    if (count != 2 || !file_read(arguments[1], MOST, &unpack, &why) ||
        !file_read_fd(0, MOST, &bytes, &why))
        die("pack UNPACK < COMPRESSED: %s", buf_string(&why));
    at = copy_to(&script, buf_slice(&unpack), 0, SLICE("PROGRAM_SIZE"));
    buf_add_u64(&script, bytes.len);
    at = copy_to(&script, buf_slice(&unpack), at, SLICE("PROGRAM"));
    buf_add_char(&script, '"');
    write_packed(&script, &bytes);
    buf_add_char(&script, '"');
    buf_add_slice(&script, slice_skip(buf_slice(&unpack), at));
    if (fwrite(buf_string(&script), 1, script.len, stdout) != script.len || fflush(stdout))
        die("cannot write the script");
    buf_release(&unpack);
    buf_release(&bytes);
    buf_release(&script);
    buf_release(&why);
    return 0;
}
