#include "input/build/trace_sort.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/file.h"

/* Records in memory for all parts together, and the least for one part. */
enum { MERGE_HELD = TRACE_SORT_HELD, LEAST_PIECE = 64 };

enum { DIGIT_BITS = 11 };
#define DIGIT(r, least, shift)                                                                     \
    (((uint64_t)(r)->begin - (least)) >> (shift) & ((1u << DIGIT_BITS) - 1))

/* Charges records that are held in memory, not in a file, to the input's budget. */
static void charge(const struct trace_sort *s, ptrdiff_t bytes)
{
    if (s->in_memory && budget_current)
        budget_charge(budget_current, bytes);
}

void trace_sort_init(struct trace_sort *s, struct diag *diag)
{
    *s = (struct trace_sort){.diag = diag, .in_order = true, .fd = -1};
}

void trace_sort_release(struct trace_sort *s)
{
    vec_each (struct trace_part, p, &s->parts)
        vec_release(&p->piece);
    release_all(s, vec, parts, held, heap);
    if (s->fd >= 0)
        close(s->fd);
    charge(s, -(ptrdiff_t)s->written);
}

static int compare(const struct trace_record *a, const struct trace_record *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_records(const void *a, const void *b)
{
    return compare(a, b);
}

/* One pass of a radix sort, by the digit of `begin` at `shift`; stable. */
static void sort_by_digit(const struct trace_record *from, struct trace_record *to, size_t count,
                          uint64_t least, unsigned shift)
{
    size_t starts[1 << DIGIT_BITS] = {0}, at = 0;

    for (size_t i = 0; i < count; i++)
        starts[DIGIT(&from[i], least, shift)]++;
    for (size_t d = 0; d < 1 << DIGIT_BITS; d++) {
        size_t n = starts[d];

        starts[d] = at;
        at += n;
    }
    for (size_t i = 0; i < count; i++)
        to[starts[DIGIT(&from[i], least, shift)]++] = from[i];
}

/* Sorts records, quickly if they are few. */
static void sort_some(struct trace_record *items, size_t count)
{
    enum { FEW = 16 };

    if (count > FEW) {
        qsort(items, count, sizeof(*items), compare_records);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct trace_record r = items[i];
        size_t to = i;

        for (; to > 0 && compare(&items[to - 1], &r) > 0; to--)
            items[to] = items[to - 1];
        items[to] = r;
    }
}

/* Sorts records that are already ordered by begin: those with the same begin. */
static void sort_equals(struct trace_record *items, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        bool in_order = true;

        for (end = i + 1; end < count && items[end].begin == items[i].begin; end++)
            in_order &= compare(&items[end - 1], &items[end]) < 0;
        if (!in_order)
            sort_some(items + i, end - i);
    }
}

static void sort_by_begin(struct trace_sort *s)
{
    struct trace_records other = {0};
    uint64_t least, range;
    int64_t low = INT64_MAX, high = INT64_MIN;

    vec_each (struct trace_record, r, &s->held) {
        low = r->begin < low ? r->begin : low;
        high = r->begin > high ? r->begin : high;
    }
    least = (uint64_t)low;
    range = (uint64_t)high - least;
    vec_reserve(&other, s->held.cap);
    other.count = s->held.count;
    for (unsigned shift = 0; shift < 64 && range >> shift; shift += DIGIT_BITS) {
        struct trace_records swap = s->held;

        sort_by_digit(s->held.items, other.items, s->held.count, least, shift);
        s->held = other;
        other = swap;
    }
    vec_release(&other);
    sort_equals(s->held.items, s->held.count);
}

