#include "library/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/pool.h"
#include "base/suggest.h"
#include "tree/group.h"

enum { NS_DECIMALS = 9 };

/* What the words of settings set by index into their rows' lists. */
_Static_assert(LABEL_SMART == 0 && LABEL_HEAD == 1 && LABEL_TAIL == 2, "label");
_Static_assert(LAYOUT_BY_NAME == 0 && LAYOUT_BY_WEIGHT == 1, "sort");
_Static_assert(CHANGE_BY_NEW == 0 && CHANGE_BY_BASE == 1 && CHANGE_BY_BOTH == 2, "width-by");
_Static_assert(GROUP_NOT == 0 && GROUP_MODULE == 1 && GROUP_PACKAGE == 2, "group");
_Static_assert(NAMES_CLEAN == 0 && NAMES_REFERENCE == 1, "names");

/* ---- values ---------------------------------------------------------------------------------- */

struct row;

/* Checks and stores a value; the text is the settings' own. Returns false after writing `why`. */
typedef bool set_fn(struct flamepress_settings *s, const struct row *row, const char *value,
                    struct buf *why);

struct row {
    const char *name;
    set_fn *set;
    size_t offset;     /* of what is set, in struct flamepress_settings */
    double low, high;  /* of numbers */
    const char *words; /* separated by blanks; the value is stored as the index of its word */
};

static void *field(struct flamepress_settings *s, const struct row *row)
{
    return (char *)s + row->offset;
}

/* The index of a word in a list separated by blanks, or -1. */
static int find_word(const char *words, const char *value)
{
    struct slice rest = slice_str(words), word;

    for (int i = 0; slice_word(&rest, &word); i++)
        if (slice_equal(word, slice_str(value)))
            return i;
    return -1;
}

static bool refuse(const char *value, const char *words, struct buf *why)
{
    struct suggest near;

    suggest_init(&near, value);
    suggest_offer_list(&near, words);
    buf_printf(why, "invalid value '%s', expected one of: %s", value, words);
    suggest_write(&near, "", why);
    return false;
}

static bool set_flag(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    bool *flag = field(s, row);
    int word = find_word("false true", value);

    if (word < 0)
        return refuse(value, "true false", why);
    *flag = word == 1;
    return true;
}

/* A flag that has two words. */
static bool set_switch(struct flamepress_settings *s, const struct row *row, const char *value,
                       struct buf *why)
{
    bool *flag = field(s, row);
    int word = find_word(row->words, value);

    if (word < 0)
        return refuse(value, row->words, why);
    *flag = word == 1;
    return true;
}

/* An enum whose values are the indices of its words. */
static bool set_word(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    int word = find_word(row->words, value);

    if (word < 0)
        return refuse(value, row->words, why);
    memcpy(field(s, row), &word, sizeof(word));
    return true;
}

static bool refuse_number(const struct row *row, const char *value, struct buf *why)
{
    buf_printf(why, "invalid value '%s', expected a number from %.12g to %.12g", value, row->low,
               row->high);
    return false;
}

static bool parse_count(const struct row *row, const char *value, uint64_t *n, struct buf *why)
{
    if (!num_parse_u64(slice_str(value), n) || (double)*n < row->low || (double)*n > row->high)
        return refuse_number(row, value, why);
    return true;
}

static bool set_count(struct flamepress_settings *s, const struct row *row, const char *value,
                      struct buf *why)
{
    uint32_t *count = field(s, row);
    uint64_t n;

    if (!parse_count(row, value, &n, why))
        return false;
    *count = (uint32_t)n;
    return true;
}

static bool set_size(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    uint64_t *size = field(s, row);

    return parse_count(row, value, size, why);
}

static bool set_number(struct flamepress_settings *s, const struct row *row, const char *value,
                       struct buf *why)
{
    double *number = field(s, row), n;

    if (!num_parse_double(slice_str(value), &n) || n < row->low || n > row->high)
        return refuse_number(row, value, why);
    *number = n;
    return true;
}

static bool set_text(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    struct slice *text = field(s, row);

    (void)why;
    *text = slice_str(value);
    return true;
}

static bool set_string(struct flamepress_settings *s, const struct row *row, const char *value,
                       struct buf *why)
{
    const char **text = field(s, row);

