#include "input/read.h"

#include <criterion/criterion.h>

#include "unit/support/reading.h"

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
    {"perf.data", BYTES("PERFILE2h\0\0\0\0\0\0\0"), INPUT_FAILED,
     "in: error: this is a recording of perf itself; run: perf script -i FILE | flamepress "
     "graph\n"},
    {"zip", BYTES("PK\3\4\24\0\0\0"), INPUT_FAILED,
     "in: error: this is a zip archive; unpack it and name the profiles in it\n"},
};

Test(input_read, says_what_a_file_is)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf messages;
        struct reading r;

        buf_init(&messages);
        reading_text(&r, cases[i].content, NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, cases[i].result, "%s: result %d", cases[i].what, r.result);
        cr_expect_str_eq(messages.ptr, cases[i].messages, "%s: '%s'", cases[i].what, messages.ptr);
        cr_expect_eq(r.diag.messages.count && reading_recognised(&r.diag.messages.items[0]),
                     r.result == INPUT_READ, "%s: recognised", cases[i].what);
        reading_release(&r);
        buf_release(&messages);
    }
}

/* A tar archive has its magic in the middle of its first block. */
Test(input_read, tar_archives_are_refused)
{
    char block[1024] = "profile.folded";
    struct buf messages;
    struct reading r;

    memcpy(block + 257, "ustar", 5);
    buf_init(&messages);
    reading_text(&r, slice_make(block, sizeof(block)), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(messages.ptr, "a tar archive"), "'%s'", messages.ptr);
    reading_release(&r);
    buf_release(&messages);
}

Test(input_read, a_missing_file_fails)
{
    struct buf messages;
    struct reading r;

    buf_init(&messages);
    reading_path(&r, "/nowhere/in", "in", NULL, 1);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect_str_eq(messages.ptr, "in: error: cannot open: No such file or directory\n");
    reading_release(&r);
    buf_release(&messages);
}

/* Folded stacks do not say whose they are: who asks is told, and nothing is lost. */
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
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct input_options options = rows[i].options;
        struct buf messages;
        struct reading r;

        options.limits = input_options_default().limits;
        buf_init(&messages);
        reading_text(&r, SLICE("a;b 1\na;c 2\n"), &options);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ);
        cr_expect_eq(r.profile.series.items[0].total, 3);
        cr_expect_eq(messages.len > 0, *rows[i].message != '\0', "%s", messages.ptr);
        cr_expect(strstr(messages.ptr, rows[i].message), "%s", messages.ptr);
        reading_release(&r);
        buf_release(&messages);
    }
}
