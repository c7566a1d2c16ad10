#include "report/verdicts.h"

#include "report/digest.h"
#include "report/verdicts_ci.h"
#include "report/verdicts_json.h"
#include "unit/support/strict_json.h"
#include "unit/support/test.h"

static const struct finding findings[] = {
    {.function = {"slow<T>", 7},
     .key = {"slow<T>", 7},
     .scope = COMPARE_TOTAL,
     .verdict = VERDICT_WORSE,
     .base = 0.05,
     .new = 0.0775,
     .change = 0.0275,
     .low = 0.01,
     .high = 0.045,
     .p = 0.0002,
     .q = 0.01},
    {.function = {"main", 4},
     .key = {"main", 4},
     .scope = COMPARE_TOTAL,
     .verdict = VERDICT_WORSE,
     .change = 0.0275,
     .through = {"slow<T>", 7}},
    {.function = {"b", 1},
     .key = {"b", 1},
     .scope = COMPARE_SELF,
     .verdict = VERDICT_RENAMED,
     .renamed_from = {"a", 1}},
};
static const struct finding exact[] = {
    {.function = {"audit", 5},
     .key = {"audit", 5},
     .scope = COMPARE_TOTAL,
     .verdict = VERDICT_NEW,
     .change = 0.39,
     .new_weight = 3400006,
     .accepted = {"planned", 7}},
};
/* A comparison of two services, with a finding of each kind and a broken budget. */
static void fill(struct comparison *c)
{
    struct compared_service *s;

    *c = (struct comparison){
        .base = SLICE("w1"), .new = SLICE("w2"), .settings = compare_settings_default()};
    s = vec_add(&c->services);
    *s = (struct compared_service){.name = SLICE("calc"),
                                   .event = SLICE("Ir"),
                                   .exact = true,
                                   .tested = true,
                                   .smallest = 1,
                                   .verdict = VERDICT_ACCEPTED,
                                   .unit = {UNIT_COUNT, 0, SLICE("instructions")},
                                   .sides = {{1, 0, 8710561}, {1, 0, 12110570}}};
    *vec_add(&s->findings) = exact[0];
    s = vec_add(&c->services);
    *s = (struct compared_service){.name = SLICE("web"),
                                   .event = SLICE("cpu-clock"),
                                   .owner = SLICE("team & co"),
                                   .tested = true,
                                   .rho = 0.0005,
                                   .smallest = 0.021,
                                   .verdict = VERDICT_WORSE,
                                   .unit = {UNIT_SECONDS, -9, SLICE("ns")},
                                   .sides = {{3, 3000, 9}, {3, 2400, 9}}};
    for (size_t i = 0; i < sizeof(findings) / sizeof(*findings); i++)
        *vec_add(&s->findings) = findings[i];
    *vec_add(&s->warnings) = SLICE("the kernel differs");
    *vec_add(&c->budgets) = (struct budget_result){
        .kind = BUDGET_SEARCH,
        .service = SLICE("web"),
        .name = SLICE("locks"),
        .base = 0.08,
        .new = 0.124,
        .max_share = 0.1,
        .max_growth = 1,
        .share_broken = true,
    };
    comparison_set_titles(c);
}

typedef void write_fn(const struct comparison *c, struct buf *out);

static void write_text(const struct comparison *c, struct buf *out)
{
    digest_write_text(c, SLICE(""), out);
}

static void write_linked_text(const struct comparison *c, struct buf *out)
{
    digest_write_text(c, SLICE("https://e.org/w2"), out);
}

static void write_markdown(const struct comparison *c, struct buf *out)
{
    digest_write_markdown(c, SLICE("https://e.org/a b"), out);
}

static void expect_text(write_fn *write, const char *want)
{
    struct comparison c;
    struct buf out = {0};

    fill(&c);
    write(&c, &out);
    cr_expect_str_eq(buf_string(&out), want, "%s", buf_string(&out));
    buf_release(&out);
    comparison_release(&c);
}

