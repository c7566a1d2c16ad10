#include "input/formats/perf/perf_waits.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define EVENT(who, time, name, fields)                                                             \
    "app 1/" who " [000] " time ": " name ": " fields                                              \
    "\n\t 1 take (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define KERNEL(who, time, what, fields) EVENT(who, time, "lock:lock_" what, fields)
#define SDT(who, time, what, lock) EVENT(who, time, "sdt_libpthread:" what, "(7f1) arg1=" lock)
/* Probes at the entry and the return of a function, and at the release of the lock. */
#define ASK(who, time, lock)                                                                       \
    EVENT(who, time, "probe_libc:pthread_mutex_lock", "(7f1) mutex=0x" lock)
#define GOT(who, time, result)                                                                     \
    "app 1/" who " [000] " time ": probe_libc:pthread_mutex_lock__return: (7f1 <- 55) ret=" result \
    "\n\t 3 caller (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define UNLOCK(who, time, lock)                                                                    \
    EVENT(who, time, "probe_libc:pthread_mutex_unlock", "(7f2) mutex=0x" lock)
#define LOCK(who, time, lock) ASK(who, time, lock) GOT(who, time, "0x0")

static const struct {
    const char *what, *input, *want; /* NULL: no series */
    uint64_t nested, kept, unseen;
} rows[] = {
    {"the kernel's",
     KERNEL("7", "1.0", "acquired", "0xff00 &mm->mmap_lock")
         KERNEL("7", "1.5", "release", "0xff00 &mm->mmap_lock"),
     "app;main;take 500000000\n", 0, 0, 0},
    {"one that was free",
     KERNEL("7", "1.0", "acquire", "0xff00 try read &l") KERNEL("7", "1.5", "release", "0xff00 &l"),
     "app;main;take 500000000\n", 0, 0, 0},
    {"to ask for it is not to have it",
     KERNEL("7", "1.0", "acquire", "0xff00 read &l") KERNEL("7", "1.5", "release", "0xff00 &l"), "",
     0, 0, 1},
    {"after a wait",
     EVENT("7", "1.0", "lock:contention_end", "0xff00 (ret=0)")
         EVENT("7", "1.25", "probe:mutex_unlock", "(ffffffff81) lock=0xff00"),
     "app;main;take 250000000\n", 0, 0, 0},
    {"after a wait in vain",
     EVENT("7", "1.0", "lock:contention_end", "0xff00 (ret=-4)")
         EVENT("7", "1.25", "probe:mutex_unlock", "(ffffffff81) lock=0xff00"),
     "", 0, 0, 1},
    {"a mutex, from its return",
     ASK("7", "1.0", "a0") GOT("7", "2.0", "0x0") UNLOCK("7", "2.5", "a0"),
     "app;main;caller 500000000\n", 0, 0, 0},
    {"one that is not had", ASK("7", "1.0", "a0") GOT("7", "2.0", "0x10") UNLOCK("7", "2.5", "a0"),
     "", 0, 0, 1},
    {"whose owner died", ASK("7", "1.0", "a0") GOT("7", "2.0", "0x82") UNLOCK("7", "2.5", "a0"),
     "app;main;caller 500000000\n", 0, 0, 0},
    {"a return of which the call is not known", GOT("7", "2.0", "0x0") UNLOCK("7", "2.5", "a0"),
     "app;main;caller 500000000\n", 0, 0, 0},
    {"two locks, one within the other",
     LOCK("7", "1.0", "a0") LOCK("7", "1.1", "b0") UNLOCK("7", "1.2", "b0")
         UNLOCK("7", "1.5", "a0"),
     "app;main;caller 600000000\n", 0, 0, 0},
    {"two locks that overlap",
     LOCK("7", "1.0", "a0") LOCK("7", "1.1", "b0") UNLOCK("7", "1.2", "a0")
         UNLOCK("7", "1.5", "b0"),
     "app;main;caller 600000000\n", 0, 0, 0},
    {"the same, taken twice, is held once",
     LOCK("7", "1.0", "a0") LOCK("7", "1.1", "a0") UNLOCK("7", "1.2", "a0")
         UNLOCK("7", "1.5", "a0"),
     "app;main;caller 500000000\n", 1, 0, 0},
    {"each thread has its own",
     LOCK("7", "1.0", "a0") LOCK("8", "1.1", "b0") UNLOCK("8", "1.3", "b0")
         UNLOCK("7", "1.5", "a0"),
     "app;main;caller 700000000\n", 0, 0, 0},
    {"static probes",
     SDT("7", "1.0", "mutex_acquired", "4096") SDT("7", "1.5", "mutex_release", "4096"),
     "app;main;take 500000000\n", 0, 0, 0},
    {"a wait for a condition gives the mutex back",
     LOCK("7", "1.0", "a0")
         EVENT("7", "1.1", "probe_libc:pthread_cond_timedwait", "(7f3) cond=0xc0 mutex=0xa0")
             EVENT("7", "5.0", "probe_libc:pthread_cond_timedwait__return", "(7f3 <- 5) ret=0x6e")
                 UNLOCK("7", "5.2", "a0"),
     "app;main;caller 100000000\napp;main;take 200000000\n", 0, 0, 0},
    {"a release without a beginning", UNLOCK("7", "1.0", "a0"), NULL, 0, 0, 1},
    {"a release without a beginning, and others",
     UNLOCK("7", "1.0", "a0") LOCK("7", "1.1", "b0") UNLOCK("7", "1.2", "b0"),
     "app;main;caller 100000000\n", 0, 0, 1},
    {"no end", LOCK("7", "1.0", "a0") LOCK("7", "1.1", "b0") UNLOCK("7", "1.2", "b0"),
     "app;main;caller 100000000\n", 0, 1, 0},
    {"a spin lock cannot be taken twice: a release is missing",
     KERNEL("7", "1.0", "acquired", "0xff00 &l") KERNEL("7", "2.0", "acquired", "0xff00 &l")
         KERNEL("7", "2.5", "release", "0xff00 &l"),
     "app;main;take 500000000\n", 0, 1, 0},
    {"no address", KERNEL("7", "1.0", "acquired", "&l") KERNEL("7", "1.5", "release", "&l"), NULL,
     0, 0, 0},
    {"another function", EVENT("7", "1.0", "probe_app:unlock_door", "(7f1) door=0x1"), NULL, 0, 0,
     0},
};

