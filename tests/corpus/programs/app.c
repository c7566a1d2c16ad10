/* Two threads that compute and allocate: what most of the recordings show. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;

static void __attribute__((noinline)) mix(unsigned n)
{
    for (unsigned i = 0; i < n * 1000; i++)
        sink += i * 2654435761u;
}

static char *__attribute__((noinline)) fill(size_t size)
{
    char *block = malloc(size);

    memset(block, (int)sink, size);
    return block;
}

static void *work(void *rounds)
{
    for (unsigned i = 0; i < *(unsigned *)rounds; i++) {
        char *block = fill(1000 + i % 7 * 100);

        mix(i % 5 + 1);
        sink += (unsigned char)block[0];
        if (i % 3)
            free(block);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    unsigned rounds = count > 1 ? (unsigned)atoi(arguments[1]) : 100;
    pthread_t thread;

    pthread_create(&thread, NULL, work, &rounds);
    work(&rounds);
    pthread_join(thread, NULL);
    return 0;
}
