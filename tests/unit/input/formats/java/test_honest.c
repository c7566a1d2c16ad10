
#include "support/formats.h"
#include "unit/support/cases.h"
#include "unit/support/claim.h"
#include "unit/support/test.h"

#define N4(n) "\0\0\0" n
#define N8(n) "\0\0\0\0\0\0\0" n
#define SAMPLE(frames, thread) "\x01" N4(frames) N8(thread)
#define TIMED(frames, thread) "\x0b" N4(frames) N8(thread) N8("\x02") N8("\x05")
#define BAD(thread) "\x01\xff\xff\xff\xfe" N8(thread)
#define FRAME(method) "\x02" N4("\0") N8(method)
#define LINED(method, line) "\x15" N4("\0") N4(line) N8(method)
#define METHOD(id, name) "\x03" N8(id) N4("\x01") "F" N4("\x05") "La/B;" N4("\x01") name
#define SIGNED(id, name)                                                                           \
    "\x1f" N8(id) N4("\x01") "F" N4("\x05") "La/B;" N4("\0") N4("\x01")                            \
        name N4("\x03") "()V" N4("\0")
#define NAMED(id) "\x04" N8(id) N4("\x06") "pool-1"

/* The bytes of a literal, for the initializer of a table. */
#define BYTES(literal)                                                                             \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

static const struct {
    const char *name;
    struct slice content;
    enum input_names names;
    enum input_result result;
    const char *folded, *messages;
} cases[] = {
    {"methods follow the frames that name them",
     BYTES(SAMPLE("\x02", "\x09") FRAME("\x05") METHOD("\x05", "f") FRAME("\x06")
               METHOD("\x06", "m") SAMPLE("\x01", "\x09") FRAME("\x05")),
     NAMES_CLEAN, INPUT_READ, "a.B.f 1\na.B.m;a.B.f 1\n", NULL},
    {"every kind of record, nothing after the end",
     BYTES(NAMED("\x09") TIMED("\x01", "\x09") LINED("\x05", "\x07") SIGNED("\x05", "f") "\0zzzz"),
     NAMES_CLEAN, INPUT_READ, "pool;a.B.f 1\n", NULL},
    {"the reference's names",
     BYTES(NAMED("\x09") TIMED("\x01", "\x09") LINED("\x05", "\x07") SIGNED("\x05", "f")
               BAD("\x08")),
     NAMES_REFERENCE, INPUT_READ, "Thread 8;Error.GC Active[ERR=-2] 1\nThread 9;a.B.f:7 1\n", NULL},
    {"why there are no frames",
     BYTES(SAMPLE("\x01", "\x09") FRAME("\x05") METHOD("\x05", "f") BAD("\x09")), NAMES_CLEAN,
     INPUT_READ, "[GC active] 1\na.B.f 1\n", NULL},
    {"a method that is missing",
     BYTES(SAMPLE("\x02", "\x09") FRAME("\x05") METHOD("\x05", "f") FRAME("\x06")), NAMES_CLEAN,
     INPUT_READ, "0x6;a.B.f 1\n", NULL},
    {"cut in a record", BYTES(SAMPLE("\x01", "\x09") FRAME("\x05") METHOD("\x05", "f") "\x01\0\0"),
     NAMES_CLEAN, INPUT_READ, "a.B.f 1\n", "ends in the middle of a record"},
    {"cut between two", BYTES(SAMPLE("\x03", "\x09") FRAME("\x05") METHOD("\x05", "f")),
     NAMES_CLEAN, INPUT_READ, "a.B.f 1\n", "has 1 frame, but its header says 3"},
    {"cut in a long string",
     BYTES(SAMPLE("\x01", "\x09") FRAME("\x05")
               METHOD("\x05", "f") "\x03" N8("\x07") "\0\x01\0\0x"),
     NAMES_CLEAN, INPUT_READ, "a.B.f 1\n", "ends in the middle of a record"},
};

Test(input_honest, records)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_options options = input_options_default();
        struct buf out = {0}, messages = {0};
        struct reading r;

        options.names = cases[i].names;
        reading_text(&r, cases[i].content, &options);
        cr_expect_eq(r.result, cases[i].result, "%s: %d", cases[i].name, (int)r.result);
        if (r.result == INPUT_READ)
            reading_fold(&r, 0, &out);
        cr_expect_str_eq(buf_slice(&out).ptr, cases[i].folded, "%s: %s", cases[i].name,
                         buf_string(&out));
        reading_messages(&r, &messages);
        cr_expect(cases[i].messages
                      ? messages.len && strstr(buf_string(&messages), cases[i].messages)
                      : !messages.len,
                  "%s: %s", cases[i].name, buf_string(&messages));
        reading_release(&r);
        buf_release(&out);
        buf_release(&messages);
    }
}

/* Damage after the bytes that the format is recognised by. */
Test(input_honest, what_is_no_record_is_an_error)
{
    struct reading r;
    struct buf text = {0}, messages = {0};

    buf_add_slice(&text, SLICE(SAMPLE("\x01", "\x09") FRAME("\x05") METHOD("\x05", "f")));
    while (text.len < 2 * SOURCE_HEAD)
        buf_add_slice(&text, SLICE(SAMPLE("\x01", "\x09") FRAME("\x05")));
    buf_add_str(&text, "\x07");
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_messages(&r, &messages);
    cr_expect(strstr(buf_string(&messages), "unknown record type 7"), "%s", buf_string(&messages));
    reading_release(&r);
    buf_release(&text);
    buf_release(&messages);
}

/* Methods that no frame refers to yet: their table grows while a record is read. */
Test(input_honest, many_methods)
{
    enum { METHODS = 1000 };
    struct reading r;
    struct buf text = {0};

    buf_add_slice(&text, SLICE(SAMPLE("\x01", "\x09") FRAME("\x05") METHOD("\x05", "f")));
    for (unsigned i = 0; i < METHODS; i++) {
        char record[] = METHOD("\0", "g");

        record[7] = (char)(i >> 8);
        record[8] = (char)i;
        buf_add(&text, record, sizeof(record) - 1);
    }
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    reading_release(&r);
    buf_release(&text);
}

Test(input_honest, recognition)
{
    cr_expect(claim_by(&format_honest, cases[0].content, true));
    cr_expect(
        claim_by(&format_honest, slice_take(cases[0].content, cases[0].content.len - 5), false));
    cr_expect_not(claim_by(&format_honest, slice_take(cases[0].content, 20), false));
    cr_expect_not(claim_by(&format_honest, SLICE("\1\2\3\4\5\6"), true));
    cr_expect_not(claim_by(&format_honest, SLICE(""), true));
    cr_expect_not(claim_by(&format_honest, SLICE("\3" N8("\5") N4("\1") "F"), true));
}
