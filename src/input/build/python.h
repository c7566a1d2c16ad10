/*
 * Names of Python functions, equal for all profilers.
 */
#ifndef INPUT_BUILD_PYTHON_H
#define INPUT_BUILD_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The name of a function: "parse", and for those that every file has, like
 * "<module>" and "<lambda>", with the file's: "<module> (app.py)". Then it is
 * written into `scratch`.
 */
struct slice python_name(struct slice function, struct slice file, struct buf *scratch);

/*
 * Splits the name of a frame of Python that also has the line that was executed: appends the name
 * without it, "main (app.py)" of py-spy's "main (app.py:13)", "app.py:main" of Python's own
 * "app.py:main:13", and sets `file` and `line`. Returns false, having appended nothing, for any
 * other name.
 */
bool python_split_line(struct slice name, struct buf *out, struct slice *file, uint64_t *line);

#endif
