/*
 * Reads any bytes as the decompressed functions.zst of a label. A table that was
 * read is written, and must read back as the same bytes.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/die.h"
#include "compare/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct function_tables first, second;
    struct buf text = {0}, why = {0}, once = {0}, again = {0}, copy = {0};

    buf_add(&text, (const char *)data, size);
    if (!compare_tables_read(&first, &text, &why)) {
        if (!why.len)
            BUG("a table is refused without a word");
    } else {
        compare_tables_write(&first, &once);
        buf_add_slice(&copy, buf_slice(&once));
        if (!compare_tables_read(&second, &copy, &why))
            BUG("a table that was written is refused: %s", buf_string(&why));
        compare_tables_write(&second, &again);
        if (!slice_equal(buf_slice(&once), buf_slice(&again)))
            BUG("a table changes when it is read again");
        compare_tables_release(&second);
    }
    compare_tables_release(&first);
    buf_release(&text);
    buf_release(&why);
    buf_release(&once);
    buf_release(&again);
    buf_release(&copy);
    return 0;
}
