#include "cli/batch_read.h"

#include "cli/load.h"

enum input_result batch_read(const struct batch *b, size_t index, struct options *own,
                             struct profile *p, struct diag *diag)
{
    const struct input_file *input = &b->inputs->items.items[index];
    unsigned threads = load_threads(b->options);
    struct input_options reading;

    profile_init(p);
    config_options(b->config, b->options, input->shown, own);
    reading = load_input_options(own, true);
    /* With fewer files than threads, those that are left help with the files. */
    if (b->inputs->items.count >= threads)
        threads = 1;
    return input_read(input->path, &reading, threads, p, diag);
}
