/*
 * The table of src/stats/README.md: the smallest change that is visible, by runs and samples.
 */
#ifndef STATISTICS_REACH_H
#define STATISTICS_REACH_H

#include <stddef.h>

/* Writes the table in Markdown. */
void reach_write(char *out, size_t size);

#endif
