
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEAD                                                                                       \
    "sample:\n  event_type: cpu-clock:u\n  time: 1000\n  event_count: 250\n  thread_id: 12\n"      \
    "  thread_name: app\n"
#define FRAME(indent, file, symbol)                                                                \
    indent "vaddr_in_file: 4a10\n" indent "file: " file "\n" indent "symbol: " symbol "\n"

static const struct folding cases[] = {
    {"leaf first, below the thread",
     HEAD FRAME("  ", "/lib/libc.so", "read") "  callchain:\n" FRAME(
         "    ", "/data/app/base.odex", "com.example.App.load(java.lang.String)")
         FRAME("    ", "/lib/a.so", "main"),
     "app;main;com.example.App.load;read 250\n", NULL},
    {"a symbol that is unknown, a module alone", HEAD FRAME("  ", "/lib/a.so", "unknown"),
     "app;[a.so] 250\n", NULL},
    {"events are series",
     HEAD FRAME("  ", "a", "f") "sample:\n  event_type: page-faults\n  event_count: 3\n"
                                "  thread_name: b\n" FRAME("  ", "a", "g"),
     "[cpu-clock:u]\napp;f 250\n[page-faults]\nb;g 3\n", NULL},
    {"older reports name no threads",
     "sample:\n  event_type: x\n  event_count: 2\n" FRAME("  ", "a", "f"), "f 2\n", NULL},
    {"Java by how it ran",
     HEAD FRAME("  ", "[JIT app cache]", "a.B.c(int)") "  execution_type: jit_jvm_method\n",
     "app;a.B.c 250\n", NULL},
    {"switches and lost samples are no samples",
     HEAD FRAME("  ", "a", "f") "context_switch:\n  switch_on: true\n  time: 12\n  thread_id: 9\n"
                                "lost_situation:\n  sample_count: 1\n  lost_count: 7\n",
     "app;f 250\n", NULL},
    {"a sample without frames counts",
     HEAD FRAME("  ", "a", "f") "sample:\n  event_type: cpu-clock:u\n  event_count: 7\n"
                                "  thread_name: app\n",
     "app 7\napp;f 250\n", NULL},
    {"a key that is new", HEAD "  cpu: 3\n" FRAME("  ", "a", "f"), "app;f 250\n", NULL},
    {"a sample without a count is skipped, the others are not",
     HEAD FRAME("  ", "a", "f") "sample:\n  event_type: cpu-clock:u\n" FRAME("  ", "a", "g"),
     "app;f 250\n", "in:12: warning: expected 'event_count: N' before the frame: '"},
    {"a line that is none", HEAD "  x\n" FRAME("  ", "a", "f"), "app;f 250\n",
     "in:7: warning: expected 'KEY: VALUE'"},
};

Test(input_simpleperf_text, texts)
{
    folding_check("simpleperf-text", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_simpleperf_text, lost_samples_are_counted)
{
    struct reading r;

    reading_text(&r, SLICE(HEAD FRAME("  ", "a", "f") "lost_situation:\n  lost_count: 7\n"), NULL);
    cr_expect_eq(r.profile.ledger.lost, 7);
    reading_release(&r);
}

Test(input_simpleperf_text, claims)
{
    const struct format *f = &format_simpleperf_text;

    cr_expect(claim_by(f, SLICE(HEAD FRAME("  ", "a", "f")), true));
    cr_expect(claim_by(f, SLICE("context_switch:\n  time: 1\n" HEAD), true));
    cr_expect_not(claim_by(f, SLICE("sample:\nevent_type: x\n"), true));
    cr_expect_not(claim_by(f, SLICE("sample:\n  name: x\n  event_type: x\n"), true));
    cr_expect_not(claim_by(f, SLICE("sample:\n"), true));
}
