/*
 * Prints messages and progress on stderr.
 *
 * Nothing else prints messages. Errors are always shown, warnings and notes
 * depending on --quiet and --verbose; colours are used only on a terminal, and
 * not if NO_COLOR is set. The progress line is shown on terminals, in runs longer
 * than half a second; it is erased before anything else is printed.
 */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "cli/broker.h"
#include "options/options.h"

struct console {
    bool quiet, verbose;
    bool terminal, colour;
    pthread_mutex_t lock;
    uint64_t started_ns, shown_ns; /* monotonic; when the run began, when the line was last drawn */
    uint64_t bytes;                /* read so far */
    unsigned done, count;          /* profiles */
    bool line;                     /* a progress line is on the terminal */
    struct broker broker;          /* writes files if the program may not */
};

void console_init(struct console *c, const struct options *options);
void console_release(struct console *c);

/* Prints the messages of `diag` that --quiet and --verbose let through. */
void console_show(struct console *c, const struct diag *diag);
/* Prints all messages of `diag`, notes too, unless --quiet: for notes that every user needs. */
void console_show_all(struct console *c, const struct diag *diag);
/* Prints one line to the user, unless --quiet. */
void console_say(struct console *c, const char *format, ...) DIE_PRINTF(2, 3);

/* Prints one error about the run as a whole. */
void console_error(struct console *c, const char *format, ...) DIE_PRINTF(2, 3);

/* Counts a finished profile and draws the progress line. Any thread may call it. */
void console_progress(struct console *c, const char *name, uint64_t bytes);
/* Erases the progress line. */
void console_progress_end(struct console *c);

#endif
