/*
 * The list of formats, in the order in which they ask for a content.
 *
 * Strong signatures come first and folded stacks last, because "anything, a
 * blank, a number" fits lines of many other formats. ROW(id) stands for `const
 * struct format format_id`, which a file in formats/FAMILY defines. Only
 * registry.c includes this list: a new row compiles one file.
 */
#ifndef INPUT_FORMATS_H
#define INPUT_FORMATS_H

/* clang-format off */
#define INPUT_FORMATS(ROW) \
    ROW(runs) \
    ROW(own_png) \
    ROW(own_svg) \
    ROW(own_page) \
    ROW(flamegraph_svg) \
    ROW(async_profiler) \
    ROW(sampling_page) \
    ROW(memray_page) \
    ROW(pyinstrument_page) \
    ROW(ox_page) \
    ROW(pprof_page) \
    ROW(d3_page) \
    ROW(perf_data) \
    ROW(jfr_jdk8) \
    ROW(jfr) \
    ROW(simpleperf) \
    ROW(art_trace) \
    ROW(nytprof) \
    ROW(nettrace) \
    ROW(sysprof_capture) \
    ROW(perfetto) \
    ROW(pstats) \
    ROW(rprof) \
    ROW(flamebearer) \
    ROW(pyinstrument) \
    ROW(pyinstrument_text) \
    ROW(scalene) \
    ROW(gprof2dot) \
    ROW(memray_csv) \
    ROW(importtime) \
    ROW(function_graph) \
    ROW(strace) \
    ROW(perf_json) \
    ROW(mojo) \
    ROW(heaptrack) \
    ROW(iaprof) \
    ROW(v8_log) \
    ROW(v8_ticks) \
    ROW(austin) \
    ROW(xctrace) \
    ROW(instruments) \
    ROW(macos_sample) \
    ROW(spindump) \
    ROW(pmcstat) \
    ROW(eu_stack) \
    ROW(gdb) \
    ROW(lldb) \
    ROW(kernel_stack) \
    ROW(dotnet_stack) \
    ROW(async_profiler_text) \
    ROW(bpftrace) \
    ROW(bpftrace_json) \
    ROW(pystack) \
    ROW(windbg) \
    ROW(faulthandler) \
    ROW(py_spy) \
    ROW(sampling_dump) \
    ROW(wall_clock) \
    ROW(pstack) \
    ROW(phpspy) \
    ROW(memleak) \
    ROW(perf_report) \
    ROW(xdebug_profile) \
    ROW(callgrind) \
    ROW(gmon) \
    ROW(gprof) \
    ROW(java_json) \
    ROW(anr) \
    ROW(hot_threads) \
    ROW(jstack) \
    ROW(javacore) \
    ROW(hprof_text) \
    ROW(honest) \
    ROW(ljp) \
    ROW(vtune) \
    ROW(visual_studio) \
    ROW(xperf) \
    ROW(wpa) \
    ROW(pprof_cpu) \
    ROW(pprof_raw) \
    ROW(pprof_text) \
    ROW(pprof_threadz) \
    ROW(pprof_traces) \
    ROW(goroutines) \
    ROW(nsys) \
    ROW(xplane) \
    ROW(torch_memory) \
    ROW(pprof) \
    ROW(otlp) \
    ROW(papyrus) \
    ROW(sysprof) \
    ROW(sleepy) \
    ROW(trace_event) \
    ROW(ftrace) \
    ROW(cpuprofile) \
    ROW(heapprofile) \
    ROW(safari) \
    ROW(bcc) \
    ROW(bcc_trace) \
    ROW(xdebug_trace) \
    ROW(tau) \
    ROW(hpctoolkit) \
    ROW(caliper) \
    ROW(cali) \
    ROW(massif) \
    ROW(ms_print) \
    ROW(ghc_prof) \
    ROW(speedscope) \
    ROW(firefox) \
    ROW(ghc_json) \
    ROW(dhat) \
    ROW(stackprof) \
    ROW(proton) \
    ROW(d3_json) \
    ROW(simpleperf_text) \
    ROW(stap) \
    ROW(dtrace) \
    ROW(perf_branches) \
    ROW(perf_script) \
    ROW(java_exceptions) \
    ROW(folded)
/* clang-format on */

#endif
