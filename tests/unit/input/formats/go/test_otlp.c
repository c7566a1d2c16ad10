/* OpenTelemetry's profiles: the layouts in protobuf, JSON, and what is damaged. */

#include <unistd.h>

#include "unit/support/reading.h"
#include "unit/support/wire.h"
#include "unit/support/test.h"

/* ---- layouts ------------------------------------------------------------------------------- */

enum { IN_DICTIONARY, IN_FILE, IN_PROFILE };

/* Field numbers, from the tags of opentelemetry-proto. */
static const struct form {
    const char *name;
    bool modern, packed;
    unsigned place, locations, functions, strings, attributes, stacks;
    unsigned time, period_type, period, list;           /* of a profile */
    unsigned stack, start, length, values, tags, times; /* of a sample */
} forms[] = {
    {"1.10", true, true, IN_DICTIONARY, 2, 3, 5, 6, 7, 3, 5, 6, 0, 1, 0, 0, 4, 2, 5},
    {"1.10, not packed", true, false, IN_DICTIONARY, 2, 3, 5, 6, 7, 3, 5, 6, 0, 1, 0, 0, 4, 2, 5},
    {"1.9", true, true, IN_DICTIONARY, 2, 3, 5, 6, 7, 3, 5, 6, 0, 1, 0, 0, 2, 3, 5},
    {"1.9, not packed", true, false, IN_DICTIONARY, 2, 3, 5, 6, 7, 3, 5, 6, 0, 1, 0, 0, 2, 3, 5},
    {"1.7", false, true, IN_DICTIONARY, 2, 3, 5, 6, 0, 4, 6, 7, 3, 0, 1, 2, 3, 4, 6},
    {"1.6", false, true, IN_FILE, 3, 4, 6, 7, 0, 4, 6, 7, 3, 0, 1, 2, 3, 4, 6},
    {"1.5", false, true, IN_PROFILE, 4, 6, 10, 7, 0, 11, 13, 14, 5, 0, 1, 2, 3, 4, 6},
};

static void add_list(const struct form *f, struct buf *out, unsigned field, uint64_t value)
{
    if (f->packed)
        wire_packed(out, field, &value, 1);
    else
        wire_number(out, field, value);
}

/* An attribute "thread.name" with a value, whose key is string 6 or, in older layouts, a text. */
static void add_attribute(const struct form *f, struct buf *out, const char *value)
{
    struct buf attribute = {0}, any = {0};

    if (f->modern)
        wire_number(&attribute, 1, 6);
    else
        wire_bytes(&attribute, 1, SLICE("thread.name"));
    wire_bytes(&any, 1, slice_str(value));
    wire_bytes(&attribute, 2, buf_slice(&any));
    wire_bytes(out, f->attributes, buf_slice(&attribute));
    buf_release(&any);
    buf_release(&attribute);
}

/* Locations 1 and 2 are the functions main and work. Entry 0 of a table is empty. */
static void add_tables(const struct form *f, struct buf *out)
{
    static const char *const strings[] = {"",     "cpu",  "nanoseconds", "main",
                                          "work", "a.py", "thread.name"};
    struct buf location = {0}, stack = {0};

    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
        wire_bytes(out, f->strings, slice_str(strings[i]));
    wire_bytes(out, f->functions, SLICE(""));
    WIRE(out, f->functions, 3, 0, 5);
    WIRE(out, f->functions, 4, 0, 5);
    wire_bytes(out, f->locations, SLICE(""));
    for (uint64_t i = 1; i <= 2; i++) {
        buf_clear(&location);
        WIRE(&location, 3, i, 10 * i);
        wire_bytes(out, f->locations, buf_slice(&location));
    }
    wire_bytes(out, f->attributes, SLICE(""));
    add_attribute(f, out, "T1");
    if (f->stacks) {
        wire_bytes(out, f->stacks, SLICE(""));
        wire_packed(&stack, 1, (const uint64_t[]){2, 1}, 2);
        wire_bytes(out, f->stacks, buf_slice(&stack));
        buf_clear(&stack);
        wire_packed(&stack, 1, (const uint64_t[]){1}, 1);
        wire_bytes(out, f->stacks, buf_slice(&stack));
    }
    buf_release(&location);
    buf_release(&stack);
}

/* A sample of stack 1 (main, work) or 2 (main); old ones are ranges of the list 2, 1. */
static void add_sample(const struct form *f, struct buf *out, uint64_t stack, uint64_t value)
{
    struct buf sample = {0};

    if (f->modern)
        wire_number(&sample, f->stack, stack);
    else {
        wire_number(&sample, f->start, stack - 1);
        wire_number(&sample, f->length, 3 - stack);
    }
    add_list(f, &sample, f->values, value);
    add_list(f, &sample, f->tags, 1);
    wire_bytes(out, 2, buf_slice(&sample));
    buf_release(&sample);
}

