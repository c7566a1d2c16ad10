/*
 * Binaries and their debug information by build id, from the servers of $DEBUGINFOD_URLS.
 *
 * Only --debuginfod lets a reader ask. libdebuginfod, which is opened at the first request, keeps
 * what it fetched in its own cache, and the environment variables of its manual page apply. A file
 * may take SYMBOL_SERVER_SECONDS, or DEBUGINFOD_MAXTIME if that is set. What a server sends is
 * hostile input as any other binary.
 */
#ifndef INPUT_BUILD_SYMBOL_SERVER_H
#define INPUT_BUILD_SYMBOL_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "input/core/options.h"

enum { SYMBOL_SERVER_SECONDS = 120 };

/* The requests for the files of one input. All zero at the start. */
struct symbol_server {
    bool stopped;     /* a request showed that others would fail, too */
    uint32_t missing; /* binaries whose debug information no server has */
    struct buf names; /* of the first of these */
};

/*
 * Fetches the binary with a build id, or its debug information. Returns a descriptor, or -1:
 * `out_why` is empty if no server has the file, and else says what makes further requests useless.
 * `peer` is a socket, or -1; the request is given up if its other side is closed.
 */
int symbol_server_fetch(bool executable, struct slice build_id, int peer, struct buf *out_why);

/*
 * Fetches a file for the module `path`, as symbol_server_fetch() does, if --debuginfod is given and
 * the servers answer.
 */
int symbol_server_open(struct symbol_server *s, const struct input_options *options,
                       struct slice path, bool executable, struct slice build_id,
                       struct diag *diag);

/* Reports the binaries whose debug information no server has, and releases `s`. */
void symbol_server_end(struct symbol_server *s, struct diag *diag);

#endif
