#include "input/read.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define BYTES(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define EVENT "app 1 1.5: 10 cycles: \n\t 1 main (a)\n\n"

static const struct {
    const char *what;
    struct slice content;
    enum input_result result;
    const char *messages;
} cases[] = {
    {"a profile", BYTES(EVENT), INPUT_READ, ""},
    {"a profile with a mark", BYTES("\xef\xbb\xbf" EVENT), INPUT_READ, ""},
    {"nothing", BYTES(""), INPUT_EMPTY, "in: note: the file is empty\n"},
    {"blank lines", BYTES("\n \t\r\n\n"), INPUT_EMPTY, "in: note: the file is empty\n"},
    {"a letter", BYTES("\n  To whom it may concern\nhello\n"), INPUT_UNKNOWN,
     "in: note: not a profile that is known; it begins 'To whom it may concern'\n"},
    {"a long line",
     BYTES("0123456789012345678901234567890123456789012345678901234567890123456789012345678901\n"),
     INPUT_UNKNOWN,
     "in: note: not a profile that is known; it begins "
     "'01234567890123456789012345678901234567890123456789012345678901234567890123456789'...\n"},
    {"control characters", BYTES("x\033[2J\n"), INPUT_UNKNOWN,
     "in: note: not a profile that is known; it begins 'x\\x1b[2J'\n"},
    {"zeros", BYTES("\0\0\0\0\0\0\0\0"), INPUT_UNKNOWN,
     "in: note: not a profile that is known; it begins ''\n"},
    {"perf.data, version 1", BYTES("PERFFILEh\0\0\0\0\0\0\0"), INPUT_FAILED,
     "in: error: this is a recording of perf before Linux 3.6, of version 1; record again, or run "
     "the perf that wrote it: perf script -i FILE | flamepress graph\n"},
    {"zip", BYTES("PK\3\4\24\0\0\0"), INPUT_FAILED,
     "in: error: this is a zip archive; unpack it and name the profiles in it\n"},
    {"program", BYTES("\177ELF\2\1\1"), INPUT_UNKNOWN,
     "in: note: this is a program or core dump, not a profile of one\n"},
    {"Java archive",
     BYTES("PK\3\4\24\0\10\10\10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\24\0\0\0META-INF/"),
     INPUT_UNKNOWN, "in: note: this is a Java archive, not a profile of it\n"},
};

Test(input_read, says_what_a_file_is)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, cases[i].content, NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, cases[i].result, "%s: result %d", cases[i].what, r.result);
        cr_expect_str_eq(buf_string(&messages), cases[i].messages, "%s: '%s'", cases[i].what,
                         buf_string(&messages));
        cr_expect_eq(r.diag.messages.count && reading_recognised(&r.diag.messages.items[0]),
                     r.result == INPUT_READ, "%s: recognised", cases[i].what);
        reading_release(&r);
        buf_release(&messages);
    }
}

/* Appends `count` elements of an array, more than fit in the bytes that recognition reads. */
static void add_elements(struct buf *b, const char *element, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            buf_add_char(b, ',');
        buf_add_str(b, element);
    }
}

/* The members that identify the format may follow long members that do not. */
Test(input_read, recognises_json_by_late_members)
{
    static const struct {
        const char *what, *start, *element, *end, *folded;
    } rows[] = {
        {"metadata before trace events", "{\"metadata\":[",
         "\"0123456789012345678901234567890123456789\"",
         "],\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5,\"name\":\"a\"}]"
         "}",
         "a 5\n"},
        {"speedscope's profiles first",
         "{\"profiles\":[{\"type\":\"sampled\",\"name\":\"\",\"unit\":\"none\",\"samples\":[",
         "[0]",
         "],\"weights\":[7]}],\"shared\":{\"frames\":[{\"name\":\"a\"}]},"
         "\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"}",
         "a 7\n"},
        {"a CPU profile's samples first", "{\"samples\":[", "1",
         "],\"timeDeltas\":[0,9],\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\","
         "\"url\":\"\",\"lineNumber\":0}}]}",
         "a 9\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf content = {0}, folded = {0};
        struct reading r;

        buf_add_str(&content, rows[i].start);
        add_elements(&content, rows[i].element, 100000);
        buf_add_str(&content, rows[i].end);
        reading_text(&r, buf_slice(&content), NULL);
        cr_expect_eq(r.result, INPUT_READ, "%s", rows[i].what);
        if (r.profile.series.count)
            reading_fold(&r, 0, &folded);
        cr_expect_str_eq(buf_string(&folded) ? buf_string(&folded) : "", rows[i].folded, "%s",
                         rows[i].what);
        reading_release(&r);
        buf_release(&content);
        buf_release(&folded);
    }
}

