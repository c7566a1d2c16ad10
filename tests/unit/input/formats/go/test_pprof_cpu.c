/* CPU profiles of gperftools, written word by word. */

#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

struct layout {
    const char *name;
    size_t size;
    bool big_endian;
};

static const struct layout layouts[] = {
    {"64 bits, little-endian", 8, false},
    {"64 bits, big-endian", 8, true},
    {"32 bits, little-endian", 4, false},
    {"32 bits, big-endian", 4, true},
};

static void put_words(struct buf *out, const struct layout *l, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < l->size; k++) {
            size_t byte = l->big_endian ? l->size - 1 - k : k;

            buf_add_char(out, (char)(words[i] >> (byte * 8)));
        }
}

#define PUT(out, layout, ...)                                                                      \
    put_words(out, layout, (const uint64_t[]){__VA_ARGS__},                                        \
              sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

Test(input_pprof_cpu, words_of_any_size_and_order)
{
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        struct reading r;
        struct buf b = {0};

        PUT(&b, &layouts[i], 0, 3, 0, 10000, 0);
        PUT(&b, &layouts[i], 2, 2, 0x1010, 0x1021);
        PUT(&b, &layouts[i], 1, 1, 0x5000);
        PUT(&b, &layouts[i], 1, 3, 0x1014, 0x1041, 0x1021);
        PUT(&b, &layouts[i], 0, 1, 0);
        buf_add_str(&b, "build=/opt\n00001000-00002000 r-xp 00000400 08:01 12   $build/app\n");
        buf_add_str(&b, "00003000-00006000 rw-p 00000400 08:01 12   $build/app\n");
        reading_text(&r, buf_slice(&b), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", layouts[i].name);
        reading_expect_fold(&r, "", 0,
                            "0x5000 10000000\n"
                            "app+0x420;app+0x410 20000000\n"
                            "app+0x420;app+0x440;app+0x414 10000000\n");
        reading_expect_fold(&r, "", 1,
                            "0x5000 1\napp+0x420;app+0x410 2\napp+0x420;app+0x440;app+0x414 1\n");
        reading_release(&r);
        buf_release(&b);
    }
}

/* Twenty stacks whose second frame is at 0x100 of `library`, and one that repeats its leaf. */
static void read_handled(struct reading *r, const char *library)
{
    struct buf b = {0};

    PUT(&b, &layouts[0], 0, 3, 0, 1000, 0);
    for (uint64_t i = 0; i < 20; i++)
        PUT(&b, &layouts[0], 1, 3, 0x2010 + i, 0x101, 0x2001);
    PUT(&b, &layouts[0], 5, 3, 0x2060, 0x2060, 0x2001);
    PUT(&b, &layouts[0], 0, 1, 0);
    buf_printf(&b, "100-200 r-xp 0 08:01 12 %s\n", library);
    reading_text(r, buf_slice(&b), NULL);
    cr_assert_eq(r->result, INPUT_READ);
    cr_expect_eq(r->profile.series.items[0].total, 25000000);
    buf_release(&b);
}

static uint32_t depth_of(const struct reading *r, uint32_t entry)
{
    return stacks_depth(&r->profile.stacks, r->profile.series.items[0].stack[entry]);
}

Test(input_pprof_cpu, the_signal_handler_is_taken_out)
{
    struct reading r;

    read_handled(&r, "/lib/libc.so.6");
    cr_expect_eq(depth_of(&r, 0), 2);
    cr_expect_eq(depth_of(&r, 20), 2);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("frames dropped")),
                          SLICE("the signal handler at 0x100")));
    reading_release(&r);
}

Test(input_pprof_cpu, the_caller_of_everything_stays)
{
    struct reading r;

    read_handled(&r, "/usr/bin/app");
    cr_expect_eq(depth_of(&r, 0), 3);
    cr_expect_eq(depth_of(&r, 20), 2);
    cr_expect_eq(profile_fact(&r.profile, SLICE("frames dropped")).len, 0);
    reading_release(&r);
}

Test(input_pprof_cpu, names_of_java)
{
    struct reading r;
    struct buf b = {0};

    PUT(&b, &layouts[2], 0, 3, 1, 10000, 0);
    PUT(&b, &layouts[2], 3, 2, 5, 6);
    PUT(&b, &layouts[2], 1, 1, 7);
    PUT(&b, &layouts[2], 0, 1, 0);
    buf_add_str(&b, " 0x00000005 GC\n 0x0000006 com.example.A.run (A.java:06)\n");
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    reading_expect_fold(&r, "", 1, "0x7 1\ncom.example.A.run;GC 3\n");
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof_cpu, damage_is_an_error_with_its_place)
{
    static const struct {
        const char *name, *message;
        uint64_t words[6];
        size_t count;
    } rows[] = {
        {"no end", "byte 0x40: error: the profile is truncated", {1, 1, 0x10}, 3},
        {"cut in a stack", "extends past its end", {1, 3, 0x10}, 3},
        {"a depth beyond all", "extends past its end", {1, UINT64_MAX, 0x10}, 3},
        {"a count beyond all", "exceeds 63 bits", {UINT64_MAX, 1, 1, 0, 1, 0}, 6},
        {"time beyond all", "exceeds 63 bits", {UINT64_MAX / 4, 1, 1, 0, 1, 0}, 6},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct buf b = {0};

        PUT(&b, &layouts[0], 0, 3, 0, 10000, 0);
        put_words(&b, &layouts[0], rows[i].words, rows[i].count);
        reading_text(&r, buf_slice(&b), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%s", rows[i].name);
        reading_expect_message(&r, rows[i].message);
        reading_release(&r);
        buf_release(&b);
    }
}

Test(input_pprof_cpu, no_samples)
{
    static const uint64_t end[] = {0, 1, 0};
    struct reading r;
    struct buf b = {0};

    PUT(&b, &layouts[0], 0, 3, 0, 10000, 0);
    put_words(&b, &layouts[0], end, 3);
    reading_text(&r, buf_slice(&b), NULL);
    cr_expect_eq(r.result, INPUT_EMPTY);
    reading_expect_message(&r, "no stacks in this pprof-cpu file: nothing was measured");
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof_cpu, claims)
{
    static const uint64_t rows[][6] = {
        /* five words and whether they are a header */
        {0, 3, 0, 10000, 0, true},  {0, 3, 1, 10000, 0, true},       {0, 3, 2, 10000, 0, false},
        {0, 3, 0, 0, 0, false},     {0, 3, 0, 10000, 1, false},      {1, 3, 0, 10000, 0, false},
        {0, 4, 0, 10000, 0, false}, {0, 3, 0, 4000000000, 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t k = 0; k < sizeof(layouts) / sizeof(layouts[0]); k++) {
            struct buf b = {0};

            put_words(&b, &layouts[k], rows[i], 5);
            cr_expect_eq(claim_by(&format_pprof_cpu, buf_slice(&b), false), rows[i][5],
                         "row %zu, %s", i, layouts[k].name);
            cr_expect_not(claim_by(&format_pprof_cpu, slice_take(buf_slice(&b), b.len - 1), true));
            buf_release(&b);
        }
}
