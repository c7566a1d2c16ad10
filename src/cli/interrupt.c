#include "cli/interrupt.h"

#include <stddef.h>
#include <unistd.h>

#include "base/die.h"

/* Sent to the thread to end it; from anybody else it is ignored meanwhile. */
enum { WAKE = SIGUSR2 };

static void *wait_for_signal(void *context)
{
    struct interrupt *i = context;
    int number;

    do {
        if (sigwait(&i->signals, &number) != 0 || i->ending)
            return NULL;
    } while (number == WAKE);
    i->clean(i->context);
    _exit(128 + number);
}

void interrupt_list(sigset_t *signals)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    sigemptyset(signals);
    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
        if (sigaction(numbers[n], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            sigaddset(signals, numbers[n]);
}

void interrupt_begin(struct interrupt *i, void (*clean)(void *context), void *context)
{
    *i = (struct interrupt){.clean = clean, .context = context};
    interrupt_list(&i->signals);
    sigaddset(&i->signals, WAKE);
    pthread_sigmask(SIG_BLOCK, &i->signals, NULL);
    i->running = pthread_create(&i->thread, NULL, wait_for_signal, i) == 0;
    if (!i->running)
        pthread_sigmask(SIG_UNBLOCK, &i->signals, NULL);
}

void interrupt_end(struct interrupt *i)
{
    if (!i->running)
        return;
    i->ending = true;
    pthread_kill(i->thread, WAKE);
    pthread_join(i->thread, NULL);
    pthread_sigmask(SIG_UNBLOCK, &i->signals, NULL);
    i->running = false;
}
