/*
 * What `perf data convert --to-json` writes of a perf.data file.
 *
 *     {"linux-perf-json-version": 1,
 *      "headers": {"hostname": "db1", "cmdline": ["perf", "record", ...], ...},
 *      "samples": [{"timestamp": 5727993197632, "pid": 1, "tid": 1, "cpu": 0, "comm": "app",
 *                   "callchain": [{"ip": "0x55c2", "symbol": "read", "dso": "app"}, ...]}]}
 *
 * Leaf first. perf writes neither the event of a sample nor its period: each weighs 1, and samples
 * of several events cannot be told apart, so a note says that the perf.data file has more.
 *
 * Source: tools/perf/util/data-convert-json.c of Linux.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/parse/native.h"
#include "profile/service.h"

struct perf_json {
    struct content *content;
    struct sample sample;
    struct buf command;
    unsigned events; /* -e in the command line */
};

static bool perf_json_claims(const struct head *h)
{
    return head_has(h, "linux-perf-json-version");
}

static bool is_samples(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("samples"));
}

static void read_headers(struct perf_json *p, const struct json_value *headers)
{
    struct slice host = json_text(json_get(headers, "hostname"));

    json_each(word, json_get(headers, "cmdline"))
    {
        struct slice text = json_text(word);

        if (p->command.len)
            buf_add_char(&p->command, ' ');
        buf_add_slice(&p->command, text);
        p->events += slice_equal(text, SLICE("-e")) || slice_starts(text, SLICE("--event"));
    }
    if (host.len)
        profile_add_fact(p->content->profile, SLICE(RUN_HOST), host);
    if (p->command.len)
        profile_add_fact(p->content->profile, SLICE("command"), buf_slice(&p->command));
}

static void add_frame(struct perf_json *p, const struct json_value *v)
{
    struct frame f = {.kind = FRAME_NATIVE};
    struct slice ip = {0};

    if (v->type != JSON_OBJECT)
        builder_skip(&p->sample.builder, DIAG_AT_FILE, "malformed frame: %s; shown as unknown",
                     json_quoted(v).text);
    json_each(member, v)
    {
        if (json_key_is(member, SLICE("ip")))
            ip = json_text(member);
        else if (json_key_is(member, SLICE("symbol")))
            f.name = json_text(member);
        else if (json_key_is(member, SLICE("dso")))
            f.module = json_text(member);
    }
    /* A frame without a symbol is unknown, whatever its address. */
    if (p->sample.builder.options->addrs)
        f.has_address = native_take_address(&ip, &f.address);
    sample_frame(&p->sample, &f);
}

static struct slice keep_number(struct perf_json *p, const struct json_value *v)
{
    return v && v->type == JSON_NUMBER ? sample_keep(&p->sample, v->text) : SLICE("");
}

static bool add_sample(struct perf_json *p, const struct json_value *v)
{
    const struct json_value *chain = NULL;
    struct sample *s = &p->sample;
    struct origin origin = {0};
    uint64_t time = UINT64_MAX;

    json_each(member, v)
    {
        if (json_key_is(member, SLICE("callchain")))
            chain = member;
        else if (json_key_is(member, SLICE("comm")))
            origin.process = sample_keep(s, json_text(member));
        else if (json_key_is(member, SLICE("pid")))
            origin.pid = keep_number(p, member);
        else if (json_key_is(member, SLICE("tid")))
            origin.tid = keep_number(p, member);
        else if (json_key_is(member, SLICE("cpu")))
            origin.cpu = keep_number(p, member);
        else if (json_key_is(member, SLICE("timestamp")) && !json_u64(member, &time))
            time = UINT64_MAX;
    }
    if (v->type != JSON_OBJECT || !chain || chain->type != JSON_ARRAY) {
        builder_skip(&s->builder, DIAG_AT_FILE, "a sample has no callchain: %s; skipped",
                     json_quoted(v).text);
        return true;
    }
    if (!sample_open(s, origin.process))
        return false;
    s->origin = origin;
    json_each(frame, chain) add_frame(p, frame);
    if (time != UINT64_MAX)
        builder_time(&s->builder, builder_series(&s->builder, &s->origin, s->unit), time);
    return sample_close(s);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct perf_json *p = context;

    (void)at;
    if (slice_equal(parent, SLICE("samples")))
        return add_sample(p, v);
    if (slice_equal(v->key, SLICE("headers")))
        read_headers(p, v);
    return true;
}

static bool perf_json_read(struct content *content)
{
    struct perf_json p = {.content = content};
    struct json_handler handler = {
        .context = &p, .one_document = true, .each = is_samples, .value = read_value};
    bool ok;

    sample_init(&p.sample, content->profile, content->options, content->diag);
    ok = json_read(content, &handler);
    if (p.events > 1)
        diag_add(content->diag, DIAG_NOTE, DIAG_AT_FILE,
                 "perf recorded several events and does not say which sample is of which; the "
                 "perf.data file does");
    release_each(&p, (buf, command), (sample, sample));
    return ok;
}

const struct format format_perf_json = {
    .name = "perf-json",
    .family = FORMAT_LINUX,
    .description = "perf data convert --to-json",
    .recognised = "JSON with 'linux-perf-json-version'",
    .example = "perf record -g ./app && perf data convert --to-json app.json",
    .without_stacks = "record stacks: perf record -g ./app",
    .without_callers = "record them: perf record -g",
    .claims = perf_json_claims,
    .read = perf_json_read,
};
