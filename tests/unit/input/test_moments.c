/*
 * Samples kept one by one: the times that readers give them, and that nothing else
 * changes.
 */

#include "unit/support/reading.h"

#include "unit/support/test.h"

#define EVENT(ph, tid, ts, more) "{\"ph\":\"" ph "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts more "}"
#define BEGIN(name, ts) EVENT("B", "1", ts, ",\"name\":\"" name "\"")
#define END(ts) EVENT("E", "1", ts, "")
#define WHOLE(name, tid, ts, dur) EVENT("X", tid, ts, ",\"dur\":" dur ",\"name\":\"" name "\"")
#define SAMPLE(sf, ts) "{\"name\":\"s\",\"tid\":1,\"ts\":" ts ",\"sf\":" sf "}"
#define NODE(id, name)                                                                             \
    "{\"id\":" #id ",\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"\",\"lineNumber\":1}}"
#define SPEEDSCOPE(unit, type)                                                                     \
    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":"  \
    "[{\"name\":\"a\"},{\"name\":\"b\"}]},\"profiles\":[{\"name\":\"p\",\"unit\":\"" unit          \
    "\",\"type\":\"" type "\","
#define STACKPROF(mode)                                                                            \
    "{\"version\":1.2,\"mode\":\"" mode "\",\"interval\":10,\"samples\":4,\"frames\":"             \
    "{\"1\":{\"name\":\"a\"},\"2\":{\"name\":\"b\"}},\"raw\":[2,1,2,2,1,1,1,2,1,2,1],"
#define SAFARI_SAMPLE(name, time)                                                                  \
    "{\"timestamp\":" time ",\"stackFrames\":[{\"name\":\"" name "\",\"url\":\"\"}]}"
#define THREAD(rest)                                                                               \
    "{\"meta\":{\"version\":24,\"startTime\":1,\"interval\":1},\"libs\":[],\"threads\":[{"         \
    "\"name\":\"T\",\"processType\":\"default\",\"pid\":1,\"tid\":2,"                              \
    "\"stringArray\":[\"a\",\"b\"],"                                                               \
    "\"funcTable\":{\"name\":[0,1],\"length\":2},"                                                 \
    "\"frameTable\":{\"func\":[0,1],\"length\":2},"                                                \
    "\"stackTable\":{\"prefix\":[null,0],\"frame\":[0,1],\"length\":2}," rest "}]}"

struct moments_case {
    const char *name, *format, *text;
    const char *want; /* of all series with timed samples, "# NAME" before each that has one */
};

