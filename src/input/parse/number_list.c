#include "input/parse/number_list.h"

enum { BITS = 7, MORE = 1 << BITS, MOST_BYTES = 10 };

void number_list_release(struct number_list *l)
{
    buf_release(&l->bytes);
}

void number_list_clear(struct number_list *l)
{
    buf_clear(&l->bytes);
    l->count = 0;
}

void number_list_add(struct number_list *l, uint64_t number)
{
    char *to = buf_reserve(&l->bytes, MOST_BYTES);
    size_t n = 0;

    for (; number >= MORE; number >>= BITS)
        to[n++] = (char)(number % MORE + MORE);
    to[n++] = (char)number;
    to[n] = '\0';
    l->bytes.len += n;
    l->count++;
}

bool number_list_next(const struct number_list *l, size_t *at, uint64_t *number)
{
    unsigned shift = 0;
    unsigned char byte;

    *number = 0;
    if (*at == l->bytes.len)
        return false;
    do {
        byte = (unsigned char)l->bytes.ptr[(*at)++];
        *number |= (uint64_t)(byte % MORE) << shift;
        shift += BITS;
    } while (byte >= MORE);
    return true;
}
