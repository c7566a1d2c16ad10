/*
 * Reader of the hot threads API of Elasticsearch and OpenSearch.
 *
 *     ::: {node-1}{qktnsMaUSu26w}{10.0.0.14}
 *        Hot threads at 2021-06-15T13:00:11.231Z, interval=500ms, busiestThreads=3, ...:
 *
 *        99.4% (496.9ms out of 500ms) cpu usage by thread 'elasticsearch[node-1][write][T#6]'
 *          3/10 snapshots sharing following 2 elements
 *            app//org.elasticsearch.ingest.CompoundProcessor.run(CompoundProcessor.java:131)
 *            java.base@17/java.lang.Thread.run(Thread.java:833)
 *          unique snapshot
 *            ...
 *
 * Stacks are leaf first; of snapshots that differ near the leaf, the elements that they share are
 * printed. The weight is the number of snapshots, 1 for a unique one. The first frame is the
 * thread, without the names of program and node and the number in its pool; the node is the
 * process. Each kind of usage (cpu, wait, block, mem) is a series. The usage itself is dropped,
 * because it is of a time before the snapshots.
 *
 * Source: server/src/main/java/org/elasticsearch/monitor/jvm/HotThreads.java.
 */
#include "base/num.h"
#include "input/build/java.h"
#include "input/format.h"

struct hot_threads {
    struct sample sample;
    struct slice node, thread, usage; /* kept by the sample */
};

/* A line "P% (T out of 500ms) cpu usage by thread 'NAME'". */
static bool parse_thread(struct slice line, struct slice *usage, struct slice *name)
{
    const struct slice mark = SLICE(" usage by thread '");
    size_t at = slice_search(line, mark), percent = slice_find(line, '%'), before;
    struct decimal share;

    if (at == line.len || percent > at ||
        !num_parse_decimal(slice_trim(slice_take(line, percent)), &share))
        return false;
    before = slice_find_last(slice_take(line, at), ' ');
    *usage = before < at ? slice_skip(slice_take(line, at), before + 1) : slice_make(NULL, 0);
    *name = slice_skip(line, at + mark.len);
    *name = slice_take(*name, slice_find_last(*name, '\''));
    return usage->len > 0;
}

/* A line "3/10 snapshots sharing following 241 elements" or "unique snapshot". */
static bool parse_snapshots(struct slice line, uint64_t *count)
{
    struct slice word, text = slice_trim(line);

    *count = 1;
    if (slice_equal(text, SLICE("unique snapshot")))
        return true;
    return slice_word(&text, &word) &&
           num_parse_u64(slice_take(word, slice_find(word, '/')), count) &&
           slice_starts(slice_trim(text), SLICE("snapshots sharing following "));
}

static bool hot_threads_claims(const struct head *head)
{
    struct slice usage, name;
    bool node = false;

    if (!slice_has_any(head->bytes, "::: ", "Hot threads at "))
        return false;
    head_each (line, head) {
        struct slice text = slice_trim(line);

        if (slice_starts(text, SLICE("Hot threads at ")) && slice_has(text, SLICE(", interval=")))
            return true;
        if (node && parse_thread(text, &usage, &name))
            return true;
        node = node || slice_starts(text, SLICE("::: {")) || slice_starts(text, SLICE("::: ["));
    }
    return false;
}

/* "elasticsearch[node-1][write][T#6]" is "write"; other names are kept. */
static struct slice pool_of(struct slice thread)
{
    size_t number = slice_search(thread, SLICE("][T#")), open;
    struct slice rest = slice_take(thread, number);

    if (number == thread.len)
        return thread;
    open = slice_find_last(rest, '[');
    return open + 1 < rest.len ? slice_skip(rest, open + 1) : thread;
}

/* Takes the name of the node out of "::: {node-1}{qktn...}" or "::: [node-1][...". */
static struct slice node_of(struct slice line)
{
    struct slice rest = slice_skip(line, strlen("::: {"));
    size_t end = slice_find(rest, line.ptr[4] == '[' ? ']' : '}');

    return slice_take(rest, end);
}

static bool open_snapshots(struct hot_threads *h, uint64_t count)
{
    struct sample *s = &h->sample;
    bool by_number = s->builder.options->tid;

    if (!sample_open(s, by_number ? h->thread : pool_of(h->thread)))
        return false;
    s->origin = (struct origin){.process = h->node, .thread = h->thread, .event = h->usage};
    s->weight.value = count;
    return true;
}

static bool hot_threads_line(struct text *t, void *state, struct slice line)
{
    struct hot_threads *h = state;
    struct slice text = slice_trim(line), usage, name;
    uint64_t count;

    if (!text.len)
        return sample_close(&h->sample);
    if (slice_starts(text, SLICE("::: {")) || slice_starts(text, SLICE("::: ["))) {
        h->node = sample_keep(&h->sample, node_of(text));
        return sample_close(&h->sample);
    }
    if (slice_starts(text, SLICE("Hot threads at "))) {
        profile_add_fact(t->profile, SLICE("captured on"),
                         slice_take(slice_skip(text, 15), slice_find(slice_skip(text, 15), ',')));
        return sample_close(&h->sample);
    }
    if (parse_thread(text, &usage, &name)) {
        if (!sample_close(&h->sample))
            return false;
        h->usage = sample_keep(&h->sample, usage);
        h->thread = sample_keep(&h->sample, name);
        return true;
    }
    if (parse_snapshots(text, &count))
        return open_snapshots(h, count);
    if (h->sample.open)
        return java_push(&h->sample, text) ||
               text_skip_line(t, "expected 'CLASS.METHOD(FILE:LINE)'", text);
    return text_skip_line(t, "not a line of hot threads", text);
}

const struct format format_hot_threads = {
    .name = "hot-threads",
    .family = FORMAT_JAVA,
    .description = "hot threads of Elasticsearch and OpenSearch",
    .recognised = "'Hot threads at', or ':::' above 'usage by thread'",
    .example =
        "for i in $(seq 100); do curl -s HOST:9200/_nodes/hot_threads; done > app.hot-threads",
    .without_stacks = "no thread was busy",
    .claims = hot_threads_claims,
    .text = {SAMPLE_READER(hot_threads, SAMPLE_STATE(struct hot_threads))},
};
