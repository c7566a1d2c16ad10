/*
 * Processes and threads as first frames, kept only if there are several.
 *
 * A reader that cannot know the number of processes before the end of the file puts the
 * same number of owner frames (a process, then a thread) before every stack.
 * owners_strip() removes the uninformative ones afterwards.
 */
#ifndef INPUT_BUILD_OWNERS_H
#define INPUT_BUILD_OWNERS_H

#include "profile/profile.h"

enum { OWNERS_MOST = 2 };

/*
 * Removes those of the first `levels` frames of every stack in which no parent has more
 * than one child: the whole file is one process, or each process has one thread. Does
 * nothing if stacks were cut, because they may lack their first frames.
 */
void owners_strip(struct profile *p, unsigned levels);

#endif
