/*
 * YAML, read event by event, with the place of each event.
 *
 * Settings are small and are read whole: a mapping of keys at the top, with single values, lists
 * and mappings below it. Aliases, second documents and NUL characters are errors, so the work is
 * bounded by the length of the text. Errors go to the diag, with line and column.
 */
#ifndef INPUT_PARSE_YAML_H
#define INPUT_PARSE_YAML_H

#include <stdbool.h>

#include <yaml.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"

struct yaml_reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the present one */
    bool has_event;
    struct arena *memory; /* of the texts */
    struct diag *diag;
};

/*
 * Reads a document: calls `key` with the reader at each key of the mapping at the top. `key` reads
 * the value and returns false after reporting an error. `what` names the document in messages.
 * Returns false after reporting an error; a document without content is valid.
 */
bool yaml_read(struct yaml_reader *r, struct slice text, const char *what,
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
