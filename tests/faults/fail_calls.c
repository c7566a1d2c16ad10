/*
 * A library to preload that lets one system call of the program fail.
 *
 * FAIL_AT=N fails the Nth call, whoever makes it, with EIO; calls count from 1. Calls are those of
 * the functions at the end of this file. close() closes nevertheless, as Linux does, but what was
 * written is lost. FAIL_COUNT=FILE writes the number of calls to FILE at exit. Calls that the C
 * library makes for its own streams are not seen.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_ulong calls;
static _Thread_local int ending;

static void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);

    if (!function)
        abort();
    return function;
}

static int fails(void)
{
    const char *at = getenv("FAIL_AT");

    if (ending || atomic_fetch_add(&calls, 1) + 1 != (at ? strtoul(at, NULL, 10) : 0))
        return 0;
    errno = EIO;
    return 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *out;

    ending = 1;
    out = path ? fopen(path, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "%lu\n", atomic_load(&calls));
    fclose(out);
}

/* Defines a function of the C library that fails in its turn. */
#define CALL(result, name, parameters, arguments)                                                  \
    result name parameters;                                                                        \
    result name parameters                                                                         \
    {                                                                                              \
        static result(*next) parameters;                                                           \
                                                                                                   \
        if (!next)                                                                                 \
            *(void **)&next = find(#name);                                                         \
        return fails() ? -1 : next arguments;                                                      \
    }

CALL(ssize_t, read, (int fd, void *to, size_t len), (fd, to, len))
CALL(ssize_t, pread, (int fd, void *to, size_t len, off_t at), (fd, to, len, at))
CALL(ssize_t, write, (int fd, const void *from, size_t len), (fd, from, len))
CALL(int, fsync, (int fd), (fd))
CALL(int, rename, (const char *from, const char *to), (from, to))
CALL(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
     (a, from, b, to, flags))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, unlink, (const char *path), (path))
CALL(int, ftruncate, (int fd, off_t len), (fd, len))

static void lose(int fd)
{
    static int (*next)(int fd, off_t len);

    if (!next)
        *(void **)&next = find("ftruncate");
    if (next(fd, 0) != 0)
        abort();
}

int close(int fd);
int close(int fd)
{
    static int (*next)(int fd);
    int fail = fails(), result;

    if (!next)
        *(void **)&next = find("close");
    if (fail && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && lseek(fd, 0, SEEK_CUR) > 0)
        lose(fd);
    result = next(fd);
    if (!fail)
        return result;
    errno = EIO;
    return -1;
}
