#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEADER                                                                                     \
    "CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s "    \
    "\n\n"
#define F "              "

static const struct folding cases[] = {
    {"leaf first", HEADER F "libc.so.1`read+0x15\n" F "app`main+0x1f\n                2\n",
     "main;read 2\n", NULL},
    {"no header, no last line end", F "a`read+0x15\n" F "a`main\n                2",
     "main;read 2\n", NULL},
    {"CR LF", "CPU     ID                    FUNCTION:NAME\r\n\r\n" F "a`main+0x1\r\n    2\r\n",
     "main 2\n", NULL},
    {"offsets make no difference",
     F "a`f+0x1\n" F "a`main+0x1\n    2\n\n" F "a`f\n" F "a`main+0x2\n    3\n", "main;f 5\n", NULL},
    {"names that begin alike",
     F "a`f+0x1\n" F "a`main+0x1\n    2\n\n" F "a`fg+0x1\n" F "a`main_2\n    3\n\n" F "a`f+0x1\n" F
       "a`main+0x1z\n    1\n",
     "main+0x1z;f 1\nmain;f 2\nmain_2;fg 3\n", NULL},
    {"kernel and user stack", F "unix`trap\n\n" F "libc.so.1`read\n" F "app`main\n\n    7\n",
     "main;read;trap 7\n", NULL},
    {"no symbol", F "unix`0xfffffffffb800c91\n" F "0x104d08831\n    7\n", "0x104d08831;[unix] 7\n",
     NULL},
    {"inlined by a compiler", F "app`ns::foo->ns::bar\n    7\n", "ns::foo;ns::bar_[i] 7\n", NULL},
    {"an arrow in the name of one function", F "php`Cart->total\n    7\n", "Cart->total 7\n", NULL},
    {"what a helper said",
     F "libc.so.1`read+0x7\n" F "Date at position \n" F "<< adaptor >>\n" F
       "(anon) as f at timers.js position 7590\n" F "0xfc618bc0\n    5\n",
     "0xfc618bc0;(anon) as f at timers.js position 7590;<< adaptor >>;Date at position;read 5\n",
     NULL},
    {"methods of jstack()",
     F "libjvm.so`f+0x7\n" F "java/io/A.read([BII)I\n" F "java/lang/Thread.run()V*\n" F "g()*\n"
       "    5\n",
     "g()*;java/lang/Thread.run;java/io/A.read;f 5\n", NULL},
    {"less indented", "    a`f\n    (anon) as g\n    a`main\n    3\n", "main;(anon) as g;f 3\n",
     NULL},
    {"Python",
     F "libpython.so`PyEval_EvalFrame+0x1\n" F "  [ /usr/lib/site.py:382 (main) ]\n" F
       "libpython.so`PyEval_EvalCode\n" F "  [ <string>:1 (?) ]\n    5\n",
     "<module> (<string>);PyEval_EvalCode;main;PyEval_EvalFrame 5\n", NULL},
    {"a symbol map", HEADER F "0x36197f9060bb Stub:CEntryStub\n    5\n", "Stub:CEntryStub 5\n",
     NULL},
    {"a number that is a key, before known frames",
     F "a`f+0x1\n" F "a`main+0x1\n    3\n\n    5\n" F "a`f+0x1\n" F "a`main+0x1\n    7\n",
     "5;main;f 7\nmain;f 3\n", NULL},
    {"keys of their own line",
     "  ip                                                \n" F "ip`f+0x1\n    1\n"
     "  tcp                                                    1234\n" F "ip`f+0x1\n    2\n"
     "     1234\n" F "ip`f+0x1\n    3\n",
     "1234;f 3\nip;f 1\ntcp;1234;f 2\n", NULL},
    {"keys before the count",
     F "a`f\n  bash                   7\n\n" F "a`g\n      12          8\n\n  sched       9\n",
     "12;g 8\nbash;f 7\nsched 9\n", NULL},
    {"a key between two stacks", F "unix`f\n  my app       \n" F "a`main\n    4\n",
     "my app;main;f 4\n", NULL},
    {"an empty stack", F "a`f\n    1\n\n    7\n\n" F "a`f\n    1\n", " 7\nf 2\n", NULL},
    {"an empty stack under a key", "  bash      \n    7\n  sh    \n" F "a`f\n    1\n",
     "bash 7\nsh;f 1\n", NULL},
    {"negative sums", F "a`f\n    -12\n\n" F "a`f\n    5\n", "[]\nf 5\n[before]\nf 12\n", NULL},
    {"prose around", "Tracing... Hit Ctrl-C to end.\n\n" F "a`f\n    1\n\nThat was it.\n\n",
     "f 1\n", NULL},
    {"rows without stacks", "  bash     12\n\n" F "a`f\n    1\n", "f 1\n", "without stacks"},
    {"stack without a count", F "a`f\n\nThe end\n\n" F "a`g\n    1\n", "g 1\n",
     "in:1: warning: stack without a count skipped: 'a`f'"},
    {"a damaged count", F "a`f\n    1x2\n\n" F "a`g\n    1\n", "g 1\n", "without a count"},
    {"the end of a cut file", F "a`f\n    1\n\n" F "a`g\n" F "a`main\n", "f 1\n",
     "in:4: warning: stack without a count"},
    {"too large a count", F "a`f\n    99999999999999999999\n\n" F "a`g\n    1\n", "g 1\n",
     "in:2: warning: the count 99999999999999999999"},
    {"stack with a distribution",
     F "a`f\n\n           value  ------------- Distribution ------------- count\n"
       "               1 |@@@@@@@@@@@@@     3\n               2 |        0\n\n" F "a`g\n    1\n",
     "g 1\n", "in:3: warning: stack with a distribution"},
    {"samples",
     "my app 12 7: profile-1ms:\n" F "a`f+0x1\n" F "a`main\n\n"
     "my app 12 8: profile-1ms:\n" F "a`f+0x2\n" F "a`main\n\n"
     "sh 13 9: profile-1ms:\n\n",
     "my app;main;f 2\nsh 1\n", NULL},
    {"samples under their probe",
     "CPU     ID                    FUNCTION:NAME\n"
     "  0  12                     :profile-97 \n" F "a`f\n\n" F
     "a`main\n\n  1  13                     read:entry \n" F "a`g\n\n",
     "[profile-97]\nmain;f 1\n[read:entry]\ng 1\n", NULL},
    {"weights beyond 64 bits",
     F "a`f\n 9223372036854775807\n\n" F "a`g\n 9223372036854775807\n\n" F "a`h\n 9\n", NULL,
     "does not fit in 64 bits"},
    {"a header alone", HEADER, NULL, "no stacks"},
};

