
#include "base/file.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/recording.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

static void add_numbers(struct recording *r, uint64_t type, size_t count, const uint64_t *numbers,
                        const unsigned *sizes)
{
    struct buf b = {0};

    for (size_t i = 0; i < count; i++)
        recording_number(r, &b, numbers[i], sizes[i]);
    recording_event(r, type, &b);
    buf_release(&b);
}

static void add_park(struct recording *r, uint64_t ticks, uint64_t stack)
{
    add_numbers(r, RECORDING_PARK, 4, (const uint64_t[]){100, ticks, 1, stack},
                (const unsigned[]){8, 8, 8, 8});
}

static void add_read(struct recording *r, uint64_t length, uint64_t stack)
{
    add_numbers(r, RECORDING_READ, 3, (const uint64_t[]){100, length, stack},
                (const unsigned[]){8, 4, 8});
}

/* A chunk with every kind of event and constant. */
static void add_chunk(struct recording *r, bool native)
{
    recording_sample(r, 100, 1, 1);
    recording_sample(r, 120, 2, 1);
    recording_metadata(r);
    add_park(r, 3001, 2);
    recording_sample(r, 300, 1, 3);
    add_read(r, 1000000, 1);
    add_read(r, 1000000, 0);
    recording_constants(r, native);
    recording_sample(r, 90, 2, 4);
    recording_chunk(r);
}

/* The note about events of app.Read without a stack. */
#define BARE(has, is)                                                                              \
    "in: note: " has " no stack and " is " in no graph; the first is of the type app.Read\n"

static void expect(const char *name, const struct recording *r, const struct input_options *options,
                   const char *want)
{
    told_expect(name, buf_slice(&r->bytes), options, want);
}

Test(input_jfr, each_event_is_a_series)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        struct recording r;

        recording_init(&r, fixed);
        add_chunk(&r, false);
        expect(fixed ? "fixed" : "compressed", &r, NULL,
               "== jdk.ExecutionSample samples\n 1\npkg.App.main;pkg.App.run 2\n"
               "pkg.App.main;pkg.App.run;libc.so.read 1\n"
               "== jdk.ThreadPark seconds e-9\npkg.App.main;Foo$$Lambda$14.run 1501\n"
               "== app.Read events\npkg.App.main;pkg.App.run 1\n" BARE("1 event has", "is"));
        recording_release(&r);
    }
}

Test(input_jfr, types_of_jdk_9_have_the_names_of_oracle)
{
    struct recording r;

    recording_init(&r, false);
    r.oracle = true;
    add_chunk(&r, false);
    expect("JDK 9", &r, NULL,
           "== jdk.ExecutionSample samples\n 1\npkg.App.main;pkg.App.run 2\n"
           "pkg.App.main;pkg.App.run;libc.so.read 1\n"
           "== jdk.ThreadPark seconds e-9\npkg.App.main;Foo$$Lambda$14.run 1501\n"
           "== app.Read events\npkg.App.main;pkg.App.run 1\n" BARE("1 event has", "is"));
    recording_release(&r);
}

Test(input_jfr, native_frames_of_async_profiler_are_of_libraries)
{
    struct input_options options = input_options_default();
    struct recording r;

    options.kernel = options.jit = options.inlined = true;
    recording_init(&r, false);
    add_chunk(&r, true);
    expect("classes", &r, &options,
           "== jdk.ExecutionSample samples\n 1\npkg.App.main_[0];pkg.App.run_[j] 2\n"
           "pkg.App.main_[0];pkg.App.run_[j];read 1\n"
           "== jdk.ThreadPark seconds e-9\npkg.App.main_[0];Foo$$Lambda$14.run_[i] 1501\n"
           "== app.Read events\npkg.App.main_[0];pkg.App.run_[j] 1\n" BARE("1 event has", "is"));
    recording_release(&r);
}

Test(input_jfr, chunks_stand_alone)
{
    struct recording r;

    recording_init(&r, false);
    add_chunk(&r, false);
    add_chunk(&r, true);
    expect("two", &r, NULL,
           "== jdk.ExecutionSample samples\n 2\npkg.App.main;pkg.App.run 4\n"
           "pkg.App.main;pkg.App.run;libc.so.read 1\npkg.App.main;pkg.App.run;read 1\n"
           "== jdk.ThreadPark seconds e-9\npkg.App.main;Foo$$Lambda$14.run 3002\n"
           "== app.Read events\npkg.App.main;pkg.App.run 2\n" BARE("2 events have", "are"));
    recording_release(&r);
}

