/* XSpace of JAX and XLA: stacks of devices, self times of threads, and what is damaged. */

#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/proto_text.h"
#include "unit/support/test.h"

/* Names of statements: 1 is tf_op, 2 hlo_module, 3 correlation_id, 4 hlo_op, 5 name. */
#define STATS                                                                                      \
    " 5:{1:1 2:{1:1 2:'tf_op'}} 5:{1:2 2:{1:2 2:'hlo_module'}} 5:{1:3 2:{2:'correlation_id'}} "    \
    "5:{1:4 2:{2:'hlo_op'}} 5:{1:5 2:{2:'name'}} 5:{1:6 2:{2:'jit_f'}}"
#define MODULE "4:{1:2 7:6}"
#define NAMES(one, two) " 4:{1:1 2:{1:1 2:'" one "'}} 4:{1:2 2:{2:'" two "'}}" STATS "}"
#define GPU(number) "1:{2:'/device:GPU:" number "' 3:{2:'Stream #7(Compute)' 3:1 "
#define HOST "1:{2:'/host:CPU' 3:{1:71 2:'python' 3:1 "

static const struct {
    const char *what, *message, *folded, *told;
} cases[] = {
    {"scopes are split at slashes outside of parentheses; a name is preferred to tf_op",
     GPU("0") "4:{1:1 3:1500 " MODULE " 4:{1:1 5:'XlaModule:'} 4:{1:5 5:'jit(f)/jvp(a/b)/dot'}}"
              "4:{1:2 2:1500 3:500 " MODULE " 4:{1:1 5:'jit(f)//add:add'}}}" NAMES("k", "l"),
     "--\njit_f;jit(f);add;-;l 0.5\njit_f;jit(f);jvp(a/b);dot;-;k 1.5\n", NULL},
    {"a kernel that is named after its operation is one frame",
     GPU("0") "4:{1:1 3:1 " MODULE " 4:{1:4 5:'fusion.1'}} 4:{1:2 3:2 " MODULE
              " 4:{1:4 5:'fusion.1'} 4:{1:1 5:'XlaModule:'}}}" NAMES("fusion_1.kd", "other"),
     "--\njit_f;-;fusion.1;other 0.002\njit_f;-;fusion_1.kd 0.001\n", NULL},
    {"work of several devices; overlapping work of a stream counts in full",
     GPU("0") "4:{1:1 3:3000 " MODULE "} 4:{1:1 2:1000 3:1000 " MODULE "}}" NAMES("k", "l")
         GPU("1") "4:{1:2 3:7000 " MODULE "}}" NAMES("k", "l"),
     "--\nGPU 0;jit_f;-;k 4\nGPU 1;jit_f;-;l 7\n", NULL},
    {"a launch names the module, or else is the stack; another one is not recorded",
     GPU("0") "4:{1:1 3:1000 4:{1:3 3:5}} 4:{1:1 2:5000 3:2000 4:{1:3 4:6}} "
              "4:{1:1 2:8000 3:4000 4:{1:3 3:7}}}" NAMES("k", "l") HOST
     "4:{1:1 3:9000} 4:{1:2 2:1000 3:1000 " MODULE " 4:{1:3 3:5} 4:{1:5 5:'g'}} "
     "4:{1:2 2:3000 3:2000 4:{1:3 3:6}}}" NAMES("main", "cuLaunch"),
     "--\n[unknown launch];-;k 4\njit_f;g;-;k 1\nmain;cuLaunch;-;k 2\n--\nmain 6\nmain;cuLaunch "
     "3\n",
     "the launch of 1 event of a device is not in the recording"},
    {"operations of a TPU count without those within; other lines cover the same time",
     "1:{2:'/device:TPU:0' 3:{2:'Steps' 3:1 4:{1:1 3:9000}} 3:{2:'XLA Modules' 3:1 4:{1:3 3:9000}} "
     "3:{2:'XLA Ops' 3:2 4:{1:1 2:0 3:6000} 4:{1:2 2:1000 3:2000} 4:{1:2 2:3000 3:1000} "
     "4:{1:2 2:8000 3:500}} 4:{1:3 2:{2:'jit_g(12)'}} "
     "4:{1:1 2:{2:'%while.1 = (f32[]) while(%t)' 5:{1:1 5:'jit(g)/while:'}}} "
     "4:{1:2 2:{2:'%add' 4:'add.2' 5:{1:1 5:'jit(g)/while/add:'}}}" STATS "}",
     "--\njit(g);while;add;-;add.2 0.5\njit_g;jit(g);while;-;while.1 3\n"
     "jit_g;jit(g);while;add;-;add.2 3\n",
     "left out 1 event of the line 'Steps', which cover the time of others"},
    {"an operation that nothing is known of",
     "1:{2:'/device:TPU:0' 3:{2:'XLA Ops' 4:{1:1 3:1000}}" NAMES("k", "l"),
     "--\n[unknown module];-;k 1\n", "1 event of a device has neither a module nor a launch"},
    {"events of a thread contain each other; those that only overlap do not",
     HOST
     "4:{1:2 2:4000 3:3000} 4:{1:1 3:10000} 4:{1:2 2:9000 3:2000} 4:{1:1 2:4000 3:3000}}" NAMES(
         "$/srv/app/train.py:88 step", "$builtins len"),
     "--\nbuiltins len 2\nstep 7\nstep;builtins len;step 3\n", NULL},
    {"threads are the first frames if there are several",
     HOST
     "4:{1:1 3:1000}} 3:{1:72 11:'pool' 4:{1:2 3:2000}} 3:{1:73 4:{1:2 3:3000}}" NAMES("a", "b"),
     "--\n73;b 3\npool;b 2\npython;a 1\n", NULL},
    {"impossible times, a sum of occurrences, and a name that is not there",
     GPU("0") "4:{1:1 2:9223372036854775807 3:1 " MODULE "} 4:{1:1 3:-1 " MODULE
              "} 4:{1:1 2:1000 3:2000 " MODULE "} 4:{1:1 3:5000 5:9 " MODULE
              "} 4:{1:9 3:1000 " MODULE "}}" NAMES("k", "l"),
     "--\njit_f;-;[unknown] 1\njit_f;-;k 7\n", "skipped 2 events with an impossible time"},
    {"a plane without a line that is known",
     GPU("0") "4:{1:1 3:1000 " MODULE
              "}}" NAMES("k", "l") "1:{2:'/device:CUSTOM:Trace' 3:{2:'x' 4:{1:1}}}",
     "--\njit_f;-;k 1\n", "left out 1 event of the line 'x' of the plane '/device:CUSTOM:Trace'"},
    {"what the recording states about itself",
     GPU("0") "4:{1:1 3:1000 " MODULE "}}" NAMES("k", "l") "2:'out of memory'", "--\njit_f;-;k 1\n",
     "the recording states: out of memory"},
};

