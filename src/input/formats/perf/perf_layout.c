#include "input/formats/perf/perf_layout.h"

#include <string.h>

#include "base/ascii.h"
#include "base/num.h"

enum { DEEPEST = 128, MOST_NODES = 4096, MOST_TEXT = UINT16_MAX, WORD_BITS = 64 };

enum node_kind {
    NUMBER,
    TEXT,
    FIELD,
    UNARY,
    BINARY,
    CHOICE, /* a ? b : c */
    FLAGS,  /* names of the bits of a */
};

struct perf_node {
    enum node_kind kind;
    unsigned operation; /* of UNARY its character, of BINARY the row of `operators` */
    unsigned depth;
    uint32_t a, b, c; /* nodes; of FIELD its index, of FLAGS the first constant in `b` */
    uint64_t number;
    struct slice text; /* of TEXT; of FLAGS what is between the names */
};

/* ---- fields ---------------------------------------------------------------------------------- */

/* "\toffset:24;" as 24. */
static bool take_property(struct slice *rest, struct slice key, uint64_t *value)
{
    struct slice part;

    if (!slice_cut(rest, ';', &part))
        return false;
    part = slice_trim(part);
    return slice_starts(part, key) && num_parse_u64(slice_skip(part, key.len), value);
}

/* "field:pid_t prev_pid;	offset:24;	size:4;	signed:1;", but for those that each sample has */
static void add_field(struct perf_layout *l, struct slice line)
{
    struct slice declaration;
    struct perf_slot f = {0};
    uint64_t offset, size, is_signed;

    line = slice_skip(line, sizeof("field:") - 1);
    if (!slice_cut(&line, ';', &declaration) || !take_property(&line, SLICE("offset:"), &offset) ||
        !take_property(&line, SLICE("size:"), &size) || offset > UINT16_MAX || size > UINT16_MAX)
        return;
    declaration = slice_trim(declaration);
    f.name = slice_skip(declaration, slice_find_last(declaration, ' ') + 1);
    while (slice_starts(f.name, SLICE("*")))
        f.name = slice_skip(f.name, 1);
    if (slice_starts(f.name, SLICE("common_")))
        return;
    f.is_signed = take_property(&line, SLICE("signed:"), &is_signed) && is_signed;
    f.offset = (uint32_t)offset;
    f.size = slice_find(declaration, '[') < declaration.len ? 0 : (uint32_t)size;
    *vec_add(&l->fields) = f;
}

/* ---- expressions: compiling ------------------------------------------------------------------ */

struct parser {
    struct perf_layout *layout;
    struct slice rest;
    unsigned depth;
    bool failed;
};

/* Of two operators that begin alike the longer one is first. */
static const struct {
    struct slice text;
    unsigned binds; /* higher ones before lower ones */
} operators[] = {
    {{"||", 2}, 1}, {{"&&", 2}, 2}, {{"==", 2}, 6}, {{"!=", 2}, 6}, {{"<<", 2}, 8}, {{">>", 2}, 8},
    {{"<=", 2}, 7}, {{">=", 2}, 7}, {{"<", 1}, 7},  {{">", 1}, 7},  {{"|", 1}, 3},  {{"^", 1}, 4},
    {{"&", 1}, 5},  {{"+", 1}, 9},  {{"-", 1}, 9},  {{"*", 1}, 10}, {{"/", 1}, 10}, {{"%", 1}, 10},
};
enum {
    OR,
    AND,
    EQUAL,
    OTHER,
    LEFT,
    RIGHT,
    AT_MOST,
    AT_LEAST,
    LESS,
    MORE,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    PLUS,
    MINUS,
    TIMES,
    OVER,
    MODULO,
    OPERATORS
};
_Static_assert(sizeof(operators) / sizeof(operators[0]) == OPERATORS, "each operator has a name");

static uint64_t negate(unsigned operation, uint64_t a)
{
    return operation == '~' ? ~a : operation == '-' ? 0 - a : !a;
}

