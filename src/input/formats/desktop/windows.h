/*
 * How tools for Windows traces write functions and processes.
 *
 *     ntdll.dll!RtlUserThreadStart     a function and its image
 *     client.dll!0x551ea026            no symbol: an address
 *     app.exe (5120)                   a process
 *     "Idle (   0)"                    what a processor does when it does nothing
 */
#ifndef INPUT_FORMATS_DESKTOP_WINDOWS_H
#define INPUT_FORMATS_DESKTOP_WINDOWS_H

#include <stdbool.h>

#include "base/buf.h"
#include "input/build/builder.h"
#include "input/build/frame.h"

/* A function as the clean rules want it: the image apart, an address for what has no name. */
struct frame windows_frame(struct slice text);

/* Name and number of a process, the rest of `origin` left alone. */
void windows_process(struct slice text, struct origin *origin);
bool windows_idle(const struct origin *origin);
/* Tells how many samples of it were left out, where there were any. */
void windows_add_idle(struct profile *profile, uint64_t samples);

/*
 * The process as the first frame of its stacks, with the numbers that the
 * options ask for; `scratch` holds its name. Every stack must begin so.
 */
void windows_push_process(struct builder *b, const struct origin *origin, struct buf *scratch);
/* When all is read: takes it off where there is only one, which tells nothing. */
void windows_strip_process(struct builder *b);

/*
 * Appends a function the way xperf_to_collapsedstacks.py (github.com/google/
 * UIforETW) writes it: ":" for ";", "_" for a blank, a backtick for "'", no
 * quotes.
 */
void windows_add_reference(struct buf *out, struct slice text);
/* The same for the first frame: "app.exe_5120_7044". */
void windows_add_reference_process(struct buf *out, struct slice process, struct slice thread);

#endif
