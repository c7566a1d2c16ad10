#include "input/parse/json_yajl.h"

#include "base/die.h"

static void *allocate(void *context, size_t size)
{
    (void)context;
    return xmalloc(size);
}

static void *resize(void *context, void *old, size_t size)
{
    (void)context;
    return xrealloc(old, size);
}

static void release(void *context, void *block)
{
    (void)context;
    xfree(block);
}

yajl_handle json_yajl(const yajl_callbacks *callbacks, void *context)
{
    yajl_alloc_funcs memory = {allocate, resize, release, NULL};
    yajl_handle parser = yajl_alloc(callbacks, &memory, context);

    BUG_ON(!parser);
    yajl_config(parser, yajl_dont_validate_strings, 1);
    yajl_config(parser, yajl_allow_multiple_values, 1);
    return parser;
}
