#include "cli/config.h"

#include <stddef.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/num.h"
#include "base/suggest.h"
#include "batch/history.h"
#include "compare/budgets.h"
#include "input/parse/yaml.h"
#include "options/make.h"

/* Of a list or mapping: profiles and functions are compared with the entries one by one. */
enum { MOST_ENTRIES = 1000 };

/* A settings file that is being read, and the options that it sets. */
struct reader {
    struct yaml_reader yaml;
    struct config *config;
    struct options *options;
    const char *directory; /* paths must lead below it; NULL: anywhere */
    const char *key;       /* the key being read, as it is spelled in the file */
    bool *sections_seen;
    uint64_t *rows_seen;
    struct diag *diag;
};

static struct diag_place place(const struct reader *r)
{
    return yaml_place(&r->yaml);
}

static bool advance(struct reader *r)
{
    return yaml_advance(&r->yaml);
}

static yaml_event_type_t event(const struct reader *r)
{
    return r->yaml.event.type;
}

static const char *scalar(struct reader *r, const char *key)
{
    return yaml_scalar(&r->yaml, key);
}

static bool expect(struct reader *r, yaml_event_type_t type, const char *key, const char *expected)
{
    return yaml_expect(&r->yaml, type, key, expected);
}

typedef bool item_fn(struct reader *r, void *context);

/*
 * Calls `take` at each key of the mapping, or at each item of the list, whose start is the present
 * event. `take` reads on to the end of the value or the item, and returns false after reporting an
 * error. More than MOST_ENTRIES are an error.
 */
static bool read_each(struct reader *r, item_fn *take, void *context)
{
    bool list = event(r) == YAML_SEQUENCE_START_EVENT;
    yaml_event_type_t end = list ? YAML_SEQUENCE_END_EVENT : YAML_MAPPING_END_EVENT;

    for (size_t count = 0; advance(r); count++) {
        if (event(r) == end)
            return true;
        if (count == MOST_ENTRIES) {
            diag_add(r->diag, DIAG_ERROR, place(r), "there are more than %d entries here",
                     MOST_ENTRIES);
            return false;
        }
        if (!take(r, context))
            return false;
    }
    return false;
}

static bool unknown_key(struct reader *r, const char *key, const char *others,
                        enum option_scope least)
{
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, key);
    suggest_offer_list(&near, others);
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->scope >= least)
            suggest_offer(&near, row->name);
    suggest_write(&near, "", &hint);
    diag_add(r->diag, DIAG_ERROR, place(r), "unknown key '%s'%s", key, buf_string(&hint));
    buf_release(&hint);
    return false;
}

/*
 * Returns the option called `key` if its scope is at least `least`, or NULL after
 * reporting an error at the current event. `others` are keys that are not options.
 */
static const struct option_row *find_row(struct reader *r, const char *key, const char *others,
                                         enum option_scope least)
{
    const struct option_row *row = options_find(key, COMMAND_REPORT);

    if (row && row->scope >= least)
        return row;
    if (row && row->scope == SCOPE_REPORT)
        diag_add(r->diag, DIAG_ERROR, place(r),
                 "%s: applies to the whole report and cannot be set by a rule", key);
    else
        unknown_key(r, key, others, least);
    return NULL;
}

static bool given_twice(struct reader *r, const char *key)
{
    diag_add(r->diag, DIAG_ERROR, place(r), "key '%s' is given twice", key);
    return false;
}

/* A key given twice in one mapping hides a mistake; `seen` has a bit for each row. */
static bool first_time(struct reader *r, uint64_t seen[OPTIONS_WORDS], const struct option_row *row)
{
    size_t n = (size_t)(row - options_table);

    if (seen[n / 64] >> n % 64 & 1)
        return given_twice(r, r->key);
    seen[n / 64] |= (uint64_t)1 << n % 64;
    return true;
}

