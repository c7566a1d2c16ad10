/*
 * A plan: how to read, prepare and draw one input.
 *
 * options/make.h makes a plan once, from the options of a command or of a rule of the settings. It
 * does not change while inputs are read and drawn, so threads and inputs share it.
 */
#ifndef BATCH_PLAN_H
#define BATCH_PLAN_H

#include "draw/look.h"
#include "input/core/options.h"
#include "prepare/recipe.h"

struct plan {
    struct input_options reading;
    struct recipe recipe;
    struct look look;
    unsigned rows;    /* in the tables of top functions */
    unsigned graphs;  /* of one input that are drawn; the others are lines of the report */
    bool crops;       /* pictures of the hottest functions (batch/crops.h) */
    unsigned exports; /* bit i: convert_writers[i] (convert/writer.h) writes a file of each graph */
};

static inline void plan_release(struct plan *plan)
{
    recipe_release(&plan->recipe);
}

#endif
