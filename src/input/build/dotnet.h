/*
 * Names of .NET functions as Datadog's profiler writes them into pprof:
 *
 *     |lm:Shop |ns:Shop.Web |ct:Cart |cg:<T> |fn:Total |fg: |sg:(int n)
 *
 * lm is the module, ns the namespace, ct the type, cg its generic parameters, fn the
 * method, fg its generic parameters, and sg its arguments. Source: FrameStore.cpp of
 * github.com/DataDog/dd-trace-dotnet.
 */
#ifndef INPUT_BUILD_DOTNET_H
#define INPUT_BUILD_DOTNET_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Appends "Shop.Web.Cart<T>.Total" and sets `*module` to "Shop"; modules that only stand for the
 * virtual machine, "[native] GC", are left empty. Returns false, having appended nothing, for any
 * other text.
 */
bool dotnet_add_name(struct buf *out, struct slice text, struct slice *module);

#endif
