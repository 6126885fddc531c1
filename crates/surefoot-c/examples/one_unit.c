/* One unit goes from one cell to another, one move a call. A wall comes in its way. */
#include <stdio.h>

#include "surefoot.h"

/* Ends the program if a call did not work. */
#define TRY(call)                                                                  \
    do {                                                                           \
        if ((call) != SUREFOOT_OK) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, surefoot_error_message()); \
            return 1;                                                              \
        }                                                                          \
    } while (0)

int main(void) {
    const char art[] = "......\n.####.\n......\n";
    const SurefootCell start = {1, 0}, goal = {1, 2}, wall = {0, 1};
    SurefootMap map;
    SurefootNavigator navigator;
    SurefootPath path;
    SurefootWalker walker;
    SurefootCell cells[32];
    SurefootStep step = SUREFOOT_STEP_MOVED;
    SurefootCell at = start;
    size_t count, moves = 0;
    double cost;

    TRY(surefoot_map_from_bytes((const uint8_t *)art, sizeof art - 1, &map));
    TRY(surefoot_navigator_build(map, NULL, NULL, &navigator));

    /* A whole path. */
    TRY(surefoot_navigator_path(navigator, start, goal, &path));
    TRY(surefoot_path_cells(path, cells, 32, &count));
    TRY(surefoot_path_cost(path, &cost));
    TRY(surefoot_path_free(path));
    printf("a path of %zu cells that costs %g\n", count, cost);
    if (count != 5 || cost != 4.0) return 1;

    /* The same, move by move. */
    TRY(surefoot_walker_new(navigator, start, goal, &walker));
    TRY(surefoot_walker_next(walker, &step, &at));
    printf("at %u, %u\n", (unsigned)at.x, (unsigned)at.y);

    /* A wall: the navigator is edited, and the walker told. */
    TRY(surefoot_navigator_set_cells(navigator, &wall, 1, 0));
    TRY(surefoot_walker_follow(walker, navigator));
    while (step == SUREFOOT_STEP_MOVED || step == SUREFOOT_STEP_WAITING) {
        TRY(surefoot_walker_next(walker, &step, &at));
        if (step == SUREFOOT_STEP_MOVED) moves++;
    }
    printf("%zu more moves around the wall, to %u, %u\n", moves, (unsigned)at.x, (unsigned)at.y);
    if (step != SUREFOOT_STEP_ARRIVED || at.x != goal.x || at.y != goal.y || moves != 11) return 1;

    TRY(surefoot_walker_free(walker));
    TRY(surefoot_navigator_free(navigator));
    TRY(surefoot_map_free(map));
    return 0;
}
