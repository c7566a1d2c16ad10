/*
 * What the numbers in Perfetto's packets stand for: names, frames and stacks that were interned.
 *
 * A number belongs to a sequence of packets and is known until the state of the sequence is
 * cleared; tracks, threads and sequences have numbers of the whole file. A stack refers to
 * frames, a frame to a function, a mapping and a path of the source, a mapping to the parts of
 * its path. What is missing gives an unknown frame or none. The bytes of items are copied, equal
 * ones once, so that packets need not stay.
 */
#ifndef INPUT_FORMATS_WEB_PERFETTO_ITEMS_H
#define INPUT_FORMATS_WEB_PERFETTO_ITEMS_H

#include "input/build/builder.h"

enum perfetto_item_kind {
    ITEM_NAME,
    ITEM_FUNCTION,
    ITEM_FRAME,
    ITEM_STACK,
    ITEM_PATH,
    ITEM_SOURCE,
    ITEM_MAPPING,
    ITEM_CLOCK,
    ITEM_TRACK,
    ITEM_SEQUENCE
};

struct perfetto_item {
    bool known;
    uint64_t generation; /* of its sequence, when it was asked for last */
    struct slice bytes;  /* the interned message, as the packet has it */
    /*
     * Of a clock the time so far, of a track its thread, of a sequence its index; of a frame or
     * stack 1 + the builder's entry or the stack, 0 if it has not been made.
     */
    uint64_t number;
    uint64_t scale; /* clock: ns a unit, 0 if it does not count from packet to packet */
};

struct perfetto_sequence {
    uint64_t id, generation; /* generation: how often its state was cleared */
    uint64_t track, clock;   /* defaults */
};

struct perfetto_items {
    struct intern keys; /* sequence, kind, number */
    VEC(struct perfetto_item) items;
    struct intern texts; /* the bytes of items */
    VEC(struct perfetto_sequence) sequences;
    struct buf path; /* of a mapping */
};

void perfetto_items_release(struct perfetto_items *t);

/*
 * Returns what a number stands for, added if it is new or was cleared since; valid until the next
 * call.
 */
struct perfetto_item *perfetto_items_get(struct perfetto_items *t,
                                         const struct perfetto_sequence *s,
                                         enum perfetto_item_kind kind, uint64_t number);

/* Returns the sequence with an id, added if it is new; valid until the next call. */
struct perfetto_sequence *perfetto_items_sequence(struct perfetto_items *t, uint64_t id);

/* Takes the tables of a message: interned data, or those that heap profiles once had. */
void perfetto_items_read(struct perfetto_items *t, const struct perfetto_sequence *s,
                         struct slice message);
void perfetto_items_read_heap(struct perfetto_items *t, const struct perfetto_sequence *s,
                              struct slice message);

/* Begins a stack with the frames of an interned one. Returns whether all of them are known. */
bool perfetto_items_push(struct perfetto_items *t, struct builder *b,
                         const struct perfetto_sequence *s, uint64_t number);
/* Adds an interned stack to the profile. Returns false after reporting an error. */
bool perfetto_items_stack(struct perfetto_items *t, struct builder *b,
                          const struct perfetto_sequence *s, uint64_t number, uint32_t *stack);

/* Returns the value of the first varint, or the bytes, of a field; false if it is missing. */
bool perfetto_items_number(struct slice message, uint64_t field, uint64_t *value);
bool perfetto_items_bytes(struct slice message, uint64_t field, struct slice *bytes);

/* Appends the fields of a number, as they are. */
void perfetto_items_only(struct slice message, uint64_t field, struct buf *out);

/* Goes through the numbers of a repeated field, which may be packed; `packed` begins empty. */
struct perfetto_numbers {
    struct slice message, packed;
    uint64_t field;
};
bool perfetto_items_next(struct perfetto_numbers *n, uint64_t *value);

#endif
