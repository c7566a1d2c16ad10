/* OpenTelemetry's profiles: their bytes are those that protoc makes of the same message. */

#include <string.h>

#include "base/version.h"
#include "convert/writer.h"
#include "unit/support/test.h"

/*
 * What `protoc --encode=opentelemetry.proto.profiles.v1development.ProfilesData` (protobuf
 * 3.21.12, schema 1.11.0) makes of a text that was written by hand.
 */
static const char by_protoc[] =
    "\012\267\001\012\042\012 \012\027process.executable.name\022\005\012\003app\022\220"
    "\001\012A\012\012flamepress\022\005" FLAMEPRESS_VERSION
    "\032,\012\017flamepress.root\022\031\012\027process.executable.name\022K\012\004\010"
    "\001\020\002\022\020\010\001\042\002\254\002*\010\001\000*6\376\234\227\027\022\030"
    "\010\002\042\002\005\007*\020\000\000*6\376\234\227\027\002\000*6\376\234\227\027"
    "\031\000\000*6\376\234\227\027 \002*\004\010\005\020\0020\200\255\342\004Z\001\001"
    "\022\335\001\012\000\012\002 \011\022\000\022\006\032\004\010\001\020\014\022\011"
    "\010\001\032\002\010\002\042\001\002\032\000\032\004\010\006\030\007\032\002\010\010"
    "\042\034\012\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\022"
    "\010\000\000\000\000\000\000\000\000*\000*\003cpu*\013nanoseconds*\010hostname*\004w"
    "eb1*\005clock*\004main*\003a.c*\010read_[k]*\021[kernel.kallsyms]*\022profile.frame."
    "type*\006kernel2\0002\012\010\003\022\006\012\004web12\014\010\012\022\010\012\006ke"
    "rnel:\000:\003\012\001\001:\004\012\002\002\001";

static const char as_json[] =
    "{\"resourceProfiles\": [{\"resource\": {\"attributes\": [{\"key\": "
    "\"process.executable.name\", "
    "\"value\": {\"stringValue\": \"app\"}}]}, \"scopeProfiles\": [{\"scope\": {\"name\": "
    "\"flamepress\", "
    "\"version\": \"" FLAMEPRESS_VERSION
    "\", \"attributes\": [{\"key\": \"flamepress.root\", \"value\": "
    "{\"stringValue\": \"process.executable.name\"}}]}, \"profiles\": [{\"sampleType\": "
    "{\"typeStrindex\": "
    "1, \"unitStrindex\": 2}, \"samples\": [{\"stackIndex\": 1, \"values\": [\"300\"], "
    "\"timestampsUnixNano\": [\"1700000000000000001\"]}, {\"stackIndex\": 2, \"values\": [\"5\", "
    "\"7\"], "
    "\"timestampsUnixNano\": [\"1700000000000000000\", \"1700000000000000002\"]}], "
    "\"timeUnixNano\": "
    "\"1700000000000000000\", \"durationNano\": \"2\", \"periodType\": {\"typeStrindex\": 5, "
    "\"unitStrindex\": 2}, \"period\": \"10000000\", \"attributeIndices\": [1]}]}]}], "
    "\"dictionary\": "
    "{\"mappingTable\": [{}, {\"filenameStrindex\": 9}], \"locationTable\": [{}, {\"lines\": "
    "[{\"functionIndex\": 1, \"line\": \"12\"}]}, {\"mappingIndex\": 1, \"lines\": "
    "[{\"functionIndex\": 2}], "
    "\"attributeIndices\": [2]}], \"functionTable\": [{}, {\"nameStrindex\": 6, "
    "\"filenameStrindex\": 7}, "
    "{\"nameStrindex\": 8}], \"linkTable\": [{\"traceId\": \"00000000000000000000000000000000\", "
    "\"spanId\": \"0000000000000000\"}], \"stringTable\": [\"\", \"cpu\", \"nanoseconds\", "
    "\"hostname\", "
    "\"web1\", \"clock\", \"main\", \"a.c\", \"read_[k]\", \"[kernel.kallsyms]\", "
    "\"profile.frame.type\", "
    "\"kernel\"], \"attributeTable\": [{}, {\"keyStrindex\": 3, \"value\": {\"stringValue\": "
    "\"web1\"}}, "
    "{\"keyStrindex\": 10, \"value\": {\"stringValue\": \"kernel\"}}], \"stackTable\": [{}, "
    "{\"locationIndices\": [1]}, {\"locationIndices\": [2, 1]}]}}\n";

/* The process app, with three samples at their times. */
static void fill(struct profile *p)
{
    static const struct {
        uint64_t ns, weight;
        bool in_kernel;
    } samples[] = {{0, 5, true}, {1, 300, false}, {2, 7, true}};
    const uint64_t begin = 1700000000000000000;
    uint32_t app, symbol, stack[2];

    profile_init(p);
    p->keep_timed = p->has_processes = true;
    profile_series(p, SLICE("cpu"), unit_named(SLICE("nanoseconds")));
    app = stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("app"), SYMBOL_OWNER));
    symbol = symbols_add(&p->symbols, SLICE("main"), SYMBOL_USER);
    symbols_set_source(&p->symbols, symbol, SLICE("a.c"), 12);
    stack[0] = stacks_push(&p->stacks, app, symbol);
    symbol = symbols_add(&p->symbols, SLICE("read"), SYMBOL_KERNEL);
    symbols_set_module(&p->symbols, symbol, SLICE("[kernel.kallsyms]"));
    stack[1] = stacks_push(&p->stacks, stack[0], symbol);
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        profile_add_time(p, 0, begin + samples[i].ns);
        profile_add(p, 0, stack[samples[i].in_kernel], samples[i].weight);
    }
    profile_add_fact(p, SLICE("hostname"), SLICE("web1"));
    p->period = (struct sampling_period){10000000, SLICE("clock"), SLICE("nanoseconds")};
}

static bool take(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

static struct buf convert(const struct profile *p, const struct convert_writer *writer)
{
    const uint32_t series = 0;
    struct buf out = {0};
    struct diag diag;

    diag_init(&diag, SLICE(""));
    cr_expect(convert_write(writer, &(struct conversion){p, &series, 1, SLICE("t"), NULL}, take,
                            &out, &diag));
    cr_expect_eq(diag.messages.count, 0);
    diag_release(&diag);
    return out;
}

Test(convert_otlp, bytes_are_those_of_protoc)
{
    struct profile p;
    struct buf out;

    fill(&p);
    out = convert(&p, &convert_otlp);
    cr_expect_eq(out.len, sizeof(by_protoc) - 1);
    cr_expect(out.len == sizeof(by_protoc) - 1 && memcmp(out.ptr, by_protoc, out.len) == 0);
    buf_release(&out);
    profile_release(&p);
}

Test(convert_otlp, json_has_texts_for_wide_numbers)
{
    struct profile p;
    struct buf out;

    fill(&p);
    out = convert(&p, &convert_otlp_json);
    cr_expect_str_eq(buf_string(&out), as_json);
    buf_release(&out);
    profile_release(&p);
}
