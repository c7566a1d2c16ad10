/*
 * The first line of a thread in a thread dump, as each tool writes it.
 *
 *     "main" #1 prio=5 os_prio=0 cpu=4ms tid=0x7f nid=0x1f runnable [0x7f]    jstack, kill -3
 *     "main" prio=1 tid=0x7f nid=0x2d in Object.wait() [0x7f..0x8f]           JDK 5 and 6
 *     "main" prio=10 tid=0x7f nid=1 lwp_id=12 waiting on condition [0x7f]     HP-UX
 *     "VM Thread" os_prio=0 tid=0x7f nid=0x1f runnable                        the VM's own
 *     "Timer-180" - Thread t@332                                              VisualVM
 *     "exec-1" Id=236 in WAITING on lock=java.lang.Object@1b8f                ThreadInfo (JMX)
 *     "main" prio=5 Id=1 RUNNABLE                                             the same of JDK 9
 *     #22 "" virtual WAITING 2025-01-01T00:00:00Z                 jcmd Thread.dump_to_file
 *     Thread 25: (state = BLOCKED)                                            jstack -F
 *     "DeadlockThread-A":                                   repeated below a deadlock
 */
#ifndef INPUT_FORMATS_JAVA_JAVA_THREAD_H
#define INPUT_FORMATS_JAVA_JAVA_THREAD_H

#include "input/build/java.h"

enum java_thread_kind {
    JAVA_NO_THREAD, /* any other line */
    JAVA_THREAD,    /* frames are lines that begin with "at" */
    JAVA_PLAIN,     /* dump_to_file: frames are indented and have no "at" */
    JAVA_REPEATED,  /* a thread that the dump has already listed */
};

struct java_thread {
    struct slice name;
    struct slice id;       /* of the operating system if given, else Java's */
    enum java_state state; /* as far as this line states it */
    bool numbered;         /* has "#1": a Java thread, not one of the VM's own */
};

enum java_thread_kind java_thread_read(struct slice line, struct java_thread *t);

#endif
