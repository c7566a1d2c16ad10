/*
 * Fitting and drawing a label: any name, any room, any mode. What comes back must be valid, must
 * fit, must be as wide as was said, and must be the name's own characters, cut between clusters.
 *
 * Input: the mode, the room in quarters of a pixel (two bytes), then the name. The fonts are those
 * embedded, so that a finding does not depend on the machine.
 */
#include <stdint.h>

#include "base/utf8.h"
#include "text/label.h"
#include "text/unicode.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct fonts *fonts;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct fonts_options options = {.system = false};
    struct diag d;

    (void)argc;
    (void)argv;
    diag_init(&d, slice_make(NULL, 0));
    fonts = fonts_new(&options, &d);
    BUG_ON(!fonts);
    diag_release(&d);
    return 0;
}

struct chars VEC_OF(uint32_t);

/* Returns the characters of a name as a label shows them. */
static void decode(struct slice text, struct chars *out)
{
    while (text.len > 0) {
        uint32_t c;

        text = slice_skip(text, utf8_decode(text, &c));
        *vec_add(out) = unicode_is_forbidden(c) ? UTF8_REPLACEMENT : c;
    }
}

/* Returns true if `part` begins (or ends) `name`, and a cluster of the name ends (begins) there. */
static bool is_end_of(const struct chars *name, const struct chars *part, bool tail)
{
    size_t cut = tail ? name->count - part->count : part->count;
    size_t i = 0;

    if (part->count > name->count ||
        memcmp(name->items + (tail ? cut : 0), part->items, part->count * sizeof(uint32_t)) != 0)
        return false;
    while (i < cut)
        i += unicode_cluster(name->items + i, name->count - i);
    return i == cut;
}

static void check_cut(struct slice name, struct slice got, bool tail)
{
    static const struct slice dots = {LABEL_ELLIPSIS, 3};
    struct chars of_name = {0}, of_part = {0};

    decode(name, &of_name);
    decode(got, &of_part);
    if (of_name.count == of_part.count && is_end_of(&of_name, &of_part, false))
        goto out;
    BUG_ON(tail ? !slice_starts(got, dots) : !slice_ends(got, dots));
    vec_clear(&of_part);
    decode(tail ? slice_skip(got, 3) : slice_take(got, got.len - 3), &of_part);
    BUG_ON(of_part.count < 2 || !is_end_of(&of_name, &of_part, tail));
out:
    vec_release(&of_name);
    vec_release(&of_part);
}

static void draw(struct label_style style, struct slice text)
{
    struct pixmap p;
    struct clip clip = {8, 3, 50, 15};

    if (!pixmap_init(&p, 64, 18))
        BUG("a small picture is refused");
    label_draw(fonts, style, &p, 5 * 64 + 13, 13, text, clip);
    for (int32_t y = 0; y < 18; y++) {
        for (int32_t x = 0; x < 64; x++)
            BUG_ON(pixmap_row(&p, (uint32_t)y)[x] &&
                   (x < clip.left || x >= clip.right || y < clip.top || y >= clip.bottom));
    }
    pixmap_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum label_mode modes[] = {LABEL_SMART, LABEL_HEAD, LABEL_TAIL};
    struct label_style style = label_style(12, 1);
    struct buf name = {0}, out = {0};

    if (size < 3)
        return 0;
    enum label_mode mode = modes[data[0] % 3];
    int64_t room = (data[1] | data[2] << 8) * 16;

    utf8_add_clean(&name, slice_make((const char *)data + 3, size - 3));
    buf_add_str(&out, "before ");
    int64_t width = label_fit(fonts, style, buf_slice(&name), room, mode, &out);
    struct slice got = slice_skip(buf_slice(&out), 7);

    BUG_ON(!slice_starts(buf_slice(&out), SLICE("before ")));
    BUG_ON(width > room || !utf8_valid(got) || (got.len == 0 && width != 0));
    if (got.len > 0) {
        BUG_ON(label_width(fonts, style, got) != width);
        if (mode != LABEL_SMART)
            check_cut(buf_slice(&name), got, mode == LABEL_TAIL);
    }
    draw(style, got);
    draw(style, buf_slice(&name));
    buf_release(&name);
    buf_release(&out);
    return 0;
}
