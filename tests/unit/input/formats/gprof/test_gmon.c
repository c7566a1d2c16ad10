
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* Pieces of a file of a 64-bit machine: addresses below 256, a bin for each four bytes from 16. */
#define HEAD "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define LONG(n) n "\0\0\0\0\0\0\0"
#define INT(n) n "\0\0\0"
#define SHORT(n) n "\0"
#define SECONDS "seconds\0\0\0\0\0\0\0\0s"
#define TIMES(high, bins, ...) "\0" LONG("\20") LONG(high) INT(bins) INT("\144") SECONDS __VA_ARGS__
#define CALL(from, to, count) "\1" LONG(from) LONG(to) INT(count)
#define FOUR(a, b, c, d) TIMES("\40", "\4", SHORT(a) SHORT(b) SHORT(c) SHORT(d))

static const struct {
    const char *name;
    struct slice bytes;
    const char *folded; /* NULL if reading fails */
    const char *told;   /* without the warning that there are no names */
} cases[] = {
    {"ticks of functions, without calls", SLICE(HEAD FOUR("\1", "\2", "\0", "\0")),
     "[unknown] 30000000\n", NULL},
    {"a callee's time is divided by the numbers of calls",
     SLICE(HEAD FOUR("\1", "\2", "\4", "\0") CALL("\20", "\30", "\1") CALL("\24", "\30", "\3")
               CALL("\1", "\20", "\1") CALL("\1", "\24", "\1")),
     "code from 0x10 10000000\n"
     "code from 0x10;code from 0x18 10000000\n"
     "code from 0x14 20000000\n"
     "code from 0x14;code from 0x18 30000000\n",
     NULL},
    {"functions in one bin", SLICE(HEAD FOUR("\0", "\4", "\0", "\0") CALL("\1", "\25", "\1")),
     "[unknown] 10000000\ncode from 0x15 30000000\n", NULL},
    {"a cycle's time goes to its caller",
     SLICE(HEAD FOUR("\1", "\1", "\1", "\1") CALL("\1", "\20", "\1") CALL("\20", "\24", "\1")
               CALL("\24", "\30", "\5") CALL("\30", "\24", "\5") CALL("\30", "\34", "\1")),
     "code from 0x10 10000000\n"
     "code from 0x10;code from 0x14 10000000\n"
     "code from 0x10;code from 0x14;code from 0x18 10000000\n"
     "code from 0x10;code from 0x14;code from 0x18;code from 0x1c 10000000\n",
     NULL},
    {"several histograms, and counts of blocks",
     SLICE(HEAD TIMES("\30", "\2", SHORT("\1") SHORT("\0")) "\2" INT("\1") LONG("\20") LONG("\7")
               TIMES("\30", "\2", SHORT("\0") SHORT("\1")) CALL("\1", "\20", "\1")),
     "code from 0x10 20000000\n", NULL},
    {"addresses of four bytes, from a machine of the other byte order",
     SLICE("gmon\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0"
           "\0\0\0\0\20\0\0\0\30\0\0\0\2\0\0\0\144" SECONDS "\0\1\0\2"
           "\1\0\0\0\1\0\0\0\20\0\0\0\1"),
     "code from 0x10 30000000\n", NULL},
    {"a cut record", SLICE(HEAD FOUR("\1", "\2", "\0", "\0") "\1" LONG("\20")),
     "[unknown] 30000000\n", "1 histogram and 0 calls before that are read"},
    {"a tag that is none", SLICE(HEAD FOUR("\1", "\2", "\0", "\0") "\7"), "[unknown] 30000000\n",
     "1 histogram and 0 calls before that are read"},
    {"more bins than there are bytes", SLICE(HEAD TIMES("\40", "\377", SHORT("\1"))), NULL,
     "ends within a record"},
    {"bins for no addresses", SLICE(HEAD TIMES("\20", "\1", SHORT("\1"))), NULL,
     "invalid addresses of a histogram: 0x10 to 0x10"},
    {"another dimension",
     SLICE(HEAD "\0" LONG("\20") LONG("\40") INT("\1")
               INT("\144") "bytes\0\0\0\0\0\0\0\0\0\0b\1\0"),
     NULL, "counts 'bytes' at a rate of 100"},
    {"a cut header", SLICE("gmon\1\0\0\0\0\0"), NULL, "ends within its header"},
};

Test(input_gmon, recordings)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf folded = {0}, told = {0};
        struct reading r;

        reading_text(&r, cases[i].bytes, NULL);
        cr_expect_eq(r.result == INPUT_READ, cases[i].folded != NULL, "%s: %d", cases[i].name,
                     r.result);
        if (r.result == INPUT_READ) {
            reading_fold(&r, 0, &folded);
            cr_expect_str_eq(buf_string(&folded), cases[i].folded, "%s", cases[i].name);
        }
        reading_messages(&r, &told);
        cr_expect(strstr(buf_string(&told), cases[i].told ? cases[i].told : "--program=FILE"),
                  "%s: %s", cases[i].name, buf_string(&told));
        reading_release(&r);
        buf_release(&folded);
        buf_release(&told);
    }
}

Test(input_gmon, claims)
{
    cr_expect(claim_by(&format_gmon, SLICE(HEAD), true));
    cr_expect(claim_by(&format_gmon, SLICE("gmon\0\0\0\1"), true));
    cr_expect_not(claim_by(&format_gmon, SLICE("gmon\2\0\0\0"), true));
    cr_expect_not(claim_by(&format_gmon, SLICE("gmon.out is a file\n"), true));
}

/*
 * The ticks of functions, at 100 Hz: each bin of the histogram belongs to the function of nm's list
 * that its addresses are in, by the rule that the C library's profil() uses for addresses and bins.
 */
static const struct {
    const char *recording, *program, *folded;
} programs[] = {
    {"gmon-out/cwork.gmon.out", "gmon-out/cwork-pg",
     "cmp_u 355000000\nmain;run;phase_one;leaf_a 298805\nmain;run;phase_one;leaf_b 348258\n"
     "main;run;phase_three;even;leaf_a 74701195\nmain;run;phase_three;fib 95000000\n"
     "main;run;phase_two;leaf_b 69651742\nmain;run;phase_two;sort_part 55000000\n"},
    {"gmon-out/cwork-pie.gmon.out", "gmon-out/cwork-pg-pie",
     "cmp_u 152500000\nframe_dummy 37500000\nmain;run;phase_one;leaf_a 355732\n"
     "main;run;phase_one;leaf_b 443349\nmain;run;phase_three;even;leaf_a 29644268\n"
     "main;run;phase_three;fib 45000000\nmain;run;phase_two;leaf_b 29556651\n"
     "main;run;phase_two;sort_part 25000000\n"},
};

Test(input_gmon, names_are_those_of_the_program)
{
    corpus_need();
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        struct input_options options = input_options_default();
        struct buf recording = {0}, program = {0};
        struct reading r;

        options.program = corpus_path(&program, programs[i].program);
        reading_path(&r, corpus_path(&recording, programs[i].recording), "in", &options, 1);
        reading_expect_fold(&r, programs[i].recording, 0, programs[i].folded);
        reading_expect_messages(&r, programs[i].recording, "");
        reading_release(&r);
        buf_release(&recording);
        buf_release(&program);
    }
}

Test(input_gmon, another_program_is_not_used)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.program = "/proc/self/exe";
    reading_path(&r, "tests/corpus/gmon/app.gmon.out", "in", &options, 1);
    reading_expect_message(&r, "is not the program that wrote this file");
    cr_expect_eq(r.result, INPUT_READ);
    reading_release(&r);
}
