/*
 * The suite `statistics`: whether the program's statements about noise are true, by simulation.
 *
 * `statistics` runs a sample of the grid, `statistics --full` all of it; a word runs the part of
 * that name. `statistics --table` prints the table of src/stats/README.md. Results depend on
 * nothing but the code: all seeds are fixed.
 */
#include <stdio.h>
#include <string.h>

#include "statistics/reach.h"
#include "statistics/suite.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(struct judge *j);
    } parts[] = {
        {"tables", suite_tables}, {"reach", suite_reach},         {"properties", suite_properties},
        {"series", suite_series}, {"histories", suite_histories}, {"renames", suite_renames},
        {"worlds", suite_worlds}, {"grid", suite_grid},
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
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (!only || strcmp(only, parts[i].name) == 0)
            parts[i].run(&j);
    printf("%zu passed, %zu failed\n", j.passed, j.failed);
    return j.failed > 0;
}
