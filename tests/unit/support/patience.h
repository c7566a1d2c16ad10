/*
 * Limits the processor time of a test, in seconds; the load of the machine does not
 * count. A signal ends a test that takes longer.
 */
#ifndef SUPPORT_PATIENCE_H
#define SUPPORT_PATIENCE_H

void patience(unsigned seconds);

#endif
