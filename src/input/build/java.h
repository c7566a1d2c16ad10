/*
 * How Java's tools write methods, threads and their states.
 *
 * A method has one name, whichever tool wrote it: "pkg.Class.method". Text dumps write
 *
 *     java.base@17.0.15/java.lang.Object.wait(Object.java:366)
 *     java.lang.Object.wait(java.base@17/Native Method)
 *     Mix$$Lambda$14/0x00007fa444002000.run(Unknown Source)
 *     java/lang/Object.wait(Object.java:255(Compiled Code))
 *
 * The module and loader before the class are removed, and so are the addresses of lambdas
 * and hidden classes, which differ from run to run. The last pair of parentheses contains
 * the place.
 */
#ifndef INPUT_BUILD_JAVA_H
#define INPUT_BUILD_JAVA_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "input/build/builder.h"
#include "input/build/frame.h"
#include "input/build/frame_cache.h"
#include "input/build/sample.h"

/* What a thread was doing, in the order of the series: a series for each. */
enum java_state {
    JAVA_RUNNABLE,
    JAVA_BLOCKED,
    JAVA_WAITING,
    JAVA_TIMED_WAITING,
    JAVA_PARKED,    /* only javacore distinguishes it from waiting */
    JAVA_SUSPENDED, /* the same */
    JAVA_NEW,
    JAVA_TERMINATED,
    JAVA_VM,      /* a thread of the virtual machine itself, or a native one: no Java state */
    JAVA_UNKNOWN, /* not in the dump */
    JAVA_STATES
};

/* The state that a word names, as java.lang.Thread.State has them; JAVA_UNKNOWN for others. */
enum java_state java_state_named(struct slice word);
/* The event of its series; for JAVA_UNKNOWN "threads". */
struct slice java_state_event(enum java_state state);
/* Sorts the series by the state of their threads, in the order of enum java_state. */
void java_order_states(struct profile *profile);

/*
 * Removes "(Ljava/net/SocketImpl;)V" from the end of a method's name. Returns false if
 * there is none.
 */
bool java_cut_descriptor(struct slice *name);

/*
 * A frame from the text of one, without "at". The name is made in `scratch`.
 * `slashes`: packages are parted by slashes, as javacore has them.
 */
struct frame java_frame(struct slice text, bool slashes, struct buf *scratch);
/* "Class.method" from a class as the virtual machine names it, "Ljava/lang/Object;". */
struct frame java_method(struct slice class, struct slice method, struct buf *scratch);
/* The text as stackcollapse-jstack.pl and its kin have it: all before the first parenthesis. */
struct frame java_frame_reference(struct slice text);

/*
 * The builder's entry for the text of a frame, by whichever of the two rules
 * the options ask for. False for one that is cut, without a place.
 */
bool java_entry(struct builder *b, struct frame_cache *known, struct slice text, bool slashes,
                uint32_t *entry);

/* Takes a line "  at TEXT" apart; false for any other. */
bool java_at(struct slice line, struct slice *text);

/* The name of a thread without the number of its pool: "pool-1-thread-12" is "pool-1-thread". */
struct slice java_thread_base(struct slice name);

/*
 * Opens a sample of a thread. The thread is the first frame if it has a name,
 * with its number in the pool only if the options ask for it (--tid). Returns
 * false after reporting an error.
 */
bool java_open(struct sample *s, struct slice thread);

/* Sets the state of the open sample's thread, and with it the series. */
void java_set_state(struct sample *s, enum java_state state);

/* Appends a frame of the open sample, as java_entry() reads it. Returns false if it is cut. */
bool java_push(struct sample *s, struct slice text);

#endif
