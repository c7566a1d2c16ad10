/*
 * Threads that wait for each other and for the disk: a reader reads a file
 * past the page cache, a parser counts what it hands over, and a writer puts
 * the counts into a log that is synced. Each waits for the one before it.
 * System calls are made here and not in the C library, so that frame pointers
 * lead through every frame.
 *
 *     gcc -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread queue.c -o queue
 *     ./queue FILE LOG SECONDS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#define FUNCTION static __attribute__((noinline, noclone))

enum { BLOCK = 1 << 20, COUNTS = 4096, PLACES = 2 };

/* A counter that may be waited for. */
struct count {
    atomic_int value;
};

/* From one thread to another, in order. */
struct queue {
    struct count items, places;
    void *ring[PLACES];
    unsigned in, out;
};

static struct queue blocks = {.places = {PLACES}}, tables = {.places = {PLACES}};
static const char *file_name, *log_name;
static time_t end;

FUNCTION long system_call(long number, long a, const void *b, long c, long d)
{
    register long fourth __asm__("r10") = d;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth),
                       "m"(*(char *)__builtin_frame_address(0))
                     : "rcx", "r11", "memory");
    return result;
}

FUNCTION void futex_wait(struct count *c)
{
    system_call(SYS_futex, (long)&c->value, (void *)FUTEX_WAIT_PRIVATE, 0, 0);
}

FUNCTION void futex_wake(struct count *c)
{
    system_call(SYS_futex, (long)&c->value, (void *)FUTEX_WAKE_PRIVATE, 1, 0);
}

FUNCTION void count_down(struct count *c)
{
    for (;;) {
        int value = c->value;

        if (value && atomic_compare_exchange_strong(&c->value, &value, value - 1))
            return;
        if (!value)
            futex_wait(c);
    }
}

FUNCTION void count_up(struct count *c)
{
    c->value++;
    futex_wake(c);
}

FUNCTION void queue_put(struct queue *q, void *item)
{
    count_down(&q->places);
    q->ring[q->in++ % PLACES] = item;
    count_up(&q->items);
}

FUNCTION void *queue_take(struct queue *q)
{
    void *item;

    count_down(&q->items);
    item = q->ring[q->out++ % PLACES];
    count_up(&q->places);
    return item;
}

FUNCTION int read_block(int fd, void *block)
{
    static long at;
    long got = system_call(SYS_pread64, fd, block, BLOCK, at);

    at = got < BLOCK ? 0 : at + got;
    return got > 0;
}

FUNCTION void read_file(int fd)
{
    while (time(NULL) < end) {
        void *block = aligned_alloc(4096, BLOCK);

        if (!read_block(fd, block))
            break;
        queue_put(&blocks, block);
    }
    queue_put(&blocks, NULL);
}

static void *reader(void *unused)
{
    read_file(open(file_name, O_RDONLY | O_DIRECT));
    return unused;
}

FUNCTION uint32_t hash_word(const unsigned char *text)
{
    uint32_t hash = 2166136261u;

    for (int i = 0; i < 8; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return hash;
}

FUNCTION void count_words(const unsigned char *text, uint32_t *table)
{
    for (int i = 0; i + 8 < BLOCK; i += 8)
        table[hash_word(text + i) % COUNTS]++;
}

static void *parser(void *unused)
{
    void *block;

    while ((block = queue_take(&blocks))) {
        uint32_t *table = calloc(COUNTS, sizeof(*table));

        count_words(block, table);
        free(block);
        queue_put(&tables, table);
    }
    queue_put(&tables, NULL);
    return unused;
}

FUNCTION void append(int fd, const void *table)
{
    system_call(SYS_write, fd, table, COUNTS * sizeof(uint32_t), 0);
}

FUNCTION void sync_log(int fd)
{
    system_call(SYS_fdatasync, fd, NULL, 0, 0);
}

static void *writer(void *unused)
{
    int fd = open(log_name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    void *table;

    for (int i = 1; (table = queue_take(&tables)); i++) {
        append(fd, table);
        if (i % 4 == 0)
            sync_log(fd);
        free(table);
    }
    return unused;
}

int main(int argc, char **argv)
{
    static void *(*const stages[])(void *) = {reader, parser, writer};
    static const char *const names[] = {"reader", "parser", "writer"};
    pthread_t threads[3];

    if (argc < 4)
        return 2;
    file_name = argv[1];
    log_name = argv[2];
    end = time(NULL) + atoi(argv[3]);
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, stages[i], NULL);
        pthread_setname_np(threads[i], names[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
