/*
 * JSON, read as a stream and handed out in values.
 *
 * A document is read in blocks and never held whole. Of the top level each
 * member is handed over as a value, a small tree; a member the reader names in
 * `each` (and an array at the top) is handed over element by element, so that
 * memory follows the largest element and not the file.
 *
 * Values live in one array in document order, each knowing where the next one
 * behind it starts: walking never recurses. They and their texts are valid
 * during the call of value() only, unless they are kept (json_load()).
 *
 * Several documents one after the other (JSON lines) are read in turn. An end
 * in the middle hands over what is complete and is told as a warning that
 * names the byte; any other damage is an error with its place.
 */
#ifndef INPUT_JSON_H
#define INPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/vec.h"
#include "input/content.h"

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

/* The deepest nesting that is read; deeper is an error. */
enum { JSON_MOST_DEPTH = 100000 };

struct json_value {
    enum json_type type;
    uint32_t count;    /* elements or members */
    uint32_t size;     /* values from this one to the next sibling, itself included */
    struct slice key;  /* of a member */
    struct slice text; /* string: unescaped, as UTF-8; number: as written */
};

struct json_handler {
    void *context;
    /* Says whether the elements or members of this top-level member are wanted one by one. */
    bool (*each)(void *context, struct slice key);
    /*
     * One value: a top-level member (`parent` is empty, v->key its key) or an element of the
     * member `parent` ("" for the top-level array). False, told, ends the reading.
     */
    bool (*value)(void *context, struct slice parent, const struct json_value *v);
};

/* Reads the content. False where the reader or this has told an error. */
bool json_read(struct content *c, const struct json_handler *handler);

/* A whole document in memory, for formats that refer forth and back. */
struct json_document {
    struct arena texts;
    VEC(struct json_value) values; /* the first is the top */
};
bool json_load(struct content *c, struct json_document *d);
void json_release(struct json_document *d);

/*
 * The members in the first bytes of a document, each path told as it is met
 * and the text of its value where that is a string ("" for any other). Ends
 * at the first damage, a cut at the end included, without a word.
 */
void json_outline(struct slice bytes, unsigned depth,
                  void (*add)(void *context, struct slice path, struct slice text), void *context);

/* ---- looking into a value ------------------------------------------------------------------ */

/* The first element or member, or NULL; the next one after `v` in `parent`, or NULL. */
const struct json_value *json_first(const struct json_value *parent);
const struct json_value *json_next(const struct json_value *parent, const struct json_value *v);
#define json_each(v, parent)                                                                       \
    for (const struct json_value *v = json_first(parent); v; v = json_next(parent, v))

/* The member of an object, NULL where there is none or `v` is no object (or NULL). */
const struct json_value *json_get(const struct json_value *v, const char *key);
/* The same along several keys, "callFrame.functionName". */
const struct json_value *json_at(const struct json_value *v, const char *path);

/* The text of a string, or empty. `v` may be NULL in all of these. */
struct slice json_text(const struct json_value *v);
/* A whole number, also one written as a string; false where it is none or does not fit. */
bool json_u64(const struct json_value *v, uint64_t *number);
bool json_i64(const struct json_value *v, int64_t *number);
/* A decimal, exact to NUM_MAX_DECIMALS, exponents included; `negative` may be NULL to refuse. */
bool json_decimal(const struct json_value *v, struct decimal *number, bool *negative);

#endif