static uint64_t calculate(unsigned operation, uint64_t a, uint64_t b)
{
    int64_t x = (int64_t)a, y = (int64_t)b;

    switch (operation) {
    case OR:
        return a || b;
    case AND:
        return a && b;
    case EQUAL:
        return a == b;
    case OTHER:
        return a != b;
    case LEFT:
        return a << b % WORD_BITS;
    case RIGHT:
        return a >> b % WORD_BITS;
    case AT_MOST:
        return x <= y;
    case AT_LEAST:
        return x >= y;
    case LESS:
        return x < y;
    case MORE:
        return x > y;
    case BIT_OR:
        return a | b;
    case BIT_XOR:
        return a ^ b;
    case BIT_AND:
        return a & b;
    case PLUS:
        return a + b;
    case MINUS:
        return a - b;
    case TIMES:
        return a * b;
    case OVER:
        return b ? a / b : 0;
    default:
        return b ? a % b : 0;
    }
}

static void parse_choice(struct parser *p, uint32_t *out);

static void skip_blanks(struct parser *p)
{
    p->rest = slice_trim_left(p->rest);
}

static bool is_next(struct parser *p, struct slice text)
{
    skip_blanks(p);
    return slice_starts(p->rest, text);
}

static bool take(struct parser *p, struct slice text)
{
    if (!is_next(p, text))
        return false;
    p->rest = slice_skip(p->rest, text.len);
    return true;
}

static void need(struct parser *p, struct slice text)
{
    p->failed |= !take(p, text);
}

static bool is_word_char(char c)
{
    return ascii_is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 26 || c == '_';
}

static struct slice take_word(struct parser *p)
{
    struct slice word;
    size_t len = 0;

    skip_blanks(p);
    while (len < p->rest.len && is_word_char(p->rest.ptr[len]))
        len++;
    word = slice_take(p->rest, len);
    p->rest = slice_skip(p->rest, len);
    return word;
}

static unsigned depth_of(const struct parser *p, uint32_t node)
{
    return p->layout->nodes.items[node].depth;
}

static uint32_t add_node(struct parser *p, struct perf_node node)
{
    node.depth = 1;
    if (node.kind >= UNARY) {
        uint32_t children[] = {node.a, node.kind == BINARY || node.kind == CHOICE ? node.b : node.a,
                               node.kind == CHOICE ? node.c : node.a};

        for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++)
            if (node.depth <= depth_of(p, children[i]))
                node.depth = depth_of(p, children[i]) + 1;
    }
    p->failed |= node.depth > DEEPEST || p->layout->nodes.count >= MOST_NODES;
    *vec_add(&p->layout->nodes) = node;
    return (uint32_t)p->layout->nodes.count - 1;
}

static uint32_t add_number(struct parser *p, uint64_t number)
{
    return add_node(p, (struct perf_node){.kind = NUMBER, .number = number});
}

/* Adds an operation, or its result if the operands, which are the last nodes, are numbers. */
static uint32_t add_operation(struct parser *p, struct perf_node node)
{
    const struct perf_node *a = &p->layout->nodes.items[node.a];
    uint64_t number;

    if (a->kind != NUMBER || (node.kind == BINARY && p->layout->nodes.items[node.b].kind != NUMBER))
        return add_node(p, node);
    number = node.kind == UNARY
                 ? negate(node.operation, a->number)
                 : calculate(node.operation, a->number, p->layout->nodes.items[node.b].number);
    p->layout->nodes.count = node.a;
    return add_number(p, number);
}

static struct slice take_text(struct parser *p)
{
    struct slice text;
    size_t len = 0;

    need(p, SLICE("\""));
    while (len < p->rest.len && p->rest.ptr[len] != '"')
        len += p->rest.ptr[len] == '\\' ? 2 : 1;
    p->failed |= len >= p->rest.len;
    text = slice_take(p->rest, len);
    p->rest = slice_skip(p->rest, len + 1);
    return text;
}

