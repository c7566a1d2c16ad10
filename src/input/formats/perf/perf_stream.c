#include "input/formats/perf/perf_stream.h"

#include "base/file.h"
#include "input/core/dependencies.h"
#include "input/core/cut_off.h"
#include "input/core/recording.h"

static struct perf_stream *add(struct perf_streams *s)
{
    return *vec_add(s) = xcalloc(1, sizeof(struct perf_stream));
}

bool perf_streams_init(struct perf_streams *s, struct content *content)
{
    *s = (struct perf_streams){0};
    return perf_input_init(&add(s)->input, content);
}

void perf_streams_release(struct perf_streams *s)
{
    vec_each (struct perf_stream *, stream, s) {
        if (stream != s->items)
            source_release(&(*stream)->source);
        perf_input_release(&(*stream)->input);
        perf_unzip_release(&(*stream)->unzip);
        buf_release(&(*stream)->unpacked);
        xfree(*stream);
    }
    vec_release(s);
}

/* Adds a further file. Its errors name it: the content's diag names the recording. */
static bool add_file(struct perf_streams *s, struct content *content, const char *path)
{
    const struct input_limits *limits = &content->options->limits;
    struct perf_stream *stream = add(s);
    struct diag diag;
    bool ok;

    diag_init(&diag, slice_str(path));
    /* A pipe into which nobody writes would be waited for without end. */
    ok = file_kind(path) == FILE_REGULAR &&
         source_open(&stream->source, path, limits->max_size, &diag);
    diag_release(&diag);
    if (!ok)
        return diag_error(content->diag, "cannot read %s, a part of the recording", path);
    if (!source_is_plain(&stream->source) && !source_is_over(&stream->source))
        return diag_error(content->diag,
                          "%s, a part of the recording, is compressed or too large (--max-size)",
                          path);
    stream->source.path = NULL;
    stream->source.diag = content->diag;
    perf_input_init_plain(&stream->input, &stream->source, content->diag);
    stream->end = stream->input.size;
    return true;
}

bool perf_streams_add_rest(struct perf_streams *s, struct content *content)
{
    const char *recording = content->source->path;
    struct recording_files files = {0};
    bool ok = true;

    if (!recording)
        return true;
    dependencies_add_list(content->options, recording);
    if (!recording_list(&files, recording))
        ok = diag_error(content->diag,
                        "cannot read the other files of this recording; name its directory");
    if (files.missing)
        cut_off(content, DIAG_AT_FILE, "%llu of %llu files of the recording are missing",
                (unsigned long long)files.missing,
                (unsigned long long)(files.missing + files.paths.count));
    for (size_t i = 0; ok && i < files.paths.count; i++) {
        dependencies_add(content->options, DEPENDENCY_FILE, DEPENDENCY_BESIDE,
                         files.paths.items[i]);
        ok = add_file(s, content, files.paths.items[i]);
    }
    recording_files_release(&files);
    return ok;
}

struct perf_stream *perf_streams_next(const struct perf_streams *s)
{
    struct perf_stream *oldest = NULL;

    vec_each (struct perf_stream *const, stream, s)
        if ((*stream)->at < (*stream)->end && (!oldest || (*stream)->newest < oldest->newest))
            oldest = *stream;
    return oldest;
}
