/*
 * Times a command against a yardstick, in turn, and prints one row.
 *
 *     pair RUNS NAME GOAL YARDSTICK COMMAND
 *
 * YARDSTICK and COMMAND are shell lines. Each is run once to warm up and then
 * RUNS times, one after the other, so that a machine whose speed drifts drifts
 * for both. The row: name, median milliseconds of the command and of the
 * yardstick, the median of the ratios pair by pair, peak resident megabytes of
 * the command, the goal. GOAL is "RATIOx" ("3.5x"), or milliseconds ("700ms"),
 * or "-". A command that fails ends the program with its exit status.
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
    double milliseconds;
    long kilobytes;
};

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
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
    return (struct cost){now() - start, usage.ru_maxrss};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    double times[MOST_RUNS], yards[MOST_RUNS], ratios[MOST_RUNS];
    long peak = 0;
    int runs;

    if (argc != 6 || (runs = atoi(argv[1])) < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: pair RUNS NAME GOAL YARDSTICK COMMAND\n");
        return 2;
    }
    run(argv[4]);
    run(argv[5]);
    for (int i = 0; i < runs; i++) {
        struct cost yard = run(argv[4]), cost = run(argv[5]);

        times[i] = cost.milliseconds;
        yards[i] = yard.milliseconds;
        ratios[i] = cost.milliseconds / yard.milliseconds;
        peak = cost.kilobytes > peak ? cost.kilobytes : peak;
    }
    printf("| %s | %.1f | %.1f | %.2f | %.0f | %s |\n", argv[2], median(times, runs),
           median(yards, runs), median(ratios, runs), (double)peak / 1024, argv[3]);
    return 0;
}