/*
 * Expects the number in the ledger of the locks' graph, or in that of the input if there is no
 * such graph.
 */
static void expect_note(const struct reading *r, enum ledger_note note, uint64_t want,
                        const char *what)
{
    bool there = profile_find_series(&r->profile, SLICE("lock hold")) != SERIES_NONE;

    cr_expect_eq(reading_note(r, "lock hold", note), there ? want : 0, "%s: %d", what, note);
    cr_expect_eq(r->profile.ledger.notes[note], there ? 0 : want, "%s: %d", what, note);
}

Test(input_perf_holds, time_goes_to_the_stack_that_took)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct buf got = {0};
        uint32_t id;

        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].what);
        id = profile_find_series(&r.profile, SLICE("lock hold"));
        if (id != SERIES_NONE)
            reading_fold(&r, id, &got);
        cr_expect_str_eq(buf_string(&got) ? buf_string(&got) : "", rows[i].want ? rows[i].want : "",
                         "%s: %s", rows[i].what, buf_string(&got));
        if (id != SERIES_NONE)
            cr_expect_eq(r.profile.series.items[id].unit.exponent, -9);
        expect_note(&r, NOTE_LOCKS_NESTED, rows[i].nested, rows[i].what);
        expect_note(&r, NOTE_LOCKS_KEPT, rows[i].kept, rows[i].what);
        expect_note(&r, NOTE_LOCKS_UNSEEN, rows[i].unseen, rows[i].what);
        reading_release(&r);
        buf_release(&got);
    }
}

Test(input_perf_holds, threads_apart)
{
    struct input_options options = input_options_default();
    struct reading r;
    struct buf got = {0};
    uint32_t id;

    options.split_thread = true;
    reading_text(&r,
                 SLICE(LOCK("7", "1.0", "a0") UNLOCK("7", "1.5", "a0") LOCK("8", "1.6", "a0")
                           UNLOCK("8", "1.7", "a0")),
                 &options);
    id = profile_find_series(&r.profile, SLICE("lock hold, app (8)"));
    cr_assert_neq(id, SERIES_NONE);
    reading_fold(&r, id, &got);
    cr_expect_str_eq(buf_string(&got), "app;main;caller 100000000\n");
    reading_release(&r);
    buf_release(&got);
}

Test(input_perf_holds, more_than_64_bits_is_refused)
{
    static const char most[] = LOCK("7", "0.0", "a0") LOCK("7", "0.0", "b0")
        UNLOCK("7", "9999999999.0", "a0") UNLOCK("7", "9999999999.0", "b0");
    struct buf messages = {0}, text = {0};
    struct reading r;

    buf_add_str(&text, most);
    reading_text(&r, buf_slice(&text), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(buf_string(&messages), "the sum of the weights does not fit in 64 bits"), "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&text);
    buf_release(&messages);
}
