#include "match/mark.h"

#include "base/utf8.h"

/* Whether the '=' at `at` begins a lookahead or a lookbehind. */
static bool is_look_around(struct slice text, size_t at)
{
    struct slice before = slice_take(text, at);

    return slice_ends(before, SLICE("(?")) || slice_ends(before, SLICE("(?<"));
}

bool mark_list_parse(struct mark_list *list, struct slice text, unsigned how, struct buf *why)
{
    size_t equals = slice_find_last(text, '=');
    struct mark mark = {0};

    if (equals < text.len && !is_look_around(text, equals)) {
        mark.note = slice_skip(text, equals + 1);
        text = slice_take(text, equals);
    }
    if (!text.len) {
        buf_add_str(why, "expected REGEX or REGEX=NOTE");
        return false;
    }
    if (!utf8_valid(mark.note)) {
        buf_add_str(why, "the note is not valid UTF-8");
        return false;
    }
    if (list->count == MARKS_MOST) {
        buf_printf(why, "a picture has at most %d marks", MARKS_MOST);
        return false;
    }
    mark.search = search_new(text, how, why);
    if (mark.search)
        *vec_add(list) = mark;
    return mark.search != NULL;
}

void mark_list_release(struct mark_list *list)
{
    vec_each (struct mark, mark, list)
        search_free(mark->search);
    vec_release(list);
}
