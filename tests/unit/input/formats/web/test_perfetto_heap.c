#include <zstd.h>

#include "unit/support/folding.h"
#include "unit/support/proto_text.h"
#include "unit/support/test.h"

/* Reads packets in proto_text.h's form, each of which is a field 1 of the file. */
static void check(const char *packets, const char *folded, const char *message)
{
    struct buf bytes = {0};

    proto_text_add(&bytes, packets, NULL);
    folding_check_bytes(buf_slice(&bytes), folded, message);
    buf_release(&bytes);
}

/* Two stacks: main;parse;malloc and main, the first with its library. */
#define TABLES                                                                                     \
    "12:{5:{1:1 2:'main'} 5:{1:2 2:'parse'} 17:{1:4 2:'data'} 17:{1:5 2:'libapp.so'} "             \
    "19:{1:3 7:4 7:5} 6:{1:1 2:1} 6:{1:2 2:2 3:3 4:64} 6:{1:3 3:3 4:4096} "                        \
    "7:{1:10 2:1 2:2 2:3} 7:{1:11 2:[1]}} "

/* Allocated and in use, bytes and objects; what is freed entirely is not in use. */
Test(input_perfetto_heap, one_dump)
{
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 11:'libc.malloc' "
          "2:{1:10 2:1000 3:300 5:10 6:3} 2:{1:11 2:64 3:64 5:2 6:2}}}}",
          "--\nmain;parse;[libapp.so] 700\n--\nmain;parse;[libapp.so] 7\n"
          "--\nmain 64\nmain;parse;[libapp.so] 1000\n--\nmain 2\nmain;parse;[libapp.so] 10\n",
          NULL);
}

/* Of several dumps the last one counts, and a stack that is not in it keeps what it had. */
Test(input_perfetto_heap, several_dumps)
{
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:10 2:100 5:1} 2:{1:11 2:8 5:1}}}}"
          "1:{10:2 37:{5:{1:42 2:{1:10 2:500 5:4}} 7:1}}",
          "--\nmain 8\nmain;parse;[libapp.so] 500\n--\nmain 1\nmain;parse;[libapp.so] 4\n"
          "--\nmain 8\nmain;parse;[libapp.so] 500\n--\nmain 1\nmain;parse;[libapp.so] 4\n",
          NULL);
}

/* A stack that comes back with another number counts from 0 again. */
Test(input_perfetto_heap, stack_comes_back)
{
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100 3:100}}}}"
          "1:{10:2 12:{7:{1:12 2:1}} 37:{5:{1:42 2:{1:12 2:30}}}}",
          "--\nmain 30\n--\nmain 130\n", NULL);
}

/* What counts less than before is left out. */
Test(input_perfetto_heap, counted_down)
{
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100}}}}"
          "1:{10:2 37:{5:{1:42 2:{1:11 2:90}}}}",
          "--\nmain 100\n--\nmain 100\n",
          "a sample of the heap with stack 11 is left out: it counts less");
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100 3:101} 2:{1:10 2:1}}}}",
          "--\nmain;parse;[libapp.so] 1\n--\nmain 100\nmain;parse;[libapp.so] 1\n",
          "a sample of the heap is left out: 101 were freed of 100 allocated (inuse_space)");
}

/* The last of the packets that make a dump may explain the stacks of the first. */
Test(input_perfetto_heap, continued)
{
    check("1:{10:2 13:1 37:{5:{1:42 2:{1:11 2:100}} 6:1}}"
          "1:{10:3 13:1 " TABLES "37:{5:{1:42 2:{1:10 2:7}}}}"
          "1:{10:2 12:{5:{1:1 2:'late'} 6:{1:1 2:1} 7:{1:11 2:1}} 37:{6:0}}",
          "--\nlate 100\nmain;parse;[libapp.so] 7\n--\nlate 100\nmain;parse;[libapp.so] 7\n", NULL);
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100}} 6:1}}",
          "--\nmain 100\n--\nmain 100\n", NULL);
}

/* Android 10 has the tables in the profile. */
Test(input_perfetto_heap, tables_within)
{
    check("1:{10:2 37:{1:{1:1 2:'main'} 1:{1:2 2:'libc.so'} 4:{1:1 7:2} 2:{1:1 2:1 3:1 4:8} "
          "3:{1:1 2:1} 5:{1:42 2:{1:1 2:100}}}}",
          "--\nmain 100\n--\nmain 100\n", NULL);
}

