/*
 * What a graph measures, as a line of words (base/key_value.h), for files from which the graph can
 * be read again:
 *
 *     version=1 name=cpu-clock event=cpu-clock unit=ns decimals=0 samples=1125 squares=...
 *
 *     name, event, unit   of the series; weights are in units of 10^-decimals
 *     exponent            of a unit of time that has no word, where `unit` is "s": the weights
 *                         count 10^exponent seconds
 *     samples, squares    of the series, if the number of samples is known
 *     each                the weights are counts of things of the unit, times this number; so are
 *                         those of the base
 *     pair                in graphs of two weights, what the base measures: change, instructions
 *                         or stalls; then come base.name, base.event, base.unit, base.samples,
 *                         base.squares
 *     rough, base.rough   "1" if the weights are those of samples, not of the events they stand for
 *     exact               "1" if the weights count all events
 *     estimated           why the stacks are estimates, if they are
 *     kind                the kind of graph (prepare/kind.h)
 *     from                "leaf" if the tree is merged from the leaves
 *     order               "time" if the tree is that of a flame chart
 *     marks               bits 1 << class: the classes of functions (profile/symbol.h) that folded
 *                         stacks of the input have without any option; no such word for none
 *     origins             the number of the last bytes, which have modules and source lines
 *                         (output/svg_origin.h); no such word if there are none
 *
 * The words contain no fact of the recording, such as a host or a command.
 */
#ifndef OUTPUT_GRAPH_WORDS_H
#define OUTPUT_GRAPH_WORDS_H

#include "base/buf.h"
#include "output/picture.h"

/*
 * Appends the words, each after a blank. `t` is the tree whose bytes go with them
 * (output/svg_tree.h), and `origins` the number of bytes with modules and source lines.
 * input/formats/pictures/flame_words.h reads the words.
 */
void graph_words_write(const struct picture *p, const struct tree *t, size_t origins,
                       struct buf *out);

#endif
