#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define NODE(name, metrics, children)                                                              \
    "{\"children\":[" children "],\"frame\":{\"name\":\"" name "\",\"type\":\"function\"},"        \
    "\"metrics\":{" metrics "}}"
#define FILE_OF(children) "[" NODE("ROOT", "\"time (ns)\":0", children) ",{\"CUDA\":{}}]"
#define GPU "\"device_id\":\"0\",\"device_type\":\"CUDA\","

static const struct folding cases[] = {
    {"a kernel below its scopes, after a separator; ROOT is no frame",
     FILE_OF(NODE("s", "", NODE("k", GPU "\"time (ns)\":7", ""))), "s;-;k 7\n", NULL},
    {"a kernel without a scope", FILE_OF(NODE("k", GPU "\"time (ns)\":7", "")), "k 7\n", NULL},
    {"what is below a kernel is of the device, too",
     FILE_OF(NODE("s", "", NODE("k", GPU "\"cycles\":5", NODE("load", GPU "\"cycles\":2", "")))),
     "s;-;k 5\ns;-;k;load 2\n", NULL},
    {"samples of program counters, by the lines of a kernel",
     FILE_OF(
         NODE("k", "",
              NODE("/srv/m.cu:void f(int)@9",
                   "\"num_samples\":5,\"num_stalled_samples\":4,\"stalled_wait\":4",
                   "")) "," NODE("/srv/a.py:g@3", "", NODE("unresolved", "\"num_samples\":1", ""))),
     "[num_samples]\ng;-;unresolved 1\nk;f 5\n[num_stalled_samples]\nk;f 4\n"
     "[stalled_wait]\nk;f 4\n",
     NULL},
    {"time is the first event; metrics of scopes and kernels; floating point",
     FILE_OF(NODE("s", "\"bytes\":2.5,\"flops8\":1e3",
                  NODE("k", GPU "\"count\":3,\"time (ns)\":7", ""))),
     "[time]\ns;-;k 7\n[bytes]\ns 2.5\n[flops8]\ns 1000\n[count]\ns;-;k 3\n", NULL},
    {"functions of Python and what is no place",
     FILE_OF(NODE("/srv/a.py:f@12", "", NODE("C:\\\\x.py:g@3", "\"x\":1", "")) "," NODE(
         "user@host:1", "\"x\":1", "") "," NODE("a::b@7", "\"x\":1", "")),
     "a::b@7 1\nf;g 1\nuser@host:1 1\n", NULL},
    {"times of scopes contain the scopes within",
     FILE_OF(NODE("a", "\"cpu_time (ns)(exc)\":10",
                  NODE("b", "", NODE("c", "\"cpu_time (ns)(exc)\":4", "")) "," NODE(
                      "d", "\"cpu_time (ns)(exc)\":1", ""))),
     "a 5\na;b;c 4\na;d 1\n", NULL},
    {"what cannot be added up",
     FILE_OF(NODE(
         "a", "\"time (ns)\":3,\"time (ns) (inc)\":9,\"p99 (exc)\":5,\"v\":[1],\"t\":\"x\"", "")),
     "a 3\n", "left out metrics that cannot be added up"},
    {"what is no number", FILE_OF(NODE("a", "\"time (ns)\":3,\"x\":null,\"y\":-1", "")), "a 3\n",
     "skipped 2 metrics that are no numbers"},
    {"a member twice: the last one counts",
     "[{\"frame\":{\"name\":\"ROOT\"},\"children\":[{\"frame\":{\"name\":\"a\"},\"metrics\":{\"x\":"
     "9},"
     "\"metrics\":{\"x\":1},\"children\":[]}],\"metrics\":{}}]",
     "a 1\n", NULL},
};

Test(input_proton, texts)
{
    folding_check("proton", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_proton, devices_are_processes)
{
    static const char *const processes[] = {"CUDA 1"};
    static const struct folding two[] = {
        {"the kernels of one device, and what belongs to none",
         FILE_OF(
             NODE("a", "\"time (ns)\":7,\"device_id\":\"1\",\"device_type\":\"CUDA\"",
                  "") "," NODE("b", GPU "\"time (ns)\":5", "") "," NODE("s", "\"bytes\":1", "")),
         "[time]\na 7\n[bytes]\ns 1\n", NULL},
    };
    struct input_options options = input_options_default();

    options.processes = processes;
    options.process_count = 1;
    folding_check("proton", two, 1, &options);
}

Test(input_proton, claims)
{
    cr_expect(claim_by(&format_proton, SLICE(FILE_OF(NODE("a", "", ""))), true));
    cr_expect_not(claim_by(&format_proton, SLICE("[{\"frame\":{\"name\":\"a\"}}]"), true));
    /* the first bytes of a long file */
    cr_expect(claim_by(&format_proton,
                       SLICE("[{\"children\":[{\"children\":[{\"children\":[{\"children\":[{"
                             "\"children\":[],\"frame\":{\"name\":\"k\"},\"metrics\":{}}"),
                       false));
    cr_expect_not(claim_by(&format_proton, SLICE("[{\"children\":[{\"children\":[{"), false));
}
