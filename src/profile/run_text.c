#include "profile/run_text.h"

#include "base/num.h"
#include "base/key_value.h"

void run_text_write(const struct run *run, struct buf *out)
{
    struct buf key = {0};

    key_value_add(out, SLICE("name"), run->name);
    key_value_add_u64(out, SLICE("samples"), run->samples);
    buf_printf(&key, "%.17g", run->effective);
    key_value_add(out, SLICE("effective"), buf_slice(&key));
    key_value_add_u64(out, SLICE("duration_ns"), run->duration_ns);
    key_value_add_u64(out, SLICE("lost"), run->lost);
    vec_each (const struct fact, f, &run->facts) {
        buf_clear(&key);
        buf_add_char(&key, '.');
        buf_add_slice(&key, f->key);
        key_value_add(out, buf_slice(&key), f->value);
    }
    buf_release(&key);
}

static void set_number(struct run *run, struct slice key, struct slice value)
{
    double effective = 0;

    if (slice_equal(key, SLICE("samples")))
        num_parse_u64(value, &run->samples);
    else if (slice_equal(key, SLICE("duration_ns")))
        num_parse_u64(value, &run->duration_ns);
    else if (slice_equal(key, SLICE("lost")))
        num_parse_u64(value, &run->lost);
    else if (slice_equal(key, SLICE("effective")) && num_parse_double(value, &effective) &&
             effective >= 0 && effective <= 1e18)
        run->effective = effective;
}

/* Most facts are the same in all runs of a service. */
static struct slice keep(struct slice text, struct slice before, struct arena *memory)
{
    return slice_equal(text, before) ? before : arena_copy(memory, text);
}

void run_text_read(struct run *run, struct slice words, const struct runs *earlier,
                   struct arena *memory, struct buf *key, struct buf *value)
{
    const struct run none = {0},
                     *before = earlier->count ? &earlier->items[earlier->count - 1] : &none;

    *run = (struct run){0};
    while (key_value_next(&words, key, value)) {
        struct slice k = buf_slice(key), v = buf_slice(value);

        if (slice_starts(k, SLICE("."))) {
            size_t i = run->facts.count;
            struct fact same = i < before->facts.count ? before->facts.items[i] : (struct fact){0};

            *vec_add(&run->facts) = (struct fact){keep(slice_skip(k, 1), same.key, memory),
                                                  keep(v, same.value, memory)};
        } else if (slice_equal(k, SLICE("name"))) {
            run->name = arena_copy(memory, v);
        } else {
            set_number(run, k, v);
        }
    }
}
