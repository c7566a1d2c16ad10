/*
 * Times the way from a prepared profile to the bytes of an SVG and of a PNG,
 * inside one process: tree, layout, fitting of labels, painting, compression.
 * The library opens its fonts in the first drawing.
 *
 *     draw PROFILE [RUNS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "flamepress.h"

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

static void fail(const struct flamepress_error *error)
{
    fprintf(stderr, "draw: %s\n", error->message);
    exit(1);
}

static void time_format(const char *name, const struct flamepress_profile *profile,
                        const struct flamepress_settings *settings, enum flamepress_format format,
                        unsigned runs)
{
    double *times = calloc(runs, sizeof(*times));
    struct flamepress_bytes bytes = {NULL, 0};
    struct flamepress_error error;
    double size = 0;

    for (unsigned i = 0; i < runs; i++) {
        double start = now();

        if (!flamepress_draw(profile, settings, format, &bytes, &error))
            fail(&error);
        times[i] = now() - start;
        size = (double)bytes.size;
        flamepress_bytes_free(&bytes);
    }
    printf("%s first %.1f ms, ", name, times[0]);
    qsort(times, runs, sizeof(*times), compare);
    printf("median %.1f ms, least %.1f ms, %.1f KB\n", times[runs / 2], times[0], size / 1024);
    free(times);
}

int main(int argc, char **argv)
{
    struct flamepress_settings *settings = flamepress_settings_new();
    unsigned runs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 21;
    struct flamepress_profile *profile;
    struct flamepress_error error;

    if (argc < 2 || !runs)
        return 2;
    if (!flamepress_settings_set(settings, "title", "bench", &error) ||
        !(profile = flamepress_read(argv[1], settings, &error)) ||
        !flamepress_prepare(profile, settings, &error))
        fail(&error);
    time_format("svg", profile, settings, FLAMEPRESS_SVG, runs);
    time_format("png", profile, settings, FLAMEPRESS_PNG, runs);
    flamepress_profile_free(profile);
    flamepress_settings_free(settings);
    return 0;
}
