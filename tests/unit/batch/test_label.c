
#include "base/file.h"
#include "batch/label.h"
#include "output/runs.h"
#include "unit/support/place.h"
#include "unit/support/test.h"

TestSuite(batch_label, .init = place_enter, .fini = place_leave);

static const struct plan *own_plan(void)
{
    static struct plan plan;

    plan = (struct plan){.reading = input_options_default()};
    recipe_init(&plan.recipe);
    plan.recipe.one_graph = true; /* commands that draw one graph have one; a label has all */
    return &plan;
}

static void write_file(const char *path, struct slice bytes)
{
    struct buf why = {0};

    cr_assert(file_create(path, bytes, &why), "%s", buf_string(&why));
    buf_release(&why);
}

static void make_directory(const char *path)
{
    struct buf why = {0};

    cr_assert(file_make_directory(path, &why), "%s", buf_string(&why));
    buf_release(&why);
}

/* Appends "orders () samples: orders.1.folded=4 orders.2.folded=6". */
static void describe(const struct label *l, struct buf *out)
{
    buf_clear(out);
    vec_each (const struct service, s, &l->services) {
        buf_printf(out, "%s%.*s (%.*s) %.*s:", out->len ? "; " : "", SLICE_ARG(s->name),
                   SLICE_ARG(s->event), SLICE_ARG(unit_word(&s->unit)));
        vec_each (const struct run, run, &s->runs)
            buf_printf(out, " %.*s=%llu", SLICE_ARG(run->name), (unsigned long long)run->samples);
    }
}

static void read_label(struct label *l, const char *path, unsigned threads)
{
    const struct label_options options = {.plan = own_plan(), .threads = threads};
    struct diag diag;

    diag_init(&diag, SLICE(""));
    cr_assert(label_read(l, &path, 1, &options, &diag));
    diag_release(&diag);
}

Test(batch_label, files_become_runs_of_services)
{
    const char *want = "orders () samples: orders.1@a.folded=4 orders.2@b.folded=6; "
                       "web () samples: web.folded=9";
    struct label l;
    struct buf text = {0};

    make_directory("w");
    write_file("w/orders.1@a.folded", SLICE("main;f 1\nmain;g 3\n"));
    write_file("w/orders.2@b.folded", SLICE("main;f 4\nmain;h 2\n"));
    write_file("w/web.folded", SLICE("main;f 9\n"));
    write_file("w/notes.txt", SLICE("nothing here\n"));
    for (unsigned threads = 1; threads < 4; threads++) {
        read_label(&l, "w", threads);
        describe(&l, &text);
        cr_expect_str_eq(buf_string(&text), want);
        cr_expect(slice_equal(service_fact(&l.services.items[0].runs.items[1], SLICE(RUN_HOST)),
                              SLICE("b")));
        cr_expect_eq(l.failed, 0);
        label_release(&l);
    }
    buf_release(&text);
}

Test(batch_label, kept_runs_are_the_runs)
{
    struct label l, again;
    struct buf text = {0}, twice = {0}, packed = {0};

    make_directory("w");
    make_directory("kept");
    write_file("w/orders.1.folded", SLICE("main;f;x 1.5\nmain;a\\b 3\n#x;y 1\n"));
    write_file("w/orders.2.folded", SLICE("main;f 4\nmain;h_[k] 2\nmain 1\n"));
    read_label(&l, "w", 1);
    service_set_fact(&l.services.items[0], 0, SLICE(RUN_COMMIT), SLICE("4 f"));
    runs_write(&l.services.items[0], &text);
    runs_compress(buf_slice(&text), &packed);
    write_file("kept/o.runs.zst", buf_slice(&packed));
    read_label(&again, "kept", 1);
    cr_assert_eq(again.services.count, 1);
    runs_write(&again.services.items[0], &twice);
    cr_expect_str_eq(buf_string(&twice), buf_string(&text));
    label_release(&again);
    label_release(&l);
    buf_release(&text);
    buf_release(&twice);
    buf_release(&packed);
}

Test(batch_label, kept_owners_are_owners)
{
    static const char script[] =
        "app 7 1.000000: 4 cycles:\n\t1 work (/bin/app)\n\t2 main (/bin/app)\n\n"
        "sh 8 1.100000: 2 cycles:\n\t3 main (/bin/sh)\n\n";
    struct label l, again;
    const struct service *s;
    struct buf text = {0}, packed = {0};
    uint32_t owner;

    make_directory("w");
    make_directory("kept");
    write_file("w/orders.perf", slice_str(script));
    read_label(&l, "w", 1);
    runs_write(&l.services.items[0], &text);
    runs_compress(buf_slice(&text), &packed);
    write_file("kept/o.runs.zst", buf_slice(&packed));
    read_label(&again, "kept", 1);
    s = &again.services.items[0];
    owner = symbols_find(&s->profile.symbols, SLICE("app"), SYMBOL_OWNER);
    cr_assert_neq(owner, SYMBOL_NONE, "%s", text.ptr);
    cr_expect_eq(s->runs.items[0].samples, 2);
    cr_expect_str_eq(s->profile.format, "runs");
    label_release(&again);
    label_release(&l);
    buf_release(&text);
    buf_release(&packed);
}
