#include "input/formats/java/jfr_trace.h"

#include <stdlib.h>

/* Orders the calls of a thread by their start, and a caller before a call that starts with it. */
static int compare_calls(const void *a, const void *b)
{
    const struct jfr_call *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

/* Removes the duration of each call from the self time of the call that contains it. */
static void subtract_callees(struct jfr_calls *calls)
{
    VEC(size_t) open = {0}; /* the calls that contain the current one, the outermost first */

    for (size_t i = 0; i < calls->count; i++) {
        const struct jfr_call *call = &calls->items[i];
        struct jfr_call *caller = NULL;

        for (; open.count; open.count--) {
            caller = &calls->items[open.items[open.count - 1]];
            if (caller->thread == call->thread && call->start < caller->end)
                break;
            caller = NULL;
        }
        /* No callee was subtracted from the call yet: its self time is its duration. */
        if (caller)
            caller->self_ns -= call->self_ns < caller->self_ns ? call->self_ns : caller->self_ns;
        *vec_add(&open) = i;
    }
    vec_release(&open);
}

bool jfr_trace_end(struct jfr_calls *calls, struct builder *b)
{
    if (calls->count)
        qsort(calls->items, calls->count, sizeof(*calls->items), compare_calls);
    subtract_callees(calls);
    vec_each (const struct jfr_call, call, calls) {
        builder_time(b, call->series, call->start_ns);
        if (!builder_add_at(b, call->series, call->stack, (struct decimal){.value = call->self_ns}))
            return false;
    }
    return true;
}
