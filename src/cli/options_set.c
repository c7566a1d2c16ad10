/*
 * Checks and stores the values of options, with one function for each kind of option.
 */
#include <string.h>

#include "base/num.h"
#include "base/slice.h"
#include "base/suggest.h"
#include "cli/kind.h"
#include "cli/option_colors.h"
#include "cli/option_table.h"

typedef bool set_fn(struct options *o, const struct option_row *row, const char *value,
                    struct buf *why);

static bool set_flag(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    bool *flag = option_field(o, row);

    if (!value || strcmp(value, "true") == 0 || strcmp(value, "yes") == 0)
        *flag = true;
    else if (strcmp(value, "false") == 0 || strcmp(value, "no") == 0)
        *flag = false;
    else {
        buf_printf(why, "expected true or false, not '%s'", value);
        return false;
    }
    return true;
}

static bool set_help(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    struct suggest near;

    if (!value || strcmp(value, "all") == 0 || option_table_find_group(value)) {
        o->help_group = value;
        return set_flag(o, row, NULL, why);
    }
    suggest_init(&near, value);
    buf_printf(why, "invalid value '%s', expected one of: all", value);
    for (size_t i = 0; i < OPTION_GROUPS; i++) {
        suggest_offer(&near, option_table_groups[i].name);
        buf_printf(why, ", %s", option_table_groups[i].name);
    }
    suggest_write(&near, "", why);
    return false;
}

static bool set_string(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **string = option_field(o, row);

    (void)why;
    *string = value;
    return true;
}

static bool set_choice(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **string = option_field(o, row);
    struct suggest near;

    if (!option_lists(row->choices, slice_str(value))) {
        suggest_init(&near, value);
        suggest_offer_list(&near, row->choices);
        buf_printf(why, "invalid value '%s', expected one of: %s", value, row->choices);
        suggest_write(&near, "", why);
        return false;
    }
    *string = value;
    return true;
}

static bool expected_range(const struct option_row *row, const char *value, struct buf *why)
{
    buf_printf(why, "expected a number from %.12g to %.12g, not '%s'", row->low, row->high, value);
    return false;
}

static bool set_count(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    unsigned *count = option_field(o, row);
    uint64_t n;

    if (!num_parse_u64(slice_str(value), &n) || (double)n < row->low || (double)n > row->high)
        return expected_range(row, value, why);
    *count = (unsigned)n;
    return true;
}

static bool set_size(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    static const char suffixes[] = "KMGT";
    uint64_t *size = option_field(o, row);
    struct slice digits = slice_str(value);
    uint64_t n, unit = 1;

    if (digits.len > 1) {
        const char *suffix = strchr(suffixes, digits.ptr[digits.len - 1] & ~0x20);

        if (suffix && *suffix) {
            unit = (uint64_t)1 << 10 * (suffix - suffixes + 1);
            digits.len--;
        }
    }
    if (!num_parse_u64(digits, &n) || !num_mul(n, unit, &n) || n == 0) {
        buf_printf(why, "expected a positive number, optionally followed by K, M, G or T, not '%s'",
                   value);
        return false;
    }
    *size = n;
    return true;
}

static bool set_number(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    double *number = option_field(o, row);
    double n;

    if (!num_parse_double(slice_str(value), &n) || n < row->low || n > row->high)
        return expected_range(row, value, why);
    *number = n;
    return true;
}

static bool set_width(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    struct width_limit *limit = option_field(o, row);
    struct slice text = slice_str(value);
    bool percent = slice_ends(text, SLICE("%"));
    double n;

    if (percent)
        text.len--;
    if (!num_parse_double(text, &n) || n < 0 || n > row->high) {
        buf_printf(why, "expected pixels (0.1) or a percentage (0.5%%), not '%s'", value);
        return false;
    }
    *limit = (struct width_limit){n, percent};
    return true;
}

static bool set_ratios(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    unsigned *ratios = option_field(o, row), wanted = 0;
    struct slice rest = slice_str(value), item;

    while (slice_cut(&rest, ',', &item)) {
        uint64_t n;

        if (!num_parse_u64(slice_trim(item), &n) || n < 1 || n > 4) {
            buf_printf(why, "expected ratios from 1 to 4 with commas between (1,2), not '%s'",
                       value);
            return false;
        }
        wanted |= 1u << n;
    }
    if (!wanted) {
        buf_printf(why, "expected ratios from 1 to 4 with commas between (1,2)");
        return false;
    }
    *ratios = wanted;
    return true;
}

static bool set_strings(struct options *o, const struct option_row *row, const char *value,
                        struct buf *why)
{
    struct strings *list = option_field(o, row);

    (void)why;
    *vec_add(list) = value;
    return true;
}

static bool set_search(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    struct slice text = slice_str(value);
    size_t equals = slice_find(text, '=');
    struct named_search search;

    (void)row;
    if (equals == 0 || equals + 1 >= text.len) {
        buf_printf(why, "expected NAME=REGEX, not '%s'", value);
        return false;
    }
    search.name = arena_strdup(&o->memory, slice_take(text, equals));
    search.pattern = value + equals + 1;
    vec_each (struct named_search, other, &o->searches) {
        if (strcmp(other->name, search.name) == 0) {
            buf_printf(why, "'%s' is given twice", search.name);
            return false;
        }
    }
    *vec_add(&o->searches) = search;
    return true;
}

static bool set_palette(struct options *o, const struct option_row *row, const char *value,
                        struct buf *why)
{
    return option_colors_palette(value, why) && set_string(o, row, value, why);
}

static bool set_ground(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    return option_colors_ground(value, why) && set_string(o, row, value, why);
}

static bool set_kind(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    const char **name = option_field(o, row);

    *name = value;
    return kind_check(value, why);
}

static bool set_weight(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **weight = option_field(o, row);
    struct decimal number;

    if (!num_parse_decimal(slice_str(value), &number)) {
        buf_printf(why, "expected a weight, not '%s'", value);
        return false;
    }
    *weight = value;
    return true;
}

static set_fn *const setters[] = {
    [OPTION_FLAG] = set_flag,       [OPTION_HELP] = set_help,        [OPTION_STRING] = set_string,
    [OPTION_CHOICE] = set_choice,   [OPTION_COUNT] = set_count,      [OPTION_SIZE] = set_size,
    [OPTION_NUMBER] = set_number,   [OPTION_WIDTH] = set_width,      [OPTION_RATIOS] = set_ratios,
    [OPTION_STRINGS] = set_strings, [OPTION_PATTERNS] = set_strings, [OPTION_SEARCH] = set_search,
    [OPTION_PALETTE] = set_palette, [OPTION_KIND] = set_kind,        [OPTION_WEIGHT] = set_weight,
    [OPTION_GROUND] = set_ground,
};

bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why)
{
    return setters[row->kind](o, row, value, why);
}
