/*
 * How long a test may compute, in seconds of processor time, so that a loaded
 * machine fails none that is fast enough. A signal ends a test that takes longer.
 */
#ifndef SUPPORT_PATIENCE_H
#define SUPPORT_PATIENCE_H

void patience(unsigned seconds);

#endif