static void sort_held(struct trace_sort *s)
{
    if (!s->in_order && s->grouped)
        qsort(s->held.items, s->held.count, sizeof(*s->held.items), compare_records);
    else if (!s->in_order)
        sort_by_begin(s);
    s->in_order = true;
    s->grouped = false;
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool tell(struct trace_sort *s, const char *what)
{
    return diag_error(s->diag,
                      "a trace of more than %d events is sorted in a temporary file: %s: %s "
                      "(set TMPDIR to use another directory)",
                      TRACE_SORT_HELD, what, strerror(errno));
}

/* A process in a sandbox may create no file; the kernel's memory holds the records then. */
static bool open_file(struct trace_sort *s)
{
    const char *directory = getenv("TMPDIR");
    struct buf path = {0};

    buf_printf(&path, "%s/flamepress-XXXXXX", directory && *directory ? directory : "/tmp");
    s->fd = mkostemp(path.ptr, O_CLOEXEC);
    if (s->fd >= 0)
        unlink(path.ptr);
    else if (errno == EACCES || errno == EPERM)
        s->in_memory = (s->fd = memfd_create("flamepress", MFD_CLOEXEC)) >= 0;
    buf_release(&path);
    return s->fd >= 0 || tell(s, "cannot create it");
}

static bool write_part(struct trace_sort *s)
{
    struct trace_part part = {.at = s->written, .left = s->held.count};
    size_t len = s->held.count * sizeof(*s->held.items);
    struct buf why = {0};
    bool good;

    if (s->fd < 0 && !open_file(s))
        return false;
    sort_held(s);
    good = file_write_fd(s->fd, slice_make((const char *)s->held.items, len), &why) ||
           tell(s, "cannot write it");
    buf_release(&why);
    s->written += len;
    charge(s, (ptrdiff_t)len);
    *vec_add(&s->parts) = part;
    vec_clear(&s->held);
    return good;
}

/* Reads the next piece of a part. */
static bool read_piece(struct trace_sort *s, struct trace_part *p)
{
    size_t most = MERGE_HELD / s->parts.count, len, done = 0;

    if (most < LEAST_PIECE)
        most = LEAST_PIECE;
    vec_reserve(&p->piece, most);
    p->piece.count = p->left < most ? (size_t)p->left : most;
    p->used = 0;
    len = p->piece.count * sizeof(*p->piece.items);
    while (done < len) {
        ssize_t n = pread(s->fd, (char *)p->piece.items + done, len - done, (off_t)(p->at + done));

        if (n == 0)
            errno = EIO;
        if (n == 0 || (n < 0 && errno != EINTR))
            return tell(s, "cannot read it back");
        done += n > 0 ? (size_t)n : 0;
    }
    p->at += len;
    p->left -= p->piece.count;
    return true;
}

/* ---- merging ------------------------------------------------------------------------------- */

static const struct trace_record *first_of(const struct trace_sort *s, size_t i)
{
    const struct trace_part *p = &s->parts.items[s->heap.items[i]];

    return &p->piece.items[p->used];
}

/* Moves the part at `i` down to its place in the heap. */
static void sink(struct trace_sort *s, size_t i)
{
    for (;;) {
        size_t least = i;
        uint32_t part = s->heap.items[i];

        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->heap.count; child++)
            if (compare(first_of(s, child), first_of(s, least)) < 0)
                least = child;
        if (least == i)
            return;
        s->heap.items[i] = s->heap.items[least];
        s->heap.items[least] = part;
        i = least;
    }
}

bool trace_sort_finish(struct trace_sort *s)
{
    if (!s->parts.count) {
        sort_held(s);
        return true;
    }
    if (s->held.count && !write_part(s))
        return false;
    vec_release(&s->held);
    for (uint32_t i = 0; i < s->parts.count; i++) {
        if (!read_piece(s, &s->parts.items[i]))
            return false;
        *vec_add(&s->heap) = i;
    }
    for (size_t i = s->heap.count / 2; i-- > 0;)
        sink(s, i);
    return true;
}

static int next_merged(struct trace_sort *s, struct trace_record *r)
{
    struct trace_part *p;

    if (!s->heap.count)
        return 0;
    p = &s->parts.items[s->heap.items[0]];
    *r = p->piece.items[p->used++];
    if (p->used == p->piece.count) {
        if (!p->left)
            s->heap.items[0] = s->heap.items[--s->heap.count];
        else if (!read_piece(s, p))
            return -1;
    }
    if (s->heap.count)
        sink(s, 0);
    return 1;
}

int trace_sort_next(struct trace_sort *s, struct trace_record *r)
{
    if (s->parts.count)
        return next_merged(s, r);
    if (s->given == s->held.count)
        return 0;
    *r = s->held.items[s->given++];
    return 1;
}

bool trace_sort_add(struct trace_sort *s, struct trace_record r)
{
    if (s->held.count == TRACE_SORT_HELD && !write_part(s))
        return false;
    if (s->in_order && s->held.count && compare(&s->held.items[s->held.count - 1], &r) > 0)
        s->in_order = false;
    s->grouped |= r.group != 0;
    *vec_add(&s->held) = r;
    return true;
}
