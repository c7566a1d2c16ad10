/*
 * YAML, read event by event, with the place of each event.
 *
 * Settings are small and are read whole: a mapping of keys at the top, with single values, lists
 * and mappings below it. Aliases, second documents and NUL characters are errors, so the work is
 * bounded by the length of the text. Errors go to the diag, with line and column.
 *
 * libyaml is called in yaml_flatten() only, which writes all events as bytes, so that another
 * process can call it; reading these bytes trusts none of them.
 */
#ifndef INPUT_PARSE_YAML_H
#define INPUT_PARSE_YAML_H

#include <stdbool.h>

#include <yaml.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"

struct yaml_event {
    yaml_event_type_t type;
    struct diag_place place;
    struct slice value; /* of a scalar */
    bool plain;         /* a scalar without quotes */
};

struct yaml_reader {
    struct yaml_event event; /* the present one */
    struct slice rest;       /* of what yaml_flatten() wrote */
    struct arena *memory;    /* of the texts */
    struct diag *diag;
};

/*
 * Reads a document: calls `key` with the reader at each key of the mapping at the top. `key` reads
 * the value and returns false after reporting an error. `what` names the document in messages.
 * Returns false after reporting an error; a document without content is valid.
 */
bool yaml_read(struct yaml_reader *r, struct slice text, const char *what,
               bool (*key)(void *context, const char *key), void *context);

/* Appends the events of a text, up to its end or its first error. */
void yaml_flatten(struct slice text, struct buf *events);
/* As yaml_read(), from what yaml_flatten() wrote. */
bool yaml_read_events(struct yaml_reader *r, struct slice events, const char *what,
                      bool (*key)(void *context, const char *key), void *context);

/* Returns the place of the present event. */
struct diag_place yaml_place(const struct yaml_reader *r);

/* Goes on to the next event. Returns false after reporting that the text is not YAML. */
bool yaml_advance(struct yaml_reader *r);

/* True if the present event is a scalar that is YAML's null: ~, null or nothing, without quotes. */
bool yaml_is_null(const struct yaml_reader *r);

/* Copies the present scalar. Returns NULL after reporting that the event is no value for `key`. */
const char *yaml_scalar(struct yaml_reader *r, const char *key);

/* Returns false after reporting that the present event is not of the type; `expected` names it. */
bool yaml_expect(struct yaml_reader *r, yaml_event_type_t type, const char *key,
                 const char *expected);

#endif
