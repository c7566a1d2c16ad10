#include <criterion/criterion.h>

#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"

#define HEADER "Thread 2 (Thread 0x7f12 (LWP 71) \"worker\"):\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"two threads, twice",
     "[New LWP 71]\n" HEADER "#0  work (arg=0x1) at work.c:26\n"
     "#1  0x000055e1 in start (arg=<optimized out>) from /lib/libpthread.so.0\n\n"
     "Thread 1 (LWP 9):\n#0  0x10 in main () at m.c:3\n[Inferior 1 (process 9) detached]\n"
     "__poll (n=1) at poll.c:3\n\n" HEADER "#0  work (arg=0x1) at work.c:26\n"
     "#1  0x000055e1 in start (arg=<optimized out>) from /lib/libpthread.so.0\n",
     "main 1\nstart;work 2\n"},
    {"wrapped arguments, file and variables",
     HEADER "#0  0x01 in f (this=0x2, \n    text=0x3 \"a (b\\\" c\", c=40 '(')\n    at f.cpp:12\n"
            "        at = 3\n        from = {x = 1}\nNo locals.\n"
            "#1  0x04 in a_very_long_name\n    (b=1) at f.cpp:13\n",
     "a_very_long_name;f 1\n"},
    {"names with blanks and parentheses",
     HEADER
     "#0  operator() (id=1) at x.cpp:33\n"
     "#1  std::__invoke_impl<void, main(int, char**)::<lambda(int)>, int> (f=...) at i.h:61\n"
     "#2  std::function<void (int)>::operator() (this=0x1) at f.h:2\n"
     "#3  S<int>::_M_run(void) (this=0x55) at t:210\n#4  operator new () at n:1\n"
     "#5  0x2 in main (argc=1, argv=0x2) at x.cpp:1\n",
     "main;operator new;S<int>::_M_run;std::function<void (int)>::operator();"
     "std::__invoke_impl<void, main(int, char**)::<lambda(int)>, int>;operator() 1\n"},
    {"no symbol: the library, or the address",
     HEADER "#0  0x7f12 in ?? () from /lib/libz.so.1\n#1  0xab in ?? ()\n#2  0x5 in main ()\n",
     "main;0xab;[libz.so.1] 1\n"},
    {"no symbols, at different addresses",
     HEADER "#0  0x0000ab in ?? ()\n#1  0xcd in ?? ()\n#2  0x5 in main ()\n", "main;0xcd;0xab 1\n"},
    {"lines met before",
     HEADER
     "#0  0x1 in f () at x.c:1\n#1  m () at x.c:2\n#2  0x3 in s (a=1,\n    b=2) at x.c:3\n" HEADER
     "#0  0x1 in f () at x.c:1\n    from no library\n#1  m () at x.c:2\n"
     "#2  0x3 in s (a=1,\n    b=2) at x.c:3\n#1  m () at x.c:2\n"
     "Thread 1 (LWP 9):\n#0  0x1 in f () at x.c:1\n",
     "f 1\nm 1\ns;m;f 2\n"},
    {"a signal's frame",
     HEADER "#0  0x1 in raise () from /lib/libc.so.6\n"
            "#1  <signal handler called>\n#2  0x2 in f () at /lib/libx.so\n",
     "f;<signal handler called>;raise 1\n"},
    {"cut by gdb",
     HEADER "#0  0x1 in f () at x.c:1\n(More stack frames follow...)\n"
            "Backtrace stopped: nothing\n#0  0x1 in g () at x.c:1\n",
     "f 1\ng 1\n"},
    {"numbers that do not go up begin a stack",
     HEADER "#0  0x1 in f () at x.c:1\n#1  0x1 in m () at x.c:1\n#1  0x1 in g () at x.c:1\n",
     "g 1\nm;f 1\n"},
};

Test(input_gdb, frames)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "gdb", cases[i].text, NULL, cases[i].want, NULL);
}

Test(input_gdb, a_caller_without_an_address_is_where_a_frame_is_inlined)
{
    struct input_options options = input_options_default();

    options.inlined = true;
    golden_text("inlined", "gdb",
                HEADER "#0  a () at x.c:1\n#1  0x4 in b () at x.c:2\n#2  c () at x.c:3\n"
                       "#3  d () at x.c:3\n#4  <signal handler called>\n#5  0x9 in m () at x.c:9\n",
                &options, "m;<signal handler called>;d;c_[i];b_[i];a 1\n", "");
    golden_text("no addresses at all", "gdb", HEADER "#0  a () at x.c:1\n#1  b () at x.c:2\n",
                &options, "b;a 1\n", "");
}

Test(input_gdb, threads_are_selected_and_split)
{
    static const char *const wanted[] = {"71"};
    struct input_options options = input_options_default();
    const char *text = HEADER "#0  0x1 in f () at x.c:1\n\nThread 1 (Thread 9):\n"
                              "#0  0x1 in g () at x.c:1\n";

    options.threads = wanted;
    options.thread_count = 1;
    golden_text("selected", "gdb", text, &options, "f 1\n", NULL);
    options.thread_count = 0;
    options.split_thread = true;
    golden_text("split", "gdb", text, &options, "[worker (71)]\nf 1\n[9]\ng 1\n", NULL);
}

Test(input_gdb, a_cut_frame_is_told)
{
    golden_text("cut", "gdb", HEADER "#0  0x1 in f () at x.c:1\n#1  0x2 in g (a=1, b=\"x", NULL,
                "g;f 1\n",
                "in:3: warning: the last frame is cut off; its stack may be incomplete\n");
}

Test(input_gdb, hostile)
{
    struct buf text;

    buf_init(&text);
    buf_add_str(&text, HEADER "#0  0x1 in f (");
    for (int i = 0; i < 100000; i++)
        buf_add_str(&text, "(\n    (\"");
    golden_text("open parentheses", "gdb", text.ptr, NULL, "f 1\n", NULL);
    buf_clear(&text);
    buf_add_str(&text, HEADER "#0  0x1 in main () at x:1\n#99999999999999999999999 0x1 in f ()\n"
                              "#1\n# 1\n#1 \n#1  \n");
    golden_text("numbers", "gdb", text.ptr, NULL, "main 1\n", NULL);
    buf_release(&text);
}

Test(input_gdb, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {HEADER "#0  main () at x.c:1\n", true},
        {"#0  0x0000003b26460e69 in write () at x.S:82\n", true},
        {"#0  main () at x.c:1\n#1  0x12 in f (a=1) from /lib/x\n", true},
        {"#0  0x0000003b26460e69 write\n#1  0x0000003b26460e69 read\n", false},
        {"TID 3:\n#0  0x0000003b26460e69 std::f(int)\n", false},
        {"    #0 0x4f in main /src/x.c:3\n    #1 0x5f in f (/lib/libc+0x1)\n", false},
        {"#1 first (of many)\n#2 second (of many)\n", false},
        {"#0 nothing (yet)\n#1 first (of many)\n", false},
        {HEADER "#16 0x12 in f () at x.c:1\n#17 main () at x.c:3\n", true},
        {"#16 0x12 in f () at x.c:1\n", false},
        {"Thread 1 (main):\nmain;f 1\n", false},
        {"# comment\nmain;f 1\n", false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_gdb, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}

Test(input_gdb, reference_names, .init = corpus_need)
{
    golden_reference("gdb/gdb13-poormans-15x.txt",
                     "gdb/expected/computed/gdb13-poormans-15x.txt.ref-perl.folded");
    golden_reference("gdb/rhbz-1119072", "gdb/expected/computed/rhbz-1119072.ref-perl.folded");
}
