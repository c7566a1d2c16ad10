/*
 * Reads any bytes as a file: decompression, encodings, recognition and the reader
 * that claims them, with small limits.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "input/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_options options = input_options_default();
    int fd = memfd_create("in", 0);
    struct profile profile;
    struct diag diag;
    struct buf path = {0}, text = {0};
    enum input_result result;

    BUG_ON(fd < 0);
    options.limits.max_size = 4 << 20;
    options.limits.max_line = 1 << 20;
    BUG_ON(!file_write_fd(fd, slice_make((const char *)data, size), &path));
    buf_printf(&path, "/proc/self/fd/%d", fd);
    profile_init(&profile);
    diag_init(&diag, SLICE("in"));
    result = input_read(buf_string(&path), &options, 1, &profile, &diag);
    /* A file that is not read is reported once. */
    BUG_ON(result == INPUT_FAILED && diag.counts[DIAG_ERROR] != 1);
    /* One of which too much is malformed is read, and reported once. */
    BUG_ON(result == INPUT_READ && diag.counts[DIAG_ERROR] > 1);
    /* Bytes after the last member of a compressed file are a warning, whatever the members hold. */
    BUG_ON(result == INPUT_UNKNOWN && (diag.counts[DIAG_NOTE] != 1 || diag.counts[DIAG_ERROR] ||
                                       diag.counts[DIAG_WARNING] > 1));
    BUG_ON(result == INPUT_EMPTY && (diag.counts[DIAG_ERROR] || !diag_last_note(&diag).len));
    diag_write(&diag, &text, false);
    profile_release(&profile);
    diag_release(&diag);
    buf_release(&path);
    buf_release(&text);
    close(fd);
    return 0;
}
