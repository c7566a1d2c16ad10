/*
 * Reads any bytes by one reader. The part of the program's name after "reader-" is
 * the format, so one program with many names is a fuzz target for each format. The
 * option --formats prints these names.
 *
 * The result must be a valid tree whose total is the sum of its weights. Reading
 * the bytes again must give the same result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../support/formats.h"
#include "support/tree_check.h"

static const struct format *format;
static int content_fd;

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < registry_count; i++)
        if (strcmp(registry_formats[i]->name, name) == 0)
            return registry_formats[i];
    return NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = strstr((*argv)[0], "reader-");

    if (*argc > 1 && strcmp((*argv)[1], "--formats") == 0) {
        for (size_t i = 0; i < registry_count; i++)
            puts(registry_formats[i]->name);
        exit(0);
    }
    format = name ? find_format(name + strlen("reader-")) : NULL;
    BUG_ON(!format);
    content_fd = memfd_create("content", 0);
    BUG_ON(content_fd < 0);
    return 0;
}

struct fuzz_run {
    struct profile profile;
    struct diag diag;
    bool read;
};

static void run_init(struct fuzz_run *r, const struct input_options *options)
{
    struct source source;
    char path[64];

    profile_init(&r->profile);
    diag_init(&r->diag, slice_make(NULL, 0));
    r->read = false;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", content_fd);
    if (source_open(&source, path, options->limits.max_size, &r->diag)) {
        struct slice bytes;
        struct head head;
        bool whole;

        bytes = source_head(&source, &whole);
        head_init(&head, bytes, whole);
        registry_find(&head);
        r->read = registry_read(format, &source, &head, options, 1, &r->profile, &r->diag);
        head_release(&head);
    }
    source_release(&source);
}

static void run_release(struct fuzz_run *r)
{
    profile_release(&r->profile);
    diag_release(&r->diag);
}

static void check_series(const struct profile *p, uint32_t id)
{
    const struct series *s = &p->series.items[id];
    uint64_t sum = 0;
    struct tree t;
    struct buf why = {0};

    for (uint32_t i = 0; i < s->count; i++)
        BUG_ON(!num_add(sum, s->weight[i], &sum));
    BUG_ON(sum != s->total);
    tree_init(&t, p, id, &(struct tree_options){0});
    BUG_ON(!tree_check(&t, &why));
    BUG_ON(tree_weight(&t) != s->total);
    tree_release(&t);
    buf_release(&why);
}

static void check_same(const struct fuzz_run *a, const struct fuzz_run *b)
{
    BUG_ON(a->read != b->read || a->profile.series.count != b->profile.series.count);
    for (size_t i = 0; i < a->profile.series.count; i++) {
        const struct series *one = &a->profile.series.items[i], *two = &b->profile.series.items[i];

        BUG_ON(one->total != two->total || one->count != two->count);
        BUG_ON(!slice_equal(one->name, two->name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FEW_SERIES = 16 };
    struct input_options options = input_options_default();
    struct fuzz_run first, second;

    /* Files of a collection are seeds as they are, so their size chooses the options. */
    options.names = size & 1 ? NAMES_REFERENCE : NAMES_CLEAN;
    options.kernel = options.jit = options.inlined = size & 2;
    options.addrs = size & 4;
    options.srcline = size & 8;
    options.split_process = size & 16;
    options.split_thread = size & 32;
    options.symfs = "/nowhere"; /* no binary of this machine is read */
    options.kallsyms = "/nowhere";
    options.limits.max_size = 4 << 20;
    options.limits.max_name = 1000;
    options.limits.max_depth = 2000;
    BUG_ON(ftruncate(content_fd, 0) != 0);
    BUG_ON(pwrite(content_fd, data, size, 0) != (ssize_t)size);

    run_init(&first, &options);
    run_init(&second, &options);
    check_same(&first, &second);
    for (uint32_t i = 0; i < first.profile.series.count && i < FEW_SERIES; i++)
        check_series(&first.profile, i);
    run_release(&first);
    run_release(&second);
    return 0;
}
