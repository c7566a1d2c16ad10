/*
 * Words of commands for a POSIX shell, which can be pasted and run.
 */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include "base/buf.h"

/* Appends `text` as it is written between single quotes. */
void shell_add_text(struct buf *out, const char *text);

/* Appends a space and `word`, in single quotes if the shell would read it otherwise. */
void shell_add_word(struct buf *out, const char *word);

#endif