Test(input_read, bytes_in_memory_are_read_as_a_file_is)
{
    struct input_options options = input_options_default();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum input_result result;
        struct profile p;
        struct diag diag;

        profile_init(&p);
        diag_init(&diag, SLICE("in"));
        result = input_read_memory(cases[i].content, &options, 1, &p, &diag);
        cr_expect_eq(result, cases[i].result, "%s: result %d", cases[i].what, result);
        cr_expect_eq(p.series.count > 0, result == INPUT_READ, "%s", cases[i].what);
        profile_release(&p);
        diag_release(&diag);
    }
}

/* A tar archive has its magic in the middle of its first block. */
Test(input_read, tar_archives_are_refused)
{
    char block[1024] = "profile.folded";
    struct buf messages = {0};
    struct reading r;

    memcpy(block + 257, "ustar", 5);
    reading_text(&r, slice_make(block, sizeof(block)), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(buf_string(&messages), "a tar archive"), "'%s'", buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}

Test(input_read, a_missing_file_fails)
{
    struct buf messages = {0};
    struct reading r;

    reading_path(&r, "/nowhere/in", "in", NULL, 1);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect_str_eq(buf_string(&messages), "in: error: cannot open: No such file or directory\n");
    reading_release(&r);
    buf_release(&messages);
}

/* Folded stacks have no processes: --process warns and removes nothing. */
Test(input_read, options_without_effect_are_told)
{
    static const char *const names[] = {"mysqld"};
    static const struct {
        struct input_options options;
        const char *message;
    } rows[] = {
        {{0}, ""},
        {{.processes = names, .process_count = 1}, "--process"},
        {{.threads = names, .thread_count = 1}, "--thread"},
        {{.split_process = true}, "--split=process"},
        {{.split_thread = true}, "--split=thread"},
        {{.split_cpu = true}, "--split=cpu"},
        {{.split_cgroup = true}, "--split=cgroup"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct input_options options = rows[i].options;
        struct buf messages = {0};
        struct reading r;

        options.limits = input_options_default().limits;
        reading_text(&r, SLICE("a;b 1\na;c 2\n"), &options);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ);
        cr_expect_eq(r.profile.series.items[0].total, 3);
        cr_expect_eq(messages.len > 0, *rows[i].message != '\0', "%s", buf_string(&messages));
        cr_expect(strstr(buf_string(&messages), rows[i].message), "%s", buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
}

/* Each line of a text counts once, whichever reader takes it: reports show the malformed share. */
Test(input_read, lines_are_counted_once)
{
    static const struct slice texts[] = {
        BYTES("import time: self [us] | cumulative | imported package\nimport time: 5 | 5 | a\n\n"),
        BYTES("a;b 1\n# c\na 2\n"),
        BYTES(EVENT),
        BYTES("events: Ir\nfn=main\n1 7\n"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r;

        reading_text(&r, texts[i], NULL);
        cr_expect_eq(r.result, INPUT_READ, "text %zu", i);
        cr_expect_eq(r.profile.ledger.lines, 3, "text %zu: %llu lines", i,
                     (unsigned long long)r.profile.ledger.lines);
        reading_release(&r);
    }
}
