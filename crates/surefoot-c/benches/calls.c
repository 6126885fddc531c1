/* What a call costs through C. The questions are those of examples/calls_in_rust.rs; `cargo xtask c --bench` compares. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "surefoot.h"

enum { SIDE = 512, ENDS = 1000, ROUNDS = 5 };

static uint8_t cells[SIDE * SIDE];

/* Blocks of 8 x 8 cells: about a third have a wall to the east or to the south, with a gap. */
static int is_free(uint32_t x, uint32_t y) {
    uint32_t mixed = x / 8 * 2654435761u ^ y / 8 * 2246822519u;
    mixed = (mixed ^ mixed >> 15) * 2246822519u;
    const uint32_t gap = mixed >> 20 & 7;
    return !(mixed % 3 == 0 && x % 8 == 7 && y % 8 != gap) && !(mixed % 3 == 1 && y % 8 == 7 && x % 8 != gap);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void tell(const char *name, double best, double sum) { printf("%s %.2f %.3f\n", name, best, sum); }

int main(void) {
    static SurefootCell starts[ENDS], goals[ENDS];
    static SurefootWalker walkers[ENDS];
    SurefootMap map;
    SurefootNavigator navigator;
    size_t count = 0;
    double best = 1e30, sum = 0, near = 1e30, near_sum = 0;

    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) cells[y * SIDE + x] = (uint8_t)is_free(x, y);
    if (surefoot_map_new(cells, sizeof cells, SIDE, SIDE, &map) != SUREFOOT_OK) return 1;
    if (surefoot_navigator_build(map, NULL, NULL, &navigator) != SUREFOOT_OK) return 1;
    for (uint32_t i = 0; i < ENDS; i++) {
        const SurefootCell start = {i * 37 % SIDE, i * 101 % SIDE};
        const SurefootCell goal = {(i + 12345) * 37 % SIDE, (i + 12345) * 101 % SIDE};
        int32_t is_reachable;
        if (surefoot_navigator_reachable(navigator, start, goal, &is_reachable) != SUREFOOT_OK || !is_reachable) continue;
        starts[count] = start, goals[count++] = goal;
    }

    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now();
        sum = 0;
        for (uint32_t again = 0; again < 8; again++)
            for (uint32_t y = 0; y < SIDE; y++)
                for (uint32_t x = 0; x < SIDE; x++) {
                    const SurefootCell cell = {x, y};
                    int32_t is = 0;
                    surefoot_map_is_free(map, cell, &is);
                    sum += is;
                }
        const double took = (now() - begin) / (8.0 * SIDE * SIDE);
        if (took < best) best = took;
    }
    tell("is_free", best, sum);

    best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        sum = 0;
        for (size_t i = 0; i < count; i++) {
            double cost = 0;
            surefoot_navigator_cost(navigator, starts[i], goals[i], &cost);
            sum += cost;
        }
        double took = (now() - begin) / (double)count;
        if (took < best) best = took;
        /* From a cell to itself: hardly anything but the call. */
        begin = now();
        near_sum = 0;
        for (int again = 0; again < 100; again++)
            for (size_t i = 0; i < count; i++) {
                double cost = 1;
                surefoot_navigator_cost(navigator, starts[i], starts[i], &cost);
                near_sum += cost + 1;
            }
        took = (now() - begin) / (100.0 * (double)count);
        if (took < near) near = took;
    }
    tell("cost", best, sum);
    tell("cost_to_itself", near, near_sum);

    best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double moves = 0;
        for (size_t i = 0; i < count; i++)
            if (surefoot_walker_new(navigator, starts[i], goals[i], &walkers[i]) != SUREFOOT_OK) return 1;
        const double begin = now();
        for (size_t i = 0; i < count; i++) {
            SurefootStep step = SUREFOOT_STEP_MOVED;
            SurefootCell cell;
            while (step != SUREFOOT_STEP_ARRIVED) {
                surefoot_walker_next(walkers[i], &step, &cell);
                moves += 1;
            }
        }
        const double took = (now() - begin) / moves;
        if (took < best) best = took;
        sum = moves;
        for (size_t i = 0; i < count; i++) surefoot_walker_free(walkers[i]);
    }
    tell("walker_next", best, sum);
    return 0;
}