static const struct moments_case cases[] = {
    {"slices within slices", "trace-event",
     "[" WHOLE("a", "1", "10", "10") "," WHOLE("b", "1", "12", "2") "," WHOLE("b", "1", "15",
                                                                              "1") "]",
     "10000:a 2\n12000:a;b 2\n14000:a 1\n15000:a;b 1\n16000:a 4\n"},
    {"begin and end", "trace-event",
     "[" BEGIN("a", "0") "," BEGIN("b", "0") "," END("1.5") "," END("2") "]",
     "0:a;b 1.5\n1500:a 0.5\n"},
    {"one that is cut goes on", "trace-event",
     "[" WHOLE("a", "1", "0", "10") "," WHOLE("b", "1", "5", "10") "]",
     "0:a 5\n5000:a;b 5\n10000:b 5\n"},
    {"a slice that is all its children's", "trace-event",
     "[" WHOLE("a", "1", "1", "4") "," WHOLE("b", "1", "1", "4") "]", "1000:a;b 4\n5000:a 0\n"},
    {"threads side by side", "trace-event",
     "[" WHOLE("a", "1", "1", "8") "," WHOLE("b", "2", "3", "1") "," WHOLE("c", "2", "4", "2") "]",
     "1000:tid 1;a 8\n3000:tid 2;b 1\n4000:tid 2;c 2\n"},
    {"samples of a trace", "trace-event",
     "{\"traceEvents\":[],\"stackFrames\":{\"1\":{\"name\":\"a\"},\"2\":{\"name\":\"b\","
     "\"parent\":1}},\"samples\":[" SAMPLE("1", "0") "," SAMPLE("2", "4") "," SAMPLE("1", "6") "]}",
     "0:a 4\n4000:a;b 2\n6000:a 0\n"},
    {"a profile in a trace", "trace-event",
     "[" EVENT(
         "P", "1", "1",
         ",\"name\":\"Profile\",\"id\":\"1\",\"args\":{\"data\":{"
         "\"startTime\":100}}") "," EVENT("P", "1", "2",
                                          ",\"name\":\"ProfileChunk\",\"id\":\"1\","
                                          "\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[" NODE(
                                              1, "a") "," NODE(2,
                                                               "b") "],"
                                                                    "\"samples\":[1,2,1]},"
                                                                    "\"timeDeltas\":[1,2,3]}}") "]",
     "# thread 1/1\n101000:a 2\n103000:b 3\n106000:a 0\n"},
    {"V8's samples", "cpuprofile",
     "{\"nodes\":[" NODE(1, "a") "," NODE(
         2, "b") "],\"startTime\":100,\"endTime\":200,"
                 "\"samples\":[1,2,2,1],\"timeDeltas\":[5,10,20.5,40,1]}",
     "105000:a 10\n115000:b 20.5\n135500:b 40\n175500:a 1\n"},
    {"its clock steps back", "cpuprofile",
     "{\"nodes\":[" NODE(1, "a") "," NODE(2, "b") "],\"samples\":[1,2,1,2],"
                                                  "\"timeDeltas\":[0,10,-4,9]}",
     "0:a 6\n6000:a 4\n10000:b 5\n15000:b 0\n"},
    {"its samples without times", "cpuprofile",
     "{\"nodes\":[" NODE(1, "a") "," NODE(2, "b") "],\"samples\":[2,1,2]}", "b 1\na 1\nb 1\n"},
    {"speedscope's events", "speedscope",
     SPEEDSCOPE(
         "milliseconds",
         "evented") "\"startValue\":1,\"endValue\":9,\"events\":[{\"type\":\"O\",\"frame\":0,"
                    "\"at\":1},"
                    "{\"type\":\"O\",\"frame\":1,\"at\":2.5},{\"type\":\"C\",\"frame\":1,\"at\":4},"
                    "{\"type\":\"C\",\"frame\":0,\"at\":8}]}]}",
     "# p\n1000000:a 1.5\n2500000:a;b 1.5\n4000000:a 4\n8000000: 1\n"},
    {"speedscope's samples", "speedscope",
     SPEEDSCOPE("microseconds", "sampled") "\"startValue\":5,\"endValue\":9,\"samples\":[[0],[0,1],"
                                           "[0]],\"weights\":[2,1,0.5]}]}",
     "# p\n5000:a 2\n7000:a;b 1\n8000:a 0.5\n"},
    {"speedscope's samples that are no times", "speedscope",
     SPEEDSCOPE("bytes", "sampled") "\"samples\":[[0],[0,1],[0]],\"weights\":[2,1,4]}]}",
     "# p\na 2\na;b 1\na 4\n"},
    {"stackprof's deltas", "stackprof", STACKPROF("wall") "\"raw_timestamp_deltas\":[7,10,11,12]}",
     "# wall\n7000:a;b 7\n17000:a;b 10\n28000:a 11\n40000:a;b 12\n"},
    {"stackprof's times", "stackprof",
     STACKPROF("cpu") "\"raw_sample_timestamps\":[100,110,120,130],\"raw_timestamp_deltas\":[7,10,"
                      "10,10]}",
     "# cpu\n100000:a;b 10\n110000:a;b 10\n120000:a 10\n130000:a;b 10\n"},
    {"stackprof without times", "stackprof", STACKPROF("object") "\"missed_samples\":0}",
     "# object\na;b 2\na 1\na;b 1\n"},
    {"Xdebug's traces, one after the other", "xdebug-trace",
     "Version: 3\nFile format: 4\nTRACE START [2020-09-15 15:49:45]\n"
     "1\t1\t0\t0.000001\t100\tmain\t1\t\t/a.php\t0\t0\n"
     "2\t2\t0\t0.000003\t164\tf\t1\t\t/a.php\t2\t0\n2\t2\t1\t0.000004\t150\n"
     "1\t1\t1\t0.000006\t150\nTRACE END   [x]\n"
     "TRACE START [2020-09-15 15:49:45]\n1\t1\t0\t0.000002\t100\tmain\t1\t\t/a.php\t0\t0\n"
     "1\t1\t1\t0.000005\t100\nTRACE END   [x]\n",
     "# Time\n1000:main 2000\n3000:main;f 1000\n4000:main 2000\n8000:main 3000\n"
     "# Memory\n1000:main 64\n# Memory before\n3000:main;f 14\n"},
    {"Papyrus, stacks side by side", "papyrus",
     "10:PUSH:1:1:o (1):s..a\n12:PUSH:2:1:o (2):s..b\n15:PUSH:1:2:o:s..c\n"
     "18:POP:1:2:o:s..c\n20:POP:1:1:o (1):s..a\n25:POP:2:1:o (2):s..b\nLog closed\n",
     "10000000:STACK 1;s..a 5\n12000000:STACK 2;s..b 13\n15000000:STACK 1;s..a;s..c 3\n"
     "18000000:STACK 1;s..a 2\n"},
    {"Safari's samples", "safari",
     "{\"version\":1,\"recording\":{\"sampleStackTraces\":[" SAFARI_SAMPLE(
         "a",
         "1.5") "," SAFARI_SAMPLE("b",
                                  "2.0000005") "," SAFARI_SAMPLE("a",
                                                                 "0.25e1") "],"
                                                                           "\"sampleDurations\":[0."
                                                                           "5,0.25,0.125]}}",
     "1500000000:a 500000\n2000000500:b 250000\n2500000000:a 125000\n"},
    {"Firefox's memory that is given back", "firefox",
     THREAD("\"samples\":{\"stack\":[1,0],\"time\":[3,2],\"length\":2},"
            "\"nativeAllocations\":{\"stack\":[1,0],\"time\":[3,4],\"weight\":[64,-32],"
            "\"weightType\":\"bytes\",\"length\":2}"),
     "# samples\n3000000:a 1\n4000000:a;b 1\n"
     "# native allocations\n4000000:a;b 64\n# native allocations before\n5000000:a 32\n"},
    {"perf's waits begin when the thread goes", "perf-script",
     "a 1 [000] 10.000001: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S "
     "==> next_comm=b next_pid=2 next_prio=120\n\tffff f ([kernel])\n\n"
     "b 2 [000] 10.000005: sched:sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S "
     "==> next_comm=a next_pid=1 next_prio=120\n\tffff g ([kernel])\n\n",
     "# off-cpu\n10000001000:a;f 4000\n"
     "# sched:sched_switch\n10000001000:a;f 1\n10000005000:b;g 1\n"},
};

