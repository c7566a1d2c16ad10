/* Well-formed pprof profiles. */

#include "unit/support/reading.h"
#include "unit/support/wire.h"
#include "unit/support/test.h"

/* ---- reading ------------------------------------------------------------------------------- */

static void read_simple(struct reading *r, bool packed, bool strings_first)
{
    struct buf b = {0};

    if (strings_first)
        wire_tables(&b);
    wire_types(&b);
    wire_sample(&b, packed, (const uint64_t[3]){2, 1}, 3, 30, SLICE(""));
    wire_sample(&b, packed, (const uint64_t[3]){3, 2, 1}, 1, 10, SLICE(""));
    if (!strings_first)
        wire_tables(&b);
    wire_number(&b, 9, 1500000000000000000);
    wire_number(&b, 10, 2000000000);
    WIRE(&b, 11, 3, 4);
    wire_number(&b, 12, 10000000);
    wire_number(&b, 7, 6);
    wire_number(&b, 13, 10);
    reading_text(r, buf_slice(&b), NULL);
    buf_release(&b);
}

Test(input_pprof, types_are_series_the_last_one_first)
{
    static const struct {
        const char *name;
        bool packed, strings_first;
    } rows[] = {{"packed", true, false}, {"unpacked", false, false}, {"other order", true, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        read_simple(&r, rows[i].packed, rows[i].strings_first);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].name);
        cr_assert_str_eq(r.profile.format, "pprof");
        cr_assert_eq(r.profile.series.count, 2);
        cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("cpu")));
        cr_expect_eq(r.profile.series.items[0].unit.kind, UNIT_SECONDS);
        reading_expect_fold(&r, "", 0,
                            "main.main;main.(*T).do;inl[...] 30\n"
                            "main.main;main.(*T).do;inl[...];libc-2.15.so+0x550 10\n");
        reading_expect_fold(&r, "", 1,
                            "main.main;main.(*T).do;inl[...] 3\n"
                            "main.main;main.(*T).do;inl[...];libc-2.15.so+0x550 1\n");
        reading_release(&r);
    }
}

Test(input_pprof, facts_are_kept)
{
    struct reading r;

    read_simple(&r, true, false);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("captured on")),
                          SLICE("2017-07-14 02:40:00 UTC")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("period")), SLICE("0.01 s of cpu")));
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("frames dropped")), SLICE("main.(*T).do")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("comment")), SLICE("worker")));
    cr_expect_eq(r.profile.series.items[0].last_ns - r.profile.series.items[0].first_ns,
                 2000000000);
    reading_release(&r);
}

Test(input_pprof, inlined_frames_have_their_class_where_it_is_asked_for)
{
    struct input_options options = input_options_default();
    struct reading r;
    struct buf b = {0};

    options.inlined = true;
    wire_types(&b);
    wire_sample(&b, true, (const uint64_t[3]){2}, 3, 30, SLICE(""));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), &options);
    reading_expect_fold(&r, "", 0, "main.(*T).do;inl[...]_[i] 30\n");
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof, the_default_type_comes_first)
{
    struct reading r;
    struct buf b = {0};

    wire_types(&b);
    wire_sample(&b, true, (const uint64_t[3]){1}, 3, 0, SLICE(""));
    wire_tables(&b);
    wire_number(&b, 14, 1);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("samples")));
    cr_expect_eq(r.profile.series.items[1].samples, 0);
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof, types_of_one_name_stay_apart)
{
    struct reading r;
    struct buf b = {0};

    WIRE(&b, WIRE_TYPE, 3, 2);
    WIRE(&b, WIRE_TYPE, 3, 4);
    wire_sample(&b, true, (const uint64_t[3]){1}, 3, 8, SLICE(""));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect_neq(profile_find_series(&r.profile, SLICE("cpu")), SERIES_NONE);
    cr_expect_neq(profile_find_series(&r.profile, SLICE("cpu/nanoseconds")), SERIES_NONE);
    reading_release(&r);
    buf_release(&b);
}

