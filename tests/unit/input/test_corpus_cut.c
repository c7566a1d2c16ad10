/*
 * Cuts every file of the corpora at fifty places that depend on its content: no
 * reader crashes or hangs. A series of a cut file has at most the weight that it
 * has in the whole file. If it has more, or if the format cannot be read without
 * its end, there must be a message.
 */

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "input/core/source.h"
#include "input/walk.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

TestSuite(input_corpus_cut, .init = corpus_need);

enum { CUTS = 50, PARTS = 4, MOST_BYTES = 300 * 1000 };

/*
 * Returns the decompressed content of a file, so that cuts are in the profile and not in its
 * compression.
 */
static void read_content(const char *path, struct buf *out)
{
    struct source s;
    struct diag diag;
    size_t n;

    diag_init(&diag, slice_make(NULL, 0));
    if (source_open(&s, path, UINT64_MAX, &diag))
        do {
            n = source_read(&s, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK);
            out->len += n;
        } while (n);
    source_release(&s);
    diag_release(&diag);
}

/* Reads without the binaries of this machine, which recordings of perf may name. */
static void read_bytes(struct reading *r, int fd, struct slice bytes)
{
    struct input_options options = input_options_default();
    char path[64];

    options.symfs = options.kallsyms = "/nowhere";
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    cr_assert(ftruncate(fd, 0) == 0);
    cr_assert(pwrite(fd, bytes.ptr, bytes.len, 0) == (ssize_t)bytes.len);
    reading_path(r, path, "in", &options, 1);
}

/* Returns whether there is a message other than the one that names the format. */
static bool spoke(const struct reading *r)
{
    vec_each (struct diag_message, m, &r->diag.messages)
        if (!reading_recognised(m))
            return true;
    return false;
}

static bool is_lighter(const struct profile *part, const struct profile *whole)
{
    uint64_t mine =
        num_pow10(whole->decimals > part->decimals ? whole->decimals - part->decimals : 0);
    uint64_t theirs =
        num_pow10(part->decimals > whole->decimals ? part->decimals - whole->decimals : 0);

    for (size_t i = 0; i < part->series.count; i++) {
        const struct series *s = &part->series.items[i];
        uint32_t id = profile_find_series(whole, s->name);

        if (id == SERIES_NONE || s->total * mine > whole->series.items[id].total * theirs)
            return false;
    }
    return true;
}

static void cut_file(const char *name, struct slice content, int fd)
{
    uint64_t state = hash_bytes(content.ptr, content.len);
    struct reading whole, part;

    read_bytes(&whole, fd, content);
    if (whole.result == INPUT_READ)
        for (unsigned i = 0; i < CUTS; i++) {
            size_t len = (size_t)((state = hash_mix(state, i)) % content.len);

            read_bytes(&part, fd, slice_take(content, len));
            if (part.result == INPUT_READ && part.profile.format == whole.profile.format)
                cr_expect(spoke(&part) || is_lighter(&part.profile, &whole.profile),
                          "%s, cut at %zu: heavier than the whole, and nothing is said", name, len);
            reading_release(&part);
        }
    reading_release(&whole);
}

/* Cuts one of PARTS shares of the files below `directory`; shares run in parallel. */
static void cut_share(const char *directory, unsigned share)
{
    struct paths all = {0};
    struct diag diag;
    struct buf path = {0}, content = {0};
    int fd = memfd_create("cut", 0);

    cr_assert(fd >= 0);
    diag_init(&diag, slice_make(NULL, 0));
    cr_assert(walk_directory(directory, NULL, &all, &diag));
    for (size_t i = share; i < all.items.count; i += PARTS) {
        const struct slice *name = &all.items.items[i];

        if (slice_search(*name, SLICE("expected/")) < name->len)
            continue;
        buf_clear(&content);
        buf_clear(&path);
        buf_printf(&path, "%s/%s", directory, name->ptr);
        read_content(buf_string(&path), &content);
        /*
         * Only the start of very long files is cut; shorter files of the same format are cut
         * elsewhere.
         */
        if (content.len)
            cut_file(name->ptr, slice_take(buf_slice(&content), MOST_BYTES), fd);
    }
    close(fd);
    walk_paths_release(&all);
    diag_release(&diag);
    buf_release(&path);
    buf_release(&content);
}

static void cut_collection(unsigned share)
{
    struct buf path = {0};

    cut_share(corpus_path(&path, "."), share);
    buf_release(&path);
}

Test(input_corpus_cut, first_share)
{
    cut_collection(0);
}

Test(input_corpus_cut, second_share)
{
    cut_collection(1);
}

Test(input_corpus_cut, third_share)
{
    cut_collection(2);
}

Test(input_corpus_cut, fourth_share)
{
    cut_collection(3);
}

/* The files of tests/corpus are cut even if there is no collection. */
static void cut_own(unsigned share)
{
    cut_share("tests/corpus", share);
}

Test(input_own_cut, first_share)
{
    cut_own(0);
}

Test(input_own_cut, second_share)
{
    cut_own(1);
}

Test(input_own_cut, third_share)
{
    cut_own(2);
}

Test(input_own_cut, fourth_share)
{
    cut_own(3);
}
