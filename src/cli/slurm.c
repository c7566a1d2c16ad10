#include "cli/slurm.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/shell.h"
#include "batch/inputs.h"
#include "batch/part.h"
#include "cli/child.h"
#include "cli/report_parts.h"
#include "cli/sink.h"
#include "options/make.h"
#include "report/manifest.h"

/* If --parts says nothing. Slurm's own limit of an array (MaxArraySize) is 1001. */
enum { INPUTS_OF_A_PART = 100, PARTS_AT_LEAST = 2, PARTS_AT_MOST = 1000 };

enum { STATUS_MOST = 16 }; /* bytes */

struct cluster {
    struct arena memory;
    const struct options *options;
    struct console *console;
    struct diag *diag;
    unsigned parts;
    const char *place;     /* of the parts: OUT.parts */
    const char *part_path; /* of the script of a part */
    const char *stitch_path;
    const char *status_path;  /* of the file with the exit status of the stitch */
    struct buf part, stitch;  /* the scripts */
    const char *array, *last; /* the ids of the two jobs */
};

/* ---- scripts --------------------------------------------------------------------------------- */

static void add_flag(struct buf *out, bool set, const char *flag)
{
    if (set)
        buf_printf(out, " %s", flag);
}

/* Appends the lines that both scripts begin with, and `more` comments for sbatch. */
static bool add_head(struct cluster *c, struct buf *out, const char *name, const char *log,
                     const char *more)
{
    char *here = getcwd(NULL, 0);

    if (!here)
        return diag_error(c->diag, "the current directory cannot be found");
    buf_printf(out, "#!/bin/sh\n#SBATCH --job-name=flamepress-%s\n%s#SBATCH --output=%s\n", name,
               more, log);
    buf_add_str(out, "cd");
    shell_add_word(out, here);
    buf_add_str(out, " || exit\n");
    free(here);
    return true;
}

/* Appends the program and "report". */
static bool add_program(struct cluster *c, struct buf *out)
{
    struct buf path = {0}, why = {0};
    bool ok = file_follow("/proc/self/exe", &path, &why);

    if (!ok)
        diag_error(c->diag, "the program's own path cannot be found: %s", buf_string(&why));
    shell_add_word(out, buf_string(&path));
    buf_add_str(out, " report");
    add_flag(out, c->options->no_sandbox, "--no-sandbox");
    add_flag(out, c->options->no_fsync, "--no-fsync");
    buf_release(&path);
    buf_release(&why);
    return ok;
}

static void add_paths(const struct cluster *c, struct buf *out)
{
    buf_add_str(out, " --");
    vec_each (const char *const, path, &c->options->paths)
        shell_add_word(out, *path);
}

static bool write_part(struct cluster *c)
{
    struct buf *out = &c->part;
    struct buf more = {0};
    bool ok;

    buf_printf(&more, "#SBATCH --array=1-%u\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
               c->parts);
    ok = add_head(c, out, "part", arena_printf(&c->memory, "%s/part-%%a.log", c->place),
                  buf_string(&more));
    buf_add_str(out, "exec");
    ok = ok && add_program(c, out);
    buf_printf(out, " --threads=\"${SLURM_CPUS_PER_TASK:-1}\" --part=\"$SLURM_ARRAY_TASK_ID/%u\"",
               c->parts);
    buf_add_str(out, " --parts");
    shell_add_word(out, c->place);
    vec_each (const char *const, word, &c->options->words)
        shell_add_word(out, *word);
    add_paths(c, out);
    buf_add_char(out, '\n');
    buf_release(&more);
    return ok;
}

