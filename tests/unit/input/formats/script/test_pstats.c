
#include "base/file.h"
#include "support/formats.h"
#include "tree/top.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* Pieces of marshal's format: dictionaries end with 0, texts and tuples have a byte of length. */
#define TIME(bytes) "g\0\0\0\0\0\0" bytes
#define HALF TIME("\340?")
#define ONE TIME("\360?")
#define TWO TIME("\0@")
#define MINUS TIME("\360\277")
#define NUMBER(n) "i" n "\0\0\0"
#define KEY(line, name) ")\3z\4a.py" NUMBER(line) "z\1" name
#define COUNTS ")\5" NUMBER("\2") NUMBER("\2")
#define CALLS(total) ")\4" NUMBER("\1") NUMBER("\1") HALF total

static const struct {
    const char *name;
    struct slice bytes;
    const char *folded, *told;
} cases[] = {
    {"cProfile notes the times of each caller",
     SLICE("{" KEY("\1", "f") COUNTS HALF TWO "{0" KEY("\2", "g") COUNTS ONE ONE "{" KEY("\1", "f")
               CALLS(ONE) "000"),
     "f 500000000\nf;g 1000000000\n", NULL},
    {"profile notes how often a caller called",
     SLICE("{" KEY("\1", "f") COUNTS HALF ONE "{0" KEY("\2", "g") COUNTS ONE ONE "{" KEY("\1", "f")
               NUMBER("\1") "0" KEY("\3", "h") COUNTS HALF ONE "{00"),
     "f 500000000\nf;g 1000000000\nh 500000000\n", NULL},
    {"references to keys, texts and numbers",
     SLICE(
         "\373\251\003\372\004\141\056\160\171\351\001\000\000\000\332\001\146\051\005\162\003\000"
         "\000\000\162\003\000\000\000\347\000\000\000\000\000\000\340\077\347\000\000\000\000\000"
         "\000\360\077\173\060\251\003\162\002\000\000\000\351\002\000\000\000\332\001\147\051\005"
         "\162\003\000\000\000\162\003\000\000\000\162\006\000\000\000\162\006\000\000\000\173\162"
         "\001\000\000\000\051\004\162\003\000\000\000\162\003\000\000\000\162\005\000\000\000\162"
         "\006\000\000\000\060\060"),
     "f 500000000\nf;g 1000000000\n", NULL},
    {"equal names have their lines, then their files",
     SLICE("{" KEY("\1", "f") COUNTS ONE ONE "{0" KEY("\2", "f") COUNTS HALF HALF
           "{0)\3z\7/b/c.pyN"
           "z\1f" COUNTS HALF HALF "{0" KEY("\2", "g") COUNTS HALF HALF "{0"
                                                                        "0"),
     "f (a.py:1) 1000000000\nf (a.py:2) 500000000\nf (c.py) 500000000\ng 500000000\n", NULL},
    {"lines of functions, from Python's sampling profiler",
     SLICE("{" KEY("\1", "f") COUNTS ONE ONE "{0" KEY("\2", "f") COUNTS HALF HALF
           "{0" KEY("\3", "g") COUNTS HALF HALF "{0)\1z\13__sampled__T0"),
     "f 1500000000\ng 500000000\n", NULL},
    {"a built-in function has no file",
     SLICE("{)\3s\1\0\0\0~" NUMBER("\0") "u\4\0\0\0<id>" COUNTS ONE ONE "{00"), "<id> 1000000000\n",
     NULL},
    {"long numbers and printed ones are times, too",
     SLICE("{" KEY("\1", "f") ")\5I\1\0\0\0\0\0\0\0l\1\0\0\0\1\0l\2\0\0\0\0\0\1\0f\0031.5{00"),
     "f 32768000000000\n", NULL},
    {"a timer that ran backwards",
     SLICE("{" KEY("\1", "f") COUNTS MINUS MINUS "{0" KEY("\2", "g") COUNTS ONE ONE "{00"),
     "g 1000000000\n",
     "a time of 'f' is negative, because the timer ran backwards; it counts as 0"},
    {"what is no function is skipped",
     SLICE("{" KEY("\1", "f") ")\1N" KEY("\2", "g") COUNTS ONE ONE "{N" NUMBER("\1") "00"),
     "g 1000000000\n",
     "the numbers of 'f' are incomplete; skipped\nin: warning: a caller of 'g' is no function"},
    {"texts where times and numbers of calls should be",
     SLICE("{" KEY("\1", "f") COUNTS "z\1x" ONE "{0" KEY("\2", "g") ")\5" NUMBER(
         "\2") "z\1x" ONE ONE "{" KEY("\1", "f") NUMBER("\1") "00"),
     "f;g 1000000000\n",
     "a time of 'f' is no number or too large; it counts as 0\n"
     "in: warning: the calls of 'g' are no number; they count as 0"},
    {"a key that is none, and callers that are none",
     SLICE("{" KEY("\2", "g") COUNTS ONE ONE "NN" COUNTS ONE ONE "{00"), "g 1000000000\n",
     "the callers of 'g' are no dictionary; it is shown without a caller\n"
     "in: warning: the key of entry 2 is no file, line and function; skipped"},
    {"cut", SLICE("{" KEY("\1", "f") COUNTS ONE ONE "{0" KEY("\2", "g") COUNTS "g\0"),
     "f 1000000000\n", "the profile ends here or is damaged; 1 function was read"},
    {"nothing but damage", SLICE("{" KEY("\1", "f") "?"), NULL, "is damaged: no function was read"},
    {"more items than bytes", SLICE("{)\3z\1fNN(\377\377\377\177"), NULL, "is damaged"},
    {"deeper than any profile", SLICE("{" KEY("\1", "f") ")\1)\1)\1)\1)\1)\1)\1)\1N0"), NULL,
     "is damaged"},
    {"dictionaries within callers", SLICE("{" KEY("\1", "f") COUNTS ONE ONE "{NN{NN0N00"), NULL,
     "is damaged"},
    {"a reference to nothing", SLICE("{)\3z\1fNr\1\0\0\0N0"), NULL, "is damaged"},
    {"an interned text that is not there", SLICE("{)\3z\1fNR\1\0\0\0N0"), NULL, "is damaged"},
    {"times beyond all clocks",
     SLICE("{" KEY("\1", "f") COUNTS TIME("\0}") ONE "{0" KEY("\2", "g") COUNTS ONE ONE "{00"),
     "g 1000000000\n", "a time of 'f' is no number or too large; it counts as 0"},
};

