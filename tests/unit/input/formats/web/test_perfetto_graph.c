
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

/* Classes; that of a weak reference has its field from its superclass, after one of its own. */
#define TYPES                                                                                      \
    "9:{1:1 3:'T' 4:40} 9:{1:2 3:'List' 4:24} 9:{1:3 3:'S' 7:3} 9:{1:4 3:'O[]' 7:4} "              \
    "9:{1:5 3:'Weak' 4:8 5:6 6:[70] 7:9} 9:{1:6 3:'Reference' 4:8 6:[71 72]} "                     \
    "4:{1:70 2:'int Weak.n'} 4:{1:71 2:'T java.lang.ref.Reference.queue'} "                        \
    "4:{1:72 2:'java.lang.Object java.lang.ref.Reference.referent'} "

/* An object counts once, on the shortest way, with its own size or that of its class. */
Test(input_perfetto_graph, shortest_ways)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:1 5:[2 3]} 2:{1:2 2:2 5:[4 0]} 2:{1:3 2:3 3:16} "
          "2:{1:4 2:4 3:32 5:[3 5]} 2:{1:5 2:2 5:[2]} 2:{1:6 2:3 3:100} " TYPES "7:{1:[1] 2:8}}}",
          "--\nT [ROOT_THREAD_OBJECT] 40\nT [ROOT_THREAD_OBJECT];List 24\n"
          "T [ROOT_THREAD_OBJECT];List;O[] 32\nT [ROOT_THREAD_OBJECT];List;O[];List 24\n"
          "T [ROOT_THREAD_OBJECT];S 16\n"
          "--\nT [ROOT_THREAD_OBJECT] 1\nT [ROOT_THREAD_OBJECT];List 1\n"
          "T [ROOT_THREAD_OBJECT];List;O[] 1\nT [ROOT_THREAD_OBJECT];List;O[];List 1\n"
          "T [ROOT_THREAD_OBJECT];S 1\n",
          NULL);
}

/* Of two ways of one length the one that comes first in Perfetto's order: depth first, by id. */
Test(input_perfetto_graph, ways_of_one_length)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:1 5:[2 3]} 2:{1:2 2:2 5:[4]} 2:{1:3 2:4 3:8 5:[4]} "
          "2:{1:4 2:3 3:16} " TYPES "7:{1:[1] 2:1}}}",
          "--\nT [ROOT_JNI_GLOBAL] 40\nT [ROOT_JNI_GLOBAL];List 24\nT [ROOT_JNI_GLOBAL];List;S 16\n"
          "T [ROOT_JNI_GLOBAL];O[] 8\n"
          "--\nT [ROOT_JNI_GLOBAL] 1\nT [ROOT_JNI_GLOBAL];List 1\nT [ROOT_JNI_GLOBAL];List;S 1\n"
          "T [ROOT_JNI_GLOBAL];O[] 1\n",
          NULL);
}

/* A dump in packets, with ids as differences and as sums. */
Test(input_perfetto_graph, continued)
{
    check("1:{10:2 56:{1:42 5:1 2:{1:100 2:1 6:90 5:[11 12]}}}"
          "1:{10:2 56:{1:42 5:1 6:1 2:{7:1 2:2} 2:{7:1 2:3 3:7}}}"
          "1:{10:2 56:{1:42 6:2 " TYPES "7:{1:100 2:99}}}",
          "--\nT [ROOT_UNKNOWN] 40\nT [ROOT_UNKNOWN];List 24\nT [ROOT_UNKNOWN];S 7\n"
          "--\nT [ROOT_UNKNOWN] 1\nT [ROOT_UNKNOWN];List 1\nT [ROOT_UNKNOWN];S 1\n",
          NULL);
    check("1:{10:2 56:{1:42 5:1 2:{1:1 2:3 3:7}}}1:{10:2 56:{1:42 6:3 2:{2:3} " TYPES
          "7:{1:1 2:1}}}",
          "--\nS [ROOT_JNI_GLOBAL] 7\n--\nS [ROOT_JNI_GLOBAL] 1\n",
          "2 packets of Java's heap are missing");
}

