#include "match/search.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/utf8.h"
#include "match/literal.h"
#include "match/pattern.h"

/*
 * PCRE2 calls a function before each item of a pattern that it tries. Such a step takes about 6 ns,
 * so that STEPS_OF_SEARCH bound the time; unlike seconds they are the same in every run. (PCRE2's
 * own limit does not count what compiled patterns do within ".*".) STEPS_OF_BYTE let a pattern that
 * takes linear time finish on profiles of any size. HEAP_KIB limits backtracking memory if the
 * just-in-time compiler is missing or its stack is too small.
 */
enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    STEPS_OF_SEARCH = 10000000, /* so that a fuzzer does not take a slow pattern for a hang */
#else
    STEPS_OF_SEARCH = 100000000,
#endif
    STEPS_OF_BYTE = 16,    /* that each byte of a name adds to those of the search */
    STEPS_INTERPRETED = 8, /* the charge for a step without the just-in-time compiler's stack */
    REFERENCE_BYTES = 16,  /* that a back reference compares in the time of a step */
    HEAP_KIB = 32768,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
};

struct search_matcher {
    const struct search *search;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
    uint64_t left, charge; /* steps; 0 if the search was given up; what each of them is charged */
    bool references;       /* the pattern has back references */
};

/* Compiles a translated pattern; line ends and `$` are JavaScript's. */
static pcre2_code *compile(const struct pattern *p, bool ignore_case, struct buf *why)
{
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT | PCRE2_NO_AUTO_POSSESS |
                             (ignore_case ? PCRE2_CASELESS : 0);
    PCRE2_UCHAR text[256];
    PCRE2_SIZE offset = 0;
    pcre2_code *code;
    int error = 0;

    code = pcre2_compile((PCRE2_SPTR)buf_string(&p->text), p->text.len, options, &error, &offset,
                         NULL);
    if (code)
        return code;
    pcre2_get_error_message(error, text, sizeof(text));
    buf_printf(why, "%s at offset %zu", (const char *)text, pattern_origin(p, offset));
    return NULL;
}

void search_quote(struct buf *out, struct slice text)
{
    buf_add_char(out, '^');
    literal_quote(out, text);
    buf_add_char(out, '$');
}

/* Compiles a regular expression. Returns NULL after appending the reason to `why`. */
static pcre2_code *compile_pattern(struct slice pattern, bool ignore_case, struct buf *why)
{
    pcre2_code *code = NULL;
    struct pattern p = {0};

    if (!utf8_valid(pattern))
        buf_add_str(why, "the pattern is not valid UTF-8");
    else if (pattern_translate(&p, pattern, ignore_case, why))
        code = compile(&p, ignore_case, why);
    pattern_release(&p);
    return code;
}

/* Compiles what a pattern that is no regular expression means, or returns NULL. */
static pcre2_code *compile_meant(struct slice pattern, bool ignore_case)
{
    struct buf quoted = {0}, why = {0};
    pcre2_code *code = NULL;

    if (literal_is_meant(pattern)) {
        literal_quote_text(&quoted, pattern);
        code = compile_pattern(buf_slice(&quoted), ignore_case, &why);
    }
    buf_release(&quoted);
    buf_release(&why);
    return code;
}

struct search *search_new(struct slice pattern, unsigned how, struct buf *why)
{
    const bool ignore_case = how & SEARCH_IGNORE_CASE;
    struct buf quoted = {0}, wrong = {0};
    struct search *s = NULL;
    pcre2_code *code;

    if (how & SEARCH_TEXT) {
        literal_quote(&quoted, pattern);
        pattern = buf_slice(&quoted);
    }
    code = compile_pattern(pattern, ignore_case, &wrong);
    if (!code)
        code = compile_meant(pattern, ignore_case);
    if (code) {
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it, matching is only slower */
        s = xmalloc(sizeof(*s));
        *s = (struct search){
            .pattern = pattern, .ignore_case = ignore_case, .code = code, .quoted = quoted};
    } else {
        buf_add_slice(why, buf_slice(&wrong));
        buf_release(&quoted);
    }
    buf_release(&wrong);
    return s;
}

void search_free(struct search *s)
{
    if (!s)
        return;
    pcre2_code_free(s->code);
    buf_release(&s->quoted);
    free(s);
}

bool search_list_add(struct search_list *list, struct slice name, struct slice pattern,
                     unsigned how, struct buf *why)
{
    struct search *s = search_new(pattern, how, why);

    if (!s)
        return false;
    s->name = name;
    *vec_add(list) = s;
    return true;
}

void search_list_release(struct search_list *list)
{
    vec_each (struct search *, s, list)
        search_free(*s);
    vec_release(list);
}

/* Charges the search for a step. Returns 0 to go on. */
static int count_step(pcre2_callout_block *block, void *matcher)
{
    struct search_matcher *m = matcher;

    (void)block;
    if (m->left <= m->charge)
        return PCRE2_ERROR_CALLOUT;
    m->left -= m->charge;
    return 0;
}

struct search_matcher *search_matcher_new(const struct search *s)
{
    struct search_matcher *m = xmalloc(sizeof(*m));
    uint32_t references = 0;

    pcre2_pattern_info(s->code, PCRE2_INFO_BACKREFMAX, &references);
    *m = (struct search_matcher){.search = s, .left = STEPS_OF_SEARCH, .references = references};
    m->data = pcre2_match_data_create_from_pattern(s->code, NULL);
    m->context = pcre2_match_context_create(NULL);
    m->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
    if (!m->data || !m->context)
        die("out of memory for matching");
    pcre2_set_heap_limit(m->context, HEAP_KIB);
    pcre2_set_match_limit(m->context, UINT32_MAX);
    pcre2_set_depth_limit(m->context, UINT32_MAX);
    pcre2_set_callout(m->context, count_step, m);
    if (m->stack)
        pcre2_jit_stack_assign(m->context, NULL, m->stack);
    return m;
}

void search_matcher_free(struct search_matcher *m)
{
    if (!m)
        return;
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->context);
    pcre2_jit_stack_free(m->stack);
    free(m);
}

enum search_match search_match_from(struct search_matcher *m, struct slice name, size_t from)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(name.len ? name.ptr : "");
    int result;

    if (!m->left)
        return SEARCH_GIVEN_UP;
    if (from == 0)
        m->left += (uint64_t)STEPS_OF_BYTE * (name.len + 1);
    m->charge = 1 + (m->references ? name.len / REFERENCE_BYTES : 0);
    result =
        pcre2_match(m->search->code, text, name.len, from, PCRE2_NO_UTF_CHECK, m->data, m->context);
    m->charge *= STEPS_INTERPRETED;
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(m->search->code, text, name.len, from,
                             PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m->data, m->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return SEARCH_MISS;
    if (result >= 0)
        return SEARCH_HIT;
    m->left = 0;
    return SEARCH_GIVEN_UP;
}

enum search_match search_match(struct search_matcher *m, struct slice name)
{
    return search_match_from(m, name, 0);
}

unsigned search_matched_groups(const struct search_matcher *m)
{
    return pcre2_get_ovector_count(m->data);
}

struct slice search_matched(const struct search_matcher *m, struct slice name, unsigned group)
{
    const PCRE2_SIZE *spans = pcre2_get_ovector_pointer(m->data);
    PCRE2_SIZE from, to;

    if (group >= search_matched_groups(m))
        return slice_make(NULL, 0);
    from = spans[2 * group];
    to = spans[2 * group + 1];
    return from <= to && to <= name.len ? slice_make(name.ptr + from, to - from)
                                        : slice_make(NULL, 0);
}
