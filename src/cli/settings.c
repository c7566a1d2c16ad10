#include "cli/settings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/num.h"
#include "cli/aside.h"
#include "input/parse/yaml.h"
#include "options/make.h"

/* GitHub reads 3 MB of CODEOWNERS. */
enum { SETTINGS_MAX_SIZE = 1 << 20, CODEOWNERS_MAX_SIZE = 3 << 20 };

/* Steps of comparing patterns with paths: half a minute to a few minutes. */
#define MATCHING_MOST 0x1p35

bool settings_list_inputs(struct inputs *in, const struct options *o, struct console *console)
{
    const struct inputs_options how = {.follow = o->follow};
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE("flamepress"));
    ok = inputs_init(in, o->paths.items, o->paths.count, &how, &diag);
    if (!ok)
        console_show(console, &diag);
    diag_release(&diag);
    return ok;
}

/* The directory that the settings were found in; NULL if the user named them. */
static const char *directory_of(struct config *config, const struct options *o, const char *path)
{
    struct slice all = slice_str(path);
    size_t slash = slice_find_last(all, '/');

    if (o->config)
        return NULL;
    return slash < all.len ? arena_strdup(&config->memory, slice_take(all, slash + 1)) : ".";
}

static void flatten(void *context, struct buf *out)
{
    const struct slice *text = context;

    yaml_flatten(*text, out);
}

/*
 * Reads the text of a settings file. Another process in the sandbox parses it: this one still may
 * do anything, because the settings say what the sandbox of the run has to allow.
 */
static bool read_text(struct config *config, struct options *o, const char *path, struct slice text,
                      struct diag *diag)
{
    struct buf events = {0};
    bool ok = true;

    if (o->no_sandbox)
        yaml_flatten(text, &events);
    else if (!aside_run(flatten, &text, NULL, &events))
        ok = diag_error(diag, "the process that parses settings failed; --no-sandbox "
                              "parses them without it");
    ok = ok &&
         config_read_events(config, buf_slice(&events), directory_of(config, o, path), o, diag);
    buf_release(&events);
    return ok;
}

static bool read_file(struct config *config, struct options *o, const char *path,
                      struct console *console)
{
    struct buf text = {0}, why = {0};
    struct diag diag;
    bool ok = true;

    if (!path)
        return true;
    diag_init(&diag, slice_str(path));
    if (!file_read(path, SETTINGS_MAX_SIZE, &text, &why))
        ok = diag_error(&diag, "%s", buf_string(&why));
    else
        ok = read_text(config, o, path, buf_slice(&text), &diag);
    config->text = arena_copy(&config->memory, buf_slice(&text));
    console_show(console, &diag);
    diag_release(&diag);
    buf_release(&why);
    buf_release(&text);
    return ok;
}

static bool read_entries(struct config *config, struct options *o, struct console *console)
{
    const struct {
        const char *option, *section;
        const struct strings *entries;
    } lists[] = {{"--budget", "budgets", &o->budgets}, {"--accept", "accepted", &o->accepted}};
    bool ok = true;

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        struct diag diag;

        diag_init(&diag, slice_str(lists[i].option));
        ok = config_read_entries(config, lists[i].section, lists[i].entries, o, &diag) && ok;
        console_show(console, &diag);
        diag_release(&diag);
    }
    return ok;
}

static bool read_codeowners(struct config *config, const struct options *o, struct console *console)
{
    struct buf text = {0}, why = {0};
    struct diag diag;
    bool ok = true;

    if (!o->codeowners)
        return true;
    diag_init(&diag, slice_str(o->codeowners));
    if (file_read(o->codeowners, CODEOWNERS_MAX_SIZE, &text, &why))
        codeowners_init(&config->codeowners, buf_slice(&text));
    else
        ok = diag_error(&diag, "%s", buf_string(&why));
    console_show(console, &diag);
    diag_release(&diag);
    buf_release(&why);
    buf_release(&text);
    return ok;
}

bool settings_read(struct config *config, struct options *o, const char *path,
                   struct console *console)
{
    return read_file(config, o, path, console) && read_entries(config, o, console);
}

