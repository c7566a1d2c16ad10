#include "input/formats/desktop/windows.h"

#include "base/ascii.h"
#include "input/build/owners.h"

/* Images that run in the kernel; names of drivers end in ".sys". */
static const char *const kernel_images[] = {
    "ntoskrnl.exe", "ntkrnlmp.exe", "ntkrnlpa.exe", "ntkrpamp.exe",
    "hal.dll",      "halmacpi.dll", "halaacpi.dll", NULL};

static bool equal_nocase(struct slice a, struct slice b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (ascii_lower(a.ptr[i]) != ascii_lower(b.ptr[i]))
            return false;
    return true;
}

static enum symbol_class image_class(struct slice image)
{
    const struct slice driver = SLICE(".sys");

    if (image.len > driver.len && equal_nocase(slice_skip(image, image.len - driver.len), driver))
        return SYMBOL_KERNEL;
    return slice_any(image, equal_nocase, kernel_images) ? SYMBOL_KERNEL : SYMBOL_USER;
}

/* Returns true for the placeholder of an unknown image or function. */
static bool is_unknown(struct slice text)
{
    return slice_is_any(text, "?", "n/a", "Unknown", "\"Unknown\"", "<unknown>", "<PDB_not_found>",
                        "<Missing>") ||
           !text.len;
}

struct frame windows_frame(struct slice text)
{
    struct frame f = {.kind = FRAME_NATIVE};
    size_t bang = slice_find(text, '!');

    if (bang < text.len) {
        f.module = slice_trim(slice_take(text, bang));
        text = slice_skip(text, bang + 1);
    }
    if (is_unknown(f.module))
        f.module = SLICE("");
    f.name = slice_trim(text);
    if (slice_starts(f.name, SLICE("0x")) && num_parse_hex(slice_skip(f.name, 2), &f.address)) {
        f.has_address = true;
        f.name = SLICE("");
    }
    if (is_unknown(f.name))
        f.name = SLICE("");
    f.class = image_class(f.module);
    return f;
}

void windows_process(struct slice text, struct origin *origin)
{
    size_t open = slice_find_last(text, '(');
    struct slice number = {0};

    text = slice_trim(text);
    if (slice_ends(text, SLICE(")")) && open < text.len)
        number = slice_trim(slice_take(slice_skip(text, open + 1), text.len - open - 2));
    origin->process = text;
    origin->pid = SLICE("");
    if (number.len && num_parse_u64(number, &(uint64_t){0})) {
        origin->process = slice_trim(slice_take(text, open));
        origin->pid = number;
    }
}

bool windows_idle(const struct origin *origin)
{
    return slice_equal(origin->process, SLICE("Idle")) &&
           (!origin->pid.len || slice_equal(origin->pid, SLICE("0")));
}

void windows_add_idle(struct profile *profile, uint64_t samples)
{
    struct buf text = {0};

    if (!samples)
        return;
    num_write_grouped(&text, samples, 0);
    buf_add_str(&text, " samples of the idle process skipped");
    profile_add_fact(profile, SLICE("idle"), buf_slice(&text));
    buf_release(&text);
}

void windows_push_process(struct builder *b, const struct origin *origin, struct buf *scratch)
{
    buf_clear(scratch);
    buf_add_slice(scratch, origin->process);
    if (b->options->tid)
        buf_printf(scratch, "-%.*s/%.*s", SLICE_ARG(origin->pid), SLICE_ARG(origin->tid));
    else if (b->options->pid)
        buf_printf(scratch, "-%.*s", SLICE_ARG(origin->pid));
    builder_name(b, buf_slice(scratch), FRAME_OWNER);
}

void windows_strip_process(struct builder *b)
{
    const struct input_options *o = b->options;

    if (o->names != NAMES_REFERENCE && !o->pid && !o->tid)
        owners_strip(b->profile, 1);
}

void windows_add_reference(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        switch (text.ptr[i]) {
        case ';':
            buf_add_char(out, ':');
            break;
        case ' ':
            buf_add_char(out, '_');
            break;
        case '\'':
            buf_add_char(out, '`');
            break;
        case '"':
            break;
        default:
            buf_add_char(out, text.ptr[i]);
        }
}

void windows_add_reference_process(struct buf *out, struct slice process, struct slice thread)
{
    for (size_t i = 0; i < process.len; i++)
        if (!memchr("()", process.ptr[i], 2))
            buf_add_char(out, process.ptr[i] == ' ' ? '_' : process.ptr[i]);
    buf_printf(out, "_%.*s", SLICE_ARG(thread));
}
