/*
 * Keeps Criterion from reading all certificates of the system in the process of each test, which
 * took a quarter of the CPU time of a small test.
 *
 * libcriterion starts libgit2, whose only use there is the difference between two values of
 * criterion/new/assert.h, which no test includes. The two functions are here in place of libgit2's:
 * the dynamic linker prefers those of the program. Without them the tests are slower and the same.
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
