#include "profile/run_text.h"
#include "unit/support/test.h"

struct reader {
    struct runs runs;
    struct arena memory;
    struct buf key, value;
};

static const struct run *read_line(struct reader *r, const char *line)
{
    struct run run;

    run_text_read(&run, slice_str(line), &r->runs, &r->memory, &r->key, &r->value);
    *vec_add(&r->runs) = run;
    return &r->runs.items[r->runs.count - 1];
}

static void expect_fact(const struct run *run, size_t i, const char *key, const char *value)
{
    cr_assert(i < run->facts.count);
    cr_expect(slice_equal(run->facts.items[i].key, slice_str(key)), "%zu: %s", i, key);
    cr_expect(slice_equal(run->facts.items[i].value, slice_str(value)), "%zu: %s", i, value);
}

static void reader_release(struct reader *r)
{
    vec_each (struct run, run, &r->runs)
        vec_release(&run->facts);
    vec_release(&r->runs);
    arena_release(&r->memory);
    buf_release(&r->key);
    buf_release(&r->value);
}

Test(profile_run_text, facts_that_the_run_before_has_are_kept_once)
{
    struct reader r = {.runs = {0}};
    const struct run *run;
    struct fact first;

    run = read_line(&r, " name=a samples=3 .host=web1 .cpu=x");
    expect_fact(run, 0, "host", "web1");
    expect_fact(run, 1, "cpu", "x");
    first = run->facts.items[0];
    run = read_line(&r, " name=b samples=4 .host=web2 .cpu=x .os=y");
    cr_expect(slice_equal(run->name, SLICE("b")) && run->samples == 4);
    expect_fact(run, 0, "host", "web2");
    expect_fact(run, 1, "cpu", "x");
    expect_fact(run, 2, "os", "y");
    cr_expect(run->facts.items[0].key.ptr == first.key.ptr);
    cr_expect(run->facts.items[0].value.ptr != first.value.ptr);
    run = read_line(&r, " name=c .os=y .host=web1");
    expect_fact(run, 0, "os", "y");
    expect_fact(run, 1, "host", "web1");
    reader_release(&r);
}

Test(profile_run_text, what_is_written_is_read)
{
    struct reader r = {.runs = {0}};
    struct buf text = {0};
    const struct run *run = read_line(&r, " name=a%20b samples=3 lost=2 .host=web%3d1");

    run_text_write(run, &text);
    run = read_line(&r, buf_string(&text));
    cr_expect(slice_equal(run->name, r.runs.items[0].name) && run->samples == 3 && run->lost == 2);
    cr_expect(slice_equal(run->facts.items[0].value, r.runs.items[0].facts.items[0].value));
    buf_release(&text);
    reader_release(&r);
}
