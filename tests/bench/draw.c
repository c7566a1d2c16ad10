/*
 * Times the way from the tree to the bytes of a PNG and of an SVG, inside one
 * process: layout, fitting of labels, painting, compression.
 *
 *     draw PROFILE [RUNS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "draw/draw.h"
#include "input/read.h"
#include "output/writer.h"
#include "tree/tree.h"

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void time_writer(const struct tree *tree, const struct recipe *recipe, struct fonts *fonts,
                        const struct writer *writer, unsigned runs, struct diag *diag)
{
    const struct draw_request request = {
        .look = &look_defaults,
        .recipe = recipe,
        .fonts = fonts,
        .source = SLICE("bench"),
    };
    double *times = calloc(runs, sizeof(*times));
    struct buf bytes, why;

    buf_init(&bytes);
    buf_init(&why);
    for (unsigned i = 0; i < runs; i++) {
        double start = now();
        struct drawing drawing;

        buf_clear(&bytes);
        draw_init(&drawing, &request, tree, diag);
        if (!writer->write(&drawing.picture, 1, &bytes, &why)) {
            fprintf(stderr, "draw: %s\n", why.ptr);
            exit(1);
        }
        times[i] = now() - start;
        draw_release(&drawing);
    }
    printf("%s first %.1f ms, ", writer->name, times[0]);
    qsort(times, runs, sizeof(*times), compare);
    printf("median %.1f ms, least %.1f ms, %.1f KB\n", times[runs / 2], times[0],
           (double)bytes.len / 1024);
    buf_release(&bytes);
    buf_release(&why);
    free(times);
}

int main(int argc, char **argv)
{
    struct tree_options whole = {.reverse = false};
    struct input_options reading = input_options_default();
    unsigned runs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 21;
    struct profile profile;
    struct recipe recipe;
    struct fonts_options any = {.system = true};
    struct fonts *fonts;
    struct tree tree;
    struct diag diag;

    if (argc < 2 || !runs)
        return 2;
    diag_init(&diag, slice_str(argv[1]));
    profile_init(&profile);
    recipe_init(&recipe);
    fonts = fonts_new(&any, &diag);
    if (!fonts || input_read(argv[1], &reading, 1, &profile, &diag) != INPUT_READ)
        return 1;
    tree_init(&tree, &profile, 0, &whole);
    for (const struct writer *const *writer = writers; *writer; writer++)
        time_writer(&tree, &recipe, fonts, *writer, runs, &diag);
    tree_release(&tree);
    fonts_free(fonts);
    profile_release(&profile);
    recipe_release(&recipe);
    diag_release(&diag);
    return 0;
}
