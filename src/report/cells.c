#include "report/cells.h"

#include <string.h>

void cells_column(struct buf *out, struct slice text, size_t width)
{
    for (size_t n = text.len; n < width; n++)
        buf_add_char(out, ' ');
    if (text.len >= width)
        buf_add_char(out, ' ');
    buf_add_slice(out, text);
}

/* True if a spreadsheet takes a cell that begins so for a formula, quoted or not. */
static bool begins_formula(struct slice text)
{
    return text.len && memchr("=+-@\t\r\n", text.ptr[0], 7);
}

void cells_csv_text(struct buf *out, struct slice text)
{
    buf_add_char(out, '"');
    if (begins_formula(text))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, '"');
}

void cells_csv_unit(struct buf *out, const struct unit *unit)
{
    static const struct {
        int exponent;
        const char *unit;
    } seconds[] = {{0, "s"}, {-3, "ms"}, {-6, "us"}, {-9, "ns"}};

    buf_add_char(out, ',');
    for (size_t i = 0; unit->kind == UNIT_SECONDS && i < sizeof(seconds) / sizeof(*seconds); i++) {
        if (seconds[i].exponent == unit->exponent) {
            buf_add_str(out, seconds[i].unit);
            return;
        }
    }
    cells_csv_text(out, unit_word(unit));
    if (unit->kind == UNIT_SECONDS)
        buf_printf(out, "e%d", unit->exponent);
}