/* Empty lists before the first number. */
Test(input_pprof, empty_lists)
{
    struct reading r;
    struct buf b = {0}, message = {0};

    wire_bytes(&message, 1, SLICE(""));
    wire_bytes(&message, 1, SLICE(""));
    wire_bytes(&message, 2, SLICE(""));
    wire_packed(&message, 2, (const uint64_t[]){5, 50}, 2);
    wire_types(&b);
    wire_bytes(&b, WIRE_SAMPLE, buf_slice(&message));
    wire_sample(&b, true, (const uint64_t[3]){1}, 3, 30, SLICE(""));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 80);
    reading_release(&r);
    buf_release(&message);
    buf_release(&b);
}

Test(input_pprof, what_is_negative_was_there_before)
{
    struct reading r;
    struct buf b = {0};
    uint32_t before;

    wire_types(&b);
    wire_sample(&b, true, (const uint64_t[3]){1}, 0, 70, SLICE(""));
    wire_sample(&b, true, (const uint64_t[3]){2}, 0, 0 - (uint64_t)50, SLICE(""));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    before = r.profile.series.items[0].base;
    cr_assert_neq(before, SERIES_NONE);
    cr_expect(slice_equal(r.profile.series.items[before].event, SLICE("cpu")));
    reading_expect_fold(&r, "", 0, "main.main 70\n");
    reading_expect_fold(&r, "", before, "main.(*T).do;inl[...] 50\n");
    reading_release(&r);
    buf_release(&b);
}

/* Labels: thread = worker, tid = `number`, and one without a role. */
static void put_labelled(struct buf *out, uint64_t number)
{
    struct buf message = {0};
    const uint64_t ids[] = {1}, values[] = {1, 10};

    wire_packed(&message, 1, ids, 1);
    wire_packed(&message, 2, values, 2);
    WIRE(&message, 3, 9, 10);
    WIRE(&message, 3, 11, 0, number);
    WIRE(&message, 3, 12, 10);
    wire_bytes(out, WIRE_SAMPLE, buf_slice(&message));
    buf_release(&message);
}

Test(input_pprof, labels_name_threads)
{
    static const char *const threads[] = {"7"};
    struct input_options options = input_options_default();
    struct reading r;
    struct buf b = {0};

    wire_types(&b);
    put_labelled(&b, 7);
    put_labelled(&b, 8);
    wire_tables(&b);
    options.split_thread = true;
    reading_text(&r, buf_slice(&b), &options);
    cr_assert_eq(r.profile.series.count, 4);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("cpu, worker (7)")));
    cr_expect(slice_equal(r.profile.series.items[2].name, SLICE("cpu, worker (8)")));
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("labels not used")), SLICE("main.go (2)")));
    reading_release(&r);
    options.split_thread = false;
    options.threads = threads;
    options.thread_count = 1;
    reading_text(&r, buf_slice(&b), &options);
    cr_expect_eq(r.profile.series.items[0].total, 10);
    cr_expect_eq(r.profile.ledger.left_out, 2);
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof, labels_select_and_split)
{
    static const char *const tags[] = {"main.go=worker"};
    struct input_options options = input_options_default();
    struct reading r;
    struct buf b = {0};

    wire_types(&b);
    put_labelled(&b, 7);
    wire_sample(&b, true, (const uint64_t[3]){1}, 3, 30, SLICE(""));
    wire_tables(&b);
    options.tags = tags;
    options.tag_count = 1;
    reading_text(&r, buf_slice(&b), &options);
    cr_expect_eq(r.profile.series.items[0].total, 10);
    cr_expect_eq(r.profile.ledger.left_out, 6); /* 3 samples of two types */
    reading_release(&r);
    options.tag_count = 0;
    options.split_tag = "main.go";
    reading_text(&r, buf_slice(&b), &options);
    cr_assert_eq(r.profile.series.count, 4);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("cpu, worker")));
    cr_expect_eq(r.profile.series.items[2].total, 30);
    reading_release(&r);
    buf_release(&b);
}

