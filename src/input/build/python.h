/*
 * Names of Python functions, equal for all profilers.
 */
#ifndef INPUT_BUILD_PYTHON_H
#define INPUT_BUILD_PYTHON_H

#include "base/buf.h"

/*
 * The name of a function: "parse", and for those that every file has, like
 * "<module>" and "<lambda>", with the file's: "<module> (app.py)". Then it is
 * written into `scratch`.
 */
struct slice python_name(struct slice function, struct slice file, struct buf *scratch);

#endif
