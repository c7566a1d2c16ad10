#include "report/verdicts_ci.h"

#include <string.h>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "compare/budgets.h"
#include "report/html.h"
#include "report/verdicts.h"

/* ---- JUnit ----------------------------------------------------------------------------------- */

/* Escapes a text for an attribute: XML has no control characters. */
static void add_attribute(struct buf *out, const char *name, struct slice value)
{
    struct buf clean = {0};

    utf8_add_escaped(&clean, value);
    buf_printf(out, " %s=\"", name);
    html_escape(out, buf_slice(&clean));
    buf_add_char(out, '"');
    buf_release(&clean);
}

/* A test case; `element` is "failure" or "skipped", or NULL if it passes. */
static void add_case(struct buf *out, const struct slice class, struct slice name,
                     const char *element, struct slice message)
{
    buf_add_str(out, "    <testcase");
    add_attribute(out, "classname", class);
    add_attribute(out, "name", name);
    if (element) {
        buf_printf(out, "><%s", element);
        add_attribute(out, "message", message);
        buf_add_str(out, "/></testcase>\n");
    } else {
        buf_add_str(out, "/>\n");
    }
}

/* What a suite contains. */
struct tally {
    size_t cases, failures, skipped;
};

static void add_service_case(struct buf *out, const struct compared_service *s, struct tally *t)
{
    bool skipped = s->verdict == VERDICT_UNDECIDED;
    struct buf text = {0};

    verdicts_service(&text, s);
    add_case(out, s->title, SLICE("comparison"), skipped ? "skipped" : NULL, buf_slice(&text));
    buf_release(&text);
    t->cases++;
    t->skipped += skipped;
}

static void add_finding_case(struct buf *out, const struct compared_service *s,
                             const struct finding *f, struct tally *t)
{
    struct buf text = {0}, name = {0};

    if (!verdicts_shows(f) || f->verdict == VERDICT_RENAMED || finding_is_inlined(f))
        return;
    buf_printf(&name, "%.*s %.*s", SLICE_ARG(f->key), SLICE_ARG(compare_scope_word(f->scope)));
    verdicts_finding(&text, s, f);
    add_case(out, s->title, buf_slice(&name), finding_counts(f) ? "failure" : NULL,
             buf_slice(&text));
    buf_release(&name);
    buf_release(&text);
    t->cases++;
    t->failures += finding_counts(f);
}

/* Writes what a budget limits: the name of a function or a search, or the total. */
static void add_subject(struct buf *out, const struct budget_result *b)
{
    struct slice basis = budgets_basis(b->kind);

    if (basis.len)
        buf_printf(out, "the total for each %.*s", SLICE_ARG(basis));
    else
        buf_add_slice(out, b->name);
}

static void add_budget_cases(struct buf *out, const struct comparison *c,
                             const struct compared_service *s, struct tally *t)
{
    vec_each (const struct budget_result, b, &c->budgets) {
        struct buf text = {0}, name = {0};

        if (!slice_equal(b->title, s->title))
            continue;
        buf_add_str(&name, "budget of ");
        add_subject(&name, b);
        verdicts_budget(&text, b);
        add_case(out, s->title, buf_slice(&name), budget_is_broken(b) ? "failure" : NULL,
                 buf_slice(&text));
        buf_release(&name);
        buf_release(&text);
        t->cases++;
        t->failures += budget_is_broken(b);
    }
}

void report_write_junit(const struct comparison *c, struct buf *out)
{
    buf_add_str(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"flamepress\">\n");
    vec_each (const struct compared_service, s, &c->services) {
        struct tally t = {0};
        struct buf cases = {0};

        add_service_case(&cases, s, &t);
        vec_each (const struct finding, f, &s->findings)
            add_finding_case(&cases, s, f, &t);
        add_budget_cases(&cases, c, s, &t);
        buf_add_str(out, "  <testsuite");
        add_attribute(out, "name", s->title);
        buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", t.cases,
                   t.failures, t.skipped);
        buf_add_slice(out, buf_slice(&cases));
        buf_add_str(out, "  </testsuite>\n");
        buf_release(&cases);
    }
    buf_add_str(out, "</testsuites>\n");
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

/*
 * In a message, also of plain text, "[text](target)" is a link (SARIF 2.1.0, 3.11.6). Not all
 * viewers know an escape of it, so a blank parts "](", as in "operator[](int)".
 */
