/*
 * What the user sees on stderr while and after a command runs.
 *
 * The only printer of messages. Errors are always shown, warnings and notes
 * as --quiet and --verbose ask; colour only on a terminal and not under
 * NO_COLOR. The progress line is for terminals and for runs longer than half a
 * second; it is wiped before anything else is printed.
 */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "cli/options.h"

struct console {
    bool quiet, verbose;
    bool terminal, colour;
    pthread_mutex_t lock;
    uint64_t started_ns, shown_ns; /* monotonic; when the run began, when the line was last drawn */
    uint64_t bytes;                /* read so far */
    unsigned done, count;          /* profiles */
    bool line;                     /* a progress line stands on the terminal */
};

void console_init(struct console *c, const struct options *options);
void console_release(struct console *c);

/* Prints the messages that the user asked to see. */
void console_show(struct console *c, const struct diag *diag);
/* Prints one line of its own, unless --quiet. */
void console_say(struct console *c, const char *format, ...) DIE_PRINTF(2, 3);

/* Prints one error about the run as a whole. */
void console_error(struct console *c, const char *format, ...) DIE_PRINTF(2, 3);

/* Counts one finished profile of `count` and draws the progress line; any thread may call it. */
void console_progress(struct console *c, const char *name, uint64_t bytes);
void console_progress_end(struct console *c);

#endif
