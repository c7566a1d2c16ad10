/*
 * Says what a profile has that the result of a conversion does not.
 */
#ifndef CONVERT_LOST_H
#define CONVERT_LOST_H

#include "convert/writer.h"

/*
 * Appends a list of what is not written: modules, source lines and facts, unless the writer holds
 * them, times of single samples unless the writer holds them, and their threads. Appends nothing
 * if all is written.
 */
void lost_add(struct buf *out, const struct conversion *c, const struct convert_writer *writer);

#endif
