#include "input/formats/device/pickle.h"

#include "base/budget.h"
#include "input/parse/bytes.h"

void pickle_release(struct pickle *p)
{
    release_each(p, (vec, stack, memo, marks, boxes, items));
}

/* ---- opcodes ------------------------------------------------------------------------------- */

enum action {
    UNKNOWN,
    NOT_DATA,
    NO_MORE,
    OPEN,
    NEW_LIST,
    NEW_DICTIONARY,
    TUPLE,      /* of `size` values */
    TUPLE_MARK, /* of all values above the mark */
    ADD_ONE,    /* to a list */
    ADD_MARK,   /* all above the mark to the list below it */
    SET_ONE,    /* in a dictionary */
    SET_MARK,   /* all above the mark in the dictionary below it */
    CONSTANT,   /* the number `size` */
    PUT_NEXT,   /* into the memo, at its end */
    PROTOCOL,   /* the first of those that a number of `size` bytes follows */
    FRAME,
    OTHER, /* a value that is not of interest */
    NUMBER,
    SIGNED,
    LONG, /* its bytes, after their count */
    TEXT, /* its bytes, after their count */
    PUT,  /* into the memo */
    GET,  /* from the memo */
};

struct opcode {
    const char *name;
    enum action action;
    uint8_t size;
};

static const struct opcode opcodes[256] = {
    [0x80] = {"PROTO", PROTOCOL, 1},
    [0x95] = {"FRAME", FRAME, 8},
    ['.'] = {"STOP", NO_MORE, 0},
    ['('] = {"MARK", OPEN, 0},
    [']'] = {"EMPTY_LIST", NEW_LIST, 0},
    ['}'] = {"EMPTY_DICT", NEW_DICTIONARY, 0},
    [')'] = {"EMPTY_TUPLE", TUPLE, 0},
    [0x85] = {"TUPLE1", TUPLE, 1},
    [0x86] = {"TUPLE2", TUPLE, 2},
    [0x87] = {"TUPLE3", TUPLE, 3},
    ['t'] = {"TUPLE", TUPLE_MARK, 0},
    ['a'] = {"APPEND", ADD_ONE, 0},
    ['e'] = {"APPENDS", ADD_MARK, 0},
    ['s'] = {"SETITEM", SET_ONE, 0},
    ['u'] = {"SETITEMS", SET_MARK, 0},
    ['N'] = {"NONE", OTHER, 0},
    [0x88] = {"NEWTRUE", CONSTANT, 1},
    [0x89] = {"NEWFALSE", CONSTANT, 0},
    ['K'] = {"BININT1", NUMBER, 1},
    ['M'] = {"BININT2", NUMBER, 2},
    ['J'] = {"BININT", SIGNED, 4},
    [0x8a] = {"LONG1", LONG, 1},
    [0x8b] = {"LONG4", LONG, 4},
    ['G'] = {"BINFLOAT", OTHER, 8},
    [0x8c] = {"SHORT_BINUNICODE", TEXT, 1},
    ['X'] = {"BINUNICODE", TEXT, 4},
    [0x8d] = {"BINUNICODE8", TEXT, 8},
    ['U'] = {"SHORT_BINSTRING", TEXT, 1},
    ['T'] = {"BINSTRING", TEXT, 4},
    ['C'] = {"SHORT_BINBYTES", TEXT, 1},
    ['B'] = {"BINBYTES", TEXT, 4},
    [0x8e] = {"BINBYTES8", TEXT, 8},
    ['q'] = {"BINPUT", PUT, 1},
    ['r'] = {"LONG_BINPUT", PUT, 4},
    [0x94] = {"MEMOIZE", PUT_NEXT, 0},
    ['h'] = {"BINGET", GET, 1},
    ['j'] = {"LONG_BINGET", GET, 4},

    ['c'] = {"GLOBAL", NOT_DATA, 0},
    [0x93] = {"STACK_GLOBAL", NOT_DATA, 0},
    ['R'] = {"REDUCE", NOT_DATA, 0},
    ['b'] = {"BUILD", NOT_DATA, 0},
    ['i'] = {"INST", NOT_DATA, 0},
    ['o'] = {"OBJ", NOT_DATA, 0},
    [0x81] = {"NEWOBJ", NOT_DATA, 0},
    [0x92] = {"NEWOBJ_EX", NOT_DATA, 0},
    [0x82] = {"EXT1", NOT_DATA, 0},
    [0x83] = {"EXT2", NOT_DATA, 0},
    [0x84] = {"EXT4", NOT_DATA, 0},
    ['P'] = {"PERSID", NOT_DATA, 0},
    ['Q'] = {"BINPERSID", NOT_DATA, 0},
    [0x97] = {"NEXT_BUFFER", NOT_DATA, 0},
    [0x98] = {"READONLY_BUFFER", NOT_DATA, 0},
};

