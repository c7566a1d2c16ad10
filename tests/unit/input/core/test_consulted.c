#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/core/consulted.h"
#include "unit/support/test.h"

static bool is_zero(const unsigned char state[BLAKE_SIZE])
{
    static const unsigned char zero[BLAKE_SIZE];

    return memcmp(state, zero, BLAKE_SIZE) == 0;
}

Test(input_consulted, nothing_is_noted_without_a_list)
{
    consulted_add(NULL, "/");
    consulted_add_bytes(NULL, "/proc/x", SLICE("x"));
    consulted_add_unknown(NULL);
    consulted_release(NULL);
}

Test(input_consulted, files_are_noted_in_their_order)
{
    struct consulted c = {0};
    char path[] = "/no/such/file";

    consulted_add(&c, path);
    path[1] = 'x';
    consulted_add_bytes(&c, "/proc/x", SLICE("text"));
    cr_assert_eq(c.files.count, 2);
    cr_expect_str_eq(c.files.items[0].path, "/no/such/file");
    cr_expect(is_zero(c.files.items[0].state) && !c.files.items[0].by_bytes);
    cr_expect_str_eq(c.files.items[1].path, "/proc/x");
    cr_expect(!is_zero(c.files.items[1].state) && c.files.items[1].by_bytes);
    cr_expect(!c.unknown);
    consulted_add_unknown(&c);
    cr_expect(c.unknown);
    consulted_release(&c);
    cr_expect(!c.unknown && c.files.count == 0);
}

Test(input_consulted, a_file_has_another_state_after_each_change)
{
    char path[] = "/tmp/flamepress-test-XXXXXX";
    int fd = mkstemp(path);
    const struct timespec times[2] = {{1000, 5}, {1000, 6}}, later[2] = {{1000, 5}, {1000, 7}};
    unsigned char states[5][BLAKE_SIZE];

    cr_assert(fd >= 0);
    futimens(fd, times);
    consulted_find_state(path, states[0]);
    cr_assert_eq(write(fd, "x", 1), 1);
    futimens(fd, times);
    consulted_find_state(path, states[1]);
    futimens(fd, later);
    consulted_find_state(path, states[2]);
    cr_assert_eq(unlink(path), 0);
    consulted_find_state(path, states[3]);
    cr_assert_eq(mkdir(path, 0700), 0);
    consulted_find_state(path, states[4]);
    cr_expect(is_zero(states[3]));
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            cr_expect(memcmp(states[i], states[k], BLAKE_SIZE) != 0, "%zu and %zu", k, i);
    rmdir(path);
    close(fd);
}

Test(input_consulted, bytes_have_a_state_even_if_there_are_none)
{
    unsigned char none[BLAKE_SIZE], some[BLAKE_SIZE], same[BLAKE_SIZE];

    consulted_find_state_of_bytes(SLICE(""), none);
    consulted_find_state_of_bytes(SLICE("text"), some);
    consulted_find_state_of_bytes(SLICE("text"), same);
    cr_expect(!is_zero(none));
    cr_expect(memcmp(none, some, BLAKE_SIZE) != 0);
    cr_expect_eq(memcmp(some, same, BLAKE_SIZE), 0);
}
