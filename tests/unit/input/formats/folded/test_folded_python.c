/* Threads and lines in the folded stacks of Python. */
#include "unit/support/reading.h"
#include "unit/support/test.h"

static const char threads[] = "tid:7;f;g 4\ntid:8;f 2\nh 1\ntid:8;f;g 3\n";

/* The stacks of another thread are counted; those that name no thread are kept. */
Test(input_folded_python, threads_are_chosen)
{
    static const char *const wanted[] = {"8"};
    struct input_options options = input_options_default();
    struct reading r;

    options.threads = wanted;
    options.thread_count = 1;
    reading_text(&r, slice_str(threads), &options);
    reading_expect_fold(&r, "one thread", 0, "h 1\ntid:8;f 2\ntid:8;f;g 3\n");
    cr_expect_eq(r.profile.ledger.left_out, 1);
    cr_expect_eq(symbols_find(&r.profile.symbols, SLICE("tid:8"), SYMBOL_USER), SYMBOL_NONE);
    cr_expect_neq(symbols_find(&r.profile.symbols, SLICE("tid:8"), SYMBOL_OWNER), SYMBOL_NONE);
    reading_release(&r);
}

Test(input_folded_python, threads_are_split)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_thread = true;
    reading_text(&r, slice_str(threads), &options);
    reading_expect_series(&r, "a thread", "7", "tid:7;f;g 4\n");
    reading_expect_series(&r, "another", "8", "tid:8;f 2\ntid:8;f;g 3\n");
    reading_expect_series(&r, "no thread", "", "h 1\n");
    reading_release(&r);
}

/* With keeps_lines, as the command fold has it, names stay as they are written. */
Test(input_folded_python, lines_of_python_may_stay)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.keeps_lines = true;
    reading_text(&r, SLICE("f (x.py:3) 4\nf (x.py:5);x.py:g:3 2\n"), &options);
    reading_expect_fold(&r, "as written", 0, "f (x.py:3) 4\nf (x.py:5);x.py:g:3 2\n");
    reading_release(&r);
}

/* The line is the place of a function; V8's "KIND:name file:line" looks like one of Python. */
Test(input_folded_python, a_line_of_python_is_a_place)
{
    struct reading r;
    uint32_t python, v8;

    reading_text(&r, SLICE("LazyCompile:~run app.js:30;f (x.py:3) 4\n"), NULL);
    python = symbols_find(&r.profile.symbols, SLICE("f (x.py)"), SYMBOL_USER);
    v8 = symbols_find(&r.profile.symbols, SLICE("LazyCompile:~run app.js:30"), SYMBOL_USER);
    cr_assert(python != SYMBOL_NONE && v8 != SYMBOL_NONE);
    cr_expect(slice_equal(symbol_file(&r.profile.symbols, python), SLICE("x.py")));
    cr_expect_eq(symbol_file(&r.profile.symbols, v8).len, 0);
    reading_release(&r);
}
