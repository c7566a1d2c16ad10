/*
 * libflamepress: profiles in, flame graphs out.
 *
 * Reads a profile in any format that `flamepress formats` lists, prepares one graph of it, and
 * draws it to PNG or SVG in memory or folds it to text; or makes a report of a whole directory.
 *
 * Settings have the names and values of the program's options without the dashes ("width", "800");
 * flamepress(1) describes them. Make them first: the same settings serve reading, preparing and
 * drawing. NULL instead of settings means the defaults. The setting "command" is the library's own:
 * "fold" reads and prepares a profile as `flamepress fold` does; "graph", the default, as
 * `flamepress graph` does.
 *
 * Errors: every function that can fail returns false or NULL and, unless `error` is NULL, writes
 * one message into it. No function prints or exits, with two exceptions by design: if memory runs
 * out, and if an invariant of the library is broken (a bug), it writes one line to stderr and calls
 * abort().
 *
 * Threads: settings may be shared by threads after the last flamepress_settings_set(); so may a
 * profile after flamepress_prepare(). The number of threads that the library starts (the setting
 * "threads") never changes a byte of the results.
 */
#ifndef FLAMEPRESS_H
#define FLAMEPRESS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct flamepress_settings; /* which data is wanted, and how graphs are drawn */
struct flamepress_profile;  /* a profile that was read */

struct flamepress_error {
    char message[1024]; /* UTF-8, ended by NUL, without a line end after it */
};

/* Bytes that the library allocated; flamepress_bytes_free() releases them. */
struct flamepress_bytes {
    char *data; /* `size` bytes and a NUL after them */
    size_t size;
};

enum flamepress_format { FLAMEPRESS_PNG, FLAMEPRESS_SVG };

/* The version of the library, such as "0.2.0". */
const char *flamepress_version(void);

/* Makes the default settings; never NULL. Release them with flamepress_settings_free(). */
struct flamepress_settings *flamepress_settings_new(void);
void flamepress_settings_free(struct flamepress_settings *settings);

/*
 * Sets one setting; settings that are lists (event, process, thread, state, search and the filters
 * focus, ignore, hide, show, show-from, prune-from and collapse-module) get one more value. `value`
 * is copied. Fails if there is no such setting, or if it does not take the value. Settings that
 * exclude each other are reported where they are used.
 */
bool flamepress_settings_set(struct flamepress_settings *settings, const char *name,
                             const char *value, struct flamepress_error *error);

/*
 * Reads the profile in the file `path`, or in `size` bytes of memory, which may be compressed and
 * are not needed afterwards. Fails with NULL if the bytes are no profile, hold no samples or are
 * damaged. Release the profile with flamepress_profile_free().
 */
struct flamepress_profile *flamepress_read(const char *path,
                                           const struct flamepress_settings *settings,
                                           struct flamepress_error *error);
struct flamepress_profile *flamepress_read_memory(const void *bytes, size_t size,
                                                  const struct flamepress_settings *settings,
                                                  struct flamepress_error *error);
void flamepress_profile_free(struct flamepress_profile *profile);

/* The name of the format that the profile was read as: "perf-script". */
const char *flamepress_profile_format(const struct flamepress_profile *profile);

/* Warnings about what was skipped or repaired, a line each; "" for none. The profile owns them. */
const char *flamepress_profile_warnings(const struct flamepress_profile *profile);

/*
 * Makes one graph of the profile, as the settings ask: the event, the kind, the filters, the times.
 * Comes once for a profile, before drawing and folding. Fails if the settings and the profile do
 * not go together, or if nothing is left to draw.
 */
bool flamepress_prepare(struct flamepress_profile *profile,
                        const struct flamepress_settings *settings, struct flamepress_error *error);

/* Draws the prepared profile. `picture` is filled only on success. */
bool flamepress_draw(const struct flamepress_profile *profile,
                     const struct flamepress_settings *settings, enum flamepress_format format,
                     struct flamepress_bytes *picture, struct flamepress_error *error);

/*
 * Writes the stacks of the prepared graph, "root;...;leaf weight", a line for each stack. If the
 * setting "command" is "fold", the bytes are those of `flamepress fold` with the same settings.
 * Otherwise names and weights are those of the picture: classes are marked ("_[k]") and page faults
 * are bytes.
 */
bool flamepress_fold(const struct flamepress_profile *profile, struct flamepress_bytes *text,
                     struct flamepress_error *error);

/* Releases the bytes, if there are any, and leaves `bytes` empty. */
void flamepress_bytes_free(struct flamepress_bytes *bytes);

/*
 * Makes a report of all profiles in a directory, or of one file: pages, data and pictures, as
 * `flamepress report` does, but without reading flamepress.yml. `out` must be absent, empty or an
 * earlier report, which is replaced at the end in one step. Inputs that cannot be read are listed
 * in the report. Above 50 graphs each has a page of its own, as with --pages=auto; the setting
 * "pages" is the program's alone. Fails, leaving an earlier report as it was, if nothing could be
 * drawn or written.
 */
bool flamepress_report(const char *directory, const char *out,
                       const struct flamepress_settings *settings, struct flamepress_error *error);

#ifdef __cplusplus
}
#endif

#endif
