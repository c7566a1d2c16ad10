#include "cli/options.h"

#include <string.h>

#include "base/num.h"
#include "base/slice.h"
#include "base/suggest.h"
#include "cli/option_table.h"
#include "cli/kind.h"
#include "layout/palette.h"

static void *field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->offset;
}

void options_init(struct options *o)
{
    *o = (struct options){0};
    arena_init(&o->memory);
    o->width = 1200;
    o->height = 16;
    o->max_depth = 1000;
    o->rows = 15;
    o->min_width.value = 0.1;
    o->font_size = 12;
    o->factor = 1;
    o->name_type = "Function:";
    o->sort = "name";
    o->label = "smart";
    o->svg_script = "inline";
    o->theme = "light";
    o->split = "event";
    o->group = "function";
    o->names = "clean";
    o->demangle = "auto";
    o->input = input_options_default();
}

static void copy_strings(struct strings *list)
{
    const struct strings all = *list;

    *list = (struct strings){0};
    vec_each (const char *, item, &all)
        *vec_add(list) = *item;
}

void options_copy(struct options *o, const struct options *from)
{
    *o = *from;
    arena_init(&o->memory);
    for (const struct option_row *row = option_table; row->name; row++)
        if (option_is_list(row))
            copy_strings(field(o, row));
    copy_strings(&o->paths);
    o->searches.items = NULL;
    o->searches.count = o->searches.cap = 0;
    vec_each (struct named_search, search, &from->searches)
        *vec_add(&o->searches) = *search;
}

void options_release(struct options *o)
{
    for (const struct option_row *row = option_table; row->name; row++)
        if (option_is_list(row))
            vec_release((struct strings *)field(o, row));
    vec_release(&o->searches);
    vec_release(&o->paths);
    arena_release(&o->memory);
}

const char *options_output(const struct options *o)
{
    const char *last = o->outputs.count ? o->outputs.items[o->outputs.count - 1] : NULL;

    return last && strcmp(last, "-") != 0 ? last : NULL;
}

static bool list_has(const char *list, struct slice word)
{
    struct slice rest = slice_str(list), item;

    while (list && slice_word(&rest, &item))
        if (slice_equal(item, word))
            return true;
    return false;
}

const struct option_row *options_find(const char *name)
{
    for (const struct option_row *row = option_table; row->name; row++)
        if (strcmp(row->name, name) == 0 || list_has(row->aliases, slice_str(name)))
            return row;
    return NULL;
}

char options_letter(const struct option_row *row, enum command_id command)
{
    /* What diff calls by letters that mean something else elsewhere, as difffolded.pl does. */
    static const struct {
        char letter;
        const char *name;
    } of_diff[] = {{'n', "normalize"}, {'s', "strip-address"}};

    for (size_t i = 0; command == COMMAND_DIFF && i < sizeof(of_diff) / sizeof(*of_diff); i++) {
        if (strcmp(of_diff[i].name, row->name) == 0)
            return of_diff[i].letter;
        if (of_diff[i].letter == row->letter)
            return 0;
    }
    return row->letter;
}

static const struct option_row *find_letter(char letter, enum command_id command)
{
    for (const struct option_row *row = option_table; row->name; row++)
        if ((row->commands & command) && options_letter(row, command) == letter)
            return row;
    return NULL;
}

bool options_given(const struct options *o, const struct option_row *row)
{
    size_t n = (size_t)(row - option_table);

    return o->given[n / 64] >> n % 64 & 1;
}

static void mark_given(struct options *o, const struct option_row *row)
{
    size_t n = (size_t)(row - option_table);

    BUG_ON(n >= sizeof(o->given) * 8);
    o->given[n / 64] |= (uint64_t)1 << n % 64;
}

/* ---- one checker per kind of value ---- */

typedef bool set_fn(struct options *o, const struct option_row *row, const char *value,
                    struct buf *why);

