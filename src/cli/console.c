#include "cli/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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
}

void console_release(struct console *c)
{
    pthread_mutex_destroy(&c->lock);
}

static void wipe_line(struct console *c)
{
    if (c->line)
        fputs("\r\033[K", stderr);
    c->line = false;
}

static bool is_wanted(const struct console *c, enum diag_level level)
{
    if (level == DIAG_ERROR)
        return true;
    return level == DIAG_WARNING ? !c->quiet : c->verbose && !c->quiet;
}

void console_show(struct console *c, const struct diag *diag)
{
    struct buf text;

    buf_init(&text);
    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct diag_message *m = &diag->messages.items[i];

        if (is_wanted(c, m->level))
            diag_write_message(diag, m, &text, c->colour);
    }
    wipe_line(c);
    fwrite(text.ptr, 1, text.len, stderr);
    buf_release(&text);
}

void console_say(struct console *c, const char *format, ...)
{
    struct buf text;
    va_list args;

    if (c->quiet)
        return;
    buf_init(&text);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    wipe_line(c);
    fprintf(stderr, "%s\n", text.ptr);
    buf_release(&text);
}

void console_error(struct console *c, const char *format, ...)
{
    struct diag diag;
    struct buf text;
    va_list args;

    buf_init(&text);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    diag_init(&diag, SLICE("flamepress"));
    diag_error(&diag, "%s", text.ptr);
    console_show(c, &diag);
    diag_release(&diag);
    buf_release(&text);
}

static void draw_line(struct console *c, const char *name, uint64_t elapsed_ns)
{
    struct buf line;
    double rate = (double)c->bytes / ((double)elapsed_ns / (double)second_ns);

    buf_init(&line);
    buf_printf(&line, "\r\033[K[%3u/%u] ", c->done, c->count);
    utf8_add_escaped(&line, slice_str(name));
    if (rate >= 1e9)
        buf_printf(&line, "  %.1f GB/s", rate / 1e9);
    else
        buf_printf(&line, "  %.0f MB/s", rate / 1e6);
    fputs(line.ptr, stderr);
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
