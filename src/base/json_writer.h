/*
 * Writes JSON: the writer adds commas, line breaks, escapes and brackets.
 *
 * Values are appended, in order, to the innermost open object or list. In an
 * object each value has a key; in a list, and for the outermost value, the key
 * is NULL. Keys are literals of the program and need no escape.
 *
 * The caller owns the buffer. No function fails: a missing or superfluous key,
 * nesting deeper than JSON_WRITER_MAX_DEPTH and a close without an open are
 * bugs (BUG_ON).
 */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { JSON_WRITER_MAX_DEPTH = 16 };

/* How the values of an object or list are separated. */
enum json_layout {
    JSON_INLINE, /* by a comma and a blank */
    JSON_LINES,  /* each on its own line, indented by two blanks per open JSON_LINES level */
};

struct json_writer {
    struct buf *out;
    unsigned depth; /* open objects and lists */
    struct {
        enum json_layout layout;
        char close; /* '}' or ']' */
        bool empty; /* it has no value yet */
    } levels[JSON_WRITER_MAX_DEPTH];
};

void json_writer_init(struct json_writer *w, struct buf *out);

void json_writer_object(struct json_writer *w, const char *key, enum json_layout layout);
void json_writer_list(struct json_writer *w, const char *key, enum json_layout layout);
/* Closes the innermost open object or list. */
void json_writer_close(struct json_writer *w);

void json_writer_text(struct json_writer *w, const char *key, struct slice text);
/* Writes null if `text` is empty. */
void json_writer_optional(struct json_writer *w, const char *key, struct slice text);
void json_writer_null(struct json_writer *w, const char *key);
void json_writer_bool(struct json_writer *w, const char *key, bool value);
void json_writer_i64(struct json_writer *w, const char *key, int64_t value);
void json_writer_u64(struct json_writer *w, const char *key, uint64_t value);
/* Copies `number`, which must be a JSON number; writes null if it is empty. */
void json_writer_number(struct json_writer *w, const char *key, struct slice number);
/* Writes 100 * part / whole as a number with that many decimals. */
void json_writer_percent(struct json_writer *w, const char *key, uint64_t part, uint64_t whole,
                         unsigned decimals);
/*
 * Writes value / 10^decimals as a string, "-334.618": many readers keep numbers as doubles, which
 * would round a weight.
 */
void json_writer_weight(struct json_writer *w, const char *key, uint64_t value, unsigned decimals);
/* Writes a share, or a change of one, as a percentage with PERCENT_EXACT decimals. */
void json_writer_share(struct json_writer *w, const char *key, long double share);
void json_writer_change(struct json_writer *w, const char *key, int64_t value, unsigned decimals);

/*
 * Appends `text` as a JSON string, quotes included. '<', '>', '&', U+2028 and
 * U+2029 become \uNNNN, too, so that the string is safe in a script element.
 * Ill-formed UTF-8 becomes U+FFFD.
 */
void json_writer_string(struct buf *out, struct slice text);

#endif
