
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE "<!DOCTYPE html>\n<html>\n<script>\n"
#define OLD PAGE "\tfunction f(level, left, width, type, title) {}\n"
#define TYPED PAGE "\tfunction f(level, left, width, type, title, inln, c1, int) {}\n"
#define NEW PAGE "\tfunction f(key, level, left, width, inln, c1, int) {}\n"
#define POOL "const cpool = [\n'all',\n' java/lang/Thread.run',\n'1it\\'s',\n' read'\n];\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"absolute places and five types",
     OLD "f(0,0,9,4,'all')\nf(1,0,4,0,'a/B.c')\nf(2,1,3,2,'do_\\'x\\'')\nf(1,4,5,1,'i')\n",
     "==  samples\na/B.c_[j] 1\na/B.c_[j];do_'x'_[k] 3\ni_[i] 5\n"},
    {"seven types",
     TYPED "f(0,0,9,3,'all')\nf(1,0,4,0,'a',1,2,3)\nf(1,4,2,1,'b')\nf(1,6,2,5,'c')\n"
           "f(1,8,1,6,'d')\n",
     "==  samples\na_[0] 4\nb_[j] 2\nc_[k] 2\nd_[1] 1\n"},
    {"a pool, and widths that are those before",
     NEW "const units = 'ns';\n" POOL "n(3,10)\nu(9)\nu(18,4)\nn(29,5,1,2,3)\nf(28,3,2,2)\n",
     "==  seconds e-9\njava/lang/Thread.run_[j] 1\n"
     "java/lang/Thread.run_[j];java/lang/Thread.it's_[i] 4\n"
     "java/lang/Thread.run_[j];read_[k] 3\njava/lang/Thread.run_[j];read_[k];read 2\n"},
    {"malformed calls and names", NEW POOL "n(3,10)\nu(99,1)\nf(9,1)\nu(9,4)\nn(x)\n'stray\n",
     "==  samples\n 6\njava/lang/Thread.run_[j] 4\n"
     "in: warning: malformed frame: 'u(99,1)'; skipped\n"
     "in: warning: malformed frame: 'f(9,1)'; skipped\n"
     "in: warning: malformed frame: 'n(x)'; skipped\n"},
};

Test(input_async_profiler, texts)
{
    struct input_options options = input_options_default();

    options.jit = options.kernel = options.inlined = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), &options, cases[i].want);
}

/* The widest calls that a page can have do not overflow. */
Test(input_async_profiler, large_numbers)
{
    struct reading r;

    reading_text(&r,
                 SLICE(NEW POOL "n(3,1152921504606846975)\nf(9,1152921504606846975,"
                                "1152921504606846975,1152921504606846975)\n"
                                "f(9,1,1152921504606846975,18446744073709551615)\nn(9,1)\n"),
                 NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_release(&r);
}
