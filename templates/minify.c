/*
 * Makes a script shorter without changing what it does. The build runs it on the graph's program:
 *
 *     minify < SCRIPT > SHORTER
 *
 * Comments and blanks go, and variables, functions, classes and parameters get short names. Every
 * variable of one name gets the same short name wherever it is declared, so that no scope needs to
 * be known but the outermost: the script is `(function (...) {...})(...)`, and variables that no
 * statement of that function has in common may have the same short name. Properties keep their
 * names: `{tree}` becomes `{tree:a}`. So do names that the script does not declare, such as
 * `document`.
 *
 * The script must end its statements with semicolons, must not use a global of the browser whose
 * name it declares elsewhere, and must have no class fields, labels or `eval`.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"
#include "base/slice.h"
#include "base/vec.h"

enum { MOST = 16 << 20 };

enum kind {
    NAME,
    NUMBER,
    STRING,
    REGEX,
    TEMPLATE, /* from a backtick or a brace to `${` or a backtick */
    PUNCTUATOR,
};

/* What a bracket encloses. */
enum inside { VALUE, BLOCK, OBJECT, CLASS };

/* How a name is used. */
enum use { VARIABLE, KEY, SHORTHAND };

struct token {
    struct slice text;
    enum kind kind;
    enum inside inside; /* of an opening bracket */
    enum use use;       /* of a name */
    bool line;          /* a line begins before it */
    size_t mate;        /* index of the bracket that closes this one, or else opens it */
    size_t depth;       /* number of brackets around it */
    size_t statement;   /* number of the outermost function's statement that it is in */
};

/* Brackets around the statements of the outermost function; most statements, first for all. */
enum { OUTERMOST = 2, STATEMENTS = 64 * 64, ALL = 0 };

/* A declared name. */
struct variable {
    struct slice name;
    uint64_t statements[STATEMENTS / 64]; /* a bit for each one that has the name */
    size_t count, first;                  /* uses; the index of its first token */
    char brief[4];
};

struct script {
    VEC(struct token) tokens;
    VEC(size_t) open; /* indices of the brackets that are open */
    VEC(struct variable) variables;
};

static bool is(const struct token *t, const char *text)
{
    return t && t->kind != STRING && t->kind != REGEX && slice_equal(t->text, slice_str(text));
}

/* `list` has blanks around each of its words. */
static bool is_one_of(const struct token *t, const char *list)
{
    const char *at = list;

    if (!t || t->kind == STRING || t->kind == REGEX)
        return false;
    for (; (at = strstr(at, " ")) != NULL; at++)
        if (!strncmp(at + 1, t->text.ptr, t->text.len) && at[1 + t->text.len] == ' ')
            return true;
    return false;
}

static const struct token *token_at(const struct script *s, size_t index)
{
    return index < s->tokens.count ? &s->tokens.items[index] : NULL;
}

/* ---- tokens ------------------------------------------------------------------------------------ */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c > 127;
}

static size_t punctuator_length(const char *at)
{
    static const char *const long_ones[] = {
        ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=",
        "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",
        "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**",
    };

    for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++)
        if (!strncmp(at, long_ones[i], strlen(long_ones[i])))
            return strlen(long_ones[i]);
    return 1;
}

/* Returns the length of a string or regular expression with its delimiters. */
static size_t quoted_length(const char *at)
{
    const char *p = at + 1;

    for (bool set = false; *p && (*p != *at || set); p++) {
        set = *at == '/' && (*p == '[' || (set && *p != ']'));
        p += *p == '\\' && p[1];
        if (*p == '\n')
            die("a string or regular expression does not end on its line");
    }
    while (*at == '/' && is_word(p[1]))
        p++;
    return (size_t)(p - at) + 1;
}

static size_t template_length(const char *at)
{
    const char *p = at + 1;

    for (; *p && *p != '`'; p++) {
        if (p[0] == '$' && p[1] == '{')
            return (size_t)(p - at) + 2;
        p += *p == '\\' && p[1];
    }
    return (size_t)(p - at) + 1;
}

/* A slash begins a regular expression where an operand is expected. */
static bool expects_operand(const struct token *before)
{
    if (!before || is_one_of(before, " return typeof case of in delete void throw else "))
        return true;
    return before->kind == PUNCTUATOR && !is_one_of(before, " ) ] } ++ -- ");
}

static bool in_template(const struct script *s)
{
    return s->open.count && s->tokens.items[s->open.items[s->open.count - 1]].kind == TEMPLATE;
}

