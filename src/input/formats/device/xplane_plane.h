/*
 * A plane of XSpace: its names, lines and events, and what the events state about themselves.
 *
 *     XSpace  1 planes, 2 errors, 3 warnings, 4 host names
 *     XPlane  1 id, 2 name, 3 lines, 4 names of events, 5 names of statements (both by id)
 *     XLine   1 id, 2 name, 3 ns at its start, 4 events, 11 name to show
 *     XEvent  1 its name, 2 offset ps, 3 duration ps, 4 statements, 5 occurrences without a time
 *     XEventMetadata  1 id, 2 name, 4 name to show, 5 statements of all such events
 *     XStat   1 its name, 2 double, 3 uint64, 4 int64, 5 text, 6 bytes, 7 a name that is the text
 *
 * Slices point into the content, texts are numbers in a table of the reader.
 *
 * Source: xla/tsl/profiler/protobuf/xplane.proto of github.com/openxla/xla.
 */
#ifndef INPUT_FORMATS_DEVICE_XPLANE_PLANE_H
#define INPUT_FORMATS_DEVICE_XPLANE_PLANE_H

#include "base/intern.h"
#include "input/parse/proto.h"

/* What an event states, as numbers of texts; MAP_NONE is unknown. */
struct xplane_op {
    uint32_t name;   /* "jit(f)/while/body/dot_general": the scope of an operation of XLA */
    uint32_t tf_op;  /* the same, with a type: "jit(f)/add:", "XlaModule:" */
    uint32_t hlo_op; /* "fusion.3" */
    uint32_t module; /* "jit_f" */
    uint64_t correlation;
    bool has_correlation; /* of a launch on the host and its work on a device */
};

struct xplane_name {
    struct slice text;
    struct xplane_op op;
    uint32_t entry; /* for the reader */
};

enum xplane_role {
    XPLANE_OTHER,
    XPLANE_NAME,
    XPLANE_TF_OP,
    XPLANE_HLO_OP,
    XPLANE_MODULE,
    XPLANE_CORRELATION
};

struct xplane_stat {
    struct slice text;
    uint32_t number; /* of the text, or MAP_NONE as long as nothing refers to it */
    enum xplane_role role;
};

struct xplane_line {
    uint64_t id;
    struct slice name;
    int64_t ns;
    struct slice fields; /* the line, whose events are to be read */
    uint64_t events;
};

struct xplane {
    struct intern *texts;
    struct slice name;
    struct intern name_ids, stat_ids; /* bytes of ids */
    VEC(struct xplane_name) names;
    VEC(struct xplane_stat) stats;
    VEC(struct xplane_line) lines;
    uint64_t damaged; /* messages that are not complete */
};

/* Times are in ps from the start of the line. */
struct xplane_event {
    uint32_t name;  /* index of the plane's names, or MAP_NONE */
    uint32_t order; /* in its line */
    int64_t begin, end;
    bool possible;  /* the times are those of an event */
    bool is_sum;    /* of several occurrences */
    uint64_t own;   /* ps without the events within */
    uint32_t outer; /* index of the event around it, or MAP_NONE */
    uint32_t stack; /* for the reader */
    struct xplane_op op;
};

struct xplane_events VEC_OF(struct xplane_event);

void xplane_plane_release(struct xplane *x);

/* Reads a plane. */
void xplane_plane_read(struct xplane *x, struct slice fields, struct intern *texts);

/* Returns the first line with that name, or NULL. */
const struct xplane_line *xplane_plane_line(const struct xplane *x, struct slice name);

/*
 * Reads the events of a line, by begin; of those that begin together the longer one comes first.
 * An event is within another one that begins no later and ends no earlier.
 */
void xplane_plane_events(struct xplane *x, const struct xplane_line *line,
                         struct xplane_events *out);

#endif
