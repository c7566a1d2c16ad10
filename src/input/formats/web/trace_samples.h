/*
 * The samples of a trace: beside its events, stacks in a table and when they
 * were met, as Hermes (React Native) and some converters write them.
 *
 *     "stackFrames": {"1": {"name", "category", "parent": "..."}, ...},
 *     "samples": [{"ts", "sf": 1, "pid", "tid", "weight", ...}, ...]
 *
 * A sample weighs the time until the next one of its thread, so the last one
 * weighs nothing; its own weight, a 1, is not read.
 */
#ifndef INPUT_FORMATS_WEB_TRACE_SAMPLES_H
#define INPUT_FORMATS_WEB_TRACE_SAMPLES_H

#include "input/build/frame_tree.h"
#include "input/parse/json.h"
#include "input/formats/web/trace_sort.h"
#include "input/formats/web/trace_threads.h"

struct trace_samples {
    struct builder *builder;
    struct trace_threads *threads;
    struct frame_tree frames;
    struct trace_sort sort;
    VEC(bool) in; /* by thread, it has samples */
    uint32_t count;
};

void trace_samples_init(struct trace_samples *s, struct builder *builder,
                        struct trace_threads *threads);
void trace_samples_release(struct trace_samples *s);

/* A member of "stackFrames"; an element of "samples". False where it is none. */
bool trace_samples_frame(struct trace_samples *s, const struct json_value *v);
bool trace_samples_read(const struct json_value *v, int64_t *ns, struct slice *frame);
/* Adds a sample. False where told. */
bool trace_samples_add(struct trace_samples *s, uint32_t thread, int64_t ns, struct slice frame);

/* Adds all samples to the series of an event. False where told. */
bool trace_samples_finish(struct trace_samples *s, struct slice event);

#endif
