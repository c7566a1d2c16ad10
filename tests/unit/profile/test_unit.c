#include "profile/unit.h"

#include "base/buf.h"
#include "unit/support/test.h"

struct row {
    const char *name;
    enum unit_kind kind;
    int exponent;
    const char *noun;
    unsigned decimals;
    double factor;
    uint64_t weight;
    const char *exact, *brief, *number;
};

static const struct row rows[] = {
    {"samples", UNIT_COUNT, 0, "samples", 0, 1, 272959, "272,959 samples", "273.0k samples",
     "272,959"},
    {"zero", UNIT_COUNT, 0, "samples", 0, 1, 0, "0 samples", "0 samples", "0"},
    {"one", UNIT_COUNT, 0, "samples", 0, 1, 1, "1 sample", "1 sample", "1"},
    {"one that others end", UNIT_COUNT, 0, "page-faults", 0, 1, 1, "1 page-fault", "1 page-fault",
     "1"},
    {"one of es", UNIT_COUNT, 0, "context-switches", 0, 1, 1, "1 context-switch",
     "1 context-switch", "1"},
    {"one of a user's own", UNIT_COUNT, 0, "ms", 0, 1, 1, "1 ms", "1 ms", "1"},
    {"one that merely ends so", UNIT_COUNT, 0, "blocalls", 0, 1, 1, "1 blocalls", "1 blocalls",
     "1"},
    {"one ten", UNIT_COUNT, 0, "tens of cycles", 0, 1, 1, "1 tens of cycles", "1 tens of cycles",
     "1"},
    {"one and a half", UNIT_COUNT, 0, "samples", 1, 1, 15, "1.5 samples", "1.5 samples", "1.5"},
    {"one by a factor", UNIT_COUNT, 0, "cycles", 0, 0.5, 2, "1 cycle", "1 cycle", "1"},
    {"eleven", UNIT_COUNT, 0, "samples", 0, 1, 11, "11 samples", "11 samples", "11"},
    {"one byte", UNIT_BYTES, 0, "", 0, 1, 1, "1 byte", "1 byte", "1"},
    {"one second", UNIT_SECONDS, 0, "", 0, 1, 1, "1 s", "1.00 s", "1"},
    {"no noun", UNIT_COUNT, 0, "", 0, 1, 1000, "1,000", "1,000", "1,000"},
    {"below the first letter", UNIT_COUNT, 0, "x", 0, 1, 99999, "99,999 x", "99,999 x", "99,999"},
    {"the first letter", UNIT_COUNT, 0, "x", 0, 1, 100000, "100,000 x", "100.0k x", "100,000"},
    {"thousands and a fraction", UNIT_COUNT, 0, "x", 1, 1, 12345, "1,234.5 x", "1,235 x",
     "1,234.5"},
    {"fraction", UNIT_COUNT, 0, "samples", 3, 1, 334618, "334.618 samples", "334.6 samples",
     "334.618"},
    {"superfluous zeros", UNIT_COUNT, 0, "samples", 3, 1, 334500, "334.5 samples", "334.5 samples",
     "334.5"},
    {"below one", UNIT_COUNT, 0, "samples", 9, 1, 5, "0.000000005 samples", "0.0 samples",
     "0.000000005"},
    {"rounds over the step", UNIT_COUNT, 0, "x", 0, 1, 999950, "999,950 x", "1.0M x", "999,950"},
    {"just below the step", UNIT_COUNT, 0, "x", 0, 1, 999949, "999,949 x", "999.9k x", "999,949"},
    {"largest", UNIT_COUNT, 0, "cycles", 0, 1, UINT64_MAX, "18,446,744,073,709,551,615 cycles",
     "18.4E cycles", "18,446,744,073,709,551,615"},
    {"factor", UNIT_COUNT, 0, "us", 0, 1000, 12, "12,000 us", "12,000 us", "12,000"},
    {"factor rounds", UNIT_COUNT, 0, "us", 0, 0.3, 12, "4 us", "3.6 us", "4"},
    {"factor on decimals", UNIT_COUNT, 0, "us", 1, 100, 15, "150 us", "150 us", "150"},
    {"nanoseconds", UNIT_SECONDS, -9, "", 0, 1, 4361808500, "4.3618085 s", "4.36 s", "4.3618085"},
    {"milliseconds", UNIT_SECONDS, -9, "", 0, 1, 12345678, "0.012345678 s", "12.3 ms",
     "0.012345678"},
    {"microseconds", UNIT_SECONDS, -6, "", 0, 1, 999, "0.000999 s", "999 µs", "0.000999"},
    {"a nanosecond", UNIT_SECONDS, -9, "", 0, 1, 1, "0.000000001 s", "1.00 ns", "0.000000001"},
    {"rounds to a second", UNIT_SECONDS, -9, "", 0, 1, 999500000, "0.9995 s", "1.00 s", "0.9995"},
    {"long", UNIT_SECONDS, 0, "", 0, 1, 12345, "12,345 s", "12,345 s", "12,345"},
    {"kiloseconds", UNIT_SECONDS, 3, "", 0, 1, 12, "12,000 s", "12,000 s", "12,000"},
    {"picoseconds and decimals", UNIT_SECONDS, -12, "", 9, 1, 1, "0.000000000000000000001 s",
     "0.00 ns", "0.000000000000000000001"},
    {"no time", UNIT_SECONDS, -9, "", 0, 1, 0, "0 s", "0 s", "0"},
    {"all the time", UNIT_SECONDS, 0, "", 0, 1, UINT64_MAX, "18,446,744,073,709,551,615 s",
     "18,446,744,073,709,551,615 s", "18,446,744,073,709,551,615"},
    {"time with factor", UNIT_SECONDS, -9, "", 0, 2, 1500000000, "3 s", "3.00 s", "3"},
    {"time with odd factor", UNIT_SECONDS, -9, "", 0, 0.5, 2500000000, "1.25 s", "1.25 s", "1.25"},
    {"bytes", UNIT_BYTES, 0, "", 0, 1, 1024, "1,024 bytes", "1.00 KiB", "1,024"},
    {"few bytes", UNIT_BYTES, 0, "", 0, 1, 1023, "1,023 bytes", "1,023 bytes", "1,023"},
    {"rounds to a mebibyte", UNIT_BYTES, 0, "", 0, 1, 1048575, "1,048,575 bytes", "1.00 MiB",
     "1,048,575"},
    {"gibibytes", UNIT_BYTES, 0, "", 0, 1, 13099650253, "13,099,650,253 bytes", "12.2 GiB",
     "13,099,650,253"},
    {"most bytes", UNIT_BYTES, 0, "", 0, 1, UINT64_MAX, "18,446,744,073,709,551,615 bytes",
     "16.0 EiB", "18,446,744,073,709,551,615"},
};

