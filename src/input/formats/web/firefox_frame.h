/*
 * The frames of the Firefox Profiler's files: from their tables to what they
 * are called, where they stand and which library they are of.
 *
 * A raw profile has one text for a frame: "0x100000f84", an address that a
 * library contains; "alpha (http://host/a.js:1:14)"; or a label. A processed
 * profile has tables of functions, resources, native symbols and sources.
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_FRAME_H
#define INPUT_FORMATS_WEB_FIREFOX_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "input/formats/web/firefox_table.h"
#include "input/build/frame.h"

enum firefox_frames_table {
    FIREFOX_FRAMES,    /* frameTable */
    FIREFOX_FUNCTIONS, /* funcTable */
    FIREFOX_RESOURCES, /* resourceTable */
    FIREFOX_NATIVE,    /* nativeSymbols */
    FIREFOX_SOURCES,   /* sources */
    FIREFOX_TABLES
};

/* Columns that are looked into, in the order of the table in firefox_frame.c. */
enum firefox_frames_column {
    FRAME_LOCATION,
    FRAME_FUNC,
    FRAME_LINE,
    FRAME_INLINE_DEPTH,
    FRAME_SYMBOL,
    FUNC_NAME,
    FUNC_IS_JS,
    FUNC_RESOURCE,
    FUNC_FILE,
    FUNC_SOURCE,
    FUNC_LINE,
    RESOURCE_LIB,
    SYMBOL_LIB,
    SOURCE_FILE,
    FIREFOX_COLUMNS
};

/* Where a library was loaded: nowhere, start and end being 0, in processed profiles. */
struct firefox_lib {
    struct slice name;
    uint64_t start, end;
};

struct firefox_frames {
    struct firefox_table tables[FIREFOX_TABLES];
    struct firefox_column columns[FIREFOX_COLUMNS];
    const struct json_value *strings;
    VEC(struct firefox_lib) libs;
    VEC(struct firefox_lib) loaded; /* the same, by their start */
};

/* `thread` has the tables, or `shared` has those that it does not. `libs` may be NULL. */
void firefox_frames_init(struct firefox_frames *f, const struct json_value *thread,
                         const struct json_value *shared, const struct json_value *libs);
void firefox_frames_release(struct firefox_frames *f);

/* Frame number `row`. False where it is the root of all stacks, which is no frame. */
bool firefox_frames_get(const struct firefox_frames *f, uint32_t row, struct frame *frame);

/* A frame from the text of a raw profile. False for the root. */
bool firefox_frames_parse(const struct firefox_frames *f, struct slice location,
                          struct frame *frame);

#endif
