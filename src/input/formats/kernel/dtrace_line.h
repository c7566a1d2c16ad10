/*
 * The lines of DTrace's output, told apart by themselves.
 *
 *     CPU     ID                    FUNCTION:NAME      header
 *       0  64091                        :tick-60s      probe
 *                   unix`trap+0x2c7                    frame
 *                   (anon) as f at x.js                deep: a frame, if frames are around it
 *                     [ site.py:16 (main) ]            note of a helper, a frame
 *                     1971                             number: a count or a key
 *       mysqld                                         text: a key or anything else
 *       mysqld                          12             row: a key and a count
 *            value  ---- Distribution ---- count       histogram
 *     iojs 86454 181012024: profile-1ms:               sample
 *
 * What a deep line, a number, a text and a row mean depends on the lines
 * around them.
 */
#ifndef INPUT_FORMATS_KERNEL_DTRACE_LINE_H
#define INPUT_FORMATS_KERNEL_DTRACE_LINE_H

#include <stdbool.h>

#include "base/slice.h"
#include "input/parse/head.h"

enum dtrace_kind {
    DTRACE_BLANK,
    DTRACE_HEADER,
    DTRACE_PROBE,
    DTRACE_FRAME,
    DTRACE_DEEP,
    DTRACE_NUMBER,
    DTRACE_TEXT,
    DTRACE_ROW,
    DTRACE_HISTOGRAM,
    DTRACE_SAMPLE,
    DTRACE_MESSAGE, /* "dtrace: ..." */
};

struct dtrace_line {
    enum dtrace_kind kind;
    size_t indent;
    struct slice text;   /* trimmed; of a row: the key alone */
    struct slice number; /* of a number and a row, with its sign */
    struct slice event;  /* of a probe and a sample */
    struct slice process, pid;
};

struct dtrace_line dtrace_line_parse(struct slice line);

/* Says whether a key and a count stand together behind frames, in the first bytes of a file. */
bool dtrace_line_keys_last(struct slice start);

/* Says whether the content is DTrace's. */
bool dtrace_line_claims(const struct head *head);

#endif
