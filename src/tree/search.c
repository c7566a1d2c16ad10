#include "tree/search.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/utf8.h"
#include "tree/pattern.h"

/*
 * The work for a name: so many steps for each place where a match may start,
 * fewer the more such places there are. Without the just-in-time compiler
 * (or where its stack does not suffice) the memory of backtracking is bounded
 * as well.
 */
enum {
    STEPS_PER_NAME = 100000000,
    STEPS_LEAST = 2000,
    STEPS_MOST = 10000000,
    HEAP_KIB = 32768,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
};

struct search {
    pcre2_code *code;
};

/* What a thread needs to match. */
struct matcher {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
};

/* JavaScript's ends of lines and of names: pattern.c has seen to the rest. */
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
        s->code = code;
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

static void matcher_init(struct matcher *m, const struct search *s)
{
    m->data = pcre2_match_data_create_from_pattern(s->code, NULL);
    m->context = pcre2_match_context_create(NULL);
    m->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
    if (!m->data || !m->context)
        die("out of memory for matching");
    pcre2_set_heap_limit(m->context, HEAP_KIB);
    if (m->stack)
        pcre2_jit_stack_assign(m->context, NULL, m->stack);
}

static void matcher_release(struct matcher *m)
{
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->context);
    pcre2_jit_stack_free(m->stack);
}

/* 1: matches, 0: does not, -1: given up. */
static int matcher_match(struct matcher *m, const struct search *s, struct slice name)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(name.len ? name.ptr : "");
    size_t steps = STEPS_PER_NAME / (name.len + 1);
    int result;

    steps = steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : steps;
    pcre2_set_match_limit(m->context, (uint32_t)steps);
    pcre2_set_depth_limit(m->context, (uint32_t)steps);
    result = pcre2_match(s->code, text, name.len, 0, PCRE2_NO_UTF_CHECK, m->data, m->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(s->code, text, name.len, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m->data,
                             m->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return 0;
    return result >= 0 ? 1 : -1;
}

uint32_t search_symbols(const struct search *s, const struct symbols *symbols, bool *hit)
{
    uint32_t exhausted = 0;
    struct matcher m;

    matcher_init(&m, s);
    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        int result = matcher_match(&m, s, symbol_name(symbols, i));

        hit[i] = result > 0;
        exhausted += result < 0;
    }
    matcher_release(&m);
    return exhausted;
}

/* Sums the matching nodes that have no matching ancestor, and marks the symbols met. */
static void sum_union(const struct tree *t, const bool *hit, bool *met,
                      struct search_result *result)
{
    bool *covered = xcalloc(t->count, sizeof(*covered));

    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t symbol = t->symbol[i];

        covered[i] = covered[t->parent[i]];
        if (!hit[symbol])
            continue;
        if (t->total[i] || (t->base && t->base[i]))
            met[symbol] = true;
        if (covered[i])
            continue;
        covered[i] = true;
        result->weight += t->total[i];
        result->base += t->base ? t->base[i] : 0;
    }
    free(covered);
}

void search_run(const struct search *s, const struct tree *t, struct search_result *result)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t count = symbols_count(symbols);
    bool *hit = xcalloc(count, sizeof(*hit));
    bool *met = xcalloc(count, sizeof(*met));

    *result = (struct search_result){0};
    result->exhausted = search_symbols(s, symbols, hit);
    sum_union(t, hit, met, result);
    for (uint32_t i = 0; i < count; i++)
        result->symbols += met[i];
    free(met);
    free(hit);
}
