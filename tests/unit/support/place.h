/*
 * Makes a new directory the current one for a test, as init of a suite; as fini,
 * removes the directory with its content.
 */
#ifndef SUPPORT_PLACE_H
#define SUPPORT_PLACE_H

void place_enter(void);
void place_leave(void);

#endif