Test(input_xplane, messages)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf bytes = {0};

        proto_text_add(&bytes, cases[i].message, NULL);
        folding_check_bytes(buf_slice(&bytes), cases[i].folded, cases[i].told);
        buf_release(&bytes);
    }
}

static void read_text(struct reading *r, const char *message, const struct input_options *options)
{
    struct buf bytes = {0};

    proto_text_add(&bytes, message, NULL);
    reading_text(r, buf_slice(&bytes), options);
    buf_release(&bytes);
}

Test(input_xplane, facts_and_times)
{
    struct reading r;

    read_text(&r,
              GPU("0") "4:{1:1 3:4000000 " MODULE "} 4:{1:1 2:20000000 3:5000000 " MODULE "}} "
                       "3:{2:'Stream #9' 3:3 4:{1:2 3:8000000 " MODULE
                       "}}" NAMES("k", "ncclDevKernel_Sum") "4:'box'",
              NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU 0 busy")),
                          SLICE("52.0% of 25.0 µs (Stream #7(Compute) 36.0%, Stream #9 32.0%)")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU communication")),
                          SLICE("47.1% of GPU time")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("host")), SLICE("box")));
    cr_expect_eq(r.profile.series.items[0].first_ns, 1);
    cr_expect_eq(r.profile.series.items[0].last_ns, 25001);
    cr_expect_eq(r.profile.series.items[0].samples, 3);
    reading_release(&r);
}

Test(input_xplane, times_since_1970_fit)
{
    struct reading r;

    read_text(&r,
              "1:{2:'/device:TPU:0' 3:{2:'XLA Modules' 3:1779266702889805563 4:{1:1 3:9000}} "
              "3:{2:'XLA Ops' 3:1779266702889805564 4:{1:2 2:2000 3:1000}}" NAMES("jit_f", "k"),
              NULL);
    cr_expect_eq(r.profile.series.items[0].total, 1000);
    cr_expect_eq(r.profile.series.items[0].last_ns, 1779266702889805567);
    reading_release(&r);
}

Test(input_xplane, devices_are_processes)
{
    static const char *const processes[] = {"GPU 1"};
    struct input_options o = input_options_default();
    struct reading r;

    o.processes = processes;
    o.process_count = 1;
    read_text(&r,
              GPU("0") "4:{1:1 3:3000 " MODULE "}}" NAMES("k", "l") GPU("1") "4:{1:2 3:7000 " MODULE
                                                                             "}}" NAMES("k", "l"),
              &o);
    cr_expect_eq(r.profile.series.items[0].total, 7000);
    cr_expect_eq(r.profile.ledger.left_out, 1);
    reading_release(&r);
}

Test(input_xplane, truncated_messages_are_told)
{
    struct buf bytes = {0};

    proto_text_add(&bytes,
                   GPU("0") "4:{1:1 3:1000 " MODULE "}}" NAMES("k", "l")
                       GPU("1") "4:{1:1 3:1000 " MODULE "}}" NAMES("k", "l"),
                   NULL);
    folding_check_bytes(slice_take(buf_slice(&bytes), bytes.len - 1), "--\njit_f;-;k 1\n",
                        "truncated or damaged");
    buf_release(&bytes);
}

Test(input_xplane, claims)
{
    static const struct {
        const char *message;
        bool claimed;
    } heads[] = {
        {"1:{2:'/host:metadata'}", true}, {"1:{1:2 2:'/device:TPU:0'}", true},
        {"1:{2:'/srv'}", false},          {"1:{1:2 2:3}", false},
        {"2:{2:'/host:CPU'}", false},
    };

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        struct buf bytes = {0};

        proto_text_add(&bytes, heads[i].message, NULL);
        cr_expect_eq(claim_by(&format_xplane, buf_slice(&bytes), true), heads[i].claimed);
        buf_release(&bytes);
    }
}
