#include "input/formats/perf/perf_derived.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define EVENT(who, name, fields)                                                                   \
    "app " who " [000] 1.5: " name ": " fields "\n\t 1 get (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define PROBE(who, name, fields) EVENT(who, "probe_libc:" name, "(7f10) " fields)
#define RETURN(who, name, pointer)                                                                 \
    "app " who " [000] 1.5: probe_libc:" name "__return: (7f10 <- 55) ptr=0x" pointer              \
    "\n\t 3 ask (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define MALLOC(who, size, pointer) PROBE(who, "malloc", "size=" size) RETURN(who, "malloc", pointer)
#define FREE(who, pointer) PROBE(who, "free", "ptr=0x" pointer)
#define KMALLOC(pointer, bytes)                                                                    \
    EVENT("7", "kmem:kmalloc", "call_site=f+0x1 ptr=" pointer " bytes_req=1 bytes_alloc=" bytes)
#define KFREE(pointer) EVENT("7", "kmem:kfree", "call_site=f+0x2 ptr=" pointer)
#define PAGES(pfn, order)                                                                          \
    EVENT("7", "kmem:mm_page_alloc", "page=0x1 pfn=" pfn " order=" order " migratetype=0")

static const struct {
    const char *what, *input, *kind; /* of the series: "malloc", "kmalloc", ... */
    const char *bytes, *left;        /* NULL: no series */
    uint64_t unpaired, unseen, without_call;
} rows[] = {
    {"one is freed, one is not",
     MALLOC("1/7", "48", "a0") MALLOC("1/7", "0x10", "b0") FREE("1/7", "a0"), "malloc",
     "app;main;ask 64\n", "app;main;ask 16\n", 0, 0, 0},
    {"another thread of the process frees", MALLOC("1/7", "48", "a0") FREE("1/8", "a0"), "malloc",
     "app;main;ask 48\n", "", 0, 0, 0},
    {"processes have addresses of their own", MALLOC("1/7", "48", "a0") FREE("2/8", "a0"), "malloc",
     "app;main;ask 48\n", "app;main;ask 48\n", 1, 0, 0},
    {"threads alone are taken for one process", MALLOC("7", "48", "a0") FREE("8", "a0"), "malloc",
     "app;main;ask 48\n", "", 0, 0, 0},
    {"calls of two threads at a time",
     PROBE("1/7", "malloc", "size=1") PROBE("1/8", "malloc", "size=2") RETURN("1/7", "malloc", "a0")
         RETURN("1/8", "malloc", "b0") FREE("1/7", "a0"),
     "malloc", "app;main;ask 3\n", "app;main;ask 2\n", 0, 0, 0},
    {"without frees nothing is known to be left", MALLOC("1/7", "48", "a0"), "malloc",
     "app;main;ask 48\n", NULL, 0, 0, 0},
    {"freed before the recording", MALLOC("1/7", "48", "a0") FREE("1/7", "c0") FREE("1/7", "a0"),
     "malloc", "app;main;ask 48\n", "", 1, 0, 0},
    {"nothing is freed", MALLOC("1/7", "48", "a0") FREE("1/7", "0"), "malloc", "app;main;ask 48\n",
     "app;main;ask 48\n", 0, 0, 0},
    {"freed twice", MALLOC("1/7", "48", "a0") FREE("1/7", "a0") FREE("1/7", "a0"), "malloc",
     "app;main;ask 48\n", "", 1, 0, 0},
    {"given out again", MALLOC("1/7", "48", "a0") MALLOC("1/7", "16", "a0") FREE("1/7", "b0"),
     "malloc", "app;main;ask 64\n", "app;main;ask 16\n", 1, 1, 0},
    {"an address that is used again",
     MALLOC("1/7", "48", "a0") FREE("1/7", "a0") MALLOC("1/7", "16", "a0"), "malloc",
     "app;main;ask 64\n", "app;main;ask 16\n", 0, 0, 0},
    {"there was no memory", MALLOC("1/7", "48", "0") FREE("1/7", "0"), "malloc", NULL, NULL, 0, 0,
     0},
    {"a return without a call", RETURN("1/7", "malloc", "a0") PROBE("1/7", "malloc", "size=1"),
     "malloc", NULL, NULL, 0, 0, 1},
    {"a probe that does not tell the size",
     PROBE("1/7", "malloc", "") RETURN("1/7", "malloc", "a0") FREE("1/7", "a0"), "malloc", NULL,
     NULL, 1, 0, 1},
    {"things of a size",
     PROBE("1/7", "calloc", "n=3 size=8") RETURN("1/7", "calloc", "a0") FREE("1/7", "b0"), "malloc",
     "app;main;ask 24\n", "app;main;ask 24\n", 1, 0, 0},
    {"more than there is",
     PROBE("1/7", "calloc", "n=0x8000000000000000 size=8") RETURN("1/7", "calloc", "a0"), "malloc",
     NULL, NULL, 0, 0, 1},
    {"one that calls another is one",
     PROBE("1/7", "calloc", "n=3 size=8") MALLOC("1/7", "24", "a0") RETURN("1/7", "calloc", "a0")
         FREE("1/7", "b0"),
     "malloc", "app;main;ask 24\n", "app;main;ask 24\n", 1, 0, 0},
    {"moved",
     MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0xa0 size=64")
         RETURN("1/7", "realloc", "b0") FREE("1/7", "c0"),
     "malloc", "app;main;ask 72\n", "app;main;ask 64\n", 1, 0, 0},
    {"grown where it is",
     MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0xa0 size=64")
         RETURN("1/7", "realloc", "a0") FREE("1/7", "a0"),
     "malloc", "app;main;ask 72\n", "", 0, 0, 0},
    {"moved by calling the others",
     MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0xa0 size=64") MALLOC("1/7", "64", "b0")
         FREE("1/7", "a0") RETURN("1/7", "realloc", "b0"),
     "malloc", "app;main;ask 72\n", "app;main;ask 64\n", 0, 0, 0},
    {"not moved, for want of memory",
     MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0xa0 size=64")
         RETURN("1/7", "realloc", "0") FREE("1/7", "c0"),
     "malloc", "app;main;ask 8\n", "app;main;ask 8\n", 1, 0, 0},
    {"given back by realloc",
     MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0xa0 size=0")
         RETURN("1/7", "realloc", "0") FREE("1/7", "c0"),
     "malloc", "app;main;ask 8\n", "", 1, 0, 0},
    {"with an alignment",
     PROBE("1/7", "aligned_alloc", "alignment=64 size=128") RETURN("1/7", "aligned_alloc", "a0")
         FREE("1/7", "b0"),
     "malloc", "app;main;ask 128\n", "app;main;ask 128\n", 1, 0, 0},
    {"the kernel's", KMALLOC("0xffff80", "128") KMALLOC("ffff90", "64") KFREE("0xffff90"),
     "kmalloc", "app;main;get 192\n", "app;main;get 128\n", 0, 0, 0},
    {"it had none", KMALLOC("(nil)", "128") KFREE("(nil)"), "kmalloc", NULL, NULL, 0, 0, 0},
    {"no address", EVENT("7", "kmem:kmalloc", "bytes_req=1 bytes_alloc=8") KFREE("0x1"), "kmalloc",
     "app;main;get 8\n", NULL, 1, 0, 0},
    {"pages",
     PAGES("0x10", "3") PAGES("17", "0") EVENT("7", "kmem:mm_page_free", "pfn=0x10 order=3"),
     "page_alloc", "app;main;get 36864\n", "app;main;get 4096\n", 0, 0, 0},
    {"an order that cannot be", PAGES("0x10", "99"), "page_alloc", NULL, NULL, 0, 0, 0},
};

