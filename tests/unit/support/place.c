#include "unit/support/place.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

static char place[] = "/tmp/flamepress-XXXXXX";

void place_enter(void)
{
    cr_assert(mkdtemp(place) && chdir(place) == 0);
}

void place_leave(void)
{
    struct buf why = {0};

    cr_assert(chdir("/") == 0 && file_remove_tree(place, &why), "%s", buf_string(&why));
    buf_release(&why);
}