    (void)why;
    *text = value;
    return true;
}

static bool add_text(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    struct library_texts *list = field(s, row);

    (void)why;
    *vec_add(list) = value;
    return true;
}

/* Names by which samples are chosen; captions show them. */
static bool add_name(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    struct names_wanted *names =
        row->offset == offsetof(struct flamepress_settings, processes) ? &s->recipe.processes
        : row->offset == offsetof(struct flamepress_settings, threads) ? &s->recipe.threads
                                                                       : &s->recipe.states;

    *vec_add(names) = slice_str(value);
    return add_text(s, row, value, why);
}

static bool add_event(struct flamepress_settings *s, const struct row *row, const char *value,
                      struct buf *why)
{
    (void)row;
    (void)why;
    *vec_add(&s->recipe.events) = slice_str(value);
    return true;
}

static bool add_search(struct flamepress_settings *s, const struct row *row, const char *value,
                       struct buf *why)
{
    struct slice text = slice_str(value);
    size_t equals = slice_find(text, '=');
    const char *name;

    (void)row;
    if (equals == 0 || equals + 1 >= text.len) {
        buf_printf(why, "invalid value '%s', expected NAME=REGEX", value);
        return false;
    }
    name = arena_strdup(&s->memory, slice_take(text, equals));
    *vec_add(&s->searches) = (struct library_search){name, value + equals + 1};
    return true;
}

static bool set_kind(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    const struct kind *kind = kind_find(slice_str(value));

    (void)row;
    if (!kind) {
        buf_printf(why, "invalid value '%s', expected one of:", value);
        for (const struct kind *k = kinds; k->name; k++)
            buf_printf(why, " %s", k->name);
        return false;
    }
    s->recipe.kind = kind;
    return true;
}

static bool set_palette(struct flamepress_settings *s, const struct row *row, const char *value,
                        struct buf *why)
{
    const struct palette *palette = palette_find(slice_str(value));

    (void)row;
    if (!palette) {
        buf_printf(why, "invalid value '%s', expected one of:", value);
        for (const struct palette *const *p = palettes; *p; p++)
            buf_printf(why, " %s", (*p)->name);
        return false;
    }
    s->look.palette = palette;
    return true;
}

static bool set_background(struct flamepress_settings *s, const struct row *row, const char *value,
                           struct buf *why)
{
    (void)row;
    if (!background_parse(slice_str(value), &s->look.background)) {
        buf_printf(why, "invalid value '%s', expected #rrggbb or one of:", value);
        for (const struct background *b = backgrounds; b->name; b++)
            buf_printf(why, " %s", b->name);
        return false;
    }
    s->look.has_background = true;
    return true;
}

/* "0.1" pixels or "0.5%" */
static bool set_min_width(struct flamepress_settings *s, const struct row *row, const char *value,
                          struct buf *why)
{
    struct slice text = slice_str(value);
    bool percent = slice_ends(text, SLICE("%"));
    double n;

    text.len -= percent;
    if (!num_parse_double(text, &n) || n < row->low || n > row->high) {
        buf_printf(why, "invalid value '%s', expected pixels (0.1) or a percentage (0.5%%)", value);
        return false;
    }
    s->look.min_width = n;
    s->look.min_is_percent = percent;
    return true;
}

static bool refuse_decimal(const char *value, struct buf *why)
{
    buf_printf(why, "invalid value '%s', expected a number such as 12.5", value);
    return false;
}

static bool set_total(struct flamepress_settings *s, const struct row *row, const char *value,
                      struct buf *why)
{
    (void)row;
    s->look.has_total = num_parse_decimal(slice_str(value), &s->look.total);
    return s->look.has_total || refuse_decimal(value, why);
}

/* Seconds since the first sample, as nanoseconds. */
static bool set_time(struct flamepress_settings *s, const struct row *row, const char *value,
                     struct buf *why)
{
    struct recipe_time *time = field(s, row);
    struct decimal d;

    if (!num_parse_decimal(slice_str(value), &d))
        return refuse_decimal(value, why);
    time->given = true;
    if (d.decimals > NS_DECIMALS)
        time->ns = d.value / num_pow10(d.decimals - NS_DECIMALS);
    else if (!num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), &time->ns))
        time->ns = UINT64_MAX;
    return true;
}

