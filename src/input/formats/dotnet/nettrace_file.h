/*
 * The blocks and events of a nettrace file, .NET's EventPipe, versions 3 to 6.
 *
 *     "Nettrace", i32 20, "!FastSerialization.1", then objects until a byte 1:
 *     5 5 1, i32 version, i32 least version, i32 length, name, 6, payload, 6
 *
 * The payload of "Trace" is 48 bytes; that of all others a size, zeros up to an offset that is a
 * multiple of 4, and the bytes of its content. An event block begins with the size of its header
 * and its flags; with flag 1 an event gives only what differs from the event before it.
 *
 * Version 6 has the same blocks in another container, and threads, which events refer to:
 *
 *     "Nettrace", u32 0, u32 6, u32 minor version, then blocks until one of kind 0:
 *     u24 size, u8 kind, payload
 *
 * Source: src/TraceEvent/EventPipe/NetTraceFormat.md and NetTraceFormat_v5.md in
 * github.com/microsoft/perfview.
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
    DOTNET_THREADS,
    DOTNET_PASSED, /* known, and without anything that is read */
};

struct dotnet_event {
    uint32_t metadata, stack;
    uint64_t thread, time;
    struct slice payload;
};

/* The events of a block. */
struct dotnet_events {
    struct bytes bytes;
    bool compressed, newer;    /* newer: of version 6 */
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
    bool newer;  /* of version 6 */
};

/* Begins to read a file, and skips its first bytes. */
void dotnet_open(struct dotnet_file *f, struct content *content);
/* Reads the rest of the file. Returns false after an error, which the source has reported. */
bool dotnet_close(struct dotnet_file *f);

/* Takes the next block, valid until the next call. Returns false at the end. */
bool dotnet_block(struct dotnet_file *f, enum dotnet_block *kind, struct slice *block);

void dotnet_events_init(struct dotnet_events *e, struct slice block, bool newer);

/*
 * Takes the next event. Returns false at the end of the block, or, with e->bytes.failed, where it
 * is damaged.
 */
bool dotnet_next(struct dotnet_events *e);

/* Takes a number of 7 bits a byte. */
uint64_t dotnet_varint(struct bytes *b);
/* Takes a text of UTF-8 after its size, such a number. */
struct slice dotnet_string(struct bytes *b);

/* Takes a text of UTF-16, up to its zero. */
struct slice dotnet_text(struct bytes *b);

#endif
