
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define TEXT(clock)                                                                                \
    "*version\n3\nvm=art\n" clock "*threads\n7\tmain\n*methods\n0x10\tapp.M\trun\t()V\tM.java\n"   \
    "0x14\tapp/M\tload\t(I)V\tM.java\t12\n*end\n"
/* Versions, offset of the records, start; version 3 also has the size of a record. */
#define V1 "SLOW\1\0\x10\0\0\0\0\0\0\0\0\0"
#define V2 "SLOW\2\0\x10\0\0\0\0\0\0\0\0\0"
#define V3 "SLOW\3\0\x12\0\0\0\0\0\0\0\0\0\x0e\0"
#define STREAM "SLOW\xf3\0\x12\0\0\0\0\0\0\0\0\0\x0a\0"
#define RUN "\x10\0\0\0"
#define RUN_LEFT "\x11\0\0\0"
#define LOAD "\x14\0\0\0"
#define LOAD_THROWN "\x16\0\0\0"
#define US(n) n "\0\0\0"

static const struct {
    const char *what;
    struct slice input;
    const char *told;
} cases[] = {
    {"version 1, threads of a byte",
     SLICE(TEXT("clock=thread-cpu\n") V1
           "\7" RUN US("\1") "\7" LOAD US("\3") "\7" LOAD_THROWN US("\4") "\7" RUN_LEFT US("\x09")),
     "== cpu seconds e-6\napp.M.run 7\napp.M.run;app.M.load 1\n"},
    {"version 2, and a method that the table does not have",
     SLICE(TEXT("clock=wall\n") V2
           "\7\0" RUN US("\1") "\7\0\x20\0\0\0" US("\3") "\7\0" RUN_LEFT US("\4")),
     "== wall seconds e-6\napp.M.run 2\napp.M.run;0x20 1\n"},
    {"two clocks, and threads apart",
     SLICE(TEXT("clock=dual\n") V3 "\7\0" RUN US("\1") US("\1") "\x08\0" RUN US("\1")
               US("\5") "\7\0" RUN_LEFT US("\2") US("\4") "\x08\0" RUN_LEFT US("\1") US("\7")),
     "== wall seconds e-6\napp.M.run 5\n== cpu seconds e-6\napp.M.run 1\n"},
    {"a method that is left without an entry, and a step back in time",
     SLICE(TEXT("clock=wall\n") V2 "\7\0" LOAD_THROWN US("\1") "\7\0" RUN US("\5") "\7\0" RUN US(
         "\3") "\7\0" RUN_LEFT US("\7")),
     "== wall seconds e-6\napp.M.run;app.M.run 2\n"
     "in: note: 1 method that was left had been entered before the trace began; dropped\n"},
    {"times that begin again at 0",
     SLICE(TEXT("clock=wall\n") V2 "\7\0" RUN "\xfe\xff\xff\xff\7\0" RUN_LEFT US("\1")),
     "== wall seconds e-6\napp.M.run 3\n"},
    {"a streamed trace",
     SLICE(STREAM "\0\0\1\x15\0"
                  "0x10\tapp.M\trun\t()V\tM\n\0\0\2\7\0\1\0T\7\0" RUN US("\1") "\7\0" RUN_LEFT US(
                      "\x0b") "\0\0\3\x10\0\0\0*version\nclock=thread-cpu\n"),
     "== cpu seconds e-6\napp.M.run 10\n"},
    {"a declaration of an unknown kind",
     SLICE(STREAM "\0\0\1\x15\0"
                  "0x10\tapp.M\trun\t()V\tM\n\7\0" RUN US("\1") "\7\0" RUN_LEFT US(
                      "\x0b") "\0\0\x09\0\0\7\0" RUN US("\x0c") "\n*version\nclock=thread-cpu\n"),
     "== cpu seconds e-6\napp.M.run 10\n"
     "in: warning: declaration of an unknown kind, 9, after 2 events; the rest of the trace is "
     "skipped\n"},
    {"a record that was cut",
     SLICE(TEXT("clock=wall\n") V2 "\7\0" RUN US("\1") "\7\0" RUN_LEFT US("\3") "\7"),
     "== wall seconds e-6\napp.M.run 2\n"
     "in: warning: the trace ends in the middle of a record; 2 events before that are read\n"},
    {"no records", SLICE(TEXT("clock=wall\n")),
     "in: error: the trace ends before its records\nfailed\n"},
    {"records that are too small",
     SLICE(TEXT("clock=dual\n") "SLOW\3\0\x12\0\0\0\0\0\0\0\0\0\x0a\0\7\0"),
     "in: error: the header of the trace's records is damaged\nfailed\n"},
};

Test(input_art_trace, records)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].what, cases[i].input, NULL, cases[i].told);
}

/* The line of the clock lies across every place at which the file is cut into blocks. */
Test(input_art_trace, clock_far_from_the_end)
{
    for (size_t after = SOURCE_BLOCK - 40; after < SOURCE_BLOCK; after++) {
        struct buf bytes = {0};

        buf_add_slice(&bytes, SLICE(STREAM "\7\0" RUN US("\1") "\7\0" RUN_LEFT US(
                                  "\x0b") "\0\0\3\x10\0\0\0*version\nclock=thread-cpu\n"));
        for (size_t i = 0; i < after; i++)
            buf_add_char(&bytes, "*methods\n"[i % 9]);
        told_expect("clock", buf_slice(&bytes), NULL, "== cpu seconds e-6\n0x10 10\n");
        buf_release(&bytes);
    }
}

/* Two clocks follow from the size of a record, also if the text at the end is cut. */
Test(input_art_trace, two_clocks_of_a_stream_without_text)
{
    told_expect("no text",
                SLICE("SLOW\xf3\0\x12\0\0\0\0\0\0\0\0\0\x0e\0"
                      "\7\0" RUN US("\1") US("\2") "\7\0" RUN_LEFT US("\4") US("\x09")),
                NULL, "== wall seconds e-6\n0x10 7\n== cpu seconds e-6\n0x10 3\n");
}

/* Records lie across the ends of blocks. */
Test(input_art_trace, many_records)
{
    enum { PAIRS = 40000 };
    struct buf bytes = {0};

    buf_add_slice(&bytes, SLICE(TEXT("clock=wall\n") V2));
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t in = 2 * i, out = in + 1;

        buf_add_slice(&bytes, SLICE("\7\0" RUN));
        buf_add(&bytes, &in, sizeof(in));
        buf_add_slice(&bytes, SLICE("\7\0" RUN_LEFT));
        buf_add(&bytes, &out, sizeof(out));
    }
    told_expect("many", buf_slice(&bytes), NULL, "== wall seconds e-6\napp.M.run 40000\n");
    buf_release(&bytes);
}

Test(input_art_trace, claims)
{
    cr_expect(claim_by(&format_art_trace, SLICE(TEXT("clock=dual\n")), true));
    cr_expect(claim_by(&format_art_trace, SLICE(STREAM), false));
    cr_expect_not(claim_by(&format_art_trace, SLICE("*version\nof\na=b\n"), true));
    cr_expect_not(claim_by(&format_art_trace, SLICE("SLOWLY it goes on\n"), true));
}
