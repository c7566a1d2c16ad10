/*
 * What a unit test is written with: Criterion. criterion.c adds what Criterion does not notice:
 * leaks, an early end of the process, and assertions in processes that a test forks.
 */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <criterion/criterion.h>

#endif