Test(report_verdicts, digest_as_text)
{
    expect_text(
        write_linked_text,
        "1 of 2 services worse, 1 accepted, 1 budget broken (w2 against w1)\n"
        "\n"
        "budget     web   search locks of web has 12.40 %; its limit is 10.00 %\n"
        "worse      web   of other changes of 2.1 points or more, four in five would have "
        "shown in a typical function; 3 and 3 runs, 3,000 and 2,400 samples; owner: team & co\n"
        "                 warning: the kernel differs\n"
        "                 slow<T>: +2.75 points (+1.00 to +4.50)\n"
        "                 b (self) is renamed: it was a\n"
        "accepted   calc  exact counts; 1 and 1 runs\n"
        "                 audit is new: +3,400,006 instructions (+39.00 % of the base), accepted: "
        "planned\n"
        "\n"
        "report: https://e.org/w2\n");
}

Test(report_verdicts, a_brief_digest_has_a_line_for_each_service)
{
    expect_text(digest_write_brief,
                "1 of 2 services worse, 1 accepted, 1 budget broken (w2 against w1)\n"
                "\n"
                "budget     web   search locks of web has 12.40 %; its limit is 10.00 %\n"
                "worse      web   slow<T>: +2.75 points (+1.00 to +4.50)\n"
                "accepted   calc  audit is new: +3,400,006 instructions (+39.00 % of the base), "
                "accepted: planned\n");
}

Test(report_verdicts, digest_as_markdown)
{
    expect_text(
        write_markdown,
        "**1 of 2 services worse, 1 accepted, 1 budget broken** (`w2` against `w1`)\n"
        "\n"
        "| verdict | service | |\n"
        "|---|---|---|\n"
        "| budget | `web` | search `locks` of `web` has 12.40 %; its limit is 10.00 % |\n"
        "| worse | `web` | of other changes of 2.1 points or more, four in five would have "
        "shown in a typical function; 3 and 3 runs, 3,000 and 2,400 samples; owner: `team & co` |\n"
        "|  |  | warning: `the kernel differs` |\n"
        "|  |  | `slow<T>`: +2.75 points (+1.00 to +4.50) |\n"
        "|  |  | `b` (self) is renamed: it was `a` |\n"
        "| accepted | `calc` | exact counts; 1 and 1 runs |\n"
        "|  |  | `audit` is new: `+3,400,006 instructions` (+39.00 % of the base), accepted: "
        "`planned` |\n"
        "\n"
        "[The report](<https://e.org/a b>)\n");
}

