
#include "unit/support/test.h"
#include "unit/support/told.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"threads",
     "Traceback for thread 112 (python3) [Has the GIL] (most recent call last):\n"
     "    (C) File \"???\", line 0, in _start (/usr/bin/python3.9)\n"
     "    (Python) File \"/srv/app.py\", line 17, in <module>\n"
     "        main()\n"
     "    (Python) File \"/srv/app.py\", line 9, in main\n"
     "        spin(10)\n"
     "      Locals:\n"
     "        n: 10\n"
     "\n"
     "Traceback for thread 113 (python3) [] (most recent call last):\n"
     "    (Python) File \"/usr/lib/python3.9/threading.py\", line 912, in _bootstrap\n"
     "        self._bootstrap_inner()\n"
     "    (C) File \"Python/thread_pthread.h\", line 46, in "
     "PyThread_acquire_lock_timed (/usr/bin/python3.9)\n",
     "==  threads\n"
     "_bootstrap;PyThread_acquire_lock_timed 1\n"
     "_start;<module> (app.py);main 1\n"},
    {"a frame without its line",
     "Traceback for thread 1 (python3) [] (most recent call last):\n"
     "    (Python) File \"a.py\", in main\n"
     "    (Python) File \"a.py\", line 3, in main\n",
     "==  threads\n"
     "main 1\n"
     "in:2: warning: expected 'File \"FILE\", line N, in NAME': "
     "'    (Python) File \"a.py\", in main'; line skipped\n"},
};
/* clang-format on */

Test(input_pystack, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