/* The processes are the first frames if there are several; a heap other than malloc's is named. */
Test(input_perfetto_heap, processes_and_heaps)
{
    check("1:{10:1 2:{1:{1:42 2:1 3:'app' 3:'-v'}}}"
          "1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100}} 5:{1:43 2:{1:11 2:20}}}}",
          "--\napp;main 100\npid 43;main 20\n--\napp;main 100\npid 43;main 20\n", NULL);
    check("1:{10:2 13:1 " TABLES
          "37:{5:{1:42 11:'com.android.art' 2:{1:11 2:100}} 5:{1:42 11:'bitmap' 2:{1:11 2:3}}}}",
          "--\nmain 3\n--\nmain 100\n--\nmain 3\n", NULL);
}

/* Objects are counted at the peak by those writers that also tell the interval. */
Test(input_perfetto_heap, peak)
{
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 8:100 9:3}}}}", "--\nmain 100\n", NULL);
    check("1:{10:2 13:1 " TABLES "37:{5:{1:42 13:4096 2:{1:11 8:100 9:3}}}}",
          "--\nmain 100\n--\nmain 3\n", NULL);
}

/* What a number stands for is missing: a stack, a frame, a function, a library, its path. */
Test(input_perfetto_heap, missing_items)
{
    check("1:{10:2 13:1 37:{5:{1:42 2:{1:11 2:100}}}}", "--\n 100\n--\n 100\n",
          "1 sample of the heap has a stack that the file does not explain");
    check("1:{10:2 13:1 12:{7:{1:11 2:1}} 37:{5:{1:42 2:{1:11 2:100}}}}",
          "--\n[unknown] 100\n--\n[unknown] 100\n", NULL);
    check("1:{10:2 13:1 12:{6:{1:1 2:9 3:9} 6:{1:2 2:0 3:8} 19:{1:8 7:77} 7:{1:11 2:[1 2]}} "
          "37:{5:{1:42 2:{1:11 2:100}}}}",
          "--\n[unknown];[unknown] 100\n--\n[unknown];[unknown] 100\n", NULL);
}

/* An item that is explained after its use is known from then on. */
Test(input_perfetto_heap, explained_late)
{
    check("1:{10:2 13:1 12:{7:{1:11 2:1}} 37:{5:{1:42 2:{1:11 2:1}}}}"
          "1:{10:2 12:{5:{1:1 2:'main'} 6:{1:1 2:1}} 37:{5:{1:42 2:{1:11 2:5}}}}",
          "--\n[unknown] 1\nmain 5\n--\n[unknown] 1\nmain 5\n", NULL);
}

/* Weights beyond 64 bits end the reading with a message. */
Test(input_perfetto_heap, huge_counts)
{
    struct buf bytes = {0};
    struct reading r;

    proto_text_add(&bytes, "1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:10 2:-1} 2:{1:11 2:-1}}}}",
                   NULL);
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_neq(r.result, INPUT_READ);
    reading_expect_message(&r, "64 bits");
    reading_release(&r);
    buf_release(&bytes);
}

/* Packets in zstd's format; one that is damaged is counted. */
Test(input_perfetto_heap, zstd_packets)
{
    struct buf packets = {0}, file = {0};
    char packed[1024];
    struct slice content;

    proto_text_add(&packets, "1:{10:2 13:1 " TABLES "37:{5:{1:42 2:{1:11 2:100}}}}", NULL);
    content =
        slice_make(packed, ZSTD_compress(packed, sizeof(packed), packets.ptr, packets.len, 3));
    proto_text_add(&file, "1:{133:$}", &content);
    folding_check_bytes(buf_slice(&file), "--\nmain 100\n--\nmain 100\n", NULL);
    file.len--; /* the packet's length is wrong, too */
    folding_check_bytes(buf_slice(&file), "", "damaged");
    buf_clear(&file);
    content.len--;
    proto_text_add(&file, "1:{133:$} 1:{10:1 11:{}}", &content);
    folding_check_bytes(buf_slice(&file), "", "byte 0x2: warning: the packet is damaged");
    buf_release(&packets);
    buf_release(&file);
}