static void add_profile(const struct form *f, struct buf *out)
{
    struct buf profile = {0};

    WIRE(&profile, 1, 1, 2);
    add_sample(f, &profile, 1, 30);
    add_sample(f, &profile, 2, 5);
    add_sample(f, &profile, 2, 7);
    WIRE(&profile, f->period_type, 1, 2);
    wire_number(&profile, f->period, 10000000);
    if (f->list)
        wire_packed(&profile, f->list, (const uint64_t[]){2, 1}, 2);
    if (f->place == IN_PROFILE)
        add_tables(f, &profile);
    wire_bytes(out, 2, buf_slice(&profile));
    buf_release(&profile);
}

static void write_message(const struct form *f, struct buf *out)
{
    struct buf scope = {0}, resource = {0}, tables = {0};

    add_profile(f, &scope);
    wire_bytes(&resource, 2, buf_slice(&scope));
    wire_bytes(out, 1, buf_slice(&resource));
    if (f->place != IN_PROFILE)
        add_tables(f, &tables);
    if (f->place == IN_DICTIONARY)
        wire_bytes(out, 2, buf_slice(&tables));
    else
        buf_add_slice(out, buf_slice(&tables));
    buf_release(&scope);
    buf_release(&resource);
    buf_release(&tables);
}

Test(input_otlp, layouts_are_told_apart)
{
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct buf message = {0};
        struct reading r;

        write_message(&forms[i], &message);
        reading_text(&r, buf_slice(&message), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", forms[i].name);
        cr_expect_str_eq(r.profile.format, "otlp");
        cr_expect_eq(r.profile.series.count, 1, "%s", forms[i].name);
        cr_expect_eq(r.profile.series.items[0].unit.kind, UNIT_SECONDS);
        cr_expect(slice_equal(profile_fact(&r.profile, SLICE("period")), SLICE("0.01 s of cpu")));
        reading_expect_fold(&r, "", 0, "T1;main 12\nT1;main;work 30\n");
        reading_release(&r);
        buf_release(&message);
    }
}

static void add_behind_length(struct buf *out, struct slice message)
{
    buf_add_char(out, 0);
    buf_add_char(out, 0);
    buf_add_char(out, (char)(message.len >> 8));
    buf_add_char(out, (char)message.len);
    buf_add_slice(out, message);
}

