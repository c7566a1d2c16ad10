/*
 * A process outside the sandbox that writes where the sandbox may not, opens the binaries that
 * recordings of perf name, and fetches these from servers if the user asks for that.
 *
 * It is forked before the program enters the sandbox, and knows from then on the
 * few paths that the run writes and the stage of its report. On request it opens
 * one of these paths for writing and hands over the descriptor, gives a finished
 * file its name, links files of the earlier report into the stage, publishes the
 * stage, or drops it for an earlier report that is the same, or removes one of the
 * few files that the run was to remove. So a program that has been taken over can
 * replace the content of the files that it was to write, and of the report that it was
 * to replace, or remove those, and nothing else. Two requests have paths:
 * binary_file_open() decides whether a recording may name that file, and stage_link()
 * whether it is one of the report. One has a build id, which symbol_server_fetch() sends
 * to the servers that the user's environment names.
 *
 * The broker ends with the program, however that ends, and removes what was not
 * finished. It ignores all signals that it can. One draft is open at a time; after
 * broker_start() any thread may call the other functions.
 */
#ifndef CLI_BROKER_H
#define CLI_BROKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "batch/stage.h"
#include "options/options.h"

struct broker {
    struct arena memory;
    struct strings paths; /* that may be written, copied to `memory` */
    struct strings removable;
    struct stage *stage;  /* that may be published; NULL if there is none */
    bool opens;           /* serves broker_open_named() */
    bool fetches;         /* serves broker_fetch() */
    atomic_bool fetching; /* broker_fetch() waits */
    pthread_mutex_t lock; /* held during a request */
    pid_t process;        /* 0: not running */
    int socket;
};

void broker_init(struct broker *b);

/* Ends the broker. */
void broker_release(struct broker *b);

/* Adds a path that may be written. Call it before broker_start(). */
void broker_add_path(struct broker *b, const char *path);

/* Adds a file that may be removed. Call it before broker_start(). */
void broker_add_removable(struct broker *b, const char *path);

/* Lets broker_open_named() open files outside the sandbox. Call it before broker_start(). */
void broker_let_open(struct broker *b);

/* Lets broker_fetch() fetch files outside the sandbox. Call it before broker_start(). */
void broker_let_fetch(struct broker *b);

/* Starts the process. Returns false if that is impossible. `stage` may be NULL. */
bool broker_start(struct broker *b, struct stage *stage);

/* True after broker_start(), until broker_end(). */
bool broker_runs(const struct broker *b);

/*
 * Begins a draft of `path`, as file_draft_begin() does. Returns a descriptor to
 * write to, or -1 with the reason. After success call broker_close_draft().
 */
int broker_open_draft(struct broker *b, const char *path, struct buf *why);

/* Ends the draft, as file_draft_end() does. The caller has closed its descriptor. */
bool broker_close_draft(struct broker *b, bool keep, struct buf *why);

/* Removes a file of broker_add_removable(): in the broker, if it runs. */
bool broker_remove(struct broker *b, const char *path, struct buf *why);

/*
 * Opens a file that an input names, as binary_file_open() does: in the broker, if it runs and may.
 * `broker` is a struct broker, for struct input_options.
 */
int broker_open_named(void *broker, const char *path);

/*
 * Fetches a file by build id, as symbol_server_fetch() does: in the broker, if it runs.
 * `broker` is a struct broker, for struct input_options.
 */
int broker_fetch(void *broker, bool executable, struct slice build_id, struct buf *out_why);

/* Waits until the broker has removed what is unfinished and has ended. */
void broker_end(struct broker *b);

#endif
