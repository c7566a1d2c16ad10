#include "input/build/addresses.h"

#include "base/num.h"

void addresses_init(struct addresses *a, const struct input_options *options, struct diag *diag)
{
    *a = (struct addresses){.files = {.options = options, .diag = diag}};
}

void addresses_release(struct addresses *a)
{
    vec_each (struct code_file, file, &a->items)
        code_file_release(file);
    release_each(a, (vec, items, loaded), (intern, keys), (buf, key), (code_files, files));
}

static uint32_t find_file(struct addresses *a, const struct addresses_binary *binary)
{
    uint32_t id;
    struct slice key;

    buf_clear(&a->key);
    buf_add_slice(&a->key, binary->path);
    buf_add_char(&a->key, '\0');
    buf_add_slice(&a->key, binary->build_id);
    id = intern_add(&a->keys, buf_slice(&a->key));
    if (id == a->items.count) {
        key = intern_get(&a->keys, id);
        *vec_add(&a->loaded) = false;
        *vec_add(&a->items) = (struct code_file){.path = slice_take(key, binary->path.len),
                                                 .build_id = slice_skip(key, binary->path.len + 1),
                                                 .code = binary->code};
    }
    return id;
}

static struct code_file *load(struct addresses *a, uint32_t id)
{
    struct code_file *f = &a->items.items[id];

    if (a->loaded.items[id])
        return f;
    a->loaded.items[id] = true;
    f->has_image = code_file_open(&a->files, f) || code_file_fetch(&a->files, f);
    code_file_add_symbols(&a->files, f);
    return f;
}

/* Makes an address one of the binary. Returns false if it has no such address. */
static bool to_virtual(const struct code_file *f, enum addresses_kind kind, uint64_t *address)
{
    const struct binary *e = f->has_image ? &f->image : &f->debug;
    uint64_t base;

    if (!f->has_image && !f->has_debug)
        return false;
    if (kind == ADDRESSES_OFFSET)
        return binary_address(e, *address, address);
    if (kind == ADDRESSES_BASE) {
        if (!binary_base(e, &base))
            return false;
        *address += base;
    }
    return true;
}

struct slice addresses_find(struct addresses *a, const struct addresses_binary *binary,
                            enum addresses_kind kind, uint64_t address)
{
    struct code_file *f = load(a, find_file(a, binary));
    const struct binary_symbol *symbol = NULL;

    if (to_virtual(f, kind, &address))
        symbol = symtab_find(&f->symbols, address);
    f->frames++;
    f->unnamed += !symbol;
    return symbol ? symbol->name : SLICE("");
}

void addresses_report(struct addresses *a, struct profile *profile)
{
    const struct code_file **files = xcalloc(a->items.count + 1, sizeof(*files));

    for (size_t i = 0; i < a->items.count; i++)
        files[i] = &a->items.items[i];
    code_files_report(&a->files, files, a->items.count, "addresses", profile);
    xfree(files);
}

void addresses_add_id(struct buf *out, struct slice hex)
{
    enum { DIGITS = 2, MOST = 64 };
    size_t before = out->len;

    for (size_t i = 0; i < hex.len && hex.len <= MOST; i += DIGITS) {
        uint64_t byte;

        if (hex.len % DIGITS || !num_parse_hex(slice_take(slice_skip(hex, i), DIGITS), &byte)) {
            out->len = before;
            return;
        }
        buf_add_char(out, (char)byte);
    }
}
