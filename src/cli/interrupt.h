/*
 * Ending a run by a signal.
 *
 * Between interrupt_begin() and interrupt_end() a thread waits for SIGINT,
 * SIGTERM and SIGHUP. When one comes, it calls the clean-up that was given and
 * ends the program with status 128 + the signal's number, as a shell does.
 * Signals that the program was told to ignore (nohup) stay ignored. Threads
 * must be created after interrupt_begin(), so that they leave these signals to it.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct interrupt {
    sigset_t signals;
    pthread_t thread;
    bool running;                 /* the thread exists */
    void (*clean)(void *context); /* may run beside every other thread of the program */
    void *context;
};

void interrupt_begin(struct interrupt *i, void (*clean)(void *context), void *context);
void interrupt_end(struct interrupt *i);

#endif