/* As go tool pprof does it: a matching function goes with all that it calls. */
Test(input_pprof, frames_are_dropped_by_the_pattern_of_the_profile)
{
#define MAIN "main.main;main.(*T).do"
    static const struct {
        const char *drop, *keep, *folded;
    } rows[] = {
        {"inl.*", "", MAIN " 40\n"},
        {"inl", "", MAIN ";inl[...] 30\n" MAIN ";inl[...];libc-2.15.so+0x550 10\n"},
        {"main\\..*", "main\\.main", "main.main 40\n"},
        {"main\\..*", "", MAIN ";inl[...] 30\n" MAIN ";inl[...];libc-2.15.so+0x550 10\n"},
        {"inl.*", "i.*", MAIN ";inl[...] 30\n" MAIN ";inl[...];libc-2.15.so+0x550 10\n"},
    };
#undef MAIN

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct buf b = {0};

        wire_types(&b);
        wire_sample(&b, true, (const uint64_t[3]){2, 1}, 3, 30, SLICE(""));
        wire_sample(&b, true, (const uint64_t[3]){3, 2, 1}, 1, 10, SLICE(""));
        wire_tables(&b);
        wire_bytes(&b, WIRE_STRING, slice_str(rows[i].drop));
        wire_bytes(&b, WIRE_STRING, slice_str(rows[i].keep));
        wire_number(&b, 7, 13);
        wire_number(&b, 8, 14);
        reading_text(&r, buf_slice(&b), NULL);
        reading_expect_fold(&r, rows[i].drop, 0, rows[i].folded);
        reading_release(&r);
        buf_release(&b);
    }
}

Test(input_pprof, a_sample_without_locations_keeps_its_weight)
{
    struct reading r;
    struct buf b = {0};

    wire_types(&b);
    wire_sample(&b, true, (const uint64_t[3]){1}, 1, 10, SLICE(""));
    wire_sample(&b, true, (const uint64_t[3]){0}, 2, 20, SLICE(""));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 30);
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(profile_samples(&r.profile, i), 3);
        cr_expect_eq(r.profile.series.items[i].without_frames, 2);
    }
    reading_release(&r);
    buf_release(&b);
}

/* Writes a profile of one type, "time" in nanoseconds, with a record of 30. */
static void put_one_type(struct buf *b)
{
    struct buf message = {0};
    const uint64_t ids[] = {1}, values[] = {30};

    WIRE(b, WIRE_TYPE, 3, 4);
    wire_packed(&message, 1, ids, 1);
    wire_packed(&message, 2, values, 1);
    wire_bytes(b, WIRE_SAMPLE, buf_slice(&message));
    buf_release(&message);
    wire_tables(b);
}

Test(input_pprof, without_a_count_the_number_of_samples_is_unknown)
{
    struct reading r;
    struct buf b = {0};

    put_one_type(&b);
    wire_number(&b, 9, 1500000000000000000);
    wire_number(&b, 10, 2000000000);
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, 30);
    cr_expect_eq(profile_samples(&r.profile, 0), 0);
    reading_release(&r);
    buf_release(&b);
}

Test(input_pprof, records_are_sums_of_samples)
{
    struct reading r;

    read_simple(&r, true, false);
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(profile_samples(&r.profile, i), 4);
        cr_expect_eq(profile_effective_samples(&r.profile, i), 4);
    }
    reading_release(&r);
}

Test(input_pprof, ids_and_bytes_may_be_anything)
{
    const uint64_t id = UINT64_MAX - 3;
    struct reading r;
    struct buf b = {0};

    wire_types(&b);
    wire_sample(&b, true, (const uint64_t[3]){id}, 1, INT64_MAX, SLICE(""));
    wire_location(&b, id, 77, 0, (const uint64_t[3]){id - 1});
    WIRE(&b, WIRE_FUNCTION, id - 1, 13);
    wire_strings(&b);
    wire_bytes(&b, WIRE_STRING, SLICE("a\xff;\xc3\xa4"));
    reading_text(&r, buf_slice(&b), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, INT64_MAX);
    reading_expect_fold(&r, "", 0, "a\xef\xbf\xbd:\xc3\xa4 9223372036854775807\n");
    reading_release(&r);
    buf_release(&b);
}
