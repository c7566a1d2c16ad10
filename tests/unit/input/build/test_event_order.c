#include "input/build/event_order.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define HEADER(event) "# event : name = " event ", , id = { 1 }, type = 1 (x), size = 136\n"
#define SAMPLE(event) "a 1/1 1.0: 1 " event ": \n\t1 f (m)\n\n"

/* The series, in their order, whichever event happened first. */
static void expect_order(const char *content, const char *want)
{
    struct reading r;
    struct buf names = {0};

    reading_text(&r, slice_str(content), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    vec_each (const struct series, s, &r.profile.series)
        buf_printf(&names, "%s%.*s", names.len ? " " : "", SLICE_ARG(s->event));
    cr_expect_str_eq(buf_string(&names), want);
    buf_release(&names);
    reading_release(&r);
}

Test(event_order, is_that_of_the_header)
{
    expect_order(HEADER("cpu-clock") HEADER("page-faults") HEADER("context-switches")
                     SAMPLE("page-faults") SAMPLE("context-switches") SAMPLE("cpu-clock"),
                 "cpu-clock page-faults context-switches");
    expect_order(HEADER("page-faults") HEADER("cpu/event=0x3c,umask=0x1/") HEADER("cycles:u")
                     SAMPLE("cycles:u") SAMPLE("cpu/event=0x3c,umask=0x1/") SAMPLE("page-faults"),
                 "page-faults cpu/event=0x3c,umask=0x1/ cycles:u");
}

Test(event_order, without_a_header_starts_with_clocks_and_cycles)
{
    expect_order(SAMPLE("page-faults") SAMPLE("instructions") SAMPLE("cpu-clock") SAMPLE("faults"),
                 "cpu-clock instructions faults page-faults");
    expect_order(SAMPLE("context-switches") SAMPLE("cpu_core/instructions/")
                     SAMPLE("cpu_core/cycles/P"),
                 "cpu_core/cycles/P cpu_core/instructions/ context-switches");
    expect_order(SAMPLE("page-faults") SAMPLE("cycles:ppp"), "cycles:ppp page-faults");
    expect_order(SAMPLE("block:block_rq_complete") SAMPLE("block:block_rq_issue"),
                 "block:block_rq_issue block:block_rq_complete");
}

#define PMC(event)                                                                                 \
    "@ " event " [2 samples]\n\n100.0%  [2]        f @ /app\n 100.0%  [2]         main\n\n"
#define SIMPLEPERF(event)                                                                          \
    "sample:\n  event_type: " event "\n  time: 1\n  event_count: 1\n  thread_id: 1\n"              \
    "  thread_name: a\n  vaddr_in_file: 1\n  file: /app\n  symbol: f\n  callchain:\n"              \
    "    vaddr_in_file: 2\n    file: /app\n    symbol: main\n"
#define FTRACE(event)                                                                              \
    "  app-1  [001] d..2.  1.000001: " event ": x=1\n"                                             \
    "  app-1  [001] d..2.  1.000002: <stack trace>\n => f\n => main\n"

Test(event_order, of_other_formats)
{
    expect_order(PMC("page_fault") PMC("unhalted-cycles") PMC("instructions"),
                 "instructions page_fault unhalted-cycles");
    expect_order(PMC("\303\244") PMC("CLOCK.HARD") PMC("b"), "b CLOCK.HARD \303\244");
    expect_order(SIMPLEPERF("page-faults") SIMPLEPERF("cpu-clock"), "cpu-clock page-faults");
    expect_order("# tracer: nop\n#\n" FTRACE("sys_exit") FTRACE("mm_page_alloc"),
                 "mm_page_alloc sys_exit");
}
