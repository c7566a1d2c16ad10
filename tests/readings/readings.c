/*
 * Writes all that the readers make of files, as text, for the suite `readings`.
 *
 *     readings [OUT] < FILES                   of the files as they are
 *     readings --damaged NUMBER [OUT] < FILES  of each with damage of each kind, that often
 *
 * FILES are paths, one on each line. Each file is read in the four ways of shown.c. What is damaged
 * is the content of a file, decompressed; it is read in these ways in turns, and then the file with
 * tight limits. The text is written to OUT/FILE.txt. For each file a row is printed: its path, and
 * for each part of the text, or each kind of damage, the FNV-1a hash, which says what has changed
 * where no text is kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "damage.h"
#include "input/core/source.h"
#include "shown.h"

enum { MOST_BYTES = 1 << 26, LEAST_LIMITED = 12 };

/* ---- output ---- */

static uint64_t digest(struct slice text)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3;
    return hash;
}

static void print_digest(struct slice text)
{
    printf("\t%08x", (unsigned)(digest(text) >> 32));
}

/* Writes the text to DIRECTORY/PATH.txt. Returns false after reporting an error. */
static bool write_text(const char *directory, const char *path, struct slice text)
{
    struct buf name = {0};
    bool written;
    FILE *file;

    mkdir(directory, 0777);
    buf_printf(&name, "%s/", directory);
    for (const char *c = path; *c; c++) {
        if (*c == '/')
            mkdir(buf_string(&name), 0777);
        buf_add_char(&name, *c);
    }
    buf_add_str(&name, ".txt");
    file = fopen(buf_string(&name), "w");
    written = file && fwrite(text.ptr, 1, text.len, file) == text.len;
    if (!file || fclose(file) || !written)
        perror(buf_string(&name));
    buf_release(&name);
    return written;
}

/* ---- files as they are ---- */

/* What is written of one file: the text of each part of each way. */
struct written {
    struct buf parts[WAYS][PARTS];
};

static void written_release(struct written *w)
{
    for (unsigned way = 0; way < WAYS; way++)
        for (unsigned part = 0; part < PARTS; part++)
            buf_release(&w->parts[way][part]);
}

/* Appends the readings. A part that is the same as that of an earlier way is not repeated. */
static void join(const struct written *w, struct buf *out)
{
    for (unsigned way = 0; way < WAYS; way++) {
        buf_printf(out, "%s== %s\n", way ? "\n" : "", show_way(way));
        for (unsigned part = 0; part < PARTS; part++) {
            struct slice text = buf_slice(&w->parts[way][part]);
            unsigned same = 0;

            while (same < way && !slice_equal(buf_slice(&w->parts[same][part]), text))
                same++;
            if (same == way)
                buf_add_slice(out, text);
        }
    }
}

static void print_parts(const struct written *w)
{
    for (unsigned part = 0; part < PARTS; part++) {
        struct buf all = {0};

        for (unsigned way = 0; way < WAYS; way++)
            buf_add_slice(&all, buf_slice(&w->parts[way][part]));
        print_digest(buf_slice(&all));
        buf_release(&all);
    }
}

static void read_whole(const char *path, struct buf *out)
{
    struct written w = {0};

    for (unsigned way = 0; way < WAYS; way++)
        show_reading(path, (struct slice){0}, way, NULL, w.parts[way]);
    join(&w, out);
    print_parts(&w);
    written_release(&w);
}

/* ---- damaged files ---- */

/* Appends a reading under a heading. */
static void read_under(const char *heading, unsigned number, const char *path, struct slice bytes,
                       const struct input_limits *limits, struct buf *out)
{
    struct buf parts[PARTS] = {0};

    buf_printf(out, "== %s %u, %s\n", heading, number, show_way(number % WAYS));
    show_reading(path, bytes, number % WAYS, limits, parts);
    for (unsigned part = 0; part < PARTS; part++) {
        buf_add_slice(out, buf_slice(&parts[part]));
        buf_release(&parts[part]);
    }
}

static void read_damaged(struct slice bytes, enum damage kind, unsigned number, struct buf *out)
{
    struct buf damaged = {0};

    damage_write(bytes, kind, number, &damaged);
    read_under(damage_name(kind), number, NULL, buf_slice(&damaged), NULL, out);
    buf_release(&damaged);
}

static void read_limited(const char *path, unsigned count, struct buf *out)
{
    for (unsigned i = 0; i < count; i++) {
        struct input_limits limits = show_limits(i);

        read_under("limited", i, path, (struct slice){0}, &limits, out);
    }
}

/* Reads the decompressed content of a file. Returns false after reporting an error. */
static bool read_content(const char *path, struct buf *out)
{
    struct source source;
    struct diag diag;
    struct buf why = {0};
    size_t got;

    diag_init(&diag, slice_str(path));
    if (source_open(&source, path, MOST_BYTES, &diag))
        while ((got = source_read(&source, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK)) > 0)
            out->len += got;
    diag_write(&diag, &why, false);
    fputs(buf_string(&why), stderr);
    buf_release(&why);
    diag_release(&diag);
    source_release(&source);
    return !diag.counts[DIAG_ERROR];
}

static bool read_damages(const char *path, unsigned count, struct buf *out)
{
    struct buf bytes = {0};
    bool read = read_content(path, &bytes);

    for (unsigned kind = 0; read && kind < DAMAGES; kind++) {
        size_t begin = out->len;

        for (unsigned i = 0; i < count; i++)
            read_damaged(buf_slice(&bytes), (enum damage)kind, i, out);
        print_digest(slice_skip(buf_slice(out), begin));
    }
    buf_release(&bytes);
    if (read) {
        size_t begin = out->len;

        read_limited(path, count < LEAST_LIMITED ? LEAST_LIMITED : count, out);
        print_digest(slice_skip(buf_slice(out), begin));
    }
    return read;
}

int main(int argc, char **argv)
{
    unsigned damages = 0;
    char path[4096];

    if (argc > 2 && strcmp(argv[1], "--damaged") == 0) {
        damages = (unsigned)strtoul(argv[2], NULL, 10);
        argc -= 2;
        argv += 2;
    }
    while (fgets(path, sizeof(path), stdin)) {
        struct buf text = {0};
        bool done = true;

        path[strcspn(path, "\n")] = '\0';
        printf("%s", path);
        if (damages)
            done = read_damages(path, damages, &text);
        else
            read_whole(path, &text);
        printf("\n");
        done = done && (argc < 2 || write_text(argv[1], path, buf_slice(&text)));
        buf_release(&text);
        if (!done)
            return 1;
    }
    return 0;
}
