
#include "profile/reshape.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define HEADER "# callgrind format\npositions: line\nevents: Ir\n"
#define XDEBUG                                                                                     \
    "version: 1\ncreator: xdebug 3.1.4 (PHP 7.4.30)\n\nevents: Time_(10ns) Memory_(bytes)\n"

/* A text, the stacks of one of its series, and the messages. */
static const struct {
    const char *name, *text;
    uint32_t series;
    const char *folded, *messages;
} cases[] = {
    {"a tree",
     HEADER "fn=main\n1 5\ncfn=a\ncalls=2 9\n2 30\ncfn=b\ncalls=1 9\n3 10\n"
            "fn=a\n9 30\nfn=b\n9 10\n",
     0, "main 5\nmain;a 30\nmain;b 10\n", ""},
    {"a function called from two places is divided as its calls cost",
     HEADER "fn=main\n1 1\ncfn=a\ncalls=1 9\n2 30\ncfn=b\ncalls=1 9\n3 11\n"
            "fn=a\n9 10\ncfn=b\ncalls=1 9\n9 20\nfn=b\n9 31\n",
     0, "main 1\nmain;a 10\nmain;a;b 20\nmain;b 11\n", ""},
    {"no unit is lost in the division",
     HEADER "fn=m\n1 1\ncfn=a\ncalls=1 9\n2 1\ncfn=b\ncalls=1 9\n3 1\ncfn=c\ncalls=1 9\n3 1\n"
            "fn=a\n1 0\ncfn=x\ncalls=1 1\n1 1\nfn=b\n1 0\ncfn=x\ncalls=1 1\n1 1\n"
            "fn=c\n1 0\ncfn=x\ncalls=1 1\n1 1\nfn=x\n1 10\n",
     0, "m 1\nm;a;x 4\nm;b;x 3\nm;c;x 3\n", ""},
    {"a recursion is entered once",
     HEADER "fn=main\n1 1\ncfn=f\ncalls=1 9\n2 99\nfn=f\n9 40\ncfn=f\ncalls=5 9\n9 300\n"
            "cfn=g\ncalls=5 9\n9 59\nfn=g\n9 9\ncfn=f\ncalls=5 9\n9 50\n",
     0, "main 1\nmain;f 40\nmain;f;g 9\n", ""},
    {"a cycle that nothing leads to begins at its most expensive function",
     HEADER "fn=a\n1 3\ncfn=b\ncalls=1 1\n1 20\nfn=b\n1 4\ncfn=a\ncalls=1 1\n1 10\n", 0,
     "a 3\na;b 4\n", ""},
    {"a small share is followed, so that inclusive costs are those of the calls",
     HEADER "fn=main\n1 1000000\ncfn=a\ncalls=1 1\n1 60\ncfn=b\ncalls=1 1\n1 50\n"
            "fn=a\n1 10\ncfn=c\ncalls=1 1\n1 50\nfn=b\n1 0\ncfn=c\ncalls=1 1\n1 50\nfn=c\n1 100\n",
     0, "main 1000000\nmain;a 10\nmain;a;c 50\nmain;b;c 50\n", ""},
    {"what no cost leads to is below one of its callers",
     HEADER "fn=main\n1 1000000\ncfn=a\ncalls=1 1\n1 10\ncfn=b\ncalls=1 1\n1 0\n"
            "fn=a\n1 10\ncfn=c\ncalls=1 1\n1 0\nfn=b\n1 0\ncfn=c\ncalls=1 1\n1 0\nfn=c\n1 100\n",
     0, "main 1000000\nmain;a 10\nmain;a;c 100\n", ""},
    {"numbered names, positions, hexadecimal costs, jumps, inlined files",
     "version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: Ir Dr\n"
     "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n0x10 1 5 1\n+3 +1 0x10\nfi=(2) b.h\n* * 3\n"
     "cob=(2) /lib/libc.so.6\ncfn=(2) puts\ncalls=1 0x99 7\n+3 * 9 2\n"
     "jump=3 0x10 1\n0x12 2\njcnd=1/2 +3 *\n-1 *\n\nob=(2)\nfl=(3) ???\nfn=(2)\n0x99 7 9 2\n",
     0, "main 24\nmain;puts 9\n", ""},
    {"a second event is a second series",
     "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir Dr\n"
     "fn=(1) main\n1 5 1\n2 6\n3 7 4\n",
     1, "main 5\n", ""},
    {"misses are cycles: 10 for a branch and a first level, 20 for a bus, 100 for a last level",
     "version: 1\ncreator: callgrind-3.19.0\npositions: line\n"
     "events: Ir Dr Bcm Bim I1mr D1mr D1mw Ge I2mr D2mr D2mw ILmr DLmr DLmw\n"
     "fn=(1) main\n1 5 7 1 1 1 1 1 1\n2 6 7 0 0 0 0 0 0 1 1 1 1 1 1\ncfn=(2) f\ncalls=1 1\n"
     "3 2 0 1\nfn=(2)\n1 2 0 1\n",
     14, "main 681\nmain;f 12\n", ""},
    {"cycles beyond 63 bits are left out",
     "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir DLmr\n"
     "fn=(1) main\n1 5 9000000000000000000\n",
     1, "main 9000000000000000000\n",
     "in: warning: the estimated cycles exceed 63 bits; skipped\n"},
    {"levels of recursion, addresses, unknown functions",
     HEADER "ob=/bin/app\nfn=fib'2\n1 5\nfn=0x4005\n1 6\nfn=f(int)'3\n1 2\nfn=???\n1 1\n", 0,
     "[app] 7\nf 2\nfib 5\n", ""},
    {"without an object the source file tells compiled functions from scripts",
     HEADER "fl=/x/y.cc\nfn=foo::bar(std::function<void (int)>)\n1 5\nfl=a.py\nfn=f(x)\n1 6\n", 0,
     "f(x) 6\nfoo::bar 5\n", ""},
    {"parts add up; threads are distinguished",
     "# callgrind format\npart: 1\nthread: 1\nevents: Ir\nfn=(1) main\n1 5\n"
     "part: 2\nthread: 2\nevents: Ir\nfn=(1)\n1 6\n"
     "part: 3\nthread: 1\nevents: Ir\nfn=(1)\n1 7\n",
     0, "thread 1;main 12\nthread 2;main 6\n", ""},
    {"a thread has not the functions of another",
     "# callgrind format\nevents: Ir\nfn=(1) main\n1 5\nthread: 2\ncfn=(2) f\ncalls=1 0\n1 7\n1 3\n"
     "fn=(3) g\n1 2\n",
     0, "thread 2;g 2\nthread;main 5\n",
     "in:7: warning: calls without a function: '1 0'; line skipped\n"
     "in:8: warning: costs before any function: '1 7'; line skipped\n"
     "in:9: warning: costs before any function: '1 3'; line skipped\n"},
    {"stated sums are compared", HEADER "summary: 12\nfn=main\n1 5\n2 6\ntotals: 12\n", 0,
     "main 11\n",
     "in: warning: the costs of Ir add up to 11, but the file states 12; the costs are drawn\n"},
    {"a sum of nothing is not stated", HEADER "summary: 0\nfn=main\n1 5\ntotals: 5\n", 0,
     "main 5\n", ""},
    {"cut: the totals are missing", HEADER "summary: 5\nfn=main\n1 5\n", 0, "main 5\n",
     "in: warning: no totals at the end; the file may be truncated\n"},
    {"cachegrind's summary is its end",
     "desc: I1 cache: 1 B\ncmd: ./a\nevents: Ir\nfn=main\n1 5\nsummary: 5\n", 0, "main 5\n", ""},
    {"cachegrind's summary is compared",
     "desc: I1 cache: 1 B\ncmd: ./a\nevents: Ir\nfn=main\n1 5\nsummary: 6\n", 0, "main 5\n",
     "in: warning: the costs of Ir add up to 5, but the file states 6; the costs are drawn\n"},
    {"cut: cachegrind's summary is missing",
     "desc: I1 cache: 1 B\ncmd: ./a\nevents: Ir\nfn=main\n1 5\n", 0, "main 5\n",
     "in: warning: no totals at the end; the file may be truncated\n"},
    {"names that jumps define",
     HEADER "fl=(1) a.c\nfn=(1) main\n1 5\njfi=(2) b.c\njfn=(2) f\njump=1 3\n1\nfl=(2)\nfn=(2)\n"
            "1 6\n",
     0, "f 6\nmain 5\n", ""},
    {"cut in a call", HEADER "fn=main\n1 5\ncfn=a\ncalls=1 1\n", 0, "main 5\n",
     "in:7: warning: the file is truncated: the costs of the last calls are missing\n"},
    {"lines that cannot be read",
     HEADER "1 5\nfn=main\n1 x\n1 2 3\ncalls=1 1\n1 1\nfoo=bar\n1 99999999999999999999\n"
            "cfn=a\ncalls=1 1\nfn=b\n1 2\n",
     0, "b 2\n",
     "in:4: warning: costs before any function: '1 5'; line skipped\n"
     "in:6: warning: cost is not a number: '1 x'; line skipped\n"
     "in:7: warning: more costs than events: '1 2 3'; line skipped\n"
     "in: ... and 4 more like it\n"},
    {"costs that do not fit", HEADER "fn=main\n1 9223372036854775807\n1 1\n", 0, "",
     "in:6: error: the sum of the costs exceeds 63 bits\n"},
    {"callees of old versions of Xdebug, without a file",
     "version: 0.9.6\ncmd: /x.php\npart: 1\n\nevents: Time\n\nfl=php:internal\nfn=php::strlen\n"
     "3 12\n\nfl=/x.php\nfn=A->f\n5 3\ncfn=php::strlen\ncalls=1 0 0\n3 12\n\nfl=/x.php\n"
     "fn={main}\n\nsummary: 30\n\n1 15\ncfn=A->f\ncalls=1 0 0\n3 15\n",
     0, "{main} 15\n{main};A->f 3\n{main};A->f;strlen 12\n", ""},
    {"Xdebug: blocks are calls, children first",
     XDEBUG "fl=(1) php:internal\nfn=(1) php::strlen\n3 10 0\n\n"
            "fl=(2) /a.php\nfn=(2) f\n3 20 64\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10 0\n\n"
            "fl=(1)\nfn=(1)\n3 11 0\n\n"
            "fl=(1)\nfn=(1)\n3 12 0\n\n"
            "fl=(2)\nfn=(3) {main}\n1 30 0\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 12 0\n"
            "cfl=(2)\ncfn=(2)\ncalls=1 0 0\n4 30 64\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 11 0\n",
     0, "{main} 30\n{main};f 20\n{main};f;strlen 10\n{main};strlen 23\n", ""},
    {"Xdebug: memory that is given back is what was there before",
     XDEBUG "fl=(2) /a.php\nfn=(2) f\n3 20 -64\n\nfn=(3) {main}\n1 30 100\ncfl=(2)\ncfn=(2)\n"
            "calls=1 0 0\n4 20 -64\n",
     1, "{main} 100\n", ""},
    {"Xdebug: a run that was stopped",
     XDEBUG "fl=(2) /a.php\nfn=(2) f\n3 20 64\n\nfn=(2)\n3 20 64\n", 0, "f 40\n",
     "in: warning: the file ends before {main} returns: calls that were running are missing, and "
     "their callees are roots\n"},
    {"Xdebug: runs add up, and none calls functions of another one",
     XDEBUG
     "part: 1\nfl=(1) /a.php\nfn=(1) f\n3 20 64\n\nfn=(2) g\n3 1 64\ncfn=(1)\ncalls=1 0 0\n1 20 "
     "64\n"
     "fn=(1)\n3 21 0\n" XDEBUG
     "part: 1\nfn=(1)\n3 5 -9\n\nfn=(3) {main}\n1 30 100\ncfn=(1)\ncalls=1 0 0\n4 5 -9\n" XDEBUG
     "part: 1\nfn=(1)\n3 6 8\n\nfn=(3)\n1 30 -1\ncfn=(1)\ncalls=1 0 0\n4 6 8\n",
     0, "f 21\ng 1\ng;f 20\n{main} 60\n{main};f 11\n", ""},
    {"Xdebug: calls without blocks are estimated",
     XDEBUG
     "fl=(2) /a.php\nfn=(2) {main}\n3 20 64\ncfn=(3) f\ncalls=1 1 1\n4 7 0\n\nfn=(3)\n1 7 0\n",
     0, "{main} 20\n{main};f 7\n", ""},
};