static struct token scan(const struct script *s, const char *at)
{
    struct token t = {.text = {at, 1}, .kind = PUNCTUATOR, .inside = VALUE};

    if (isdigit((unsigned char)*at) || is_word(*at)) {
        t.kind = isdigit((unsigned char)*at) ? NUMBER : NAME;
        while (is_word(at[t.text.len]) || (t.kind == NUMBER && at[t.text.len] == '.'))
            t.text.len++;
    } else if (*at == '\'' || *at == '"') {
        t.kind = STRING;
        t.text.len = quoted_length(at);
    } else if (*at == '`' || (*at == '}' && in_template(s))) {
        t.kind = TEMPLATE;
        t.text.len = template_length(at);
    } else if (*at == '/' && expects_operand(token_at(s, s->tokens.count - 1))) {
        t.kind = REGEX;
        t.text.len = quoted_length(at);
    } else {
        t.text.len = punctuator_length(at);
    }
    return t;
}

/* Returns what a brace encloses, by the token before it. */
static enum inside brace(const struct script *s)
{
    size_t n = s->tokens.count;
    const struct token *before = token_at(s, n - 1);

    if (!before || is_one_of(before, " ) => ; { } else do try finally "))
        return BLOCK;
    if (before->kind == NAME && is_one_of(token_at(s, n - 2), " class extends "))
        return CLASS;
    return OBJECT;
}

static void close_bracket(struct script *s, size_t index)
{
    size_t open;

    if (!s->open.count)
        die("a bracket closes none");
    open = s->open.items[--s->open.count];
    s->tokens.items[open].mate = index;
    s->tokens.items[index].mate = open;
}

/* A piece of a template may both close and open: `} and ${`. */
static bool opens(const struct token *t)
{
    return t->kind == TEMPLATE ? t->text.ptr[t->text.len - 1] == '{' : is_one_of(t, " ( [ { ");
}

static bool closes(const struct token *t)
{
    return t->kind == TEMPLATE ? t->text.ptr[0] == '}' : is_one_of(t, " ) ] } ");
}

static void add_token(struct script *s, struct token t)
{
    size_t index = s->tokens.count;

    if (is(&t, "{"))
        t.inside = brace(s);
    *vec_add(&s->tokens) = t;
    if (closes(&t))
        close_bracket(s, index);
    if (opens(&t))
        *vec_add(&s->open) = index;
}

/* Splits a text, which a NUL ends, into tokens. Their texts are in it. */
static void tokenize(struct script *s, const char *at)
{
    bool line = false;

    while (*at) {
        struct token t;

        if (isspace((unsigned char)*at)) {
            line |= *at++ == '\n';
            continue;
        }
        if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            const char *end = strstr(at, at[1] == '/' ? "\n" : "*/");

            at = !end ? at + strlen(at) : at[1] == '/' ? end : end + 2;
            continue;
        }
        t = scan(s, at);
        t.line = line;
        line = false;
        add_token(s, t);
        at += t.text.len;
    }
    if (s->open.count)
        die("a bracket is not closed");
}

/* ---- names ------------------------------------------------------------------------------------- */

/* Returns how the name at `index` is used, directly within a bracket. */
static enum use use_of(const struct script *s, size_t index, enum inside inside)
{
    const struct token *before = token_at(s, index - 1), *after = token_at(s, index + 1);
    bool first = is_one_of(before, " { , ");

    if (is_one_of(before, " . ?. "))
        return KEY;
    if (inside == CLASS)
        return KEY;
    if (inside != OBJECT)
        return VARIABLE;
    if (first && is_one_of(after, " , } = "))
        return SHORTHAND;
    if (is_one_of(before, " get set async * ") && is(after, "("))
        return KEY;
    return first && (is_one_of(after, " : ( ") || after->kind == NAME) ? KEY : VARIABLE;
}

static void find_uses(struct script *s)
{
    size_t statement = ALL + 1;

    vec_clear(&s->open);
    for (size_t i = 0; i < s->tokens.count; i++) {
        struct token *t = &s->tokens.items[i];
        size_t open = s->open.count ? s->open.items[s->open.count - 1] : SIZE_MAX;

        if (t->kind == NAME)
            t->use = use_of(s, i, open == SIZE_MAX ? BLOCK : s->tokens.items[open].inside);
        else if (is(t, "=") && open != SIZE_MAX && s->tokens.items[open].inside == CLASS)
            die("a class has a field");
        if (closes(t))
            s->open.count--;
        t->depth = s->open.count;
        t->statement = statement;
        if (t->depth <= OUTERMOST && is_one_of(t, " ; } ") && ++statement == STATEMENTS)
            die("too many statements");
        if (opens(t))
            *vec_add(&s->open) = i;
    }
}

