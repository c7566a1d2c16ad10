#include "match/rename.h"

#include "base/ascii.h"
#include "base/utf8.h"

bool rename_list_add(struct rename_list *list, struct slice pattern, struct slice text,
                     bool ignore_case, struct buf *why)
{
    struct search *search;

    if (!utf8_valid(text)) {
        buf_add_str(why, "the new name is not valid UTF-8");
        return false;
    }
    search = search_new(pattern, ignore_case, why);
    if (search)
        *vec_add(list) = (struct rename){search, text};
    return search != NULL;
}

bool rename_list_parse(struct rename_list *list, struct slice rule, bool ignore_case,
                       struct buf *why)
{
    size_t equals = slice_find_last(rule, '=');

    if (!equals || equals == rule.len) {
        buf_add_str(why, "expected REGEX=TEXT");
        return false;
    }
    return rename_list_add(list, slice_take(rule, equals), slice_skip(rule, equals + 1),
                           ignore_case, why);
}

void rename_list_release(struct rename_list *list)
{
    vec_each (struct rename, rename, list)
        search_free(rename->search);
    vec_release(list);
}

void rename_pass_init(struct rename_pass *r, const struct rename_list *list)
{
    *r = (struct rename_pass){.list = list};
    vec_each (const struct rename, rename, list)
        *vec_add(&r->matchers) = search_matcher_new(rename->search);
}

void rename_pass_release(struct rename_pass *r)
{
    vec_each (struct search_matcher *, matcher, &r->matchers)
        search_matcher_free(*matcher);
    vec_release(&r->matchers);
    buf_release(&r->texts[0]);
    buf_release(&r->texts[1]);
}

/* Returns the length of a group's number after a '$', and the number: two digits if it exists. */
static size_t group_number(struct slice digits, unsigned groups, unsigned *number)
{
    unsigned value = 0;
    size_t taken = 0;

    for (size_t n = 0; n < 2 && n < digits.len && ascii_is_digit(digits.ptr[n]); n++) {
        value = 10 * value + (unsigned)(digits.ptr[n] - '0');
        if (value && value < groups) {
            *number = value;
            taken = n + 1;
        }
    }
    return taken;
}

/* Appends the text of a rename with the groups of a match. */
static void add_text(const struct search_matcher *m, struct slice name, struct slice text,
                     struct buf *out)
{
    while (text.len) {
        size_t plain = slice_find(text, '$'), length;
        unsigned group = 0;

        buf_add_slice(out, slice_take(text, plain));
        text = slice_skip(text, plain);
        if (text.len < 2) {
            buf_add_slice(out, text);
            return;
        }
        length = group_number(slice_skip(text, 1), search_matched_groups(m), &group);
        if (length || text.ptr[1] == '&') {
            buf_add_slice(out, search_matched(m, name, group));
            text = slice_skip(text, 1 + (length ? length : 1));
        } else {
            buf_add_char(out, '$');
            text = slice_skip(text, text.ptr[1] == '$' ? 2 : 1);
        }
    }
}

/* Returns the length of the character at the start of `s`, which is not empty. */
static size_t character_length(struct slice s)
{
    size_t length = 1;

    while (length < s.len && ((unsigned char)s.ptr[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* Writes `name` with each match replaced. Returns whether there was one. */
static bool replace(struct rename_pass *r, size_t index, struct slice name, struct buf *out)
{
    const struct rename *rename = &r->list->items[index];
    struct search_matcher *m = r->matchers.items[index];
    enum search_match result = SEARCH_HIT;
    bool found = false;
    size_t from = 0;

    buf_clear(out);
    while (from <= name.len && (result = search_match_from(m, name, from)) == SEARCH_HIT) {
        struct slice match = search_matched(m, name, 0);
        size_t start = (size_t)(match.ptr - name.ptr), end = start + match.len;

        found = true;
        buf_add(out, name.ptr + from, start - from);
        add_text(m, name, rename->text, out);
        if (!match.len && end < name.len) {
            size_t length = character_length(slice_skip(name, end));

            buf_add(out, name.ptr + end, length);
            end += length;
        } else if (!match.len) {
            end++;
        }
        from = end;
        if (out->len > RENAMED_MOST)
            return false;
    }
    if (result == SEARCH_GIVEN_UP)
        r->given_up = rename;
    if (from < name.len)
        buf_add(out, name.ptr + from, name.len - from);
    return found && result != SEARCH_GIVEN_UP && out->len && out->len <= RENAMED_MOST;
}

struct slice rename_apply(struct rename_pass *r, struct slice name)
{
    for (size_t i = 0; i < r->matchers.count && name.len; i++) {
        struct buf *out = &r->texts[name.ptr == r->texts[0].ptr];

        if (replace(r, i, name, out))
            name = buf_slice(out);
    }
    return name;
}