/* True if the settings may name a file that is read: it is below their directory. */
static bool is_below(const struct reader *r, const struct option_row *row, const char *value)
{
    struct arena memory = {0};
    const char *path = value;
    struct slice label;
    bool below;

    if (strcmp(row->name, "baseline") == 0)
        history_split(value, &memory, &path, &label);
    below = file_is_inside(path, r->directory);
    arena_release(&memory);
    return below;
}

/* Returns true if the settings may name the file; see the top of cli/config.h. */
static bool may_name(struct reader *r, const struct option_row *row, const char *value)
{
    enum option_files files = r->directory ? options_files(row, value) : FILES_NONE;

    if (files == FILES_WRITTEN) {
        diag_add(r->diag, DIAG_ERROR, place(r),
                 "%s: a file that is written can be named on the command line, or in settings "
                 "given by --config",
                 r->key);
        return false;
    }
    if (files == FILES_NONE || is_below(r, row, value))
        return true;
    diag_add(r->diag, DIAG_ERROR, place(r),
             "%s: '%s' is not below the directory of profiles; name it on the command line, or "
             "in settings given by --config",
             r->key, value);
    return false;
}

/* Checks the present scalar as a value of `row` and stores it in `o`. */
static bool set_value(struct reader *r, struct options *o, const struct option_row *row,
                      const char *value)
{
    struct buf why = {0};
    bool ok;

    if (!may_name(r, row, value))
        return false;
    ok = options_set(o, row, value, &why);
    if (!ok)
        diag_add(r->diag, DIAG_ERROR, place(r), "%s: %s", r->key, buf_string(&why));
    buf_release(&why);
    return ok;
}

typedef bool use_fn(struct reader *r, void *target, const struct option_row *row,
                    const char *value);

/* An option whose values are read, and the function that takes each value. */
struct values {
    const struct option_row *row;
    use_fn *use;
    void *target;
};

static bool read_value(struct reader *r, void *context)
{
    const struct values *v = context;
    const char *value = scalar(r, r->key);

    return value && v->use(r, v->target, v->row, value);
}

/* Reads the value of a key: a scalar, or a list of scalars if the option is repeatable. */
static bool read_values(struct reader *r, const struct option_row *row, use_fn *use, void *target)
{
    struct values v = {row, use, target};

    if (!advance(r))
        return false;
    if (options_is_list(row) && event(r) == YAML_SEQUENCE_START_EVENT)
        return read_each(r, read_value, &v);
    return read_value(r, &v);
}

static bool use_globally(struct reader *r, void *target, const struct option_row *row,
                         const char *value)
{
    (void)target;
    if (options_given(r->options, row))
        return true;
    return set_value(r, r->options, row, value);
}

static bool use_in_rule(struct reader *r, void *target, const struct option_row *row,
                        const char *value)
{
    struct profile_rule *rule = target;
    struct options checked;
    bool ok;

    options_init(&checked);
    ok = set_value(r, &checked, row, value);
    options_release(&checked);
    if (ok)
        *vec_add(&rule->settings) = (struct setting){row, value};
    return ok;
}

/* Copies the current scalar. Returns NULL after reporting that it is empty or no scalar. */
static const char *search_part(struct reader *r, const char *of, const char *what)
{
    bool nothing = event(r) == YAML_SCALAR_EVENT && yaml_is_null(&r->yaml);
    const char *text = nothing ? "" : scalar(r, of);

    if (!text || *text)
        return text;
    diag_add(r->diag, DIAG_ERROR, place(r), "%s: expected a %s, found nothing", of, what);
    return NULL;
}

