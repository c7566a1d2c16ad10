#include "batch/grouping.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/intern.h"

/* What a name can differ in from those of other runs: [from, to) of the file's name. */
struct tag {
    size_t from, to;
    bool date;
};

enum { TAGS_MOST = 8 };

#define NO_GROUP SIZE_MAX

struct tags {
    struct tag items[TAGS_MOST]; /* in the order of the name */
    size_t count;
    size_t host, host_end; /* of the host, '@' included; equal if there is none */
};

/* ---- the parts of a name --------------------------------------------------- */

static bool is_border(char c)
{
    return c == '.' || c == '-' || c == '_' || c == '@';
}

static bool is_of_host(char c)
{
    return ascii_is_digit(c) || ascii_is_letter(c) || c == '-';
}

static size_t count_digits(struct slice s, size_t at)
{
    size_t n = 0;

    while (at + n < s.len && ascii_is_digit(s.ptr[at + n]))
        n++;
    return n;
}

/* Takes two digits of at most `most`, perhaps after one of `separators`. Returns the new place. */
static size_t take_two(struct slice s, size_t at, const char *separators, unsigned most)
{
    size_t start = at < s.len && strchr(separators, s.ptr[at]) ? at + 1 : at;
    size_t digits = count_digits(s, start);

    if (digits < 2 ||
        (unsigned)(s.ptr[start] - '0') * 10 + (unsigned)(s.ptr[start + 1] - '0') > most)
        return 0;
    return start + 2;
}

/*
 * Returns the end of a date that starts at `at`, 0 if there is none: "2026-11-22", "20261122",
 * perhaps with a time, "2026-11-22T10-15-00Z".
 */
static size_t date_end(struct slice s, size_t at)
{
    bool century = s.len - at >= 4 && (s.ptr[at] == '1' || s.ptr[at] == '2') &&
                   (s.ptr[at + 1] == '9' || s.ptr[at + 1] == '0') &&
                   ascii_is_digit(s.ptr[at + 2]) && ascii_is_digit(s.ptr[at + 3]);
    size_t end = century ? take_two(s, at + 4, "-_.", 12) : 0, hour, minute;

    end = end ? take_two(s, end, "-_.", 31) : 0;
    if (!end)
        return 0;
    hour = end < s.len && strchr("T-_", s.ptr[end]) ? take_two(s, end + 1, "", 23) : 0;
    minute = hour ? take_two(s, hour, "-_:h", 59) : 0;
    if (minute) {
        size_t second = take_two(s, minute, "-_:m", 60);

        end = second ? second : minute;
        end += end < s.len && s.ptr[end] == 'Z';
    }
    return end == s.len || is_border(s.ptr[end]) ? end : 0;
}

/* Whether the number [from, to) is a part of a version, "1.2", or of "x86_64". */
static bool is_part(struct slice s, size_t from, size_t to)
{
    const struct slice x86 = SLICE("x86_");

    return (from >= 2 && s.ptr[from - 1] == '.' && ascii_is_digit(s.ptr[from - 2])) ||
           (to + 1 < s.len && s.ptr[to] == '.' && ascii_is_digit(s.ptr[to + 1])) ||
           slice_ends(slice_take(s, from), x86);
}

static void add_tag(struct tags *tags, size_t from, size_t to, bool date)
{
    if (tags->count < TAGS_MOST)
        tags->items[tags->count++] = (struct tag){from, to, date};
}

/* Finds the tag that starts at `at`, where a word starts. Returns the end of the tag or `at`. */
static size_t find_tag(struct tags *tags, struct slice s, size_t at)
{
    const struct slice run = SLICE("run");
    size_t word = slice_starts(slice_skip(s, at), run) ? at + run.len : at;
    size_t end = date_end(s, at), digits;

    if (end) {
        add_tag(tags, at, end, true);
        return end;
    }
    digits = count_digits(s, word);
    end = word + digits;
    if (!digits || (end < s.len && !is_border(s.ptr[end])) || is_part(s, word, end))
        return at;
    add_tag(tags, word, end, false);
    return end;
}

static struct tags find_tags(struct slice name)
{
    struct tags tags = {.host = name.len, .host_end = name.len};

    for (size_t at = 0; at < name.len;) {
        if (name.ptr[at] == '@' && at && tags.host == name.len) {
            tags.host = at++;
            while (at < name.len && is_of_host(name.ptr[at]))
                at++;
            tags.host_end = at;
        } else if (!at || is_border(name.ptr[at - 1])) {
            size_t end = find_tag(&tags, name, at);

            at = end > at ? end : at + 1;
        } else {
            at++;
        }
    }
    return tags;
}

