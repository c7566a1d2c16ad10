/* Damaged pprof profiles, and files that are not pprof profiles. */

#include "base/file.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/wire.h"
#include "unit/support/test.h"

/* ---- damage -------------------------------------------------------------------------------- */

enum damage {
    NO_LOCATIONS,
    NO_FUNCTIONS,
    NO_STRINGS,
    NO_TYPES,
    SHORT_VALUES,
    SUM,
    LABEL,
    PACKED_NUMBER,
};

static void put_damaged(struct buf *b, enum damage damage)
{
    const uint64_t ids[3] = {1}, large = INT64_MAX;

    if (damage != NO_TYPES)
        wire_types(b);
    if (damage == SHORT_VALUES)
        WIRE(b, WIRE_TYPE, 5, 2);
    for (int i = 0; i < 3; i++)
        wire_sample(b, true, ids, damage == SUM ? large : 1, damage == SUM ? large : 2,
                    damage == LABEL ? SLICE("\x08\x7f") : SLICE(""));
    if (damage == PACKED_NUMBER)
        wire_bytes(b, WIRE_SAMPLE, SLICE("\x0a\x02\x01\x80\x12\x02\x01\x01"));
    if (damage != NO_LOCATIONS)
        wire_location(b, 1, 0, 0x10, (const uint64_t[3]){1});
    if (damage != NO_FUNCTIONS)
        WIRE(b, WIRE_FUNCTION, 1, 5);
    if (damage != NO_STRINGS)
        wire_strings(b);
    else
        wire_bytes(b, WIRE_STRING, SLICE(""));
}

Test(input_pprof_damage, damage_is_an_error_with_its_place)
{
    static const struct {
        const char *name, *message;
        enum damage damage;
    } rows[] = {
        {"no locations", "refers to a location that the profile does not contain", NO_LOCATIONS},
        {"no functions", "refers to a function that the profile does not contain", NO_FUNCTIONS},
        {"no strings", "refers to a string that the profile does not contain", NO_STRINGS},
        {"no types", "number of values differs", NO_TYPES},
        {"three types and two values", "number of values differs", SHORT_VALUES},
        {"sum", "does not fit", SUM},
        {"label", "a label refers to a string", LABEL},
        {"number that does not end", "malformed sample", PACKED_NUMBER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct buf b = {0};

        put_damaged(&b, rows[i].damage);
        reading_text(&r, buf_slice(&b), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%s: %d", rows[i].name, r.result);
        reading_expect_message(&r, rows[i].message);
        reading_release(&r);
        buf_release(&b);
    }
}

/* Cut at any byte, a file is an error, is not recognised, or has all its samples. */
Test(input_pprof_damage, a_cut_profile_is_never_half_a_profile)
{
    struct buf b = {0};

    wire_types(&b);
    for (uint64_t i = 0; i < 20; i++)
        wire_sample(&b, true, (const uint64_t[3]){1 + i % 3, 1}, 1, 10, SLICE(""));
    wire_tables(&b);
    for (size_t cut = 0; cut < b.len; cut++) {
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&b), cut), NULL);
        cr_expect(r.result != INPUT_READ || r.profile.series.items[0].total == 200,
                  "cut at %zu of %zu: %d", cut, b.len, r.result);
        cr_expect(cut < 200 || r.result != INPUT_UNKNOWN, "cut at %zu", cut);
        reading_release(&r);
    }
    buf_release(&b);
}

/* A message that needs too much memory. */
Test(input_pprof_damage, a_huge_message_is_refused)
{
    enum { LABELS = 5 * 1000 * 1000 };
    struct buf b = {0}, message = {0};
    struct reading r;

    wire_types(&b);
    for (size_t i = 0; i < LABELS; i++)
        wire_bytes(&message, 3, SLICE(""));
    wire_bytes(&b, WIRE_SAMPLE, buf_slice(&message));
    wire_tables(&b);
    reading_text(&r, buf_slice(&b), NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_message(&r, "malformed sample");
    reading_release(&r);
    buf_release(&b);
    buf_release(&message);
}

/* ---- recognition --------------------------------------------------------------------------- */

Test(input_pprof_damage, is_recognised_by_its_fields)
{
    static const struct {
        const char *name;
        struct slice bytes;
        bool whole, claimed;
    } rows[] = {
        {"nothing", {"", 0}, true, false},
        {"type and empty string", {"\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x01s", 11}, true, true},
        {"no empty string", {"\x0a\x04\x08\x01\x10\x02\x32\x01s\x32\x01s", 12}, true, false},
        {"no strings", {"\x0a\x04\x08\x01\x10\x02", 6}, true, false},
        {"no messages", {"\x32\x00\x32\x01s", 5}, true, false},
        {"field 16", {"\x0a\x04\x08\x01\x10\x02\x32\x00\x80\x01\x01", 11}, true, false},
        {"text in a type", {"\x0a\x04text\x32\x00", 8}, true, false},
        {"lines", {"\n\nint main(void)\n{\n}\n", 21}, true, false},
        {"a line of twelve", {"\n\x0chello, world\n", 15}, true, false},
        {"fixed",
         {"\x0a\x02\x08\x01\x0a\x02\x08\x01\x4d\x00\x00\x00\x00\x32\x00", 15},
         true,
         false},
        {"cut", {"\x0a\x02\x08\x01\x0a\x02\x08\x01\x12\x7f\x0a\x01", 12}, false, true},
        {"cut in the first sample",
         {"\x0a\x04\x08\x01\x10\x02\x12\x7f\x0a\x01\x01", 11},
         false,
         true},
        {"cut in no sample", {"\x0a\x04\x08\x01\x10\x02\x12\x7f\x2a\x01\x01", 11}, false, false},
        {"cut in field 65", {"\x0a\x04\x08\x01\x10\x02\x8a\x04\x7f", 9}, false, false},
        {"cut in prose", {"\x0a\x02\x08\x01\x0a\x02\x08\x01 of the", 15}, false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_pprof, rows[i].bytes, rows[i].whole), rows[i].claimed, "%s",
                     rows[i].name);
}

/* Only the files of pprof's directory of the corpus. */
Test(input_pprof_damage, claims_only_its_own_in_the_collection)
{
    static const char *const others[] = {
        "pprof-legacy/cppbench.cpu", "pprof-legacy/java.cpu",   "austin/repeat.mojo",
        "folded/basic.txt",          "perf-data/perf.data.bin", "go-pprof-raw/pprof.raw.txt",
        "gprof/gnu1.prof",           "jfr/profile.jfr",
    };

    corpus_need();
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct buf path = {0}, bytes = {0}, why = {0};

        if (file_read(corpus_path(&path, others[i]), 1 << 28, &bytes, &why))
            cr_expect_not(claim_by(&format_pprof, slice_take(buf_slice(&bytes), SOURCE_HEAD),
                                   bytes.len <= SOURCE_HEAD),
                          "%s", others[i]);
        buf_release(&path);
        buf_release(&bytes);
        buf_release(&why);
    }
}
