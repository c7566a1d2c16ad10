#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/file.h"
#include "compare/comparison.h"
#include "input/read.h"
#include "output/folded.h"
#include "profile/reshape.h"
#include "statistics/random.h"
#include "statistics/suite.h"

/*
 * Splits of real recordings whose differences are known (the collection's weeks-real): runs are
 * drawn from two sets of them and compared.
 */
enum { RECORDINGS_MOST = 400, SPLITS = 200 };
static const double most_worse = 0.05; /* part of the splits without a change */

/* What is done with the samples of the kernel before they are compared. */
enum kernel {
    AS_RECORDED,
    LEFT_OUT, /* as if the kernel had not been recorded; the event says so */
    CUT_OFF,  /* only the frames are removed: the samples are their callers' */
};

struct recording {
    char *set, *file; /* "svc-A" of "svc-A.12.perf.gz" */
    struct profile profiles[CUT_OFF + 1];
    bool read[CUT_OFF + 1];
};

struct recordings {
    const char *folder;
    struct recording items[RECORDINGS_MOST];
    size_t count;
};

/* One side of a pairing: `runs` of the recordings of a set. */
struct half {
    const char *set;
    size_t runs;
    enum kernel kernel;
};

/* A pairing. Without a truth nothing is worse. */
struct pairing {
    struct half base, new;
    const char *truth; /* the function that costs more */
    double found;      /* at least: in this part of the splits */
};

/* ---- recordings ------------------------------------------------------------------------------ */

