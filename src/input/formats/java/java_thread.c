#include "input/formats/java/java_thread.h"

/* What may follow the quoted name of a thread. */
static const char *const after_name[] = {" #",   " prio=", " daemon ", " os_prio=",    " tid=",
                                         " Id=", " nid=",  " lwp_id=", " - Thread t@", " id="};

/* HotSpot's description of a thread's state, after its numbers; longest first. */
static const struct {
    const char *text;
    enum java_state state;
} words[] = {
    {"waiting for monitor entry", JAVA_BLOCKED},
    {"waiting on condition", JAVA_WAITING},
    {"in Object.wait()", JAVA_WAITING},
    {"sleeping", JAVA_TIMED_WAITING},
    {"suspended", JAVA_SUSPENDED},
    {"runnable", JAVA_RUNNABLE},
    {NULL, JAVA_UNKNOWN},
};

static bool starts_attributes(struct slice rest)
{
    for (size_t i = 0; i < sizeof(after_name) / sizeof(after_name[0]); i++)
        if (slice_starts(rest, slice_str(after_name[i])))
            return true;
    return slice_equal(rest, SLICE(":"));
}

/*
 * Takes the quoted name off the front; the name may contain quotes. Returns false if no quote is
 * followed by an attribute.
 */
static bool cut_name(struct slice *line, struct slice *name)
{
    for (size_t i = 1; i < line->len; i++) {
        struct slice rest = slice_skip(*line, i + 1);

        if (line->ptr[i] != '"' || !starts_attributes(rest))
            continue;
        *name = slice_take(slice_skip(*line, 1), i - 1);
        *line = rest;
        return true;
    }
    return false;
}

/* Returns the value of " KEY=value" up to a blank, or an empty slice; `behind` is the rest. */
static struct slice attribute(struct slice line, struct slice key, struct slice *behind)
{
    struct slice value = slice_skip(line, slice_search(line, key) + key.len);
    size_t end = slice_find(value, ' ');

    *behind = slice_skip(value, end);
    return slice_take(value, end);
}

/* "Id=236 in WAITING on ...": reads the state, a word of its own. */
static enum java_state state_behind_id(struct slice behind)
{
    struct slice word;

    if (!slice_word(&behind, &word))
        return JAVA_UNKNOWN;
    if (slice_equal(word, SLICE("in")) && !slice_word(&behind, &word))
        return JAVA_UNKNOWN;
    return java_state_named(word);
}

/* "runnable [0x7f]": the VM's own threads have no stack address after the state. */
static enum java_state state_in_words(struct slice behind, bool numbered)
{
    behind = slice_trim(behind);
    if (!numbered && slice_find(behind, '[') == behind.len)
        return JAVA_VM;
    return slice_row(behind, slice_starts, words)->state;
}

/* Reads the numbers and the state after the name. Returns false if there are none. */
static bool read_attributes(struct slice rest, struct java_thread *t)
{
    static const struct {
        struct slice key;
        bool spelled; /* the state's name follows the number */
    } keys[] = {
        {{" lwp_id=", 8}, false}, {{" nid=", 5}, false}, {{" Id=", 4}, true},
        {{"Thread t@", 9}, true}, {{" tid=", 5}, false}, {{" id=", 4}, true},
    };
    struct slice behind;

    t->numbered = slice_starts(rest, SLICE(" #"));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        t->id = attribute(rest, keys[i].key, &behind);
        if (!t->id.len)
            continue;
        t->state = keys[i].spelled ? state_behind_id(behind) : state_in_words(behind, t->numbered);
        return true;
    }
    return t->numbered && slice_has(rest, SLICE(" prio="));
}

/* #22 "name" virtual WAITING 2025-... */
static enum java_thread_kind read_plain(struct slice line, struct java_thread *t)
{
    size_t quote = slice_search(line, SLICE(" \"")), end = slice_find_last(line, '"');
    uint64_t number;
    struct slice rest, word;

    if (quote >= line.len || end <= quote + 1)
        return JAVA_NO_THREAD;
    t->id = slice_take(slice_skip(line, 1), quote - 1);
    if (!num_parse_u64(t->id, &number))
        return JAVA_NO_THREAD;
    t->name = slice_take(slice_skip(line, quote + 2), end - quote - 2);
    t->numbered = true;
    rest = slice_skip(line, end + 1);
    while (t->state == JAVA_UNKNOWN && slice_word(&rest, &word))
        t->state = java_state_named(word);
    return JAVA_PLAIN;
}

/* Thread 25: (state = IN_NATIVE) */
static enum java_thread_kind read_forced(struct slice line, struct java_thread *t)
{
    const struct slice mark = SLICE(": (state = ");
    size_t at = slice_search(line, mark);
    struct slice state = slice_skip(line, at + mark.len);
    uint64_t number;

    t->id = slice_trim(slice_take(slice_skip(line, strlen("Thread ")), at - strlen("Thread ")));
    if (at == line.len || !num_parse_u64(t->id, &number))
        return JAVA_NO_THREAD;
    state = slice_take(state, slice_find(state, ')'));
    t->numbered = true;
    t->state = slice_starts(state, SLICE("IN_")) ? JAVA_RUNNABLE : java_state_named(state);
    return JAVA_THREAD;
}

enum java_thread_kind java_thread_read(struct slice line, struct java_thread *t)
{
    *t = (struct java_thread){.state = JAVA_UNKNOWN};
    line = slice_trim_right(line);
    if (slice_starts(line, SLICE("#")))
        return read_plain(line, t);
    if (slice_starts(line, SLICE("Thread ")))
        return read_forced(line, t);
    if (!slice_starts(line, SLICE("\"")) || !cut_name(&line, &t->name))
        return JAVA_NO_THREAD;
    if (slice_equal(line, SLICE(":")))
        return JAVA_REPEATED;
    return read_attributes(line, t) ? JAVA_THREAD : JAVA_NO_THREAD;
}
