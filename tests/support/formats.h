/* Declares every format by its name, for tests of single formats. */
#ifndef SUPPORT_FORMATS_H
#define SUPPORT_FORMATS_H

#include "input/formats.h"
#include "input/refused.h"
#include "input/registry.h"

#define DECLARE_FORMAT(id) extern const struct format format_##id;
INPUT_FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

#endif
