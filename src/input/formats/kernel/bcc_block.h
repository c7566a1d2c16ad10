/*
 * One stack of a bcc tool: the indented lines up to its weight, and how they
 * become a stack of the profile. See bcc.c for what they look like.
 */
#ifndef INPUT_FORMATS_KERNEL_BCC_BLOCK_H
#define INPUT_FORMATS_KERNEL_BCC_BLOCK_H

#include "input/build/builder.h"
#include "input/parse/records.h"

struct bcc_line {
    size_t start, len; /* of its text in bcc_block.text */
    size_t indent;
};

struct bcc_block {
    struct buf text;
    VEC(struct bcc_line) lines;
};

void bcc_block_init(struct bcc_block *b);
void bcc_block_release(struct bcc_block *b);
void bcc_block_clear(struct bcc_block *b);

/* Whether a line, which has something in it, is indented as those of a block are. */
bool bcc_block_fits(struct slice line);
void bcc_block_add(struct bcc_block *b, struct slice line);
/* Whether the line is the weight that ends the block, which may hold nothing but that. */
bool bcc_block_is_weight(const struct bcc_block *b, struct slice line);
/* Whether the block has a line that only these tools write. */
bool bcc_block_is_certain(const struct bcc_block *b);
/* Whether it is of wakeuptime or offwaketime. */
bool bcc_block_is_wake(const struct bcc_block *b);

/* What a tool says its frames are. */
enum bcc_frames {
    BCC_MIXED, /* kernel and user, or not said */
    BCC_KERNEL,
};

/* How waking stacks without processes around them are printed. */
enum bcc_order {
    BCC_LEAF_FIRST,
    BCC_ROOT_FIRST,
};

struct bcc_writer {
    struct builder builder;
    const struct input_options *options;
    struct profile *profile;
    struct unit unit; /* that the tool named */
    enum bcc_frames frames;
    enum bcc_order order; /* of the waking stack before */
};

/* Finds the block's stack and the series of that event. False where told. */
bool bcc_block_write(struct bcc_writer *w, const struct bcc_block *b, struct slice event,
                     struct unit unit, struct record *record);

#endif
