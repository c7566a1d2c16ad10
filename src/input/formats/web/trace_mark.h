/*
 * The marks that programs write into Linux' trace buffer, as Android's atrace defines them:
 *
 *     B|12|draw      begins a slice of the thread that writes
 *     E, E|12        ends its innermost one
 *     S|..., F|..., C|...   asynchronous slices and counters, which are not drawn
 */
#ifndef INPUT_FORMATS_WEB_TRACE_MARK_H
#define INPUT_FORMATS_WEB_TRACE_MARK_H

#include "input/build/trace_slices.h"

/* Whether a text may be a mark. */
bool trace_mark_is(struct slice text);

/* Adds a mark to the slices of a thread. Returns false after reporting an error. */
bool trace_mark_add(struct trace_slices *s, uint32_t thread, int64_t ns, struct slice mark);

#endif
