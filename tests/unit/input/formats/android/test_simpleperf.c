
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

enum { SAMPLE = 1, LOST, FILE_RECORD, THREAD, META, MOST_RECORDS = 8 };

/* Messages: a field's tag, its length or value. */
#define CLOCK SLICE("\12\11cpu-clock\12\3big\22\3app")
#define LIB SLICE("\10\1\22\4a.so\32\1f\32\6g(int)")
#define JAR SLICE("\10\2\22\5b.jar\32\4p.Q.")
#define MAIN SLICE("\10\7\20\5\32\4main")
/* A sample at `time` of thread 7: of a.so g, called by f, called by an address of file 3. */
#define LINKS                                                                                      \
    "\32\6\10\5\20\1\30\1\32\6\10\6\20\1\30\0\32\17\10\7\20\3\30\377\377\377\377\377\377\377\377"  \
    "\377\1"

struct record {
    int number;
    struct slice message;
};

static const struct {
    const char *name;
    struct record records[MOST_RECORDS];
    const char *folded, *told;
} cases[] = {
    {"names come after samples",
     {{META, CLOCK},
      {SAMPLE, SLICE("\10\1\20\7" LINKS "\40\144\50\0")},
      {FILE_RECORD, LIB},
      {THREAD, MAIN}},
     "main;0x7;f;g 100\n",
     NULL},
    {"an event that is no clock counts",
     {{META, CLOCK},
      {SAMPLE, SLICE("\10\1\20\7\32\4\20\1\30\0\40\3\50\1")},
      {FILE_RECORD, LIB},
      {THREAD, MAIN}},
     "main;f 3\n",
     NULL},
    {"a symbol that the file has not, and a thread without a name",
     {{META, CLOCK}, {SAMPLE, SLICE("\10\1\20\11\32\4\20\1\30\12\40\3\50\0")}, {FILE_RECORD, LIB}},
     "[a.so] 3\n",
     NULL},
    {"Java by its file",
     {{META, CLOCK}, {SAMPLE, SLICE("\20\7\32\4\20\2\30\0\40\1")}, {FILE_RECORD, JAR}},
     "p.Q. 1\n",
     NULL},
    {"a link that is cut",
     {{META, CLOCK}, {SAMPLE, SLICE("\32\4\20\1\30\200\40\1")}},
     "[unknown] 1\n",
     "malformed record, sample or frame; the rest of it is skipped"},
    {"a sample that is cut",
     {{META, CLOCK}, {SAMPLE, SLICE("\20\7\40\2\32\11\20")}, {THREAD, MAIN}},
     "main 2\n",
     "malformed record, sample or frame; the rest of it is skipped"},
    {"a record of an unknown kind",
     {{META, CLOCK}, {SAMPLE, SLICE("\20\7\32\4\20\1\30\0\40\1")}, {9, MAIN}, {FILE_RECORD, LIB}},
     "f 1\n",
     "unknown kind of record, 9; skipped"},
    {"an event that is not declared",
     {{SAMPLE, SLICE("\20\7\32\4\20\1\30\0\50\11")}, {FILE_RECORD, LIB}},
     "f 1\n",
     NULL},
};

static void make(const struct record *records, struct buf *out)
{
    buf_add_slice(out, SLICE("SIMPLEPERF\1\0"));
    for (size_t i = 0; i < MOST_RECORDS && records[i].number; i++) {
        uint32_t size = (uint32_t)records[i].message.len + 2;

        buf_add(out, &size, sizeof(size));
        buf_add_char(out, (char)(records[i].number << 3 | 2));
        buf_add_char(out, (char)records[i].message.len);
        buf_add_slice(out, records[i].message);
    }
    buf_add_slice(out, SLICE("\0\0\0\0"));
}

Test(input_simpleperf, records)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf bytes = {0}, folded = {0}, messages = {0};
        struct reading r;

        make(cases[i].records, &bytes);
        reading_text(&r, buf_slice(&bytes), NULL);
        reading_messages(&r, &messages);
        cr_assert_eq(r.result, INPUT_READ, "%s: %s", cases[i].name, buf_string(&messages));
        reading_fold(&r, 0, &folded);
        cr_expect_str_eq(buf_string(&folded), cases[i].folded, "%s: %s", cases[i].name,
                         buf_string(&folded));
        cr_expect(cases[i].told ? strstr(buf_string(&messages), cases[i].told) != NULL
                                : !messages.len,
                  "%s: %s", cases[i].name, buf_string(&messages));
        reading_release(&r);
        buf_release(&bytes);
        buf_release(&folded);
        buf_release(&messages);
    }
}

/* Every prefix is read or refused; if it ends within a record, a message says so. */
Test(input_simpleperf, cut_files)
{
    struct buf bytes = {0};

    make(cases[0].records, &bytes);
    for (size_t len = 12; len < bytes.len; len++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
        reading_messages(&r, &messages);
        cr_expect(strstr(buf_string(&messages), "ends within a record") != NULL ||
                      r.result != INPUT_READ,
                  "%zu: %s", len, buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
    buf_release(&bytes);
}

Test(input_simpleperf, claims)
{
    cr_expect(claim_by(&format_simpleperf, SLICE("SIMPLEPERF\1\0\0\0\0\0"), true));
    cr_expect_not(claim_by(&format_simpleperf, SLICE("SIMPLEPERF\2\0\0\0\0\0"), true));
    cr_expect_not(claim_by(&format_simpleperf, SLICE("SIMPLEPERF"), true));
}
