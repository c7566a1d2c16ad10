
#include "input/parse/json_scan.h"

#include "unit/support/test.h"

/* Writes a token as one letter, and its text. */
static void write_token(struct buf *out, struct json_scan *scan, enum json_token token)
{
    static const char letters[] = {
        [JSON_SCAN_NULL] = 'n',   [JSON_SCAN_FALSE] = 'f',  [JSON_SCAN_TRUE] = 't',
        [JSON_SCAN_NUMBER] = '#', [JSON_SCAN_STRING] = '$', [JSON_SCAN_KEY] = ':',
        [JSON_SCAN_ARRAY] = '[',  [JSON_SCAN_OBJECT] = '{', [JSON_SCAN_END] = '.',
    };

    buf_add_char(out, letters[token]);
    if (token == JSON_SCAN_NUMBER)
        buf_add_slice(out, scan->text);
    if ((token == JSON_SCAN_STRING || token == JSON_SCAN_KEY) && scan->escaped)
        json_scan_unescape(out, scan->text);
    else if (token == JSON_SCAN_STRING || token == JSON_SCAN_KEY)
        buf_add_slice(out, scan->text);
    buf_add_char(out, ' ');
}

/* Scans two parts of a text, the second with what the first has left. Writes the damage's place. */
static void scan_parts(struct slice text, size_t first, struct buf *out)
{
    struct json_scan scan = {0};
    enum json_token token;
    size_t before = 0;

    buf_clear(out);
    json_scan_give(&scan, slice_take(text, first), false);
    while ((token = json_scan_next(&scan)) > JSON_SCAN_DAMAGED)
        write_token(out, &scan, token);
    if (token == JSON_SCAN_CUT) {
        before = (size_t)(scan.at - scan.begin);
        json_scan_give(&scan, slice_skip(text, before), true);
        while ((token = json_scan_next(&scan)) > JSON_SCAN_DAMAGED)
            write_token(out, &scan, token);
    }
    if (token == JSON_SCAN_DAMAGED)
        buf_printf(out, "%zu: %s", before + (size_t)(scan.wrong_at - scan.begin), scan.why);
    json_scan_release(&scan);
}

static const struct {
    struct slice text;
    const char *tokens;
} scan_cases[] = {
    {SLICE("{\"a\":[1,-2.5e+3,\"x\"],\"b\":{},\"c\":true} "),
     "{ :a [ #1 #-2.5e+3 $x . :b { . :c t . "},
    {SLICE(" [ null , false ]\n\v\f[ ] 12"), "[ n f . [ . #12 "},
    {SLICE("[\"\\u00e9\\ud83d\\ude00\\n\\/\\\\\",\"\\ud83dx\\ude00\"]"),
     "[ $\xc3\xa9\xf0\x9f\x98\x80\n/\\ $\xef\xbf\xbdx\xef\xbf\xbd . "},
    {SLICE("{\"a long key, longer than sixteen\":\"and a text, \\t, that is longer\"}"),
     "{ :a long key, longer than sixteen $and a text, \t, that is longer . "},
    {SLICE("{\"a\":1,}[1,]"), "{ :a #1 . [ #1 . "},
    {SLICE("[0,10,123456789012345678901234567890]"), "[ #0 #10 #123456789012345678901234567890 . "},
    {SLICE("[,1]"), "[ 1: unallowed token at this point in JSON text"},
    {SLICE("[1,,2]"), "[ #1 3: unallowed token at this point in JSON text"},
    {SLICE("[{\"a\":1]"), "[ { :a #1 7: after key and value, inside map, I expect ',' or '}'"},
    {SLICE("{\"a\":1 \"bc\":2}"),
     "{ :a #1 7: after key and value, inside map, I expect ',' or '}'"},
    {SLICE("[1}"), "[ #1 2: after array element, I expect ',' or ']'"},
    {SLICE("{\"a\",1}"), "{ :a 4: object key and value must be separated by a colon (':')"},
    {SLICE("{1:2}"), "{ 1: invalid object key (must be a string)"},
    {SLICE("[\"a\tb\"]"), "[ 2: lexical error: invalid character inside string."},
    {SLICE("[\"\\x\"]"),
     "[ 2: lexical error: inside a string, '\\' occurs before a character which it may not."},
    {SLICE("[\"\\u12g4\"]"),
     "[ 5: lexical error: invalid (non-hex) character occurs after '\\u' inside string."},
    {SLICE("[trux]"), "[ 3: lexical error: invalid string in json text."},
    {SLICE("[-]"),
     "[ 1: lexical error: malformed number, a digit is required after the minus sign."},
    {SLICE("[1.]"),
     "[ 2: lexical error: malformed number, a digit is required after the decimal point."},
    {SLICE("[1e+]"),
     "[ 3: lexical error: malformed number, a digit is required after the exponent."},
    {SLICE("[01]"), "[ #0 2: after array element, I expect ',' or ']'"},
    {SLICE("[NaN]"), "[ 1: lexical error: invalid char in json text."},
    {SLICE("[1 // one\n]"),
     "[ #1 3: lexical error: probable comment found in input text, comments are not enabled."},
    {SLICE("tru"), "3: lexical error: invalid string in json text."},
};

/* The tokens and the place of a damage do not depend on where a text is cut in two. */
Test(input_json_scan, tokens)
{
    for (size_t i = 0; i < sizeof(scan_cases) / sizeof(scan_cases[0]); i++) {
        struct slice text = scan_cases[i].text;
        struct buf out = {0};

        for (size_t first = 0; first <= text.len; first++) {
            char *copy = xmalloc(text.len + 1); /* its end is one of memory, for sanitizers */

            memcpy(copy, text.ptr, text.len);
            scan_parts(slice_make(copy, text.len), first, &out);
            cr_expect_str_eq(buf_string(&out), scan_cases[i].tokens, "%zu of %s: %s", first,
                             text.ptr, buf_string(&out));
            xfree(copy);
        }
        buf_release(&out);
    }
}