Test(report_verdicts, junit)
{
    expect_text(
        report_write_junit,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"flamepress\">\n"
        "  <testsuite name=\"calc\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
        "    <testcase classname=\"calc\" name=\"comparison\"/>\n"
        "    <testcase classname=\"calc\" name=\"audit total\"/>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"web\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\">\n"
        "    <testcase classname=\"web\" name=\"comparison\"/>\n"
        "    <testcase classname=\"web\" name=\"slow&lt;T&gt; total\"><failure "
        "message=\"slow&lt;T&gt;: +2.75 points (+1.00 to +4.50)\"/></testcase>\n"
        "    <testcase classname=\"web\" name=\"budget of locks\"><failure message=\"search "
        "locks of web has 12.40 %; its limit is 10.00 %\"/></testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

Test(report_verdicts, github)
{
    expect_text(report_write_github,
                "::error title=web::slow<T>: +2.75 points (+1.00 to +4.50)\n"
                "::warning title=web::the kernel differs\n"
                "::error title=web::search locks of web has 12.40 %25; its limit is 10.00 %25\n"
                "::notice title=flamepress::1 of 2 services worse, 1 accepted, 1 budget broken\n");
}

static void write_sarif(const struct comparison *c, struct buf *out)
{
    report_write_sarif(c, SLICE("9"), out);
}

/*
 * A message of SARIF, even one of plain text, may have links: "[text](target)". Viewers differ in
 * what they unescape, so ']' and '(' never touch.
 */
Test(report_verdicts, sarif_has_no_links_of_profiles)
{
    static const char name[] = "operator[](int) [see](https://example.org/) \\[x\\](1)";
    struct finding hostile = findings[0];
    struct comparison c;
    struct buf out = {0};

    hostile.function = hostile.key = slice_str(name);
    hostile.file = SLICE("javascript://%0aalert(1)");
    fill(&c);
    *vec_add(&c.services.items[1].findings) = hostile;
    c.services.items[1].findings.items[0].file = SLICE("https://e.org/a b.js?x=1");
    c.budgets.items[0].name = SLICE("[locks](2)");
    comparison_set_titles(&c);
    write_sarif(&c, &out);
    cr_expect(strstr(buf_string(&out), "operator[] (int) [see] (https://example.org/) "
                                       "\\\\[x\\\\] (1): +2.75 points"),
              "%s", buf_string(&out));
    cr_expect(strstr(buf_string(&out), "search [locks] (2) of web"), "%s", buf_string(&out));
    cr_expect(strstr(buf_string(&out), "\"name\": \"operator[](int) "), "it is no message");
    cr_expect(strstr(buf_string(&out), "\"uri\": \"https://e.org/a%20b.js?x=1\""));
    cr_expect(strstr(buf_string(&out), "\"uri\": \"javascript%3A//%250aalert(1)\""), "%s",
              buf_string(&out));
    buf_release(&out);
    comparison_release(&c);
}

Test(report_verdicts, json_is_well_formed_and_has_all_members)
{
    static const char *const parts[] = {
        "\"schema\": \"flamepress-comparison/1\"",
        "\"base\": \"w1\"",
        "\"new\": \"w2\"",
        "\"points\": 2.7500",
        "\"low\": 1.0000",
        "\"p\": 0.0002",
        "\"through\": \"slow",
        "\"renamed_from\": \"a\"",
        "\"accepted\": \"planned\"",
        "\"new_weight\": \"3400006\"",
        "\"mdc_points\": 2.1000",
        "\"mdc_points\": null",
        "\"rho\": 0.0005",
        "\"max_share\": 10.0000",
        "\"broken\": true",
        "\"runs\": {\"base\": 3, \"new\": 3}",
        "\"samples\": {\"base\": null, \"new\": null}",
    };
    struct comparison c;
    struct buf out = {0};
    size_t at;

    fill(&c);
    verdicts_json_write(&c, &out);
    cr_expect(strict_json(buf_slice(&out), &at), "%s", out.ptr + at);
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        cr_expect(strstr(buf_string(&out), parts[i]), "%s\n%s", parts[i], buf_string(&out));
    buf_clear(&out);
    write_sarif(&c, &out);
    cr_expect(strict_json(buf_slice(&out), &at), "%s", out.ptr + at);
    cr_expect(strstr(buf_string(&out), "\"ruleId\": \"worse\""));
    cr_expect(strstr(buf_string(&out), "\"ruleId\": \"budget\""));
    cr_expect_not(strstr(buf_string(&out), "audit"), "it is accepted");
    buf_release(&out);
    comparison_release(&c);
}

Test(report_verdicts, fingerprints_do_not_depend_on_numbers)
{
    struct comparison c;
    struct finding f;
    const struct compared_service *s;

    fill(&c);
    s = &c.services.items[1];
    f = s->findings.items[0];
    f.change = f.p = 0.5;
    f.verdict = VERDICT_NEW;
    cr_expect_eq(verdicts_fingerprint(s, &f), verdicts_fingerprint(s, &s->findings.items[0]));
    cr_expect_neq(verdicts_fingerprint(s, &f), verdicts_fingerprint(s, &s->findings.items[1]));
    comparison_release(&c);
}

/* Services without findings: verdicts, or reasons, and the headline. */
Test(report_verdicts, headlines_of_quiet_weeks)
{
    static const char *const reason = "one run a side";
    static const struct {
        const char *reasons[3]; /* of services; "" for an unchanged one */
        bool exact;
        const char *want;
    } cases[] = {
        {{""},
         false,
         "No change found; of 3.5 points or more, four in five would have shown in a typical "
         "function"},
        {{"", ""},
         false,
         "No change found in 2 services; of 4.5 points or more, four in five would have shown in a "
         "typical function"},
        {{"", reason, ""},
         false,
         "No change found in 2 of 3 services, 1 undecided; of 5.5 points or more, four in five "
         "would have shown in a typical function"},
        {{reason, reason}, false, "2 services undecided"},
        {{""}, true, "No change found"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct comparison c = {0};
        struct buf out = {0};

        for (size_t k = 0; k < 3 && cases[i].reasons[k]; k++) {
            struct compared_service *s = vec_add(&c.services);

            *s = (struct compared_service){.reason = slice_str(cases[i].reasons[k]),
                                           .exact = cases[i].exact,
                                           .smallest = 0.035 + 0.01 * (double)k,
                                           .sides = {{3, 9, 9}, {3, 9, 9}}};
            s->verdict = comparison_verdict(s);
        }
        verdicts_headline(&out, &c);
        cr_expect_str_eq(buf_string(&out), cases[i].want, "%s", buf_string(&out));
        buf_release(&out);
        comparison_release(&c);
    }
}

Test(report_verdicts, sentences_of_services_without_a_change)
{
    struct compared_service s = {.verdict = VERDICT_UNCHANGED, .smallest = 0.035};
    struct finding moved = {.verdict = VERDICT_MOVED};
    struct buf out = {0};

    verdicts_service(&out, &s);
    buf_add_char(&out, '\n');
    *vec_add(&s.findings) = moved;
    verdicts_service(&out, &s);
    buf_add_char(&out, '\n');
    s.findings.count = 0;
    s.exact = true;
    verdicts_service(&out, &s);
    cr_expect_str_eq(
        buf_string(&out),
        "no change found; of 3.5 points or more, four in five would have shown in a typical "
        "function\n"
        "no other change found; of 3.5 points or more, four in five would have shown in a typical "
        "function\n"
        "no change found in exact counts");
    vec_release(&s.findings);
    buf_release(&out);
}

Test(report_verdicts, budgets_hold_if_there_are_any_and_all_are_known)
{
    struct comparison c = {0};

    cr_expect_not(verdicts_budgets_hold(&c));
    *vec_add(&c.budgets) = (struct budget_result){.kind = BUDGET_FUNCTION};
    cr_expect(verdicts_budgets_hold(&c));
    *vec_add(&c.budgets) = (struct budget_result){.kind = BUDGET_PER_RUN, .base = 1, .new = 1};
    cr_expect(verdicts_budgets_hold(&c));
    c.budgets.items[1].new = 0;
    cr_expect_not(verdicts_budgets_hold(&c), "the total is not known");
    c.budgets.items[1].new = 2;
    c.budgets.items[1].growth_broken = true;
    cr_expect_not(verdicts_budgets_hold(&c));
    comparison_release(&c);
}

/* Counts the lines of a digest of many services with many findings. */
Test(report_verdicts, a_digest_has_forty_lines_at_most)
{
    static write_fn *const writers[] = {write_text, write_markdown};

    for (size_t i = 0; i < 2; i++) {
        struct comparison c;
        struct buf out = {0};
        size_t lines = 0;

        fill(&c);
        for (int n = 0; n < 60; n++) {
            struct compared_service s = c.services.items[0];

            s.findings.items = NULL;
            s.findings.count = s.findings.cap = 0;
            *vec_add(&c.services) = s;
        }
        writers[i](&c, &out);
        for (size_t k = 0; k < out.len; k++)
            lines += out.ptr[k] == '\n';
        cr_expect_leq(lines, DIGEST_LINES, "%s", buf_string(&out));
        cr_expect(strstr(buf_string(&out), "more lines"));
        buf_release(&out);
        comparison_release(&c);
    }
}

/* Returns the header of a mail of the comparison. */
static struct slice subject_of(const struct comparison *c, struct buf *out)
{
    size_t end;

    buf_clear(out);
    digest_write_mail(c, SLICE(""), &(struct digest_pictures){0}, out);
    end = slice_search(buf_slice(out), SLICE("\r\nMIME-Version: 1.0\r\n"));
    cr_assert_lt(end, out->len);
    return slice_take(buf_slice(out), end);
}

Test(report_verdicts, the_subject_names_week_service_and_function)
{
    static const struct {
        const char *function;
        bool exact;
        const char *want;
    } cases[] = {
        {"slow<T>", false, "Subject: w2: web worse, slow<T> +2.75 points; 1 more worse"},
        {"audit", true, "Subject: w2: web worse, audit +2.75 % of the base; 1 more worse"},
        {"std::map<long, int>::insert(std::pair<long, int> const&)", false,
         "Subject: w2: web worse, std::map<long, int>::insert(std::pair<long, int>\r\n"
         " const&) +2.75 points; 1 more worse"},
        {"a\r\nBcc: x@e.org", false,
         "Subject: w2: web worse, a\\x0d\\x0aBcc: x@e.org +2.75 points; 1 more worse"},
        {"=?utf-8?Q?x?=", false,
         "Subject: =?utf-8?Q?w2=3A=20web=20worse=2C=20=3D=3F?=\r\n"
         " =?utf-8?Q?utf=2D8=3FQ=3Fx=3F=3D=20=2B2=2E75=20p?=\r\n"
         " =?utf-8?Q?oints=3B=201=20more=20worse?="},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         false,
         "Subject: =?utf-8?Q?w2=3A=20web=20worse=2C=20gr?=\r\n"
         " =?utf-8?Q?=C3=B6=C3=9Fe=20=2B2=2E75=20points=3B?=\r\n"
         " =?utf-8?Q?=201=20more=20worse?="},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct comparison c;
        struct buf out = {0};
        struct slice subject;

        fill(&c);
        c.services.items[0].verdict = VERDICT_WORSE;
        c.services.items[1].findings.items[0].function = slice_str(cases[i].function);
        c.services.items[1].exact = cases[i].exact;
        subject = subject_of(&c, &out);
        cr_expect(slice_equal(subject, slice_str(cases[i].want)), "%.*s", SLICE_ARG(subject));
        buf_release(&out);
        comparison_release(&c);
    }
}

Test(report_verdicts, the_subject_of_a_quiet_week_says_so)
{
    struct comparison c = {.new = SLICE("w2")};
    struct buf out = {0};

    *vec_add(&c.services) = (struct compared_service){
        .verdict = VERDICT_UNCHANGED, .smallest = 0.035, .sides = {{3, 9, 9}, {3, 9, 9}}};
    cr_expect(slice_equal(subject_of(&c, &out), SLICE("Subject: w2: no change found")));
    buf_release(&out);
    comparison_release(&c);
}

/* A line of a mail's text that would end the part. */
Test(report_verdicts, no_line_of_a_mail_is_a_boundary)
{
    struct comparison c;
    struct buf out = {0};
    size_t boundaries = 0;

    fill(&c);
    for (size_t at = 0; at < 80; at++)
        *vec_add(&c.services.items[0].warnings) = slice_str(arena_printf(
            &c.memory, "%.*s--flamepress-texts--", (int)at,
            "................................................................................"));
    digest_write_mail(&c, SLICE(""), &(struct digest_pictures){0}, &out);
    for (struct slice rest = buf_slice(&out), line; slice_line(&rest, &line);)
        boundaries += slice_starts(line, SLICE("--flamepress-texts"));
    cr_expect_eq(boundaries, 3);
    buf_release(&out);
    comparison_release(&c);
}

Test(report_verdicts, mail_shows_its_first_pictures)
{
    struct digest_pictures pictures = {0};
    struct comparison c;
    struct buf out = {0};

    fill(&c);
    for (int i = 0; i < DIGEST_PICTURES + 1; i++)
        *vec_add(&pictures) = (struct digest_picture){SLICE("a <b>"), SLICE("QUJD")};
    digest_write_mail(&c, SLICE(""), &pictures, &out);
    cr_expect(strstr(buf_string(&out), "cid:finding-5@flamepress=\" alt=3D\"a &lt;b&gt;") ||
              strstr(buf_string(&out), "cid:finding-5@flamepress\" alt=3D\"a &lt;b&gt;"));
    cr_expect(strstr(buf_string(&out), "Content-ID: <finding-5@flamepress>\r\n"));
    cr_expect(!strstr(buf_string(&out), "finding-6"));
    cr_expect(slice_ends(buf_slice(&out), SLICE("\r\nQUJD\r\n--flamepress-digest--\r\n")));
    vec_release(&pictures);
    buf_release(&out);
    comparison_release(&c);
}

Test(report_verdicts, mail_has_text_and_html)
{
    struct comparison c;
    struct buf out = {0};

    fill(&c);
    digest_write_mail(&c, SLICE(""), &(struct digest_pictures){0}, &out);
    cr_expect(
        slice_starts(buf_slice(&out), SLICE("Subject: w2: web worse, slow<T> +2.75 points\r\n")));
    cr_expect(strstr(buf_string(&out), "Content-Type: text/plain; charset=utf-8\r\n"));
    cr_expect(strstr(buf_string(&out), "Content-Type: text/html; charset=utf-8\r\n"));
    cr_expect(slice_ends(buf_slice(&out), SLICE("\r\n--flamepress-texts--\r\n")));
    cr_expect(strstr(buf_string(&out), "<code>slow&lt;T&gt;</code>"));
    for (size_t i = 0, column = 0; i < out.len; i++) {
        column = out.ptr[i] == '\n' ? 0 : column + 1;
        cr_expect_leq(column, 78, "%zu", i);
    }
    buf_release(&out);
    comparison_release(&c);
}
