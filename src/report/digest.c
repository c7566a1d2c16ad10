#include "report/digest.h"

#include <string.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "report/display.h"
#include "report/html.h"
#include "report/list_page.h"
#include "report/markdown.h"
#include "report/verdicts.h"

enum {
    FINDINGS_MOST = 5,  /* of one service */
    ONE_SIDED_MOST = 5, /* services that only one side has */
    FRAME = 8,          /* lines that are no rows: headline, blanks, heads of tables, link, ... */
    ROWS_MOST = DIGEST_LINES - FRAME,
};

/* A line of the digest. Verdict and service are empty if they are as above. */
#define ROW(M, N, S) M(S, TEXT, verdict) M(S, TEXT, service) M(S, TEXT, what)
RENDER_VIEW(row, "a line", ROW)

struct digest {
    struct arena memory;
    struct row_list rows;
    size_t left_out;      /* rows */
    bool brief;           /* one row for each service */
    verdicts_add_fn *add; /* writes texts of profiles and settings within a row's `what` */
    struct slice headline, labels;
};

static void add_row(struct digest *d, struct slice verdict, struct slice service,
                    const struct buf *what)
{
    if (d->rows.count == ROWS_MOST) {
        d->left_out++;
        return;
    }
    *vec_add(&d->rows) = (struct row){verdict, service, arena_copy(&d->memory, buf_slice(what))};
}

static void add_owner(const struct digest *d, struct slice owner, struct buf *text)
{
    if (!owner.len)
        return;
    buf_add_str(text, "; owner: ");
    d->add(text, owner);
}

static void add_findings(struct digest *d, const struct compared_service *s, struct buf *text)
{
    size_t shown = 0, more = 0;

    vec_each (const struct finding, f, &s->findings) {
        if (!verdicts_shows(f))
            continue;
        if (shown == FINDINGS_MOST) {
            more++;
            continue;
        }
        buf_clear(text);
        verdicts_finding_with(text, s, f, d->add);
        add_owner(d, f->owner, text);
        add_row(d, SLICE(""), SLICE(""), text);
        shown++;
    }
    if (more) {
        buf_clear(text);
        buf_printf(text, "and %zu more", more);
        add_row(d, SLICE(""), SLICE(""), text);
    }
}

/* The finding that decides the verdict, and how many more there are. */
static void add_brief(struct digest *d, const struct compared_service *s)
{
    const struct finding *first = verdicts_decisive(s);
    struct buf text = {0};
    size_t more = 0;

    if (first)
        verdicts_finding_with(&text, s, first, d->add);
    else
        verdicts_service(&text, s);
    vec_each (const struct finding, f, &s->findings)
        more += f != first && verdicts_shows(f) && !finding_is_noted(f);
    if (first && more)
        buf_printf(&text, ", and %zu more", more);
    add_row(d, compare_verdict_word(s->verdict), s->title, &text);
    if (verdicts_tells_cost(s)) {
        buf_clear(&text);
        verdicts_cost(&text, s, d->add);
        add_row(d, SLICE(""), SLICE(""), &text);
    }
    buf_release(&text);
}

static void add_service(struct digest *d, const struct compared_service *s)
{
    struct buf text = {0};

    if (d->brief) {
        add_brief(d, s);
        return;
    }
    verdicts_service(&text, s);
    buf_add_str(&text, "; ");
    verdicts_runs(&text, s);
    add_owner(d, s->owner, &text);
    add_row(d, compare_verdict_word(s->verdict), s->title, &text);
    if (verdicts_tells_cost(s)) {
        buf_clear(&text);
        verdicts_cost(&text, s, d->add);
        add_row(d, SLICE(""), SLICE(""), &text);
    }
    vec_each (const struct slice, warning, &s->warnings) {
        buf_clear(&text);
        buf_add_str(&text, "warning: ");
        d->add(&text, *warning);
        add_row(d, SLICE(""), SLICE(""), &text);
    }
    add_findings(d, s, &text);
    buf_release(&text);
}

