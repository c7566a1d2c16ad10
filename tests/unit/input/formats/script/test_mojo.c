
#include "base/file.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define HEAD                                                                                       \
    "MOJ\4"                                                                                        \
    "\1mode\0wall\0"
/* The strings 2 "/a.py", 3 "run", 4 "<module>"; the frames 8 run:9 and 9 <module>:1. */
#define NAMES                                                                                      \
    "\13\2/a.py\0"                                                                                 \
    "\13\3run\0"                                                                                   \
    "\13\4<module>\0"                                                                              \
    "\3\10\2\3\11\11\1\1"                                                                          \
    "\3\11\2\4\1\1\1\1"
#define STACK                                                                                      \
    "\2\1\0"                                                                                       \
    "aa\0"

/* clang-format off */
static const struct {
    const char *name;
    struct slice bytes;
    const char *want;
} cases[] = {
    {"two samples, the second a repetition",
     SLICE(HEAD STACK NAMES "\5\11\5\10\11\12" STACK "\15\11\2"),
     "== wall seconds e-6\n<module> (a.py);run 12\n"},
    {"threads by number and name, and no frames",
     SLICE(HEAD STACK NAMES "\5\10\11\1" "\2\1\0" "MainThread\0" "\5\11\11\2"
           "\2\1\1" "bb\0" "\11\3"),
     "== wall seconds e-6\nMainThread;<module> (a.py) 2\nThread 1:bb 3\nThread aa;run 1\n"},
    {"numbers of several bytes, and a sign",
     SLICE("MOJ\1" "\1mode\0memory\0" "\2\202\1" "aa\0" "\13\2a.py\0" "\13\3run\0" "\3\10\2\3\11"
           "\5\10\12\200\1" "\2\202\1" "aa\0" "\5\10\12\302\1"),
     "== memory bytes\nrun 64\n== memory freed bytes\nrun 66\n"},
    {"full",
     SLICE("MOJ\3" "\1mode\0full\0" STACK NAMES "\5\10\11\12\10\12\42" STACK "\15\11\1\12\141"),
     "== wall seconds e-6\nrun 11\n== memory bytes\nrun 34\n== cpu seconds e-6\nrun 1\n"
     "== memory freed bytes\nrun 33\n"},
    {"kernel, garbage, invalid and unknown",
     SLICE(HEAD STACK NAMES "\5\10\4\6read\0" "\7\11\1" STACK "\3\12\2\1\1\1\1\1" "\5\12\11\2"),
     "== wall seconds e-6\n[unknown] 2\nrun;[unknown];read;GC 1\n"},
    {"keys belong to processes and can change",
     SLICE(HEAD STACK NAMES "\5\10\11\1" "\2\2\0" "aa\0" "\13\3walk\0"
           "\3\10\2\3\1\1\1\1" "\5\10\11\2"
           STACK "\13\3fly\0" "\3\10\2\3\1\1\1\1" "\5\10\11\4"),
     "== wall seconds e-6\nProcess 1;fly 4\nProcess 1;run 1\nProcess 2;walk 2\n"},
    {"tasks that wait weigh nothing",
     SLICE(HEAD STACK NAMES "\5\10\11\1" "\16\1\0" "\5\11" "\17\1\1" STACK "\15\11\2"),
     "== wall seconds e-6\nrun 3\n"},
    {"a frame that was not described",
     SLICE(HEAD STACK NAMES "\5\40\11\1"),
     "== wall seconds e-6\n[unknown] 1\n"
     "in: byte 0x3e: warning: reference to an undefined frame\n"},
    {"a sample without a metric",
     SLICE(HEAD STACK NAMES "\5\10" STACK "\11\1"),
     "== wall seconds e-6\n 1\n"
     "in: byte 0x40: warning: the previous sample has no metric; skipped\n"
     "in: error: no stacks in this mojo file: no thread ran Python while Austin sampled; "
     "record for longer\nfailed\n"},
    {"a cut number",
     SLICE(HEAD STACK NAMES "\5\10\11\1" "\2\201"),
     "== wall seconds e-6\nrun 1\n"
     "in: byte 0x42: warning: the file ends in the middle of a sample, which is skipped\n"},
    {"a number too large",
     SLICE(HEAD STACK "\11\377\377\377\377\377\377\377\377\377\377\1"),
     "in: byte 0x15: error: malformed MOJO: a number does not fit in 64 bits\nfailed\n"},
    {"an event that is not known",
     SLICE(HEAD STACK "\60"),
     "in: byte 0x15: error: malformed MOJO: unknown type of event\nfailed\n"},
    {"a metric without a stack",
     SLICE(HEAD "\11\1"),
     "in: byte 0xf: error: malformed MOJO: a part of a sample precedes the first sample\n"
     "failed\n"},
    {"a version to come",
     SLICE("MOJ\5\1a\0b\0"),
     "in: error: unsupported MOJO version 5; convert the file with Austin's own tool: "
     "mojo2austin FILE OUT\nfailed\n"},
};
/* clang-format on */

Test(input_mojo, bytes)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, cases[i].bytes, NULL, cases[i].want);
}

Test(input_mojo, reference_names_are_those_of_mojo2austin)
{
    struct input_options options = input_options_default();

    options.names = NAMES_REFERENCE;
    told_expect("reference", SLICE(HEAD STACK NAMES "\5\11\5\10\11\12"), &options,
                "== wall seconds e-6\nP1;T0:170;/a.py:<module>:1;/a.py:run:9 10\n");
}

Test(input_mojo, claims)
{
    cr_expect(claim_find(SLICE("MOJ\4\1a\0b\0"), true) == &format_mojo);
    cr_expect(claim_find(SLICE("MOJ\3\2\1"), false) == &format_mojo);
    cr_expect_null(claim_find(SLICE("MOJO is a word\n"), true));
    cr_expect_null(claim_find(SLICE("MOJ\4"), true));
    cr_expect_null(claim_find(SLICE("MOJ\4\11\1"), true));
}

Test(input_mojo, a_cut_recording_is_told_of)
{
    struct buf path = {0}, bytes = {0}, why = {0};

    corpus_need();
    cr_assert(file_read(corpus_path(&path, "austin/repeat.mojo"), 1 << 20, &bytes, &why));
    told_truncated("repeat.mojo", buf_slice(&bytes), 997);
    buf_release(&path);
    buf_release(&bytes);
    buf_release(&why);
}
