/*
 * Checks, stores, compares and writes the values of options, by the kind of the option.
 */
#include <string.h>

#include "base/glob.h"
#include "base/num.h"
#include "base/suggest.h"
#include "options/table.h"

enum { NS_DECIMALS = 9 };

typedef bool set_fn(struct options *o, const struct option_row *row, const char *value,
                    struct buf *why);

/* ---- words ----------------------------------------------------------------------------------- */

static void add_word(struct buf *out, struct slice word, size_t start, const char *separator)
{
    if (out->len > start)
        buf_add_str(out, separator);
    buf_add_slice(out, word);
}

void options_write_words(const struct option_row *row, const char *separator, struct buf *out)
{
    size_t start = out->len;
    struct slice rest = slice_str(row->choices), word;

    while (slice_word(&rest, &word))
        add_word(out, word, start, separator);
    for (const struct kind *k = kinds; row->kind == OPTION_KIND && k->name; k++)
        add_word(out, slice_str(k->name), start, separator);
    for (const struct palette *const *p = palettes; row->kind == OPTION_PALETTE && *p; p++)
        add_word(out, slice_str((*p)->name), start, separator);
    for (const struct background *b = backgrounds; row->kind == OPTION_BACKGROUND && b->name; b++)
        add_word(out, slice_str(b->name), start, separator);
}

static bool refuse_word(const struct option_row *row, const char *value, struct buf *why)
{
    struct suggest near;
    struct buf words = {0};

    options_write_words(row, " ", &words);
    suggest_init(&near, value);
    suggest_offer_list(&near, buf_string(&words));
    buf_printf(why, "invalid value '%s', expected %sone of: %s", value,
               row->kind == OPTION_BACKGROUND ? "#rrggbb or " : "", buf_string(&words));
    suggest_write(&near, "", why);
    buf_release(&words);
    return false;
}

/* Returns the place of `value` in a list separated by blanks, or -1. */
static int find_word(const char *words, const char *value)
{
    struct slice rest = slice_str(words), word;

    for (int i = 0; slice_word(&rest, &word); i++)
        if (slice_equal(word, slice_str(value)))
            return i;
    return -1;
}

static bool set_choice(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    int word = find_word(row->choices, value);

    if (word < 0)
        return refuse_word(row, value, why);
    word += (int)row->low;
    memcpy(options_field(o, row), &word, sizeof(word));
    return true;
}

static bool set_words(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    unsigned *set = options_field(o, row), wanted = 0;
    struct slice rest = slice_str(value), item;
    struct buf word = {0};
    bool ok = true;

    while (ok && slice_cut(&rest, ',', &item)) {
        int place;

        buf_clear(&word);
        buf_add_slice(&word, slice_trim(item));
        place = find_word(row->choices, buf_string(&word));
        ok = place >= 0 || refuse_word(row, buf_string(&word), why);
        wanted |= ok ? 1u << place : 0;
    }
    *set = ok ? wanted : *set;
    buf_release(&word);
    return ok;
}

static bool set_switch(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    bool *flag = options_field(o, row);
    int word = find_word(row->choices, value);

    if (word < 0)
        return refuse_word(row, value, why);
    *flag = word == 1;
    return true;
}

static bool set_palette(struct options *o, const struct option_row *row, const char *value,
                        struct buf *why)
{
    const struct palette *palette = palette_find(slice_str(value));
    const struct palette **field = options_field(o, row);

    if (!palette)
        return refuse_word(row, value, why);
    *field = palette;
    return true;
}

static bool set_background(struct options *o, const struct option_row *row, const char *value,
                           struct buf *why)
{
    if (!background_parse(slice_str(value), &o->plan.look.background))
        return refuse_word(row, value, why);
    o->plan.look.has_background = true;
    return true;
}

static bool set_kind(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    const struct kind *kind = kind_find(slice_str(value));
    const struct kind **field = options_field(o, row);

    if (!kind)
        return refuse_word(row, value, why);
    *field = kind;
    return true;
}

/* ---- flags and texts ------------------------------------------------------------------------- */

static bool refuse(const char *value, const char *expected, struct buf *why)
{
    buf_printf(why, "invalid value '%s', expected %s", value, expected);
    return false;
}

static bool set_flag(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    bool *flag = options_field(o, row);

    if (!value || strcmp(value, "true") == 0 || strcmp(value, "yes") == 0)
        *flag = true;
    else if (strcmp(value, "false") == 0 || strcmp(value, "no") == 0)
        *flag = false;
    else
        return refuse(value, "true or false", why);
    return true;
}

static bool set_help(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    struct suggest near;

    if (!value || strcmp(value, "all") == 0 || options_find_group(value)) {
        o->help_group = value;
        return set_flag(o, row, NULL, why);
    }
    suggest_init(&near, value);
    buf_printf(why, "invalid value '%s', expected one of: all", value);
    for (size_t i = 0; i < OPTION_GROUPS; i++) {
        suggest_offer(&near, options_groups[i].name);
        buf_printf(why, ", %s", options_groups[i].name);
    }
    suggest_write(&near, "", why);
    return false;
}