/* Reads a name and its pattern; `context` is how many searches the command line gives. */
static bool read_search(struct reader *r, void *context)
{
    const size_t *from_command_line = context;
    const char *name = search_part(r, "searches", "name"), *pattern;
    bool known = false;

    if (!name)
        return false;
    for (size_t i = 0; i < r->options->searches.count && !known; i++) {
        known = slice_equal(r->options->searches.items[i].name, slice_str(name));
        if (known && i >= *from_command_line) {
            diag_add(r->diag, DIAG_ERROR, place(r), "search '%s' is given twice", name);
            return false;
        }
    }
    if (!advance(r) || !(pattern = search_part(r, name, "regex")))
        return false;
    if (!known)
        *vec_add(&r->options->searches) =
            (struct search){.name = slice_str(name), .pattern = slice_str(pattern)};
    return true;
}

static bool read_searches(struct reader *r)
{
    size_t from_command_line = r->options->searches.count;

    return advance(r) &&
           expect(r, YAML_MAPPING_START_EVENT, "searches", "a mapping of name: regex") &&
           read_each(r, read_search, &from_command_line);
}

static bool is_glob(struct reader *r, const char *match)
{
    struct buf why = {0};
    bool ok;

    ok = glob_check(match, &why);
    if (!ok)
        diag_add(r->diag, DIAG_ERROR, place(r), "match: %s", buf_string(&why));
    buf_release(&why);
    return ok;
}

/* A rule on its way into the settings. */
struct rule_reading {
    struct profile_rule rule;
    uint64_t seen[OPTIONS_WORDS];
};

static bool read_rule_key(struct reader *r, void *context)
{
    struct rule_reading *reading = context;
    struct profile_rule *rule = &reading->rule;
    const char *key = scalar(r, "profiles");
    const struct option_row *row;

    if (!key)
        return false;
    if (strcmp(key, "match") == 0)
        return (!rule->match || given_twice(r, key)) && advance(r) &&
               (rule->match = scalar(r, key)) && is_glob(r, rule->match);
    r->key = key;
    row = find_row(r, key, "match", SCOPE_PROFILE);
    return row && first_time(r, reading->seen, row) && read_values(r, row, use_in_rule, rule);
}

static bool read_rule(struct reader *r, void *context)
{
    struct rule_reading reading = {.rule.place = place(r)};
    struct profile_rule *rule = &reading.rule;
    bool ok = expect(r, YAML_MAPPING_START_EVENT, "profiles", "a mapping with match: GLOB") &&
              read_each(r, read_rule_key, &reading);

    (void)context;
    if (ok && !rule->match) {
        diag_add(r->diag, DIAG_ERROR, rule->place, "a profile rule needs match: GLOB");
        ok = false;
    }
    if (ok)
        *vec_add(&r->config->rules) = *rule;
    else
        vec_release(&rule->settings);
    return ok;
}

/* A key of a mapping with fixed keys, and where its value goes. */
struct member {
    const char *key;
    enum { MEMBER_GLOB, MEMBER_TEXT, MEMBER_PERCENT, MEMBER_DATE, MEMBER_BASIS } kind;
    void *target; /* const char * (glob), struct slice (text, date), enum budget_kind (basis), or
                     double, a part of 1 */
    bool given;
};

static bool read_percent(struct reader *r, const struct member *m, const char *value)
{
    double number;

    if (num_parse_double(slice_str(value), &number) && number >= 0 && number <= 100) {
        *(double *)m->target = number / 100;
        return true;
    }
    diag_add(r->diag, DIAG_ERROR, place(r),
             "%s: invalid value '%s', expected a number from 0 to 100", m->key, value);
    return false;
}

/* Reads by what the total of a service is counted. */
static bool read_basis(struct reader *r, const struct member *m, const char *value)
{
    for (enum budget_kind kind = BUDGET_PER_REQUEST; kind <= BUDGET_PER_RUN; kind++)
        if (slice_equal(budgets_basis(kind), slice_str(value))) {
            *(enum budget_kind *)m->target = kind;
            return true;
        }
    diag_add(r->diag, DIAG_ERROR, place(r),
             "%s: invalid value '%s', expected one of: request second run", m->key, value);
    return false;
}

