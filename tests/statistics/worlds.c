#include "statistics/cell.h"
#include "statistics/suite.h"

/* 200 functions, rho 0.001, runs of 1,000 samples; a history has labels of two runs. */
static struct world world(size_t runs, size_t labels)
{
    return (struct world){.functions = 200,
                          .rho = 0.001,
                          .samples = 1000,
                          .runs = runs,
                          .labels = labels,
                          .earlier = 2};
}

static void reference(struct judge *j)
{
    struct cell rows[] = {
        {.name = "shares, nothing changes", .shares = true, .smallest = true, .risen = 3},
        {.name = "reference, one function rises by 14 points", .rise = 0.14, .risen = 3},
        {.name = "reference, the largest function doubles", .rise = 0.19, .risen = 0},
        {.name = "reference, three functions rise by 5 points",
         .rise = 0.05,
         .risen = 4,
         .rises = 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        rows[i].world = world(3, 0);
        cell_run(j, &rows[i], 2000 + i);
        rows[i].world.samples = 10000;
        rows[i].world.runs = 5;
        cell_run(j, &rows[i], 2100 + i);
    }
}

static void hosts(struct judge *j)
{
    static const struct {
        const char *name;
        size_t runs, hosts;
    } rows[] = {
        {"3 hosts, a run on each", 3, 3},
        {"3 hosts, 2 runs on each", 6, 3},
        {"2 hosts, 5 runs, not the same on both sides", 5, 2},
        {"5 hosts, 10 runs", 10, 5},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cell cell = {.name = rows[i].name, .smallest = true, .risen = 3};

        cell.world = world(rows[i].runs, 0);
        cell.world.hosts = rows[i].hosts;
        cell.world.host_spread = 0.3;
        cell_run(j, &cell, 2200 + i);
    }
}

/* The rho of the history differs from that of the compared runs. */
static void misjudged(struct judge *j)
{
    static const struct {
        const char *name;
        size_t runs;
        double spread, now, rho;
    } rows[] = {
        {"1 run, rho differs from label to label", 1, 0.5, 0, 0.001},
        {"1 run, rho .005 differs from label to label", 1, 0.5, 0, 0.005},
        {"1 run, rho is twice the history's", 1, 0, 2, 0.001},
        {"1 run, rho is half the history's", 1, 0, 0.5, 0.001},
        {"2 runs, rho is twice the history's", 2, 0, 2, 0.001},
        {"2 runs, rho differs from label to label", 2, 0.5, 0, 0.001},
        {"3 runs, rho is twice the history's", 3, 0, 2, 0.005},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cell cell = {.name = rows[i].name, .risen = 3, .any_cover = true};

        cell.world = world(rows[i].runs, 6);
        cell.world.rho = rows[i].rho;
        cell.world.rho_spread = rows[i].spread;
        cell.world.rho_now = rows[i].now;
        cell_run(j, &cell, 2300 + i);
    }
}

/* Runs of one side that differ in some functions only. */
static void uneven(struct judge *j)
{
    static const struct {
        const char *name;
        size_t runs, labels;
        double drift, cost, odds;
    } rows[] = {
        {"drift, 3 runs", 3, 0, 0.3, 0, 0},
        {"drift, 5 runs", 5, 0, 0.3, 0, 0},
        {"drift, 2 runs", 2, 0, 0.3, 0, 0},
        {"drift, 1 run and a history", 1, 6, 0.3, 0, 0},
        {"two modes alike, 3 runs", 3, 0, 0, 3, 0.5},
        {"two modes alike, 5 runs", 5, 0, 0, 3, 0.5},
        {"two modes alike, 2 runs and a history", 2, 6, 0, 3, 0.5},
        {"a rare mode, 3 runs", 3, 0, 0, 3, 0.2},
        {"a rare mode, 5 runs", 5, 0, 0, 3, 0.2},
        {"a rare mode, 10 runs", 10, 0, 0, 3, 0.2},
        {"two small modes, 3 runs", 3, 0, 0, 1.5, 0.5},
        {"two small modes, 5 runs", 5, 0, 0, 1.5, 0.5},
        {"two modes alike, 1 run and a history", 1, 8, 0, 3, 0.5},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cell cell = {.name = rows[i].name, .risen = 3};

        cell.world = world(rows[i].runs, rows[i].labels);
        cell.world.drift = rows[i].drift;
        cell.world.mode_cost = rows[i].cost;
        cell.world.mode_odds = rows[i].odds;
        cell_run(j, &cell, 2400 + i);
    }
}

static void services(struct judge *j)
{
    static const struct {
        const char *name;
        size_t services, runs;
        double rho;
    } rows[] = {
        {"1 service", 1, 3, 0.001},
        {"5 services", 5, 3, 0.001},
        {"20 services", 20, 3, 0.001},
        {"20 services, rho 0", 20, 2, 0},
        {"20 services, rho .005", 20, 5, 0.005},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cell cell = {.name = rows[i].name, .risen = 3, .rise = 0.05};

        cell.services = rows[i].services;
        cell.world = world(rows[i].runs, 0);
        cell.world.rho = rows[i].rho;
        cell_run(j, &cell, 2500 + i);
    }
}

void suite_worlds(struct judge *j)
{
    reference(j);
    hosts(j);
    misjudged(j);
    uneven(j);
    services(j);
}
