/*
 * bpftrace's maps: entries of keys, some of which are stacks, and a value.
 *
 * The text and the JSON output differ in how an entry is written; what it
 * means is the same and is here. An entry is built from its parts in order:
 *
 *     bpftrace_map_begin(m);
 *     bpftrace_map_keys(m, text, ...);   // ", comm, pid" between and behind the stacks
 *     bpftrace_map_frame(m, line);       // a line of a stack, leaf first
 *     bpftrace_map_finish(m, name, value);
 *
 * Each map is a series, "@" being the one without a name. The keys that are no
 * stacks become root frames, then follow the stacks: of two the one named last
 * (user) is nearer to the root, unless it is known to be the kernel's. Maps
 * without stacks, and values that do not add up, are left out and told.
 */
#ifndef INPUT_FORMATS_KERNEL_BPFTRACE_MAP_H
#define INPUT_FORMATS_KERNEL_BPFTRACE_MAP_H

#include "input/build/builder.h"
#include "input/parse/records.h"

enum bpftrace_part_kind {
    BPFTRACE_SCALAR,
    BPFTRACE_EMPTY, /* an empty stack, or an empty string */
    BPFTRACE_STACK,
};

/* A part of a key; texts are offsets because their buffer moves as it grows. */
struct bpftrace_part {
    enum bpftrace_part_kind kind;
    size_t first, count; /* frames of a stack; start and length of a scalar */
};

struct bpftrace_frame {
    size_t start, len;
};

/* What is known of a map. */
struct bpftrace_map {
    bool has_stacks; /* an entry had frames */
    bool told;
    uint64_t left_out; /* entries */
};

/* An entry that may be of a map without stacks: its keys were empty. */
struct bpftrace_waiting {
    uint32_t map, stack;
    uint64_t weight;
};

struct bpftrace_maps {
    struct builder builder;
    const struct input_options *options;
    struct diag *diag;
    struct intern names;
    VEC(struct bpftrace_map) maps; /* by name */
    VEC(struct bpftrace_waiting) waiting;
    struct buf text; /* of the entry in hand, as all below */
    VEC(struct bpftrace_part) parts;
    VEC(struct bpftrace_frame) frames;
    bool in_stack; /* frames may follow */
};

void bpftrace_map_init(struct bpftrace_maps *m, struct profile *profile,
                       const struct input_options *options, struct diag *diag);
void bpftrace_map_release(struct bpftrace_maps *m);

void bpftrace_map_begin(struct bpftrace_maps *m);
/*
 * Keys as they stand between brackets and stacks, parted by `comma` (", " or
 * ","). `more` says that a stack follows. Of what follows a stack the text in
 * front of the first comma is nothing.
 */
void bpftrace_map_keys(struct bpftrace_maps *m, struct slice keys, struct slice comma, bool more);
void bpftrace_map_frame(struct bpftrace_maps *m, struct slice line);

/*
 * The entry is complete. `name` begins with '@'. A value that is no count is
 * left out. `record` is set to where another weight of the same text goes; its
 * series is BUILDER_LEFT_OUT where that must be seen each time.
 */
bool bpftrace_map_finish(struct bpftrace_maps *m, struct slice name, struct slice value,
                         struct record *record);
/* A map, or an entry of one, that holds something else: "histograms". */
void bpftrace_map_leave_out(struct bpftrace_maps *m, struct slice name, const char *what);

/* All entries are in: false where told. */
bool bpftrace_map_end(struct bpftrace_maps *m);

#endif
