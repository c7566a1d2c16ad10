/*
 * Frames as pprof's profiles have them, whatever form they are written in.
 *
 * They name functions of any language and say of each only its source file, so
 * that one's ending decides how a name is read. What has no name is an address
 * in a mapping and is called after both: "libc-2.15.so+0x1f2e", the offset in
 * the file, which addr2line takes, or "0x7f2e" where no mapping holds it. Address
0 says that there is none: "[libc-2.15.so]".
 */
#ifndef INPUT_FORMATS_GO_PPROF_FRAME_H
#define INPUT_FORMATS_GO_PPROF_FRAME_H

#include "base/buf.h"
#include "input/build/frame.h"

/* A function of a source file, which may be empty. */
struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line);

/* A piece of memory that a file is mapped to. */
struct pprof_map {
    uint64_t start, limit; /* 0 where it is not known */
    uint64_t offset;       /* in the file, of `start` */
    struct slice file;
};

/* An address without a name; `map` may be NULL. The name is written to `text`. */
struct frame pprof_frame_address(struct buf *text, const struct pprof_map *map, uint64_t address);

#endif
