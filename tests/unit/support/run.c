/*
 * Runs the unit tests of this program, each in a process that is forked for it, so that a crash, a
 * leak or a changed global fails one test. Usage:
 *
 *     unit-tests [-jN] [--filter=SUITE/NAME] [--fail-fast] [--list]
 *
 * The filter is a pattern of the shell, extended: '@(base_buf|base_num)/row_?'. As many tests as
 * there are processors run at once, or N. Prints the lines that tests/README.md asks of a suite;
 * the exit status is 1 if a test failed.
 *
 * Nothing but the tests' list is allocated before a test begins, and no thread is started.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/support/process.h"

enum { JOBS_MOST = 64 };

struct job {
    pid_t pid; /* 0 if none runs */
    const struct test *test;
    struct outcome *outcome;
};

struct run {
    struct job jobs[JOBS_MOST];
    size_t job_count, passed, failed, skipped;
};

static const struct test **sorted;
static size_t test_count;

static void start(struct job *j, const struct test *t)
{
    *j->outcome = (struct outcome){0};
    j->test = t;
    fflush(NULL);
    j->pid = fork();
    if (j->pid < 0) {
        perror("unit-tests: fork");
        exit(2);
    }
    if (j->pid == 0)
        process_run(t, j->outcome);
}

/* Writes why the test failed; leaves `why` empty if it did not. */
static void judge(const struct job *j, int status, char *why, size_t size)
{
    int failures = atomic_load(&j->outcome->failures), wanted = j->test->options.signal;
    int caught = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    why[0] = '\0';
    if (failures)
        snprintf(why, size, "%d failed", failures);
    else if (caught && caught != wanted)
        snprintf(why, size, "ended by signal %d (%s)", caught, strsignal(caught));
    else if (wanted && caught != wanted)
        snprintf(why, size, "not ended by signal %d", wanted);
    else if (!caught && WEXITSTATUS(status) != PROCESS_ENDED)
        snprintf(why, size, "ended the process with status %d", WEXITSTATUS(status));
}

static void report(struct run *r, struct job *j, int status)
{
    const struct test *t = j->test;
    char why[200];

    judge(j, status, why, sizeof(why));
    if (why[0]) {
        printf("FAIL %s/%s: %s\n", t->suite, t->name, why);
        r->failed++;
    } else if (atomic_load(&j->outcome->skipped)) {
        printf("SKIP %s/%s:%s\n", t->suite, t->name, j->outcome->reason);
        r->skipped++;
    } else {
        printf("ok   %s/%s\n", t->suite, t->name);
        r->passed++;
    }
    fflush(stdout);
    j->pid = 0;
}

/* Waits until a test ends. Returns its job, or NULL if none runs. */
static struct job *finish(struct run *r)
{
    int status;
    pid_t pid;

    do
        pid = waitpid(-1, &status, 0);
    while (pid < 0 && errno == EINTR);
    for (size_t i = 0; pid > 0 && i < r->job_count; i++) {
        if (r->jobs[i].pid == pid) {
            report(r, &r->jobs[i], status);
            return &r->jobs[i];
        }
    }
    return NULL;
}

static void run_all(struct run *r, const char *filter, bool fail_fast)
{
    size_t busy = 0;

    for (size_t i = 0; i < test_count; i++) {
        struct job *j = &r->jobs[busy];
        char name[200];

        snprintf(name, sizeof(name), "%s/%s", sorted[i]->suite, sorted[i]->name);
        if (fnmatch(filter, name, FNM_EXTMATCH) != 0)
            continue;
        if (busy < r->job_count)
            busy++;
        else if (!(j = finish(r)) || (fail_fast && r->failed))
            break;
        start(j, sorted[i]);
    }
    while (finish(r))
        ;
}

static int by_name(const void *a, const void *b)
{
    const struct test *one = *(const struct test *const *)a;
    const struct test *two = *(const struct test *const *)b;
    int order = strcmp(one->suite, two->suite);

    return order ? order : strcmp(one->name, two->name);
}

static void sort_tests(void)
{
    size_t i = 0;

    for (const struct test *t = test_first(); t; t = t->next)
        test_count++;
    sorted = calloc(test_count + 1, sizeof(*sorted));
    if (!sorted)
        exit(2);
    for (const struct test *t = test_first(); t; t = t->next)
        sorted[i++] = t;
    qsort(sorted, test_count, sizeof(*sorted), by_name);
}

static void prepare(struct run *r)
{
    struct rlimit none = {0, 0};
    struct outcome *shared = mmap(NULL, r->job_count * sizeof(*shared), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared == MAP_FAILED || !process_prepare()) {
        perror("unit-tests");
        exit(2);
    }
    for (size_t i = 0; i < r->job_count; i++)
        r->jobs[i].outcome = &shared[i];
    setrlimit(RLIMIT_CORE, &none);
}

int main(int argc, char **argv)
{
    static struct run r;
    const char *filter = "*";
    bool fail_fast = false, list = false;
    long jobs = sysconf(_SC_NPROCESSORS_ONLN);

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--filter=", 9) == 0)
            filter = argv[i] + 9;
        else if (strncmp(argv[i], "-j", 2) == 0)
            jobs = strtol(argv[i] + 2, NULL, 10);
        else if (strcmp(argv[i], "--fail-fast") == 0)
            fail_fast = true;
        else if (strcmp(argv[i], "--list") == 0)
            list = true;
        else {
            fprintf(stderr, "usage: unit-tests [-jN] [--filter=GLOB] [--fail-fast] [--list]\n");
            return 2;
        }
    }
    sort_tests();
    for (size_t i = 0; list && i < test_count; i++)
        printf("%s/%s\n", sorted[i]->suite, sorted[i]->name);
    if (list)
        return 0;
    r.job_count = jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : (size_t)jobs;
    prepare(&r);
    run_all(&r, filter, fail_fast);
    printf("%zu passed, %zu failed, %zu skipped\n", r.passed, r.failed, r.skipped);
    return r.failed > 0;
}
