/*
 * What the unit tests add to Criterion, which starts this program anew for each test.
 *
 * In the process of a test: initialization and the end of a test count as parts of it, so that a
 * failure there is a failure of the test; so do memory that has leaked, exit() before the end, and
 * a failed assertion in a process that the test forked. Processor time is limited.
 *
 * In the process that starts the tests: beside Criterion's own log, the lines that tests/README.md
 * asks of a suite.
 *
 * The linker gives calls of the functions that are called __wrap_ here to these; __real_ ones are
 * Criterion's and the C library's (criterion.link).
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <criterion/logging.h>

#include "unit/support/test.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum { LEFT_EARLY = 99, MOST_SECONDS = 300 };

void __real_criterion_internal_test_setup(void);
void __wrap_criterion_internal_test_setup(void);
void __real_criterion_internal_test_main(void (*body)(void));
void __wrap_criterion_internal_test_main(void (*body)(void));
void __real_criterion_send_assert(struct criterion_assert_stats *assert);
void __wrap_criterion_send_assert(struct criterion_assert_stats *assert);
void __real_criterion_abort_test(void) __attribute__((noreturn));
void __wrap_criterion_abort_test(void) __attribute__((noreturn));
void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

/*
 * libcriterion starts libgit2, whose only use there is the difference between two values of
 * criterion/new/assert.h, which no test includes; it would read all certificates of the system for
 * each test. The dynamic linker prefers the program's functions to those of libgit2.
 */
int git_libgit2_init(void);
int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void);
int git_libgit2_shutdown(void)
{
    return 0;
}

/* ---- in the process of a test ---------------------------------------------------------------- */

static struct {
    pid_t pid; /* 0 in the process that starts the tests */
    pthread_t thread;
    int *failed_in_fork; /* shared with the processes that the test forks */
    void (*body)(void);
    void (*steps[2])(void); /* initialization: of the suite, of the test */
} of;

/*
 * Takes the function at the offset out of the data, so that Criterion does not call it as well. The
 * data is not aligned in the process of a test.
 */
static void (*taken(struct criterion_test_extra_data *data, size_t offset))(void)
{
    void (*function)(void) = NULL;

    if (data) {
        memcpy(&function, (char *)data + offset, sizeof(function));
        memset((char *)data + offset, 0, sizeof(function));
    }
    return function;
}

static void (*taken_init(struct criterion_test_extra_data *data))(void)
{
    return taken(data, offsetof(struct criterion_test_extra_data, init));
}

static void (*taken_fini(struct criterion_test_extra_data *data))(void)
{
    return taken(data, offsetof(struct criterion_test_extra_data, fini));
}

static void call(void (*function)(void))
{
    if (function)
        function();
}

