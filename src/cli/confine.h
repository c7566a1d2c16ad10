/*
 * Enters the sandbox of a run: decides from the options what the run still needs.
 *
 * It may read its inputs and fonts, and write what it was asked for, by the broker
 * of the console if the kernel restricts files. Call one of the functions after
 * the options are read, and before hostile input is read or a thread is
 * created. With --no-sandbox they do nothing.
 */
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include "batch/inputs.h"
#include "batch/stage.h"
#include "cli/console.h"
#include "options/options.h"

/* For a run that reads the paths of its options and writes `written`. */
void confine(const struct options *o, const struct strings *written, struct console *console);

/*
 * For a report of `in`. `stage` is open, or NULL if the report is a single file;
 * it must outlive the run.
 */
void confine_report(const struct options *o, const struct inputs *in, struct stage *stage,
                    struct console *console);

#endif
