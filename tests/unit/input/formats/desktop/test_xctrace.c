
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define START "<?xml version=\"1.0\"?><trace-query-result><node><schema name=\"time-profile\"/>\n"
#define END "</node></trace-query-result>\n"
#define WEIGHT "<weight id='9' fmt='1.00 ms'>1000000</weight>"
#define MAIN                                                                                       \
    "<frame id='11' name='main' addr='0x10'><binary id='12' name='app' path='/bin/app'/></frame>"
#define STACK                                                                                      \
    "<backtrace id='10'><frame id='13' name='a::f(int)' addr='0x1'><binary ref='12'/></frame>"     \
    "<frame ref='11'/></backtrace>"
#define ROW1 "<row>" WEIGHT "<backtrace id='14'>" MAIN "</backtrace></row>\n"

static const struct folding cases[] = {
    {"leaf first, by reference",
     START ROW1 "<row><weight ref='9'/>" STACK "</row>\n"
                "<row><weight ref='9'/><backtrace ref='10'/></row>\n" END,
     "main 1000000\nmain;a::f 2000000\n", NULL},
    {"without weights", START "<row><backtrace>" MAIN "</backtrace></row>\n" END, "main 1\n", NULL},
    {"cycles",
     START "<row><cycle-weight>12</cycle-weight><backtrace>" MAIN "</backtrace></row>" END,
     "main 12\n", NULL},
    {"a sentinel", START ROW1 "<row><weight>5</weight><sentinel/></row>" END, " 5\nmain 1000000\n",
     NULL},
    {"no symbol",
     START "<row><backtrace><frame name='0x1f' addr='0x1f'><binary name='app'/></frame>"
           "<frame name='0x2f' addr='0x2f'/></backtrace></row>" END,
     "0x2f;[app] 1\n", NULL},
    {"wrapped backtraces",
     START "<row><tagged-backtrace id='20'><backtrace id='21'>" MAIN
           "</backtrace></tagged-backtrace></row><row><tagged-backtrace ref='20'/></row>"
           "<row><backtrace ref='21'/></row>" END,
     "main 3\n", NULL},
    {"several threads of a process",
     START "<row><thread id='1' fmt='main  0x84 (app, pid: 7)'><tid id='2' fmt='0x84'>132</tid>"
           "<process id='3' fmt='app (7)'><pid id='4' fmt='7'>7</pid></process></thread>"
           "<backtrace id='14'>" MAIN "</backtrace></row><row><thread fmt='0x85 (app, pid: 7)'>"
           "<process ref='3'/></thread><backtrace ref='14'/></row>"
           "<row><thread ref='1'/><backtrace ref='14'/></row>" END,
     "0x85;main 1\nmain;main 2\n", NULL},
    {"several processes",
     START "<row><process fmt='a (1)'/><backtrace id='14'>" MAIN "</backtrace></row>"
           "<row><process fmt='b (2)'/><backtrace ref='14'/></row>" END,
     "a;main 1\nb;main 1\n", NULL},
    {"two tables",
     START ROW1 "</node><node><schema name='cpu-profile'/><row><cycle-weight>3"
                "</cycle-weight><backtrace ref='14'/></row>" END,
     "[time-profile]\nmain 1000000\n[cpu-profile]\nmain 3\n", NULL},
    {"an unknown frame", START "<row><backtrace><frame ref='99'/>" MAIN "</backtrace></row>" END,
     "main;[unknown] 1\n", "in:2: warning: reference of 'frame' to an undefined id: '99'"},
    {"an id of another kind", START ROW1 "<row><weight ref='10'/><backtrace ref='9'/></row>" END,
     "main 1000000\n", "reference of 'weight' to an undefined id: '10'"},
    {"another measure", START ROW1 "<row><backtrace ref='14'/></row>" END, "main 1000000\n",
     "in:3: warning: the weight of this row, 1, has another unit"},
    {"a bad weight", START "<row><weight>x</weight><backtrace>" MAIN "</backtrace></row>" ROW1 END,
     "main 1000000\n", "is not a whole number"},
    {"a cut file", START ROW1 "<row><weight ref='9'/><backtrace ref='14'/>", "main 1000000\n",
     "ends in the middle"},
    {"damage", START ROW1 "</row>", NULL, "is not XML"},
    {"weights beyond 64 bits",
     START "<row><weight>18446744073709551615</weight><backtrace id='14'>" MAIN
           "</backtrace></row><row><weight>1</weight><backtrace ref='14'/></row>" END,
     NULL, "does not fit in 64 bits"},
    {"no backtraces", START "<row>" WEIGHT "</row>" END, NULL, "export a table with backtraces"},
    {"nested rows, frames anywhere",
     START "<frame name='x'/><row>" MAIN "<row><frame ref='11'/><backtrace>" MAIN
           "</backtrace></row><frame ref='11'/></row><frame ref='11'/><row/>" END,
     " 1\nmain 2\n", NULL},
};

Test(input_xctrace, rows_become_stacks)
{
    folding_check("xctrace", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_xctrace, times_and_source_lines)
{
    struct input_options o = input_options_default();
    const struct series *s;
    struct reading r;
    struct buf folded = {0};

    o.srcline = true;
    reading_text(&r,
                 SLICE(START
                       "<row><sample-time id='1'>57</sample-time><backtrace><frame name='f'>"
                       "<source line='7'><path id='2'>f.c</path></source></frame></backtrace>"
                       "</row><row><sample-time>99</sample-time><backtrace><frame name='g'>"
                       "<source line='8'><path ref='2'/></source></frame></backtrace></row>" END),
                 &o);
    cr_assert_eq(r.result, INPUT_READ);
    s = &r.profile.series.items[0];
    cr_expect(s->first_ns == 57 && s->last_ns == 99);
    reading_fold(&r, 0, &folded);
    cr_expect_str_eq(buf_string(&folded), "f:f.c:7 1\ng:f.c:8 1\n", "%s", buf_string(&folded));
    reading_release(&r);
    buf_release(&folded);
}

Test(input_xctrace, claims)
{
    cr_expect_str_eq(claim_find(SLICE(START END), true)->name, "xctrace");
    cr_expect_null(claim_find(SLICE("<?xml version=\"1.0\"?><a/>\n"), true));
    cr_expect_null(claim_find(SLICE("The element <trace-query-result> is\n"), true));
}

Test(input_xctrace, reference_names)
{
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    folding_check_file("xctrace-xml/basic.xml.gz", "xctrace-xml/expected/basic.folded", &o);
}
