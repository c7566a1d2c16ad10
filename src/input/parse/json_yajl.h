/*
 * Parsers of yajl whose memory is the program's: it is charged to the budget of the
 * thread, and running out of it ends the program; yajl itself checks no allocation.
 *
 * For the files of json.h alone. The caller frees the parser with yajl_free().
 */
#ifndef INPUT_PARSE_JSON_YAJL_H
#define INPUT_PARSE_JSON_YAJL_H

#include <yajl/yajl_parse.h>

/* Returns a parser that accepts several documents and leaves the encoding to the caller. */
yajl_handle json_yajl(const yajl_callbacks *callbacks, void *context);

#endif