static bool read_member(struct reader *r, struct member *m)
{
    const char *value;

    if (m->given && !given_twice(r, m->key))
        return false;
    m->given = true;
    if (!advance(r) || !(value = search_part(r, m->key, "text")))
        return false;
    switch (m->kind) {
    case MEMBER_GLOB:
        *(const char **)m->target = value;
        return is_glob(r, value);
    case MEMBER_PERCENT:
        return read_percent(r, m, value);
    case MEMBER_BASIS:
        return read_basis(r, m, value);
    case MEMBER_DATE:
        if (!date_is_day(slice_str(value))) {
            diag_add(r->diag, DIAG_ERROR, place(r),
                     "%s: invalid value '%s', expected a day such as 2026-11-22", m->key, value);
            return false;
        }
        break;
    case MEMBER_TEXT:
        break;
    }
    *(struct slice *)m->target = slice_str(value);
    return true;
}

/* The keys that a mapping may have. */
struct members {
    const char *section;
    struct member *items;
    size_t count;
};

static bool refuse_member(struct reader *r, const struct members *m, const char *key)
{
    struct buf keys = {0};

    for (size_t i = 0; i < m->count; i++)
        buf_printf(&keys, "%s%s", i ? " " : "", m->items[i].key);
    unknown_key(r, key, buf_string(&keys), SCOPE_END);
    buf_release(&keys);
    return false;
}

static bool read_member_key(struct reader *r, void *context)
{
    const struct members *m = context;
    const char *key = scalar(r, m->section);

    for (size_t i = 0; key && i < m->count; i++)
        if (strcmp(m->items[i].key, key) == 0)
            return read_member(r, &m->items[i]);
    return key && refuse_member(r, m, key);
}

/* Reads the mapping that begins at the current event. `what` describes it in messages. */
static bool read_members(struct reader *r, const char *section, const char *what,
                         struct member *members, size_t count)
{
    struct members m = {section, members, count};

    return expect(r, YAML_MAPPING_START_EVENT, section, what) && read_each(r, read_member_key, &m);
}

static bool read_service(struct reader *r, void *context)
{
    struct service_rule rule = {.place = place(r)};
    struct member members[] = {{"match", MEMBER_GLOB, &rule.match, false},
                               {"name", MEMBER_TEXT, &rule.name, false},
                               {"owner", MEMBER_TEXT, &rule.owner, false},
                               {"link", MEMBER_TEXT, &rule.link, false}};

    (void)context;
    if (!read_members(r, "services", "a mapping with match: GLOB", members, 4))
        return false;
    if (rule.match) {
        *vec_add(&r->config->services) = rule;
        return true;
    }
    diag_add(r->diag, DIAG_ERROR, rule.place, "a service needs match: GLOB");
    return false;
}

/* The keys of a budget. */
enum {
    BUDGET_OF_SERVICE,
    BUDGET_OF_FUNCTION,
    BUDGET_OF_SEARCH,
    BUDGET_TOTAL,
    BUDGET_SHARE,
    BUDGET_GROWTH,
    BUDGET_KEYS
};

/* Returns what is wrong with a budget of `names` functions, searches and totals, or NULL. */
static const char *budget_fault(const struct member members[BUDGET_KEYS], unsigned names)
{
    bool share = members[BUDGET_SHARE].given, growth = members[BUDGET_GROWTH].given;
    bool total = members[BUDGET_TOTAL].given;

    if (names != 1)
        return "a budget needs one of function, search and total";
    if (total && (share || !growth))
        return "a budget of a total needs max_growth, and has no max_share";
    return share || growth ? NULL : "a budget needs max_share or max_growth";
}

