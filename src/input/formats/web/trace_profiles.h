/*
 * The CPU profiles in a trace of Chrome's developer tools.
 *
 * A profile comes as one event, CpuProfile, or in pieces: an event Profile on
 * the thread that is sampled, and events ProfileChunk, often on another
 * thread, with more nodes, samples and times between them. Pieces belong
 * together by process and id. Each thread that was sampled is a graph, called
 * by the thread's name.
 */
#ifndef INPUT_FORMATS_WEB_TRACE_PROFILES_H
#define INPUT_FORMATS_WEB_TRACE_PROFILES_H

#include "input/formats/web/trace_threads.h"
#include "input/formats/web/v8_profile.h"

struct trace_profile {
    struct v8_profile profile;
    uint32_t thread; /* that is sampled */
    int64_t start;   /* ns, 0 where it is not said */
    uint64_t samples;
};

struct trace_profiles {
    struct builder *builder;
    struct trace_threads *threads;
    struct intern keys; /* process and id; the number is the profile's index */
    VEC(struct trace_profile *) profiles;
    struct buf key;
    struct intern names; /* of threads that were sampled */
    VEC(uint32_t) named; /* by name, the thread */
    uint64_t bad;        /* pieces whose samples and times do not belong together */
};

void trace_profiles_init(struct trace_profiles *t, struct builder *builder,
                         struct trace_threads *threads);
void trace_profiles_release(struct trace_profiles *t);

/* True for the name of an event that is read here. */
bool trace_profiles_is(struct slice name);

/* One of these events; `id` is empty where it has none. */
void trace_profiles_add(struct trace_profiles *t, uint32_t thread, struct slice name,
                        struct slice id, const struct json_value *args);

/* Adds all profiles, a series for each thread. False where told. */
bool trace_profiles_finish(struct trace_profiles *t);

#endif
