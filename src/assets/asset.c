#include "assets/asset.h"

#include "base/die.h"

/* A row that assets/embed.sh writes. Rows are sorted by name, bytewise. */
struct asset_row {
    const char *name;
    const char *data;
    size_t size;
};

extern const struct asset_row asset_table[];
extern const struct asset_row asset_table_end[];

bool asset_find(struct slice name, struct slice *content)
{
    size_t low = 0;
    size_t high = asset_count();

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(name, asset_name(middle));

        if (order == 0) {
            *content = slice_make(asset_table[middle].data, asset_table[middle].size);
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    *content = slice_make(NULL, 0);
    return false;
}

size_t asset_count(void)
{
    return (size_t)(asset_table_end - asset_table);
}

struct slice asset_name(size_t index)
{
    BUG_ON(index >= asset_count());
    return slice_str(asset_table[index].name);
}
