#include "match/search.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/utf8.h"
#include "match/pattern.h"

/*
 * Limits of the work per name. PCRE2 counts steps for each start offset, so the
 * step limit is STEPS_PER_NAME divided by the length of the name, within
 * STEPS_LEAST and STEPS_MOST. HEAP_KIB limits backtracking memory if the
 * just-in-time compiler is missing or its stack is too small.
 */
enum {
    STEPS_PER_NAME = 100000000,
    STEPS_LEAST = 2000,
    STEPS_MOST = 10000000,
    HEAP_KIB = 32768,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
};

struct search_matcher {
    const struct search *search;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
};

/* Compiles a translated pattern; line ends and `$` are JavaScript's. */
static pcre2_code *compile(const struct pattern *p, bool ignore_case, struct buf *why)
{
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_NEVER_BACKSLASH_C | (ignore_case ? PCRE2_CASELESS : 0);
    PCRE2_UCHAR text[256];
    PCRE2_SIZE offset = 0;
    pcre2_code *code;
    int error = 0;

    code = pcre2_compile((PCRE2_SPTR)p->text.ptr, p->text.len, options, &error, &offset, NULL);
    if (code)
        return code;
    pcre2_get_error_message(error, text, sizeof(text));
    buf_printf(why, "%s at offset %zu", (const char *)text, pattern_origin(p, offset));
    return NULL;
}

struct search *search_new(struct slice pattern, bool ignore_case, struct buf *why)
{
    struct search *s = NULL;
    pcre2_code *code = NULL;
    struct pattern p;

    pattern_init(&p);
    if (!utf8_valid(pattern))
        buf_add_str(why, "the pattern is not valid UTF-8");
    else if (pattern_translate(&p, pattern, ignore_case, why))
        code = compile(&p, ignore_case, why);
    pattern_release(&p);
    if (code) {
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it, matching is only slower */
        s = xmalloc(sizeof(*s));
        *s = (struct search){.pattern = pattern, .ignore_case = ignore_case, .code = code};
    }
    return s;
}

void search_free(struct search *s)
{
    if (!s)
        return;
    pcre2_code_free(s->code);
    free(s);
}

bool search_list_add(struct search_list *list, struct slice name, struct slice pattern,
                     bool ignore_case, struct buf *why)
{
    struct search *s = search_new(pattern, ignore_case, why);

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

struct search_matcher *search_matcher_new(const struct search *s)
{
    struct search_matcher *m = xmalloc(sizeof(*m));

    m->search = s;
    m->data = pcre2_match_data_create_from_pattern(s->code, NULL);
    m->context = pcre2_match_context_create(NULL);
    m->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
    if (!m->data || !m->context)
        die("out of memory for matching");
    pcre2_set_heap_limit(m->context, HEAP_KIB);
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

enum search_match search_match(struct search_matcher *m, struct slice name)
{
    const pcre2_code *code = m->search->code;
    PCRE2_SPTR text = (PCRE2_SPTR)(name.len ? name.ptr : "");
    size_t steps = STEPS_PER_NAME / (name.len + 1);
    int result;

    steps = steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : steps;
    pcre2_set_match_limit(m->context, (uint32_t)steps);
    pcre2_set_depth_limit(m->context, (uint32_t)steps);
    result = pcre2_match(code, text, name.len, 0, PCRE2_NO_UTF_CHECK, m->data, m->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(code, text, name.len, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m->data,
                             m->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return SEARCH_MISS;
    return result >= 0 ? SEARCH_HIT : SEARCH_EXHAUSTED;
}