static struct variable *find_variable(struct script *s, struct slice name)
{
    vec_each (struct variable, v, &s->variables)
        if (slice_equal(v->name, name))
            return v;
    return NULL;
}

/* Returns the index after an expression: of a comma, semicolon or closing bracket. */
static size_t skip_expression(const struct script *s, size_t i)
{
    for (; i < s->tokens.count; i++) {
        const struct token *t = token_at(s, i);

        if (t->mate && t->mate < i && t->kind != TEMPLATE)
            return i;
        if (is_one_of(t, " , ; "))
            return i;
        while (t->mate > i) { /* a template may open again where it closes */
            i = t->mate;
            t = token_at(s, i);
        }
    }
    return i;
}

/* Declares a variable, which is the outermost function's if `depth` brackets are around it. */
static void declare_name(struct script *s, struct slice name, size_t depth)
{
    struct token word = {.text = name, .kind = NAME};

    if (is_one_of(&word, " of get set async static "))
        die("a variable is called %.*s, which is a keyword elsewhere", SLICE_ARG(name));
    if (!find_variable(s, name))
        *vec_add(&s->variables) = (struct variable){.name = name};
    if (depth <= OUTERMOST)
        find_variable(s, name)->statements[ALL] |= 1;
}

/*
 * Declares the names of a pattern from index `i` to `end`, without its default values, for a
 * statement that `depth` brackets are around.
 */
static void declare(struct script *s, size_t i, size_t end, size_t depth)
{
    while (i < end) {
        const struct token *t = token_at(s, i);

        if (is(t, "=")) {
            i = skip_expression(s, i + 1);
            continue;
        }
        if (t->kind == NAME && t->use != KEY)
            declare_name(s, t->text, depth);
        i++;
    }
}

/* Returns the index after a name or a pattern in brackets. */
static size_t target_end(const struct script *s, size_t i)
{
    const struct token *t = token_at(s, i);

    if (!t)
        die("a declaration has no name");
    return (t->mate > i ? t->mate : i) + 1;
}

/* Declares the variables after `const`, `let` or `var`. */
static void declare_list(struct script *s, size_t i)
{
    size_t depth = token_at(s, i)->depth;

    do {
        size_t end = target_end(s, ++i);

        declare(s, i, end, depth);
        i = is(token_at(s, end), "=") ? skip_expression(s, end + 1) : end;
    } while (is(token_at(s, i), ","));
}

/* Declares the parameters in the brackets that open at `i`. */
static void declare_parameters(struct script *s, size_t i)
{
    const struct token *t = token_at(s, i);

    if (is(t, "(") && t->mate > i)
        declare(s, i + 1, t->mate, t->depth + 1);
}

static void find_declared(struct script *s)
{
    for (size_t i = 0; i < s->tokens.count; i++) {
        const struct token *t = token_at(s, i), *after = token_at(s, i + 1);
        bool key = t->kind == NAME && t->use == KEY;
        size_t next = i + 1 + is(after, "*"); /* past the star of a generator */

        if (is(t, "=>")) {
            const struct token *before = token_at(s, i - 1);

            declare(s, before && before->mate ? before->mate : i - 1, i, t->depth + 1);
        } else if (key && is(after, "(") && is(token_at(s, after->mate + 1), "{")) {
            declare_parameters(s, i + 1);
        } else if (!key && is_one_of(t, " const let var ")) {
            declare_list(s, i);
        } else if (!key && is_one_of(t, " function class ") && token_at(s, next) &&
                   token_at(s, next)->kind == NAME) {
            declare(s, next, next + 1, t->depth);
            declare_parameters(s, next + 1);
        } else if (!key && is_one_of(t, " function catch ")) {
            declare_parameters(s, next);
        }
    }
}

