/*
 * Whole lines from a source, block by block.
 *
 * A block ends at a line end. The unfinished line after it moves to the front of the next
 * block, which may be in the same memory or elsewhere. So the memory of a block must not
 * change until the next block has been read.
 */
#ifndef INPUT_CORE_TEXT_BLOCKS_H
#define INPUT_CORE_TEXT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "input/core/source.h"

/* Readable bytes after every block, so that wide loads need no care at its end. */
enum { TEXT_SLACK = 64 };

/* Memory of a block; zeroed it is ready, and it grows with the lines. */
struct text_block {
    char *bytes;
    size_t cap; /* without the slack */
};

/* Where blocks come from: the source itself, or a part of its plain file. */
struct text_blocks {
    struct source *source;
    bool part;
    uint64_t offset, end; /* of a part */
    struct diag *diag;    /* for errors of a part; the source has its own */
    uint64_t max_line;
    struct text_block whole; /* a small content, in the memory of the source */
    /* The unfinished line. */
    const struct text_block *rest_in;
    size_t rest_at, rest_len;
};

enum text_blocks_state {
    TEXT_BLOCKS_LINES,
    TEXT_BLOCKS_UNENDED, /* one line, the last, whose end was not in the file */
    TEXT_BLOCKS_END,     /* no more blocks */
    TEXT_BLOCKS_TOO_LONG,
    TEXT_BLOCKS_FAILED, /* an error was reported */
};

/* Reads the next block into `block`, and gives its lines, each ended by LF. */
enum text_blocks_state text_blocks_next(struct text_blocks *b, struct text_block *block,
                                        struct slice *lines);

void text_blocks_release(struct text_block *block);

#endif
