#include "base/build_id.h"

#include "unit/support/test.h"

Test(base_build_id, is_that_of_the_linker)
{
    struct buf id = {0};

    build_id_write(&id);
    cr_expect_eq(id.len, 20, "%zu", id.len);
    buf_release(&id);
}
