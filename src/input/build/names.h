/*
 * How function names from profilers become names for people.
 *
 * There are two sets of rules. The clean rules keep what distinguishes functions and drop
 * what is noise in a graph: argument lists, symbol offsets, hashes, mangling. The
 * reference rules print exactly what stackcollapse-perf.pl
 * (github.com/brendangregg/FlameGraph, 41fee1f) prints, mistakes included, for users who
 * compare with earlier graphs.
 *
 * Neither leaves a ';' in a name, because ';' separates the frames of folded stacks. Both
 * work on bytes; the caller makes the result valid UTF-8.
 */
#ifndef INPUT_BUILD_NAMES_H
#define INPUT_BUILD_NAMES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "profile/symbol.h"

/*
 * Returns true if a name is a chain "caller->inlined->inlined", which JIT compilers' symbol maps
 * use: it has several arrows, or both functions have their classes, "A::f->B::g". PHP's
 * "Cart->total" has one arrow between a class and its method. An arrow inside brackets, or the one
 * of "operator->", is part of a function's name.
 */
bool names_is_chain(struct slice name);
/* Takes the next function off a chain. Returns false at the end. */
bool names_next_inlined(struct slice *chain, struct slice *name);
/* Reference rule: splits at every arrow. */
bool names_next_inlined_reference(struct slice *chain, struct slice *name);

/*
 * Appends the name of a compiled function.
 * - Suffixes are dropped (input/parse/suffix.h), except "@plt".
 * - With `demangle`, C++, Rust and D names are demangled.
 * - An argument list, and what follows it, is dropped if the name is of a language that
 *   has overloads (input/build/signature.h). Only a parenthesis outside of other brackets
 *   opens one. Of an enclosing function ("f(int)::{lambda()#1}") only the arguments are
 *   dropped.
 * - The type before a name with such arguments is dropped: "void f<int>(int)".
 * - Java's "Lpkg/Class;::m" becomes "pkg/Class::m".
 * - Rust's legacy mangling loses its hash and its escapes ("$LT$", ".."); the new mangling loses
 *   the hashes of crates.
 */
void names_add_native(struct buf *out, struct slice name, bool demangle);

/*
 * Appends what an encoded name means, for names that are otherwise kept as they are written:
 * mangled ones, Rust's with hashes, lambdas of the JVM, and jeprof's with the address at which a
 * function starts. Returns false, having appended
 * nothing, for any other name.
 */
bool names_add_decoded(struct buf *out, struct slice name);

/* Appends the name of a Java method, which has no such suffixes. */
void names_add_java(struct buf *out, struct slice name);

/*
 * Appends the name of a class that the JVM made for a lambda, and its method, without the address
 * or hash of the class, which differ from run to run: "A$$Lambda$14+0x00007f12/97.run" and
 * "A$$Lambda$14/1467865483.run" become "A$$Lambda$14.run", "LambdaForm$MH/0x7f12.invoke" becomes
 * "LambdaForm$MH.invoke". Returns false, having appended nothing, if the name has neither.
 */
bool names_add_lambda(struct buf *out, struct slice name);

/*
 * Appends `text` with addresses ("0x7fa4") as "0x...", and with the hashes of
 * Java's lambdas, so that two runs of a program compare.
 */
void names_add_without_addresses(struct buf *out, struct slice text);

/* `java`: the process is called java..., for which the script drops a leading L. */
void names_add_reference(struct buf *out, struct slice name, bool java);

/* The last part of a module's path: "/usr/lib/libc.so.6 (deleted)" is "libc.so.6". */
struct slice names_module_base(struct slice module);

/*
 * The class that follows from a module's name: kernel for "[kernel.kallsyms]", "[ext4]",
 * vmlinux, *.ko and BPF programs; JIT for perf-PID.map and jitted-*.so; inlined for
 * "inlined", as perf writes it; else user.
 */
enum symbol_class names_module_class(struct slice module);
/* The class by the script's rules, which do not know vmlinux-VERSION, .ko or jitted-*.so. */
enum symbol_class names_module_class_reference(struct slice module);

#endif