/* "12UL", "0x1f". */
static uint32_t parse_number(struct parser *p)
{
    struct slice word = take_word(p);
    uint64_t number = 0;

    while (word.len && strchr("uUlL", word.ptr[word.len - 1]))
        word.len--;
    if (slice_starts(word, SLICE("0x")))
        p->failed |= !num_parse_hex(slice_skip(word, 2), &number);
    else
        p->failed |= !num_parse_u64(word, &number);
    return add_number(p, number);
}

static uint32_t add_field_node(struct parser *p, struct slice name)
{
    for (size_t i = 0; i < p->layout->fields.count; i++)
        if (slice_equal(p->layout->fields.items[i].name, name))
            return add_node(p, (struct perf_node){.kind = FIELD, .a = (uint32_t)i});
    return add_number(p, 0);
}

/* The rest of __print_flags(): "REC->state, "|", { 1, "S" }, ..." */
static uint32_t parse_flags(struct parser *p)
{
    struct perf_node node = {.kind = FLAGS, .b = UINT32_MAX};
    uint32_t last = UINT32_MAX;

    parse_choice(p, &node.a);
    need(p, SLICE(","));
    node.text = take_text(p);
    while (!p->failed && take(p, SLICE(","))) {
        struct perf_constant constant = {.next = UINT32_MAX};

        need(p, SLICE("{"));
        parse_choice(p, &constant.value);
        need(p, SLICE(","));
        constant.name = take_text(p);
        need(p, SLICE("}"));
        if (last == UINT32_MAX)
            node.b = (uint32_t)p->layout->constants.count;
        else
            p->layout->constants.items[last].next = (uint32_t)p->layout->constants.count;
        last = (uint32_t)p->layout->constants.count;
        *vec_add(&p->layout->constants) = constant;
    }
    need(p, SLICE(")"));
    return p->failed ? add_number(p, 0) : add_node(p, node);
}

/* "REC->prev_state", __print_flags(), or a constant that only the kernel knows. */
static uint32_t parse_word(struct parser *p)
{
    struct slice word = take_word(p);

    if (slice_equal(word, SLICE("REC"))) {
        need(p, SLICE("->"));
        return add_field_node(p, take_word(p));
    }
    if (!take(p, SLICE("(")))
        return add_number(p, 0);
    if (slice_equal(word, SLICE("__print_flags")))
        return parse_flags(p);
    p->failed = true;
    return add_number(p, 0);
}

/* Takes a type in parentheses, "( unsigned long)", before an operand. Types change no value. */
static bool take_cast(struct parser *p)
{
    struct slice before = p->rest;
    size_t close;

    if (!take(p, SLICE("(")))
        return false;
    close = slice_find(p->rest, ')');
    for (size_t i = 0; i < close; i++) {
        char c = p->rest.ptr[i];

        if (!is_word_char(c) && c != ' ' && c != '*')
            close = 0;
    }
    if (close && !ascii_is_digit(slice_trim(p->rest).ptr[0])) {
        p->rest = slice_skip(p->rest, close + 1);
        skip_blanks(p);
        if (p->rest.len && (is_word_char(p->rest.ptr[0]) || strchr("(~\"-", p->rest.ptr[0])))
            return true;
    }
    p->rest = before;
    return false;
}