static bool set_string(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    const char **string = options_field(o, row);

    (void)why;
    *string = value;
    return true;
}

static bool set_text(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    struct slice *text = options_field(o, row);

    (void)why;
    *text = slice_str(value);
    return true;
}

/* Only schemes that run nothing: the address is opened from the picture. */
static bool set_source(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    struct slice address = slice_str(value);

    if (!slice_starts(address, SLICE("https://")) && !slice_starts(address, SLICE("http://")))
        return refuse(value, "an address that begins with https:// or http://", why);
    if (!slice_has(address, SLICE("{file}")))
        return refuse(value, "an address that contains {file}", why);
    return set_text(o, row, value, why);
}

static bool add_string(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    struct strings *list = options_field(o, row);

    (void)why;
    *vec_add(list) = value;
    return true;
}

static bool add_glob(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    return glob_check(value, why) && add_string(o, row, value, why);
}

/* A regular expression without "NAME=" is its own name. */
static bool add_search(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    struct slice text = slice_str(value);
    size_t equals = slice_find(text, '=');
    struct slice name = slice_take(text, equals);

    (void)row;
    if (!text.len || equals == 0 || equals + 1 == text.len)
        return refuse(value, "[NAME=]REGEX", why);
    vec_each (const struct search, other, &o->searches) {
        if (!slice_equal(other->name, name))
            continue;
        buf_printf(why, "'%.*s' is given twice", SLICE_ARG(name));
        return false;
    }
    *vec_add(&o->searches) = (struct search){
        .name = name, .pattern = equals < text.len ? slice_skip(text, equals + 1) : text};
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool refuse_range(const struct option_row *row, const char *value, struct buf *why)
{
    buf_printf(why, "invalid value '%s', expected a number from %.12g to %.12g", value, row->low,
               row->high);
    return false;
}

static bool set_count(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    unsigned *count = options_field(o, row);
    uint64_t n;

    if (!num_parse_u64(slice_str(value), &n) || (double)n < row->low || (double)n > row->high)
        return refuse_range(row, value, why);
    *count = (unsigned)n;
    return true;
}

static const char size_suffixes[] = "KMGT";

static bool set_size(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    uint64_t *size = options_field(o, row);
    struct slice digits = slice_str(value);
    uint64_t n, unit = 1;

    if (digits.len > 1) {
        const char *suffix = strchr(size_suffixes, digits.ptr[digits.len - 1] & ~0x20);

        if (suffix && *suffix) {
            unit = (uint64_t)1 << 10 * (suffix - size_suffixes + 1);
            digits.len--;
        }
    }
    if (!num_parse_u64(digits, &n) || !num_mul(n, unit, &n) || n == 0)
        return refuse(value, "a positive number, optionally followed by K, M, G or T", why);
    *size = n;
    return true;
}

static bool set_number(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    double *number = options_field(o, row);
    double n;

    if (!num_parse_double(slice_str(value), &n) || n < row->low || n > row->high)
        return refuse_range(row, value, why);
    *number = n;
    return true;
}

static bool set_width(struct options *o, const struct option_row *row, const char *value,
                      struct buf *why)
{
    struct slice text = slice_str(value);
    bool percent = slice_ends(text, SLICE("%"));
    double n;

    text.len -= percent;
    if (!num_parse_double(text, &n) || n < 0 || n > (percent ? 100 : row->high))
        return refuse(value, "pixels up to 1000 (0.1) or a percentage up to 100% (0.5%)", why);
    o->plan.look.min_width = n;
    o->plan.look.min_is_percent = percent;
    return true;
}

static bool set_ratios(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    unsigned *ratios = options_field(o, row), wanted = 0;
    struct slice rest = slice_str(value), item;
    bool ok = true;

    while (ok && slice_cut(&rest, ',', &item)) {
        uint64_t n;

        ok = num_parse_u64(slice_trim(item), &n) && n >= 1 && n <= 4;
        wanted |= ok ? 1u << n : 0;
    }
    if (!ok || !wanted)
        return refuse(value, "ratios from 1 to 4 with commas between (1,2)", why);
    *ratios = wanted;
    return true;
}

static bool set_weight(struct options *o, const struct option_row *row, const char *value,
                       struct buf *why)
{
    (void)row;
    if (!num_parse_decimal(slice_str(value), &o->plan.look.total))
        return refuse(value, "a weight", why);
    o->plan.look.has_total = true;
    return true;
}

/* Nanoseconds are cut after the ninth decimal of the seconds. */
static bool set_time(struct options *o, const struct option_row *row, const char *value,
                     struct buf *why)
{
    struct recipe_time *time = options_field(o, row);
    struct decimal d;

    if (!num_parse_decimal(slice_str(value), &d))
        return refuse(value, "a number of seconds", why);
    time->given = true;
    if (d.decimals > NS_DECIMALS)
        time->ns = d.value / num_pow10(d.decimals - NS_DECIMALS);
    else if (!num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), &time->ns))
        time->ns = UINT64_MAX;
    return true;
}

