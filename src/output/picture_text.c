#include "output/picture_text.h"

#include "output/picture.h"

double picture_text_size(const struct picture *p, enum picture_role role)
{
    return p->options.font_size + (role == PICTURE_TITLE ? 5 : 0);
}

struct picture_text picture_text_fit(struct picture *p, struct label_style style, struct slice text,
                                     int64_t room, enum label_mode mode)
{
    struct picture_text fitted = {.at = p->text.len};

    fitted.width = (int32_t)label_fit(p->fonts, style, text, room, mode, &p->text);
    fitted.len = (uint32_t)(p->text.len - fitted.at);
    return fitted;
}

bool picture_text_in_boxes(const struct picture *p)
{
    const struct picture_options *o = &p->options;

    return o->frame_height >= o->font_size && o->font_size >= PICTURE_LEAST_FONT;
}

struct picture_text picture_text_keep(struct picture *p, struct slice text)
{
    struct picture_text kept = {.at = p->text.len, .len = (uint32_t)text.len};

    buf_add_slice(&p->text, text);
    return kept;
}

int32_t picture_text_line(struct picture *p, enum picture_role role, int32_t x, int32_t baseline,
                          struct slice text, int32_t room)
{
    struct label_style style = label_style(picture_text_size(p, role), 1);
    struct picture_line line = {role, x, baseline, {0}};

    line.text = picture_text_fit(p, style, text, (int64_t)room * 64, LABEL_HEAD);
    if (line.text.len)
        *vec_add(&p->lines) = line;
    return (line.text.width + 63) / 64;
}