static void check_rule(const char *match, struct diag_place place, const struct inputs *in,
                       struct diag *diag)
{
    vec_each (const struct input_file, input, &in->items)
        if (glob_matches(match, input->shown))
            return;
    diag_add(diag, DIAG_WARNING, place, "no profile of '%s' matches '%s'", in->first, match);
}

static void check_rules(const struct config *config, const struct inputs *in, const char *path,
                        struct console *console)
{
    struct diag diag;
    bool found = false;

    vec_each (const struct input_file, input, &in->items)
        found |= input->below != NULL;
    if (!found)
        return;
    diag_init(&diag, slice_str(path));
    vec_each (const struct profile_rule, rule, &config->rules)
        check_rule(rule->match, rule->place, in, &diag);
    vec_each (const struct service_rule, rule, &config->services)
        check_rule(rule->match, rule->place, in, &diag);
    console_show(console, &diag);
    diag_release(&diag);
}

bool settings_plan(struct config *config, struct plan *plan, const struct options *o,
                   const struct inputs *in, const char *path, struct compare_settings *compare,
                   struct console *console, struct diag *diag)
{
    struct diag rules;
    bool ok;

    if (!read_codeowners(config, o, console) || !options_make_plan(plan, o, DIAG_AT_FILE, diag))
        return false;
    diag_init(&rules, slice_str(path));
    ok = config_finish(config, o, &rules);
    if (ok && compare) {
        options_make_comparison(compare, o);
        ok = config_comparison(config, &plan->recipe.searches, compare, &rules);
    }
    console_show(console, &rules);
    diag_release(&rules);
    if (ok && !o->part)
        check_rules(config, in, path, console);
    return ok;
}

/* Returns how many steps it takes at most to compare all patterns with all paths. */
static double count_steps(const struct config *config, const struct options *o,
                          const struct inputs *in)
{
    double patterns = 0, paths = 0;

    vec_each (const struct profile_rule, rule, &config->rules)
        patterns += (double)glob_cost(rule->match);
    vec_each (const struct service_rule, rule, &config->services)
        patterns += (double)glob_cost(rule->match);
    vec_each (const char *const, glob, &o->excluded)
        patterns += (double)glob_cost(*glob);
    vec_each (const struct input_file, input, &in->items)
        paths += (double)strlen(input->shown);
    return patterns * paths;
}

bool settings_match_inputs(const struct config *config, const struct options *o, struct inputs *in,
                           const char *path, struct console *console)
{
    struct diag diag;
    bool ok = count_steps(config, o, in) <= MATCHING_MOST;

    if (!ok) {
        diag_init(&diag, slice_str(path));
        diag_error(&diag,
                   "%zu rules with long patterns and %zu profiles would take too long to compare; "
                   "use fewer rules, or patterns with shorter parts between '*'",
                   config->rules.count + config->services.count + o->excluded.count,
                   in->items.count);
        console_show(console, &diag);
        diag_release(&diag);
        return false;
    }
    inputs_exclude(in, o->excluded.items, o->excluded.count);
    return true;
}

/* Reads SOURCE_DATE_EPOCH. Returns false if it is not set, or not a number of seconds. */
static bool read_epoch(time_t *when)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds;

    if (!epoch || !num_parse_u64(slice_str(epoch), &seconds) || seconds > INT32_MAX * 100ull)
        return false;
    *when = (time_t)seconds;
    return true;
}

static struct slice day_of(time_t when, char text[static 16])
{
    struct tm day;

    if (!gmtime_r(&when, &day))
        return slice_str(NULL);
    return slice_make(text, strftime(text, 16, "%Y-%m-%d", &day));
}

struct slice settings_today(char text[static 16])
{
    time_t when = time(NULL);

    read_epoch(&when);
    return day_of(when, text);
}

struct slice settings_date(const struct options *o, char text[static 16])
{
    time_t when;

    if (o->date.ptr)
        return o->date;
    return read_epoch(&when) ? day_of(when, text) : slice_str(NULL);
}
