/*
 * Counts the words of a text and prints the most frequent ones.
 *
 *     concord before|after FILE ROUNDS
 *
 * "before" keeps the words in a sorted list and looks them up by halving; "after" keeps them in a
 * hash table and sorts once at the end.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART __attribute__((noinline))

struct word {
    char *text;
    unsigned count;
};

static struct word *words;
static size_t word_count, word_cap;
static size_t *slots, slot_mask;

static PART char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t cap = 0, n;

    if (!file)
        exit(1);
    *size = 0;
    do {
        text = realloc(text, cap = cap * 2 + 65536);
        n = fread(text + *size, 1, cap - *size - 1, file);
        *size += n;
    } while (n);
    fclose(file);
    text[*size] = '\0';
    return text;
}

static PART struct word *add_word(const char *text, size_t place)
{
    if (word_count == word_cap)
        words = realloc(words, (word_cap = word_cap * 2 + 64) * sizeof(*words));
    memmove(words + place + 1, words + place, (word_count - place) * sizeof(*words));
    words[place] = (struct word){strdup(text), 0};
    word_count++;
    return &words[place];
}

static PART struct word *find_sorted(const char *text)
{
    size_t low = 0, high = word_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(words[middle].text, text);

        if (order == 0)
            return &words[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return add_word(text, low);
}

static PART size_t hash_word(const char *text)
{
    size_t hash = 14695981039346656037u;

    while (*text)
        hash = (hash ^ (unsigned char)*text++) * 1099511628211u;
    return hash;
}

static PART void grow_table(void)
{
    free(slots);
    slot_mask = slot_mask * 2 + 1 > 1023 ? slot_mask * 2 + 1 : 1023;
    slots = calloc(slot_mask + 1, sizeof(*slots));
    for (size_t i = 0; i < word_count; i++) {
        size_t at = hash_word(words[i].text) & slot_mask;

        while (slots[at])
            at = (at + 1) & slot_mask;
        slots[at] = i + 1;
    }
}

static PART struct word *find_hashed(const char *text)
{
    size_t at;

    if (word_count * 2 >= slot_mask)
        grow_table();
    for (at = hash_word(text) & slot_mask; slots[at]; at = (at + 1) & slot_mask)
        if (strcmp(words[slots[at] - 1].text, text) == 0)
            return &words[slots[at] - 1];
    slots[at] = word_count + 1;
    return add_word(text, word_count);
}

static PART void fold_case(char *word)
{
    for (; *word; word++)
        *word = (char)tolower((unsigned char)*word);
}

static PART void count_words(const char *text, struct word *(*find)(const char *))
{
    char word[64];
    size_t len = 0;

    for (;; text++) {
        if (isalpha((unsigned char)*text) && len < sizeof(word) - 1) {
            word[len++] = *text;
            continue;
        }
        if (len) {
            word[len] = '\0';
            fold_case(word);
            find(word)->count++;
            len = 0;
        }
        if (!*text)
            return;
    }
}

static PART int compare_counts(const void *a, const void *b)
{
    const struct word *x = a, *y = b;

    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->text, y->text);
}

static PART void print_most(void)
{
    qsort(words, word_count, sizeof(*words), compare_counts);
    for (size_t i = 0; i < word_count && i < 10; i++)
        printf("%s %u\n", words[i].text, words[i].count);
}

int main(int count, char **args)
{
    size_t size;
    char *text = count == 4 ? read_text(args[2], &size) : NULL;

    for (int round = 0; text && round < atoi(args[3]); round++) {
        word_count = 0;
        slot_mask = 0;
        count_words(text, args[1][0] == 'b' ? find_sorted : find_hashed);
        print_most();
    }
    return 0;
}