static bool write_stitch(struct cluster *c)
{
    struct buf *out = &c->stitch;
    bool ok;

    ok = add_head(c, out, "stitch", arena_printf(&c->memory, "%s/stitch.log", c->place),
                  "#SBATCH --requeue\n");
    ok = ok && add_program(c, out);
    add_flag(out, c->options->force, "--force");
    buf_add_str(out, " --stitch");
    shell_add_word(out, c->place);
    buf_add_str(out, " -o");
    shell_add_word(out, options_output(c->options));
    vec_each (const char *const, word, &c->options->words)
        if (report_parts_repeat(*word))
            shell_add_word(out, *word);
    add_paths(c, out);
    buf_add_str(out, "\nstatus=$?\necho $status >");
    shell_add_word(out, c->status_path);
    buf_add_str(out, "\nexit $status\n");
    return ok;
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* Removes what an earlier run left in the directory of the parts. */
static bool clear_place(struct cluster *c)
{
    DIR *directory = opendir(c->place);
    struct arena memory = {0};
    struct part_number id;
    struct dirent *entry;
    struct buf why = {0};
    bool ok = true;

    while (directory && ok && (entry = readdir(directory))) {
        const char *path = arena_printf(&memory, "%s/%s", c->place, entry->d_name);

        if (part_number_read(slice_str(entry->d_name), "-of-", &id) &&
            manifest_look(path, &why) == MANIFEST_REPORT)
            ok = file_remove_tree(path, &why);
    }
    if (directory)
        closedir(directory);
    unlink(c->status_path);
    if (!ok)
        diag_error(c->diag, "%s: %s", c->place, buf_string(&why));
    arena_release(&memory);
    buf_release(&why);
    return ok;
}

static bool write_scripts(struct cluster *c)
{
    struct buf why = {0};
    bool ok;

    ok = file_make_directory(c->place, &why) && clear_place(c) &&
         file_replace(c->part_path, buf_slice(&c->part), &why) &&
         file_replace(c->stitch_path, buf_slice(&c->stitch), &why);
    if (!ok && why.len)
        diag_error(c->diag, "%s: %s", c->place, buf_string(&why));
    buf_release(&why);
    return ok;
}

/* Cuts blanks and newlines at the end. */
static const char *cut_blanks(struct buf *text)
{
    while (text->len && strchr(" \n\r\t", text->ptr[text->len - 1]))
        buf_cut(text, text->len - 1);
    return buf_string(text);
}

/* Runs sbatch and finds the id of its job, "17" or "17;CLUSTER". */
static const char *submit(struct cluster *c, const char *const *words)
{
    struct buf output = {0};
    const char *id = NULL;
    int status = child_run(words, &output);
    struct slice said = slice_str(cut_blanks(&output)), line = said;

    if (slice_find_last(said, '\n') < said.len)
        line = slice_skip(said, slice_find_last(said, '\n') + 1);
    line = slice_take(line, slice_find(line, ';'));
    if (status == 0 && line.len)
        id = arena_strdup(&c->memory, line);
    else if (status == CHILD_NOT_STARTED && !said.len)
        diag_error(c->diag,
                   "sbatch is not in PATH: run --slurm on a machine of the cluster, or print the "
                   "jobs with --dry-run");
    else
        diag_error(c->diag, "sbatch failed with status %d%s%.*s", status, said.len ? ": " : "",
                   SLICE_ARG(said));
    buf_release(&output);
    return id;
}

/* The stitch also follows parts that failed for good, which the report then names. */
static const char *dependency(struct cluster *c, const char *array)
{
    return arena_printf(&c->memory, "--dependency=afterok:%s?afternotok:%s", array, array);
}

static bool submit_all(struct cluster *c)
{
    const char *parts[] = {"sbatch", "--parsable", c->part_path, NULL};
    const char *stitch[] = {"sbatch", "--parsable", NULL, c->stitch_path, NULL};

    if (!write_scripts(c))
        return false;
    c->array = submit(c, parts);
    if (!c->array)
        return false;
    stitch[2] = dependency(c, c->array);
    c->last = submit(c, stitch);
    if (!c->last) {
        const char *cancel[] = {"scancel", c->array, NULL};
        struct buf output = {0};

        child_run(cancel, &output);
        buf_release(&output);
    }
    return c->last != NULL;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Tasks of the array by state. */
struct progress {
    unsigned done, running, failed;
};

static bool is_state(struct slice state, const char *const *names)
{
    for (; *names; names++)
        if (slice_equal(state, slice_str(*names)))
            return true;
    return false;
}

/* Counts the parts in their directory, and in squeue the tasks that run or failed. */
static struct progress look(struct cluster *c)
{
    static const char *const running[] = {"RUNNING", "COMPLETING", NULL};
    static const char *const quiet[] = {"PENDING", "COMPLETED", "CONFIGURING", "REQUEUED", NULL};
    const char *words[] = {"squeue",      "--noheader", "--array", "--states=all",
                           "--format=%T", "--jobs",     c->array,  NULL};
    struct progress p = {0};
    struct buf output = {0};
    struct slice rest;

    for (unsigned i = 1; i <= c->parts; i++) {
        struct arena memory = {0};

        p.done += file_kind(arena_printf(&memory, "%s/%u-of-%u", c->place, i, c->parts)) ==
                  FILE_DIRECTORY;
        arena_release(&memory);
    }
    if (child_run(words, &output) == 0) {
        for (rest = buf_slice(&output); rest.len;) {
            size_t end = slice_find(rest, '\n');
            struct slice state = slice_take(rest, end);

            p.running += is_state(state, running);
            p.failed += state.len && !is_state(state, running) && !is_state(state, quiet);
            rest = slice_skip(rest, end < rest.len ? end + 1 : end);
        }
    }
    buf_release(&output);
    return p;
}

static void say_progress(struct cluster *c, struct progress *last)
{
    struct progress now = look(c);

    if (memcmp(&now, last, sizeof(now)) != 0)
        console_say(c->console, "%u of %u parts made, %u running, %u failed", now.done, c->parts,
                    now.running, now.failed);
    *last = now;
}

/* Appends what Slurm says of the job of the report: "PENDING", "FAILED 1:0"; or nothing. */
static void find_state(struct cluster *c, struct buf *out)
{
    const char *queue[] = {"squeue", "--noheader", "--states=all", "--format=%T", "--jobs",
                           c->last,  NULL};
    const char *past[] = {
        "sacct",  "--noheader", "--parsable2", "--allocations", "--format=State,ExitCode",
        "--jobs", c->last,      NULL};

    if (child_run(queue, out) != 0 || !cut_blanks(out)[0]) {
        buf_clear(out);
        if (child_run(past, out) != 0)
            buf_clear(out);
        cut_blanks(out);
    }
}

/* Returns the exit status of the stitch, or -1 if there is none yet. */
static int read_status(struct cluster *c)
{
    struct buf text = {0}, why = {0};
    int status = -1;

    /* The newline comes last. */
    if (file_read(c->status_path, STATUS_MOST, &text, &why) && text.len == 2 &&
        text.ptr[0] >= '0' && text.ptr[0] <= '9')
        status = text.ptr[0] - '0';
    else if (text.len > 2 && text.ptr[text.len - 1] == '\n')
        status = EXIT_NOTHING_WRITTEN;
    buf_release(&text);
    buf_release(&why);
    return status;
}

/* True if a job in this state runs or will run. The state is empty if Slurm does not answer. */
static bool is_alive(struct slice state)
{
    static const char *const states[] = {
        "", "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED", NULL};

    return is_state(state, states);
}

static void pause_for(unsigned seconds)
{
    nanosleep(&(struct timespec){.tv_sec = seconds}, NULL);
}

/* Waits for the report. Returns the exit status of the stitch, or -1 after reporting an error. */
static int wait_for_report(struct cluster *c)
{
    enum { LONGEST = 15, LATE = 3 }; /* seconds; looks after the job's end until a file is missed */
    struct progress last = {0};
    struct buf state = {0};
    int status;

    for (unsigned pause = 1, late = 0; (status = read_status(c)) < 0 && late < LATE;) {
        say_progress(c, &last);
        buf_clear(&state);
        find_state(c, &state);
        late += !is_alive(buf_slice(&state));
        pause_for(pause);
        pause += pause < LONGEST;
    }
    say_progress(c, &last);
    if (status < 0)
        diag_error(c->diag, "the job %s ended without making the report (%s): see %s/stitch.log",
                   c->last, buf_string(&state), c->place);
    buf_release(&state);
    return status;
}

/* Prints what the stitch printed. */
static void show_log(struct cluster *c)
{
    struct buf text = {0}, why = {0};

    if (file_read(arena_printf(&c->memory, "%s/stitch.log", c->place), 1 << 20, &text, &why) &&
        text.len)
        console_say(c->console, "%s", cut_blanks(&text));
    buf_release(&text);
    buf_release(&why);
}

static void wait_and_judge(struct cluster *c, struct outcome *outcome)
{
    int status = wait_for_report(c);

    show_log(c);
    exit_take_over(outcome, status);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Finds the number of parts: that of --parts, or one for each INPUTS_OF_A_PART inputs. */
static bool count_parts(struct cluster *c)
{
    const struct options *o = c->options;
    const struct inputs_options reading = {options_output(o), o->follow};
    struct part_number id = {0};
    struct inputs in;
    bool ok;

    if (o->parts) {
        ok = part_number_read(slice_str(arena_printf(&c->memory, "1/%s", o->parts)), "/", &id);
        c->parts = id.count;
        return ok || diag_error(c->diag,
                                "option --parts: invalid value '%s', expected a number of parts, "
                                "as --slurm names their directory",
                                o->parts);
    }
    ok = inputs_init(&in, o->paths.items, o->paths.count, &reading, c->diag);
    c->parts = (unsigned)(in.items.count / INPUTS_OF_A_PART) + 1;
    c->parts = c->parts < PARTS_AT_LEAST ? PARTS_AT_LEAST : c->parts;
    c->parts = c->parts > PARTS_AT_MOST ? PARTS_AT_MOST : c->parts;
    inputs_release(&in);
    return ok;
}

static bool check_usage(struct cluster *c)
{
    const struct options *o = c->options;
    struct plan plan = {0};
    bool ok = options_make_plan(&plan, o, DIAG_AT_FILE, c->diag);

    plan_release(&plan);
    if (!ok)
        return false;
    if (!o->paths.count)
        return diag_error(c->diag, "name a directory of profiles, or profiles (see --help)");
    if (!options_output(o))
        return diag_error(c->diag, "name the report's directory with -o OUT");
    return count_parts(c);
}

static void name_files(struct cluster *c)
{
    struct slice out = slice_str(options_output(c->options));

    while (out.len > 1 && out.ptr[out.len - 1] == '/')
        out.len--;
    c->place = arena_printf(&c->memory, "%.*s.parts", SLICE_ARG(out));
    c->part_path = arena_printf(&c->memory, "%s/part.sh", c->place);
    c->stitch_path = arena_printf(&c->memory, "%s/stitch.sh", c->place);
    c->status_path = arena_printf(&c->memory, "%s/status", c->place);
}

/* Prints the scripts and the commands, in the form of a script that does what --slurm does. */
static bool print_scripts(struct cluster *c)
{
    struct buf out = {0};
    bool ok;

    buf_printf(&out, "# %s\n%s\n# %s\n%s\n# commands\n", c->part_path, buf_string(&c->part),
               c->stitch_path, buf_string(&c->stitch));
    buf_add_str(&out, "array=$(sbatch --parsable");
    shell_add_word(&out, c->part_path);
    buf_add_str(&out, ")\nsbatch --parsable \"--dependency=afterok:$array?afternotok:$array\"");
    shell_add_word(&out, c->stitch_path);
    buf_add_char(&out, '\n');
    ok = sink_write(c->console, NULL, buf_slice(&out)) != SINK_FAILED;
    buf_release(&out);
    return ok;
}

static void run(struct cluster *c, struct outcome *outcome)
{
    if (!check_usage(c)) {
        outcome->usage = true;
        return;
    }
    name_files(c);
    if (!write_part(c) || !write_stitch(c))
        return;
    if (c->options->dry_run) {
        outcome->written = print_scripts(c);
        return;
    }
    outcome->written = submit_all(c);
    if (!outcome->written)
        return;
    console_say(c->console, "job %s makes %u parts in %s, job %s then the report: squeue -j %s,%s",
                c->array, c->parts, c->place, c->last, c->array, c->last);
    if (c->options->wait)
        wait_and_judge(c, outcome);
}

void slurm_report(const struct command_job *job)
{
    struct cluster c = {.options = job->options, .console = job->console};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    c.diag = &diag;
    run(&c, job->outcome);
    console_show(job->console, &diag);
    diag_release(&diag);
    buf_release(&c.part);
    buf_release(&c.stitch);
    arena_release(&c.memory);
}
