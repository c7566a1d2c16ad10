/*
 * Ends a run when a signal arrives.
 *
 * Between interrupt_begin() and interrupt_end() a thread waits for SIGINT,
 * SIGTERM and SIGHUP. When one arrives, the thread calls the clean-up function and
 * ends the program with status 128 + the signal's number, as a shell does.
 * Signals that were ignored when the program started (nohup) stay ignored. Create
 * other threads after interrupt_begin(): they inherit the blocked signals.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
    sigset_t signals;
    pthread_t thread;
    bool running;                 /* the thread exists */
    atomic_bool ending;           /* the thread is to end */
    void (*clean)(void *context); /* may run while any other thread runs */
    void *context;
};

/* Fills `signals` with those of the three that would end the program. */
void interrupt_list(sigset_t *signals);

void interrupt_begin(struct interrupt *i, void (*clean)(void *context), void *context);
void interrupt_end(struct interrupt *i);

#endif
