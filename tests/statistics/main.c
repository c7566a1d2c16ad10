/*
 * The suite `statistics`: whether the program's statements about noise are true, by simulation.
 *
 * `statistics` runs a sample of the grid, `statistics --full` all of it; a word runs the part of
 * that name. `recordings`, which takes minutes, runs by its name alone; `recordings:py-ru` runs its
 * tests whose names have that word. `statistics --table` prints the table of src/stats/README.md.
 * Results depend on nothing but the code: all seeds are fixed.
 */
#include <stdio.h>
#include <string.h>

#include "statistics/reach.h"
#include "statistics/suite.h"

/* Whether `only` is the name, or has it before a colon. */
static bool is_part(const char *only, const char *name)
{
    size_t length = strcspn(only, ":");

    return strlen(name) == length && strncmp(only, name, length) == 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(struct judge *j);
    } parts[] = {
        {"tables", suite_tables}, {"reach", suite_reach},         {"properties", suite_properties},
        {"series", suite_series}, {"histories", suite_histories}, {"renames", suite_renames},
        {"worlds", suite_worlds}, {"grid", suite_grid},           {"recordings", suite_recordings},
    };
    struct judge j = {0};
    const char *only = NULL;

    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        static char table[8192];

        reach_write(table, sizeof(table));
        fputs(table, stdout);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--full") == 0)
            j.full = true;
        else
            only = argv[i];
    }
    if (only && strchr(only, ':'))
        j.word = strchr(only, ':') + 1;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (only ? is_part(only, parts[i].name) : parts[i].run != suite_recordings)
            parts[i].run(&j);
    printf("%zu passed, %zu failed, %zu skipped\n", j.passed, j.failed, j.skipped);
    return j.failed > 0;
}
