/*
 * The frames of a profile of the Firefox Profiler: from its tables to names, source positions and
 * libraries.
 *
 * A raw profile has one string for a frame: "0x100000f84", an address within a
 * library; "alpha (http://host/a.js:1:14)"; or a label. A processed profile has
 * tables of functions, resources, native symbols and sources.
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_FRAMES_H
#define INPUT_FORMATS_WEB_FIREFOX_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "input/build/frame.h"
#include "input/formats/web/firefox_table.h"

enum firefox_frames_table {
    FIREFOX_FRAMES,    /* frameTable */
    FIREFOX_FUNCTIONS, /* funcTable */
    FIREFOX_RESOURCES, /* resourceTable */
    FIREFOX_NATIVE,    /* nativeSymbols */
    FIREFOX_SOURCES,   /* sources */
    FIREFOX_TABLES
};

/* The columns that are read. */
enum firefox_frames_column {
    FRAME_LOCATION,
    FRAME_FUNC,
    FRAME_LINE,
    FRAME_INLINE_DEPTH,
    FRAME_SYMBOL,
    FRAME_LIB,
    FRAME_CATEGORY,
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

/*
 * A library and the addresses that it was loaded at; 0 in processed profiles, which do not state
 * them.
 */
struct firefox_lib {
    struct slice name;
    struct slice path, code_id; /* of the file; its build id in hexadecimal */
    uint64_t start, end;
};

struct addresses;

struct firefox_frames {
    struct firefox_table tables[FIREFOX_TABLES];
    struct firefox_column columns[FIREFOX_COLUMNS];
    const struct json_value *strings;
    VEC(struct firefox_lib) libs;
    VEC(struct firefox_lib) loaded; /* the libraries with addresses, sorted by start */
    struct addresses *addresses;    /* of the caller; NULL for none */
    bool cleaned;                   /* flamepress wrote the file: names need no cleaning */
};

/* Tables that `thread` does not have are looked up in `shared`. `libs` may be NULL. */
void firefox_frames_init(struct firefox_frames *f, const struct json_value *thread,
                         const struct json_value *shared, const struct json_value *libs);
void firefox_frames_release(struct firefox_frames *f);

/* Returns an index in a column, or FIREFOX_NONE; a row of FIREFOX_NONE has none. */
uint32_t firefox_frames_index(const struct firefox_frames *f, enum firefox_frames_column c,
                              uint32_t row);
/* Reads a frame from the string of a raw profile. Returns false for the root. */
bool firefox_frames_parse(const struct firefox_frames *f, struct slice location,
                          struct frame *frame);
/* Reads the frame in a row. Returns false for the root of all stacks, which is not a frame. */
bool firefox_frames_get(const struct firefox_frames *f, uint32_t row, struct frame *frame);

#endif
