
#include "unit/support/reading.h"

#include "unit/support/test.h"

#define RECORDING "{\"version\":1,\"recording\":{\"displayName\":\"R\",\"instrumentTypes\":[],"
#define STACKS                                                                                     \
    "\"sampleStackTraces\":[{\"timestamp\":1,\"stackFrames\":[{\"name\":\"\",\"url\":\"x/y.js\","  \
    "\"line\":3},{\"name\":\"main\"}]},{\"timestamp\":2,\"stackFrames\":[{\"name\":\"main\"}]}]"

static void check(struct slice text, const char *want, const char *message)
{
    struct reading r;
    struct buf folded = {0}, messages = {0};

    reading_text(&r, text, NULL);
    cr_assert_eq(r.result, INPUT_READ);
    reading_fold(&r, 0, &folded);
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&folded), want, "%s", buf_string(&folded));
    cr_expect(message ? strstr(buf_string(&messages), message) != NULL : !messages.len, "%s",
              buf_string(&messages));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("recording")), SLICE("R")));
    reading_release(&r);
    buf_release(&folded);
    buf_release(&messages);
}

Test(input_safari, durations)
{
    check(SLICE(RECORDING STACKS ",\"sampleDurations\":[0.0015,2.5e-4],\"records\":[1]}}"),
          "main 250\nmain;(anonymous y.js:3) 1500\n", NULL);
}

Test(input_safari, durations_first)
{
    check(SLICE(RECORDING "\"sampleDurations\":[1,0.000001]," STACKS "}}"),
          "main 1\nmain;(anonymous y.js:3) 1000000\n", NULL);
}

Test(input_safari, no_durations)
{
    check(SLICE(RECORDING STACKS "}}"), "main 1\nmain;(anonymous y.js:3) 1\n", NULL);
}

Test(input_safari, too_few_durations)
{
    check(SLICE(RECORDING STACKS ",\"sampleDurations\":[-1]}}"),
          "main 0\nmain;(anonymous y.js:3) 0\n",
          "malformed duration: -1; it counts as 0\n"
          "in: warning: samples from number 2 on have no duration; they count as 0\n");
}

Test(input_safari, no_samples)
{
    struct reading r;
    struct buf messages = {0};

    reading_text(&r, SLICE(RECORDING "\"sampleStackTraces\":[],\"sampleDurations\":[]}}"), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_EMPTY);
    cr_expect(strstr(buf_string(&messages), "no stacks in this safari file") != NULL, "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}
