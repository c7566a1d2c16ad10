#include "cli/run.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "assets/asset.h"
#include "base/suggest.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/implied.h"
#include "cli/sink.h"
#include "input/registry.h"
#include "options/make.h"
#include "report/templates.h"

/* External scripts and styles, beside graphs and pages, are files of the site. */
static void write_policy(const struct options *o, struct buf *out)
{
    templates_policy(o->plan.look.picture.svg_script == SVG_SCRIPT_EXTERNAL ||
                         o->pages == REPORT_PAGES_EACH,
                     out);
    buf_add_char(out, '\n');
}

/* The version and the commit; --verbose adds the libraries that the program was built with. */
static void write_version(const struct options *o, struct buf *out)
{
    struct slice about, commit;

    asset_find(SLICE("about"), &about);
    slice_cut(&about, '\n', &commit);
    buf_printf(out, "flamepress " FLAMEPRESS_VERSION " (%.*s)\n", SLICE_ARG(commit));
    if (o->verbose)
        buf_add_slice(out, about);
}

/* Texts about the program itself; they need no command to run. */
static bool answer(const struct options *o, const struct command *command, bool named,
                   struct console *console, struct outcome *outcome)
{
    struct buf text = {0};

    if (o->csp)
        write_policy(o, &text);
    else if (o->version)
        write_version(o, &text);
    else if (o->help && named)
        help_command(&text, command, o->help_group);
    else if (o->help)
        help_overview(&text, o->help_group);
    if (text.len)
        outcome->written = sink_write(console, NULL, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return o->csp || o->version || o->help;
}

/* Reports a first word that is neither a command nor a path as a mistyped command. */
static bool is_mistyped(const char *word, struct diag *diag)
{
    struct suggest near;
    struct stat st;
    struct buf hint = {0};

    if (word[0] == '-' || strchr(word, '/') || strchr(word, '.') || stat(word, &st) == 0)
        return false;
    suggest_init(&near, word);
    for (const struct command *c = commands; c->name; c++)
        suggest_offer(&near, c->name);
    suggest_write(&near, "flamepress ", &hint);
    if (!hint.len)
        buf_add_str(&hint, "; flamepress --help lists the commands");
    diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "no command or file is called '%s'%s", word,
             buf_string(&hint));
    buf_release(&hint);
    return true;
}

/* Reports an option before the command: `flamepress --quiet report DIR`. */
static bool is_misplaced(const struct options *o, struct diag *diag)
{
    struct stat st;

    vec_each (const char *, path, &o->paths) {
        if (!command_find(*path) || stat(*path, &st) == 0)
            continue;
        diag_error(diag, "the command comes first: flamepress %s OPTIONS", *path);
        return true;
    }
    return false;
}

static bool generate(int count, char *const *words, struct console *console,
                     struct outcome *outcome)
{
    static const char option[] = "--generate=";
    struct buf text = {0};
    bool known;

    if (count != 1 || strncmp(words[0], option, sizeof(option) - 1) != 0)
        return false;
    known = help_generate(&text, words[0] + sizeof(option) - 1);
    if (known)
        outcome->written = sink_write(console, NULL, buf_slice(&text)) != SINK_FAILED;
    else
        outcome->usage = true;
    buf_release(&text);
    return true;
}

/* Takes off the first word, a command of other programs that is an option of this one. */
static bool take_word(const char *word, int *count, char *const **words)
{
    struct stat st;

    if (!*count || strcmp(**words, word) != 0 || stat(word, &st) == 0)
        return false;
    --*count;
    ++*words;
    return true;
}

/* In KB; half of it was enough for all that the tests do. */
enum { STACK_LEAST = 256 };

/* Returns false after reporting a stack in which the program, or its threads, would crash. */
static bool has_stack(struct diag *diag)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_LEAST << 10 ||
           diag_error(diag, "the stack is limited to %llu KB, and %d are needed (ulimit -s)",
                      (unsigned long long)limit.rlim_cur >> 10, STACK_LEAST);
}

int run(int count, char *const *words)
{
    bool help = take_word("help", &count, &words);
    bool version = take_word("version", &count, &words);
    const struct command *command = count ? command_find(words[0]) : NULL;
    bool named = command != NULL;
    struct outcome outcome = {0};
    struct options options;
    struct plan plan = {0};
    struct console console;
    struct diag diag;

    /* So that a closed pipe and a limit on file sizes become errors of write(). */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    registry_check();
    diag_init(&diag, SLICE("flamepress"));
    options_init(&options);
    console_init(&console, &options);
    if (!has_stack(&diag))
        goto done;
    options.plan.reading.open_named = broker_open_named;
    options.plan.reading.fetch = broker_fetch;
    options.plan.reading.open_context = &console.broker;
    if (named) {
        count--;
        words++;
    } else {
        command = implied_command(count, words);
    }
    if (!named && generate(count, words, &console, &outcome))
        goto done;
    if ((!named && count && is_mistyped(words[0], &diag)) ||
        !arguments_parse(&options, command->id, count, words, &diag) ||
        (!named && is_misplaced(&options, &diag)) || !implied_check(&options, &diag)) {
        outcome.usage = true;
        goto done;
    }
    console.quiet = options.quiet;
    console.verbose = options.verbose;
    options.version |= version;
    options.help |= help || (!named && !count && command->id == COMMAND_REPORT);
    if (answer(&options, command, named, &console, &outcome))
        goto done;
    /* These commands complete their plans from flamepress.yml. */
    if (command->id & (COMMAND_REPORT | COMMAND_CHECK | COMMAND_DIGEST) ||
        options_make_plan(&plan, &options, DIAG_AT_FILE, &diag))
        command->run(&(struct command_job){
            .options = &options, .plan = &plan, .console = &console, .outcome = &outcome});
    else
        outcome.usage = true;

done:
    console_show(&console, &diag);
    diag_release(&diag);
    console_release(&console);
    plan_release(&plan);
    options_release(&options);
    return (int)exit_status(&outcome);
}
