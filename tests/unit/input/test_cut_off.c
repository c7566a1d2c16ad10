/*
 * Cuts every small file of tests/corpus: whoever says that an input is cut counts that in the
 * ledger, so that a report says it, too.
 */
#include "base/file.h"
#include "input/walk.h"
#include "unit/support/folding.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

enum { CUTS = 8, MOST_BYTES = 64 * 1024 };

/* Whether a message says that the input ends early, or may do so. */
static bool says_cut(const struct diag_message *m)
{
    return m->level == DIAG_WARNING &&
           slice_has_any(m->text, "may be truncated", "is truncated", "ends in the middle",
                         "ends within a record", "cut or damaged", "damaged or cut",
                         "damaged or was cut", "is cut off", "ends early", "profile ends here",
                         "the recording is cut", "did not end properly");
}

/* Whether what is missing is counted: as a place where the input ends, or as unreadable. */
static void expect_counted(const struct reading *r, const char *path, size_t len)
{
    uint64_t counted = r->profile.ledger.notes[NOTE_INPUT_CUT] + r->profile.ledger.unreadable;

    vec_each (struct diag_message, m, &r->diag.messages)
        if (r->result == INPUT_READ && says_cut(m))
            cr_expect(counted > 0, "%s, cut at %zu: '%.*s' is not counted", path, len,
                      SLICE_ARG(m->text));
}

Test(input_cut_off, is_counted_wherever_it_is_told)
{
    struct paths all = {0};
    struct diag diag;
    struct buf path = {0}, bytes = {0};
    unsigned files = 0;

    diag_init(&diag, slice_make(NULL, 0));
    cr_assert(walk_directory("tests/corpus", NULL, &all, &diag));
    vec_each (struct slice, name, &all.items) {
        buf_clear(&path);
        buf_clear(&bytes);
        buf_printf(&path, "tests/corpus/%s", name->ptr);
        folding_load(buf_string(&path), &bytes);
        if (bytes.len > MOST_BYTES)
            continue;
        files++;
        for (size_t i = 1; i <= CUTS; i++) {
            size_t len = bytes.len - bytes.len * i / (CUTS + 1);
            struct reading r;

            reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
            expect_counted(&r, buf_string(&path), len);
            reading_release(&r);
        }
    }
    cr_expect_gt(files, 50u);
    walk_paths_release(&all);
    diag_release(&diag);
    buf_release(&path);
    buf_release(&bytes);
}

static const struct {
    const char *name, *input;
} cases[] = {
    {"JSON",
     "{\"nodes\":[{\"id\":2,\"callFrame\":{\"functionName\":\"a\"}}],\"samples\":[2,2],\"x"},
    {"XML", "<?xml version=\"1.0\"?><trace-query-result><node><schema name=\"time-profile\"/><row>"
            "<weight>1</weight><backtrace><frame name=\"f\" addr=\"0x1\"/></backtrace></row>"},
    {"goroutines",
     "goroutine 1 [running]:\nmain.f()\n\t/a.go:3 +0x1\nmain.main()\n\t/a.go:9 +0x1\n\n"
     "goroutine 2 [running]:\nmain.g()\n"},
};

Test(input_cut_off, is_a_note_of_the_ledger)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].input), NULL);
        cr_expect_eq(r.result, INPUT_READ, "%s", cases[i].name);
        cr_expect_eq(r.profile.ledger.notes[NOTE_INPUT_CUT], 1, "%s", cases[i].name);
        reading_release(&r);
    }
}

/* Recordings of which the last bytes are missing. */
Test(input_cut_off, is_a_note_of_binary_recordings)
{
    static const char *const paths[] = {"tests/corpus/nettrace/app.nettrace",
                                        "tests/corpus/perf-data/spin.perf.data"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct buf bytes = {0};
        struct reading r;

        folding_load(paths[i], &bytes);
        reading_text(&r, slice_take(buf_slice(&bytes), bytes.len * 3 / 4), NULL);
        cr_expect_gt(r.profile.ledger.notes[NOTE_INPUT_CUT], 0, "%s", paths[i]);
        reading_release(&r);
        buf_release(&bytes);
    }
}