static bool read_budget(struct reader *r, void *context)
{
    struct budget_rule rule = {.budget = {.max_share = 1, .max_growth = 1}, .place = place(r)};
    const char *service = "*", *fault;
    struct slice function = {0}, search = {0};
    struct member members[BUDGET_KEYS] = {
        [BUDGET_OF_SERVICE] = {"service", MEMBER_GLOB, &service, false},
        [BUDGET_OF_FUNCTION] = {"function", MEMBER_TEXT, &function, false},
        [BUDGET_OF_SEARCH] = {"search", MEMBER_TEXT, &search, false},
        [BUDGET_TOTAL] = {"total", MEMBER_BASIS, &rule.budget.kind, false},
        [BUDGET_SHARE] = {"max_share", MEMBER_PERCENT, &rule.budget.max_share, false},
        [BUDGET_GROWTH] = {"max_growth", MEMBER_PERCENT, &rule.budget.max_growth, false}};

    (void)context;
    if (!read_members(r, "budgets",
                      "a mapping with function, search or total, and max_share or max_growth",
                      members, BUDGET_KEYS))
        return false;
    fault =
        budget_fault(members, (function.len > 0) + (search.len > 0) + members[BUDGET_TOTAL].given);
    if (fault) {
        diag_add(r->diag, DIAG_ERROR, rule.place, "%s", fault);
        return false;
    }
    rule.budget.service = slice_str(service);
    rule.search = search.len ? search.ptr : NULL;
    if (!members[BUDGET_TOTAL].given) {
        rule.budget.kind = search.len ? BUDGET_SEARCH : BUDGET_FUNCTION;
        rule.budget.name = search.len ? search : function;
    }
    *vec_add(&r->config->budget_rules) = rule;
    return true;
}

static bool read_acceptance(struct reader *r, void *context)
{
    struct compare_acceptance rule = {0};
    struct diag_place start = place(r);
    const char *service = "*";
    struct slice until = {0};
    struct member members[] = {{"service", MEMBER_GLOB, &service, false},
                               {"function", MEMBER_TEXT, &rule.function, false},
                               {"until", MEMBER_DATE, &until, false},
                               {"reason", MEMBER_TEXT, &rule.reason, false}};

    (void)context;
    if (!read_members(r, "accepted", "a mapping with function, until and reason", members, 4))
        return false;
    if (!members[1].given || !members[2].given || !members[3].given) {
        diag_add(r->diag, DIAG_ERROR, start, "an accepted change needs function, until and reason");
        return false;
    }
    if (r->config->today.len && slice_compare(until, r->config->today) < 0) {
        diag_add(r->diag, DIAG_ERROR, start,
                 "%.*s was accepted until %.*s; accept it anew, or remove it",
                 SLICE_ARG(rule.function), SLICE_ARG(until));
        return false;
    }
    rule.service = slice_str(service);
    *vec_add(&r->config->accepted) = rule;
    return true;
}

static bool add_rename(struct reader *r, const char *pattern, const char *text,
                       struct diag_place start)
{
    struct buf why = {0};
    bool ok = rename_list_add(&r->config->renames, slice_str(pattern), slice_str(text),
                              r->options->ignore_case, &why);

    if (!ok)
        diag_add(r->diag, DIAG_ERROR, start, "rename: %s in '%s'", buf_string(&why), pattern);
    buf_release(&why);
    return ok;
}

static bool read_rename(struct reader *r, void *context)
{
    struct diag_place start = place(r);
    const char *from = search_part(r, "rename", "regex"), *to;

    (void)context;
    return from && advance(r) && (to = scalar(r, from)) && add_rename(r, from, to, start);
}

/* Reads `rename`, a mapping of regular expressions to texts. */
static bool read_renames(struct reader *r)
{
    return advance(r) &&
           expect(r, YAML_MAPPING_START_EVENT, "rename", "a mapping of REGEX: TEXT") &&
           read_each(r, read_rename, NULL);
}

/* Keys of `compare` that were read. */
struct compare_keys {
    uint64_t rows[OPTIONS_WORDS];
    bool renames;
};

