#include "cli/watch.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/watched.h"

enum {
    QUIET_MS = 100,   /* without a change, before the report is made */
    LONGEST = 50,     /* such waits, if changes never end */
    MISSING_MS = 500, /* between two looks for an operand that does not exist */
    SIGNALLED = 128,  /* a shell's status for a process that signal n ended is this and n */
};

struct watch {
    const struct command_job *job;
    void (*report)(const struct command_job *job);
    struct watched set;
    sigset_t before; /* the signals that were blocked */
    int signals;     /* descriptor of those that end the program, and SIGCHLD */
    int ended_by;    /* a signal; 0 until one arrives */
    pid_t parent;
};

static void show(const struct watch *w, struct diag *diag)
{
    console_show(w->job->console, diag);
    diag_release(diag);
}

/* Opens the next set, and only then closes the one before: no change is missed. */
static void open_set(struct watch *w)
{
    struct watched next;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    watched_open(&next, w->job->options, &diag);
    watched_release(&w->set);
    w->set = next;
    show(w, &diag);
}

/* Makes a report, in the process that does nothing else. */
static _Noreturn void make_report(const struct watch *w)
{
    struct command_job job = *w->job;
    struct outcome outcome = {0};

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != w->parent)
        _exit(SIGNALLED + SIGTERM);
    close(w->signals);
    close(w->set.fd);
    sigprocmask(SIG_SETMASK, &w->before, NULL);
    job.outcome = &outcome;
    w->report(&job);
    exit((int)exit_status(&outcome));
}

/* Notes a signal that ends the program. Returns false if none has arrived. */
static bool take_signals(struct watch *w)
{
    struct signalfd_siginfo info;

    while (read(w->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
        if (info.ssi_signo != SIGCHLD)
            w->ended_by = (int)info.ssi_signo;
    return w->ended_by != 0;
}

/* Waits for the process that makes the report; ends it if a signal arrives. Returns its status. */
static int wait_for(struct watch *w, pid_t process)
{
    struct pollfd fd = {.fd = w->signals, .events = POLLIN};
    bool ending = false;
    pid_t ended;
    int status;

    while ((ended = waitpid(process, &status, WNOHANG)) == 0) {
        poll(&fd, 1, -1);
        if (take_signals(w) && !ending) {
            kill(process, w->ended_by);
            ending = true;
        }
    }
    if (ended < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

static int64_t now_in_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns true if something changes in that time; false after it, or after a signal. */
static bool wait_for_change(struct watch *w, int milliseconds)
{
    struct pollfd fds[] = {{w->signals, POLLIN, 0}, {w->set.fd, POLLIN, 0}};
    const int64_t end = now_in_ms() + milliseconds;
    int left = milliseconds;

    while (poll(fds, 2, left) != 0) {
        if (fds[1].revents && watched_take(&w->set))
            return !take_signals(w);
        if (milliseconds >= 0) /* changes that do not count are no reason to wait longer */
            left = (int)(end - now_in_ms());
        if (take_signals(w) || (milliseconds >= 0 && left <= 0))
            return false;
    }
    return false;
}

/* Waits until the report must be made again. Returns false after a signal. */
static bool wait_until_changed(struct watch *w)
{
    bool changed = false;

    while (!changed && !w->ended_by) {
        size_t missing = w->set.missing;

        changed = wait_for_change(w, missing ? MISSING_MS : -1);
        if (!changed && !w->ended_by) {
            open_set(w);
            changed = w->set.missing != missing;
        }
    }
    for (int i = 0; i < LONGEST && !w->ended_by && wait_for_change(w, QUIET_MS); i++)
        ;
    return !w->ended_by;
}

/* Makes one report. Returns false if the program is to end. */
static bool run_once(struct watch *w, bool first)
{
    pid_t process = fork();
    int status;

    if (process == 0)
        make_report(w);
    status = process < 0 ? -1 : wait_for(w, process);
    if (!w->ended_by)
        exit_take_over(w->job->outcome, status);
    if (process < 0)
        console_error(w->job->console, "the process that makes the report cannot be started");
    /* Settings and templates may be wrong while they are edited. */
    return !w->ended_by && process >= 0 && (!first || !w->job->outcome->usage);
}

static bool begin(struct watch *w)
{
    sigset_t signals;

    if (w->set.fd < 0)
        return false;
    w->parent = getpid();
    interrupt_list(&signals);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, &w->before);
    w->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (w->signals < 0)
        sigprocmask(SIG_SETMASK, &w->before, NULL);
    return w->signals >= 0;
}

void watch_report(const struct command_job *job, void (*report)(const struct command_job *job))
{
    struct watch w = {.job = job, .report = report, .set = {.fd = -1}, .signals = -1};

    if (!job->options->paths.count || !options_output(job->options)) {
        console_error(job->console, "--watch needs a directory of profiles, or profiles, and "
                                    "-o OUT");
        job->outcome->usage = true;
        return;
    }
    open_set(&w);
    if (begin(&w)) {
        for (bool more = run_once(&w, true); more; more = run_once(&w, false)) {
            console_say(job->console, "watching for changes; Ctrl-C ends");
            if (!wait_until_changed(&w))
                break;
            open_set(&w);
            if (w.set.fd < 0)
                break;
        }
        /* The signals stay blocked: a second one must not change the exit status. */
        close(w.signals);
    }
    watched_release(&w.set);
}