static void put_message(struct json_writer *w, const char *key, struct slice text)
{
    struct buf inert = {0};

    for (size_t i = 0; i < text.len; i++) {
        if (i && text.ptr[i - 1] == ']' && text.ptr[i] == '(')
            buf_add_char(&inert, ' ');
        buf_add_char(&inert, text.ptr[i]);
    }
    json_writer_object(w, key, JSON_INLINE);
    json_writer_text(w, "text", buf_slice(&inert));
    json_writer_close(w);
    buf_release(&inert);
}

static void put_rule(struct json_writer *w, const char *id, struct slice about)
{
    json_writer_object(w, NULL, JSON_INLINE);
    json_writer_text(w, "id", slice_str(id));
    put_message(w, "shortDescription", about);
    json_writer_close(w);
}

/* Whether a path is an absolute one of Windows: "C:/src" or "C:\\src". */
static bool has_drive(struct slice path)
{
    return path.len > 2 && path.ptr[1] == ':' && (path.ptr[2] == '/' || path.ptr[2] == '\\');
}

/*
 * Writes a path, or an address of the web, as a reference (RFC 3986): encodes what it may not
 * contain. Other schemes are encoded, too: viewers open what they refer to.
 */
static void add_uri(struct buf *out, struct slice path)
{
    static const char hex[] = "0123456789ABCDEF";
    bool web = slice_starts(path, SLICE("http://")) || slice_starts(path, SLICE("https://"));
    bool colon = web || has_drive(path);
    const char *encoded = web ? "\"<>[]^`{|}" : "\"<>[]^`{|}#%?";

    if (has_drive(path))
        buf_add_str(out, "file:///");
    else if (slice_starts(path, SLICE("/")))
        buf_add_str(out, "file://");
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)(path.ptr[i] == '\\' ? '/' : path.ptr[i]);

        if (c > 32 && c < 127 && !strchr(encoded, c) && (c != ':' || colon)) {
            buf_add_char(out, (char)c);
        } else {
            buf_add_char(out, '%');
            buf_add_char(out, hex[c >> 4]);
            buf_add_char(out, hex[c & 15]);
        }
    }
}

/* The place in the source, if the profile says it. */
static void put_source(struct json_writer *w, struct slice file, uint32_t line)
{
    struct buf uri = {0};

    if (!file.len)
        return;
    add_uri(&uri, file);
    json_writer_object(w, "physicalLocation", JSON_INLINE);
    json_writer_object(w, "artifactLocation", JSON_INLINE);
    json_writer_text(w, "uri", buf_slice(&uri));
    json_writer_close(w);
    if (line) {
        json_writer_object(w, "region", JSON_INLINE);
        json_writer_u64(w, "startLine", line);
        json_writer_close(w);
    }
    json_writer_close(w);
    buf_release(&uri);
}

/* What is reported of a function, or of a search. */
struct result {
    const char *rule;
    struct slice service, name, file;
    uint32_t line;
    uint64_t fingerprint;
};

static void put_location(struct json_writer *w, const struct result *r)
{
    struct buf text = {0};

    json_writer_list(w, "locations", JSON_INLINE);
    json_writer_object(w, NULL, JSON_INLINE);
    put_source(w, r->file, r->line);
    json_writer_list(w, "logicalLocations", JSON_INLINE);
    json_writer_object(w, NULL, JSON_INLINE);
    json_writer_text(w, "name", r->name);
    buf_printf(&text, "%.*s/%.*s", SLICE_ARG(r->service), SLICE_ARG(r->name));
    json_writer_text(w, "fullyQualifiedName", buf_slice(&text));
    json_writer_text(w, "kind", SLICE("function"));
    json_writer_close(w);
    json_writer_close(w);
    json_writer_close(w);
    json_writer_close(w);
    buf_release(&text);
}

static void put_result(struct json_writer *w, const struct result *r, struct slice message)
{
    struct buf text = {0};

    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "ruleId", slice_str(r->rule));
    json_writer_text(w, "level", SLICE("error"));
    put_message(w, "message", message);
    put_location(w, r);
    json_writer_object(w, "partialFingerprints", JSON_INLINE);
    buf_printf(&text, "%016llx", (unsigned long long)r->fingerprint);
    json_writer_text(w, "finding/v1", buf_slice(&text));
    json_writer_close(w);
    json_writer_close(w);
    buf_release(&text);
}

static void put_broken_budget(struct json_writer *w, const struct budget_result *b)
{
    struct buf text = {0}, subject = {0};
    uint64_t hash = hash_bytes(b->title.ptr, b->title.len);

    verdicts_budget(&text, b);
    add_subject(&subject, b);
    hash = hash_mix(hash, hash_bytes(buf_string(&subject), subject.len));
    put_result(w,
               &(struct result){.rule = "budget",
                                .service = b->title,
                                .name = buf_slice(&subject),
                                .fingerprint = hash},
               buf_slice(&text));
    buf_release(&text);
    buf_release(&subject);
}