/* Adds the services, of those that only one side has no more than leave room for findings. */
static void add_services(struct digest *d, const struct comparison *c)
{
    struct verdicts_list services = {0};
    size_t one_sided = 0;
    struct buf text = {0};

    verdicts_order(c, &services);
    for (size_t i = 0; i < services.count; i++) {
        bool last = i + 1 == services.count || !compared_is_one_sided(services.items[i + 1]);

        one_sided += compared_is_one_sided(services.items[i]);
        if (!compared_is_one_sided(services.items[i]) || one_sided <= ONE_SIDED_MOST) {
            add_service(d, services.items[i]);
        } else if (last) {
            buf_printf(&text, "and %zu more that only one side has", one_sided - ONE_SIDED_MOST);
            add_row(d, SLICE(""), SLICE(""), &text);
        }
    }
    buf_release(&text);
    vec_release(&services);
}

static void init(struct digest *d, const struct comparison *c, bool brief, verdicts_add_fn *add)
{
    struct buf text = {0};

    *d = (struct digest){.brief = brief, .add = add};
    verdicts_headline(&text, c);
    d->headline = arena_copy(&d->memory, buf_slice(&text));
    buf_clear(&text);
    add(&text, c->new);
    buf_add_str(&text, " against ");
    add(&text, c->base);
    d->labels = arena_copy(&d->memory, buf_slice(&text));
    vec_each (const struct budget_result, b, &c->budgets) {
        if (!budget_is_broken(b))
            continue;
        buf_clear(&text);
        verdicts_budget_with(&text, b, add);
        add_row(d, SLICE("budget"), b->title, &text);
    }
    add_services(d, c);
    buf_release(&text);
}