static uint32_t parse_operand(struct parser *p)
{
    static const char unary[] = "~!-";
    uint32_t node = 0;

    skip_blanks(p);
    if (p->failed || !p->rest.len || ++p->depth > DEEPEST) {
        p->failed = true;
        return add_number(p, 0);
    }
    if (p->rest.ptr[0] == '"') {
        node = add_node(p, (struct perf_node){.kind = TEXT, .text = take_text(p)});
    } else if (ascii_is_digit(p->rest.ptr[0])) {
        node = parse_number(p);
    } else if (strchr(unary, p->rest.ptr[0])) {
        unsigned operation = (unsigned char)p->rest.ptr[0];

        p->rest = slice_skip(p->rest, 1);
        node = parse_operand(p);
        node =
            add_operation(p, (struct perf_node){.kind = UNARY, .operation = operation, .a = node});
    } else if (take_cast(p)) {
        node = parse_operand(p);
    } else if (take(p, SLICE("("))) {
        parse_choice(p, &node);
        need(p, SLICE(")"));
    } else if (is_word_char(p->rest.ptr[0])) {
        node = parse_word(p);
    } else {
        p->failed = true;
        node = add_number(p, 0);
    }
    p->depth--;
    return node;
}

static unsigned next_operator(struct parser *p)
{
    skip_blanks(p);
    for (unsigned i = 0; i < OPERATORS; i++)
        if (slice_starts(p->rest, operators[i].text))
            return i;
    return OPERATORS;
}

/* Operators that bind at least as `least`. */
static uint32_t parse_binary(struct parser *p, unsigned least)
{
    uint32_t left = parse_operand(p);
    unsigned i;

    while (!p->failed && (i = next_operator(p)) < OPERATORS && operators[i].binds >= least) {
        struct perf_node node = {.kind = BINARY, .operation = i, .a = left};

        p->rest = slice_skip(p->rest, operators[i].text.len);
        node.b = parse_binary(p, operators[i].binds + 1);
        left = add_operation(p, node);
    }
    return left;
}

static void parse_choice(struct parser *p, uint32_t *out)
{
    struct perf_node node = {.kind = CHOICE, .a = parse_binary(p, 1)};

    *out = node.a;
    if (p->failed || !take(p, SLICE("?")))
        return;
    if (++p->depth > DEEPEST) {
        p->failed = true;
        return;
    }
    parse_choice(p, &node.b);
    need(p, SLICE(":"));
    parse_choice(p, &node.c);
    p->depth--;
    *out = add_node(p, node);
}

/* ---- the description ------------------------------------------------------------------------- */

/* Skips a comma and an argument, whose brackets and texts may contain commas. */
static void skip_argument(struct parser *p)
{
    unsigned open = 0;
    bool quoted = false;

    need(p, SLICE(","));
    for (; p->rest.len && (open || quoted || p->rest.ptr[0] != ','); p->rest.ptr++, p->rest.len--) {
        char c = p->rest.ptr[0];

        quoted ^= c == '"';
        open += !quoted && (c == '(' || c == '{');
        open -= !quoted && open && (c == ')' || c == '}');
    }
}

/* Compiles the texts that follow "prev_state=" in a format: "prev_state=%s%s ==> ", ... */
static void parse_state(struct perf_layout *l, struct slice text)
{
    const struct slice key = SLICE("prev_state="), conversion = SLICE("%s");
    struct parser p = {.layout = l, .rest = text};
    struct slice format = take_text(&p);
    size_t at = slice_search(format, key);

    for (size_t i = 0; i < at; i++) {
        if (format.ptr[i] != '%')
            continue;
        if (++i < at && format.ptr[i] != '%')
            skip_argument(&p);
    }
    format = slice_skip(format, at + key.len);
    while (l->state_count < PERF_STATE_TEXTS && slice_starts(format, conversion)) {
        format = slice_skip(format, conversion.len);
        need(&p, SLICE(","));
        parse_choice(&p, &l->state[l->state_count++]);
    }
    if (p.failed)
        l->state_count = 0;
}

void perf_layout_init(struct perf_layout *l, struct slice description)
{
    const struct slice format = SLICE("print fmt: ");
    struct slice line;

    *l = (struct perf_layout){0};
    while (slice_line(&description, &line)) {
        struct slice content = slice_trim(line);

        if (slice_starts(content, SLICE("field:")))
            add_field(l, content);
        else if (slice_starts(line, format))
            parse_state(l, slice_skip(line, format.len));
    }
}

