/*
 * Times a command against a yardstick, in turn, and prints one row.
 *
 *     pair RUNS NAME GOAL YARDSTICK COMMAND
 *
 * YARDSTICK and COMMAND are shell lines. Each is run once to warm up and then
 * RUNS times, one after the other, so that a machine whose speed drifts drifts
 * for both. After ROW_SECONDS (an environment variable; default 10) no further run
 * begins, but each line is timed at least once. The row: name; median milliseconds of
 * the command, and of its CPU time; the same of the yardstick; the median of the
 * ratios pair by pair, of time and of CPU time; peak resident megabytes of the command;
 * the goal. GOAL is "RATIOx" ("3.5x"), or milliseconds ("700ms"), or "-". A command that
 * fails ends the program with its exit status.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 101 };

struct cost {
    double milliseconds, cpu; /* since the start; of all processors, in milliseconds */
    long kilobytes;
};

/* Numbers of one kind, of all runs. */
struct series {
    double items[MOST_RUNS];
};

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static double to_milliseconds(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static struct cost run(const char *line)
{
    double start = now();
    pid_t child = fork();
    struct rusage usage;
    int status = 0;

    if (child == 0) {
        char *exec_line = NULL;

        if (asprintf(&exec_line, "exec %s", line) < 0)
            _exit(127);
        execl("/bin/sh", "sh", "-c", exec_line, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("pair");
        exit(1);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "pair: fails: %s\n", line);
        exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    return (struct cost){now() - start,
                         to_milliseconds(usage.ru_utime) + to_milliseconds(usage.ru_stime),
                         usage.ru_maxrss};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(struct series *s, int count)
{
    qsort(s->items, (size_t)count, sizeof(*s->items), compare);
    return s->items[count / 2];
}

/* Returns the seconds after which a row takes what it has. */
static double row_seconds(void)
{
    const char *text = getenv("ROW_SECONDS");

    return text ? atof(text) : 10;
}

int main(int argc, char **argv)
{
    double end = now() + row_seconds() * 1e3;
    struct series wall, cpu, yard, yard_cpu, ratio, cpu_ratio;
    long peak = 0;
    int runs;

    if (argc != 6 || (runs = atoi(argv[1])) < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: pair RUNS NAME GOAL YARDSTICK COMMAND\n");
        return 2;
    }
    run(argv[4]);
    run(argv[5]);
    for (int i = 0; i < runs; i++) {
        if (i > 0 && now() > end) {
            runs = i;
            break;
        }
        struct cost base = run(argv[4]), cost = run(argv[5]);

        wall.items[i] = cost.milliseconds;
        cpu.items[i] = cost.cpu;
        yard.items[i] = base.milliseconds;
        yard_cpu.items[i] = base.cpu;
        ratio.items[i] = cost.milliseconds / base.milliseconds;
        cpu_ratio.items[i] = cost.cpu / (base.cpu > 0 ? base.cpu : 1);
        peak = cost.kilobytes > peak ? cost.kilobytes : peak;
    }
    printf("| %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.0f | %s |\n", argv[2],
           median(&wall, runs), median(&cpu, runs), median(&yard, runs), median(&yard_cpu, runs),
           median(&ratio, runs), median(&cpu_ratio, runs), (double)peak / 1024, argv[3]);
    return 0;
}