typedef void write_fn(struct buf *out, const struct unit_scale *scale, uint64_t weight);

static void check(const struct row *row, write_fn *write, const char *what, const char *want)
{
    struct unit_scale scale = {
        {row->kind, row->exponent, slice_str(row->noun)}, row->decimals, row->factor};
    struct buf out = {0};

    write(&out, &scale, row->weight);
    cr_expect_str_eq(buf_string(&out), want, "%s, %s: got '%s', expected '%s'", row->name, what,
                     buf_string(&out), want);
    buf_release(&out);
}

Test(profile_unit, writes_weights)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check(&rows[i], unit_write_exact, "exact", rows[i].exact);
        check(&rows[i], unit_write_short, "short", rows[i].brief);
        check(&rows[i], unit_write_number, "number", rows[i].number);
    }
}

Test(profile_unit, has_a_word_for_each_kind)
{
    struct unit seconds = {UNIT_SECONDS, -9, {0}};
    struct unit bytes = {UNIT_BYTES, 0, {0}};

    cr_expect(slice_equal(unit_word(&unit_samples), SLICE("samples")));
    cr_expect(slice_equal(unit_word(&seconds), SLICE("seconds")));
    cr_expect(slice_equal(unit_word(&bytes), SLICE("bytes")));
}

/* Parts of a whole in a column, and amounts in sentences. */
static const struct {
    const char *name;
    enum unit_kind kind;
    int exponent;
    double factor;
    uint64_t weight, whole;
    const char *part, *plain;
} parts[] = {
    {"seconds", UNIT_SECONDS, -9, 1, 3255033365, 12375838196, "3.255", "3.26 s"},
    {"rounded up", UNIT_SECONDS, -9, 1, 93959726, 12375838196, "0.094", "94.0 ms"},
    {"the whole", UNIT_SECONDS, -9, 1, 12375838196, 12375838196, "12.376", "12.4 s"},
    {"nothing", UNIT_SECONDS, -9, 1, 0, 12375838196, "0", "0 s"},
    {"hardly anything", UNIT_SECONDS, -9, 1, 1, 12375838196, "0.000", "1.00 ns"},
    {"milliseconds", UNIT_SECONDS, -9, 1, 1000000, 679000000, "0.00100", "1.00 ms"},
    {"nanoseconds", UNIT_SECONDS, -9, 1, 5, 12, "0.000000005", "5.00 ns"},
    {"few microseconds", UNIT_SECONDS, -6, 1, 5, 12, "0.000005", "5.00 µs"},
    {"hours", UNIT_SECONDS, 0, 1, 3600, 1000000, "3,600", "3,600 s"},
    {"with a factor", UNIT_SECONDS, -9, 2, 1500000000, 3000000000, "3.0000", "3.00 s"},
    {"things", UNIT_COUNT, 0, 1, 272959, 1000000, "272,959", "272,959 samples"},
    {"bytes", UNIT_BYTES, 0, 1, 1536, 100000, "1,536", "1.50 KiB"},
};

Test(profile_unit, implies_events_of_its_own_name)
{
    static const struct {
        struct unit unit;
        const char *event;
        bool implied;
    } names[] = {
        {{UNIT_COUNT, 0, {"goroutines", 10}}, "goroutine", true},
        {{UNIT_COUNT, 0, {"goroutines", 10}}, "goroutines", true},
        {{UNIT_COUNT, 0, {"Instructions", 12}}, "instructions", true},
        {{UNIT_COUNT, 0, {"instructions", 12}}, "Ir", false},
        {{UNIT_COUNT, 0, {"samples", 7}}, "cpu-clock", false},
        {{UNIT_COUNT, 0, {"samples", 7}}, "", true},
        {{UNIT_BYTES, 0, {0}}, "bytes", false},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        cr_expect_eq(unit_implies(&names[i].unit, slice_str(names[i].event)), names[i].implied,
                     "row %zu", i);
}

Test(profile_unit, writes_parts_and_running_text)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct unit_scale scale = {
            {parts[i].kind, parts[i].exponent, SLICE("samples")}, 0, parts[i].factor};
        struct buf part = {0}, plain = {0};

        unit_write_part(&part, &scale, parts[i].weight, parts[i].whole);
        unit_write_plain(&plain, &scale, parts[i].weight);
        cr_expect_str_eq(buf_string(&part), parts[i].part, "%s: '%s'", parts[i].name,
                         buf_string(&part));
        cr_expect_str_eq(buf_string(&plain), parts[i].plain, "%s: '%s'", parts[i].name,
                         buf_string(&plain));
        buf_release(&part);
        buf_release(&plain);
    }
}
