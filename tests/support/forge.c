/*
 * Gives a part of a report other options and paths, as a hostile machine could:
 *
 *     forge PARTS/1-of-2/.flamepress.part [--OPTION...] [-- PATH...]
 *
 * The digest at its end is right. Without "--" the paths stay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "batch/part.h"
#include "report/graph_codec.h"

static void skip_number(struct slice *in)
{
    uint64_t value;

    if (!graph_codec_read_number(in, &value))
        abort();
}

static void skip_text(struct slice *in)
{
    struct slice text;

    if (!graph_codec_read_text(in, &text))
        abort();
}

/* Moves `in` behind a list of words. */
static void skip_words(struct slice *in)
{
    uint64_t count;

    if (!graph_codec_read_number(in, &count))
        abort();
    while (count--)
        skip_text(in);
}

static void add_words(struct buf *out, char **words, int count)
{
    graph_codec_write_number(out, (uint64_t)count);
    for (int i = 0; i < count; i++)
        graph_codec_write_text(out, slice_str(words[i]));
}

int main(int argc, char **argv)
{
    struct buf file = {0}, out = {0}, why = {0};
    unsigned char digest[BLAKE_SIZE];
    struct slice in;
    struct blake all;
    int words = 2;

    if (argc < 2 || !file_read(argv[1], 1 << 20, &file, &why) || file.len < BLAKE_SIZE)
        return 1;
    while (words < argc && strcmp(argv[words], "--") != 0)
        words++;
    in = slice_take(buf_slice(&file), file.len - BLAKE_SIZE);
    in = slice_skip(in, slice_find(in, '\n') + 1);
    for (int i = 0; i < 2; i++)
        skip_text(&in); /* the program */
    for (int i = 0; i < 2; i++)
        skip_number(&in);
    for (int i = 0; i < 2; i++)
        skip_text(&in); /* digests */
    buf_add(&out, file.ptr, (size_t)(in.ptr - file.ptr));
    skip_words(&in);
    add_words(&out, argv + 2, words - 2);
    if (words < argc) {
        skip_words(&in);
        add_words(&out, argv + words + 1, argc - words - 1);
    }
    buf_add_slice(&out, in);
    blake_init(&all);
    blake_add(&all, buf_slice(&out));
    blake_end(&all, digest);
    buf_add(&out, digest, BLAKE_SIZE);
    return !file_replace(argv[1], buf_slice(&out), &why);
}
