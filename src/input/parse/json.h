/*
 * JSON, read as a stream and passed on in values.
 *
 * A document is read in blocks and never held whole. Each top-level member is passed on as
 * a value, a small tree. A member that the reader names in each(), and an array at the
 * top, is passed on element by element, so that memory follows the largest element and not
 * the file. Values and their texts are valid only during the call of value(), unless they
 * were loaded by json_load().
 *
 * Values are one array in document order; each knows where its next sibling starts, so
 * that walking never recurses. Texts are valid UTF-8 whatever the file contains: ill-
 * formed bytes and lone surrogates become U+FFFD. Numbers stay as they are written until a
 * reader asks for them, so that none is rounded through a double. An array of numbers is
 * kept as its text; its elements are created on request.
 *
 * Several documents in sequence (JSON lines) are read in turn. If the document ends in the
 * middle, its complete part is passed on with a warning that names the byte: the whole
 * elements of a cut array, the whole members of a cut object, and never a part of an
 * element. A comma before a closing bracket, as in Chrome's traces, is accepted; any other
 * damage is an error with its place.
 */
#ifndef INPUT_PARSE_JSON_H
#define INPUT_PARSE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ascii.h"
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

struct json_tree;

struct json_handler {
    void *context;
    /* Hand over each document as one value, without a call of `each`: for files of small lines. */
    bool whole_documents;
    /* A second document is an error. */
    bool one_document;
    /*
     * Most of the content is objects in one array, at the top or wanted one by one: they may be
     * parsed by several threads. Neither open() nor a tree can be had then.
     */
    bool many_elements;
    /* Says whether the elements or members of this top-level member are wanted one by one. */
    bool (*each)(void *context, struct slice key);
    /*
     * Takes one value: a top-level member (`parent` is empty, v->key is its key), an element
     * or member of the member `parent`, an element of the array at the top, or a document
     * (`parent` and v->key are empty). `at` is the offset after it, for messages. Returning
     * false, after reporting an error, ends the reading.
     */
    bool (*value)(void *context, struct slice parent, const struct json_value *v, uint64_t at);
    /*
     * Instead of each(), for trees: asked for every container inside one that is passed on
     * element by element whether it is, too; its key is empty in an array. close() is called
     * at the end of such a container, but not if the document is cut. `parent` stays that of
     * the top.
     */
    bool (*open)(void *context, struct slice key);
    bool (*close)(void *context);
    /*
     * May be NULL. While this tree is open, the containers within it are its nodes and lists, and
     * the other values go to its member() (input/parse/json_tree.h); open(), close() and value()
     * are not called.
     */
    struct json_tree *tree;
    /*
     * Called at the end of a document, cut or not. May be NULL. Returning false, after
     * reporting an error, ends the reading.
     */
    bool (*end)(void *context);
};

/* Reads the content. Returns false after the reader or this function has reported an error. */
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
/* Loads JSON from a text in another document; places in messages are within that text. */
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
 * An array of numbers may be kept as text. Whether it is; and the element that begins at the offset
 * `start` of the text.
 */
static inline bool json_are_numbers(const struct json_value *v)
{
    return v->type == JSON_ARRAY && v->text.len > 0;
}
const struct json_value *json_number_at(const struct json_value *array, size_t start);

/*
 * The first element or member and the next one after `v`, or NULL. Elements of an array of
 * numbers share a place, which holds one of them until the next is asked for.
 */
static inline const struct json_value *json_first(const struct json_value *parent)
{
    if (!parent || parent->size <= 1)
        return NULL;
    return json_are_numbers(parent) ? json_number_at(parent, 0) : parent + 1;
}
static inline const struct json_value *json_next(const struct json_value *parent,
                                                 const struct json_value *v)
{
    if (json_are_numbers(parent))
        return json_number_at(parent, (size_t)(v->text.ptr - parent->text.ptr) + v->text.len);
    return v + v->size < parent + parent->size ? v + v->size : NULL;
}
#define json_each(v, parent)                                                                       \
    for (const struct json_value *v = json_first(parent); v; v = json_next(parent, v))

/* Returns whether the member has that name. Length and first byte exclude most others. */
static inline bool json_key_is(const struct json_value *member, struct slice key)
{
    return member->key.len == key.len && (!key.len || member->key.ptr[0] == key.ptr[0]) &&
           slice_equal(member->key, key);
}

/*
 * Returns the member of an object, or NULL if there is none or `v` is no object or NULL.
 * Of members with the same key it returns the last one. It looks at every member: if many
 * are wanted, walk.
 */
const struct json_value *json_get(const struct json_value *v, const char *key);
/* json_get() along several keys, "callFrame.functionName". */
const struct json_value *json_at(const struct json_value *v, const char *path);

/* The text of a string, or empty. `v` may be NULL in all of these. */
struct slice json_text(const struct json_value *v);
/*
 * Parses a whole number: 12 or 1.2e1, or "12" in a string. Returns false if it is none or
 * does not fit.
 */
bool json_u64(const struct json_value *v, uint64_t *number);
bool json_i64(const struct json_value *v, int64_t *number);
/*
 * Parses a number, possibly with an exponent or in a string. Returns false if it is none
 * or does not fit. The result is exact to NUM_MAX_DECIMALS, or to as many decimals as fit
 * in 64 bits; `rounded` says that there were more. With `negative` NULL, negative numbers
 * are refused.
 */
bool json_decimal(const struct json_value *v, struct decimal *number, bool *negative);

/*
 * The beginning of a value as JSON, to quote it in a message: {"id": 7, "children": [...]}. `v` may
 * be NULL.
 */
struct json_quote {
    char text[80];
};
struct json_quote json_quoted(const struct json_value *v);

/* ---- numbers in a row ------------------------------------------------------------------------ */

/* json_numbers_take() for every element. */
bool json_numbers_take_any(struct slice *rest, struct slice *number);

/*
 * Takes the next element and the comma after it off the text of an array. Returns false if
 * the element is no JSON number or null, or if its end is not in the text.
 */
static inline bool json_numbers_take(struct slice *rest, struct slice *number)
{
    const char *end = rest->ptr + rest->len, *start = rest->ptr, *p;

    start += start < end && *start == ' ';
    for (p = start; p < end && ascii_is_digit(*p);)
        p++;
    /* Most elements are whole numbers with a comma right after them. */
    if (p == end || *p != ',' || p == start || (*start == '0' && p > start + 1))
        return json_numbers_take_any(rest, number);
    *number = slice_make(start, (size_t)(p - start));
    *rest = slice_make(p + 1, (size_t)(end - p - 1));
    return true;
}

/* Returns whether the text ends inside a number that may continue. */
bool json_numbers_cut(struct slice rest);

/*
 * Takes the next of elements that json_numbers_take() has checked before. Returns false at
 * their end.
 */
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