Test(input_dtrace, output_becomes_stacks)
{
    struct input_options o = input_options_default();

    o.inlined = true;
    folding_check("dtrace", cases, sizeof(cases) / sizeof(cases[0]), &o);
}

static const struct folding reference[] = {
    {"modules stay", F "a`b::f(int)+0x1\n" F "unix`0xff\n    1\n", "unix`0xff;a`b::f 1\n", NULL},
    {"the last plus",
     F "a`f+0x1\n" F "a`operator++0x1\n    2\n\n" F "a`f+0x1\n" F "a`operator++0x1\n    2\n\n" F
       "a`f+0x1\n" F "a`operator+\n    1\n\n" F "a`operator+\n    1\n",
     "a`operator 1\na`operator+;a`f 4\na`operator;a`f 1\n", NULL},
    {"inlined", F "a`Lfoo;x->Lbar\n    1\n", "a`Lfoo:x;bar_[i] 1\n", NULL},
    {"helpers", F "a`f\n" F "Date at position\n    1\n", "Date at position;a`f 1\n", NULL},
};

Test(input_dtrace, reference_rules)
{
    struct input_options o = input_options_default();

    o.names = NAMES_REFERENCE;
    folding_check("dtrace", reference, sizeof(reference) / sizeof(reference[0]), &o);
}

Test(input_dtrace, distributions_alone_are_nothing_to_draw)
{
    struct reading r;

    reading_text(&r,
                 SLICE(F "a`f\n\n           value  ------------- Distribution ------------- count\n"
                         "               1 |@@@@@@@@@@@@@     3\n\n"),
                 NULL);
    cr_expect_eq(r.result, INPUT_EMPTY);
    cr_expect_eq(r.profile.ledger.distributions, 1);
    cr_expect_eq(r.profile.ledger.unreadable, 0);
    reading_release(&r);
}

Test(input_dtrace, lost_and_left_out)
{
    static const char *const processes[] = {"13"};
    struct input_options o = input_options_default();
    struct reading r;

    reading_text(&r,
                 SLICE("dtrace: 12 drops on CPU 0\n" F "a`f\n    1\n"
                       "dtrace: 3 aggregation drops on CPU 1\ndtrace: 7 probes matched\n"),
                 NULL);
    cr_expect_eq(r.profile.ledger.lost, 15);
    cr_expect_eq(r.profile.ledger.lines, 5);
    reading_release(&r);

    o.processes = processes;
    o.process_count = 1;
    reading_text(&r, SLICE("a 12 7: p:\n" F "a`f\n\nb 13 8: p:\n" F "a`g\n\n"), &o);
    cr_expect_eq(r.profile.ledger.left_out, 1);
    cr_expect_eq(r.profile.series.items[0].total, 1);
    reading_release(&r);
}

