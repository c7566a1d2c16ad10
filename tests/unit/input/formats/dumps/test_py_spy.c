
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TOP "Process 12: python3 a.py\nPython v3.11.2 (/usr/bin/python3.11)\n\n"

static const struct folding cases[] = {
    {"active and idle threads",
     TOP "Thread 12 (active+gil): \"MainThread\"\n    f (a.py:5)\n    <module> (a.py:9)\n"
         "Thread 0x7F01 (idle): \"w\"\n    wait (threading.py:320)\n",
     "[active]\n<module> (a.py);f 1\n[idle]\nwait 1\n", NULL},
    {"the same stack in two dumps",
     TOP "Thread 12 (active): \"M\"\n    f (a.py:5)\n\n" TOP "Thread 12 (active): \"M\"\n"
         "    f (a.py:6)\n",
     "f 2\n", NULL},
    {"native functions and local variables",
     TOP "Thread 12 (active)\nThread 12 (active): \"M\"\n    read (libc.so.6)\n    f (a.py:5)\n"
         "        Arguments:\n            g (b.py:1)\n    main (a.py:9)\n",
     "main;f;read 1\n", NULL},
    {"lines that cannot be read", TOP "Thread 12 (active): \"M\"\n    f (a.py:5)\nError: gone\n",
     "f 1\n", "in:6: warning: expected 'FUNCTION (FILE:LINE)'"},
};

Test(input_py_spy, texts)
{
    folding_check("py-spy", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

/* With --subprocesses a dump has several processes. */
Test(input_py_spy, dumps_are_counted)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {TOP "Thread 12 (active): \"M\"\n    f (a.py:5)\n", ""},
        {TOP "Thread 12 (active): \"M\"\n    f (a.py:5)\n\nProcess 13: b\n"
             "Thread 13 (idle): \"M\"\n    f (a.py:5)\n",
         ""},
        {TOP "Thread 12 (active): \"M\"\n    f (a.py:5)\n\nProcess 13: b\n" TOP
             "Thread 12 (active): \"M\"\n    f (a.py:5)\n",
         "2"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct input_options options = input_options_default();
        struct reading r;

        reading_text(&r, slice_str(rows[i].text), &options);
        cr_expect(slice_equal(profile_fact(&r.profile, SLICE("dumps")), slice_str(rows[i].want)),
                  "row %zu", i);
        reading_release(&r);
    }
}

Test(input_py_spy, claims)
{
    cr_expect(claim_by(&format_py_spy, SLICE(TOP "Thread 12 (idle): \"M\"\n"), true));
    cr_expect_not(claim_by(&format_py_spy, SLICE("Thread 12 (idle): \"M\"\n"), true));
    cr_expect_not(claim_by(&format_py_spy, SLICE(TOP "Thread 12 (sleeping): \"M\"\n"), true));
}