static int compare_variables(const void *a, const void *b)
{
    const struct variable *left = a, *right = b;

    if ((left->statements[ALL] ^ right->statements[ALL]) & 1)
        return left->statements[ALL] & 1 ? 1 : -1; /* locals repeat in each function: gzip */
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

/* Writes the name of a number: one letter, then two, then three. */
static void spell(size_t number, char brief[4])
{
    static const char letters[] = "etnaoirsclupmdhfgvywbkxjzqTENAOIRSCLUPMDHFGVYWBKXJZQ_$";
    size_t base = sizeof(letters) - 1, at = 0;

    for (size_t rest = number + 1; rest; rest = (rest - 1) / base) {
        if (at == 3)
            die("too many names");
        brief[at++] = letters[(rest - 1) % base];
    }
    brief[at] = '\0';
}

static bool meet(const struct variable *a, const struct variable *b)
{
    for (size_t i = 0; i < STATEMENTS / 64; i++)
        if (a->statements[i] & b->statements[i])
            return true;
    return false;
}

/* True if a variable cannot be called `name`, which is a keyword, or another name beside it. */
static bool is_taken(struct script *s, const struct variable *wish, struct slice name)
{
    struct token word = {.text = name, .kind = NAME};

    for (const struct variable *v = s->variables.items; v < wish; v++)
        if (slice_equal(slice_str(v->brief), name) && meet(v, wish))
            return true;
    vec_each (struct token, t, &s->tokens)
        if (t->kind == NAME && t->use != KEY && slice_equal(t->text, name) &&
            !find_variable(s, name))
            return true;
    return is_one_of(&word, " do if in is of as for let new try var get set ");
}

static void name_variables(struct script *s)
{
    for (size_t i = 0; i < s->tokens.count; i++) {
        const struct token *t = token_at(s, i);
        struct variable *v = t->kind == NAME && t->use != KEY ? find_variable(s, t->text) : NULL;

        if (!v)
            continue;
        if (!v->count++)
            v->first = i;
        v->statements[t->statement / 64] |= UINT64_C(1) << t->statement % 64;
    }
    qsort(s->variables.items, s->variables.count, sizeof(struct variable), compare_variables);
    vec_each (struct variable, v, &s->variables) {
        size_t number = 0;

        do
            spell(number++, v->brief);
        while (is_taken(s, v, slice_str(v->brief)));
    }
}

/* ---- the shorter script ------------------------------------------------------------------------ */

static void add_name(struct script *s, const struct token *t, struct buf *out)
{
    const struct variable *v = t->use == KEY ? NULL : find_variable(s, t->text);

    if (!v || t->use == SHORTHAND)
        buf_add_slice(out, t->text);
    if (v && t->use == SHORTHAND)
        buf_add_char(out, ':');
    if (v)
        buf_add_str(out, v->brief);
}

/* True if two tokens would be read as another one without a blank between them. */
static bool needs_blank(char last, const struct token *next)
{
    char first = next->text.ptr[0];

    return (is_word(last) && is_word(first)) || (last == first && strchr("+-/", first) != NULL);
}

/* True if a line must begin before a token, because JavaScript reads some statements by lines. */
static bool needs_line(const struct token *before, const struct token *t)
{
    return t->line && (is_one_of(before, " return break continue throw yield ") ||
                       is_one_of(before, " ++ -- ") || is_one_of(t, " ++ -- "));
}

static void write_script(struct script *s, struct buf *out)
{
    const struct token *before = NULL;

    for (size_t i = 0; i < s->tokens.count; i++) {
        const struct token *t = token_at(s, i);

        if (is_one_of(t, " ; , ") && is(token_at(s, i + 1), "}"))
            continue; /* the brace ends the statement or the list as well */
        if (before && needs_line(before, t))
            buf_add_char(out, '\n');
        else if (out->len && needs_blank(out->ptr[out->len - 1], t))
            buf_add_char(out, ' ');
        if (t->kind == NAME)
            add_name(s, t, out);
        else
            buf_add_slice(out, t->text);
        before = t;
    }
    buf_add_char(out, '\n');
}

int main(void)
{
    struct script s = {0};
    struct buf text = {0}, shorter = {0}, why = {0};

    if (!file_read_fd(0, MOST, &text, &why))
        die("cannot read the script: %s", buf_string(&why));
    tokenize(&s, buf_string(&text));
    find_uses(&s);
    find_declared(&s);
    name_variables(&s);
    write_script(&s, &shorter);
    if (fwrite(buf_string(&shorter), 1, shorter.len, stdout) != shorter.len || fflush(stdout))
        die("cannot write the script");
    vec_release(&s.tokens);
    vec_release(&s.open);
    vec_release(&s.variables);
    buf_release(&text);
    buf_release(&shorter);
    buf_release(&why);
    return 0;
}