Test(input_dtrace, claims)
{
    static const char *const yes[] = {
        HEADER,
        "dtrace: description 'profile-997 ' matched 2 probes\n" HEADER,
        F "a`f+0x1\n    12\n",
        "\ta`f+0x1\n\t12\n",
        "some words\n\n" F "libfoo.so.1`f+0x1\n\n    12\n",
        "  ip   \n" F "ip`f\n    1\n",
        "iojs 86454 181012024: profile-1ms:\n" F "node`f\n",
        "  0  12       :profile-97 \n" F "a`f\n\n",
        F "a`f\n\n           value  ------------- Distribution ------------- count\n",
    };
    static const char *const no[] = {
        "use `this`\n    12\n",
        "    x=`date`\n    12\n",
        "    echo `date`\n    12\n",
        "    see:`this` and\n    12\n",
        "app 12 1.5: cycles:\n\t 1 main (a)\n",
        F "a`f+0x1\nand so on\n    12\n",
        F "0x104d08831\n    12\n",
        "    12\n    13\n",
    };

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        const struct format *f = claim_find(slice_str(yes[i]), true);

        cr_expect(f && strcmp(f->name, "dtrace") == 0, "%s", yes[i]);
    }
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
        const struct format *f = claim_find(slice_str(no[i]), true);

        cr_expect(!f || strcmp(f->name, "dtrace") != 0, "%s", no[i]);
    }
}

Test(input_dtrace, reference_names)
{
    static const char *const files[][2] = {
        {"dtrace/example-dtrace-stacks.txt",
         "dtrace/expected/example-dtrace-stacks.dtrace-example.txt"},
        {"dtrace/hex-addresses.txt", "dtrace/expected/hex-addresses.txt"},
        {"dtrace/java.txt", "dtrace/expected/java.txt"},
        {"dtrace/scope_with_no_argument_list.txt",
         "dtrace/expected/scope_with_no_argument_list.txt"},
        {"dtrace/go.dtrace", "dtrace/expected/computed/go.dtrace.ref-perl+inferno.folded"},
        {"dtrace/flamegraph-bug.txt",
         "dtrace/expected/computed/flamegraph-bug.txt.ref-perl+inferno.folded"},
        {"dtrace/rust-names.txt", "dtrace/expected/computed/rust-names.txt.ref-perl.folded"},
        {"seeds/dtrace-kernel.txt", "seeds/expected/dtrace-kernel.folded"},
        {"seeds/dtrace-mysql.txt", "seeds/expected/dtrace-mysql.folded"},
    };
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        folding_check_file(files[i][0], files[i][1], &o);
}

/* Makes several megabytes of records of all kinds; a file could be split at each of them. */
static void write_long(struct buf *out)
{
    static const char *const records[] = {
        F "a`f+0x1\n" F "a`main+0x2\n                1\n\n",
        F "unix`trap+0x1\n\n" F "a`main+0x2\n\n                2\n\n",
        "     1234\n" F "a`g+0x1\n                3\n\n",
        F "a`h+0x1\n  bash            4\n\n",
        "  sched       5\n\n",
        "                6\n\n",
        "  ip    \n" F "a`h+0x1\n                7\n",
    };

    for (size_t i = 0; out->len < ((size_t)20 << 20); i++)
        buf_add_str(out, records[(i * i + i / 7) % (sizeof(records) / sizeof(records[0]))]);
}

Test(input_dtrace, cuts_lie_between_records)
{
    bool (*starts)(struct slice, struct slice) = format_dtrace.text.starts_behind;

    cr_expect(starts(SLICE("                1"), SLICE("")));
    cr_expect_not(starts(SLICE("     1234"), SLICE(F "a`f")));
    cr_expect_not(starts(SLICE(F "a`f"), SLICE("")));
    cr_expect_not(starts(SLICE("  bash      12"), SLICE("")));
}

Test(input_dtrace, parts_make_the_whole)
{
    char path[] = "/tmp/pending-XXXXXX";
    int fd = mkstemp(path);
    struct reading whole, parts;
    struct buf text = {0}, why = {0};

    write_long(&text);
    cr_assert(fd >= 0 && file_write_fd(fd, buf_slice(&text), &why), "%s", buf_string(&why));
    close(fd);
    reading_path(&whole, path, "in", NULL, 1);
    reading_path(&parts, path, "in", NULL, 2);
    unlink(path);
    cr_expect_eq(whole.result, INPUT_READ);
    cr_expect(reading_same(&whole.profile, &parts.profile));
    cr_expect_eq(whole.diag.messages.count, parts.diag.messages.count);
    reading_release(&whole);
    reading_release(&parts);
    buf_release(&text);
    buf_release(&why);
}
