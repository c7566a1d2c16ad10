/*
 * Properties where case is ignored: in the browser \p{Lu} then matches
 * whatever has another case that is in the set, in PCRE2 only the set itself.
 * Characters written one by one do match their other cases in both, so the
 * set is written out that way.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/die.h"
#include "match/pattern_parser.h"

enum { CASED_END = 0x20000 }; /* no character from here on has another case */

/* Every character before CASED_END. */
static void write_characters(struct buf *out)
{
    for (uint32_t c = 0; c < CASED_END; c++)
        if (!pattern_is_surrogate(c))
            utf8_encode(out, c);
}

static pcre2_code *compile(const char *set)
{
    struct buf text;
    PCRE2_SIZE offset;
    pcre2_code *code;
    int error;

    buf_init(&text);
    buf_printf(&text, "%s+", set);
    code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, PCRE2_UTF, &error, &offset, NULL);
    buf_release(&text);
    return code;
}

/* The first character of `run` to its last. */
static void add_run(struct buf *out, struct slice run)
{
    uint32_t first, last;
    size_t end = run.len - 1;

    utf8_decode(run, &first);
    while (((unsigned char)run.ptr[end] & 0xc0) == 0x80)
        end--;
    utf8_decode(slice_skip(run, end), &last);
    buf_printf(out, "\\x{%x}-\\x{%x}", first, last);
}

void pattern_case_add(struct buf *out, const char *set)
{
    pcre2_code *code = compile(set);
    pcre2_match_data *data;
    struct buf all;
    size_t at = 0;

    if (!code)
        return; /* a script that PCRE2 does not know: it will say so where it reads the pattern */
    buf_init(&all);
    write_characters(&all);
    data = pcre2_match_data_create_from_pattern(code, NULL);
    if (!data)
        die("out of memory for matching");
    while (pcre2_match(code, (PCRE2_SPTR)all.ptr, all.len, at, PCRE2_NO_UTF_CHECK, data, NULL) >
           0) {
        const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(data);

        add_run(out, slice_make(all.ptr + ends[0], ends[1] - ends[0]));
        at = ends[1];
    }
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    buf_release(&all);
}
