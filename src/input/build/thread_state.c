#include "input/build/thread_state.h"

#include "base/ascii.h"

static char upper(char c)
{
    return ascii_is_small(c) ? (char)(c - ('a' - 'A')) : c;
}

static bool same_word(struct slice a, struct slice b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (upper(a.ptr[i]) != upper(b.ptr[i]))
            return false;
    return true;
}

/* The letters of Linux, as sched_switch prints them; what follows the first says more. */
static const struct {
    char letter;
    const char *words[4];
} letters[] = {
    {'R', {"runnable", "running", "involuntary", "preempted"}},
    {'S', {"interruptible", "sleeping"}},
    {'D', {"uninterruptible", "disk-sleep"}},
    {'T', {"stopped"}},
    {'t', {"traced"}},
    {'I', {"idle"}},
    {'P', {"parked"}},
    {'X', {"dead"}},
    {'Z', {"zombie"}},
};

/* Returns true for the letter of a state ("D", "R+", "D|K"), false for a word. */
static bool is_letter(struct slice state)
{
    return state.len == 1 || (state.len && (state.ptr[1] == '+' || state.ptr[1] == '|'));
}

bool thread_state_is(struct slice state, struct slice wanted)
{
    if (!is_letter(state))
        return same_word(state, wanted);
    if (slice_equal(state, wanted))
        return true;
    if (wanted.len == 1)
        return wanted.ptr[0] == state.ptr[0];
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        for (size_t w = 0; letters[i].letter == state.ptr[0] && w < 4 && letters[i].words[w]; w++)
            if (same_word(slice_str(letters[i].words[w]), wanted))
                return true;
    return false;
}
