/*
 * Whether the parentheses in a name hold the arguments of a function.
 *
 * A blank, a word or a number before a parenthesis means something else in each language:
 *
 *     ns::f(int) const                     C++: arguments
 *     void java.lang.Thread.run()          Java and D: a type, and arguments
 *     void [app] Shop.Cart::Total(int32)   .NET's intermediate language: a type, and arguments
 *     block (2 levels) in Cart#total       Ruby: part of the name
 *     CartView.init(coder:)                Swift: part of the name
 *     total(x::Int64)                      Julia: a method of its own
 *     shop.ArrayList(u8).append            Zig: a type of its own
 *     ~procProc(Nil)@shop.cr:12            Crystal: one of many blocks
 *     Main.(+)                             Haskell: the function
 *
 * So arguments are cut only from names that their own text shows to be of a language whose
 * overloads are one function in a graph. Any other name stays whole, because two functions
 * with one name are worse than a long name.
 */
#ifndef INPUT_BUILD_SIGNATURE_H
#define INPUT_BUILD_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ascii.h"
#include "base/slice.h"

static inline bool signature_is_word(char c)
{
    return ascii_is_digit(c) || ascii_is_letter(c) || c == '_' || c == '$' || (c & 0x80);
}

/* The offset after the parenthesis that closes the one at `open`, or 0 if none does. */
size_t signature_group_end(struct slice s, size_t open);

/* Returns whether the parentheses from `open` to `end` are part of the name itself. */
bool signature_group_is_name(struct slice s, size_t open, size_t end);

/* Returns whether the group contains the name: "void (*signal(int))(int)". */
bool signature_group_declares(struct slice s, size_t open);

/* Returns whether the word "operator" is at `i`. */
bool signature_is_operator(struct slice s, size_t i);
/* Length of "operator" and its sign at `i`, or 0. */
size_t signature_operator(struct slice s, size_t i);

/*
 * Returns whether the arguments in a name of compiled code may be cut: those of C, C++, .NET's
 * intermediate language, and Java or D with the type that the function returns.
 */
bool signature_is_native(struct slice name);

/*
 * Returns whether the arguments in the name of a Java method may be cut: "f(int)", "f(I)V",
 * "f(F.java:12)". The parenthesis follows the method's name immediately and ends the name.
 */
bool signature_is_java(struct slice name);

#endif
