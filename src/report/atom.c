#include "report/atom.h"

#include "base/date.h"
#include "base/hash.h"
#include "base/arena.h"
#include "report/display.h"
#include "report/html.h"

void atom_add_text(struct buf *out, struct slice text)
{
    struct arena memory = {0};

    html_escape(out, display_text(&memory, text, DISPLAY_NAME));
    arena_release(&memory);
}

void atom_add_updated(struct buf *out, struct slice date)
{
    struct slice day = date_day(date);

    if (!day.len)
        day = SLICE("1970-01-01");
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
    atom_add_text(out, title);
    buf_add_str(out, "</title>\n");
    atom_add_updated(out, date);
    buf_add_str(out, "<author><name>flamepress</name></author>\n"
                     "<link rel=\"self\" href=\"feed.xml\"/>\n<link href=\"index.html\"/>\n");
}

void atom_close(struct buf *out)
{
    buf_add_str(out, "</feed>\n");
}