static void release(struct digest *d)
{
    vec_release(&d->rows);
    arena_release(&d->memory);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_padded(struct buf *out, struct slice text, size_t width)
{
    size_t before = out->len, used;

    utf8_add_escaped(out, text);
    used = out->len - before;
    for (; used < width; used++)
        buf_add_char(out, ' ');
}

static size_t widest_service(const struct digest *d)
{
    size_t widest = 0;

    vec_each (const struct row, row, &d->rows)
        if (row->service.len > widest)
            widest = row->service.len;
    return widest < 30 ? widest : 30;
}

static void write_text(const struct digest *d, struct slice link, struct buf *out)
{
    size_t width = widest_service(d);

    utf8_add_escaped(out, d->headline);
    buf_add_str(out, " (");
    utf8_add_escaped(out, d->labels);
    buf_add_str(out, ")\n\n");
    vec_each (const struct row, row, &d->rows) {
        add_padded(out, row->verdict, sizeof("undecided") - 1);
        buf_add_str(out, "  ");
        add_padded(out, row->service, width);
        buf_add_str(out, "  ");
        utf8_add_escaped(out, row->what);
        buf_add_char(out, '\n');
    }
    if (d->left_out)
        buf_printf(out, "and %zu more lines\n", d->left_out);
    if (link.len) {
        buf_add_str(out, "\nreport: ");
        utf8_add_escaped(out, link);
        buf_add_char(out, '\n');
    }
}

void digest_write_text(const struct comparison *c, struct slice link, struct buf *out)
{
    struct digest d;

    init(&d, c, false, buf_add_slice);
    write_text(&d, link, out);
    release(&d);
}

void digest_write_brief(const struct comparison *c, struct buf *out)
{
    struct digest d;

    init(&d, c, true, buf_add_slice);
    write_text(&d, SLICE(""), out);
    release(&d);
}

/* ---- Markdown -------------------------------------------------------------------------------- */

/*
 * In a comment, GitHub and GitLab notify whom a text mentions, link what looks like an address, and
 * tell issues that they are named; all but in code, whatever is escaped.
 */
static void add_code(struct buf *out, struct slice text)
{
    markdown_escape(out, text, REPORT_PAGE, MARKDOWN_CODE_TABLE);
}

void digest_write_markdown(const struct comparison *c, struct slice link, struct buf *out)
{
    struct digest d;

    init(&d, c, false, add_code);
    buf_printf(out, "**%.*s** (%.*s)\n\n| verdict | service | |\n|---|---|---|\n",
               SLICE_ARG(d.headline), SLICE_ARG(d.labels));
    vec_each (const struct row, row, &d.rows) {
        buf_printf(out, "| %.*s | ", SLICE_ARG(row->verdict));
        add_code(out, row->service);
        buf_printf(out, " | %.*s |\n", SLICE_ARG(row->what));
    }
    if (d.left_out)
        buf_printf(out, "\nand %zu more lines\n", d.left_out);
    if (link.len) {
        buf_add_str(out, "\n[The report](");
        markdown_address(out, link);
        buf_add_str(out, ")\n");
    }
    release(&d);
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static void add_html(struct buf *out, struct slice text)
{
    struct buf clean = {0};

    utf8_add_escaped(&clean, text);
    html_escape(out, buf_slice(&clean));
    buf_release(&clean);
}

/* A forge that shows the HTML, and most programs for mail, link no addresses in code. */
static void add_html_code(struct buf *out, struct slice text)
{
    buf_add_str(out, "<code>");
    add_html(out, text);
    buf_add_str(out, "</code>");
}

#define PICTURE(M, N, S) M(S, UNSIGNED, number) M(S, TEXT, about)
RENDER_VIEW(picture, "a picture", PICTURE)

/* Rows and labels are HTML, as init() makes them with add_html_code(). */
#define PAGE(M, N, S)                                                                              \
    M(S, TEXT, lead) /* the subject of a mail */                                                   \
    M(S, TEXT, headline)                                                                           \
    M(S, TEXT, labels)                                                                             \
    M(S, LIST(row), rows)                                                                          \
    M(S, UNSIGNED, left_out)                                                                       \
    M(S, TEXT, link)                                                                               \
    M(S, LIST(picture), pictures) /* other parts of the mail */
RENDER_VIEW(page, "the digest", PAGE)

/* Returns a copy with escapes for what is invisible; the template escapes it for HTML. */
static struct slice visible(struct arena *memory, struct slice text)
{
    struct buf clean = {0};
    struct slice copy;

    utf8_add_escaped(&clean, text);
    copy = arena_copy(memory, buf_slice(&clean));
    buf_release(&clean);
    return copy;
}

static void write_html(struct digest *d, struct slice lead, struct slice link,
                       const struct digest_pictures *pictures, struct buf *out)
{
    struct page page = {
        .lead = lead,
        .link = visible(&d->memory, link),
        .headline = visible(&d->memory, d->headline),
        .labels = d->labels,
        .rows = d->rows,
        .left_out = (unsigned)d->left_out,
    };

    vec_each (struct row, row, &d->rows) {
        row->verdict = visible(&d->memory, row->verdict);
        row->service = visible(&d->memory, row->service);
    }
    for (size_t i = 0; i < pictures->count && i < DIGEST_PICTURES; i++)
        *vec_add(&page.pictures) =
            (struct picture){(unsigned)i + 1, visible(&d->memory, pictures->items[i].about)};
    list_page_write(SLICE("digest.mustache"), NULL, (struct scope){&page_record, &page}, out);
    vec_release(&page.pictures);
}

void digest_write_html(const struct comparison *c, struct slice link, struct buf *out)
{
    struct digest d;

    init(&d, c, false, add_html_code);
    write_html(&d, SLICE(""), link, &(struct digest_pictures){0}, out);
    release(&d);
}

/* ---- mail ------------------------------------------------------------------------------------ */

enum { QUOTED_WIDTH = 72, BASE64_WIDTH = 76 };

#define WHOLE "flamepress-digest"
#define TEXTS "flamepress-texts"

/*
 * Appends a body in quoted-printable, with CR LF at line ends. No line begins with '-', as those
 * between parts do.
 */
static void add_quoted(struct buf *out, struct slice text)
{
    size_t column = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool last = i + 1 == text.len || text.ptr[i + 1] == '\n';
        bool plain;

        if (c == '\n') {
            buf_add_str(out, "\r\n");
            column = 0;
            continue;
        }
        if (column >= QUOTED_WIDTH) {
            buf_add_str(out, "=\r\n");
            column = 0;
        }
        plain = c > 32 ? c < 127 && c != '=' && (c != '-' || column) : c == ' ' && !last;
        if (plain)
            buf_add_char(out, (char)c);
        else
            buf_printf(out, "=%02X", c);
        column += plain ? 1 : 3;
    }
}

static void add_part(struct buf *out, const char *type, const struct buf *body)
{
    buf_printf(out,
               "--" TEXTS "\r\nContent-Type: text/%s; charset=utf-8\r\n"
               "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
               type);
    add_quoted(out, buf_slice(body));
    buf_add_str(out, "\r\n");
}

static void add_picture(struct buf *out, const struct digest_picture *picture, size_t number)
{
    buf_printf(out,
               "--" WHOLE "\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
               "Content-ID: <finding-%zu@flamepress>\r\n"
               "Content-Disposition: inline; filename=\"finding-%zu.png\"\r\n\r\n",
               number, number);
    for (struct slice rest = picture->base64; rest.len; rest = slice_skip(rest, BASE64_WIDTH)) {
        buf_add_slice(out, slice_take(rest, BASE64_WIDTH));
        buf_add_str(out, "\r\n");
    }
}

/* The most characters of a name in a subject. */
enum { SUBJECT_NAME = 60 };

static void add_short(struct buf *out, struct slice name)
{
    struct arena memory = {0};

    buf_add_slice(out, display_text(&memory, name, SUBJECT_NAME));
    arena_release(&memory);
}

/* Whether a text may be in a header as it is, folded at blanks (RFC 5322). */
static bool is_plain(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < ' ' || text.ptr[i] > '~')
            return false;
    return slice_search(text, SLICE("=?")) == text.len;
}

