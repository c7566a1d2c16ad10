/*
 * From the tokens of JSON to values: what json_read() gives its blocks to.
 *
 * For the files of json.h alone.
 */
#ifndef INPUT_PARSE_JSON_PARSER_H
#define INPUT_PARSE_JSON_PARSER_H

#include "input/parse/json.h"
#include "input/parse/json_scan.h"

/* The value that is being parsed. */
struct json_hand {
    struct json_document value;
    bool has_key; /* a member's key is there and its value is not */
    struct slice key;
    struct slice block; /* the bytes that are being scanned */
    size_t kept;        /* values whose texts were copied out of `block` */
    struct buf plain;   /* a text without its escapes */
};

/*
 * Whole elements of an array, parsed ahead of their turn. The parser collects them in its hand,
 * one value after the other.
 */
struct json_element {
    size_t value; /* index */
    uint64_t at;  /* offset after it in the bytes */
};
struct json_batch {
    VEC(struct json_element) elements;
    size_t begun;               /* index of the value that comes next */
    size_t used;                /* bytes up to the end of the last one */
    enum json_scan_state state; /* there */
};

struct json_parser {
    const struct json_handler *handler;
    struct diag *diag;
    struct json_scan scan;
    struct json_hand hand; /* the value that is being built */
    VEC(uint32_t) open;    /* its containers that have not ended */
    size_t above;          /* number of containers around it */
    struct buf parent;     /* key of the member of the top that the value is in */
    uint64_t documents;
    uint64_t before; /* bytes before those that the scanner has */
    bool numbers;    /* what comes next may be numbers of the innermost array, from its start */
    bool heard;      /* the end of a value or a key was met since this was set */
    bool stopped;    /* an error was reported */
    bool cut;        /* the document ends in the middle */
    /* Elements are collected instead of being passed on. NULL if not. */
    struct json_batch *batch;
};

void json_parser_init(struct json_parser *p, const struct json_handler *handler, struct diag *diag);
void json_parser_release(struct json_parser *p);

/*
 * Gives bytes to the parser. If more follow, the `left` bytes at the end belong before these.
 * Returns false after reporting an error.
 */
bool json_parser_feed(struct json_parser *p, struct slice bytes, bool last, size_t *left);
/* All bytes were given. Returns false after reporting an error. */
bool json_parser_end(struct json_parser *p);

/* Copies the texts of the current value that are in the bytes. */
void json_parser_keep_texts(struct json_parser *p);

/*
 * Whether an element comes next, after a comma, of an array that is passed on element by element
 * and is in these containers: "[" or "{[".
 */
bool json_parser_is_at_element(const struct json_parser *p, struct slice brackets);
/*
 * Collects the elements in `bytes` as if they came next in such an array. Stops before anything
 * else, and reports nothing to the diag of the content.
 */
void json_parser_collect(struct json_parser *p, struct slice brackets, struct slice bytes,
                         struct json_batch *batch);
/*
 * Passes collected elements on, as if they had been given. Returns false after the reader has
 * reported an error.
 */
bool json_parser_take(struct json_parser *p, const struct json_parser *collected);

#endif
