
#include "base/shell.h"

#include "unit/support/test.h"

static void gives(const char *word, const char *text)
{
    struct buf out = {0};

    shell_add_word(&out, word);
    cr_expect_str_eq(buf_string(&out), text);
    buf_release(&out);
}

Test(base_shell, quotes_what_a_shell_would_read)
{
    gives("graph", " graph");
    gives("-o/a_b.c,d:e@f%g+h=1", " -o/a_b.c,d:e@f%g+h=1");
    gives("", " ''");
    gives("a b", " 'a b'");
    gives("it's", " 'it'\\''s'");
    gives("$HOME", " '$HOME'");
    gives("~", " '~'");
    gives("a\nb", " 'a\nb'");
}
