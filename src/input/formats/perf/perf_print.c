#include "input/formats/perf/perf_print.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/num.h"

enum { DEEPEST = 128, MOST_NODES = 4096, MOST_TEXT = UINT16_MAX, WORD_BITS = 64, WIDEST = 32 };

enum node_kind {
    NUMBER,
    TEXT,
    FIELD,
    UNARY,
    BINARY,
    CHOICE,   /* a ? b : c */
    FLAGS,    /* names of the bits of a */
    SYMBOLIC, /* the name of the value of a */
};

struct perf_node {
    enum node_kind kind;
    unsigned operation; /* of UNARY its character, of BINARY the row of `operators` */
    unsigned depth;
    uint32_t a, b, c; /* nodes; of FIELD its index and, in `b`, the node of an element's index */
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

/* "field:char prev_comm[16];	offset:8;	size:16;	signed:0;" */
static void add_field(struct perf_print *p, struct slice line)
{
    struct slice declaration, name;
    struct perf_field f = {0};
    uint64_t offset, size, is_signed;

    line = slice_skip(line, sizeof("field:") - 1);
    if (!slice_cut(&line, ';', &declaration) || !take_property(&line, SLICE("offset:"), &offset) ||
        !take_property(&line, SLICE("size:"), &size) || offset > UINT16_MAX || size > UINT16_MAX)
        return;
    f.is_signed = take_property(&line, SLICE("signed:"), &is_signed) && is_signed;
    f.offset = (uint32_t)offset;
    f.size = (uint32_t)size;
    f.place = slice_starts(declaration, SLICE("__data_loc"))  ? PERF_FIELD_AT
              : slice_starts(declaration, SLICE("__rel_loc")) ? PERF_FIELD_AFTER
                                                              : PERF_FIELD_HERE;
    f.is_text =
        slice_has(declaration, SLICE("char")) && slice_find(declaration, '[') < declaration.len;
    name = slice_trim(declaration);
    if (slice_ends(name, SLICE("]")) && f.place == PERF_FIELD_HERE)
        name = slice_trim(slice_take(name, slice_find(name, '[')));
    f.name = slice_skip(name,
                        slice_find_last(name, ' ') < name.len ? slice_find_last(name, ' ') + 1 : 0);
    while (slice_starts(f.name, SLICE("*")))
        f.name = slice_skip(f.name, 1);
    *vec_add(&p->fields) = f;
}

/* ---- expressions: compiling ------------------------------------------------------------------ */

struct parser {
    struct perf_print *print;
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
    return p->print->nodes.items[node].depth;
}

static uint32_t add_node(struct parser *p, struct perf_node node)
{
    node.depth = 1;
    if (node.kind >= UNARY || (node.kind == FIELD && node.b != UINT32_MAX)) {
        uint32_t children[] = {node.kind == FIELD ? node.b : node.a,
                               node.kind == BINARY || node.kind == CHOICE ? node.b : 0,
                               node.kind == CHOICE ? node.c : 0};

        for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++)
            if (node.depth <= depth_of(p, children[i]))
                node.depth = depth_of(p, children[i]) + 1;
    }
    p->failed |= node.depth > DEEPEST || p->print->nodes.count >= MOST_NODES;
    *vec_add(&p->print->nodes) = node;
    return (uint32_t)p->print->nodes.count - 1;
}

static uint32_t add_number(struct parser *p, uint64_t number)
{
    return add_node(p, (struct perf_node){.kind = NUMBER, .number = number});
}

