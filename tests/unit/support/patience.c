#include "unit/support/patience.h"

#include <sys/time.h>

#include "unit/support/test.h"

void patience(unsigned seconds)
{
    struct itimerval limit = {.it_value.tv_sec = (time_t)seconds};

    cr_assert(setitimer(ITIMER_PROF, &limit, NULL) == 0);
}
