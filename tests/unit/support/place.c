#include "unit/support/place.h"

#include <stdlib.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "base/file.h"

static char place[] = "/tmp/flamepress-XXXXXX";

void place_enter(void)
{
    cr_assert(mkdtemp(place) && chdir(place) == 0);
}

void place_leave(void)
{
    struct buf why;

    buf_init(&why);
    cr_assert(chdir("/") == 0 && file_remove_tree(place, &why), "%s", why.ptr);
    buf_release(&why);
}
