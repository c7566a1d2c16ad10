#include <fcntl.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/run.h"

/*
 * A file that is opened gets the lowest number that is free. If the caller closed a standard
 * stream, messages would be written into that file, and standard input be read from it. Each closed
 * stream becomes a descriptor that can be neither read nor written.
 */
static void occupy_closed_streams(void)
{
    int fd;

    do
        fd = open("/", O_PATH);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    occupy_closed_streams();
    return run(argc > 0 ? argc - 1 : 0, argv + 1);
}
