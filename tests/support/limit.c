/*
 * Runs a command under limits and reports its time and memory.
 *
 *     limit SECONDS MEGABYTES REPORT COMMAND [ARGUMENT...]
 *
 * REPORT gets one line: exit status (128 + signal if the command was killed by a
 * signal, 124 if the time ran out), milliseconds, peak resident memory in KB. When
 * the time is over, the command and everything it started are killed. MEGABYTES
 * bounds the address space, well above the limit that a test checks, so that a
 * runaway cannot exhaust the machine; 0 means no bound, which sanitizers need.
 * The exit status of this program is 0 if the command could be started.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_TIME_OUT = 124, EXIT_NOT_STARTED = 125 };

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void run_command(rlim_t megabytes, char **command)
{
    struct rlimit core = {0, 0};
    sigset_t none;

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &core);
    if (megabytes) {
        struct rlimit space = {megabytes << 20, megabytes << 20};

        setrlimit(RLIMIT_AS, &space);
    }
    execvp(command[0], command);
    fprintf(stderr, "limit: %s: %s\n", command[0], strerror(errno));
    _exit(EXIT_NOT_STARTED);
}

/* Waits at most `seconds` for the child. Returns false if the time ran out and it was killed. */
static int wait_for(pid_t child, double seconds, int *status, struct rusage *usage)
{
    double end = now() + seconds;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    while (wait4(child, status, WNOHANG, usage) == 0) {
        double left = end - now();
        struct timespec pause = {0, 0};

        if (left <= 0) {
            kill(-child, SIGKILL);
            wait4(child, status, 0, usage);
            return 0;
        }
        pause.tv_sec = (time_t)left;
        pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
        sigtimedwait(&set, NULL, &pause);
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    sigset_t set;
    double start;
    pid_t child;
    FILE *report;
    int status, code;

    if (argc < 5) {
        fprintf(stderr, "usage: limit SECONDS MEGABYTES REPORT COMMAND [ARGUMENT...]\n");
        return EXIT_NOT_STARTED;
    }
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    start = now();
    child = fork();
    if (child == 0)
        run_command(strtoul(argv[2], NULL, 10), argv + 4);
    if (child < 0) {
        perror("limit: fork");
        return EXIT_NOT_STARTED;
    }
    if (!wait_for(child, strtod(argv[1], NULL), &status, &usage))
        code = EXIT_TIME_OUT;
    else
        code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    report = fopen(argv[3], "w");
    if (!report) {
        perror(argv[3]);
        return EXIT_NOT_STARTED;
    }
    fprintf(report, "%d %.0f %ld\n", code, (now() - start) * 1e3, usage.ru_maxrss);
    return fclose(report) ? EXIT_NOT_STARTED : 0;
}
