/*
 * Functions and processes, as tools for Windows traces write them.
 *
 *     ntdll.dll!RtlUserThreadStart     a function and its image
 *     client.dll!0x551ea026            no symbol: an address
 *     app.exe (5120)                   a process
 *     "Idle (   0)"                    the idle process
 */
#ifndef INPUT_FORMATS_DESKTOP_WINDOWS_H
#define INPUT_FORMATS_DESKTOP_WINDOWS_H

#include <stdbool.h>

#include "base/buf.h"
#include "input/build/builder.h"
#include "input/build/frame.h"

/* Returns the frame of a function: the image as module, an address if there is no symbol. */
struct frame windows_frame(struct slice text);

/* Sets the name and number of the process in `origin`, and nothing else. */
void windows_process(struct slice text, struct origin *origin);
bool windows_idle(const struct origin *origin);
/* Adds a fact with the number of skipped samples of the idle process, if there are any. */
void windows_add_idle(struct profile *profile, uint64_t samples);

/*
 * Pushes the process as first frame, with the numbers that the options ask for;
 * `scratch` holds its name. Every stack must begin with it.
 */
void windows_push_process(struct builder *b, const struct origin *origin, struct buf *scratch);
/* At the end: removes the process frames if there is only one process. */
void windows_strip_process(struct builder *b);

/*
 * Appends a function as xperf_to_collapsedstacks.py
 * (github.com/google/UIforETW) writes it: ":" for ";", "_" for a blank, a
 * backtick for "'", no quotes.
 */
void windows_add_reference(struct buf *out, struct slice text);
/* Appends the first frame as that script writes it: "app.exe_5120_7044". */
void windows_add_reference_process(struct buf *out, struct slice process, struct slice thread);

#endif