/* Adds an operation, or its result if the operands, which are the last nodes, are numbers. */
static uint32_t add_operation(struct parser *p, struct perf_node node)
{
    const struct perf_node *a = &p->print->nodes.items[node.a];
    uint64_t number;

    if (a->kind != NUMBER || (node.kind == BINARY && p->print->nodes.items[node.b].kind != NUMBER))
        return add_node(p, node);
    number = node.kind == UNARY
                 ? negate(node.operation, a->number)
                 : calculate(node.operation, a->number, p->print->nodes.items[node.b].number);
    p->print->nodes.count = node.a;
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

/* Skips what is in parentheses, of which the first is taken. */
static void skip_arguments(struct parser *p)
{
    unsigned open = 1;

    while (open && p->rest.len) {
        open += p->rest.ptr[0] == '(';
        open -= p->rest.ptr[0] == ')';
        p->rest = slice_skip(p->rest, 1);
    }
    p->failed |= open > 0;
}

static uint32_t add_field_node(struct parser *p, struct slice name)
{
    uint32_t index = UINT32_MAX;

    if (take(p, SLICE("["))) {
        parse_choice(p, &index);
        need(p, SLICE("]"));
    }
    for (size_t i = 0; i < p->print->fields.count; i++)
        if (slice_equal(p->print->fields.items[i].name, name))
            return add_node(p, (struct perf_node){.kind = FIELD, .a = (uint32_t)i, .b = index});
    return add_number(p, 0);
}

/* The rest of __print_flags() and __print_symbolic(): "{ 1, "S" }, ..." */
static uint32_t parse_names(struct parser *p, enum node_kind kind)
{
    struct perf_node node = {.kind = kind, .b = UINT32_MAX};
    uint32_t last = UINT32_MAX;

    parse_choice(p, &node.a);
    if (kind == FLAGS) {
        need(p, SLICE(","));
        node.text = take_text(p);
    }
    while (!p->failed && take(p, SLICE(","))) {
        struct perf_constant constant = {.next = UINT32_MAX};

        need(p, SLICE("{"));
        parse_choice(p, &constant.value);
        need(p, SLICE(","));
        constant.name = take_text(p);
        need(p, SLICE("}"));
        if (last == UINT32_MAX)
            node.b = (uint32_t)p->print->constants.count;
        else
            p->print->constants.items[last].next = (uint32_t)p->print->constants.count;
        last = (uint32_t)p->print->constants.count;
        *vec_add(&p->print->constants) = constant;
    }
    need(p, SLICE(")"));
    return p->failed ? add_number(p, 0) : add_node(p, node);
}

static uint32_t parse_word(struct parser *p)
{
    struct slice word = take_word(p);
    uint32_t node;

    if (slice_equal(word, SLICE("REC"))) {
        need(p, SLICE("->"));
        return add_field_node(p, take_word(p));
    }
    if (!take(p, SLICE("(")))
        return add_number(p, 0);
    if (slice_equal(word, SLICE("__print_flags")))
        return parse_names(p, FLAGS);
    if (slice_equal(word, SLICE("__print_symbolic")))
        return parse_names(p, SYMBOLIC);
    if (slice_equal(word, SLICE("__get_str")) || slice_equal(word, SLICE("__get_rel_str"))) {
        node = add_field_node(p, take_word(p));
        need(p, SLICE(")"));
        return node;
    }
    skip_arguments(p);
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

/* ---- the format ------------------------------------------------------------------------------ */

/* "-08llx" and "ps" after a per cent sign. Returns how long it is, or 0 for one not known. */
static size_t parse_conversion(struct slice s, struct perf_piece *piece)
{
    size_t i = 0;

    piece->bytes = sizeof(uint32_t);
    for (; i < s.len && strchr("-+ #0", s.ptr[i]); i++) {
        piece->alternate |= s.ptr[i] == '#';
        piece->zeros |= s.ptr[i] == '0';
    }
    for (; i < s.len && (ascii_is_digit(s.ptr[i]) || s.ptr[i] == '.'); i++)
        if (s.ptr[i] != '.' && piece->width < WIDEST)
            piece->width = 10 * piece->width + (unsigned)(s.ptr[i] - '0');
    for (; i < s.len && strchr("hlzLjtq", s.ptr[i]); i++)
        if (s.ptr[i] != 'h')
            piece->bytes = sizeof(uint64_t);
    if (i == s.len || !strchr("diuxXopsc%", s.ptr[i]))
        return 0;
    piece->conversion = s.ptr[i++];
    /* Of a pointer, letters say how the kernel prints what is there. */
    while (piece->conversion == 'p' && i < s.len && is_word_char(s.ptr[i]))
        i++;
    return i;
}

/* Takes the format apart: texts, each with the argument after it. */
static void parse_pieces(struct parser *p)
{
    struct slice format = buf_slice(&p->print->format);
    struct perf_piece piece = {0};
    size_t i = 0;

    while (i < format.len && !p->failed) {
        size_t len;

        if (format.ptr[i] != '%') {
            i++;
            continue;
        }
        piece.text_len = i - piece.text;
        len = parse_conversion(slice_skip(format, i + 1), &piece);
        if (piece.conversion == '%') {
            piece.text_len++;
        } else {
            p->failed |= !len;
            need(p, SLICE(","));
            parse_choice(p, &piece.node);
        }
        *vec_add(&p->print->pieces) = piece;
        i += len + 1;
        piece = (struct perf_piece){.text = i};
    }
    piece.text_len = format.len - piece.text;
    *vec_add(&p->print->pieces) = piece;
}

static void parse_format(struct perf_print *print, struct slice text)
{
    struct parser p = {.print = print, .rest = text};

    do {
        struct slice part = take_text(&p);

        for (size_t i = 0; i < part.len; i++)
            if (part.ptr[i] != '\\')
                buf_add_char(&print->format, part.ptr[i]);
    } while (!p.failed && is_next(&p, SLICE("\"")));
    parse_pieces(&p);
    if (p.failed)
        vec_clear(&print->pieces);
}

void perf_print_init(struct perf_print *p, struct slice description)
{
    const struct slice format = SLICE("print fmt: ");
    struct slice line;

    *p = (struct perf_print){0};
    while (slice_line(&description, &line)) {
        struct slice content = slice_trim(line);

        if (slice_starts(content, SLICE("field:")))
            add_field(p, content);
        else if (slice_starts(line, format))
            parse_format(p, slice_skip(line, format.len));
    }
}

void perf_print_release(struct perf_print *p)
{
    release_each(p, (vec, fields, nodes, constants, pieces), (buf, format));
}

/* ---- values ---------------------------------------------------------------------------------- */

struct sample {
    const struct perf_print *print;
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

/* The bytes of a field. */
static struct slice field_bytes(const struct sample *s, const struct perf_field *f)
{
    uint64_t place = f->offset, len = f->size, both;

    if (f->place != PERF_FIELD_HERE) {
        both = read_number(s, f->offset, sizeof(uint32_t), false);
        place = (both & UINT16_MAX) + (f->place == PERF_FIELD_AFTER ? f->offset + f->size : 0);
        len = both >> 16;
    }
    return slice_take(slice_skip(s->bytes, place), len);
}

static uint64_t evaluate(const struct sample *s, uint32_t node);

static uint64_t evaluate_field(const struct sample *s, const struct perf_node *n)
{
    const struct perf_field *f = &s->print->fields.items[n->a];
    uint64_t index;

    if (n->b == UINT32_MAX || f->place != PERF_FIELD_HERE)
        return read_number(s, f->offset, f->size, f->is_signed);
    /* Of the arrays that formats index, the elements are of a word or less. */
    index = evaluate(s, n->b);
    return index < f->size / sizeof(uint64_t)
               ? read_number(s, f->offset + index * sizeof(uint64_t), sizeof(uint64_t), false)
               : 0;
}

/* The number of a node; 0 for a text. The depth of nodes is bounded. */
static uint64_t evaluate(const struct sample *s, uint32_t node)
{
    const struct perf_node *n = &s->print->nodes.items[node];

    switch (n->kind) {
    case NUMBER:
        return n->number;
    case FIELD:
        return evaluate_field(s, n);
    case UNARY:
        return negate(n->operation, evaluate(s, n->a));
    case BINARY:
        return calculate(n->operation, evaluate(s, n->a), evaluate(s, n->b));
    case CHOICE:
        return evaluate(s, evaluate(s, n->a) ? n->b : n->c);
    case TEXT:
    case FLAGS:
    case SYMBOLIC:
        return 0;
    }
    return 0;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_hex(struct buf *out, uint64_t value)
{
    buf_printf(out, "0x%llx", (unsigned long long)value);
}

static void print_names(const struct sample *s, const struct perf_node *n, struct buf *out)
{
    uint64_t value = evaluate(s, n->a), all = value;
    bool first = true, found = false;

    for (uint32_t i = n->b; i != UINT32_MAX; i = s->print->constants.items[i].next) {
        const struct perf_constant *c = &s->print->constants.items[i];
        uint64_t bits = evaluate(s, c->value);

        if (n->kind == SYMBOLIC ? bits != value : bits ? (value & bits) != bits : all != 0)
            continue;
        if (!first)
            buf_add_slice(out, n->text);
        buf_add_slice(out, c->name);
        value &= ~bits;
        first = false;
        found = true;
        if (n->kind == SYMBOLIC || !value)
            break;
    }
    if (found && (n->kind == SYMBOLIC || !value))
        return;
    if (!first)
        buf_add_slice(out, n->text);
    print_hex(out, value);
}

static void print_text(const struct sample *s, uint32_t node, struct buf *out)
{
    const struct perf_node *n = &s->print->nodes.items[node];
    struct slice bytes;

    switch (n->kind) {
    case TEXT:
        buf_add_slice(out, n->text);
        break;
    case FIELD:
        bytes = field_bytes(s, &s->print->fields.items[n->a]);
        buf_add_slice(out, slice_take(bytes, slice_find(bytes, '\0')));
        break;
    case CHOICE:
        print_text(s, evaluate(s, n->a) ? n->b : n->c, out);
        break;
    case FLAGS:
    case SYMBOLIC:
        print_names(s, n, out);
        break;
    case NUMBER:
    case UNARY:
    case BINARY:
        break;
    }
}

static void print_number(const struct perf_piece *piece, uint64_t value, struct buf *out)
{
    char text[WIDEST];
    int len;

    if (piece->bytes == sizeof(uint32_t))
        value = strchr("di", piece->conversion) ? (uint64_t)(int32_t)value : (uint32_t)value;
    if (strchr("di", piece->conversion))
        len = snprintf(text, sizeof(text), "%lld", (long long)value);
    else if (strchr("xX", piece->conversion))
        len = snprintf(text, sizeof(text), "%s%llx", piece->alternate ? "0x" : "",
                       (unsigned long long)value);
    else if (piece->conversion == 'o')
        len = snprintf(text, sizeof(text), "%llo", (unsigned long long)value);
    else
        len = snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
    for (unsigned i = (unsigned)len; i < piece->width; i++)
        buf_add_char(out, piece->zeros ? '0' : ' ');
    buf_add(out, text, (size_t)len);
}

static void print_piece(const struct sample *s, const struct perf_piece *piece, struct buf *out)
{
    uint64_t value;

    if (!piece->conversion || piece->conversion == '%')
        return;
    if (piece->conversion == 's') {
        print_text(s, piece->node, out);
        return;
    }
    value = evaluate(s, piece->node);
    if (piece->conversion == 'c')
        buf_add_char(out, (char)value);
    else if (piece->conversion != 'p')
        print_number(piece, value, out);
    else if (value)
        print_hex(out, value);
    else
        buf_add_str(out, "(nil)");
}

/* All fields but those that each trace point has. */
static void print_fields(const struct sample *s, struct buf *out)
{
    vec_each (struct perf_field, f, &s->print->fields) {
        struct slice bytes = field_bytes(s, f);

        if (slice_starts(f->name, SLICE("common_")))
            continue;
        buf_printf(out, " %.*s=", SLICE_ARG(f->name));
        if (f->is_text)
            buf_add_slice(out, slice_take(bytes, slice_find(bytes, '\0')));
        else if (f->is_signed)
            buf_add_i64(out, (int64_t)read_number(s, f->offset, f->size, true));
        else
            print_hex(out, read_number(s, f->offset, f->size, false));
    }
}

void perf_print_add(const struct perf_print *p, struct slice sample, bool swapped, struct buf *out)
{
    const struct sample s = {p, sample, swapped};

    if (!p->pieces.count)
        print_fields(&s, out);
    vec_each (struct perf_piece, piece, &p->pieces) {
        buf_add(out, p->format.ptr + piece->text, piece->text_len);
        if (out->len > MOST_TEXT)
            return;
        print_piece(&s, piece, out);
    }
}