static void read_both(const struct moments_case *c, struct buf *plain, struct buf *kept,
                      struct buf *moments)
{
    for (unsigned keep = 0; keep < 2; keep++) {
        struct input_options options = input_options_default();
        struct reading r;

        options.timed = keep;
        reading_text(&r, slice_str(c->text), &options);
        cr_assert_eq(r.result, INPUT_READ, "%s", c->name);
        cr_expect_str_eq(r.profile.format, c->format, "%s: %s", c->name, r.profile.format);
        for (uint32_t i = 0; i < r.profile.series.count; i++) {
            const struct series *s = &r.profile.series.items[i];

            reading_fold(&r, i, keep ? kept : plain);
            cr_expect(keep || !s->timed.items.count, "%s", c->name);
            if (keep && s->timed.items.count && s->name.len)
                buf_printf(moments, "# %.*s\n", SLICE_ARG(s->name));
            if (keep)
                reading_moments(&r, i, moments);
        }
        reading_messages(&r, keep ? kept : plain);
        reading_release(&r);
    }
}

Test(input_moments, are_what_otherwise_is_added_up)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf plain = {0}, kept = {0}, moments = {0};

        read_both(&cases[i], &plain, &kept, &moments);
        cr_expect_str_eq(buf_string(&kept), buf_string(&plain), "%s:\n%s", cases[i].name,
                         buf_string(&kept));
        cr_expect_str_eq(buf_string(&moments), cases[i].want, "%s:\n%s", cases[i].name,
                         buf_string(&moments));
        buf_release(&plain);
        buf_release(&kept);
        buf_release(&moments);
    }
}