Test(input_otlp, messages_behind_their_lengths_are_added_up)
{
    struct buf message = {0}, file = {0};
    struct reading r;

    write_message(&forms[0], &message);
    add_behind_length(&file, buf_slice(&message));
    add_behind_length(&file, buf_slice(&message));
    reading_text(&r, buf_slice(&file), NULL);
    reading_expect_fold(&r, "", 0, "T1;main 24\nT1;main;work 60\n");
    reading_expect_messages(&r, "", "");
    reading_release(&r);
    file.len -= 1;
    reading_text(&r, buf_slice(&file), NULL);
    reading_expect_fold(&r, "", 0, "T1;main 12\nT1;main;work 30\n");
    reading_expect_messages(&r, "",
                            "in: warning: the last message is not as long as its length says; the "
                            "file may be truncated\n");
    reading_release(&r);
    buf_release(&message);
    buf_release(&file);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

#define STRINGS                                                                                    \
    "'', 'cpu', 'nanoseconds', 'a.B.c', 'vfs_read', 'inl', 'main', 'profile.frame.type', "         \
    "'/lib/libx.so', 'samples', 'count', 'endpoint'"
#define DICTIONARY                                                                                 \
    "'dictionary': {'stringTable': [" STRINGS "], 'mappingTable': [{}, {'filenameStrindex': 8}], " \
    "'functionTable': [{}, {'nameStrindex': 3}, {'nameStrindex': 4}, {'nameStrindex': 5}, "        \
    "{'nameStrindex': 6}], 'attributeTable': [{}, "                                                \
    "{'keyStrindex': 7, 'value': {'stringValue': 'jvm'}}, "                                        \
    "{'keyStrindex': 7, 'value': {'stringValue': 'kernel'}}, "                                     \
    "{'keyStrindex': 11, 'value': {'stringValue': '/cart'}}, "                                     \
    "{'keyStrindex': 11, 'value': {'intValue': '7'}}], 'locationTable': [{}, "                     \
    "{'lines': [{'functionIndex': 1, 'line': '12'}], 'attributeIndices': [1]}, "                   \
    "{'lines': [{'functionIndex': 2}], 'attributeIndices': [2]}, "                                 \
    "{'lines': [{'functionIndex': 3}, {'functionIndex': 4}]}, "                                    \
    "{'mappingIndex': 1, 'address': '4096'}], 'stackTable': [{}, "                                 \
    "{'locationIndices': [2, 1]}, {'locationIndices': [3]}, {'locationIndices': [4, 3]}, "         \
    "{'locationIndices': [9]}]}"
#define PROFILE(resource, samples)                                                                 \
    "{'resourceProfiles': [{'resource': {'attributes': [" resource "]}, 'scopeProfiles': [{"       \
    "'profiles': [{'sampleType': {'typeStrindex': 1, 'unitStrindex': 2}, 'samples': [" samples     \
    "]}]}]}], " DICTIONARY "}"
#define SERVICE "{'key': 'service.name', 'value': {'stringValue': 'shop'}}"
#define PROCESS                                                                                    \
    "{'key': 'process.pid', 'value': {'intValue': '66'}}, "                                        \
    "{'key': 'process.executable.path', 'value': {'stringValue': '/usr/bin/java'}}"

/* Reads JSON that is written with single quotes. */
static void read_json(struct reading *r, const char *text, const struct input_options *options)
{
    struct buf json = {0};

    buf_add_str(&json, text);
    for (size_t i = 0; i < json.len; i++)
        if (json.ptr[i] == '\'')
            json.ptr[i] = '"';
    reading_text(r, buf_slice(&json), options);
    buf_release(&json);
}

static const struct {
    const char *name, *text, *folded, *messages;
} rows[] = {
    {"numbers in texts, a service",
     PROFILE(SERVICE, "{'stackIndex': 1, 'values': ['30', 12]}, {'stackIndex': 2, 'values': [1]}"),
     "shop;a.B.c;vfs_read_[k] 42\nshop;main;inl_[i] 1\n", ""},
    {"the process before the service",
     PROFILE(SERVICE ", " PROCESS, "{'stackIndex': 3, 'values': [5]}"),
     "java;main;inl_[i];libx.so+0x1000 5\n",
     "in: warning: addresses without a symbol: 1 of 1: /lib/libx.so (1)\n"},
    {"times alone count one each",
     PROFILE(SERVICE, "{'stackIndex': 2, 'timestampsUnixNano': ['1700000000000000000', "
                      "'1700000000000000001']}"),
     "shop;main;inl_[i] 2\n", ""},
    {"a reference to no stack and to no location",
     PROFILE("", "{'stackIndex': 4, 'values': [2]}, {'stackIndex': 77, 'values': [3]}, "
                 "{'stackIndex': 2, 'values': [1]}"),
     " 3\n[unknown] 2\nmain;inl_[i] 1\n",
     "in: warning: location 9 is not in its table\n"
     "in: warning: stack 77 is not in its table\n"},
    {"keys of the fields",
     "{'resource_profiles': [{'scope_profiles': [{'profiles': [{'sample_type': {'type_strindex': "
     "1, 'unit_strindex': 2}, 'samples': [{'stack_index': 1, 'values': [4]}]}]}]}], 'dictionary': "
     "{'string_table': ['', 'cpu', 'nanoseconds', 'f'], 'function_table': [{}, {'name_strindex': "
     "3}], 'location_table': [{}, {'lines': [{'function_index': 1}]}], 'stack_table': [{}, "
     "{'location_indices': [1]}]}}",
     "f 4\n", ""},
};

Test(input_otlp, json_is_read_as_protobuf_is)
{
    struct input_options options = input_options_default();

    options.inlined = options.kernel = true;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        read_json(&r, rows[i].text, &options);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].name);
        reading_expect_messages(&r, rows[i].name, rows[i].messages);
        reading_expect_fold(&r, rows[i].name, 0, rows[i].folded);
        reading_release(&r);
    }
}

Test(input_otlp, documents_follow_each_other)
{
    struct buf text = {0};
    struct reading r;

    for (int i = 0; i < 3; i++)
        buf_add_str(&text, PROFILE(SERVICE, "{'stackIndex': 2, 'values': [2]}") "\n");
    read_json(&r, buf_string(&text), NULL);
    reading_expect_fold(&r, "", 0, "shop;main;inl 6\n");
    reading_release(&r);
    buf_release(&text);
}

