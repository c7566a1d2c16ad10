/*
 * Sections of man pages that several commands share, as a table: runs and services, and what can be
 * found with how many runs.
 */
#ifndef CLI_MAN_NOTES_H
#define CLI_MAN_NOTES_H

#include "base/buf.h"
#include "options/options.h"

/* Appends the sections that the command's page has, in roff. */
void man_notes(struct buf *out, enum command_id command);

#endif