/* ---- kinds of options ------------------------------------------------------------------------ */

static const struct {
    set_fn *set;
    size_t size; /* bytes to compare for equality; 0: options_equal() compares another way */
} rows[] = {
    [OPTION_FLAG] = {set_flag, sizeof(bool)},
    [OPTION_HELP] = {set_help, sizeof(bool)},
    [OPTION_STRING] = {set_string, 0},
    [OPTION_TEXT] = {set_text, 0},
    [OPTION_SOURCE] = {set_source, 0},
    [OPTION_CHOICE] = {set_choice, sizeof(int)},
    [OPTION_SET] = {set_words, sizeof(unsigned)},
    [OPTION_SWITCH] = {set_switch, sizeof(bool)},
    [OPTION_COUNT] = {set_count, sizeof(unsigned)},
    [OPTION_SIZE] = {set_size, sizeof(uint64_t)},
    [OPTION_NUMBER] = {set_number, sizeof(double)},
    [OPTION_WIDTH] = {set_width, sizeof(double)},
    [OPTION_RATIOS] = {set_ratios, sizeof(unsigned)},
    [OPTION_STRINGS] = {add_string, 0},
    [OPTION_GLOBS] = {add_glob, 0},
    [OPTION_SEARCH] = {add_search, 0},
    [OPTION_PALETTE] = {set_palette, sizeof(const struct palette *)},
    [OPTION_BACKGROUND] = {set_background, sizeof(bool)},
    [OPTION_KIND] = {set_kind, sizeof(const struct kind *)},
    [OPTION_WEIGHT] = {set_weight, sizeof(bool)},
    [OPTION_TIME] = {set_time, sizeof(bool)},
};

/* True if the value is a path, by what --help calls it. */
static bool names_file(const struct option_row *row)
{
    static const char *const names[] = {"FILE", "DIR", "PATH", "PARTS", "BASE", "NEW"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (row->value && strcmp(row->value, names[i]) == 0)
            return true;
    return false;
}

bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why)
{
    if (value && !*value && names_file(row))
        return refuse(value, "the name of a file or directory", why);
    return rows[row->kind].set(o, row, value, why);
}

void options_clear(struct options *o, const struct option_row *row)
{
    if (options_is_list(row))
        vec_clear((struct strings *)options_field(o, row));
}

bool options_equal(const struct options *a, const struct options *b, const struct option_row *row)
{
    const void *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;

    switch (row->kind) {
    case OPTION_STRING:
        return slice_equal(slice_str(*(const char *const *)x), slice_str(*(const char *const *)y));
    case OPTION_TEXT:
    case OPTION_SOURCE:
        return slice_equal(*(const struct slice *)x, *(const struct slice *)y);
    case OPTION_STRINGS:
    case OPTION_GLOBS:
        return ((const struct strings *)x)->count == ((const struct strings *)y)->count;
    case OPTION_SEARCH:
        return a->searches.count == b->searches.count;
    default:
        return memcmp(x, y, rows[row->kind].size) == 0;
    }
}

/* 16 GiB is written as "16G". */
static void write_size(struct buf *out, uint64_t size)
{
    size_t unit = 0;

    while (size && size % 1024 == 0 && unit < sizeof(size_suffixes) - 1) {
        size /= 1024;
        unit++;
    }
    buf_add_u64(out, size);
    if (unit)
        buf_add_char(out, size_suffixes[unit - 1]);
}

/* Appends the words of `set`, of which bit i is word i, with commas between. */
static void write_words(const struct option_row *row, unsigned set, struct buf *out)
{
    struct slice rest = slice_str(row->choices), word;
    size_t start = out->len;

    for (unsigned i = 0; slice_word(&rest, &word); i++)
        if (set >> i & 1)
            add_word(out, word, start, ",");
}

void options_write_value(const struct options *o, const struct option_row *row, struct buf *out)
{
    enum { WORDS_MOST = 32 };
    const void *field = (const char *)o + row->offset;
    unsigned place;

    switch (row->kind) {
    case OPTION_TEXT:
    case OPTION_SOURCE:
        buf_add_slice(out, *(const struct slice *)field);
        break;
    case OPTION_CHOICE:
        place = *(const unsigned *)field - (unsigned)row->low; /* wraps if nothing is chosen */
        write_words(row, place < WORDS_MOST ? 1u << place : 0, out);
        break;
    case OPTION_SWITCH:
        write_words(row, 1u << *(const bool *)field, out);
        break;
    case OPTION_SET:
        write_words(row, *(const unsigned *)field, out);
        break;
    case OPTION_COUNT:
        if (*(const unsigned *)field)
            buf_add_u64(out, *(const unsigned *)field);
        break;
    case OPTION_SIZE:
        if (*(const uint64_t *)field)
            write_size(out, *(const uint64_t *)field);
        break;
    case OPTION_NUMBER:
    case OPTION_WIDTH:
        buf_printf(out, "%.12g", *(const double *)field);
        break;
    default:
        break;
    }
}
