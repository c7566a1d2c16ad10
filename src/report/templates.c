#include "report/templates.h"

#include <dirent.h>
#include <errno.h>

#include "assets/asset.h"
#include "base/buf.h"
#include "base/file.h"
#include "report/fields.h"
#include "report/render.h"

static bool is_template(struct slice name)
{
    return slice_ends(name, SLICE(".mustache")) && name.ptr[0] != '.';
}

/* Compares `name` followed by `ending` with `other`. */
static int compare_form(struct slice name, struct slice ending, struct slice other)
{
    int order = slice_compare(name, slice_take(other, name.len));

    return order ? order : slice_compare(ending, slice_skip(other, name.len));
}

static size_t find_place(const struct templates *t, struct slice name, struct slice ending,
                         bool *found)
{
    size_t low = 0;
    size_t high = t->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_form(name, ending, t->items.items[middle].name);

        *found = order == 0;
        if (*found)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    *found = false;
    return low;
}

static const struct template *find_form(const struct templates *t, struct slice name,
                                        struct slice ending)
{
    bool found;
    size_t place = find_place(t, name, ending, &found);

    return found ? &t->items.items[place] : NULL;
}

const struct template *templates_find(const struct templates *t, struct slice name)
{
    return find_form(t, name, SLICE(""));
}

void templates_policy(bool files, struct buf *out)
{
    static const char *const directives[] = {"script-src ", "style-src "};
    struct slice policy;

    if (!asset_find(SLICE("graph/policy"), &policy))
        return;
    for (size_t i = 0; i < 2 && files; i++) {
        size_t at = slice_search(policy, slice_str(directives[i])) + strlen(directives[i]);

        buf_add_slice(out, slice_take(policy, at));
        buf_add_str(out, "'self' ");
        policy = slice_skip(policy, at);
    }
    buf_add_slice(out, slice_trim_right(policy));
}

void templates_write_policy(const struct templates *t, bool files, struct buf *out)
{
    if (!t->replaced)
        templates_policy(files, out);
}

/* Returns the template called `name`, after inserting it if it is new. */
static struct template *add(struct templates *t, struct slice name)
{
    bool found;
    size_t place = find_place(t, name, SLICE(""), &found);
    struct template *items;

    if (!found) {
        vec_add(&t->items);
        items = t->items.items;
        memmove(items + place + 1, items + place, (t->items.count - 1 - place) * sizeof(*items));
        items[place] = (struct template){.name = arena_copy(&t->memory, name)};
    }
    return &t->items.items[place];
}

/* Adds the embedded files of a folder, without those of folders in it. */
static void add_embedded(struct templates *t, struct slice folder)
{
    for (size_t i = 0; i < asset_count(); i++) {
        struct slice path = asset_name(i), name = slice_skip(path, folder.len);
        struct template *item;

        if (!slice_starts(path, folder) || slice_find(name, '/') < name.len)
            continue;
        item = add(t, name);
        item->path = path;
        asset_find(path, &item->source);
    }
}

/* Replaces the embedded template `name` by DIRECTORY/NAME. Returns false after an error. */
static bool read_file(struct templates *t, const char *directory, struct slice name, struct diag *d)
{
    const char *path = arena_printf(&t->memory, "%s/%.*s", directory, SLICE_ARG(name));
    struct template *item;
    struct buf content = {0}, why = {0};
    bool good;

    good = file_read(path, TEMPLATES_MAX_SIZE, &content, &why);
    if (good) {
        item = add(t, name);
        item->path = slice_str(path);
        item->source = arena_copy(&t->memory, buf_slice(&content));
        t->replaced = true;
    } else {
        diag_error(d, "%s: %s", path, buf_string(&why));
    }
    buf_release(&content);
    buf_release(&why);
    return good;
}

static bool read_directory(struct templates *t, const char *directory, struct diag *d)
{
    DIR *stream = opendir(directory);
    struct dirent *entry;
    bool good = true;

    if (!stream)
        return diag_error(d, "cannot open the directory of templates '%s': %s", directory,
                          strerror(errno));
    while (good && (entry = readdir(stream))) {
        struct slice name = slice_str(entry->d_name);

        if (is_template(name) || slice_equal(name, SLICE("page.css")) ||
            slice_equal(name, SLICE("page.js")))
            good = read_file(t, directory, name, d);
    }
    closedir(stream);
    return good;
}

