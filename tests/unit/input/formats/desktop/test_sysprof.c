
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define OBJECT(id, name) "<object id=\"" id "\"><name>\"" name "\"</name><self>9</self></object>"
#define NODE(id, object, parent, self)                                                             \
    "<node id=\"" id "\"><object>" object "</object><siblings>0</siblings><parent>" parent         \
    "</parent><total>9</total><self>" self "</self></node>"
#define HEAD(size)                                                                                 \
    "<profile>\n<size>" size                                                                       \
    "</size><call_tree>1</call_tree><objects>" OBJECT("1", "[/usr/bin/app]") OBJECT("2", "main")   \
        OBJECT("3", "In file /lib/libc.so.6") OBJECT("4", "in kernel")                             \
            OBJECT("5", "??? [/usr/bin/app]")
#define MIDDLE "</objects><nodes>"
#define END "</nodes></profile>\n"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"a tree",
     HEAD("10") MIDDLE NODE("7", "1", "0", "0") NODE("8", "2", "7", "1") NODE("9", "3", "8", "2")
     NODE("10", "4", "9", "3") NODE("11", "5", "7", "4") END,
     "==  samples\napp;[app] 4\napp;main 1\napp;main;[libc.so.6] 2\n"
     "app;main;[libc.so.6];in kernel 3\n"},
    {"children before their parents",
     HEAD("3") MIDDLE NODE("8", "2", "7", "1") NODE("7", "1", "0", "2") END,
     "==  samples\napp 2\napp;main 1\n"},
    {"parents that are not there, and circles",
     HEAD("6") MIDDLE NODE("8", "2", "99", "1") NODE("7", "2", "6", "2")
     NODE("6", "2", "7", "3") END,
     "==  samples\n 2\nmain 4\n"
     "in: warning: node 99 is undefined or in a circle; its weight is charged to its nearest known "
     "caller\n"
     "in: warning: node 7 is undefined or in a circle; its weight is charged to its nearest known "
     "caller\n"},
    {"a node without its object, and one that comes twice",
     HEAD("1") MIDDLE "<node id=\"7\"><parent>0</parent><self>4</self></node>"
     NODE("8", "1", "0", "1") NODE("8", "1", "0", "5") END,
     "==  samples\napp 1\n"
     "in: warning: a node without an object or samples; skipped\n"
     "in: warning: a node without an object or samples; skipped\n"},
    {"fewer samples than there should be",
     HEAD("9") MIDDLE NODE("8", "1", "0", "1") END,
     "==  samples\napp 1\nin: warning: the nodes have 1 sample, but the file states 9\n"},
};
/* clang-format on */

Test(input_sysprof, documents)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_sysprof, options)
{
    const char *processes[] = {"app"};
    struct input_options options = input_options_default();
    struct slice text = SLICE(HEAD("3") OBJECT("6", "[top]") MIDDLE NODE("7", "1", "0", "0")
                                  NODE("8", "4", "7", "1") NODE("9", "6", "0", "2") END);

    options.kernel = true;
    options.processes = processes;
    options.process_count = 1;
    told_expect("process", text, &options, "==  samples\napp;in kernel_[k] 1\n");
    options = input_options_default();
    options.split_process = true;
    told_expect("split", text, &options,
                "== app samples\napp;in kernel 1\n== top samples\ntop 2\n");
}

Test(input_sysprof, claims)
{
    cr_expect(claim_find(SLICE(HEAD("1") MIDDLE END), true) == &format_sysprof);
    cr_expect(claim_find(SLICE("<?xml version=\"1.0\"?>\n" HEAD("1")), false) == &format_sysprof);
    cr_expect_null(claim_find(SLICE("<profile><name>me</name></profile>"), true));
    cr_expect_null(claim_find(SLICE("<?xml"), true));
}
