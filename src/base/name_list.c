#include "base/name_list.h"

void name_list_add(struct name_list *list, struct slice name)
{
    if (list->count++ >= list->most)
        return;
    if (list->count > 1)
        buf_add_str(list->out, ", ");
    buf_add_slice(list->out, name);
}

void name_list_end(const struct name_list *list)
{
    if (list->count > list->most)
        buf_printf(list->out, " and %zu more", list->count - list->most);
}
