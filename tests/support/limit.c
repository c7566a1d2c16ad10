/*
 * Runs a command under limits and reports its time and memory.
 *
 *     limit SECONDS MEGABYTES REPORT COMMAND [ARGUMENT...]
 *
 * SECONDS is CPU time of the command and all that it started, so that a busy machine does not
 * make a test fail. A command that uses none of it for ten times as long, or five minutes, hangs
 * and is stopped, too. REPORT gets one line: exit status (128 + signal if the command was killed
 * by a signal, 124 if the time ran out), milliseconds of CPU time, peak resident memory in KB. The
 * CPU time includes that of processes whose parent has ended, such as those of a browser, if they
 * end before the command.
 *
 * When the time is over, the command and its process group are killed. MEGABYTES bounds the
 * address space, well above the limit that a test checks, so that a runaway cannot exhaust the
 * machine; 0 means no bound, which sanitizers need. The exit status of this program is 0 if the
 * command could be started.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_TIME_OUT = 124, EXIT_NOT_STARTED = 125, HANGS = 300 /* seconds */ };

static void run_command(rlim_t megabytes, char **command)
{
    struct rlimit core = {0, 0};
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
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

/*
 * CPU seconds of the process `pid`, and of its children that ended, if it is of `group`. A command
 * that starts a group of its own is counted when it has ended.
 */
static double used_by(const char *pid, pid_t group)
{
    char path[300], text[1024];
    const char *rest;
    unsigned long user, system, waited_user, waited_system;
    int of;
    size_t len = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    f = fopen(path, "r");
    if (f) {
        len = fread(text, 1, sizeof(text) - 1, f);
        fclose(f);
    }
    text[len] = '\0';
    /* The name, in parentheses, may contain anything. */
    rest = strrchr(text, ')');
    if (!rest ||
        sscanf(rest, ") %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &of, &user,
               &system, &waited_user, &waited_system) != 5 ||
        of != group)
        return 0;
    return (double)(user + system + waited_user + waited_system) / (double)sysconf(_SC_CLK_TCK);
}

static double used_by_group(pid_t group)
{
    DIR *dir = opendir("/proc");
    double sum = 0;

    if (!dir)
        return 0;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (isdigit((unsigned char)e->d_name[0]))
            sum += used_by(e->d_name, group);
    }
    closedir(dir);
    return sum;
}

/*
 * Waits for the processes that have ended. Returns whether the child is one of them. Those that
 * have lost their parent are this program's (PR_SET_CHILD_SUBREAPER), which adds up their time.
 */
static int has_ended(pid_t child, int *status, struct rusage *usage)
{
    int of;
    struct rusage used;
    pid_t ended;

    while ((ended = wait4(-1, &of, WNOHANG, &used)) > 0 && ended != child)
        ;
    if (ended != child)
        return 0;
    *status = of;
    *usage = used;
    return 1;
}

/*
 * Waits for the child. Returns 0 if its time ran out and it was killed. A look at all processes
 * costs some milliseconds, so the pauses between looks grow to half a second, or to a thousandth of
 * a long time. Their lengths are added up, not the time that passes: a command that is stopped
 * together with this program does not hang.
 */
static int wait_for(pid_t child, double seconds, int *status, struct rusage *usage)
{
    double used = 0, idle = 0, hangs = seconds * 10 < HANGS ? seconds * 10 : HANGS;
    double pause = 0.02, longest = seconds > 500 ? seconds / 1000 : 0.5;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    while (!has_ended(child, status, usage)) {
        time_t whole = (time_t)pause;
        struct timespec until = {whole, (long)((pause - (double)whole) * 1e9)};
        double before = used;

        if (sigtimedwait(&set, NULL, &until) < 0)
            idle += pause;
        pause = pause * 2 < longest ? pause * 2 : longest;
        used = used_by_group(child);
        if (used > before)
            idle = 0;
        if (used > seconds || idle > hangs) {
            kill(-child, SIGKILL);
            wait4(child, status, 0, usage);
            return 0;
        }
    }
    return 1;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage, all;
    sigset_t set;
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
    prctl(PR_SET_CHILD_SUBREAPER, 1);
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
    getrusage(RUSAGE_CHILDREN, &all);
    report = fopen(argv[3], "w");
    if (!report) {
        perror(argv[3]);
        return EXIT_NOT_STARTED;
    }
    fprintf(report, "%d %.0f %ld\n", code,
            (seconds_of(all.ru_utime) + seconds_of(all.ru_stime)) * 1e3, usage.ru_maxrss);
    return fclose(report) ? EXIT_NOT_STARTED : 0;
}
