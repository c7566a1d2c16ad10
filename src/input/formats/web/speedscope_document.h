/*
 * A file of speedscope's as it is read: its profiles, the table of frames and
 * the rest, in whatever order they stand.
 */
#ifndef INPUT_FORMATS_WEB_SPEEDSCOPE_DOCUMENT_H
#define INPUT_FORMATS_WEB_SPEEDSCOPE_DOCUMENT_H

#include "base/arena.h"
#include "input/build/builder.h"
#include "input/formats/web/speedscope_part.h"
#include "profile/stack.h"

/* Where in the file a value stands. */
enum speedscope_place {
    SPEEDSCOPE_TOP,
    SPEEDSCOPE_SHARED,
    SPEEDSCOPE_FRAMES,
    SPEEDSCOPE_PROFILES,
    SPEEDSCOPE_PROFILE,
    SPEEDSCOPE_SAMPLES,
    SPEEDSCOPE_WEIGHTS,
    SPEEDSCOPE_EVENTS,
};

struct speedscope_document {
    struct builder *b;
    VEC(uint32_t) frames; /* the builder's entries, by number */
    VEC(struct speedscope_part) parts;
    bool has_parts;
    struct stacks stacks; /* of numbers of frames, those of samples */
    uint64_t active;      /* the profile to be shown first; UINT64_MAX for none in particular */
    struct slice exporter;
    VEC(enum speedscope_place) places; /* of the containers that are open */
    struct arena texts;
};

void speedscope_document_init(struct speedscope_document *d, struct builder *b);
void speedscope_document_release(struct speedscope_document *d);

/* Reads the content. False where an error was told. */
bool speedscope_document_read(struct speedscope_document *d, struct content *c);

#endif
