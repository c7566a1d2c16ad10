/*
 * JSON, read as a stream and handed out in values.
 *
 * A document is read in blocks and never held whole. Of the top level each
 * member is handed over as a value, a small tree; a member the reader names in
 * `each` (and an array at the top) is handed over element by element, so that
 * memory follows the largest element and not the file. Values and their texts
 * are valid during the call of value() only, unless kept (json_load()).
 *
 * Values live in one array in document order, each knowing where the next one
 * behind it starts: walking never recurses. Texts are valid UTF-8 whatever the
 * file holds: what is ill-formed there, a lone surrogate in an escape
 * included, is U+FFFD here. Numbers stay as they are written until they are
 * asked for, so that none is bent through a double. An array of numbers is
 * kept as its text, and each element is made when it is asked for.
 *
 * Several documents one after the other (JSON lines) are read in turn. An end
 * in the middle hands over what is complete and is told as a warning that
 * names the byte: of a cut array its whole elements, of a cut object its whole
 * members, and never a part of an element. A comma before a closing bracket,
 * which Chrome's traces have, is no damage; any other is an error with its place.
 */
#ifndef INPUT_PARSE_JSON_H
#define INPUT_PARSE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/vec.h"
#include "input/parse/content.h"

/* The deepest nesting that is read; deeper is an error. */
enum { JSON_MOST_DEPTH = 100000 };

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json_value {
    enum json_type type;
    uint32_t count;    /* elements or members */
    uint32_t size;     /* values from this one to the next sibling, itself included */
    struct slice key;  /* of a member */
    struct slice text; /* string: unescaped, as UTF-8; number: as written */
};

struct json_handler {
    void *context;
    /* Each document is one value: for lines of small ones. `each` is not asked then. */
    bool whole_documents;
    /* A second document is an error. */
    bool one_document;
    /* Says whether the elements or members of this top-level member are wanted one by one. */
    bool (*each)(void *context, struct slice key);
    /*
     * One value: a top-level member (`parent` is empty, v->key its key), an element or member of
     * the member `parent`, an element of the array at the top, or a document (`parent` and v->key
     * empty). `at` is the byte behind it, for messages. False, told, ends the reading.
     */
    bool (*value)(void *context, struct slice parent, const struct json_value *v, uint64_t at);
    /*
     * In place of each(), for trees: says of every container in one that is handed over one by one
     * whether it is, too; its key is empty in an array. close() comes at the end of such a one,
     * and not where the document is cut. `parent` is that of the top all the same.
     */
    bool (*open)(void *context, struct slice key);
    bool (*close)(void *context);
    /* A document has ended; also one that was cut. May be NULL. False, told, ends the reading. */
    bool (*end)(void *context);
};

/* Reads the content. False where the reader or this has told an error. */
bool json_read(struct content *c, const struct json_handler *handler);

/* A document in memory, for formats that refer forth and back. */
struct json_values VEC_OF(struct json_value);
struct json_document {
    struct buf texts;
    struct json_values values; /* the first is the top; there is always one */
};
/*
 * Reads the content, which is one document; a second one is an error. Memory
 * is some 50 bytes for each value, and that of their texts; an array of
 * numbers is two values with one text. Release it in either case.
 */
bool json_load(struct content *c, struct json_document *d);
/* The same for JSON that stands as text in another document; places are within that text. */
bool json_load_text(struct slice text, struct diag *diag, struct json_document *d);
void json_release(struct json_document *d);

/*
 * Calls add() for each member in the first bytes of a document, or of several: with its path down
 * to `depth` names, arrays written as "[]", and its text if it is a string, else "". Stops at the
 * first damage without a message. Returns true if all of the bytes were read.
 */
bool json_outline(struct slice bytes, unsigned depth,
                  void (*add)(void *context, struct slice path, struct slice text), void *context);

/* ---- looking into a value ------------------------------------------------------------------ */

/*
 * The first element or member and the next one after `v`, or NULL. Elements of an array of
 * numbers share a place, which holds one of them until the next is asked for.
 */
const struct json_value *json_first(const struct json_value *parent);
const struct json_value *json_next(const struct json_value *parent, const struct json_value *v);
/* Whether it is such an array, and its element whose text begins there in that of the array. */
bool json_are_numbers(const struct json_value *v);
const struct json_value *json_number_at(const struct json_value *array, size_t start);
#define json_each(v, parent)                                                                       \
    for (const struct json_value *v = json_first(parent); v; v = json_next(parent, v))

/* Whether it is the member of that name: most others are told by length and first byte. */
static inline bool json_key_is(const struct json_value *member, struct slice key)
{
    return member->key.len == key.len && (!key.len || member->key.ptr[0] == key.ptr[0]) &&
           slice_equal(member->key, key);
}

/*
 * The member of an object, NULL where there is none or `v` is no object (or NULL); of members
 * with the same key the last one. It looks at each of them: walk where many are wanted.
 */
const struct json_value *json_get(const struct json_value *v, const char *key);
/* The same along several keys, "callFrame.functionName". */
const struct json_value *json_at(const struct json_value *v, const char *path);

/* The text of a string, or empty. `v` may be NULL in all of these. */
struct slice json_text(const struct json_value *v);
/* A whole number, 12 or 1.2e1 or "12" in a string; false where it is none or does not fit. */
bool json_u64(const struct json_value *v, uint64_t *number);
bool json_i64(const struct json_value *v, int64_t *number);
/*
 * A number, exponents included, also one in a string; false where it is none
 * or does not fit. It is exact to NUM_MAX_DECIMALS, or to as many decimals as
 * 64 bits have room for; `rounded` says that there were more. `negative` may
 * be NULL to refuse what is below zero.
 */
bool json_decimal(const struct json_value *v, struct decimal *number, bool *negative);

/* ---- numbers in a row ------------------------------------------------------------------------ */

/* Whether an array may begin so: `bytes` is what follows its bracket, blanks included. */
bool json_numbers_begin(struct slice bytes);

/*
 * Takes the next element off the text of an array, and the comma behind it. False where it is no
 * number as JSON writes them, or no null, or where it is not seen to end.
 */
bool json_numbers_take(struct slice *rest, struct slice *number);
/* Whether such a text ends where a number could still go on. */
bool json_numbers_cut(struct slice rest);

/* The same for elements that were all taken before. False at their end. */
static inline bool json_numbers_next(struct slice *rest, struct slice *number)
{
    const char *p = rest->ptr, *end = rest->ptr + rest->len, *start;

    while (p < end && (*p <= ' ' || *p == ','))
        p++;
    for (start = p; p<end && * p> ' ' && *p != ',';)
        p++;
    *number = slice_make(start, (size_t)(p - start));
    *rest = slice_make(p, (size_t)(end - p));
    return number->len > 0;
}

/* What an element is. */
static inline enum json_type json_numbers_type(struct slice number)
{
    return number.len && number.ptr[0] == 'n' ? JSON_NULL : JSON_NUMBER;
}

#endif
