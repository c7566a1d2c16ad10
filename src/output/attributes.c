#include "output/attributes.h"

#include "base/hash.h"
#include "base/suggest.h"
#include "base/utf8.h"

const char *const attributes_keys[ATTRIBUTE_KEYS] = {
    [ATTRIBUTE_TITLE] = "title",
    [ATTRIBUTE_CLASS] = "class",
    [ATTRIBUTE_HREF] = "href",
    [ATTRIBUTE_TARGET] = "target",
};

void attributes_release(struct attributes *a)
{
    vec_release(&a->items);
    map_release(&a->index);
    arena_release(&a->memory);
}

static bool same_name(const void *context, uint32_t id, const void *key)
{
    const struct attributes *a = context;

    return slice_equal(a->items.items[id].name, *(const struct slice *)key);
}

const struct attribute_set *attributes_find(const struct attributes *a, struct slice name)
{
    uint32_t id = map_find(&a->index, map_hash_bytes(&a->index, name), same_name, a, &name);

    return id == MAP_NONE ? NULL : &a->items.items[id];
}

static struct attribute_set *add_set(struct attributes *a, struct slice name)
{
    uint64_t hash = map_hash_bytes(&a->index, name);
    uint32_t id = map_find(&a->index, hash, same_name, a, &name);

    if (id == MAP_NONE) {
        id = (uint32_t)a->items.count;
        *vec_add(&a->items) = (struct attribute_set){.name = arena_copy(&a->memory, name)};
        map_add(&a->index, hash, id);
    }
    return &a->items.items[id];
}

/* ---- safety ---- */

/* True for UTF-8 without control characters, which browsers ignore in addresses. */
static bool is_plain(struct slice value)
{
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.ptr[i] < 0x20 || value.ptr[i] == 0x7f)
            return false;
    return utf8_valid(value);
}

/* Returns the scheme of an address: all before the first ':' without '/', '?' or '#'. */
static struct slice scheme_of(struct slice address)
{
    for (size_t i = 0; i < address.len; i++) {
        if (address.ptr[i] == ':')
            return slice_take(address, i);
        if (strchr("/?#", address.ptr[i]))
            break;
    }
    return slice_make(NULL, 0);
}

static bool is_scheme(struct slice scheme, const char *word)
{
    size_t len = strlen(word);

    if (scheme.len != len)
        return false;
    for (size_t i = 0; i < len; i++)
        if ((scheme.ptr[i] | 0x20) != word[i])
            return false;
    return true;
}

/* True for an address that runs nothing. Blanks are refused because browsers strip them. */
static bool is_safe_address(struct slice address)
{
    static const char *const safe[] = {"http", "https", "mailto", "ftp", "file"};
    struct slice scheme = scheme_of(address);

    if (slice_find(address, ' ') < address.len || slice_find(address, '\\') < address.len)
        return false;
    if (!scheme.len)
        return address.len && address.ptr[0] != ':';
    for (size_t i = 0; i < sizeof(safe) / sizeof(safe[0]); i++)
        if (is_scheme(scheme, safe[i]))
            return true;
    return false;
}

/* ---- lines ---- */

static bool find_key(struct slice word, enum attribute *key)
{
    for (unsigned i = 0; i < ATTRIBUTE_KEYS; i++) {
        if (slice_equal(word, slice_str(attributes_keys[i]))) {
            *key = (enum attribute)i;
            return true;
        }
    }
    return false;
}

static bool refuse_key(struct slice word, uint64_t line, struct arena *memory, struct diag *diag)
{
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, arena_strdup(memory, word));
    for (unsigned i = 0; i < ATTRIBUTE_KEYS; i++)
        suggest_offer(&near, attributes_keys[i]);
    suggest_write(&near, "", &hint);
    diag_add(diag, DIAG_ERROR, DIAG_AT_LINE(line),
             "invalid attribute '%.*s', expected one of: title, class, href, target%s",
             SLICE_ARG(word), buf_string(&hint));
    buf_release(&hint);
    return false;
}

static bool read_attribute(struct attributes *a, struct attribute_set *set, struct slice text,
                           uint64_t line, struct diag *diag)
{
    size_t equals = slice_find(text, '=');
    struct slice word = slice_trim(slice_take(text, equals));
    struct slice value = slice_skip(text, equals + 1);
    enum attribute key;

    if (equals == text.len) {
        diag_add(diag, DIAG_ERROR, DIAG_AT_LINE(line),
                 "invalid attribute '%.*s', expected key=value", SLICE_ARG(text));
        return false;
    }
    if (!find_key(word, &key))
        return refuse_key(word, line, &a->memory, diag);
    if (!is_plain(value) || (key == ATTRIBUTE_HREF && !is_safe_address(value))) {
        diag_add(diag, DIAG_ERROR, DIAG_AT_LINE(line),
                 "invalid %s '%.*s', expected text without control characters; an href is relative "
                 "or http, https, ftp, file or mailto",
                 attributes_keys[key], SLICE_ARG(value));
        return false;
    }
    set->values[key] = arena_copy(&a->memory, value);
    return true;
}

static bool read_line(struct attributes *a, struct slice line, uint64_t number, struct diag *diag)
{
    struct attribute_set *set;
    struct slice text;

    if (!slice_cut(&line, '\t', &text) || !text.len || !line.len) {
        diag_add(diag, DIAG_ERROR, DIAG_AT_LINE(number),
                 "expected a function, a tab, and key=value attributes parted by tabs");
        return false;
    }
    set = add_set(a, text);
    while (slice_cut(&line, '\t', &text))
        if (text.len && !read_attribute(a, set, text, number, diag))
            return false;
    return true;
}

bool attributes_read(struct attributes *a, struct slice text, struct diag *diag)
{
    struct slice line;
    bool ok = true;

    for (uint64_t number = 1; slice_line(&text, &line); number++)
        if (slice_trim(line).len && line.ptr[0] != '#')
            ok &= read_line(a, line, number, diag);
    return ok;
}
