#include "report/atom.h"

#include "base/hash.h"
#include "report/plain_page.h"

static bool is_digits(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return true;
}

bool atom_is_day(struct slice date)
{
    struct slice month, day;

    if (date.len != 10 || date.ptr[4] != '-' || date.ptr[7] != '-')
        return false;
    month = slice_make(date.ptr + 5, 2);
    day = slice_make(date.ptr + 8, 2);
    return is_digits(slice_take(date, 4)) && is_digits(month) && is_digits(day) &&
           slice_compare(month, SLICE("00")) > 0 && slice_compare(month, SLICE("13")) < 0 &&
           slice_compare(day, SLICE("00")) > 0 && slice_compare(day, SLICE("32")) < 0;
}

void atom_add_updated(struct buf *out, struct slice date)
{
    struct slice day = atom_is_day(date) ? date : SLICE("1970-01-01");

    buf_printf(out, "<updated>%.*sT00:00:00Z</updated>\n", SLICE_ARG(day));
}

void atom_add_id(struct buf *out, struct slice name)
{
    uint64_t a = hash_bytes(name.ptr, name.len), b = hash_mix(a, name.len);

    /* A UUID of version 8 (RFC 9562): the bits are those of the hashes. */
    buf_printf(out, "<id>urn:uuid:%08x-%04x-8%03x-%04x-%012llx</id>\n", (unsigned)(a >> 32),
               (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff),
               (unsigned)(0x8000 | (b >> 48 & 0x3fff)), (unsigned long long)(b & 0xffffffffffffu));
}

void atom_open(struct slice title, struct slice date, struct buf *out)
{
    buf_add_str(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                     "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    atom_add_id(out, title);
    buf_add_str(out, "<title>");
    plain_page_add_text(out, title);
    buf_add_str(out, "</title>\n");
    atom_add_updated(out, date);
    buf_add_str(out, "<author><name>flamepress</name></author>\n"
                     "<link rel=\"self\" href=\"feed.xml\"/>\n<link href=\"index.html\"/>\n");
}

void atom_close(struct buf *out)
{
    buf_add_str(out, "</feed>\n");
}