static bool set_flag(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    bool *flag = field(o, row);

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

static bool set_string(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **string = field(o, row);

    (void)why;
    *string = value;
    return true;
}

static bool set_choice(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **string = field(o, row);
    struct suggest near;

    if (!list_has(row->choices, slice_str(value))) {
        suggest_init(&near, value);
        suggest_offer_list(&near, row->choices);
        buf_printf(why, "'%s' is none of: %s", value, row->choices);
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
    unsigned *count = field(o, row);
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
    uint64_t *size = field(o, row);
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
        buf_printf(why, "expected a positive number, with K, M, G or T behind it, not '%s'", value);
        return false;
    }
    *size = n;
    return true;
}

static bool set_number(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    double *number = field(o, row);
    double n;

    if (!num_parse_double(slice_str(value), &n) || n < row->low || n > row->high)
        return expected_range(row, value, why);
    *number = n;
    return true;
}

static bool set_width(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    struct width_limit *limit = field(o, row);
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
    unsigned *ratios = field(o, row), wanted = 0;
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
    struct strings *list = field(o, row);

    (void)why;
    *vec_add(list) = value;
    return true;
}

static bool set_pattern(struct options *o, const struct option_row *row, const char *value,
                        struct buf *why)
{
    struct search *search = search_new(slice_str(value), false, why);

    search_free(search);
    if (!search)
        buf_printf(why, " in %s", value);
    return search && set_strings(o, row, value, why);
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
    const char **name = field(o, row);
    struct suggest near;

    if (!palette_find(slice_str(value))) {
        suggest_init(&near, value);
        buf_printf(why, "no palette is called '%s'; it is one of:", value);
        for (const struct palette *const *p = palettes; *p; p++) {
            suggest_offer(&near, (*p)->name);
            buf_printf(why, " %s", (*p)->name);
        }
        suggest_write(&near, "", why);
        return false;
    }
    *name = value;
    return true;
}

static bool set_kind(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    const char **name = field(o, row);

    *name = value;
    return kind_check(value, why);
}

static bool set_weight(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **weight = field(o, row);
    struct decimal number;

    if (!num_parse_decimal(slice_str(value), &number)) {
        buf_printf(why, "expected a weight, not '%s'", value);
        return false;
    }
    *weight = value;
    return true;
}

static set_fn *const setters[] = {
    [OPTION_FLAG] = set_flag,        [OPTION_STRING] = set_string, [OPTION_CHOICE] = set_choice,
    [OPTION_COUNT] = set_count,      [OPTION_SIZE] = set_size,     [OPTION_NUMBER] = set_number,
    [OPTION_WIDTH] = set_width,      [OPTION_RATIOS] = set_ratios, [OPTION_STRINGS] = set_strings,
    [OPTION_PATTERNS] = set_pattern, [OPTION_SEARCH] = set_search, [OPTION_PALETTE] = set_palette,
    [OPTION_KIND] = set_kind,        [OPTION_WEIGHT] = set_weight,
};

bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why)
{
    return setters[row->kind](o, row, value, why);
}

void options_clear(struct options *o, const struct option_row *row)
{
    if (option_is_list(row))
        vec_clear((struct strings *)field(o, row));
}

/* ---- the words of the command line ---- */

static bool unknown_option(const char *word, enum command_id command, struct diag *diag)
{
    struct suggest near;
    struct buf hint;

    buf_init(&hint);
    suggest_init(&near, word);
    for (const struct option_row *row = option_table; row->name; row++) {
        if (!(row->commands & command))
            continue;
        suggest_offer(&near, row->name);
        if (row->aliases)
            suggest_offer_list(&near, row->aliases);
    }
    suggest_write(&near, "--", &hint);
    diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "unknown option '--%s'%s", word, hint.ptr);
    buf_release(&hint);
    return false;
}

static bool set_or_tell(struct options *o, const struct option_row *row, const char *value,
                        struct diag *diag)
{
    struct buf why;
    bool ok;

    buf_init(&why);
    ok = options_set(o, row, value, &why);
    if (!ok)
        diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "option --%s: %s", row->name, why.ptr);
    else
        mark_given(o, row);
    buf_release(&why);
    return ok;
}

/* The value of an option: behind '=', or the next word. */
static bool take_value(const struct option_row *row, const char *attached, int count,
                       char *const *words, int *at, const char **value, struct diag *diag)
{
    if (row->kind == OPTION_FLAG) {
        *value = attached;
        return true;
    }
    if (attached) {
        *value = attached;
        return true;
    }
    if (*at + 1 >= count)
        return diag_error(diag, "option --%s needs a value: %s", row->name, row->value);
    *value = words[++*at];
    return true;
}

static bool parse_long(struct options *o, enum command_id command, int count, char *const *words,
                       int *at, struct diag *diag)
{
    struct slice word = slice_str(words[*at] + 2);
    size_t equals = slice_find(word, '=');
    const char *attached = equals < word.len ? word.ptr + equals + 1 : NULL;
    const char *name = arena_strdup(&o->memory, slice_take(word, equals));
    const struct option_row *row = options_find(name);
    const char *value = NULL;

    if (!row)
        return unknown_option(name, command, diag);
    if (!(row->commands & command))
        return diag_error(diag, "option --%s is not for this command (see --help)", row->name);
    return take_value(row, attached, count, words, at, &value, diag) &&
           set_or_tell(o, row, value, diag);
}

static bool parse_short(struct options *o, enum command_id command, int count, char *const *words,
                        int *at, struct diag *diag)
{
    const char *word = words[*at];

    for (const char *letter = word + 1; *letter; letter++) {
        const struct option_row *row = find_letter(*letter, command);
        const char *value = NULL;

        if (!row)
            return diag_error(diag, "unknown option '-%c' in '%s' (see --help)", *letter, word);
        if (row->kind != OPTION_FLAG)
            return take_value(row, letter[1] ? letter + 1 : NULL, count, words, at, &value, diag) &&
                   set_or_tell(o, row, value, diag);
        if (!set_or_tell(o, row, NULL, diag))
            return false;
    }
    return true;
}

bool options_parse(struct options *o, enum command_id command, int count, char *const *words,
                   struct diag *diag)
{
    bool only_paths = false;

    for (int i = 0; i < count; i++) {
        const char *word = words[i];

        if (only_paths || word[0] != '-' || !word[1])
            *vec_add(&o->paths) = word;
        else if (strcmp(word, "--") == 0)
            only_paths = true;
        else if (word[1] == '-' ? !parse_long(o, command, count, words, &i, diag)
                                : !parse_short(o, command, count, words, &i, diag))
            return false;
    }
    if (!(command & (COMMAND_GRAPH | COMMAND_DIFF)) && o->outputs.count > 1)
        return diag_error(diag, "option --output: only graph and diff write several files");
    return true;
}
