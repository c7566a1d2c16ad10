/*
 * A program with a rhythm, for a heat map of its time: four times a second it renders a frame,
 * every tenth second it also tidies its cache, and once it goes on computing for two seconds.
 *
 *     gcc -O1 -g -fno-omit-frame-pointer -o ticker ticker.c && ./ticker 30
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 4, STALL_AT = 17, STALL_SECONDS = 2 };

static volatile uint64_t sink;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void mix(uint64_t rounds)
{
    for (uint64_t i = 0; i < rounds; i++)
        sink = sink * 6364136223846793005u + i;
}

__attribute__((noinline)) static void blend_layers(void)
{
    mix(20000);
}

__attribute__((noinline)) static void draw_scene(void)
{
    blend_layers();
    mix(40000);
}

__attribute__((noinline)) static void render_frame(double seconds)
{
    for (double end = now() + seconds; now() < end;)
        draw_scene();
}

__attribute__((noinline)) static void tidy_cache(double seconds)
{
    for (double end = now() + seconds; now() < end;)
        mix(30000);
}

__attribute__((noinline)) static void rebuild_index(double seconds)
{
    for (double end = now() + seconds; now() < end;)
        mix(50000);
}

static void sleep_until(double time)
{
    double left = time - now();
    struct timespec t = {(time_t)left, (long)((left - (time_t)left) * 1e9)};

    if (left > 0)
        nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
    int seconds = argc > 1 ? atoi(argv[1]) : 30;
    double start = now();

    for (int tick = 0; tick < seconds * FRAMES; tick++) {
        int second = tick / FRAMES;

        sleep_until(start + tick / (double)FRAMES);
        if (second >= STALL_AT && second < STALL_AT + STALL_SECONDS && tick % FRAMES == 0)
            rebuild_index(0.98);
        else
            render_frame(0.04 + 0.0008 * tick);
        if (second % 10 == 5 && tick % FRAMES == 1)
            tidy_cache(0.14);
    }
    return 0;
}
