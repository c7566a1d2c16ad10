#include "input/core/text_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/die.h"

/* Reads up to SOURCE_BLOCK bytes. Returns 0 at the end or after an error. */
static size_t read_bytes(struct text_blocks *b, char *to, bool *failed)
{
    size_t n = SOURCE_BLOCK;

    if (!b->part) {
        n = source_read(b->source, to, SOURCE_BLOCK);
        *failed = b->source->failed;
        return n;
    }
    if (b->end - b->offset < n)
        n = (size_t)(b->end - b->offset);
    *failed = !source_read_at(b->source, b->offset, to, n, b->diag);
    b->offset += n;
    return n;
}

/* Unfinished lines of several lengths fit, so that a block seldom moves. */
static void reserve(struct text_block *block, size_t need)
{
    enum { SPARE = 32 << 10 };

    if (need <= block->cap)
        return;
    block->bytes = xreallocarray(block->bytes, need + SPARE + TEXT_SLACK, 1);
    block->cap = need + SPARE;
}

/* Only the slack is cleared: most of the memory is never touched for a small file. */
static void end_at(struct text_block *block, size_t len)
{
    BUG_ON(len > block->cap);
    memset(block->bytes + len, 0, TEXT_SLACK);
}

void text_blocks_release(struct text_block *block)
{
    xfree(block->bytes);
    *block = (struct text_block){0};
}

/* The unfinished line becomes the start of `block`; returns its length. */
static size_t carry(struct text_blocks *b, struct text_block *block)
{
    reserve(block, b->rest_len + SOURCE_BLOCK);
    if (b->rest_len)
        memmove(block->bytes, b->rest_in->bytes + b->rest_at, b->rest_len);
    return b->rest_len;
}

/*
 * Gives the lines of a small content without copying them from the source. What follows the last
 * line end is left for the next block.
 */
static bool give_whole(struct text_blocks *b, struct slice *lines)
{
    bool all;
    struct slice head = source_head(b->source, &all);
    size_t end = slice_find_last(head, '\n');
    char *bytes;

    if (!all || b->part || b->rest_len || end == head.len)
        return false;
    bytes = source_take_whole(b->source, TEXT_SLACK);
    if (!bytes)
        return false;
    b->whole = (struct text_block){bytes, head.len};
    b->rest_in = &b->whole;
    b->rest_at = end + 1;
    b->rest_len = head.len - b->rest_at;
    *lines = slice_make(bytes, b->rest_at);
    return true;
}

enum text_blocks_state text_blocks_next(struct text_blocks *b, struct text_block *block,
                                        struct slice *lines)
{
    size_t carried, n;
    bool failed;

    if (give_whole(b, lines))
        return TEXT_BLOCKS_LINES;
    if (!b->part && !b->rest_len && source_is_over(b->source))
        return TEXT_BLOCKS_END;
    carried = carry(b, block);
    b->rest_len = 0;
    while ((n = read_bytes(b, block->bytes + carried, &failed)) > 0 && !failed) {
        const char *last = memrchr(block->bytes + carried, '\n', n);

        carried += n;
        end_at(block, carried);
        if (last) {
            b->rest_in = block;
            b->rest_at = (size_t)(last - block->bytes) + 1;
            b->rest_len = carried - b->rest_at;
            *lines = slice_make(block->bytes, b->rest_at);
            return TEXT_BLOCKS_LINES;
        }
        if (carried > b->max_line)
            return TEXT_BLOCKS_TOO_LONG;
        if (block->cap < carried + SOURCE_BLOCK)
            reserve(block, budget_growth(block->cap, carried + SOURCE_BLOCK));
    }
    if (failed)
        return TEXT_BLOCKS_FAILED;
    if (!carried)
        return TEXT_BLOCKS_END;
    block->bytes[carried] = '\n';
    end_at(block, carried + 1);
    *lines = slice_make(block->bytes, carried + 1);
    return TEXT_BLOCKS_UNENDED;
}