/* Reads a key that is an option: "min_change" sets --min-change. */
static bool read_compare_option(struct reader *r, const char *key, uint64_t seen[OPTIONS_WORDS])
{
    static const char keys[] = "measure min_change min_share fdr min_samples min_runs rename";
    char *name = arena_strdup(&r->config->memory, slice_str(key));
    const struct option_row *row;

    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    row = options_find(name, COMMAND_CHECK);
    if (!row || row->group != GROUP_COMPARISON || strchr(key, '-') || row->scope != SCOPE_REPORT ||
        row->kind == OPTION_STRING)
        return unknown_key(r, key, keys, SCOPE_END);
    r->key = key;
    return first_time(r, seen, row) && read_values(r, row, use_globally, NULL);
}

static bool read_compare_key(struct reader *r, void *context)
{
    struct compare_keys *seen = context;
    const char *key = scalar(r, "compare");

    if (!key)
        return false;
    if (strcmp(key, "rename") != 0)
        return read_compare_option(r, key, seen->rows);
    if (seen->renames)
        return given_twice(r, key);
    seen->renames = true;
    return read_renames(r);
}

static bool read_compare(struct reader *r)
{
    struct compare_keys seen = {.renames = false};

    return advance(r) && expect(r, YAML_MAPPING_START_EVENT, "compare", "a mapping of keys") &&
           read_each(r, read_compare_key, &seen);
}

/* Reads a list of mappings, each by `read`. */
static bool read_list(struct reader *r, const char *key, item_fn *read)
{
    return advance(r) && expect(r, YAML_SEQUENCE_START_EVENT, key, "a list") &&
           read_each(r, read, NULL);
}

static bool read_rules(struct reader *r)
{
    return read_list(r, "profiles", read_rule);
}

static bool read_services(struct reader *r)
{
    return read_list(r, "services", read_service);
}

static bool read_budgets(struct reader *r)
{
    return read_list(r, "budgets", read_budget);
}

static bool read_acceptances(struct reader *r)
{
    return read_list(r, "accepted", read_acceptance);
}

/* Top-level keys that are no options. */
static const struct section {
    const char *key;
    bool (*read)(struct reader *r);
} sections[] = {{"searches", read_searches}, {"profiles", read_rules},
                {"services", read_services}, {"compare", read_compare},
                {"budgets", read_budgets},   {"accepted", read_acceptances}};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]) };

static bool read_key(void *reader, const char *key)
{
    struct reader *r = reader;
    const struct option_row *row;

    for (size_t i = 0; i < SECTIONS; i++) {
        if (strcmp(sections[i].key, key) != 0)
            continue;
        if (r->sections_seen[i] && !given_twice(r, key))
            return false;
        r->sections_seen[i] = true;
        return sections[i].read(r);
    }
    r->key = key;
    row = find_row(r, key, "searches profiles services compare budgets accepted", SCOPE_REPORT);
    return row && first_time(r, r->rows_seen, row) && read_values(r, row, use_globally, NULL);
}

static void release_rule(struct profile_rule *rule)
{
    vec_release(&rule->settings);
    options_release(&rule->options);
    plan_release(&rule->plan);
}

void config_release(struct config *c)
{
    vec_each (struct profile_rule, rule, &c->rules)
        release_rule(rule);
    release_rule(&c->others);
    release_all(c, vec, rules, services, accepted, budget_rules, budgets);
    rename_list_release(&c->renames);
    codeowners_release(&c->codeowners);
    arena_release(&c->memory);
}

bool config_read_events(struct config *c, struct slice events, const char *directory,
                        struct options *o, struct diag *diag)
{
    bool sections_seen[SECTIONS] = {0};
    uint64_t rows_seen[OPTIONS_WORDS] = {0};
    struct reader r = {
        .yaml = {.memory = &c->memory, .diag = diag},
        .config = c,
        .options = o,
        .directory = directory,
        .sections_seen = sections_seen,
        .rows_seen = rows_seen,
        .diag = diag,
    };

    return yaml_read_events(&r.yaml, events, "settings", read_key, &r);
}

