/*
 * Profiles of Cleopatra, the Firefox Profiler's ancestor.
 *
 *     {"format": "profileJSONWithSymbolicationTable,1", "meta": {...},
 *      "profileJSON": [{"frames": [2180, 0, 1], "extraInfo": {"time": 131480}}, ...],
 *      "symbolicationTable": {"0": "XRE_main (in XUL)", ..., "2180": "(root)"}}
 *
 * Frames come root first. Where there are several threads, "profileJSON" is
 * {"threads": {"0": {"name": "Gecko", "samples": [...]}, ...}}.
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_CLEOPATRA_H
#define INPUT_FORMATS_WEB_FIREFOX_CLEOPATRA_H

#include <stdbool.h>

#include "input/build/builder.h"
#include "input/parse/json.h"

/*
 * Adds all samples, each with its thread as first frame (input/build/owners.h).
 * False where told.
 */
bool firefox_cleopatra_read(struct builder *b, const struct json_value *profile);

#endif
