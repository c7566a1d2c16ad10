/*
 * Refuses the system calls that drawing profiles never needs, by a seccomp filter:
 * those of networks, programs and processes, those that change the attributes of
 * files, and those that administer the system. Of calls that the program needs, the filter refuses
 * the arguments that reach another process (a descriptor's owner, processors of other threads) or
 * empty a file (O_TRUNC).
 *
 * A refused call fails with EPERM. Calls newer than this source, and clone3(),
 * whose flags a filter cannot read, fail with ENOSYS, as on an older kernel; the C
 * library then takes the older call. The filter holds for the calling thread and
 * all threads that it creates, and can never be removed.
 */
#ifndef CLI_SYSCALLS_H
#define CLI_SYSCALLS_H

#include <stdbool.h>

/*
 * Installs the filter. Requires PR_SET_NO_NEW_PRIVS. Returns false with errno, and changes
 * nothing, if the kernel or the architecture has no such filters, or the system refuses them.
 */
bool syscalls_restrict(void);

#endif
