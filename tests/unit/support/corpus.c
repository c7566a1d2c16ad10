#include "unit/support/corpus.h"

#include <stdlib.h>

#include "base/file.h"
#include "unit/support/test.h"

static const char *place(void)
{
    const char *given = getenv("CORPUS");

    return given ? given : "../shared/corpus";
}

void corpus_need(void)
{
    if (file_kind(place()) != FILE_DIRECTORY)
        cr_skip_test("no collection of profiles at %s; CORPUS names another place", place());
}

const char *corpus_path(struct buf *path, const char *name)
{
    buf_clear(path);
    buf_printf(path, "%s/%s", place(), name);
    return buf_string(path);
}
