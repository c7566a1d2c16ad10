#include <stdlib.h>
#include <unistd.h>

#include "input/parse/xml.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* The calls of the handler as text: "<a x=1>", "</a 'text'>". */
struct seen {
    struct buf text;
    bool stop;
};

static bool on_open(void *context, const struct xml_element *e)
{
    struct seen *s = context;
    struct slice x = xml_attribute(e, "x");

    buf_printf(&s->text, "<%.*s %llu", SLICE_ARG(e->name), (unsigned long long)xml_line(e));
    if (x.len)
        buf_printf(&s->text, " x=%.*s", SLICE_ARG(x));
    buf_add_char(&s->text, '>');
    return !s->stop;
}

static bool on_close(void *context, struct slice name, struct slice text)
{
    struct seen *s = context;

    buf_printf(&s->text, "</%.*s '%.*s'>", SLICE_ARG(name), SLICE_ARG(text));
    return true;
}

static const struct {
    const char *what, *input, *seen, *told;
    bool good;
} cases[] = {
    {"elements", "<a x='1'>t<b/>u</a>", "<a 1 x=1><b 1></b ''></a 'tu'>", "", true},
    {"lines and a declaration", "<?xml version=\"1.0\"?>\n<a>\n<b>&lt;&#65;</b></a>",
     "<a 2><b 3></b '<A'></a '\n'>", "", true},
    {"an end in the middle", "<a><b>x</b><c", "<a 1><b 1></b 'x'>", "ends in the middle", true},
    {"nothing", "", "", "ends in the middle", true},
    {"damage", "<a>\n<b></a>", "<a 1><b 2>", "in:2: error: this is not XML", false},
    {"text behind", "<a/>x", "<a 1></a ''>", "in:1: error: this is not XML", false},
    {"entities", "<!DOCTYPE a [<!ENTITY e 'ee'>]><a>&e;</a>", "", "in:1: error: entities", false},
    {"another encoding", "<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>",
     "<a 1></a '\303\251'>", "", true},
};

static bool read_xml(struct slice input, struct seen *seen, struct reading *r)
{
    const struct xml_handler handler = {.context = seen, .open = on_open, .close = on_close};
    struct input_options options = input_options_default();
    char path[] = "/tmp/pending-XXXXXX";
    int fd = mkstemp(path);
    struct source source;
    struct content c = {.source = &source, .options = &options, .profile = &r->profile};
    bool good;

    cr_assert(fd >= 0 && write(fd, input.ptr, input.len) == (ssize_t)input.len);
    close(fd);
    profile_init(&r->profile);
    diag_init(&r->diag, SLICE("in"));
    c.diag = &r->diag;
    seen->text = (struct buf){0};
    cr_assert(source_open(&source, path, options.limits.max_size, &r->diag));
    options.limits.max_line = 1 << 20;
    good = xml_read(&c, &handler);
    source_release(&source);
    unlink(path);
    return good;
}

Test(input_xml, documents)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct seen seen = {.stop = false};
        struct reading r;
        struct buf told = {0};
        bool good = read_xml(slice_str(cases[i].input), &seen, &r);

        reading_messages(&r, &told);
        cr_expect_eq(good, cases[i].good, "%s", cases[i].what);
        cr_expect_str_eq(buf_string(&seen.text), cases[i].seen, "%s: %s", cases[i].what,
                         buf_string(&seen.text));
        cr_expect(*cases[i].told ? strstr(buf_string(&told), cases[i].told) != NULL : !told.len,
                  "%s: %s", cases[i].what, buf_string(&told));
        reading_release(&r);
        buf_release(&seen.text);
        buf_release(&told);
    }
}

Test(input_xml, a_reader_stops)
{
    struct seen seen = {.stop = true};
    struct reading r;

    cr_expect_not(read_xml(SLICE("<a><b/></a>"), &seen, &r));
    cr_expect_str_eq(buf_string(&seen.text), "<a 1>");
    reading_release(&r);
    buf_release(&seen.text);
}

static void repeat(struct buf *out, const char *what, size_t times)
{
    while (times-- > 0)
        buf_add_str(out, what);
}

/* Appends `head`, then `what` many times. */
static const struct {
    const char *head, *what, *told;
    size_t times;
} huge[] = {
    {"", "<a>", "too deep", XML_MOST_DEPTH + 1},
    {"<a>", "tttttttttttttttt", "a text is longer", 1 << 17},
    {"<a x='", "tttttttttttttttt", "a tag is longer", 1 << 17},
};

Test(input_xml, sizes_are_bounded)
{
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        struct seen seen = {.stop = false};
        struct buf input = {0}, told = {0};
        struct reading r;

        buf_add_str(&input, huge[i].head);
        repeat(&input, huge[i].what, huge[i].times);
        cr_expect_not(read_xml(buf_slice(&input), &seen, &r), "%s", huge[i].told);
        reading_messages(&r, &told);
        cr_expect(strstr(buf_string(&told), huge[i].told) != NULL, "%s: %s", huge[i].told,
                  buf_string(&told));
        reading_release(&r);
        buf_release(&seen.text);
        buf_release(&input);
        buf_release(&told);
    }
}