/* Returns the folded stacks of the series of that name; "" if there is no such series. */
static void fold(const struct reading *r, struct slice kind, const char *name, struct buf *out,
                 bool *is_there)
{
    struct buf text = {0};
    uint32_t id;

    buf_clear(out);
    buf_add_str(out, "");
    buf_printf(&text, "%.*s %s", SLICE_ARG(kind), name);
    id = profile_find_series(&r->profile, buf_slice(&text));
    *is_there = id != SERIES_NONE;
    if (*is_there) {
        reading_fold(r, id, out);
        cr_expect_eq(r->profile.series.items[id].unit.kind, UNIT_BYTES);
    }
    buf_release(&text);
}

static void check(const struct reading *r, size_t row, const char *name, const char *want)
{
    struct buf got = {0};
    bool is_there;

    fold(r, slice_str(rows[row].kind), name, &got, &is_there);
    cr_expect_eq(is_there, want != NULL, "%s: %s", rows[row].what, name);
    cr_expect(slice_equal(buf_slice(&got), slice_str(want ? want : "")), "%s: %s: %.*s",
              rows[row].what, name, SLICE_ARG(buf_slice(&got)));
    buf_release(&got);
}

/*
 * Expects the number in the ledger of the graph `name`, or in that of the input if there is no
 * such graph.
 */
