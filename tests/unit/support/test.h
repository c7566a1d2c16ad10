/*
 * What a unit test is written with: Test(FOLDER_FILE, name) { ... } defines a test, which runs in a
 * process of its own (run.c). cr_assert() and its kin end a test that fails, cr_expect() and its
 * kin let it go on; both take a message for printf after the values. cr_skip_test() says why a test
 * cannot run here.
 *
 * The names are those of Criterion, with which the tests were written first. Criterion starts the
 * program anew for each test, which took 35 ms under the sanitizers; run.c forks.
 */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct test_options {
    void (*init)(void); /* runs before the test, in its process */
    void (*fini)(void); /* runs after it, also if the test failed */
    int signal;         /* that must end the test */
    unsigned timeout;   /* seconds of CPU time */
};

/* Tests and suites are static objects, and add themselves before main(). */
struct test {
    const char *suite, *name;
    void (*body)(void);
    struct test_options options;
    const struct test *next;
};

struct suite {
    const char *name;
    struct test_options options; /* init and fini around those of each test */
    const struct suite *next;
};

void test_add(struct test *t);
void suite_add(struct suite *s);

/* Each may be called from any thread, and from a process that the test forked. */
void test_fail(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void test_end(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5), noreturn));
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* clang-format off: the braces belong to the test that follows */
#define Test(SUITE, NAME, ...)                                                                     \
    static void SUITE##_##NAME##_body(void);                                                       \
    __attribute__((constructor)) static void SUITE##_##NAME##_add(void)                            \
    {                                                                                              \
        static struct test test = {.suite = #SUITE,                                                \
                                   .name = #NAME,                                                  \
                                   .body = SUITE##_##NAME##_body,                                  \
                                   .options = {__VA_ARGS__}};                                      \
                                                                                                   \
        test_add(&test);                                                                           \
    }                                                                                              \
    static void SUITE##_##NAME##_body(void)

#define TestSuite(SUITE, ...)                                                                      \
    __attribute__((constructor)) static void SUITE##_add(void)                                     \
    {                                                                                              \
        static struct suite suite = {.name = #SUITE, .options = {__VA_ARGS__}};                    \
                                                                                                   \
        suite_add(&suite);                                                                         \
    }                                                                                              \
    struct suite
/* clang-format on */

/* The blank joins with the message's text, so that there may be none. */
#define TEST_CHECK(DO, TRUE, WHAT, ...)                                                            \
    ((TRUE) ? (void)0 : DO(__FILE__, __LINE__, WHAT, " " __VA_ARGS__))
#define TEST_COMPARE(DO, A, OP, B, ...) TEST_CHECK(DO, (A)OP(B), #A " " #OP " " #B, __VA_ARGS__)
#define TEST_TEXTS(DO, A, OP, B, ...)                                                              \
    TEST_CHECK(DO, strcmp((A), (B)) OP 0, #A " " #OP " " #B, __VA_ARGS__)

#define cr_assert(TRUE, ...) TEST_CHECK(test_end, TRUE, #TRUE, __VA_ARGS__)
#define cr_assert_not(FALSE, ...) TEST_CHECK(test_end, !(FALSE), "not " #FALSE, __VA_ARGS__)
#define cr_assert_null(A, ...) TEST_COMPARE(test_end, A, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(A, ...) TEST_COMPARE(test_end, A, !=, NULL, __VA_ARGS__)
#define cr_assert_eq(A, B, ...) TEST_COMPARE(test_end, A, ==, B, __VA_ARGS__)
#define cr_assert_neq(A, B, ...) TEST_COMPARE(test_end, A, !=, B, __VA_ARGS__)
#define cr_assert_lt(A, B, ...) TEST_COMPARE(test_end, A, <, B, __VA_ARGS__)
#define cr_assert_leq(A, B, ...) TEST_COMPARE(test_end, A, <=, B, __VA_ARGS__)
#define cr_assert_gt(A, B, ...) TEST_COMPARE(test_end, A, >, B, __VA_ARGS__)
#define cr_assert_geq(A, B, ...) TEST_COMPARE(test_end, A, >=, B, __VA_ARGS__)
#define cr_assert_str_eq(A, B, ...) TEST_TEXTS(test_end, A, ==, B, __VA_ARGS__)
#define cr_assert_fail(...) TEST_CHECK(test_end, false, "failed", __VA_ARGS__)

#define cr_expect(TRUE, ...) TEST_CHECK(test_fail, TRUE, #TRUE, __VA_ARGS__)
#define cr_expect_not(FALSE, ...) TEST_CHECK(test_fail, !(FALSE), "not " #FALSE, __VA_ARGS__)
#define cr_expect_null(A, ...) TEST_COMPARE(test_fail, A, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(A, ...) TEST_COMPARE(test_fail, A, !=, NULL, __VA_ARGS__)
#define cr_expect_eq(A, B, ...) TEST_COMPARE(test_fail, A, ==, B, __VA_ARGS__)
#define cr_expect_neq(A, B, ...) TEST_COMPARE(test_fail, A, !=, B, __VA_ARGS__)
#define cr_expect_lt(A, B, ...) TEST_COMPARE(test_fail, A, <, B, __VA_ARGS__)
#define cr_expect_leq(A, B, ...) TEST_COMPARE(test_fail, A, <=, B, __VA_ARGS__)
#define cr_expect_gt(A, B, ...) TEST_COMPARE(test_fail, A, >, B, __VA_ARGS__)
#define cr_expect_geq(A, B, ...) TEST_COMPARE(test_fail, A, >=, B, __VA_ARGS__)
#define cr_expect_str_eq(A, B, ...) TEST_TEXTS(test_fail, A, ==, B, __VA_ARGS__)
#define cr_expect_str_neq(A, B, ...) TEST_TEXTS(test_fail, A, !=, B, __VA_ARGS__)
#define cr_expect_fail(...) TEST_CHECK(test_fail, false, "failed", __VA_ARGS__)
#define cr_expect_float_eq(A, B, EPSILON, ...)                                                     \
    TEST_CHECK(test_fail, (A) - (B) <= (EPSILON) && (B) - (A) <= (EPSILON), #A " == " #B,          \
               __VA_ARGS__)

#define cr_skip_test(...) test_skip(" " __VA_ARGS__)

#endif