struct slice grouping_host(struct slice path)
{
    struct slice name = names_unpacked(file_name_of(path));
    struct tags tags = find_tags(name);

    return tags.host_end > tags.host + 1
               ? slice_make(name.ptr + tags.host + 1, tags.host_end - tags.host - 1)
               : slice_make(NULL, 0);
}

struct slice grouping_date(struct slice path)
{
    struct slice name = names_unpacked(file_name_of(path));
    struct tags tags = find_tags(name);

    for (size_t i = 0; i < tags.count; i++)
        if (tags.items[i].date)
            return slice_make(name.ptr + tags.items[i].from, tags.items[i].to - tags.items[i].from);
    return slice_make(NULL, 0);
}

/* ---- groups ---------------------------------------------------------------- */

/* A path while groups are made. */
struct member {
    struct slice path, unpacked;
    struct slice name; /* of the file, the end of `unpacked` */
    struct tags tags;
    const struct service_rule *rule; /* or NULL */
    /* Ids of what is left of the path without each tag; the last one is without any removed. */
    uint32_t keys[TAGS_MOST + 1];
    size_t chosen; /* of the keys */
};

static bool is_named(const struct member *m)
{
    return m->rule && m->rule->name.len;
}

static struct slice directory_of(const struct member *m)
{
    return slice_take(m->unpacked, m->unpacked.len - m->name.len);
}

/* Appends the part [from, to) of a name, without the host. */
static void add_part(struct buf *out, const struct member *m, size_t from, size_t to)
{
    size_t host = m->tags.host, end = m->tags.host_end;

    if (host >= to || end <= from)
        host = end = to;
    buf_add(out, m->name.ptr + from, host - from);
    buf_add(out, m->name.ptr + end, to - end);
}

/*
 * Writes the path without the host and the tag number `tag`, whose place is marked by a byte that
 * no path has. A name without host and tag is that of one file, whatever its compression.
 */
static void write_key(const struct member *m, size_t tag, struct buf *key)
{
    buf_clear(key);
    if (tag == m->tags.count && m->tags.host == m->tags.host_end) {
        buf_add_slice(key, m->path);
        return;
    }
    buf_add_slice(key, directory_of(m));
    if (tag < m->tags.count) {
        add_part(key, m, 0, m->tags.items[tag].from);
        buf_add_char(key, '\0');
        add_part(key, m, m->tags.items[tag].to, m->name.len);
    } else {
        add_part(key, m, 0, m->name.len);
    }
}

