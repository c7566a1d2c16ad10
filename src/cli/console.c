#include "cli/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"

static const uint64_t second_ns = 1000000000;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

void console_init(struct console *c, const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    *c = (struct console){0};
    c->quiet = options->quiet;
    c->verbose = options->verbose;
    c->terminal = isatty(STDERR_FILENO) == 1;
    c->colour = c->terminal && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    c->started_ns = now_ns();
    pthread_mutex_init(&c->lock, NULL);
    broker_init(&c->broker);
}

void console_release(struct console *c)
{
    broker_release(&c->broker);
    pthread_mutex_destroy(&c->lock);
}

static void wipe_line(struct console *c)
{
    if (c->line)
        fputs("\r\033[K", stderr);
    c->line = false;
}

/* Prints the messages; notes only if `notes`, and none but errors with --quiet. */
static void show(struct console *c, const struct diag *diag, bool notes)
{
    struct buf text = {0};

    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct diag_message *m = &diag->messages.items[i];

        if (m->level == DIAG_ERROR || (!c->quiet && (notes || m->level == DIAG_WARNING)))
            diag_write_message(diag, m, &text, c->colour);
    }
    wipe_line(c);
    fwrite(buf_string(&text), 1, text.len, stderr);
    buf_release(&text);
}

void console_show(struct console *c, const struct diag *diag)
{
    show(c, diag, c->verbose);
}

void console_show_all(struct console *c, const struct diag *diag)
{
    show(c, diag, true);
}

void console_say(struct console *c, const char *format, ...)
{
    struct buf text = {0};
    va_list args;

    if (c->quiet)
        return;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    wipe_line(c);
    fprintf(stderr, "%s\n", buf_string(&text));
    buf_release(&text);
}

void console_error(struct console *c, const char *format, ...)
{
    struct diag diag;
    struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    diag_init(&diag, SLICE("flamepress"));
    diag_error(&diag, "%s", buf_string(&text));
    console_show(c, &diag);
    diag_release(&diag);
    buf_release(&text);
}

/* Returns the longest end of a name that fits in `most` columns; wide characters take two. */
static void add_name(struct buf *line, const char *name, size_t most)
{
    struct slice rest;
    struct buf text = {0};
    size_t columns = 0;
    uint32_t c;

    utf8_add_escaped(&text, slice_str(name));
    rest = buf_slice(&text);
    while (rest.len && columns <= most) {
        size_t n = 1;

        while (n < rest.len && (rest.ptr[rest.len - n] & 0xc0) == 0x80)
            n++;
        utf8_decode(slice_skip(rest, rest.len - n), &c);
        columns += c >= 0x1100 ? 2 : 1;
        if (columns <= most)
            rest.len -= n;
    }
    buf_add_slice(line, slice_skip(buf_slice(&text), rest.len));
    buf_release(&text);
}

static void draw_line(struct console *c, const char *name, uint64_t elapsed_ns)
{
    enum { OTHERS = 26, LEAST = 8 }; /* columns of the numbers around the name, and of the name */
    double rate = (double)c->bytes / ((double)elapsed_ns / (double)second_ns);
    struct winsize size = {0};
    struct buf line = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        size.ws_col = 80;
    buf_printf(&line, "\r\033[K[%3u/%u] ", c->done, c->count);
    add_name(&line, name, size.ws_col > OTHERS + LEAST ? size.ws_col - OTHERS : LEAST);
    if (rate >= 1e9)
        buf_printf(&line, "  %.1f GB/s", rate / 1e9);
    else
        buf_printf(&line, "  %.0f MB/s", rate / 1e6);
    fputs(buf_string(&line), stderr);
    fflush(stderr);
    buf_release(&line);
    c->line = true;
}

void console_progress(struct console *c, const char *name, uint64_t bytes)
{
    uint64_t now;

    pthread_mutex_lock(&c->lock);
    c->done++;
    c->bytes += bytes;
    now = now_ns();
    if (c->terminal && !c->quiet && now - c->started_ns > second_ns / 2 &&
        now - c->shown_ns > second_ns / 10) {
        c->shown_ns = now;
        draw_line(c, name, now - c->started_ns);
    }
    pthread_mutex_unlock(&c->lock);
}

void console_progress_end(struct console *c)
{
    wipe_line(c);
    fflush(stderr);
}