/* A weak reference holds what its other fields refer to. */
Test(input_perfetto_graph, weak_references)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:5 5:[2 3 4]} 2:{1:2 2:1} 2:{1:3 2:2} 2:{1:4 2:3 3:9} " TYPES
          "7:{1:1 2:2}}}",
          "--\nWeak [ROOT_JNI_LOCAL] 8\nWeak [ROOT_JNI_LOCAL];List 24\nWeak [ROOT_JNI_LOCAL];T 40\n"
          "--\nWeak [ROOT_JNI_LOCAL] 1\nWeak [ROOT_JNI_LOCAL];List 1\nWeak [ROOT_JNI_LOCAL];T 1\n",
          NULL);
    check("1:{10:2 56:{1:42 2:{1:1 2:5 4:[72 70] 5:[2 3]} 2:{1:2 2:1} 2:{1:3 2:2} " TYPES
          "7:{1:1 2:2}}}",
          "--\nWeak [ROOT_JNI_LOCAL] 8\nWeak [ROOT_JNI_LOCAL];List 24\n"
          "--\nWeak [ROOT_JNI_LOCAL] 1\nWeak [ROOT_JNI_LOCAL];List 1\n",
          NULL);
}

/* Roots of several types, in frames of threads, and those of the virtual machine. */
Test(input_perfetto_graph, roots)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:1} 2:{1:2 2:2} 2:{1:3 2:3 3:5 9:2} 2:{1:4 2:3 3:6 9:1} " TYPES
          "7:{1:[1 9] 2:8} 7:{1:[1] 2:5} 7:{1:[1] 2:1} 11:{1:2 2:77}}}",
          "--\nList [ROOT_JAVA_FRAME] 24\nS [ROOT_VM_INTERNAL] 5\nT [ROOT_STICKY_CLASS] 40\n"
          "--\nList [ROOT_JAVA_FRAME] 1\nS [ROOT_VM_INTERNAL] 1\nT [ROOT_STICKY_CLASS] 1\n",
          NULL);
}

/* The last dump of each process counts; several processes are the first frames. */
Test(input_perfetto_graph, dumps_and_processes)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:1} " TYPES "7:{1:1 2:1}}}"
          "1:{10:2 56:{1:42 2:{1:1 2:2} " TYPES "7:{1:1 2:1}}}",
          "--\nList [ROOT_JNI_GLOBAL] 24\n--\nList [ROOT_JNI_GLOBAL] 1\n",
          "1 earlier dump of Java's heap is left out");
    check("1:{10:1 2:{1:{1:42 2:1 3:'app'}}}"
          "1:{10:2 56:{1:42 2:{1:1 2:1} " TYPES "7:{1:1 2:1}}}"
          "1:{10:3 56:{1:43 2:{1:1 2:2} " TYPES "7:{1:1 2:1}}}",
          "--\napp;T [ROOT_JNI_GLOBAL] 40\npid 43;List [ROOT_JNI_GLOBAL] 24\n"
          "--\napp;T [ROOT_JNI_GLOBAL] 1\npid 43;List [ROOT_JNI_GLOBAL] 1\n",
          NULL);
}

Test(input_perfetto_graph, object_without_an_id)
{
    check("1:{10:2 56:{1:42 2:{2:3 3:7} 2:{1:1 2:1} " TYPES "7:{1:1 2:1}}}",
          "--\nT [ROOT_JNI_GLOBAL] 40\n--\nT [ROOT_JNI_GLOBAL] 1\n",
          "an object of Java's heap has no id");
}

/* Objects beyond --max-frames count at the last frame; processes that are not asked for do not. */
Test(input_perfetto_graph, far_objects_and_other_processes)
{
    const char *others[] = {"43"};
    struct input_options options = input_options_default();
    struct buf bytes = {0};
    struct reading r;

    proto_text_add(&bytes,
                   "1:{10:2 56:{1:42 2:{1:1 2:1 5:[2]} 2:{1:2 2:2 5:[3]} 2:{1:3 2:3 3:7 5:[4]} "
                   "2:{1:4 2:3 3:9} " TYPES "7:{1:1 2:1}}}",
                   NULL);
    options.limits.max_depth = 2;
    reading_text(&r, buf_slice(&bytes), &options);
    reading_expect_fold(&r, "far", 0, "T [ROOT_JNI_GLOBAL] 40\nT [ROOT_JNI_GLOBAL];List 40\n");
    reading_expect_message(&r, "2 objects are further from a root than --max-frames allows");
    cr_expect_eq(r.profile.ledger.truncated, 2);
    reading_release(&r);
    options.processes = others;
    options.process_count = 1;
    reading_text(&r, buf_slice(&bytes), &options);
    cr_expect_eq(r.profile.series.count, 0);
    cr_expect_eq(r.profile.ledger.truncated, 0);
    cr_expect_eq(r.profile.ledger.left_out, 8);
    reading_release(&r);
    buf_release(&bytes);
}