Test(input_pstats, bytes)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf folded = {0}, messages = {0};
        struct reading r;

        reading_text(&r, cases[i].bytes, NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result == INPUT_READ, cases[i].folded != NULL, "%s: %s", cases[i].name,
                     buf_string(&messages));
        if (r.result == INPUT_READ && cases[i].folded) {
            reading_fold(&r, 0, &folded);
            cr_expect_str_eq(buf_string(&folded), cases[i].folded, "%s: %s", cases[i].name,
                             buf_string(&folded));
        }
        cr_expect(cases[i].told ? strstr(buf_string(&messages), cases[i].told) != NULL
                                : !messages.len,
                  "%s: %s", cases[i].name, buf_string(&messages));
        buf_release(&folded);
        buf_release(&messages);
        reading_release(&r);
    }
}

/* Tables have the cumulative times of the file: 1 s of f, although its calls make it 1.5 s. */
Test(input_pstats, totals_are_those_of_the_file)
{
    struct buf out = {0};
    struct reading r;

    reading_text(&r,
                 SLICE("{" KEY("\1", "f") COUNTS HALF ONE "{0" KEY("\2", "g") COUNTS ONE ONE
                       "{" KEY("\1", "f") CALLS(ONE) "0" KEY("\3", "h") COUNTS HALF TWO "{00"),
                 NULL);
    reading_totals(&r, &out);
    cr_expect_str_eq(buf_string(&out), "h 2000000000 g 1000000000 f 1000000000 ", "%s",
                     buf_string(&out));
    reading_release(&r);
    buf_release(&out);
}

Test(input_pstats, claims)
{
    cr_expect(claim_by(&format_pstats, SLICE("{0"), true));
    cr_expect(claim_by(&format_pstats, SLICE("\373)\3\372\1~\351"), true));
    cr_expect(claim_by(&format_pstats, SLICE("{(\3\0\0\0s\1\0\0\0~"), true));
    cr_expect_not(claim_by(&format_pstats, SLICE("{0\n"), true));
    cr_expect_not(claim_by(&format_pstats, SLICE("{(\2\0\0\0s\1\0\0\0~"), true));
    cr_expect_not(claim_by(&format_pstats, SLICE("{\"a\":1}"), true));
}

static int compare_pairs(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Self and total of all functions, as Python's pstats has them. */
static size_t expected_pairs(const char *name, uint64_t (*pairs)[2], size_t most)
{
    struct buf file = {0}, path = {0}, text = {0}, why = {0};
    struct slice rest, line;
    size_t count = 0;

    buf_printf(&file, "pstats/expected/%s.functions.tsv", name);
    cr_assert(file_read(corpus_path(&path, buf_string(&file)), 1 << 24, &text, &why));
    rest = buf_slice(&text);
    while (slice_line(&rest, &line) && count < most) {
        const char *cell = line.ptr;

        if (slice_starts(line, SLICE("#")))
            continue;
        for (int tab = 0; tab < 3; tab++)
            cell = strchr(cell, '\t') + 1;
        pairs[count][0] = (uint64_t)(strtod(cell, NULL) * 1e9 + 0.5);
        pairs[count][1] = (uint64_t)(strtod(strchr(cell, '\t'), NULL) * 1e9 + 0.5);
        count += pairs[count][1] > 0;
    }
    buf_release(&file);
    buf_release(&path);
    buf_release(&text);
    buf_release(&why);
    return count;
}

Test(input_pstats, functions_as_python_has_them, .init = corpus_need)
{
    static const char *const names[] = {"cprofile-cycle.pstats", "jsonwork.pstats",
                                        "recurse.pstats", "threads-worker-w0.pstats",
                                        "threads.pstats"};
    enum { MOST = 1000 };
    static uint64_t want[MOST][2], got[MOST][2];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t wanted = expected_pairs(names[i], want, MOST), count = 0;
        struct buf file = {0}, path = {0};
        struct reading r;
        struct tree tree;
        struct top top;

        buf_printf(&file, "pstats/%s", names[i]);
        reading_path(&r, corpus_path(&path, buf_string(&file)), "in", NULL, 1);
        cr_assert_eq(r.result, INPUT_READ);
        tree_init(&tree, &r.profile, 0, &(struct tree_options){0});
        top_init(&top, &tree);
        vec_each (const struct top_row, row, &top.rows) {
            got[count][0] = row->self;
            got[count++][1] = row->total;
        }
        cr_assert_eq(count, wanted, "%s: %zu functions, not %zu", names[i], count, wanted);
        qsort(want, count, sizeof(*want), compare_pairs);
        qsort(got, count, sizeof(*got), compare_pairs);
        cr_expect_eq(memcmp(want, got, count * sizeof(*want)), 0, "%s", names[i]);
        top_release(&top);
        tree_release(&tree);
        reading_release(&r);
        buf_release(&file);
        buf_release(&path);
    }
}