static bool has_leaked(void)
{
#ifdef __SANITIZE_ADDRESS__
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

/* The leaks are looked for at the end of the test, and not again at that of the process. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "leak_check_at_exit=0";
}

static void whole_test(void)
{
    call(of.steps[0]);
    call(of.steps[1]);
    of.body();
    call(taken_fini(criterion_current_test->data));
    call(taken_fini(criterion_current_suite->data));
    cr_expect(*of.failed_in_fork == 0, "an assertion failed in a process that the test forked");
    cr_expect(!has_leaked(), "memory has leaked");
}

void __wrap_criterion_internal_test_setup(void)
{
    struct rlimit limit;

    of.pid = getpid();
    of.thread = pthread_self();
    of.failed_in_fork = mmap(NULL, sizeof(*of.failed_in_fork), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    getrlimit(RLIMIT_CPU, &limit);
    if (of.failed_in_fork == MAP_FAILED)
        abort();
    if (limit.rlim_cur > MOST_SECONDS)
        limit.rlim_cur = MOST_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
    of.steps[0] = taken_init(criterion_current_suite->data);
    of.steps[1] = taken_init(criterion_current_test->data);
    __real_criterion_internal_test_setup();
}

void __wrap_criterion_internal_test_main(void (*body)(void))
{
    of.body = body;
    __real_criterion_internal_test_main(whole_test);
}

/* A process that the test forked has no connection to Criterion. */
void __wrap_criterion_send_assert(struct criterion_assert_stats *assert)
{
    if (getpid() == of.pid) {
        __real_criterion_send_assert(assert);
    } else if (!assert->passed) {
        fprintf(stderr, "%s:%u: %s\n", assert->file, assert->line, assert->message);
        *of.failed_in_fork = 1;
    }
}

void __wrap_criterion_abort_test(void)
{
    if (getpid() != of.pid)
        __real__exit(1);
    if (!pthread_equal(pthread_self(), of.thread))
        abort(); /* no other thread has a way back */
    __real_criterion_abort_test();
}

/* Criterion calls exit() too, but from its library, which the linker leaves as it is. */
void __wrap_exit(int status)
{
    __real_exit(getpid() == of.pid ? LEFT_EARLY : status);
}

void __wrap__exit(int status)
{
    __real__exit(getpid() == of.pid ? LEFT_EARLY : status);
}

/* ---- in the process that starts the tests ---------------------------------------------------- */

static struct {
    struct criterion_logger *normal, logger;
    size_t passed, failed, skipped;
} run;

static void say_failed(const struct criterion_test_stats *t)
{
    const struct criterion_test_extra_data *data = t->test->data;

    printf("FAIL %s/%s: ", t->test->category, t->test->name);
    if (t->failed_asserts)
        printf("%d failed\n", t->failed_asserts);
    else if (t->signal && t->signal != data->signal)
        printf("ended by signal %d (%s)\n", t->signal, strsignal(t->signal));
    else if (data->signal && t->signal != data->signal)
        printf("not ended by signal %d\n", data->signal);
    else if (t->exit_code == LEFT_EARLY)
        printf("ended the process by exit()\n");
    else
        printf("ended the process with status %d\n", t->exit_code);
    run.failed++;
}

static void say_result(struct criterion_test_stats *t)
{
    run.normal->log_post_test(t);
    if (t->test_status == CR_STATUS_FAILED) {
        say_failed(t);
    } else if (t->test_status == CR_STATUS_SKIPPED) {
        printf("SKIP %s/%s: %s\n", t->test->category, t->test->name, t->message);
        run.skipped++;
    } else {
        printf("ok   %s/%s\n", t->test->category, t->test->name);
        run.passed++;
    }
    fflush(stdout);
}

static void say_crash(struct criterion_test_stats *t)
{
    run.normal->log_test_crash(t);
    say_failed(t);
    fflush(stdout);
}

/* Before the test, or after it: by a destructor, for instance. */
static void say_outside(const struct criterion_test_stats *t)
{
    printf("FAIL %s/%s: its process ended outside the test\n", t->test->category, t->test->name);
    run.failed++;
    fflush(stdout);
}

static void say_crash_outside(struct criterion_test_stats *t)
{
    run.normal->log_other_crash(t);
    say_outside(t);
}

static void say_exit_outside(struct criterion_test_stats *t)
{
    run.normal->log_abnormal_exit(t);
    say_outside(t);
}

static void say_totals(struct criterion_global_stats *stats)
{
    run.normal->log_post_all(stats);
    printf("%zu passed, %zu failed, %zu skipped\n", run.passed, run.failed, run.skipped);
    fflush(stdout);
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    (void)tests;
    run.normal = criterion_options.logger;
    run.logger = *run.normal;
    run.logger.log_post_test = say_result;
    run.logger.log_test_crash = say_crash;
    run.logger.log_other_crash = say_crash_outside;
    run.logger.log_abnormal_exit = say_exit_outside;
    run.logger.log_post_all = say_totals;
    criterion_options.logger = &run.logger;
}