/* Chooses for each member the key that it shares with most others. */
static void choose_keys(struct member *members, size_t count)
{
    VEC(size_t) shared = {0};
    struct intern keys = {0};
    struct buf key = {0};

    for (size_t i = 0; i < count; i++) {
        struct member *m = &members[i];

        for (size_t tag = 0; tag <= m->tags.count; tag++) {
            write_key(m, tag, &key);
            m->keys[tag] = intern_add(&keys, buf_slice(&key));
            if (m->keys[tag] == shared.count)
                *vec_add(&shared) = 0;
            shared.items[m->keys[tag]] += !is_named(m);
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct member *m = &members[i];

        m->chosen = m->tags.count;
        for (size_t tag = m->tags.count; tag-- > 0;)
            if (shared.items[m->keys[tag]] > shared.items[m->keys[m->chosen]])
                m->chosen = tag;
    }
    buf_release(&key);
    intern_release(&keys);
    vec_release(&shared);
}

static const struct service_rule *find_rule(const struct service_rules *rules, struct slice path)
{
    vec_each (const struct service_rule, rule, rules)
        if (glob_matches(rule->match, path.ptr))
            return rule;
    return NULL;
}

static struct member make_member(struct slice path, const struct service_rules *rules)
{
    struct member m = {.path = path, .unpacked = names_unpacked(path)};

    m.name = file_name_of(m.unpacked);
    m.tags = find_tags(m.name);
    m.rule = find_rule(rules, path);
    return m;
}

/* Returns the path of a service, "db/orders.perf" for tag 0 of "db/orders.1.perf.gz". */
static struct slice service_path(struct arena *memory, const struct member *m, size_t tag)
{
    size_t from = m->name.len, to = m->name.len;
    struct slice path;
    struct buf text = {0};

    if (tag < m->tags.count) {
        from = m->tags.items[tag].from;
        to = m->tags.items[tag].to;
        if (slice_ends(slice_take(m->name, from), SLICE("run")))
            from -= strlen("run");
        while (from && is_border(m->name.ptr[from - 1]))
            from--;
        if (!from && to < m->name.len && m->name.ptr[to] != '.')
            to++;
    }
    buf_add_slice(&text, directory_of(m));
    add_part(&text, m, 0, from);
    if (text.len && !from) /* "orders/1.perf" is a run of "orders.perf" */
        text.len--;
    add_part(&text, m, to, m->name.len);
    path = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    return path;
}

/*
 * Finds the group of a member, which is made if there is none: by the rule's name, by the key, or
 * by `number` if it is a number.
 */
static struct group *find_group(struct grouping *g, struct intern *keys, const struct member *m,
                                size_t number)
{
    bool named = is_named(m) && number == NO_GROUP;
    struct buf key = {0};
    uint32_t id;

    if (number != NO_GROUP) {
        buf_add_u64(&key, number);
    } else if (named) {
        buf_add_char(&key, '\0');
        buf_add_slice(&key, m->rule->name);
    } else {
        write_key(m, m->chosen, &key);
    }
    id = intern_add(keys, buf_slice(&key));
    buf_release(&key);
    if (id == g->items.count) {
        *vec_add(&g->items) = (struct group){
            .path = named ? m->rule->name : m->path,
            .name = named ? m->rule->name : slice_make(NULL, 0),
            .owner = m->rule ? m->rule->owner : slice_make(NULL, 0),
            .link = m->rule ? m->rule->link : slice_make(NULL, 0),
        };
    }
    return &g->items.items[id];
}

/* The order in which groups get their names. */
enum turn { TURN_GROUPS, TURN_PLAIN, TURN_TAGGED, TURNS };

static enum turn turn_of(const struct group *group, const struct member *first)
{
    bool has_host = first->tags.host < first->tags.host_end;
    /* Its files have the same path, each below another of the directories that were named. */
    bool one_path = first->chosen == first->tags.count && !has_host;

    if (group->members.count > 1 && !one_path)
        return TURN_GROUPS;
    return first->tags.count || has_host ? TURN_TAGGED : TURN_PLAIN;
}

/*
 * Gives the groups the paths of their services. A single file gets the path that it would have with
 * others, unless a group has it: so it is found again beside more runs of another week.
 */
static void name_groups(struct grouping *g, const struct member *members)
{
    struct intern known = {0};

    for (unsigned turn = 0; turn < TURNS; turn++) {
        vec_each (struct group, group, &g->items) {
            const struct member *m = &members[group->members.items[0]];
            size_t last = m->tags.count ? m->tags.count - 1 : 0;
            struct slice path;

            if (group->name.len || turn_of(group, m) != turn)
                continue;
            path = service_path(&g->memory, m, turn == TURN_GROUPS ? m->chosen : last);
            if (intern_find(&known, path) == MAP_NONE)
                group->path = path;
            intern_add(&known, group->path);
        }
    }
    intern_release(&known);
}

void grouping_names(const struct grouping *g, struct names *names)
{
    struct slice *paths = xreallocarray(NULL, g->items.count + 1, sizeof(*paths));

    for (size_t i = 0; i < g->items.count; i++)
        paths[i] = g->items.items[i].path;
    names_init(names, paths, g->items.count);
    for (size_t i = 0; i < g->items.count; i++)
        if (g->items.items[i].name.len)
            names->stems.items[i] = g->items.items[i].name;
    free(paths);
}

void grouping_init(struct grouping *g, const struct slice *paths, size_t count,
                   const struct service_rules *rules, bool each)
{
    struct member *members = xcalloc(count + 1, sizeof(*members));
    struct intern keys = {0};

    *g = (struct grouping){0};
    for (size_t i = 0; i < count; i++)
        members[i] = make_member(paths[i], rules);
    choose_keys(members, count);
    for (size_t i = 0; i < count; i++)
        *vec_add(&find_group(g, &keys, &members[i], each ? i : NO_GROUP)->members) = i;
    if (!each)
        name_groups(g, members);
    intern_release(&keys);
    free(members);
}

void grouping_release(struct grouping *g)
{
    vec_each (struct group, group, &g->items)
        vec_release(&group->members);
    vec_release(&g->items);
    arena_release(&g->memory);
}
