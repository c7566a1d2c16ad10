/*
 * Writes all that the readers make of files, as text, for the suite `readings`.
 *
 *     readings [--leaks] OUT < FILES               of the files as they are
 *     readings [--leaks] --damaged=N OUT < FILES   of each N times with each kind of damage
 *
 * FILES are paths, one on each line. Each file is read in the five ways of shown.c. What is damaged
 * is the content of a file, decompressed; it is read in these ways in turns, and then the file with
 * tight limits. The text is written to OUT/FILE.txt, unless OUT is -. For each file a row is
 * printed: its path, and for each part of the text, or each kind of damage, the FNV-1a hash, which
 * says what has changed where no text is kept. The program fails at a file whose text contradicts
 * itself, and with --leaks at a file that leaks memory.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "damage.h"
#include "input/core/source.h"
#include "shown.h"

enum { MOST_BYTES = 1 << 26, LEAST_LIMITED = 12, FEW_DAMAGES = 10 };

/* ---- output ---- */

static uint64_t digest(struct slice text)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3;
    return hash;
}

/* Prints a digest, unless `row` is NULL. */
static void print_digest(struct slice text, FILE *row)
{
    if (row)
        fprintf(row, "\t%08x", (unsigned)(digest(text) >> 32));
}

/* Writes the text to DIRECTORY/PATH.txt. Returns false after reporting an error. */
static bool write_text(const char *directory, const char *path, struct slice text)
{
    struct buf name = {0};
    bool written;
    FILE *file;

    if (strcmp(directory, "-") == 0)
        return true;
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

static void print_parts(const struct written *w, FILE *row)
{
    for (unsigned part = 0; part < PARTS; part++) {
        struct buf all = {0};

        for (unsigned way = 0; way < WAYS; way++)
            buf_add_slice(&all, buf_slice(&w->parts[way][part]));
        print_digest(buf_slice(&all), row);
        buf_release(&all);
    }
}

static void read_whole(const char *path, struct buf *out, FILE *row)
{
    struct written w = {0};

    for (unsigned way = 0; way < WAYS; way++)
        show_reading(path, (struct slice){0}, way, NULL, w.parts[way]);
    join(&w, out);
    print_parts(&w, row);
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

static bool read_damages(const char *path, unsigned count, struct buf *out, FILE *row)
{
    struct buf bytes = {0};
    bool read = read_content(path, &bytes);

    for (unsigned kind = 0; read && kind < DAMAGES; kind++) {
        size_t begin = out->len;

        for (unsigned i = 0; i < count; i++)
            read_damaged(buf_slice(&bytes), (enum damage)kind, i, out);
        print_digest(slice_skip(buf_slice(out), begin), row);
    }
    buf_release(&bytes);
    if (read) {
        size_t begin = out->len;

        read_limited(path, count < LEAST_LIMITED ? LEAST_LIMITED : count, out);
        print_digest(slice_skip(buf_slice(out), begin), row);
    }
    return read;
}

/* Reads the file as it is, or with damage. Returns false after reporting an error. */
static bool read_one(const char *path, unsigned damages, struct buf *out, FILE *row)
{
    if (damages)
        return read_damages(path, damages, out, row);
    read_whole(path, out, row);
    return true;
}

/*
 * Reads the file twice more. Returns false after reporting that more memory is in use after the
 * last time than before it: a leak. The number is exact if GLIBC_TUNABLES turns off the cache of
 * threads.
 */
static bool check_leaks(const char *path, unsigned damages)
{
    size_t used[2];

    for (unsigned round = 0; round < 2; round++) {
        struct buf text = {0};

        read_one(path, damages < FEW_DAMAGES ? damages : FEW_DAMAGES, &text, NULL);
        buf_release(&text);
        used[round] = mallinfo2().uordblks;
    }
    if (used[0] == used[1])
        return true;
    fprintf(stderr, "readings: %s: %zd bytes leak\n", path, (ssize_t)(used[1] - used[0]));
    return false;
}

int main(int argc, char **argv)
{
    unsigned damages = 0;
    bool leaks = false;
    char path[4096];

    for (; argc > 2 && argv[1][0] == '-'; argc--, argv++) {
        leaks = leaks || strcmp(argv[1], "--leaks") == 0;
        if (strncmp(argv[1], "--damaged=", 10) == 0)
            damages = (unsigned)strtoul(argv[1] + 10, NULL, 10);
    }
    while (argc == 2 && fgets(path, sizeof(path), stdin)) {
        struct buf text = {0};
        bool done;

        path[strcspn(path, "\n")] = '\0';
        printf("%s", path);
        done = read_one(path, damages, &text, stdout);
        printf("\n");
        done = done && write_text(argv[1], path, buf_slice(&text)) &&
               (!leaks || check_leaks(path, damages));
        buf_release(&text);
        if (!done)
            return 1;
    }
    return argc != 2;
}