Test(input_jfr, threads_times_and_what_was_cut)
{
    const char *threads[] = {"worker"};
    struct input_options options = input_options_default();
    struct recording r;
    struct reading reading;
    const struct series *s;

    options.threads = threads;
    options.thread_count = 1;
    recording_init(&r, false);
    add_chunk(&r, false);
    reading_text(&reading, buf_slice(&r.bytes), &options);
    /* The park belongs to another thread; app.Read does not name a thread and is kept. */
    cr_assert_eq(reading.profile.series.count, 2);
    cr_expect(slice_equal(reading.profile.series.items[0].name, SLICE("jdk.ExecutionSample")));
    cr_expect_eq(reading.profile.series.items[0].total, 2);
    cr_expect(slice_equal(reading.profile.series.items[1].name, SLICE("app.Read")));
    cr_expect_eq(reading.profile.ledger.left_out, 3);
    reading_release(&reading);
    reading_text(&reading, buf_slice(&r.bytes), NULL);
    s = &reading.profile.series.items[0];
    cr_expect_eq(s->first_ns, 1000); /* clipped to the start of the chunk */
    cr_expect_eq(s->last_ns, 1100);
    cr_expect_eq(reading.profile.ledger.truncated, 1);
    cr_expect_eq(reading.profile.ledger.without_frames, 2); /* a sample, an event of app.Read */
    reading_release(&reading);
    recording_release(&r);
}

/* ---- events of recent versions ------------------------------------------------------------- */

static void begin_recent(struct recording *r)
{
    recording_init(r, false);
    r->recent = true;
    recording_metadata(r);
    recording_constants(r, false);
}

static void add_setting(struct recording *r, uint64_t id, const char *name, const char *value)
{
    struct buf b = {0};

    recording_number(r, &b, 1, 8);
    recording_number(r, &b, id, 8);
    recording_text(r, &b, name);
    recording_text(r, &b, value);
    recording_event(r, RECORDING_SETTING, &b);
    buf_release(&b);
}

/* Two ticks are a nanosecond. The interval of execution samples is not that of others. */
Test(input_jfr, cpu_time_samples_weigh_their_period)
{
    static const unsigned longs[] = {8, 8, 8, 8}, lost[] = {8, 4, 8};
    struct recording r;
    struct reading reading;

    begin_recent(&r);
    add_setting(&r, RECORDING_SAMPLE, "period", "20 ms");
    add_numbers(&r, RECORDING_CPU, 4, (const uint64_t[]){100, 1, 1, 20}, longs);
    add_numbers(&r, RECORDING_CPU, 4, (const uint64_t[]){140, 1, 1, 60}, longs);
    add_numbers(&r, RECORDING_CPU, 4, (const uint64_t[]){160, 9, 2, 20}, longs);
    add_numbers(&r, RECORDING_LOST, 3, (const uint64_t[]){160, 17, 2}, lost);
    add_numbers(&r, RECORDING_LOST, 3, (const uint64_t[]){160, 3, 1}, lost);
    recording_chunk(&r);
    expect("periods", &r, NULL,
           "== jdk.CPUTimeSample seconds e-9\n 10\npkg.App.main;pkg.App.run 40\n");
    reading_text(&reading, buf_slice(&r.bytes), NULL);
    cr_expect_eq(reading.profile.ledger.lost, 20);
    cr_expect_eq(reading.profile.series.items[0].samples, 3);
    cr_expect_not(profile_fact(&reading.profile, SLICE("sampling interval")).len);
    reading_release(&reading);
    recording_sample(&r, 200, 1, 1);
    recording_release(&r);
}

Test(input_jfr, the_interval_is_that_of_execution_samples)
{
    struct recording r;
    struct reading reading;

    begin_recent(&r);
    add_setting(&r, RECORDING_SAMPLE, "period", "20 ms");
    recording_sample(&r, 200, 1, 1);
    add_park(&r, 3001, 2);
    recording_chunk(&r);
    reading_text(&reading, buf_slice(&r.bytes), NULL);
    cr_expect(slice_equal(profile_fact(&reading.profile, SLICE("sampling interval")),
                          SLICE("20 ms of jdk.ExecutionSample")));
    reading_release(&reading);
    recording_release(&r);
}

static void add_call(struct recording *r, const uint64_t *numbers)
{
    add_numbers(r, RECORDING_CALL, 5, numbers, (const unsigned[]){8, 8, 8, 8, 8});
}

/*
 * App.main lasts 1000 ticks, the lambda within it 400, of which another call of it takes 100; both
 * are written first, here in a chunk of their own. A call of another thread is within neither.
 */
