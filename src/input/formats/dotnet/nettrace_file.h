/*
 * The blocks and events of a nettrace file, .NET's EventPipe, versions 3 to 5.
 *
 *     "Nettrace", i32 20, "!FastSerialization.1", then objects until a byte 1:
 *     5 5 1, i32 version, i32 least version, i32 length, name, 6, payload, 6
 *
 * The payload of "Trace" is 48 bytes; that of all others a size, zeros up to an offset that is a
 * multiple of 4, and the bytes of its content. An event block begins with the size of its header
 * and its flags; with flag 1 an event gives only what differs from the event before it.
 *
 * Source: src/TraceEvent/EventPipe/NetTraceFormat_v5.md in github.com/microsoft/perfview.
 */
#ifndef INPUT_FORMATS_DOTNET_NETTRACE_FILE_H
#define INPUT_FORMATS_DOTNET_NETTRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "input/parse/bytes.h"
#include "input/parse/stream.h"

enum dotnet_block {
    DOTNET_OTHER,
    DOTNET_TRACE,
    DOTNET_METADATA,
    DOTNET_EVENTS,
    DOTNET_STACKS,
    DOTNET_SEQUENCE, /* ids of stacks begin anew */
};

struct dotnet_event {
    uint32_t metadata, stack;
    uint64_t thread, time;
    struct slice payload;
};

/* The events of a block. */
struct dotnet_events {
    struct bytes bytes;
    bool compressed;
    struct dotnet_event event; /* the one before */
    size_t payload;            /* its size */
};

/* Returns true if a file begins as a .nettrace file does. */
bool dotnet_begins(struct slice content);

/* The blocks of a file, read one after the other. */
struct dotnet_file {
    struct stream in;
    uint64_t at; /* where the last whole block ends */
    bool failed; /* the file is cut or damaged from there on */
};

/* Begins to read a file, and skips its first bytes. */
void dotnet_open(struct dotnet_file *f, struct content *content);
/* Reads the rest of the file. Returns false after an error, which the source has reported. */
bool dotnet_close(struct dotnet_file *f);

/* Takes the next block, valid until the next call. Returns false at the end. */
bool dotnet_block(struct dotnet_file *f, enum dotnet_block *kind, struct slice *block);

void dotnet_events_init(struct dotnet_events *e, struct slice block);

/*
 * Takes the next event. Returns false at the end of the block, or, with e->bytes.failed, where it
 * is damaged.
 */
bool dotnet_next(struct dotnet_events *e);

/* Takes a text of UTF-16, up to its zero. */
struct slice dotnet_text(struct bytes *b);

#endif
