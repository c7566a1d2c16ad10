/*
 * Reads any bytes as flamepress.yml and applies the settings to a profile.
 */
#include <stddef.h>
#include <stdint.h>

#include "cli/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config config = {0};
    struct options options;
    struct diag diag;
    struct buf text = {0};
    bool ok;

    options_init(&options);
    diag_init(&diag, SLICE("flamepress.yml"));
    ok = config_read(&config, slice_make((const char *)data, size), ".", &options, &diag);
    if (ok == (diag.counts[DIAG_ERROR] > 0))
        BUG("settings are refused without a word, or taken with an error");
    if (ok && config_finish(&config, &options, &diag) &&
        !config_plan(&config, "db/mysql.perf")->recipe.factor)
        BUG("a plan has no recipe");
    diag_write(&diag, &text, false);
    buf_release(&text);
    diag_release(&diag);
    options_release(&options);
    config_release(&config);
    return 0;
}