Test(input_jfr, calls_weigh_their_self_time)
{
    struct recording r;

    begin_recent(&r);
    add_call(&r, (const uint64_t[]){250, 100, 1, 1, 4});
    add_call(&r, (const uint64_t[]){200, 400, 1, 1, 4});
    add_call(&r, (const uint64_t[]){300, 200, 2, 3, 1});
    recording_chunk(&r);
    r.chunk.len = 0;
    recording_metadata(&r);
    recording_constants(&r, false);
    add_call(&r, (const uint64_t[]){100, 1000, 1, 4, 2});
    recording_chunk(&r);
    expect("calls", &r, NULL,
           "== jdk.MethodTrace seconds e-9\npkg.App.main 300\n"
           "pkg.App.main;pkg.App.run;Foo$$Lambda$14.run 200\n"
           "pkg.App.main;pkg.App.run;libc.so.read;pkg.App.run 100\n");
    recording_release(&r);
}

Test(input_jfr, native_locks_last)
{
    struct recording r;

    begin_recent(&r);
    add_numbers(&r, RECORDING_LOCK, 4, (const uint64_t[]){100, 3001, 1, 1},
                (const unsigned[]){8, 8, 8, 8});
    recording_chunk(&r);
    expect("locks", &r, NULL,
           "== profiler.NativeLock seconds e-9\npkg.App.main;pkg.App.run 1501\n");
    recording_release(&r);
}

/* ---- what is broken ------------------------------------------------------------------------ */

/* An event of no type that the metadata has, and one that lasts but has no stack. */
Test(input_jfr, events_that_are_in_no_graph_are_told)
{
    struct recording r;
    struct buf b = {0};
    struct reading reading;

    recording_init(&r, false);
    recording_metadata(&r);
    recording_constants(&r, false);
    recording_sample(&r, 1, 1, 1);
    buf_add_char(&b, 1);
    recording_event(&r, 99, &b);
    recording_chunk(&r);
    reading_text(&reading, buf_slice(&r.bytes), NULL);
    cr_expect_eq(reading.profile.ledger.unreadable, 1);
    reading_expect_message(&reading,
                           "event of the type 99, which the metadata does not describe; skipped");
    reading_release(&reading);
    recording_release(&r);
    buf_release(&b);
}

Test(input_jfr, events_are_bounded)
{
    struct recording r;
    struct buf b = {0};

    recording_init(&r, false);
    recording_metadata(&r);
    recording_constants(&r, false);
    buf_add_char(&b, 1);
    recording_event(&r, RECORDING_SAMPLE, &b); /* too short */
    recording_sample(&r, 1, 1, 1);
    recording_chunk(&r);
    cr_expect(r.bytes.len > 68);
    expect("short", &r, NULL,
           "== jdk.ExecutionSample samples\npkg.App.main;pkg.App.run 1\n"
           "in: byte 0xada: warning: the event is shorter than its type, jdk.ExecutionSample, "
           "requires; event skipped\n");
    buf_clear(&r.bytes);
    recording_metadata(&r);
    buf_add_str(&r.chunk, "\377\377\377\177");
    recording_chunk(&r);
    expect("long", &r, NULL, "in: byte 0xa0d: error: malformed event in the chunk\nfailed\n");
    buf_clear(&r.bytes);
    recording_metadata(&r);
    buf_add_str(&r.chunk, "\1");
    recording_chunk(&r);
    expect("without a type", &r, NULL,
           "in: byte 0xa0d: error: malformed event in the chunk\nfailed\n");
    recording_release(&r);
    buf_release(&b);
}

/* A pool with one constant of a type, whose fields are these bytes. */
static void add_pool(struct recording *r, uint64_t type, uint64_t count, const char *bytes)
{
    struct buf b = {0};

    for (int i = 0; i < 3; i++)
        recording_number(r, &b, 0, 8);
    buf_add_char(&b, 1);
    recording_number(r, &b, 1, 4);
    recording_number(r, &b, type, 8);
    recording_number(r, &b, count, 4);
    buf_add_str(&b, bytes);
    recording_event(r, 1, &b);
    buf_release(&b);
}

