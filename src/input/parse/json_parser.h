/*
 * From JSON's bytes to values: yajl, and what is built of its calls.
 *
 * The parser is fed in blocks. Numbers in a row it need not see: between two
 * blocks they are taken from the bytes, where json_parser.numbers says that
 * they may come.
 */
#ifndef INPUT_PARSE_JSON_PARSER_H
#define INPUT_PARSE_JSON_PARSER_H

#include "input/parse/json_text.h"

struct yajl_handle_t;

struct json_parser {
    const struct json_handler *handler;
    struct diag *diag;
    struct yajl_handle_t *yajl;
    struct json_hand hand; /* the value that is being built */
    VEC(uint32_t) open;    /* its containers that have not ended */
    VEC(bool) above;       /* the containers around it: whether they are arrays */
    struct buf parent;     /* key of the member of the top that the value is in */
    uint64_t documents;
    uint64_t fed;      /* bytes that were read before those the parser works on */
    uint64_t array_at; /* the byte behind the bracket of the array that began last */
    bool numbers;      /* what comes next may be numbers of the innermost array, from its start */
    bool heard;        /* the end of a value or a key was met since this was set */
    bool stopped;      /* an error was told */
    bool muted;        /* yajl is led back to where it was */
};

void json_parser_init(struct json_parser *p, const struct json_handler *handler, struct diag *diag);
void json_parser_release(struct json_parser *p);

/* Gives bytes to the parser. False where an error was told. */
bool json_parser_feed(struct json_parser *p, struct slice bytes);
/* Takes the numbers off the front of the bytes that the array in hand begins or goes on with. */
bool json_parser_take_numbers(struct json_parser *p, struct slice *bytes);
/* All bytes were given. */
bool json_parser_end(struct json_parser *p);

#endif
