/*
 * A fresh directory that a test works in, as init and fini of a suite: it is
 * the current one, and goes with all that is in it.
 */
#ifndef SUPPORT_PLACE_H
#define SUPPORT_PLACE_H

void place_enter(void);
void place_leave(void);

#endif