/* True if a template has {{> x}} for `name` x.mustache, x.md.mustache or x.html.mustache. */
static bool is_included(const struct templates *t, struct slice name)
{
    static const char *const endings[] = {".mustache", ".md.mustache", ".html.mustache"};

    vec_each (const struct template, item, &t->items) {
        vec_each (const struct template_node, node, &item->nodes) {
            struct slice ending = slice_skip(name, node->text.len);

            if (node->kind != TEMPLATE_PARTIAL || !slice_starts(name, node->text))
                continue;
            for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
                if (slice_equal(ending, slice_str(endings[i])))
                    return true;
            }
        }
    }
    return false;
}

/* Reports a file that no template includes: its name is probably misspelt. */
static bool check_use(const struct templates *t, struct diag *d)
{
    vec_each (const struct template, item, &t->items) {
        if (!is_template(item->name) || slice_equal(item->name, SLICE("report.mustache")) ||
            slice_equal(item->name, SLICE("page.mustache")) ||
            slice_equal(item->name, SLICE("graph_page.mustache")) || is_included(t, item->name))
            continue;
        return template_error(item, 1, d,
                              "no template includes this file, and its name is none of "
                              "report.mustache, graph_page.mustache and page.mustache");
    }
    return true;
}

static bool check(const struct templates *t, struct diag *d)
{
    struct render_blocks blocks = {0};
    struct render text = {.templates = t,
                          .language = RENDER_MARKDOWN,
                          .scopes = {{&fields_report, NULL}},
                          .scope_count = 1};
    struct render to_html = text;
    struct render graph = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .scopes = {{&fields_report, NULL}, {&fields_neighbours, NULL}, {&fields_graph, NULL}},
        .scope_count = 3};
    struct render graph_to_html = graph;
    struct render page = {.templates = t,
                          .language = RENDER_HTML,
                          .scopes = {{&fields_page, NULL}, {&fields_report, NULL}},
                          .scope_count = 2};

    to_html.blocks = graph_to_html.blocks = &blocks;
    return render_check(&text, SLICE("report.mustache"), d) &&
           render_check(&to_html, SLICE("report.mustache"), d) &&
           render_check(&graph, SLICE("graph_page.mustache"), d) &&
           render_check(&graph_to_html, SLICE("graph_page.mustache"), d) &&
           render_check(&page, SLICE("page.mustache"), d) && check_use(t, d);
}

static void prepare(struct templates *t, struct template_node *node)
{
    static const char *const endings[] = {[TEMPLATE_BOTH] = ".mustache",
                                          [TEMPLATE_MARKDOWN] = ".md.mustache",
                                          [TEMPLATE_HTML] = ".html.mustache"};

    if (node->kind >= TEMPLATE_VALUE && node->kind <= TEMPLATE_INVERTED)
        node->name = intern_add(&t->lookup.names, node->text);
    for (size_t i = 0; i < TEMPLATE_FORMS && node->kind == TEMPLATE_PARTIAL; i++)
        node->forms[i] = find_form(t, node->text, slice_str(endings[i]));
}

void templates_prepare(struct templates *t, const struct record *const *whole, size_t count)
{
    vec_each (struct template, item, &t->items)
        vec_each (struct template_node, node, &item->nodes)
            prepare(t, node);
    lookup_fill(&t->lookup, whole, count);
}

static bool parse(struct templates *t, struct diag *d)
{
    vec_each (struct template, item, &t->items) {
        if (is_template(item->name) && !template_parse(item, d))
            return false;
    }
    return true;
}

bool templates_init(struct templates *t, const char *directory, struct diag *d)
{
    static const struct record *const whole[] = {&fields_report, &fields_graph, &fields_neighbours,
                                                 &fields_page};

    *t = (struct templates){0};
    add_embedded(t, SLICE("templates/"));
    if (directory && !read_directory(t, directory, d))
        return false;
    if (!parse(t, d))
        return false;
    templates_prepare(t, whole, sizeof(whole) / sizeof(*whole));
    return check(t, d);
}

bool templates_init_lists(struct templates *t, const struct record *const *whole, size_t count,
                          struct diag *d)
{
    *t = (struct templates){0};
    add_embedded(t, SLICE("templates/lists/"));
    if (!parse(t, d))
        return false;
    templates_prepare(t, whole, count);
    return true;
}

void templates_release(struct templates *t)
{
    vec_each (struct template, item, &t->items)
        template_release(item);
    vec_release(&t->items);
    lookup_release(&t->lookup);
    arena_release(&t->memory);
}