Test(input_callgrind, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;
        struct buf folded = {0}, messages = {0};

        reading_text(&r, slice_str(cases[i].text), NULL);
        if (r.result == INPUT_READ)
            reading_fold(&r, cases[i].series, &folded);
        reading_messages(&r, &messages);
        cr_expect_str_eq(buf_string(&folded), cases[i].folded, "%s: %s", cases[i].name,
                         buf_string(&folded));
        cr_expect_str_eq(buf_string(&messages), cases[i].messages, "%s: %s", cases[i].name,
                         buf_string(&messages));
        buf_release(&folded);
        buf_release(&messages);
        reading_release(&r);
    }
}

/* Inferno makes the same stacks, but their weights are running sums of the time. */
Test(input_callgrind, xdebug_stacks_as_inferno_has_them, .init = corpus_need)
{
    struct input_options options = input_options_default();

    options.names = NAMES_REFERENCE;
    folding_check_stacks("xdebug/xdebug.trace.xt",
                         "xdebug/expected/xdebug.trace.xdebug-default.txt", &options);
}

Test(input_callgrind, an_estimate_says_so)
{
    struct reading r;

    reading_text(&r, slice_str(cases[1].text), NULL);
    cr_expect(profile_fact(&r.profile, SLICE("estimated")).len > 0);
    reading_release(&r);
    reading_text(&r, SLICE(HEADER "fn=a\n1 5\nfn=b\n1 6\n"), NULL);
    cr_expect(profile_fact(&r.profile, SLICE("estimated")).len == 0, "without calls it is exact");
    reading_release(&r);
}