/* ---- errors -------------------------------------------------------------------------------- */

static const struct opcode *opcode_of(const struct pickle *p)
{
    return &opcodes[(unsigned char)p->bytes.ptr[p->at]];
}

static bool fail(struct pickle *p, const char *why)
{
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(p->at), "the pickle's opcode %s %s",
             opcode_of(p)->name, why);
    return false;
}

static bool refuse(struct pickle *p)
{
    const struct opcode *o = opcode_of(p);
    unsigned code = (unsigned char)p->bytes.ptr[p->at];

    if (o->action == NOT_DATA)
        return fail(p, "is not data: it makes objects or calls functions, which is never done");
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(p->at),
             "the pickle's opcode 0x%02x is not one of plain data in the protocols 2 to 5", code);
    return false;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool push(struct pickle *p, struct pickle_value value)
{
    *vec_add(&p->stack) = value;
    return true;
}

static bool push_box(struct pickle *p, enum pickle_type type)
{
    const struct pickle_value value = {.number = p->boxes.count, .type = type};

    if (p->boxes.count == PICKLE_NONE)
        return fail(p, "makes more lists than can be counted");
    *vec_add(&p->boxes) = (struct pickle_box){PICKLE_NONE, PICKLE_NONE, 0};
    return push(p, value);
}

/* Values that the opcode may take: those above the last mark. */
static size_t loose(const struct pickle *p)
{
    return p->stack.count - (p->marks.count ? p->marks.items[p->marks.count - 1] : 0);
}

static bool add_item(struct pickle *p, const struct pickle_value *box, uint32_t key,
                     struct pickle_value value)
{
    struct pickle_box *b = &p->boxes.items[box->number];
    uint32_t id = (uint32_t)p->items.count;

    if (p->items.count == PICKLE_NONE)
        return fail(p, "makes more items than can be counted");
    *vec_add(&p->items) = (struct pickle_item){value, key, PICKLE_NONE};
    if (b->first == PICKLE_NONE)
        b->first = id;
    else
        p->items.items[b->last].next = id;
    b->last = id;
    return true;
}

static uint32_t find_item(const struct pickle *p, const struct pickle_value *box, uint32_t key)
{
    uint32_t id = p->boxes.items[box->number].first;

    while (id != PICKLE_NONE && p->items.items[id].key != key)
        id = p->items.items[id].next;
    return id;
}

static struct slice text_of(const struct pickle *p, const struct pickle_value *v)
{
    return v->type == PICKLE_TEXT ? slice_make(p->bytes.ptr + v->number, v->length) : SLICE("");
}

static bool set_item(struct pickle *p, const struct pickle_value *box,
                     const struct pickle_value *key, struct pickle_value value)
{
    struct slice name = text_of(p, key);
    uint32_t k = 0, id;

    while (k < p->key_count && !slice_equal(p->keys[k], name))
        k++;
    if (k == p->key_count)
        return true;
    id = find_item(p, box, k);
    if (id == PICKLE_NONE)
        return add_item(p, box, k, value);
    p->items.items[id].value = value;
    return true;
}

