#include "batch/meta.h"

#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "input/parse/yaml.h"
#include "profile/service.h"

enum { META_MAX_SIZE = 64 << 10, NS_DECIMALS = 9 };

/* A value that is not text is a number of the run. */
static const struct meta_key {
    const char *key, *fact;
    enum { META_TEXT, META_COUNT, META_DURATION, META_LOST } kind;
} keys[] = {
    {"commit", RUN_COMMIT, META_TEXT},   {"build", RUN_BUILD, META_TEXT},
    {"note", RUN_NOTE, META_TEXT},       {"host", RUN_HOST, META_TEXT},
    {"kernel", RUN_KERNEL, META_TEXT},   {"cpu", RUN_CPU, META_TEXT},
    {"command", RUN_COMMAND, META_TEXT}, {"date", RUN_TIME, META_TEXT},
    {"period", RUN_PERIOD, META_TEXT},   {"requests", RUN_REQUESTS, META_COUNT},
    {"duration", NULL, META_DURATION},   {"lost", NULL, META_LOST},
};

enum { KEYS = sizeof(keys) / sizeof(*keys) };

struct meta {
    struct yaml_reader yaml;
    struct arena memory;
    const char *values[KEYS]; /* NULL: not given */
    uint64_t duration_ns, lost;
};

static bool refuse(struct meta *m, const char *key, const char *value, const char *expected)
{
    diag_add(m->yaml.diag, DIAG_ERROR, yaml_place(&m->yaml), "%s: invalid value '%s', expected %s",
             key, value, expected);
    return false;
}

/* Reads a number of seconds above 0. */
static bool read_seconds(struct slice text, uint64_t *ns)
{
    struct decimal d;

    if (!num_parse_decimal(text, &d) || d.decimals > NS_DECIMALS)
        return false;
    return num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), ns) && *ns > 0;
}

static bool check_value(struct meta *m, const struct meta_key *key, const char *value)
{
    struct slice text = slice_str(value);
    uint64_t count = 0;

    switch (key->kind) {
    case META_COUNT:
        return (num_parse_u64(text, &count) && count) ||
               refuse(m, key->key, value, "a number above 0");
    case META_DURATION:
        return read_seconds(text, &m->duration_ns) ||
               refuse(m, key->key, value, "a number of seconds with at most 9 decimals");
    case META_LOST:
        return num_parse_u64(text, &m->lost) || refuse(m, key->key, value, "a number");
    case META_TEXT:
        break;
    }
    return utf8_valid(text) || refuse(m, key->key, "...", "UTF-8");
}

static bool unknown_key(struct meta *m, const char *key)
{
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, key);
    for (size_t i = 0; i < KEYS; i++)
        suggest_offer(&near, keys[i].key);
    suggest_write(&near, "", &hint);
    diag_add(m->yaml.diag, DIAG_ERROR, yaml_place(&m->yaml), "unknown key '%s'%s", key,
             buf_string(&hint));
    buf_release(&hint);
    return false;
}

static bool read_key(void *meta, const char *key)
{
    struct meta *m = meta;
    size_t i = 0;

    while (i < KEYS && strcmp(keys[i].key, key) != 0)
        i++;
    if (i == KEYS)
        return unknown_key(m, key);
    if (m->values[i]) {
        diag_add(m->yaml.diag, DIAG_ERROR, yaml_place(&m->yaml), "key '%s' is given twice", key);
        return false;
    }
    return yaml_advance(&m->yaml) && (m->values[i] = yaml_scalar(&m->yaml, key)) &&
           check_value(m, &keys[i], m->values[i]);
}

/* Replaces or adds a fact; copies the texts. */
static void set_fact(struct profile *p, struct run *run, struct slice key, struct slice value)
{
    struct fact fact = {arena_copy(&p->strings, key), arena_copy(&p->strings, value)};

    vec_each (struct fact, f, &run->facts)
        if (slice_equal(f->key, key)) {
            *f = fact;
            return;
        }
    *vec_add(&run->facts) = fact;
}

static void apply(const struct meta *m, struct profile *p)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (!m->values[i])
            continue;
        if (keys[i].fact) {
            profile_set_fact(p, slice_str(keys[i].fact), slice_str(m->values[i]));
            vec_each (struct run, run, &p->runs)
                set_fact(p, run, slice_str(keys[i].fact), slice_str(m->values[i]));
        } else if (keys[i].kind == META_DURATION) {
            p->duration_ns = m->duration_ns;
            vec_each (struct run, run, &p->runs)
                run->duration_ns = m->duration_ns;
        } else {
            p->ledger.lost = m->lost;
            vec_each (struct run, run, &p->runs)
                run->lost = m->lost;
        }
    }
}

bool meta_apply(const char *path, struct profile *p, struct diag *diag)
{
    struct meta m = {.yaml = {.diag = diag}};
    struct buf text = {0}, why = {0};
    bool ok;

    if (!path)
        return true;
    m.yaml.memory = &m.memory;
    ok = file_read(path, META_MAX_SIZE, &text, &why) || diag_error(diag, "%s", buf_string(&why));
    ok = ok && yaml_read(&m.yaml, buf_slice(&text), "facts", read_key, &m);
    if (ok)
        apply(&m, p);
    arena_release(&m.memory);
    buf_release(&why);
    buf_release(&text);
    return ok;
}