/* Estimated stacks leave out a call back into a running function, but b costs 40. */
#define CALLS_BACK                                                                                 \
    HEADER "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 50\nfn=a\n1 15\ncfn=b\ncalls=1 1\n1 40\n"            \
           "fn=b\n1 15\ncfn=a\ncalls=1 1\n1 5\ncfn=c\ncalls=1 1\n1 20\nfn=c\n1 20\n"

Test(input_callgrind, totals_are_those_of_the_file)
{
    static const struct {
        const char *name, *more;
        bool loses;
        const char *want;
    } rows[] = {
        {"b as stated; a and its recursion would cost more than the program", "", false,
         "main 51 a 50 b 40 c 20 "},
        {"functions of one name may call each other: their total is the estimate",
         "fl=x\nob=/lib/x.so\nfn=b\n1 1\n", false, "main 51 a 50 b 36 c 20 "},
        {"threads add up", "thread: 2\nfn=b\n1 3\n", false, "main 51 a 50 b 43 c 20 "},
        {"without a stack the totals are those of the others", "", true, "b 35 a 35 main 35 c 20 "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf text = {0}, out = {0};
        struct reading r;

        buf_printf(&text, CALLS_BACK "%s", rows[i].more);
        reading_text(&r, buf_slice(&text), NULL);
        if (rows[i].loses) {
            unsigned char *marks = xcalloc(r.profile.stacks.count, 1);

            for (uint32_t s = 1; s < r.profile.stacks.count; s++)
                marks[s] = s < 3;
            reshape_drop(&r.profile.series.items[0], marks, 1);
            free(marks);
        }
        reading_totals(&r, &out);
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: %s", rows[i].name, buf_string(&out));
        reading_release(&r);
        buf_release(&text);
        buf_release(&out);
    }
}

Test(input_callgrind, totals_of_merged_files_add_up)
{
    struct buf out = {0};
    struct reading r, other, plain;

    reading_text(&r, SLICE(CALLS_BACK), NULL);
    reading_text(&other, SLICE(HEADER "fn=z\n1 9\nfn=b\n1 2\n"), NULL);
    cr_assert(profile_merge(&r.profile, &other.profile));
    reading_totals(&r, &out);
    cr_expect_str_eq(buf_string(&out), "main 51 a 50 b 42 c 20 z 9 ", "%s", buf_string(&out));
    reading_text(&plain, SLICE("x;b 3\n"), NULL);
    profile_rename_series(&plain.profile, 0, SLICE("Ir"));
    cr_assert(profile_merge(&r.profile, &plain.profile));
    buf_clear(&out);
    reading_totals(&r, &out);
    cr_expect_str_eq(buf_string(&out), "main 51 a 50 b 40 c 20 z 9 x 3 ", "%s", buf_string(&out));
    reading_release(&plain);
    reading_release(&other);
    reading_release(&r);
    buf_release(&out);
}

/* A very deep chain of calls, and a graph with too many paths to walk them all. */
Test(input_callgrind, large_graphs)
{
    enum { DEPTH = 100000, LAYERS = 40, WIDTH = 10 };
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, HEADER);
    for (int i = 0; i < DEPTH; i++)
        buf_printf(&text, "fn=f%d\n1 1\ncfn=f%d\ncalls=1 1\n1 %d\n", i, i + 1, DEPTH - i);
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, DEPTH);
    reading_release(&r);
    buf_clear(&text);
    buf_add_str(&text, HEADER);
    for (int i = 0; i < LAYERS; i++)
        for (int k = 0; k < WIDTH; k++) {
            buf_printf(&text, "fn=f%d_%d\n1 1\n", i, k);
            for (int to = 0; to < WIDTH; to++)
                buf_printf(&text, "cfn=f%d_%d\ncalls=1 1\n1 %d\n", i + 1, to, LAYERS - i);
        }
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, LAYERS * WIDTH);
    reading_release(&r);
    buf_release(&text);
}

