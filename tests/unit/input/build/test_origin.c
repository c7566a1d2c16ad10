#include "input/build/origin.h"

#include "unit/support/test.h"

static const char *const db[] = {"mysqld", "77"}, *const worker[] = {"worker"};
static const char *const waits[] = {"parked", "uninterruptible"};

/* What --process and --thread leave out, and what --split adds to the name. */
static const struct {
    const char *what;
    struct origin origin;
    struct input_options options;
    bool wanted;
    const char *name;
} cases[] = {
#define ORIGIN                                                                                     \
    {                                                                                              \
        .event = {"cycles", 6}, .process = {"mysqld", 6}, .thread = {"worker", 6},                 \
        .pid = {"12", 2}, .tid = {"34", 2}, .state = {"D", 1},                                     \
    }
    {"nothing asked", ORIGIN, {0}, true, "cycles"},
    {"by name", ORIGIN, {.processes = db, .process_count = 2}, true, "cycles"},
    {"by number", {.pid = {"77", 2}}, {.processes = db, .process_count = 2}, true, ""},
    {"another", {.pid = {"78", 2}}, {.processes = db, .process_count = 2}, false, ""},
    {"one that does not say",
     {{"x", 1}, .tid = {"1", 1}},
     {.processes = db, .process_count = 2},
     true,
     "x"},
    {"a thread", ORIGIN, {.threads = worker, .thread_count = 1}, true, "cycles"},
    {"another thread", {.thread = {"main", 4}}, {.threads = worker, .thread_count = 1}, false, ""},
    {"a process's other thread",
     {.process = {"mysqld", 6}, .thread = {"main", 4}},
     {.processes = db, .process_count = 2, .threads = worker, .thread_count = 1},
     false,
     ""},
    {"a state", ORIGIN, {.states = waits, .state_count = 2}, true, "cycles"},
    {"another state", {.state = {"S", 1}}, {.states = waits, .state_count = 2}, false, ""},
    {"no state", {.pid = {"1", 1}}, {.states = waits, .state_count = 2}, true, ""},
    {"split by process", ORIGIN, {.split_process = true}, true, "cycles, mysqld (12)"},
    {"split by thread", ORIGIN, {.split_thread = true}, true, "cycles, worker (34)"},
    {"split by CPU",
     {.event = {"cycles", 6}, .cpu = {"010", 3}},
     {.split_cpu = true},
     true,
     "cycles, CPU 10"},
    {"the first CPU", {.cpu = {"000", 3}}, {.split_cpu = true}, true, "CPU 0"},
    {"without a number",
     {.process = {"a", 1}, .thread = {"main", 4}},
     {.split_thread = true},
     true,
     "a, main"},
    {"without a name", {.pid = {"12", 2}}, {.split_process = true}, true, "12"},
    {"nothing to split by", {.event = {"cycles", 6}}, {.split_process = true}, true, "cycles"},
    {"bad UTF-8",
     {.event = {"\xff", 1}, .process = {"\xfe", 1}},
     {.split_process = true},
     true,
     "\xef\xbf\xbd, \xef\xbf\xbd"},
};

Test(input_origin, filters_and_names)
{
    struct buf name = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&name);
        cr_expect_eq(origin_is_wanted(&cases[i].origin, &cases[i].options), cases[i].wanted, "%s",
                     cases[i].what);
        if (!cases[i].wanted)
            continue;
        origin_add_name(&name, &cases[i].origin, &cases[i].options);
        cr_expect_str_eq(buf_string(&name), cases[i].name, "%s: '%s'", cases[i].what,
                         buf_string(&name));
    }
    buf_release(&name);
}
