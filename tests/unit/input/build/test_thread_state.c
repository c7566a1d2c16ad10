#include "input/build/thread_state.h"

#include "unit/support/test.h"

Test(input_thread_state, letters_and_words)
{
    static const struct {
        const char *state, *wanted;
        bool is;
    } rows[] = {
        {"D", "D", true},
        {"D", "d", false},
        {"D", "uninterruptible", true},
        {"D", "UNINTERRUPTIBLE", true},
        {"D|K", "D", true},
        {"D|K", "D|K", true},
        {"S", "D", false},
        {"S", "interruptible", true},
        {"S", "uninterruptible", false},
        {"R", "involuntary", true},
        {"R+", "preempted", true},
        {"R+", "R", true},
        {"R", "R+", false},
        {"t", "T", false},
        {"t", "traced", true},
        {"WAITING", "waiting", true},
        {"WAITING", "W", false},
        {"TIMED_WAITING", "WAITING", false},
        {"chan receive", "chan receive", true},
        {"", "D", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(thread_state_is(slice_str(rows[i].state), slice_str(rows[i].wanted)),
                     rows[i].is, "%s of %s", rows[i].wanted, rows[i].state);
}
