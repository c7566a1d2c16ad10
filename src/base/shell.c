#include "base/shell.h"

#include <string.h>

#include "base/ascii.h"

void shell_add_text(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            buf_add_str(out, "'\\''");
        else
            buf_add_char(out, *p);
    }
}

static bool is_plain(const char *word)
{
    if (!*word)
        return false;
    for (const char *p = word; *p; p++)
        if (!ascii_is_digit(*p) && !ascii_is_letter(*p) && !strchr("-_./=,:@%+", *p))
            return false;
    return true;
}

void shell_add_word(struct buf *out, const char *word)
{
    buf_add_char(out, ' ');
    if (is_plain(word)) {
        buf_add_str(out, word);
        return;
    }
    buf_add_char(out, '\'');
    shell_add_text(out, word);
    buf_add_char(out, '\'');
}
