#include "match/search.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/utf8.h"
#include "match/pattern.h"

/*
 * A name is first matched with STEPS_FIRST steps for each start offset, which is enough for
 * ordinary patterns. If they are not, each offset is matched by itself, and its limit grows by
 * STEPS_GROWTH until it is high enough, so that the steps charged are close to the steps taken.
 * Steps, unlike seconds, are the same in every run. HEAP_KIB limits backtracking memory if the
 * just-in-time compiler is missing or its stack is too small.
 */
enum {
    STEPS_OF_SEARCH = 1000000000,
    STEPS_FIRST = 64,
    STEPS_GROWTH = 4,
    HEAP_KIB = 32768,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
};

struct search_matcher {
    const struct search *search;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
    uint64_t left; /* steps; 0 if the search was given up */
};

/* Compiles a translated pattern; line ends and `$` are JavaScript's. */
static pcre2_code *compile(const struct pattern *p, bool ignore_case, struct buf *why)
{
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT |
                             (ignore_case ? PCRE2_CASELESS : 0);
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
    m->left = STEPS_OF_SEARCH;
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

/* Matches at the offsets from `first` to `last`, with a step limit for each of them. */
static int run(struct search_matcher *m, struct slice name, size_t first, size_t last,
               uint64_t steps)
{
    const pcre2_code *code = m->search->code;
    PCRE2_SPTR text = (PCRE2_SPTR)(name.len ? name.ptr : "");
    int result;

    pcre2_set_match_limit(m->context, (uint32_t)steps);
    pcre2_set_depth_limit(m->context, (uint32_t)steps);
    pcre2_set_offset_limit(m->context, last);
    result = pcre2_match(code, text, name.len, first, PCRE2_NO_UTF_CHECK, m->data, m->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(code, text, name.len, first, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                             m->data, m->context);
    return result;
}

static bool needs_more_steps(int result)
{
    return result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT;
}

/* Charges the search for steps. Returns false if too few are left. */
static bool charge(struct search_matcher *m, uint64_t steps)
{
    m->left -= steps < m->left ? steps : m->left;
    return m->left > 0;
}

static int match_at(struct search_matcher *m, struct slice name, size_t at)
{
    uint64_t steps = STEPS_FIRST;
    int result = PCRE2_ERROR_MATCHLIMIT;

    for (; needs_more_steps(result) && charge(m, steps); steps *= STEPS_GROWTH)
        result = run(m, name, at, at, steps);
    return result;
}

/* Matches at one offset after the other, each with as many steps as it needs. */
static int match_each(struct search_matcher *m, struct slice name)
{
    int result = PCRE2_ERROR_NOMATCH;

    for (size_t at = 0; at <= name.len && result == PCRE2_ERROR_NOMATCH; at++)
        if (at == name.len || (name.ptr[at] & 0xc0) != 0x80) /* a character begins here */
            result = match_at(m, name, at);
    return result;
}

enum search_match search_match(struct search_matcher *m, struct slice name)
{
    int result;

    if (!charge(m, name.len + 1))
        return SEARCH_GIVEN_UP;
    result = run(m, name, 0, PCRE2_UNSET, STEPS_FIRST);
    if (needs_more_steps(result))
        result = match_each(m, name);
    if (result == PCRE2_ERROR_NOMATCH)
        return SEARCH_MISS;
    if (result >= 0)
        return SEARCH_HIT;
    m->left = 0;
    return SEARCH_GIVEN_UP;
}
