/*
 * A frame as gdb prints it:
 *
 *     #1  0x000055e1 in start (arg=<optimized out>) from /lib/libpthread.so.0
 *
 * It may continue on the next line, so an incomplete text is parsed as far as it goes.
 */
#ifndef INPUT_FORMATS_DUMPS_GDB_FRAME_H
#define INPUT_FORMATS_DUMPS_GDB_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "input/build/frame.h"

/* How far the arguments of a frame were found. */
enum gdb_arguments {
    GDB_ARGUMENTS_NONE, /* the text is a name alone */
    GDB_ARGUMENTS_OPEN, /* they go on in the next line, or the file was cut */
    GDB_ARGUMENTS_WHOLE,
};

/* Takes "#12 " off the front of a line; what is left is not empty. */
bool gdb_frame_take_number(struct slice *line, uint64_t *number);
/* Takes "0x7f12 in " off the text after the number. */
void gdb_frame_take_address(struct slice *text, struct frame *f);

/*
 * "NAME (ARGS) at FILE:LINE": the name ends at the first " (" whose
 * parenthesis is closed before " at ", " from " or the end; a name may hold
 * others ("f(int)::<lambda(int)>", "std::function<void (int)>").
 */
enum gdb_arguments gdb_frame_split(struct slice text, struct slice *name, struct slice *tail);

/* Parses the text after the number. Returns false if the next line may belong to the frame. */
bool gdb_frame_parse(struct slice text, struct frame *f);

/* The name as stackcollapse-gdb.pl takes it: the first of four words, or the third. */
void gdb_frame_reference_name(struct slice text, struct buf *out);

#endif