static bool claimed(const struct format *f, const char *text)
{
    return claim_by(f, slice_str(text), true);
}

Test(input_callgrind, claims)
{
    cr_expect(claimed(&format_callgrind, HEADER));
    cr_expect(claimed(&format_callgrind, "events: Ir\nfn=main\n1 2\n"));
    cr_expect(claimed(&format_callgrind, "desc: I1 cache: 1\ncmd: ls\nevents: Ir\nfl=a\nfn=b\n"));
    cr_expect_not(claimed(&format_xdebug_profile, HEADER));
    cr_expect(claimed(&format_xdebug_profile, XDEBUG "fn=(1) a\n1 2\n"));
    cr_expect(claimed(&format_xdebug_profile,
                      "version: 0.9.6\ncmd: /x.php\npart: 1\n\nevents: Time\n\n"
                      "fl=php:internal\nfn=php::f\n1 2\n"));
    cr_expect_not(claimed(&format_callgrind, "events: party\nfun=yes\n"));
    cr_expect_not(claimed(&format_callgrind, "fn=main\nevents=3\n"));
    cr_expect_not(claimed(&format_callgrind, "<html>\n<pre>\nevents: Ir\nfn=a\n1 2\n</pre>\n"));
}

/* Lines with LF take the fast paths, lines with CR LF do not: the results must be equal. */
Test(input_callgrind, plain_lines_are_as_any_others)
{
    const struct slice text =
        SLICE("events: Ir Dr\npositions: instr line\n\n"
              "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n"
              "0x10 16 20 3\n+3 +1 1\n+3 -1 123456789 1234567890123\n"
              "* * 5 0\ncob=(1)\ncfi=(1)\ncfn=(2) parse\ncalls=1 50 1\n"
              "+0 16 400 12\ncfn=(2)\ncalls=2 50 \n-0 16 007\n"
              "fn=(2)\nfe=(1)\n1 2 0x1f\n1 2 3 4 5\n1\n1 2\n1 2 3 \n1 2  4\n"
              "cfn=(9)\ncalls=1 1\n1 1 1\nfn=(123456789)\n1 2 3\n"
              "calls=1 1\n1 2 3\ncfn=(1)\nfn=(1)\n1 1 18446744073709551616\n"
              "fl=(7)\nob=(7)\nfx=(1)\ncfe=(1)\nfn=(1x)\n1 1 9\nfn=(2) \n1 1 9\n");
    struct reading lf, crlf;
    struct buf input = {0}, a = {0}, b = {0};

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            buf_add_char(&input, '\r');
        buf_add_char(&input, text.ptr[i]);
    }
    reading_text(&lf, text, NULL);
    reading_text(&crlf, buf_slice(&input), NULL);
    cr_assert_eq(lf.result, INPUT_READ);
    for (uint32_t i = 0; i < lf.profile.series.count; i++) {
        reading_fold(&lf, i, &a);
        reading_fold(&crlf, i, &b);
    }
    reading_messages(&lf, &a);
    reading_messages(&crlf, &b);
    cr_expect_str_eq(buf_string(&a), buf_string(&b), "%s\n--\n%s", buf_string(&a), buf_string(&b));
    reading_release(&lf);
    reading_release(&crlf);
    buf_release(&input);
    buf_release(&a);
    buf_release(&b);
}