static void put_results(struct json_writer *w, const struct comparison *c)
{
    struct buf text = {0};

    vec_each (const struct compared_service, s, &c->services)
        vec_each (const struct finding, f, &s->findings) {
            if (!finding_counts(f))
                continue;
            buf_clear(&text);
            buf_printf(&text, "%.*s: ", SLICE_ARG(s->title));
            verdicts_finding(&text, s, f);
            put_result(w,
                       &(struct result){"worse", s->title, f->function, f->file, f->line,
                                        verdicts_fingerprint(s, f)},
                       buf_slice(&text));
        }
    vec_each (const struct budget_result, b, &c->budgets)
        if (budget_is_broken(b))
            put_broken_budget(w, b);
    buf_release(&text);
}

void report_write_sarif(const struct comparison *c, struct slice version, struct buf *out)
{
    struct json_writer w;

    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "$schema", SLICE("https://json.schemastore.org/sarif-2.1.0.json"));
    json_writer_text(&w, "version", SLICE("2.1.0"));
    json_writer_list(&w, "runs", JSON_LINES);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_object(&w, "tool", JSON_LINES);
    json_writer_object(&w, "driver", JSON_LINES);
    json_writer_text(&w, "name", SLICE("flamepress"));
    json_writer_text(&w, "version", version);
    json_writer_list(&w, "rules", JSON_LINES);
    put_rule(&w, "worse", SLICE("A function became more expensive than noise explains"));
    put_rule(&w, "budget", SLICE("A function, a search or a total is over its budget"));
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_list(&w, "results", JSON_LINES);
    put_results(&w, c);
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(out, '\n');
}

/* ---- GitHub ---------------------------------------------------------------------------------- */

/* Escapes a text of a workflow command: '%', line ends, and in properties ':' and ','. */
static void add_command_text(struct buf *out, struct slice text, bool property)
{
    struct buf clean = {0};

    utf8_add_escaped(&clean, text);
    for (size_t i = 0; i < clean.len; i++)
        if (clean.ptr[i] == '%')
            buf_add_str(out, "%25");
        else if (property && clean.ptr[i] == ':')
            buf_add_str(out, "%3A");
        else if (property && clean.ptr[i] == ',')
            buf_add_str(out, "%2C");
        else
            buf_add_char(out, clean.ptr[i]);
    buf_release(&clean);
}

/* GitHub shows an annotation at a line of a file of the repository, whose path is relative. */
static void add_place(struct buf *out, const struct finding *f)
{
    if (!f || !f->file.len || slice_starts(f->file, SLICE("/")) ||
        slice_find(f->file, ':') < f->file.len)
        return;
    buf_add_str(out, "file=");
    add_command_text(out, f->file, true);
    if (f->line)
        buf_printf(out, ",line=%u", f->line);
    buf_add_char(out, ',');
}

/* `f` may be NULL. */
static void add_command(struct buf *out, const char *level, const struct finding *f,
                        struct slice title, struct slice text)
{
    buf_printf(out, "::%s ", level);
    add_place(out, f);
    buf_add_str(out, "title=");
    add_command_text(out, title, true);
    buf_add_str(out, "::");
    add_command_text(out, text, false);
    buf_add_char(out, '\n');
}

void report_write_github(const struct comparison *c, struct buf *out)
{
    struct buf text = {0};

    vec_each (const struct compared_service, s, &c->services) {
        vec_each (const struct finding, f, &s->findings) {
            if (!finding_counts(f))
                continue;
            buf_clear(&text);
            verdicts_finding(&text, s, f);
            add_command(out, "error", f, s->title, buf_slice(&text));
        }
        if (compared_is_one_sided(s))
            add_command(out, "warning", NULL, s->title, s->reason);
        vec_each (const struct slice, warning, &s->warnings)
            add_command(out, "warning", NULL, s->title, *warning);
    }
    vec_each (const struct budget_result, b, &c->budgets) {
        if (!budget_is_broken(b))
            continue;
        buf_clear(&text);
        verdicts_budget(&text, b);
        add_command(out, "error", NULL, b->title, buf_slice(&text));
    }
    buf_clear(&text);
    verdicts_headline(&text, c);
    add_command(out, "notice", NULL, SLICE("flamepress"), buf_slice(&text));
    buf_release(&text);
}