/* ---- actions ------------------------------------------------------------------------------- */

/* Adds the `count` values at the end of the stack to the list or dictionary before them. */
static bool fill(struct pickle *p, enum pickle_type type, size_t count)
{
    const struct pickle_value *values = p->stack.items + p->stack.count - count;
    const struct pickle_value *box = values - 1;

    if (box->type != type)
        return fail(p, type == PICKLE_LIST ? "needs a list" : "needs a dictionary");
    if (type == PICKLE_DICTIONARY && count % 2)
        return fail(p, "has a key without a value");
    for (size_t i = 0; i < count; i += type == PICKLE_DICTIONARY ? 2 : 1)
        if (type == PICKLE_LIST ? !add_item(p, box, 0, values[i])
                                : !set_item(p, box, &values[i], values[i + 1]))
            return false;
    p->stack.count -= count;
    return true;
}

static bool fill_few(struct pickle *p, enum pickle_type type, size_t count)
{
    return loose(p) > count ? fill(p, type, count) : fail(p, "finds too few values");
}

/* Returns in `count` the number of values above the last mark, which is removed. */
static bool take_mark(struct pickle *p, size_t *count)
{
    if (!p->marks.count)
        return fail(p, "finds no MARK");
    *count = loose(p);
    p->marks.count--;
    return true;
}

static bool fill_mark(struct pickle *p, enum pickle_type type)
{
    size_t count;

    return take_mark(p, &count) &&
           (loose(p) > count ? fill(p, type, count) : fail(p, "finds too few values"));
}

static bool make_tuple(struct pickle *p, size_t count)
{
    struct pickle_value tuple;

    if (loose(p) < count)
        return fail(p, "finds too few values");
    if (!push_box(p, PICKLE_LIST))
        return false;
    tuple = p->stack.items[p->stack.count - 1];
    for (size_t i = 0; i < count; i++)
        if (!add_item(p, &tuple, 0, p->stack.items[p->stack.count - 1 - count + i]))
            return false;
    p->stack.count -= count + 1;
    return push(p, tuple);
}

static bool push_number(struct pickle *p, uint64_t number, bool negative)
{
    return push(p, (struct pickle_value){.number = negative ? 0 : number,
                                         .type = negative ? PICKLE_OTHER : PICKLE_NUMBER});
}

/* A number of any size, lowest byte first, in two's complement. */
static bool push_long(struct pickle *p, struct slice digits)
{
    const unsigned char *d = (const unsigned char *)digits.ptr;
    uint64_t number = 0;
    bool other = digits.len && d[digits.len - 1] & 0x80;

    for (size_t i = 0; i < digits.len; i++) {
        if (i < sizeof(number))
            number |= (uint64_t)d[i] << (8 * i);
        else
            other |= d[i] != 0;
    }
    return push_number(p, number, other);
}

static bool put(struct pickle *p, uint64_t index)
{
    const struct pickle_value none = {0};

    if (!loose(p))
        return fail(p, "finds too few values");
    if (index > p->at) /* each entry takes a byte or more */
        return fail(p, "has an index beyond what the memo can have");
    while (p->memo.count <= index)
        *vec_add(&p->memo) = none;
    p->memo.items[index] = p->stack.items[p->stack.count - 1];
    return true;
}

static bool get(struct pickle *p, uint64_t index)
{
    return index < p->memo.count ? push(p, p->memo.items[index])
                                 : fail(p, "has an index that the memo does not have");
}

