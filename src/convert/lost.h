/*
 * Says what a profile has that the result of a conversion does not.
 */
#ifndef CONVERT_LOST_H
#define CONVERT_LOST_H

#include "convert/writer.h"

/*
 * Appends a list of what is not written: modules, source lines and facts, unless the writer holds
 * them, and times and threads of single samples. Appends nothing if all is written.
 */
void lost_add(struct buf *out, const struct conversion *c, const struct convert_writer *writer);

#endif