void perf_layout_release(struct perf_layout *l)
{
    release_each(l, (vec, fields, nodes, constants), (buf, text));
}

/* ---- values ---------------------------------------------------------------------------------- */

struct sample {
    const struct perf_layout *layout;
    struct slice bytes;
    bool swapped;
};

static uint64_t read_number(const struct sample *s, uint64_t offset, uint64_t size, bool is_signed)
{
    unsigned char bytes[sizeof(uint64_t)];
    bool big = s->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    uint64_t value = 0;

    if (!size || size > sizeof(bytes) || offset > s->bytes.len || size > s->bytes.len - offset)
        return 0;
    memcpy(bytes, s->bytes.ptr + offset, size);
    for (uint64_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (big ? size - 1 - i : i);
    if (is_signed && size < sizeof(value) && value >> (8 * size - 1))
        value |= UINT64_MAX << 8 * size;
    return value;
}

static uint64_t read_field(const struct sample *s, const struct perf_slot *f)
{
    return read_number(s, f->offset, f->size, f->is_signed);
}

/* The number of a node; 0 for a text. The depth of nodes is bounded. */
static uint64_t evaluate(const struct sample *s, uint32_t node)
{
    const struct perf_node *n = &s->layout->nodes.items[node];

    switch (n->kind) {
    case NUMBER:
        return n->number;
    case FIELD:
        return read_field(s, &s->layout->fields.items[n->a]);
    case UNARY:
        return negate(n->operation, evaluate(s, n->a));
    case BINARY:
        return calculate(n->operation, evaluate(s, n->a), evaluate(s, n->b));
    case CHOICE:
        return evaluate(s, evaluate(s, n->a) ? n->b : n->c);
    case TEXT:
    case FLAGS:
        return 0;
    }
    return 0;
}

/* Writes the names of the bits of a number, and the rest of it in hex. */
static void write_flags(const struct sample *s, const struct perf_node *n, struct buf *out)
{
    uint64_t value = evaluate(s, n->a), all = value;
    size_t start = out->len;

    for (uint32_t i = n->b; i != UINT32_MAX && out->len < MOST_TEXT;) {
        const struct perf_constant *c = &s->layout->constants.items[i];
        uint64_t bits = evaluate(s, c->value);

        i = c->next;
        if (bits ? (value & bits) != bits : all != 0)
            continue;
        if (out->len > start)
            buf_add_slice(out, n->text);
        buf_add_slice(out, c->name);
        value &= ~bits;
        if (!value)
            return;
    }
    if (out->len > start)
        buf_add_slice(out, n->text);
    buf_printf(out, "0x%llx", (unsigned long long)value);
}

static void write_text(const struct sample *s, uint32_t node, struct buf *out)
{
    const struct perf_node *n = &s->layout->nodes.items[node];

    while (n->kind == CHOICE)
        n = &s->layout->nodes.items[evaluate(s, n->a) ? n->b : n->c];
    if (n->kind == TEXT)
        buf_add_slice(out, n->text);
    else if (n->kind == FLAGS)
        write_flags(s, n, out);
}

void perf_layout_read(struct perf_layout *l, struct slice sample, bool swapped,
                      struct perf_fields *out)
{
    const struct sample s = {l, sample, swapped};

    vec_clear(&out->items);
    vec_each (const struct perf_slot, f, &l->fields) {
        uint64_t number = read_field(&s, f);

        *vec_add(&out->items) = (struct perf_field){
            .name = f->name,
            .is_number = f->size && f->size <= sizeof(number) &&
                         !(f->is_signed && number >> (WORD_BITS - 1)),
            .number = number,
        };
    }
    buf_clear(&l->text);
    for (unsigned i = 0; i < l->state_count; i++)
        write_text(&s, l->state[i], &l->text);
    out->state = buf_slice(&l->text);
}
