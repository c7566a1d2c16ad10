/*
 * What an input format is: the contract between readers and the registry.
 *
 * A format is one file in formats/FAMILY that defines `const struct format
 * format_NAME`, and one row in formats.h. A text format takes its lines in
 * text.line() or text.lines() (input/core/text.h); a format that is binary, JSON or XML
 * pulls its bytes in read() (input/parse/content.h). Both fill a profile
 * through input/build/sample.h or input/build/builder.h.
 *
 * The registry refuses to start if a format lacks a required member, and
 * names it: all are required but without_stacks, in_order, of_events and, of text,
 * begin(), end(), release() and what speeds reading up.
 */
#ifndef INPUT_FORMAT_H
#define INPUT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "input/parse/content.h"
#include "input/parse/head.h"
#include "input/core/text.h"

/* Whose tools write a format, in the order of the list that users see. */
enum format_family {
    FORMAT_NO_FAMILY,
    FORMAT_ANY,
    FORMAT_LINUX,
    FORMAT_SYSTEMS,
    FORMAT_JAVA,
    FORMAT_GO,
    FORMAT_DEVICES,
    FORMAT_BROWSERS,
    FORMAT_LANGUAGES,
    FORMAT_MEMORY,
    FORMAT_PICTURES,
    FORMAT_FAMILIES,
};

struct format {
    const char *name; /* one word, shown and put into the profile */
    enum format_family family;
    const char *description; /* one line */
    const char *recognised;  /* what it is recognised by, one line */
    const char *example;     /* a command that writes such a file */
    /* What to do if a file has samples and no stacks; NULL if there is nothing to say. */
    const char *without_stacks;
    /* What to do if all stacks are a process and one function; NULL if that says nothing. */
    const char *without_callers;
    /* The profile is in a picture, which is read only if it is named (struct input_options). */
    bool picture;
    bool in_order;  /* samples are in the order of time, though the file gives no times */
    bool of_events; /* series are events, met as they happened: input/build/event_order.h */

    /* A text that is in every head that is claimed, so that others need not be parsed; or NULL. */
    const char *needs;
    /* Returns whether the content is of this format. */
    bool (*claims)(const struct head *head);

    /*
     * One of the two: callbacks for text line by line, or a function that reads
     * the whole content and returns false after reporting an error.
     */
    struct text_reader text;
    bool (*read)(struct content *content);
};

#endif
