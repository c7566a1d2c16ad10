// A program to record: deep and recursive calls, sorting, inlined functions, threads, locks, files,
// memory and the time of day. `work KIND...` does the named kinds of work.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#define OUTLINE __attribute__((noinline))

static volatile unsigned sink;
static std::mutex gate;

static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

OUTLINE unsigned leaf(unsigned n)
{
    unsigned s = n;

    for (unsigned i = 0; i < 5000; i++)
        s = mix(s + i);
    sink = s;
    return s;
}

OUTLINE unsigned fib(unsigned n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2) + 1; }

// The compiler inlines some of the calls of this function into itself.
extern "C" unsigned climb(unsigned n)
{
    if (n < 2)
        return leaf(n);
    unsigned below = climb(n - 1);
    for (unsigned i = 0; i < 20000; i++)
        below = mix(below + i);
    return below;
}

OUTLINE unsigned sorted(unsigned seed)
{
    std::vector<unsigned> v(3000);

    for (auto &x : v)
        x = seed = mix(seed + 7);
    std::sort(v.begin(), v.end(), [](unsigned a, unsigned b) { return mix(a) < mix(b); });
    return v[seed % v.size()];
}

OUTLINE void compute()
{
    unsigned (*volatile outline)(unsigned) = climb;

    for (unsigned i = 0; i < 40; i++)
        sink = fib(9) + sorted(i + 1) + outline(6);
}

OUTLINE void lock_and_wait()
{
    std::vector<std::thread> threads;

    for (int i = 0; i < 4; i++)
        threads.emplace_back([] {
            for (int k = 0; k < 20; k++) {
                std::lock_guard<std::mutex> held(gate);
                usleep(500);
                sink = leaf(k);
            }
        });
    for (auto &t : threads)
        t.join();
}

OUTLINE void use_files()
{
    char name[] = "/tmp/work-XXXXXX", bytes[4096] = {1};
    int fd = mkstemp(name);

    for (int i = 0; i < 50; i++)
        sink = (unsigned)write(fd, bytes, sizeof(bytes));
    fsync(fd);
    lseek(fd, 0, SEEK_SET);
    while (read(fd, bytes, sizeof(bytes)) > 0)
        ;
    close(fd);
    unlink(name);
}

OUTLINE void use_memory()
{
    std::vector<void *> blocks;

    for (size_t i = 1; i < 300; i++)
        blocks.push_back(memset(malloc(i * 1000), 1, i * 1000));
    for (size_t i = 0; i < blocks.size(); i += 2)
        free(blocks[i]);
}

OUTLINE void ask_time()
{
    struct timespec now;

    for (int i = 0; i < 1000000; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        sink += static_cast<unsigned>(now.tv_nsec);
    }
}

int main(int count, char **args)
{
    static const struct {
        const char *name;
        void (*work)();
    } kinds[] = {{"compute", compute},
                 {"locks", lock_and_wait},
                 {"files", use_files},
                 {"memory", use_memory},
                 {"time", ask_time}};

    for (int i = 1; i < count; i++)
        for (auto &kind : kinds)
            if (strcmp(args[i], kind.name) == 0)
                kind.work();
    // No destructors: where copied stacks are unwound, perf now and then takes a word of the stack
    // for the caller of a function that runs them.
    _exit(0);
}