static void add_folded(struct buf *out, size_t column, struct slice text)
{
    while (text.len) {
        struct slice word = slice_take(text, slice_find(text, ' '));

        if (column + word.len > QUOTED_WIDTH) {
            buf_add_str(out, "\r\n");
            column = 0;
        }
        buf_add_char(out, ' ');
        buf_add_slice(out, word);
        column += word.len + 1;
        text = slice_skip(text, word.len < text.len ? word.len + 1 : word.len);
    }
}

/* Encoded words (RFC 2047), which part no character. */
static void add_encoded(struct buf *out, size_t column, struct slice text)
{
    bool open = false;

    while (text.len) {
        uint32_t c;
        size_t len = utf8_decode(text, &c);

        if (open && column + 3 * len + 2 > QUOTED_WIDTH) {
            buf_add_str(out, "?=\r\n");
            column = 0;
            open = false;
        }
        if (!open)
            buf_add_str(out, " =?utf-8?Q?");
        column += open ? 0 : strlen(" =?utf-8?Q?");
        open = true;
        for (size_t i = 0; i < len; i++)
            if (ascii_is_letter(text.ptr[i]) || ascii_is_digit(text.ptr[i]))
                buf_add_char(out, text.ptr[i]);
            else
                buf_printf(out, "=%02X", (unsigned char)text.ptr[i]);
        column += 3 * len;
        text = slice_skip(text, len);
    }
    if (open)
        buf_add_str(out, "?=");
}

static void add_subject(struct buf *out, struct slice subject)
{
    static const char name[] = "Subject:";

    buf_add_str(out, name);
    (is_plain(subject) ? add_folded : add_encoded)(out, strlen(name), subject);
    buf_add_str(out, "\r\n");
}

void digest_write_mail(const struct comparison *c, struct slice link,
                       const struct digest_pictures *pictures, struct buf *out)
{
    struct digest d;
    struct buf text = {0}, html = {0}, subject = {0};

    verdicts_subject(&subject, c, add_short);
    add_subject(out, buf_slice(&subject));
    buf_add_slice(&text, buf_slice(&subject));
    buf_add_str(&text, "\n\n");
    digest_write_text(c, link, &text);
    init(&d, c, false, add_html_code);
    write_html(&d, buf_slice(&subject), link, pictures, &html);
    buf_add_str(out, "MIME-Version: 1.0\r\n");
    if (pictures->count)
        buf_add_str(out, "Content-Type: multipart/related; type=\"multipart/alternative\"; "
                         "boundary=\"" WHOLE "\"\r\n\r\n--" WHOLE "\r\n");
    buf_add_str(out, "Content-Type: multipart/alternative; boundary=\"" TEXTS "\"\r\n\r\n");
    add_part(out, "plain", &text);
    add_part(out, "html", &html);
    buf_add_str(out, "--" TEXTS "--\r\n");
    for (size_t i = 0; i < pictures->count && i < DIGEST_PICTURES; i++)
        add_picture(out, &pictures->items[i], i + 1);
    if (pictures->count)
        buf_add_str(out, "--" WHOLE "--\r\n");
    buf_release(&subject);
    buf_release(&html);
    buf_release(&text);
    release(&d);
}
