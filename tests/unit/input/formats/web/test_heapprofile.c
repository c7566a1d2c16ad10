
#include "unit/support/reading.h"

#include "unit/support/test.h"

#define HEAD "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0,\"children\":["
#define NODE(name, size)                                                                           \
    "{\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"a/b.js\",\"lineNumber\":0},"          \
    "\"selfSize\":" size ",\"id\":1,\"children\":["

static void check(struct slice text, const char *want, const char *message)
{
    struct reading r;
    struct buf folded = {0}, messages = {0};

    reading_text(&r, text, NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].unit.kind, UNIT_BYTES);
    reading_fold(&r, 0, &folded);
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&folded), want, "%s", buf_string(&folded));
    cr_expect(message ? strstr(buf_string(&messages), message) != NULL : !messages.len, "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&folded);
    buf_release(&messages);
}

Test(input_heapprofile, tree)
{
    check(SLICE(HEAD NODE("a", "10") NODE("", "5") "]}]}," NODE("b", "1e3") "]}]}}"),
          "a 10\na;(anonymous b.js:1) 5\nb 1000\n", NULL);
}

Test(input_heapprofile, sizes_that_are_none)
{
    check(SLICE(HEAD NODE("a", "-1") NODE("b", "7") "]}]},5]}}"), "a;b 7\n",
          "a child is no object: 5; skipped\n"
          "in: warning: the selfSize of 'a' is missing or no number; it counts 0");
}

Test(input_heapprofile, samples_are_a_fact)
{
    struct reading r;

    reading_text(&r,
                 SLICE(HEAD NODE("a", "10") "]}]},\"samples\":[{\"size\":4,\"nodeId\":1},"
                                            "{\"size\":5,\"nodeId\":1}]}"),
                 NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("sampled allocations")),
                          SLICE("2, with 9 bytes in total, freed objects included")));
    cr_expect_eq(r.profile.series.items[0].total, 10);
    reading_release(&r);
}

Test(input_heapprofile, nothing_allocated)
{
    struct reading r;

    reading_text(&r, SLICE(HEAD "]}}"), NULL);
    cr_expect_eq(r.result, INPUT_EMPTY);
    reading_release(&r);
}