Test(input_jfr, constants_are_bounded)
{
    static const struct {
        const char *name;
        uint64_t type, count;
        const char *bytes;
    } cases[] = {
        {"no such type", 99, 1, "\1\1"},
        {"more than there can be", RECORDING_SYMBOL, 1 << 30, "\1"},
        {"a text beyond its event", RECORDING_SYMBOL, 1, "\1\3\177x"},
        {"an encoding that is not known", RECORDING_SYMBOL, 1, "\1\11\1x"},
        {"a type in itself", RECORDING_LOOP, 1, "\1\1"},
        {"more frames than there can be", RECORDING_TRACE, 1, "\1\1\377\377\377\177\1\1\1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct recording r;

        recording_init(&r, false);
        recording_metadata(&r);
        add_pool(&r, cases[i].type, cases[i].count, cases[i].bytes);
        recording_chunk(&r);
        expect(cases[i].name, &r, NULL, "in: byte 0xa0d: error: malformed constants\nfailed\n");
        recording_release(&r);
    }
}

Test(input_jfr, references_to_nothing_are_unknown_frames)
{
    struct recording r;

    recording_init(&r, false);
    recording_metadata(&r);
    add_pool(&r, RECORDING_TRACE, 1, "\1\1\1\11\1\1");
    recording_sample(&r, 1, 9, 1);
    recording_sample(&r, 1, 9, 7);
    recording_chunk(&r);
    expect("nothing", &r, NULL, "== jdk.ExecutionSample samples\n 1\n[unknown] 1\n");
    recording_release(&r);
}

Test(input_jfr, headers_are_looked_at)
{
    static const struct {
        const char *name;
        size_t at, count; /* bytes that are set to a value */
        char value;
        const char *want;
    } cases[] = {
        {"version", 5, 1, 7,
         "in: byte 0x4: error: unsupported old version of a recording; run: java -jar "
         "jfr-converter.jar FILE\nfailed\n"},
        {"size", 8, 8, 0,
         "in: byte 0x8: error: unfinished chunk; run: jfr assemble DIRECTORY FILE\n"
         "failed\n"},
        {"size", 8, 8, 127,
         "in: byte 0x8: error: the file ends in the middle of this chunk\nfailed\n"},
        {"metadata", 24, 8, 0,
         "in: byte 0x0: error: unfinished chunk: the metadata that describes its events is "
         "missing\n"
         "failed\n"},
        {"metadata", 30, 1, 127,
         "in: byte 0x0: error: unfinished chunk: the metadata that describes its events is "
         "missing\n"
         "failed\n"},
        {"metadata", 31, 1, 68, "in: byte 0x44: error: malformed metadata of the chunk\nfailed\n"},
        {"clock", 56, 8, 0, "in: byte 0x38: error: the chunk states 0 ticks per second\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct recording r;

        recording_init(&r, false);
        recording_sample(&r, 1, 1, 1);
        recording_metadata(&r);
        recording_chunk(&r);
        for (size_t k = 0; k < cases[i].count; k++)
            r.bytes.ptr[cases[i].at + k] = cases[i].value;
        expect(cases[i].name, &r, NULL, cases[i].want);
        recording_release(&r);
    }
}

Test(input_jfr, what_follows_a_chunk_must_be_one)
{
    struct recording r;

    recording_init(&r, false);
    recording_metadata(&r);
    recording_constants(&r, false);
    recording_sample(&r, 1, 1, 1);
    recording_chunk(&r);
    told_truncated("recording", buf_slice(&r.bytes), 7);
    buf_add_str(&r.bytes, "FLR");
    expect(
        "cut", &r, NULL,
        "== jdk.ExecutionSample samples\npkg.App.main;pkg.App.run 1\n"
        "in: byte 0xae2: warning: expected a chunk of a recording ('FLR'); the rest of the chunk "
        "is skipped\n");
    recording_release(&r);
}

/* If a chunk after a complete one is cut or damaged, only that chunk is lost. */
Test(input_jfr, damage_after_a_chunk_is_a_warning)
{
    static const struct {
        const char *name;
        size_t at; /* in the second chunk: a byte that is set to 0, or 0 */
        size_t cut;
        bool third; /* a whole chunk follows */
        const char *folded;
        const char *message;
    } cases[] = {
        {"cut", 0, 9, false, "pkg.App.main;pkg.App.run 1\n",
         "in: byte 0xaea: warning: the file ends in the middle of this chunk; the rest of the "
         "chunk "
         "is skipped\n"},
        {"without metadata", 31, 0, true, "pkg.App.main;pkg.App.run 2\n",
         "in: byte 0xae2: warning: unfinished chunk: the metadata that describes its events is "
         "missing; the rest of the chunk is skipped\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct recording r;
        struct buf want = {0};

        recording_init(&r, false);
        for (int chunk = 0; chunk < 2 + cases[i].third; chunk++) {
            size_t start = r.bytes.len;

            recording_metadata(&r);
            recording_constants(&r, false);
            recording_sample(&r, 1, 1, 1);
            recording_chunk(&r);
            if (chunk == 1 && cases[i].at)
                r.bytes.ptr[start + cases[i].at - 1] = r.bytes.ptr[start + cases[i].at] = 0;
        }
        r.bytes.len -= cases[i].cut;
        buf_printf(&want, "== jdk.ExecutionSample samples\n%s%s", cases[i].folded,
                   cases[i].message);
        expect(cases[i].name, &r, NULL, buf_string(&want));
        buf_release(&want);
        recording_release(&r);
    }
}

/* A wall-clock recording: samples of waiting threads are not time on the CPU. */
Test(input_jfr, states_of_samples)
{
    const unsigned sizes[] = {8, 8, 8, 8};
    const char *states[] = {"sleeping"};
    struct input_options options = input_options_default();
    struct recording r;

    recording_init(&r, false);
    r.states = true;
    recording_metadata(&r);
    recording_constants(&r, false);
    add_pool(&r, RECORDING_STATE, 2, "\1\3\16STATE_SLEEPING\2\3\16STATE_RUNNABLE");
    add_numbers(&r, RECORDING_WALL, 4, (const uint64_t[]){100, 1, 1, 1}, sizes);
    add_numbers(&r, RECORDING_WALL, 4, (const uint64_t[]){100, 1, 2, 1}, sizes);
    add_numbers(&r, RECORDING_WALL, 4, (const uint64_t[]){100, 1, 1, 3}, sizes);
    recording_chunk(&r);
    expect("states", &r, NULL,
           "== jdk.ExecutionSample samples\npkg.App.main;pkg.App.run 1\n"
           "== jdk.ExecutionSample, SLEEPING samples\npkg.App.main;pkg.App.run 1\n"
           "pkg.App.main;pkg.App.run;libc.so.read 1\n");
    options.states = states;
    options.state_count = 1;
    expect("--state", &r, &options,
           "== jdk.ExecutionSample, SLEEPING samples\npkg.App.main;pkg.App.run 1\n"
           "pkg.App.main;pkg.App.run;libc.so.read 1\n");
    recording_release(&r);
}

Test(input_jfr, claims)
{
    cr_expect(claim_find(SLICE("FLR\0\0\2\0\1"), false) == &format_jfr);
    cr_expect_null(claim_find(SLICE("FLR is a word\n"), true));
}

/* ---- against another parser ---------------------------------------------------------------- */

/* Grafana's parser writes "stack [nanoseconds]", ten million per sample. */
static void expect_same(const char *recording, const char *expected)
{
    struct input_options options = input_options_default();
    struct buf path = {0}, got = {0}, want = {0}, sorted = {0};
    struct reading r;
    struct diag diag;
    struct source source;
    struct slice lines, line;

    options.names = NAMES_REFERENCE;
    reading_path(&r, corpus_path(&path, recording), "in", &options, 1);
    cr_assert_eq(r.result, INPUT_READ);
    reading_fold(&r, 0, &got);
    diag_init(&diag, SLICE(""));
    cr_assert(source_open(&source, corpus_path(&path, expected), 1 << 24, &diag));
    buf_clear(&path);
    for (size_t n = 1; n; path.len += n)
        n = source_read(&source, buf_reserve(&path, SOURCE_BLOCK), SOURCE_BLOCK);
    for (lines = buf_slice(&path); slice_line(&lines, &line);) {
        size_t open = slice_find_last(line, '[');

        buf_printf(&want, "%.*s%.*s\n", SLICE_ARG(slice_take(line, open)),
                   SLICE_ARG(slice_take(slice_skip(line, open + 1), line.len - open - 9)));
    }
    reading_sort(buf_slice(&want), &sorted);
    cr_expect_str_eq(buf_string(&got), buf_string(&sorted), "%s", recording);
    source_release(&source);
    diag_release(&diag);
    reading_release(&r);
    buf_release(&path);
    buf_release(&got);
    buf_release(&want);
    buf_release(&sorted);
}

Test(input_jfr, samples_are_those_of_grafana_s_parser)
{
    corpus_need();
    expect_same("jfr/FastSlow_2024_01_16_180855.jfr.gz",
                "jfr/expected/FastSlow_2024_01_16_180855_1_process_cpu_cpu__nanoseconds_expected_"
                "collapsed.txt.gz");
    expect_same("jfr/cortex-dev-01__kafka-0__cpu__0.jfr.gz",
                "jfr/expected/cortex-dev-01__kafka-0__cpu__0_0_process_cpu_cpu__nanoseconds_"
                "expected_collapsed.txt.gz");
}