static void expect_note(const struct reading *r, size_t row, const char *name,
                        enum ledger_note note, uint64_t want)
{
    struct buf series = {0};
    bool there;

    buf_printf(&series, "%s %s", rows[row].kind, name);
    there = profile_find_series(&r->profile, buf_slice(&series)) != SERIES_NONE;
    cr_expect_eq(reading_note(r, buf_string(&series), note), there ? want : 0, "%s: %s: %d",
                 rows[row].what, name, note);
    cr_expect_eq(r->profile.ledger.notes[note], there ? 0 : want, "%s: %d", rows[row].what, note);
    buf_release(&series);
}

Test(input_perf_allocs, bytes_and_what_is_left_of_them)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].what);
        check(&r, i, "bytes", rows[i].bytes);
        check(&r, i, "bytes not freed", rows[i].left);
        expect_note(&r, i, "bytes not freed", NOTE_FREES_UNPAIRED, rows[i].unpaired);
        expect_note(&r, i, "bytes not freed", NOTE_FREES_UNSEEN, rows[i].unseen);
        expect_note(&r, i, "bytes", NOTE_CALLS_UNPAIRED, rows[i].without_call);
        reading_release(&r);
    }
}

Test(input_perf_allocs, calls_within_calls_are_one_allocation)
{
    struct reading r;
    struct buf got = {0};
    uint32_t id;

    reading_text(&r,
                 SLICE(MALLOC("1/7", "8", "a0") PROBE("1/7", "realloc", "old=0x0 size=64")
                           MALLOC("1/7", "64", "b0") RETURN("1/7", "realloc", "b0")
                               PROBE("1/7", "calloc", "n=3 size=8") RETURN("1/7", "calloc", "c0")),
                 NULL);
    id = profile_find_series(&r.profile, SLICE("malloc allocations"));
    cr_assert_neq(id, SERIES_NONE);
    reading_fold(&r, id, &got);
    cr_expect_str_eq(buf_string(&got), "app;main;ask 3\n", "%s", buf_string(&got));
    reading_release(&r);
    buf_release(&got);
}

Test(input_perf_allocs, moments_are_those_of_the_allocation)
{
    struct input_options options = input_options_default();
    struct reading r;
    struct buf got = {0};
    uint32_t id;

    options.timed = true;
    reading_text(&r, SLICE(MALLOC("1/7", "8", "a0") MALLOC("1/7", "16", "b0") FREE("1/7", "a0")),
                 &options);
    id = profile_find_series(&r.profile, SLICE("malloc bytes not freed"));
    cr_assert_neq(id, SERIES_NONE);
    reading_moments(&r, id, &got);
    cr_expect_str_eq(buf_string(&got), "1500000000:app;main;ask 16\n");
    reading_release(&r);
    buf_release(&got);
}

Test(input_perf_allocs, more_than_64_bits_is_refused)
{
    struct buf messages = {0};
    struct reading r;

    reading_text(&r, SLICE(MALLOC("1/7", "18446744073709551615", "a0") MALLOC("1/7", "1", "b0")),
                 NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(buf_string(&messages), "the sum of the weights does not fit in 64 bits"), "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}