static bool append(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

/* Appends a folded line without its kernel frames, or nothing if it is to be left out. */
static void cut_line(struct slice line, enum kernel kernel, struct buf *out)
{
    size_t value = slice_find_last(line, ' ');
    struct slice stack = slice_take(line, value), kept = stack;

    for (;;) {
        size_t last = slice_find_last(kept, ';');
        struct slice frame = last < kept.len ? slice_skip(kept, last + 1) : kept;

        if (!slice_ends(frame, SLICE("_[k]")))
            break;
        if (kernel == LEFT_OUT || last >= kept.len)
            return;
        kept = slice_take(kept, last);
    }
    buf_add_slice(out, kept);
    buf_add_slice(out, slice_skip(line, value));
    buf_add_char(out, '\n');
}

/* Writes the stacks of a profile without those of the kernel. */
static void cut_kernel(const struct profile *p, enum kernel kernel, struct buf *out)
{
    const char *event = kernel == LEFT_OUT ? "cpu-clock:u" : "cpu-clock";
    struct buf text = {0}, stacks = {0};
    uint64_t samples = 0, weight = 0, period = 1001001;
    struct slice rest, line;

    folded_write(p, 0, NULL, append, &text);
    rest = buf_slice(&text);
    while (slice_line(&rest, &line))
        cut_line(line, kernel, &stacks);
    rest = buf_slice(&stacks);
    while (slice_line(&rest, &line))
        weight += strtoull(line.ptr + slice_find_last(line, ' ') + 1, NULL, 10);
    samples = weight / period;
    buf_printf(out, "# flamepress: unit=ns samples=%llu event=%s total=%llu\n%s",
               (unsigned long long)samples, event, (unsigned long long)weight, buf_string(&stacks));
    buf_release(&stacks);
    buf_release(&text);
}

/* Returns NULL if the recording cannot be read. */
static struct profile *read_recording(const struct recordings *all, struct recording *r,
                                      enum kernel kernel)
{
    enum input_result result;
    struct input_options options = input_options_default();
    struct profile *out = &r->profiles[kernel];
    struct buf text = {0};
    struct diag diag;

    if (r->read[kernel])
        return out;
    options.kernel = true;
    diag_init(&diag, slice_str(r->file));
    profile_init(out);
    if (kernel == AS_RECORDED) {
        buf_printf(&text, "%s/%s", all->folder, r->file);
        result = input_read(buf_string(&text), &options, 1, out, &diag);
    } else {
        cut_kernel(read_recording(all, r, AS_RECORDED), kernel, &text);
        result = input_read_memory(buf_slice(&text), &options, 1, out, &diag);
    }
    r->read[kernel] = result == INPUT_READ;
    if (kernel != AS_RECORDED && r->read[kernel])
        reshape_match_owners(&r->profiles[AS_RECORDED], out);
    diag_release(&diag);
    buf_release(&text);
    if (!r->read[kernel])
        profile_release(out);
    return r->read[kernel] ? out : NULL;
}

static int by_file(const void *a, const void *b)
{
    return strcmp(((const struct recording *)a)->file, ((const struct recording *)b)->file);
}

/* Reads the recordings; leaves out those that cannot be read. Returns false if there are none. */
static bool read_all(struct recordings *all)
{
    DIR *folder = opendir(all->folder);

    for (struct dirent *e; folder && (e = readdir(folder));) {
        size_t length = strcspn(e->d_name, ".");

        if (!strstr(e->d_name, ".perf") || all->count == RECORDINGS_MOST)
            continue;
        all->items[all->count] =
            (struct recording){.set = strndup(e->d_name, length), .file = strdup(e->d_name)};
        if (read_recording(all, &all->items[all->count], AS_RECORDED)) {
            all->count++;
            continue;
        }
        printf("SKIP recordings: %s cannot be read\n", e->d_name);
        free(all->items[all->count].set);
        free(all->items[all->count].file);
    }
    if (folder)
        closedir(folder);
    qsort(all->items, all->count, sizeof(*all->items), by_file);
    return all->count > 0;
}

static void release_recordings(struct recordings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct recording *r = &all->items[i];

        for (int kernel = 0; kernel <= CUT_OFF; kernel++)
            if (r->read[kernel])
                profile_release(&r->profiles[kernel]);
        free(r->set);
        free(r->file);
    }
    free(all);
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Adds `half->runs` recordings, drawn at random from those not in use, to a service. */
static void draw_runs(struct recordings *all, const struct half *half, struct random *r,
                      bool *in_use, struct service *out)
{
    size_t left = 0, wanted = half->runs;

    service_init(out, slice_take(slice_str(half->set), 3));
    for (size_t i = 0; i < all->count; i++)
        left += !in_use[i] && strcmp(all->items[i].set, half->set) == 0;
    for (size_t i = 0; i < all->count && wanted > 0; i++) {
        if (in_use[i] || strcmp(all->items[i].set, half->set) != 0)
            continue;
        if (random_uniform(r) * (double)left-- >= (double)wanted)
            continue;
        in_use[i] = true;
        wanted--;
        BUG_ON(!service_add_run(out, slice_str(all->items[i].file),
                                read_recording(all, &all->items[i], half->kernel), 0));
    }
    BUG_ON(wanted > 0);
}

/* What the findings of the splits are. */
struct found {
    double worse, truth; /* splits */
    struct buf text;     /* the findings of the first splits */
};

static void look_at(const struct comparison *c, const char *truth, struct found *out)
{
    enum { TEXT_MOST = 1000 };
    bool worse = false, right = false;

    vec_each (const struct compared_service, s, &c->services)
        vec_each (const struct finding, f, &s->findings) {
            if (!finding_counts(f))
                continue;
            worse = true;
            right |= truth && slice_equal(f->function, slice_str(truth)) && f->change > 0;
            if (out->text.len < TEXT_MOST)
                buf_printf(&out->text, "     %.*s %.*s %+.2f (%+.2f to %+.2f)\n",
                           SLICE_ARG(compare_verdict_word(f->verdict)), SLICE_ARG(f->function),
                           100 * f->change, 100 * f->low, 100 * f->high);
        }
    out->worse += worse;
    out->truth += right;
}

static void split(struct recordings *all, const struct pairing *p, struct random *r,
                  struct found *out)
{
    struct compare_settings settings = compare_settings_default();
    struct service base, new;
    struct comparison c;
    bool in_use[RECORDINGS_MOST] = {false};
    const struct compare_label labels[] = {{SLICE("base"), &base, 1, STATS_BASE, NULL},
                                           {SLICE("new"), &new, 1, STATS_NEW, NULL}};

    draw_runs(all, &p->base, r, in_use, &base);
    draw_runs(all, &p->new, r, in_use, &new);
    comparison_init(&c, labels, 2, &settings);
    look_at(&c, p->truth, out);
    comparison_release(&c);
    service_release(&base);
    service_release(&new);
}

static void write_half(struct buf *out, const struct half *half)
{
    static const char *const words[] = {[AS_RECORDED] = "",
                                        [LEFT_OUT] = " without kernel samples",
                                        [CUT_OFF] = " without kernel frames"};

    buf_printf(out, "%zu of %s%s", half->runs, half->set, words[half->kernel]);
}

static void judge_pairing(struct judge *j, struct recordings *all, const struct pairing *p,
                          struct slice name)
{
    struct found found = {0};
    struct random r;
    bool good;

    random_init(&r, 4100);
    for (int n = 0; n < SPLITS; n++)
        split(all, p, &r, &found);
    good = p->truth ? found.truth >= p->found * SPLITS : found.worse <= most_worse * SPLITS;
    if (p->truth)
        judge_that(j, good, "recordings: %.*s: worse in %.0f of %d splits, %s in %.0f",
                   SLICE_ARG(name), found.worse, SPLITS, p->truth, found.truth);
    else
        judge_that(j, good, "recordings: %.*s: worse in %.0f of %d splits", SLICE_ARG(name),
                   found.worse, SPLITS);
    if (!good || j->word)
        fputs(buf_string(&found.text), stdout);
    buf_release(&found.text);
}

static const struct pairing pairings[] = {
    {{"svc-A", 5, AS_RECORDED}, {"svc-A", 5, AS_RECORDED}, NULL, 0},
    {{"py-A", 5, AS_RECORDED}, {"py-A", 5, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-user", 3, AS_RECORDED}, NULL, 0},
    {{"svc-user", 3, AS_RECORDED}, {"svc-A", 5, AS_RECORDED}, NULL, 0},
    {{"py-A", 5, AS_RECORDED}, {"py-ru", 4, AS_RECORDED}, NULL, 0},
    {{"py-ru", 4, AS_RECORDED}, {"py-A", 5, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-A", 5, LEFT_OUT}, NULL, 0},
    {{"py-A", 5, AS_RECORDED}, {"py-A", 5, LEFT_OUT}, NULL, 0},
    {{"svc-A", 5, CUT_OFF}, {"svc-A", 5, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-A", 5, CUT_OFF}, NULL, 0},
    {{"py-A", 5, AS_RECORDED}, {"py-A", 5, CUT_OFF}, NULL, 0},
    {{"py-A", 5, CUT_OFF}, {"py-A", 5, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-f99", 3, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-ren", 3, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-inl", 3, AS_RECORDED}, NULL, 0},
    {{"svc-inl", 3, AS_RECORDED}, {"svc-A", 5, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-lto", 3, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-dl", 5, AS_RECORDED}, NULL, 0},
    {{"py-A", 5, AS_RECORDED}, {"py-dl", 5, AS_RECORDED}, NULL, 0},
    {{"svc-dq", 4, AS_RECORDED}, {"svc-dl", 4, AS_RECORDED}, NULL, 0},
    {{"py-dq", 4, AS_RECORDED}, {"py-dl", 4, AS_RECORDED}, NULL, 0},
    {{"svc-A", 5, AS_RECORDED}, {"svc-b30", 5, AS_RECORDED}, "tax", 0.8},
    {{"svc-A", 5, AS_RECORDED}, {"svc-b100", 5, AS_RECORDED}, "tax", 0.95},
    {{"py-A", 5, AS_RECORDED}, {"py-b30", 5, AS_RECORDED}, "PyBlake2_blake2b_compress", 0.2},
    {{"py-A", 5, AS_RECORDED}, {"py-b100", 5, AS_RECORDED}, "PyBlake2_blake2b_compress", 0.95},
    {{"svc-A", 5, AS_RECORDED}, {"svc-b100", 5, LEFT_OUT}, "tax", 0.95},
    {{"py-A", 5, AS_RECORDED}, {"py-b100", 5, LEFT_OUT}, "PyBlake2_blake2b_compress", 0.95},
    {{"svc-A", 5, AS_RECORDED}, {"svc-b100", 5, CUT_OFF}, "tax", 0.95},
    {{"py-A", 5, AS_RECORDED}, {"py-b100", 5, CUT_OFF}, "PyBlake2_blake2b_compress", 0.95},
};

void suite_recordings(struct judge *j)
{
    struct recordings *all = xcalloc(1, sizeof(*all));
    const char *corpus = getenv("CORPUS");
    struct buf folder = {0};

    buf_printf(&folder, "%s/weeks-real", corpus ? corpus : "../shared/corpus");
    all->folder = buf_string(&folder);
    if (read_all(all))
        for (size_t i = 0; i < sizeof(pairings) / sizeof(*pairings); i++) {
            struct buf name = {0};

            write_half(&name, &pairings[i].new);
            buf_add_str(&name, " against ");
            write_half(&name, &pairings[i].base);
            if (!j->word || strstr(buf_string(&name), j->word))
                judge_pairing(j, all, &pairings[i], buf_slice(&name));
            buf_release(&name);
        }
    else
        judge_skip(j, "recordings: there is no collection of recordings at %s", all->folder);
    release_recordings(all);
    buf_release(&folder);
}