/* Carries out an opcode that works on the stack. */
static bool arrange(struct pickle *p, const struct opcode *o)
{
    size_t count;

    switch (o->action) {
    case OPEN:
        *vec_add(&p->marks) = p->stack.count;
        return true;
    case NEW_LIST:
        return push_box(p, PICKLE_LIST);
    case NEW_DICTIONARY:
        return push_box(p, PICKLE_DICTIONARY);
    case TUPLE:
        return make_tuple(p, o->size);
    case TUPLE_MARK:
        return take_mark(p, &count) && make_tuple(p, count);
    case ADD_ONE:
        return fill_few(p, PICKLE_LIST, 1);
    case ADD_MARK:
        return fill_mark(p, PICKLE_LIST);
    case SET_ONE:
        return fill_few(p, PICKLE_DICTIONARY, 2);
    case SET_MARK:
        return fill_mark(p, PICKLE_DICTIONARY);
    case CONSTANT:
        return push_number(p, o->size, false);
    case PUT_NEXT:
        return put(p, p->memo.count);
    default:
        return refuse(p);
    }
}

/* Carries out the opcode, whose number or bytes follow in `b`. */
static bool run(struct pickle *p, const struct opcode *o, struct bytes *b)
{
    enum { NEWEST = 5, OLDEST = 2 };
    uint64_t number = o->action >= PROTOCOL ? bytes_number(b, o->size) : 0;
    struct slice text = {0};

    if (o->action == TEXT || o->action == LONG)
        text = bytes_take(b, number);
    if (b->failed || (o->action == FRAME && number > b->rest.len))
        return fail(p, "is not complete: the file is truncated or damaged");
    switch (o->action) {
    case PROTOCOL:
        return (number >= OLDEST && number <= NEWEST) || fail(p, "has an unknown protocol");
    case FRAME:
        return true;
    case OTHER:
        return push(p, (struct pickle_value){0});
    case NUMBER:
        return push_number(p, number, false);
    case SIGNED:
        return push_number(p, number, number >> 31);
    case LONG:
        return push_long(p, text);
    case TEXT:
        if (text.len > UINT32_MAX)
            return fail(p, "has a text that is too long");
        return push(p, (struct pickle_value){.number = (uint64_t)(text.ptr - p->bytes.ptr),
                                             .length = (uint32_t)text.len,
                                             .type = PICKLE_TEXT});
    case PUT:
        return put(p, number);
    case GET:
        return get(p, number);
    default:
        return arrange(p, o);
    }
}

bool pickle_read(struct pickle *p, struct slice bytes, const struct slice *keys, uint32_t count,
                 struct diag *diag, struct pickle_value *value)
{
    struct bytes b = bytes_make_little(bytes);

    *p = (struct pickle){.bytes = bytes, .keys = keys, .key_count = count, .diag = diag};
    for (;;) {
        p->at = bytes.len - b.rest.len;
        if (!b.rest.len)
            return diag_error(diag, "the pickle has no end: the file is truncated");
        if (!budget_allows(diag, DIAG_AT_BYTE(p->at)))
            return false;
        bytes_take(&b, 1);
        if (opcode_of(p)->action == NO_MORE)
            break;
        if (!run(p, opcode_of(p), &b))
            return false;
    }
    if (p->marks.count || p->stack.count != 1)
        return fail(p, "leaves more or less than one value");
    *value = p->stack.items[0];
    return true;
}

/* ---- what was read ------------------------------------------------------------------------- */

struct pickle_value pickle_get(const struct pickle *p, const struct pickle_value *dictionary,
                               uint32_t key)
{
    uint32_t id = PICKLE_NONE;

    if (dictionary->type == PICKLE_DICTIONARY)
        id = find_item(p, dictionary, key);
    return id == PICKLE_NONE ? (struct pickle_value){0} : p->items.items[id].value;
}

uint64_t pickle_number(const struct pickle *p, const struct pickle_value *dictionary, uint32_t key)
{
    struct pickle_value v = pickle_get(p, dictionary, key);

    return v.type == PICKLE_NUMBER ? v.number : 0;
}

struct slice pickle_text(const struct pickle *p, const struct pickle_value *dictionary,
                         uint32_t key)
{
    struct pickle_value v = pickle_get(p, dictionary, key);

    return text_of(p, &v);
}
