/*
 * Completion scripts for bash, zsh and fish, made of the option table and the
 * command table.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>

#include "base/buf.h"

/* Writes the script for `shell`. Returns false if there is none. */
bool completion_write(struct buf *out, const char *shell);

#endif
