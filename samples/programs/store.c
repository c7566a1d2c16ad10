/*
 * A store of texts that three threads use: one reads requests and puts texts
 * into a table, one looks texts up, one checks all there are. A lock guards the
 * table; the thread that checks holds it longest. All texts are freed at the end, but
 * the key of a text that is replaced is forgotten, and so is what was noted of
 * requests. Texts are found by walking lists that lie all over the memory, and
 * checked by adding up their bytes, which lie side by side.
 *
 *     gcc -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread store.c -o store
 *     ./store ROUNDS TEXTS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTION static __attribute__((noinline, noclone))

enum { LISTS = 64, PART = 48 };

struct entry {
    struct entry *next;
    char *key, *value;
    size_t size;
};

static struct entry *lists[LISTS];
static char *notes;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds, texts;
static uint64_t checked, found;

FUNCTION void pause_for(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

FUNCTION unsigned random_number(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

FUNCTION uint64_t checksum(const char *text, size_t size)
{
    uint64_t a = 1, b = 0;

    for (size_t i = 0; i < size; i++) {
        a += (unsigned char)text[i];
        b += a;
    }
    return b << 32 | (a & 0xffffffff);
}

FUNCTION struct entry **find_place(const char *key)
{
    struct entry **e = &lists[checksum(key, strlen(key)) % LISTS];

    while (*e && strcmp((*e)->key, key) != 0)
        e = &(*e)->next;
    return e;
}

FUNCTION char *copy_text(const char *text, size_t size)
{
    char *copy = malloc(size);

    memcpy(copy, text, size);
    return copy;
}

FUNCTION char *make_key(unsigned number)
{
    char text[32];

    snprintf(text, sizeof(text), "text-%u", number);
    return copy_text(text, strlen(text) + 1);
}

/* In parts, as they come. */
FUNCTION char *read_request(unsigned *seed, size_t *size)
{
    size_t parts = 1 + random_number(seed) % 6;
    char *body = NULL;

    *size = 0;
    for (size_t i = 0; i < parts; i++) {
        body = realloc(body, *size + PART);
        memset(body + *size, 'a' + (int)(random_number(seed) % 26), PART);
        *size += PART;
    }
    return body;
}

FUNCTION void note_request(const char *key, size_t size)
{
    char note[64];

    snprintf(note, sizeof(note), "put %s, %zu bytes", key, size);
    pthread_mutex_lock(&notes_lock);
    notes = copy_text(note, strlen(note) + 1);
    pthread_mutex_unlock(&notes_lock);
}

FUNCTION void put(unsigned number, const char *body, size_t size)
{
    char *key = make_key(number);
    struct entry **place;

    pthread_mutex_lock(&table_lock);
    place = find_place(key);
    if (!*place) {
        *place = calloc(1, sizeof(**place));
        (*place)->key = key;
    } else {
        free((*place)->value);
    }
    (*place)->value = copy_text(body, size);
    (*place)->size = size;
    note_request(key, size);
    pthread_mutex_unlock(&table_lock);
}

FUNCTION void get(unsigned number)
{
    char *key = make_key(number);
    struct entry *e;

    pthread_mutex_lock(&table_lock);
    e = *find_place(key);
    found += e ? checksum(e->value, e->size) & 1 : 0;
    pthread_mutex_unlock(&table_lock);
    free(key);
}

FUNCTION void check_all(void)
{
    pthread_mutex_lock(&table_lock);
    for (unsigned i = 0; i < LISTS; i++)
        for (struct entry *e = lists[i]; e; e = e->next)
            checked += checksum(e->value, e->size);
    pause_for(300);
    pthread_mutex_unlock(&table_lock);
}

FUNCTION void *writer(void *state)
{
    unsigned seed = 1;

    pthread_setname_np(pthread_self(), "writer");
    for (unsigned i = 0; i < rounds; i++) {
        size_t size;
        char *body = read_request(&seed, &size);

        put(random_number(&seed) % texts, body, size);
        free(body);
        pause_for(50);
    }
    return state;
}

FUNCTION void *reader(void *state)
{
    unsigned seed = 7;

    pthread_setname_np(pthread_self(), "reader");
    for (unsigned i = 0; i < rounds; i++) {
        get(random_number(&seed) % texts);
        pause_for(50);
    }
    return state;
}

FUNCTION void *checker(void *state)
{
    pthread_setname_np(pthread_self(), "checker");
    for (unsigned i = 0; i < rounds / 16; i++) {
        check_all();
        pause_for(400);
    }
    return state;
}

FUNCTION void free_texts(void)
{
    for (unsigned i = 0; i < LISTS; i++) {
        for (struct entry *e = lists[i], *next; e; e = next) {
            next = e->next;
            free(e->key);
            free(e->value);
            free(e);
        }
    }
}

int main(int argc, char **argv)
{
    void *(*const run[])(void *) = {writer, reader, checker};
    pthread_t threads[3];

    rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;
    texts = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 40;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    free_texts();
    return dprintf(1, "%llu\n", (unsigned long long)(checked + found)) < 0;
}
