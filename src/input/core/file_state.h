/*
 * The state of a file by its contents, which is the same on every machine.
 *
 * A binary with a build id is not read whole: the linker made the id of its code and its debug
 * information. But the id of GNU's linker leaves the names of symbols out, and strip, objcopy, dwz
 * and patchelf change a binary and keep the id. So the state is a digest of the size, of the
 * headers, which have the sizes and places of all sections, and of the contents of those from which
 * readers take names: tables of symbols, strings and notes, links to other files, and packed
 * symbols. Code or debug information that is edited afterwards in place, with no size changed, is
 * not noticed. The state of all other files, also of binaries for other kinds of machines, is a
 * digest of their bytes.
 */
#ifndef INPUT_CORE_FILE_STATE_H
#define INPUT_CORE_FILE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/blake.h"

/* What changes when somebody changes a file, on this machine. */
struct file_identity {
    uint64_t numbers[7]; /* device, inode, size, times */
};

/* Return false if there is no such file. */
bool file_state_identify(const char *path, struct file_identity *out);
bool file_state_identify_open(int fd, struct file_identity *out);

enum file_state_kind { FILE_STATE_BINARY, FILE_STATE_BYTES };

/*
 * Finds the state of a regular file, which is open. FILE_STATE_BYTES digests the bytes of binaries,
 * too. `*left` is the number of bytes that may be read; those that were read are taken from it.
 * Returns false if they do not suffice, if the file cannot be read or if it changes meanwhile;
 * the state is then all zeros.
 */
bool file_state_find(int fd, enum file_state_kind kind, uint64_t *left,
                     unsigned char state[BLAKE_SIZE]);

#endif
