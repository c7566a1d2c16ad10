/* Stacks that a profiler cut without saying so. */

#include "base/buf.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* A line of a stack: `before`, the functions fFIRST to fLAST, and the weight 1. */
static void add_stack(struct buf *b, const char *before, unsigned first, unsigned last)
{
    buf_add_str(b, before);
    for (unsigned i = first; i <= last; i++)
        buf_printf(b, "f%u%s", i, i < last ? ";" : " 1\n");
}

/* A chain of 80 functions below `root`, of which 64 frames are kept below `process`. */
static void add_chain(struct buf *b, const char *process, const char *root)
{
    struct buf whole = {0};

    buf_printf(&whole, "%s%s", process, root);
    add_stack(b, buf_string(&whole), 0, 38);
    add_stack(b, buf_string(&whole), 0, 62);
    add_stack(b, process, 6, 69);
    add_stack(b, process, 16, 79);
    buf_release(&whole);
}

static void expect(const char *name, const struct buf *text, const char *fact)
{
    struct reading r;

    reading_text(&r, buf_slice(text), NULL);
    cr_assert_eq(r.result, INPUT_READ, "%s", name);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("stacks cut")), slice_str(fact)),
              "%s: '%.*s'", name, SLICE_ARG(profile_fact(&r.profile, SLICE("stacks cut"))));
    cr_expect_eq(r.diag.counts[DIAG_WARNING], *fact != 0, "%s", name);
    reading_release(&r);
}

Test(input_cut, roots_in_the_middle_of_a_chain)
{
    struct buf b = {0};

    add_chain(&b, "", "main;");
    expect("a chain", &b, "at 64 frames, 50.00% of the weight");
    buf_clear(&b);
    add_chain(&b, "app;", "main;");
    expect("a chain below a process", &b, "at 65 frames, 50.00% of the weight");
    buf_release(&b);
}

Test(input_cut, whole_stacks)
{
    struct buf b = {0};

    add_stack(&b, "main;", 0, 38);
    add_stack(&b, "main;", 0, 62);
    add_stack(&b, "main;g;", 0, 61);
    expect("one root", &b, "");
    add_stack(&b, "worker;", 0, 62);
    add_stack(&b, "thread;", 0, 62);
    expect("threads whose roots nothing calls", &b, "");
    buf_clear(&b);
    add_stack(&b, "main;", 0, 3);
    add_stack(&b, "", 1, 5);
    add_stack(&b, "", 2, 6);
    expect("short stacks", &b, "");
    buf_release(&b);
}
