#include "cli/run.h"

#include "base/die.h"

int main(int argc, char **argv)
{
    return run(argc > 0 ? argc - 1 : 0, argv + 1);
}
