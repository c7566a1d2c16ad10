/*
 * The numbers and texts that MOJO is made of.
 *
 * Each function returns false where the content ends within what it reads, and
 * notes that, or where it has told an error.
 */
#ifndef INPUT_FORMATS_SCRIPT_MOJO_BYTES_H
#define INPUT_FORMATS_SCRIPT_MOJO_BYTES_H

#include "input/parse/stream.h"

struct mojo_bytes {
    struct stream stream;
    struct content *content;
    uint64_t at; /* where the event in hand begins */
    bool ended;  /* the content ended within an event */
};

void mojo_bytes_init(struct mojo_bytes *b, struct content *content);

bool mojo_bytes_number(struct mojo_bytes *b, uint64_t *value, bool *negative);
bool mojo_bytes_unsigned(struct mojo_bytes *b, uint64_t *value);
/* A text, into `out` or behind what it holds. */
bool mojo_bytes_text(struct mojo_bytes *b, struct buf *out);
bool mojo_bytes_add_text(struct mojo_bytes *b, struct buf *out);

/* Tells an error at the event in hand; returns false. */
bool mojo_bytes_damaged(const struct mojo_bytes *b, const char *what);

#endif
