
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TEXT(headers, samples)                                                                     \
    "{\"linux-perf-json-version\":1,\"headers\":{" headers "},\"samples\":[" samples "]}"
#define SAMPLE(chain)                                                                              \
    "{\"timestamp\":5,\"pid\":1,\"tid\":2,\"comm\":\"app\",\"callchain\":" chain "}"

static const struct folding cases[] = {
    {"leaf first, below the process",
     TEXT("", SAMPLE("[{\"ip\":\"0x12\",\"symbol\":\"read\",\"dso\":\"libc.so.6\"},{\"ip\":\"0x1\","
                     "\"symbol\":\"main\",\"dso\":\"app\"}]")),
     "app;main;read 1\n", NULL},
    {"what has no symbol", TEXT("", SAMPLE("[{\"ip\":\"0x12\",\"dso\":\"libc.so.6\"},{}]")),
     "app;[unknown];[libc.so.6] 1\n", NULL},
    {"samples without a callchain",
     TEXT("", SAMPLE("[{\"symbol\":\"f\"}]") ",7,{\"comm\":\"app\"}," SAMPLE("3")), "app;f 1\n",
     "a sample has no callchain: 7; skipped\n"
     "in: warning: a sample has no callchain: {\"comm\": \"app\"}; skipped"},
    {"several events",
     TEXT("\"cmdline\":[\"perf\",\"record\",\"-e\",\"a\",\"-e\",\"b\"]",
          SAMPLE("[{\"symbol\":\"f\"}]")),
     "app;f 1\n", "perf recorded several events"},
};

Test(input_perf_json, texts)
{
    folding_check("perf-json", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_perf_json, claims)
{
    cr_expect(claim_by(&format_perf_json, SLICE("{\"linux-perf-json-version\":1}"), true));
    cr_expect_not(claim_by(&format_perf_json, SLICE("{\"samples\":[]}"), true));
}
