#include "input/build/origin.h"

#include "base/utf8.h"
#include "input/build/thread_state.h"

/* Whether the name or the number is among those wanted. */
static bool is_among(const char *const *wanted, size_t count, struct slice name,
                     struct slice number)
{
    for (size_t i = 0; i < count; i++) {
        struct slice one = slice_str(wanted[i]);

        if (slice_equal(one, name) || slice_equal(one, number))
            return true;
    }
    return false;
}

static bool is_state_wanted(struct slice state, const struct input_options *options)
{
    for (size_t i = 0; i < options->state_count; i++)
        if (thread_state_is(state, slice_str(options->states[i])))
            return true;
    return false;
}

/* Takes the key off "KEY=VALUE"; without a '=' all of the text is the key. */
static struct slice take_key(struct slice *tag)
{
    size_t equals = slice_find(*tag, '=');
    struct slice key = slice_take(*tag, equals);

    *tag = slice_skip(*tag, equals + 1);
    return key;
}

bool origin_needs_tag(const struct input_options *options, struct slice key)
{
    for (size_t i = 0; i < options->tag_count; i++) {
        struct slice tag = slice_str(options->tags[i]);

        if (slice_equal(take_key(&tag), key))
            return true;
    }
    return options->split_tag && slice_equal(slice_str(options->split_tag), key);
}

void origin_take_tag(struct origin *o, const struct input_options *options, struct slice key,
                     struct slice value)
{
    for (size_t i = 0; i < options->tag_count; i++) {
        struct slice tag = slice_str(options->tags[i]);

        if (slice_equal(take_key(&tag), key) && slice_equal(tag, value))
            o->tags = TAGS_WANTED;
    }
    if (options->split_tag && slice_equal(slice_str(options->split_tag), key))
        o->tag = value;
}

bool origin_is_wanted(const struct origin *o, const struct input_options *options)
{
    if (options->process_count && origin_has_process(o) &&
        !is_among(options->processes, options->process_count, o->process, o->pid))
        return false;
    if (options->state_count && o->state.len && !is_state_wanted(o->state, options))
        return false;
    if (options->tag_count && o->tags == TAGS_OTHER)
        return false;
    return !options->thread_count || !origin_has_thread(o) ||
           is_among(options->threads, options->thread_count, o->thread, o->tid);
}

/* Appends ", name (number)", as far as there is anything. */
static void add_part(struct buf *out, struct slice name, struct slice number)
{
    if (!name.len && !number.len)
        return;
    if (out->len)
        buf_add_str(out, ", ");
    utf8_add_clean(out, name.len ? name : number);
    if (name.len && number.len) {
        buf_add_str(out, " (");
        utf8_add_clean(out, number);
        buf_add_char(out, ')');
    }
}

/* "003" is CPU 3. */
static void add_cpu(struct buf *out, struct slice number)
{
    while (number.len > 1 && number.ptr[0] == '0')
        number = slice_skip(number, 1);
    buf_add_str(out, out->len ? ", CPU " : "CPU ");
    utf8_add_clean(out, number);
}

void origin_add_name(struct buf *out, const struct origin *o, const struct input_options *options)
{
    utf8_add_clean(out, o->event);
    /* Without a thread's number, samples are split by process only. */
    if (options->split_process || (options->split_thread && !o->tid.len))
        add_part(out, o->process, o->pid);
    if (options->split_thread)
        add_part(out, o->thread, o->tid);
    if (options->split_cpu && o->cpu.len)
        add_cpu(out, o->cpu);
    if (options->split_cgroup)
        add_part(out, o->cgroup, slice_make(NULL, 0));
    add_part(out, o->tag, slice_make(NULL, 0));
}
