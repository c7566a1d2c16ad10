#include "input/build/line_table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "input/parse/bytes.h"

/* Longer ones are damage; to copy and search them would take long. */
enum { LONGEST_PATH = 4096 };

/* What names count in a budget, as rows. */
enum { NAME = 2 };

/* What a table says at its start. */
struct line_header {
    const struct line_sections *sections;
    unsigned version;
    bool wide;            /* 64-bit DWARF: offsets are of 8 bytes */
    unsigned least, most; /* bytes of an instruction; operations in one */
    int line_base;
    unsigned line_range, opcode_base;
    struct slice lengths; /* operands of the standard opcodes */
};

/* The registers of a program. */
struct line_state {
    uint64_t address, op_index, file, line;
    bool started;         /* the sequence has a row */
    bool dropped;         /* it is not kept */
    uint64_t start, last; /* addresses of its first row and of its last one */
    uint32_t first;       /* index of its first row */
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number in groups of seven bits, lowest first. The highest bit is the sign of a signed one. */
static uint64_t take_groups(struct bytes *b, bool is_signed)
{
    uint64_t value = 0;
    unsigned byte, shift = 0;

    do {
        byte = bytes_u8(b);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (is_signed && byte & 0x40 && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return value;
}

static uint64_t take_unsigned(struct bytes *b)
{
    return take_groups(b, false);
}

static uint64_t take_signed(struct bytes *b)
{
    return take_groups(b, true);
}

static uint64_t take_offset(struct bytes *b, const struct line_header *h)
{
    return h->wide ? bytes_u64(b) : bytes_u32(b);
}

static struct slice take_text(struct bytes *b)
{
    struct slice text = bytes_take(b, slice_find(b->rest, '\0'));

    bytes_u8(b); /* its NUL */
    return text;
}

static struct slice text_at(struct slice section, uint64_t offset)
{
    struct slice near = slice_take(slice_skip(section, offset), LONGEST_PATH);
    size_t len = slice_find(near, '\0');

    return slice_take(near, len < near.len ? len : 0);
}

/* Takes what one instruction or name needs. Returns false if it is not there. */
static bool spend(struct line_budget *budget, unsigned kept)
{
    if (!budget->steps || budget->kept < kept)
        return false;
    budget->steps--;
    budget->kept -= kept;
    return true;
}

/* ---- directories and files ------------------------------------------------------------------- */

/* What a part of an entry is, and how it is written. */
struct line_part {
    uint64_t content, form;
};

/* A number of a fixed size; 0 and a failure if the form is of another kind. */
static uint64_t take_number(struct bytes *b, uint64_t form)
{
    static const unsigned char sizes[] = {
        [DW_FORM_data1] = 1, [DW_FORM_data2] = 2,   [DW_FORM_data4] = 4, [DW_FORM_data8] = 8,
        [DW_FORM_flag] = 1,  [DW_FORM_data16] = 16, [DW_FORM_strx1] = 1, [DW_FORM_strx2] = 2,
        [DW_FORM_strx3] = 3, [DW_FORM_strx4] = 4,
    };

    if (form >= sizeof(sizes) || !sizes[form]) {
        b->failed = true;
        return 0;
    }
    return bytes_number(b, sizes[form]);
}

/* A part of an entry of version 5: a text or a number. */
static void take_form(struct bytes *b, const struct line_header *h, uint64_t form,
                      struct slice *text, uint64_t *number)
{
    *text = slice_make(NULL, 0);
    *number = 0;
    switch (form) {
    case DW_FORM_string:
        *text = take_text(b);
        break;
    case DW_FORM_line_strp:
        *text = text_at(h->sections->line_texts, take_offset(b, h));
        break;
    case DW_FORM_strp:
        *text = text_at(h->sections->texts, take_offset(b, h));
        break;
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
        take_offset(b, h);
        break;
    case DW_FORM_udata:
    case DW_FORM_strx:
        *number = take_unsigned(b);
        break;
    case DW_FORM_block:
        bytes_take(b, take_unsigned(b));
        break;
    case DW_FORM_block1:
        bytes_take(b, bytes_u8(b));
        break;
    case DW_FORM_block2:
        bytes_take(b, bytes_u16(b));
        break;
    case DW_FORM_block4:
        bytes_take(b, bytes_u32(b));
        break;
    default:
        *number = take_number(b, form);
    }
}

/* The entries of version 5, which say themselves what they consist of. */
static void read_entries(struct line_table *t, struct bytes *b, const struct line_header *h,
                         bool directories, struct line_budget *budget)
{
    struct line_part parts[UINT8_MAX];
    unsigned part_count = bytes_u8(b);
    uint64_t count;

    for (unsigned i = 0; i < part_count; i++) {
        parts[i].content = take_unsigned(b);
        parts[i].form = take_unsigned(b);
    }
    count = take_unsigned(b);
    while (part_count && count-- && !b->failed && spend(budget, NAME)) {
        struct line_file file = {0};

        for (unsigned i = 0; i < part_count; i++) {
            struct slice text;
            uint64_t number;

            take_form(b, h, parts[i].form, &text, &number);
            if (parts[i].content == DW_LNCT_path)
                file.name = text;
            else if (parts[i].content == DW_LNCT_directory_index)
                file.directory = number;
        }
        if (b->failed)
            return;
        if (directories)
            *vec_add(&t->directories) = file.name;
        else
            *vec_add(&t->files) = file;
    }
}

/* The rest of an entry for a file up to version 4. */
static void add_file(struct line_table *t, struct bytes *b, struct slice name)
{
    struct line_file file = {.name = name, .directory = take_unsigned(b)};

    take_unsigned(b); /* when it was changed, its size */
    take_unsigned(b);
    if (!b->failed)
        *vec_add(&t->files) = file;
}

static void read_names(struct line_table *t, struct bytes *b, const struct line_header *h,
                       struct line_budget *budget)
{
    struct slice name;

    if (h->version >= 5) {
        read_entries(t, b, h, true, budget);
        read_entries(t, b, h, false, budget);
        return;
    }
    t->counts_from_one = true;
    while ((name = take_text(b)).len && spend(budget, NAME))
        *vec_add(&t->directories) = name;
    while ((name = take_text(b)).len && spend(budget, NAME))
        add_file(t, b, name);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void begin_sequence(struct line_state *state, const struct line_table *t)
{
    *state = (struct line_state){.file = 1, .line = 1, .first = (uint32_t)t->rows.count};
}

/*
 * Adds a row, unless it repeats the last one. Of several rows for one address the first and the
 * last are kept.
 */
static void add_row(struct line_table *t, struct line_state *state)
{
    struct line_row row = {.file = state->file < UINT32_MAX ? (uint32_t)state->file : UINT32_MAX,
                           .line = state->line < UINT32_MAX ? (uint32_t)state->line : 0};
    size_t count = t->rows.count - state->first;
    struct line_row *last;

    if (!state->started) {
        state->start = state->last = state->address;
        state->started = true;
    }
    /* Rows go upwards, and functions are smaller than this. */
    if (state->address < state->last || state->address - state->start > UINT32_MAX)
        state->dropped = true;
    if (state->dropped)
        return;
    row.offset = (uint32_t)(state->address - state->start);
    last = count ? &t->rows.items[t->rows.count - 1] : NULL;
    if (count > 1 && last->offset == row.offset && last[-1].offset == row.offset)
        *last = row;
    else if (!last || last->file != row.file || last->line != row.line)
        *vec_add(&t->rows) = row;
    state->last = state->address;
}

/*
 * Linkers leave the rows of functions that they leave out, at address 0 or at the end of all
 * addresses.
 */
static void end_sequence(struct line_table *t, struct line_state *state)
{
    uint64_t end = state->address;

    if (state->started && !state->dropped && state->start && end > state->start &&
        end >= state->last)
        *vec_add(&t->sequences) = (struct line_sequence){state->start, end, state->first,
                                                         (uint32_t)t->rows.count - state->first};
    else
        t->rows.count = state->first;
    begin_sequence(state, t);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void advance(struct line_state *state, const struct line_header *h, uint64_t operations)
{
    if (h->most <= 1) {
        state->address += h->least * operations;
        return;
    }
    operations += state->op_index;
    state->address += h->least * (operations / h->most);
    state->op_index = operations % h->most;
}

static void run_special(struct line_table *t, struct line_state *state, const struct line_header *h,
                        unsigned opcode)
{
    unsigned adjusted = opcode - h->opcode_base;

    advance(state, h, adjusted / h->line_range);
    state->line += (uint64_t)(int64_t)(h->line_base + (int)(adjusted % h->line_range));
    add_row(t, state);
}

static void run_extended(struct line_table *t, struct line_state *state, struct bytes *b,
                         struct line_budget *budget)
{
    struct bytes operands = {.swapped = b->swapped};
    unsigned opcode;

    operands.rest = bytes_take(b, take_unsigned(b));
    opcode = bytes_u8(&operands);
    switch (opcode) {
    case DW_LNE_end_sequence:
        end_sequence(t, state);
        break;
    case DW_LNE_set_address:
        state->address = bytes_number(&operands, operands.rest.len);
        state->op_index = 0;
        break;
    case DW_LNE_define_file:
        if (spend(budget, NAME))
            add_file(t, &operands, take_text(&operands));
        break;
    default: /* discriminators, and what is not known */
        break;
    }
}

static void run_standard(struct line_table *t, struct line_state *state,
                         const struct line_header *h, unsigned opcode, struct bytes *b)
{
    switch (opcode) {
    case DW_LNS_copy:
        add_row(t, state);
        break;
    case DW_LNS_advance_pc:
        advance(state, h, take_unsigned(b));
        break;
    case DW_LNS_advance_line:
        state->line += take_signed(b);
        break;
    case DW_LNS_set_file:
        state->file = take_unsigned(b);
        break;
    case DW_LNS_const_add_pc:
        advance(state, h, (255 - h->opcode_base) / h->line_range);
        break;
    case DW_LNS_fixed_advance_pc:
        state->address += bytes_u16(b);
        state->op_index = 0;
        break;
    default: /* columns, statements, blocks, and what is not known */
        for (unsigned i = (unsigned char)h->lengths.ptr[opcode - 1]; i; i--)
            take_unsigned(b);
    }
}

/* Gives back what the rows do not need: programs are many, and some are mostly dropped. */
static void fit_rows(struct line_table *t)
{
    if (!t->rows.count) {
        vec_release(&t->rows);
        return;
    }
    t->rows.items = xrealloc(t->rows.items, t->rows.count * sizeof(*t->rows.items));
    t->rows.cap = t->rows.count;
}

static void run(struct line_table *t, const struct line_header *h, struct slice program,
                struct line_budget *budget)
{
    struct bytes b = bytes_make(program, h->sections->swapped);
    struct line_state state;

    begin_sequence(&state, t);
    while (b.rest.len && !b.failed && t->rows.count < budget->kept && spend(budget, 0)) {
        unsigned opcode = bytes_u8(&b);

        if (opcode >= h->opcode_base)
            run_special(t, &state, h, opcode);
        else if (!opcode)
            run_extended(t, &state, &b, budget);
        else
            run_standard(t, &state, h, opcode, &b);
    }
    t->rows.count = state.first; /* of a sequence without an end */
    fit_rows(t);
    budget->kept -= t->rows.count < budget->kept ? t->rows.count : budget->kept;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Reads the header up to the names. Returns false if it is damaged or of an unknown version. */
static bool read_header(struct line_header *h, struct bytes *b)
{
    h->least = bytes_u8(b);
    h->most = h->version >= 4 ? bytes_u8(b) : 1;
    bytes_u8(b); /* whether rows are statements at first */
    h->line_base = (signed char)bytes_u8(b);
    h->line_range = bytes_u8(b);
    h->opcode_base = bytes_u8(b);
    h->lengths = bytes_take(b, h->opcode_base ? h->opcode_base - 1 : 0);
    return !b->failed && h->line_range && h->opcode_base;
}

static int compare(const void *left, const void *right)
{
    const struct line_sequence *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

void line_table_read(struct line_table *t, const struct line_sections *s, uint64_t offset,
                     struct line_budget *budget)
{
    struct bytes b = bytes_make(s->lines, s->swapped), header;
    struct line_header h = {.sections = s};
    uint64_t length;

    bytes_take(&b, offset);
    length = bytes_u32(&b);
    h.wide = length == UINT32_MAX;
    if (h.wide)
        length = bytes_u64(&b);
    b.rest = slice_take(b.rest, length < b.rest.len ? length : b.rest.len);
    h.version = bytes_u16(&b);
    if (h.version < 2 || h.version > 5)
        return;
    if (h.version == 5)
        bytes_take(&b, 2); /* sizes of addresses and of segments */
    length = take_offset(&b, &h);
    header = bytes_make(bytes_take(&b, length), s->swapped);
    if (b.failed || !read_header(&h, &header))
        return;
    read_names(t, &header, &h, budget);
    run(t, &h, b.rest, budget);
    if (t->sequences.count)
        qsort(t->sequences.items, t->sequences.count, sizeof(*t->sequences.items), compare);
}

void line_table_release(struct line_table *t)
{
    release_all(t, vec, directories, files, rows, sequences);
}

/* ---- finding --------------------------------------------------------------------------------- */

static const struct line_sequence *find_sequence(const struct line_table *t, uint64_t address)
{
    const struct line_sequence *found;
    size_t low = 0, high = t->sequences.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->sequences.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    found = low ? &t->sequences.items[low - 1] : NULL;
    return found && address < found->end ? found : NULL;
}

/* The index of the last row of a sequence at an offset or before it. */
static size_t find_row(const struct line_row *rows, size_t count, uint64_t offset)
{
    size_t low = 0;

    while (low + 1 < count) {
        size_t middle = low + (count - low) / 2;

        if (rows[middle].offset <= offset)
            low = middle;
        else
            count = middle;
    }
    return low;
}

const struct line_row *line_table_find(const struct line_table *t, uint64_t address)
{
    const struct line_sequence *s = find_sequence(t, address);
    const struct line_row *rows = s ? t->rows.items + s->first : NULL;

    return s ? &rows[find_row(rows, s->count, address - s->start)] : NULL;
}

const struct line_row *line_table_find_start(const struct line_table *t, uint64_t address)
{
    const struct line_sequence *s = find_sequence(t, address);
    const struct line_row *rows = s ? t->rows.items + s->first : NULL;
    size_t row = s ? find_row(rows, s->count, address - s->start) : 0;

    return s ? &rows[row - (row && rows[row - 1].offset == address - s->start)] : NULL;
}

static bool is_absolute(struct slice path)
{
    return slice_starts(path, SLICE("/"));
}

static void add_folder(struct buf *out, struct slice path)
{
    if (!path.len)
        return;
    buf_add_slice(out, path);
    if (!slice_ends(path, SLICE("/")))
        buf_add_char(out, '/');
}

/* A directory of the header; none for 0, which is where the unit was compiled. */
static struct slice directory(const struct line_table *t, uint64_t number)
{
    uint64_t index = number - t->counts_from_one;

    return number && index < t->directories.count ? t->directories.items[index]
                                                  : slice_make(NULL, 0);
}

bool line_table_add_path(const struct line_table *t, uint32_t file, struct slice folder,
                         struct buf *out)
{
    uint32_t index = file - t->counts_from_one;
    const struct line_file *f = index < t->files.count ? &t->files.items[index] : NULL;
    struct slice inside;

    if (!f || !f->name.len)
        return false;
    inside = directory(t, f->directory);
    if (!t->counts_from_one && t->directories.count)
        folder = t->directories.items[0];
    if (f->name.len + inside.len + folder.len > LONGEST_PATH)
        return false;
    if (!is_absolute(f->name)) {
        if (!is_absolute(inside))
            add_folder(out, folder);
        add_folder(out, inside);
    }
    buf_add_slice(out, f->name);
    return true;
}