/* A cleaner (7) with its thunk (8) and registry (9); the fields of its superclass come last. */
#define CLEANERS                                                                                   \
    TYPES "9:{1:7 3:'sun.misc.Cleaner' 4:8 5:6 6:[73 74] 7:11} 9:{1:8 3:'Thunk' 4:8 6:75} "        \
          "9:{1:9 3:'Registry' 4:8} 4:{1:73 2:'java.lang.Runnable sun.misc.Cleaner.thunk'} "       \
          "4:{1:74 2:'sun.misc.Cleaner sun.misc.Cleaner.next'} "                                   \
          "4:{1:75 2:'T libcore.util.NativeAllocationRegistry$CleanerThunk.this$0'} "

/* Two cleaners of an object count, and one that has run does not. */
Test(input_perfetto_graph, native_memory)
{
    check("1:{10:2 56:{1:42 2:{1:1 2:1 5:2} 2:{1:2 2:2} 2:{1:3 2:7 5:[5 0 0 2]} "
          "2:{1:4 2:7 5:[5 3 0 2]} 2:{1:5 2:8 5:6} 2:{1:6 2:9 8:24243} 2:{1:7 2:7 5:[5 7 0 2]} "
          "2:{1:8 2:7 5:[0 0 0 2]} 2:{1:9 2:7 5:5} " CLEANERS "7:{1:1 2:1}}}",
          "--\nT [ROOT_JNI_GLOBAL] 40\nT [ROOT_JNI_GLOBAL];List 24\n"
          "--\nT [ROOT_JNI_GLOBAL] 1\nT [ROOT_JNI_GLOBAL];List 1\n"
          "--\nT [ROOT_JNI_GLOBAL];List 48484\n",
          NULL);
}

#define OBJECTS                                                                                    \
    "2:{1:1 2:1 5:[2 3]} 2:{1:2 2:4 3:8} 2:{1:3 2:7 3:9} " TYPES                                   \
    "9:{1:7 3:'java.lang.Class<T[]>'} 7:{1:1 2:1}"
#define NAMED                                                                                      \
    "com.Tree [ROOT_JNI_GLOBAL] 40\ncom.Tree [ROOT_JNI_GLOBAL];com.Other[] 8\n"                    \
    "com.Tree [ROOT_JNI_GLOBAL];java.lang.Class<com.Tree[]> 9\n"
#define COUNTED                                                                                    \
    "com.Tree [ROOT_JNI_GLOBAL] 1\ncom.Tree [ROOT_JNI_GLOBAL];com.Other[] 1\n"                     \
    "com.Tree [ROOT_JNI_GLOBAL];java.lang.Class<com.Tree[]> 1\n"
#define CLASSES                                                                                    \
    "3:{1:'T' 2:'Old'} 3:{1:'T' 2:'com.Tree'} 3:{1:'O' 2:'com.Other'} 3:{1:'S'} 3:{2:'x'}"
#define SHORT                                                                                      \
    "--\nT [ROOT_JNI_GLOBAL] 40\nT [ROOT_JNI_GLOBAL];O[] 8\n"                                      \
    "T [ROOT_JNI_GLOBAL];java.lang.Class<T[]> 9\n"                                                 \
    "--\nT [ROOT_JNI_GLOBAL] 1\nT [ROOT_JNI_GLOBAL];O[] 1\n"                                       \
    "T [ROOT_JNI_GLOBAL];java.lang.Class<T[]> 1\n"

/* The mapping of a process's package, of the only package, or of none in particular. */
Test(input_perfetto_graph, names_before_r8)
{
    check("1:{10:1 2:{1:{1:42 2:1 3:'app:ui'}}}1:{10:2 56:{1:42 " OBJECTS "}}"
          "1:{10:1 64:{1:'app' " CLASSES "}}1:{10:1 64:{1:'other' 3:{1:'T' 2:'Wrong'}}}",
          "--\n" NAMED "--\n" COUNTED, NULL);
    check("1:{10:2 56:{1:42 " OBJECTS "}}1:{10:1 64:{1:'app' " CLASSES "}}",
          "--\n" NAMED "--\n" COUNTED, NULL);
    check("1:{10:1 64:{1:'other' 3:{1:'X' 2:'Y'}}}1:{10:1 64:{" CLASSES
          "}}1:{10:2 56:{1:42 " OBJECTS "}}",
          "--\n" NAMED "--\n" COUNTED, NULL);
}

Test(input_perfetto_graph, names_of_another_package)
{
    check("1:{10:1 2:{1:{1:42 2:1 3:'other'}}}1:{10:2 56:{1:42 " OBJECTS "}}"
          "1:{10:1 64:{1:'app' " CLASSES "}}",
          SHORT, NULL);
    check("1:{10:2 56:{1:42 " OBJECTS "}}1:{10:1 64:{1:'app' " CLASSES "}}"
          "1:{10:1 64:{1:'other' " CLASSES "}}",
          SHORT, NULL);
}
