#include "unit/support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MESSAGE_MOST = 64 * 1024 };

static const struct test *tests;
static const struct suite *suites;

static struct outcome *outcome;
static pthread_t main_thread;
static jmp_buf end;
static int messages; /* standard error, which a test may redirect */

void test_add(struct test *t)
{
    t->next = tests;
    tests = t;
}

const struct test *test_first(void)
{
    return tests;
}

void suite_add(struct suite *s)
{
    s->next = suites;
    suites = s;
}

/* Written at once, so that lines of tests that run at the same time do not mix. */
static void say(const char *file, int line, const char *what, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static void say(const char *file, int line, const char *what, const char *format, va_list args)
{
    char text[MESSAGE_MOST];
    size_t len;
    int n = snprintf(text, sizeof(text), "%s:%d: %s%s", file, line, what, format[1] ? ":" : "");

    len = n < 0 ? 0 : (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1;
    n = vsnprintf(text + len, sizeof(text) - len, format[1] ? format : "", args);
    len += n < 0 ? 0 : (size_t)n < sizeof(text) - len ? (size_t)n : sizeof(text) - len - 1;
    text[len < sizeof(text) - 1 ? len++ : len - 1] = '\n';
    while (write(messages, text, len) < 0 && errno == EINTR)
        ;
}

/* Ends the test. Another thread than the first has no way back into it, and ends the process. */
static void leave(void) __attribute__((noreturn));
static void leave(void)
{
    if (!pthread_equal(pthread_self(), main_thread))
        _exit(PROCESS_ENDED);
    longjmp(end, 1);
}

void test_fail(const char *file, int line, const char *what, const char *format, ...)
{
    va_list args;

    atomic_fetch_add(&outcome->failures, 1);
    va_start(args, format);
    say(file, line, what, format, args);
    va_end(args);
}

void test_end(const char *file, int line, const char *what, const char *format, ...)
{
    va_list args;

    atomic_fetch_add(&outcome->failures, 1);
    va_start(args, format);
    say(file, line, what, format, args);
    va_end(args);
    leave();
}

void test_skip(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(outcome->reason, sizeof(outcome->reason), format, args);
    va_end(args);
    atomic_store(&outcome->skipped, 1);
    leave();
}

static const struct suite *suite_of(const struct test *t)
{
    const struct suite *s = suites;

    while (s && strcmp(s->name, t->suite) != 0)
        s = s->next;
    return s;
}

/* Calls the function, and returns false if it failed or skipped the test. */
static bool call(void (*function)(void))
{
    if (!function)
        return true;
    if (setjmp(end))
        return false;
    function();
    return true;
}

bool process_prepare(void)
{
    messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    return messages >= 0;
}

/* The sanitizers look for leaks at exit, and abort. */
void process_run(const struct test *t, struct outcome *o)
{
    const struct suite *s = suite_of(t);
    struct rlimit limit = {t->options.timeout, t->options.timeout};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    outcome = o;
    main_thread = pthread_self();
    if (t->options.timeout)
        setrlimit(RLIMIT_CPU, &limit);
    if (s && !call(s->options.init))
        exit(PROCESS_ENDED);
    if (call(t->options.init)) {
        call(t->body);
        call(t->options.fini);
    }
    if (s)
        call(s->options.fini);
    exit(PROCESS_ENDED);
}
