/*
 * Escapes in JSON that stand for half a character.
 *
 * A character beyond U+FFFF is written as two of them, "\ud83d\ude00". One
 * alone is no character, and yajl makes some other one of it; so it is turned
 * into the escape of U+FFFD before yajl sees it, which is as long, so that
 * places in the file stay true.
 */
#ifndef INPUT_PARSE_JSON_ESCAPE_H
#define INPUT_PARSE_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Mends the first `len` bytes in place. Returns how many of them are done: all
 * where they are the `last` of the content, else all before an escape that may
 * go on behind them.
 */
size_t json_escape_mend(char *bytes, size_t len, bool last);

#endif
