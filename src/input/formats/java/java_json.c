/*
 * Java's thread dump as JSON: jcmd PID Thread.dump_to_file -format=json FILE.
 *
 *     {"threadDump": {"time": "...", "runtimeVersion": "21.0.1+12", "threadContainers": [
 *         {"container": "<root>", "threads": [
 *             {"tid": "1", "name": "main", "state": "RUNNABLE",
 *              "stack": ["java.base/java.lang.Object.wait0(Native Method)", ...]}]}]}}
 *
 * or as JMX, Jolokia and Spring Boot's /actuator/threaddump write ThreadInfo:
 *
 *     {"threads": [{"threadName": "main", "threadId": 1, "threadState": "RUNNABLE", "stackTrace": [
 *         {"className": "a.B", "methodName": "f", "fileName": "B.java", "lineNumber": 7}, ...]}]}
 *
 * Frames are leaf first. Threads are counted as in a text dump (jstack.c): each
 * once, under its name without the number in its pool, in the series of its
 * state. JDK releases before 24 do not write the state: the series is
 * "threads". Virtual threads have no name, so their stacks have no thread
 * frame. A container that states more threads than it lists is reported. The
 * containers, which say who started the threads, are not drawn.
 */
#include "input/format.h"
#include "input/build/java.h"
#include "input/parse/json.h"

struct java_json {
    struct content *content;
    struct sample sample;
};

static bool java_json_claims(const struct head *head)
{
    return head_has(head, "threadDump.threadContainers") ||
           (head_has(head, "threads[].threadName") && head_has(head, "threads[].stackTrace")) ||
           (head_has(head, "threadDump.runtimeVersion") && head_has(head, "threadDump.processId"));
}

/* Opens the sample of a thread, whose members have these names. */
static bool open_thread(struct java_json *j, const struct json_value *thread, const char *name_key,
                        const char *id_key, const char *state_key)
{
    struct sample *s = &j->sample;
    const struct json_value *tid = json_get(thread, id_key);
    struct slice state = json_text(json_get(thread, state_key));

    if (!java_open(s, json_text(json_get(thread, name_key))))
        return false;
    java_set_state(s, java_state_named(state));
    if (!state.len)
        s->origin.state = SLICE("");
    s->origin.tid = tid && tid->type <= JSON_STRING ? tid->text : SLICE("");
    return true;
}

/* A java.lang.management.ThreadInfo. */
static bool add_thread_info(struct java_json *j, const struct json_value *thread)
{
    struct sample *s = &j->sample;

    if (!open_thread(j, thread, "threadName", "threadId", "threadState"))
        return false;
    json_each(element, json_get(thread, "stackTrace"))
    {
        struct frame f = java_method(json_text(json_get(element, "className")),
                                     json_text(json_get(element, "methodName")), &s->scratch);

        f.file = json_text(json_get(element, "fileName"));
        json_u64(json_get(element, "lineNumber"), &f.line);
        sample_frame(s, &f);
    }
    return sample_close(s);
}

static bool add_thread(struct java_json *j, const struct json_value *thread)
{
    struct sample *s = &j->sample;

    if (!open_thread(j, thread, "name", "tid", "state"))
        return false;
    json_each(frame, json_get(thread, "stack")) if (!java_push(s, json_text(frame)))
        builder_name(&s->builder, json_text(frame), FRAME_JAVA);
    return sample_close(s);
}

static bool add_container(struct java_json *j, const struct json_value *container)
{
    const struct json_value *threads = json_get(container, "threads");
    uint64_t said;

    if (json_u64(json_get(container, "threadCount"), &said) && threads && threads->count < said)
        diag_warn(j->content->diag, "a container states %llu thread%s but lists %u",
                  (unsigned long long)said, diag_s(said), threads->count);
    json_each(thread, threads) if (!add_thread(j, thread)) return false;
    return true;
}

static bool is_dump(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("threadDump")) || slice_equal(key, SLICE("threads"));
}

static bool take_member(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct java_json *j = context;

    (void)at;
    if (slice_equal(parent, SLICE("threads")))
        return add_thread_info(j, v);
    if (!slice_equal(parent, SLICE("threadDump")))
        return true;
    if (slice_equal(v->key, SLICE("time")))
        profile_add_fact(j->content->profile, SLICE("captured on"), json_text(v));
    else if (slice_equal(v->key, SLICE("runtimeVersion")))
        profile_add_fact(j->content->profile, SLICE("runtime"), json_text(v));
    if (slice_equal(v->key, SLICE("threadContainers")))
        json_each(container, v) if (!add_container(j, container)) return false;
    return true;
}

static bool java_json_read(struct content *c)
{
    struct java_json j = {.content = c};
    struct json_handler handler = {.context = &j, .each = is_dump, .value = take_member};
    bool ok;

    sample_init(&j.sample, c->profile, c->options, c->diag);
    j.sample.unit = unit_threads;
    ok = json_read(c, &handler);
    java_order_states(c->profile);
    sample_release(&j.sample);
    return ok;
}

const struct format format_java_json = {
    .name = "java-json",
    .family = FORMAT_JAVA,
    .description = "Java thread dumps as JSON",
    .recognised =
        "JSON with 'threadDump', or with 'threads' that have a 'threadName' and a 'stackTrace'",
    .example = "jcmd PID Thread.dump_to_file -format=json app.json",
    .claims = java_json_claims,
    .read = java_json_read,
};