Test(input_otlp, attributes_are_labels)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_tag = "endpoint";
    read_json(&r,
              PROFILE(SERVICE, "{'stackIndex': 2, 'attributeIndices': [3], 'values': [2]}, "
                               "{'stackIndex': 2, 'attributeIndices': [4], 'values': [3]}"),
              &options);
    cr_assert_eq(r.profile.series.count, 2);
    reading_release(&r);
}

#define PERIOD(number)                                                                             \
    "{'sampleType': {'typeStrindex': 9, 'unitStrindex': 10}, 'periodType': {'typeStrindex': 1, "   \
    "'unitStrindex': 2}, 'period': " number ", 'samples': [{'stackIndex': 2, 'values': [1]}]}"

Test(input_otlp, another_period_is_another_series)
{
    struct reading r;

    read_json(&r,
              "{'resourceProfiles': [{'scopeProfiles': [{'profiles': [" PERIOD(
                  "'10000000'") ", " PERIOD("50000000") ", " PERIOD("10000000") "]}]}], " DICTIONARY
                                                                                "}",
              NULL);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("samples")));
    cr_expect_eq(r.profile.series.items[0].total, 2);
    cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("samples (0.05 s of cpu)")));
    reading_release(&r);
}

extern const char __executable_start[], __etext[];

/* A function that its address names. */
__attribute__((noinline)) static int named_by_its_address(int number)
{
    return number + 1;
}

/* Reads a profile with one address of this program, and returns the only function. */
static void read_address(const char *map, uint64_t address, const char *wanted)
{
    struct buf text = {0};
    struct reading r;
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

    cr_assert(len > 0);
    path[len] = '\0';
    buf_printf(&text,
               "{'resourceProfiles': [{'scopeProfiles': [{'profiles': [{'samples': [{'stackIndex': "
               "1, 'values': ['5']}]}]}]}], 'dictionary': {'stringTable': ['', '%s', "
               "'process.executable.build_id.gnu', '00ff'], 'mappingTable': [{}, "
               "{'filenameStrindex': 1, %s}], 'attributeTable': [{}, {'keyStrindex': 2, 'value': "
               "{'stringValue': '00ff'}}], 'locationTable': [{}, {'mappingIndex': 1, 'address': "
               "'%llu'}], 'stackTable': [{}, {'locationIndices': [1]}]}}",
               path, map, (unsigned long long)address);
    read_json(&r, buf_string(&text), NULL);
    buf_clear(&text);
    reading_fold(&r, 0, &text);
    cr_expect(slice_has(buf_slice(&text), slice_str(wanted)), "%s: %s", map, buf_string(&text));
    reading_release(&r);
    buf_release(&text);
}

Test(input_otlp, addresses_are_named_by_their_binary)
{
    const uint64_t start = (uint64_t)(uintptr_t)__executable_start;
    const uint64_t address = (uint64_t)(uintptr_t)named_by_its_address;
    struct buf map = {0};

    cr_assert_eq(named_by_its_address(1), 2);
    buf_printf(&map, "'memoryStart': '%llu', 'memoryLimit': '%llu'", (unsigned long long)start,
               (unsigned long long)(uintptr_t)__etext);
    read_address(buf_string(&map), address, "named_by_its_address 5");
    /* Another build id is that of another program. */
    buf_add_str(&map, ", 'attributeIndices': [1]");
    read_address(buf_string(&map), address, "+0x");
    buf_release(&map);
}

/* "alloc" counts 5 things, and 4096 bytes of them. */
Test(input_otlp, types_of_one_name_and_two_units_are_two_series)
{
    struct reading r;

    read_json(&r,
              "{'resourceProfiles': [{'scopeProfiles': [{'profiles': [{'sampleType': "
              "{'typeStrindex': 1, 'unitStrindex': 2}, 'samples': [{'stackIndex': 1, 'values': "
              "['5']}]}, {'sampleType': {'typeStrindex': 1, 'unitStrindex': 3}, 'samples': "
              "[{'stackIndex': 1, 'values': ['4096']}]}]}]}], 'dictionary': {'stringTable': ['', "
              "'alloc', 'count', 'bytes', 'f'], 'functionTable': [{}, {'nameStrindex': 4}], "
              "'locationTable': [{}, {'lines': [{'functionIndex': 1}]}], 'stackTable': [{}, "
              "{'locationIndices': [1]}]}}",
              NULL);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect_eq(r.profile.series.items[0].total, 5);
    cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("alloc (bytes)")));
    cr_expect_eq(r.profile.series.items[1].total, 4096);
    cr_expect_eq(r.profile.series.items[1].unit.kind, UNIT_BYTES);
    reading_release(&r);
}