static bool set_split(struct flamepress_settings *s, const struct row *row, const char *value,
                      struct buf *why)
{
    int word = find_word(row->words, value);

    if (word < 0)
        return refuse(value, row->words, why);
    s->reading.split_process = word == 1;
    s->reading.split_thread = word == 2;
    s->reading.split_cpu = word == 3;
    return true;
}

static bool set_classes(struct flamepress_settings *s, const struct row *row, const char *value,
                        struct buf *why)
{
    if (!set_flag(s, row, value, why))
        return false;
    s->reading.jit = s->reading.inlined = s->reading.kernel;
    return true;
}

static bool set_spread(struct flamepress_settings *s, const struct row *row, const char *value,
                       struct buf *why)
{
    enum palette_spread spread =
        strcmp(row->name, "hash") == 0 ? PALETTE_BY_ALPHABET : PALETTE_AT_RANDOM;
    int word = find_word("false true", value);

    if (word < 0)
        return refuse(value, "true false", why);
    if (word == 1)
        s->look.spread = spread;
    else if (s->look.spread == spread)
        s->look.spread = PALETTE_BY_HASH;
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define AT(member) offsetof(struct flamepress_settings, member)

static const struct row rows[] = {
    {"event", add_event, 0, 0, 0, NULL},
    {"process", add_name, AT(processes), 0, 0, NULL},
    {"thread", add_name, AT(threads), 0, 0, NULL},
    {"state", add_name, AT(states), 0, 0, NULL},
    {"split", set_split, 0, 0, 0, "event process thread cpu"},
    {"kind", set_kind, 0, 0, 0, NULL},
    {"pair", set_flag, AT(recipe.side_by_side), 0, 0, NULL},
    {"frequency", set_count, AT(recipe.frequency), 1, 1000000000, NULL},
    {"from", set_time, AT(recipe.from), 0, 0, NULL},
    {"to", set_time, AT(recipe.to), 0, 0, NULL},
    {"idle", set_switch, AT(recipe.drop_idle), 0, 0, "keep drop"},
    {"focus", add_text, AT(patterns[FILTER_FOCUS]), 0, 0, NULL},
    {"ignore", add_text, AT(patterns[FILTER_IGNORE]), 0, 0, NULL},
    {"hide", add_text, AT(patterns[FILTER_HIDE]), 0, 0, NULL},
    {"show", add_text, AT(patterns[FILTER_SHOW]), 0, 0, NULL},
    {"show-from", add_text, AT(patterns[FILTER_SHOW_FROM]), 0, 0, NULL},
    {"prune-from", add_text, AT(patterns[FILTER_PRUNE_FROM]), 0, 0, NULL},
    {"ignore-case", set_flag, AT(ignore_case), 0, 0, NULL},
    {"search", add_search, 0, 0, 0, NULL},
    {"group", set_word, AT(group), 0, 0, "function module package"},
    {"collapse-recursion", set_flag, AT(collapse_recursion), 0, 0, NULL},
    {"around", set_text, AT(recipe.around), 0, 0, NULL},
    {"reverse", set_flag, AT(recipe.reverse), 0, 0, NULL},
    {"normalize", set_flag, AT(recipe.normalize), 0, 0, NULL},
    {"negate", set_flag, AT(recipe.negate), 0, 0, NULL},
    {"countname", set_text, AT(recipe.count_name), 0, 0, NULL},
    {"factor", set_number, AT(recipe.factor), 1e-12, 1e12, NULL},

    {"names", set_word, AT(reading.names), 0, 0, "clean reference"},
    {"demangle", set_switch, AT(reading.no_demangling), 0, 0, "auto off"},
    {"strip-address", set_flag, AT(reading.strip_addresses), 0, 0, NULL},
    {"pid", set_flag, AT(reading.pid), 0, 0, NULL},
    {"tid", set_flag, AT(reading.tid), 0, 0, NULL},
    {"addrs", set_flag, AT(reading.addrs), 0, 0, NULL},
    {"classes", set_classes, AT(reading.kernel), 0, 0, NULL},
    {"max-size", set_size, AT(reading.limits.max_size), 1, 1e18, NULL},
    {"max-stacks", set_count, AT(reading.limits.max_stacks), 1, 2e9, NULL},

    {"title", set_text, AT(look.title), 0, 0, NULL},
    {"subtitle", set_text, AT(look.subtitle), 0, 0, NULL},
    {"nametype", set_text, AT(look.name_type), 0, 0, NULL},
    {"label", set_word, AT(look.label), 0, 0, "smart head tail"},
    {"font", set_string, AT(font), 0, 0, NULL},
    {"font-dir", set_string, AT(font_directory), 0, 0, NULL},
    {"fontsize", set_number, AT(look.font_size), 4, 100, NULL},
    {"width", set_count, AT(look.width), 100, 20000, NULL},
    {"height", set_count, AT(look.frame_height), 4, 200, NULL},
    {"minwidth", set_min_width, 0, 0, 1000, NULL},
    {"max-depth", set_count, AT(look.max_depth), 1, 10000, NULL},
    {"total", set_total, 0, 0, 0, NULL},
    {"sort", set_word, AT(look.sort), 0, 0, "name weight"},
    {"inverted", set_flag, AT(look.inverted), 0, 0, NULL},
    {"flamechart", set_flag, AT(look.flamechart), 0, 0, NULL},
    {"colors", set_palette, 0, 0, 0, NULL},
    {"bgcolors", set_background, 0, 0, 0, NULL},
    {"hash", set_spread, 0, 0, 0, NULL},
    {"random", set_spread, 0, 0, 0, NULL},
    {"seed", set_size, AT(look.seed), 0, 4294967295.0, NULL},
    {"theme", set_switch, AT(look.dark), 0, 0, "light dark"},
    {"width-by", set_word, AT(look.width_by), 0, 0, "new base both"},
    {"delta", set_switch, AT(look.delta_of_total), 0, 0, "self total"},
    {"hatch", set_flag, AT(look.hatch), 0, 0, NULL},
    {"triple", set_flag, AT(look.triple), 0, 0, NULL},
    {"svg-font", set_switch, AT(look.svg_system_font), 0, 0, "embed system"},
    {"svg-max-size", set_size, AT(look.svg_max_size), 1, 1e18, NULL},
    {"pixel-ratio", set_count, AT(pixel_ratio), 1, 4, NULL},

    {"rows", set_count, AT(rows), 1, 1000000, NULL},
    {"date", set_text, AT(date), 0, 0, NULL},
    {"threads", set_count, AT(thread_count), 1, 1024, NULL},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool refuse_name(const char *name, struct diag *diag)
{
    struct suggest near;
    struct buf hint;

    buf_init(&hint);
    suggest_init(&near, name);
    for (size_t i = 0; i < ROWS; i++)
        suggest_offer(&near, rows[i].name);
    suggest_write(&near, "", &hint);
    diag_error(diag, "unknown setting '%s'%s", name, hint.ptr);
    buf_release(&hint);
    return false;
}

/* ---- settings -------------------------------------------------------------------------------- */

struct flamepress_settings *flamepress_settings_new(void)
{
    struct flamepress_settings *s = xcalloc(1, sizeof(*s));

    arena_init(&s->memory);
    s->reading = input_options_default();
    s->reading.kernel = s->reading.jit = s->reading.inlined = true;
    recipe_init(&s->recipe);
    s->recipe.one_graph = true;
    s->look = look_defaults;
    s->pixel_ratio = 1;
    s->rows = REPORT_DEFAULT_ROWS;
    s->fonts = xcalloc(1, sizeof(*s->fonts));
    pthread_mutex_init(&s->fonts->lock, NULL);
    return s;
}

void flamepress_settings_free(struct flamepress_settings *s)
{
    if (!s)
        return;
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        vec_release(&s->patterns[role]);
    vec_release(&s->processes);
    vec_release(&s->threads);
    vec_release(&s->states);
    vec_release(&s->searches);
    recipe_release(&s->recipe);
    fonts_free(s->fonts->fonts);
    pthread_mutex_destroy(&s->fonts->lock);
    free(s->fonts);
    arena_release(&s->memory);
    free(s);
}

bool flamepress_settings_set(struct flamepress_settings *s, const char *name, const char *value,
                             struct flamepress_error *error)
{
    const struct row *row = find_row(name);
    struct diag diag;
    struct buf why;
    bool ok;

    diag_init(&diag, SLICE(""));
    buf_init(&why);
    if (!row)
        ok = refuse_name(name, &diag);
    else if (!row->set(s, row, arena_strdup(&s->memory, slice_str(value)), &why))
        ok = diag_error(&diag, "%s: %s", name, why.ptr);
    else
        ok = true;
    if (!ok)
        library_fail(&diag, error);
    buf_release(&why);
    diag_release(&diag);
    return ok;
}

/* ---- what follows from them ------------------------------------------------------------------ */

static bool needs_moments(const struct flamepress_settings *s)
{
    return s->look.flamechart || s->recipe.from.given || s->recipe.to.given ||
           recipe_is_of(&s->recipe, KIND_HEATMAP);
}

struct input_options library_reading(const struct flamepress_settings *s)
{
    struct input_options reading = s->reading;

    reading.processes = s->processes.items;
    reading.process_count = s->processes.count;
    reading.threads = s->threads.items;
    reading.thread_count = s->threads.count;
    reading.states = s->states.items;
    reading.state_count = s->states.count;
    reading.chains = recipe_is_of(&s->recipe, KIND_CHAIN);
    reading.wakeups = recipe_is_of(&s->recipe, KIND_WAKEUP);
    reading.moments = needs_moments(s);
    return reading;
}

bool library_recipe(const struct flamepress_settings *s, struct recipe *recipe, struct diag *diag)
{
    struct buf why;
    bool ok = true;

    *recipe = s->recipe;
    filter_init(&recipe->filter);
    recipe->filter.group = s->group;
    recipe->filter.collapse_recursion = s->collapse_recursion;
    recipe->moments = needs_moments(s);
    if (recipe->from.given && recipe->to.given && recipe->from.ns > recipe->to.ns)
        ok = diag_error(diag, "'from' is after 'to'");
    buf_init(&why);
    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        vec_each (const char *const, pattern, &s->patterns[role]) {
            if (filter_add(&recipe->filter, (enum filter_role)role, slice_str(*pattern),
                           s->ignore_case, &why))
                continue;
            ok = diag_error(diag, "%s: %s in '%s'", filter_options[role] + strlen("--"), why.ptr,
                            *pattern);
            buf_clear(&why);
        }
    }
    buf_release(&why);
    return ok;
}

void library_recipe_release(struct recipe *recipe)
{
    filter_release(&recipe->filter);
    search_list_release(&recipe->searches);
}

bool library_searches(const struct flamepress_settings *s, struct recipe *recipe, struct diag *diag)
{
    struct buf why;
    bool ok = true;

    buf_init(&why);
    vec_each (const struct library_search, named, &s->searches) {
        if (search_list_add(&recipe->searches, slice_str(named->name), slice_str(named->pattern),
                            s->ignore_case, &why))
            continue;
        ok = diag_error(diag, "search '%s': %s in '%s'", named->name, why.ptr, named->pattern);
        buf_clear(&why);
    }
    buf_release(&why);
    return ok;
}

struct fonts *library_fonts(const struct flamepress_settings *s, struct diag *diag)
{
    const struct fonts_options options = {s->font, s->font_directory, true};
    struct fonts *fonts;

    pthread_mutex_lock(&s->fonts->lock);
    if (!s->fonts->fonts)
        s->fonts->fonts = fonts_new(&options, diag);
    fonts = s->fonts->fonts;
    pthread_mutex_unlock(&s->fonts->lock);
    return fonts;
}

unsigned library_threads(const struct flamepress_settings *s)
{
    return s->thread_count ? s->thread_count : pool_default_threads();
}

bool library_fail(const struct diag *diag, struct flamepress_error *error)
{
    struct buf text;
    struct slice line;

    if (!error)
        return false;
    buf_init(&text);
    for (size_t i = 0; i < diag->messages.count; i++)
        if (diag->messages.items[i].level == DIAG_ERROR)
            diag_write_message(diag, &diag->messages.items[i], &text, false);
    line = slice_trim_right(slice_take(buf_slice(&text), sizeof(error->message) - 1));
    memcpy(error->message, line.ptr, line.len);
    error->message[line.len] = '\0';
    buf_release(&text);
    return false;
}
