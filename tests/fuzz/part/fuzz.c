/*
 * Reads any bytes as what one machine writes for another: if the first byte is 0, the file of a
 * part (batch/part.h), otherwise a graph in it. The digest that ends a part is added here, since
 * whoever forges a part can compute it. A graph that was read is written, and must read back as
 * the same bytes.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/die.h"
#include "batch/part.h"
#include "report/graph_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_part(struct slice bytes)
{
    unsigned char digest[BLAKE_SIZE];
    struct arena memory = {0};
    struct part_head head = {0};
    struct part_record record;
    struct buf text = {0};
    struct blake all;
    struct slice in;

    blake_init(&all);
    blake_add(&all, bytes);
    blake_end(&all, digest);
    buf_add_slice(&text, bytes);
    buf_add(&text, digest, BLAKE_SIZE);
    in = buf_slice(&text);
    if (part_head_read(&in, &memory, &head)) {
        BUG_ON(!head.id.number || head.id.number > head.id.count || head.id.count > PARTS_MOST);
        vec_each (const char *const, word, &head.words)
            BUG_ON(!*word);
        while (in.len && part_record_read(&in, &record))
            BUG_ON(record.record.len > text.len);
    }
    part_head_release(&head);
    arena_release(&memory);
    buf_release(&text);
}

static void read_graph(struct slice bytes)
{
    struct report_graph first = {0}, second = {0};
    struct buf once = {0}, again = {0};
    struct slice in = bytes;

    if (graph_codec_read(&in, &first)) {
        graph_codec_write(&first, &once);
        in = buf_slice(&once);
        if (!graph_codec_read(&in, &second) || in.len)
            BUG("a graph that was written is refused");
        graph_codec_write(&second, &again);
        if (!slice_equal(buf_slice(&once), buf_slice(&again)))
            BUG("a graph changes when it is read again");
    }
    report_graph_release(&first);
    report_graph_release(&second);
    buf_release(&once);
    buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice bytes = slice_make((const char *)data, size);

    if (!size)
        return 0;
    if (data[0] == 0)
        read_part(slice_skip(bytes, 1));
    else
        read_graph(slice_skip(bytes, 1));
    return 0;
}
