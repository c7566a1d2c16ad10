/*
 * Whose stacks they are: processes and threads as first frames, where there
 * is more than one of them.
 *
 * A reader that cannot know before the end of the file gives every stack the
 * same number of first frames (a process, then a thread of it) and has those
 * that tell nothing taken off when the file is read.
 */
#ifndef INPUT_BUILD_OWNERS_H
#define INPUT_BUILD_OWNERS_H

#include "profile/profile.h"

enum { OWNERS_MOST = 2 };

/*
 * Of the first `levels` frames of every stack, takes off those levels where no
 * parent has more than one: all of the file is one process, or each process
 * has one thread. Nothing is done where stacks were cut, as they may lack
 * their first frames.
 */
void owners_strip(struct profile *p, unsigned levels);

#endif