bool config_read(struct config *c, struct slice text, const char *directory, struct options *o,
                 struct diag *diag)
{
    struct buf events = {0};
    bool ok;

    yaml_flatten(text, &events);
    ok = config_read_events(c, buf_slice(&events), directory, o, diag);
    buf_release(&events);
    return ok;
}

static bool read_entry(struct config *c, const char *section, const char *text, struct options *o,
                       struct diag *diag)
{
    struct buf whole = {0};
    struct diag own;
    bool ok;

    diag_init(&own, SLICE(""));
    buf_printf(&whole, "{%s: [\n{%s\n}]}\n", section, text);
    ok = config_read(c, buf_slice(&whole), NULL, o, &own);
    diag_append(diag, &own, (uint64_t)-1); /* the entry begins in the second line */
    diag_release(&own);
    buf_release(&whole);
    return ok;
}

bool config_read_entries(struct config *c, const char *section, const struct strings *entries,
                         struct options *o, struct diag *diag)
{
    bool ok = true;

    vec_each (const char *const, entry, entries)
        ok = read_entry(c, section, *entry, o, diag) && ok;
    return ok;
}

/* Title and subtitle of the whole run belong to the report; a rule sets those of a graph. */
static bool names_the_report(const struct option_row *row)
{
    return row->offset == offsetof(struct options, plan.look.picture.title) ||
           row->offset == offsetof(struct options, plan.look.picture.subtitle);
}

/* Returns true if a rule sets an option that the command line does not give. */
static bool applies(const struct setting *setting, const struct options *o)
{
    return !options_given(o, setting->row) || names_the_report(setting->row);
}

/* Fills `own` with a copy of `o` and the settings of the rule. */
static void apply_rule(const struct profile_rule *rule, const struct options *o,
                       struct options *own)
{
    struct buf why = {0};

    options_copy(own, o);
    own->plan.look.picture.title = own->plan.look.picture.subtitle = SLICE("");
    /* A rule's list replaces the report's. */
    for (size_t i = 0; i < rule->settings.count; i++)
        if (applies(&rule->settings.items[i], o))
            options_clear(own, rule->settings.items[i].row);
    for (size_t i = 0; i < rule->settings.count; i++) {
        const struct setting *setting = &rule->settings.items[i];

        if (applies(setting, o) && !options_set(own, setting->row, setting->value, &why))
            BUG("a checked setting is refused: %s", buf_string(&why));
    }
    buf_release(&why);
}

static bool make_plan(struct profile_rule *rule, const struct options *o, struct diag *diag)
{
    apply_rule(rule, o, &rule->options);
    return options_make_plan(&rule->plan, &rule->options, rule->place, diag);
}

bool config_finish(struct config *c, const struct options *o, struct diag *diag)
{
    bool ok = make_plan(&c->others, o, diag);

    vec_each (struct profile_rule, rule, &c->rules)
        ok = make_plan(rule, o, diag) && ok;
    return ok;
}

const struct plan *config_plan(const struct config *c, const char *path)
{
    vec_each (const struct profile_rule, rule, &c->rules)
        if (glob_matches(rule->match, path))
            return &rule->plan;
    return &c->others.plan;
}

bool config_comparison(struct config *c, const struct search_list *searches,
                       struct compare_settings *settings, struct diag *diag)
{
    vec_each (const struct budget_rule, rule, &c->budget_rules) {
        struct compare_budget budget = rule->budget;

        vec_each (struct search *const, search, searches)
            if (rule->search && slice_equal((*search)->name, budget.name))
                budget.search = *search;
        if (rule->search && !budget.search) {
            diag_add(diag, DIAG_ERROR, rule->place, "no search is called '%s'", rule->search);
            return false;
        }
        *vec_add(&c->budgets) = budget;
    }
    settings->renames = c->renames;
    settings->accepted = c->accepted;
    settings->budgets = c->budgets;
    settings->codeowners = &c->codeowners;
    return true;
}
