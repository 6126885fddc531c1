/* Calls that are wrong in one way each, and what they answer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "surefoot.h"

static int faults;

#define IS(call, expected)                                                              \
    do {                                                                                \
        SurefootResult is = (call);                                                     \
        if (is != (expected)) {                                                         \
            fprintf(stderr, "%s:%d: %d, not %s: %s\n", __FILE__, __LINE__, (int)is, #expected, \
                    surefoot_error_message());                                          \
            faults++;                                                                   \
        }                                                                               \
    } while (0)

#define HOLDS(what)                                                          \
    do {                                                                     \
        if (!(what)) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);       \
            faults++;                                                        \
        }                                                                    \
    } while (0)

static void maps(void) {
    const uint8_t cells[6] = {1, 0, 1, 1, 1, 1};
    const SurefootCell ends[2] = {{0, 0}, {9, 9}};
    const SurefootLink link = {{0, 0}, {2, 0}, 1};
    uint8_t copy[6] = {7, 7, 7, 7, 7, 7};
    const uint8_t weights[6] = {1, 2, 3, 4, 5, 6};
    SurefootMap map, other;
    uint32_t width, height;
    int32_t is_free, rule, costs;
    size_t count;

    IS(surefoot_map_new(cells, 6, 3, 2, &map), SUREFOOT_OK);
    IS(surefoot_map_new(cells, 6, 2, 2, &other), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_map_new(NULL, 0, 0, 0, &other), SUREFOOT_ERROR_MAP);
    IS(surefoot_map_new(NULL, SIZE_MAX, UINT32_MAX, UINT32_MAX, &other), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_map_size(map, &width, &height), SUREFOOT_OK);
    HOLDS(width == 3 && height == 2);
    IS(surefoot_map_size(map, NULL, NULL), SUREFOOT_OK);
    IS(surefoot_map_cells(map, copy, 4, &count), SUREFOOT_OK);
    HOLDS(count == 6 && memcmp(copy, cells, 4) == 0 && copy[4] == 7);
    IS(surefoot_map_cells(map, NULL, 4, &count), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_map_set_cells(map, ends, 2, 0), SUREFOOT_ERROR_MAP);
    IS(surefoot_map_is_free(map, ends[0], &is_free), SUREFOOT_OK);
    HOLDS(is_free == 1); /* none was changed */
    IS(surefoot_map_copy(map, &other), SUREFOOT_OK);
    IS(surefoot_map_set_cells(map, ends, 1, 0), SUREFOOT_OK);
    IS(surefoot_map_is_free(map, ends[0], &is_free), SUREFOOT_OK);
    HOLDS(is_free == 0);
    IS(surefoot_map_is_free(other, ends[0], &is_free), SUREFOOT_OK);
    HOLDS(is_free == 1);
    IS(surefoot_map_set_rule(map, SUREFOOT_RULE_CARDINAL), SUREFOOT_OK);
    IS(surefoot_map_set_costs(map, SUREFOOT_COSTS_DIAGONAL14), SUREFOOT_OK);
    IS(surefoot_map_set_rule(map, 99), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_map_rule(map, &rule, &costs), SUREFOOT_OK);
    HOLDS(rule == SUREFOOT_RULE_CARDINAL && costs == SUREFOOT_COSTS_DIAGONAL14);
    IS(surefoot_map_set_weights(map, weights, 6), SUREFOOT_OK);
    IS(surefoot_map_set_weights(map, weights, 5), SUREFOOT_ERROR_MAP);
    IS(surefoot_map_set_links(map, &link, 1), SUREFOOT_OK);
    IS(surefoot_map_set_links(map, NULL, 1), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_map_open("no such file.map", &other), SUREFOOT_ERROR_FILE);
    IS(surefoot_map_free(map), SUREFOOT_OK);
    IS(surefoot_map_free(map), SUREFOOT_ERROR_HANDLE);
    HOLDS(strstr(surefoot_error_message(), "freed") != NULL);
}

static void navigators(void) {
    const char art[] = "...#.\n";
    const SurefootCell goals[3] = {{2, 0}, {4, 0}, {0, 0}}, start = {0, 0}, far = {2, 0}, beyond = {4, 0};
    const SurefootCell door = {3, 0};
    SurefootMap map, as_known;
    SurefootNavigator navigator, copy;
    SurefootWalker walker;
    SurefootPath path;
    SurefootStep step;
    SurefootCell cell;
    double costs[3], cost;
    uint64_t work;
    int32_t is_reachable;
    size_t nearest, count;

    IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &map), SUREFOOT_OK);
    IS(surefoot_navigator_build(map, NULL, NULL, NULL), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_navigator_build(map, NULL, NULL, &navigator), SUREFOOT_OK);
    IS(surefoot_navigator_costs(navigator, start, goals, 3, costs), SUREFOOT_OK);
    HOLDS(costs[0] == 2 && isinf(costs[1]) && costs[2] == 0);
    IS(surefoot_navigator_cost(navigator, start, beyond, &cost), SUREFOOT_NO_WAY);
    HOLDS(isinf(cost));
    IS(surefoot_navigator_cost(navigator, start, door, &cost), SUREFOOT_ERROR_QUERY);
    IS(surefoot_navigator_path(navigator, start, beyond, &path), SUREFOOT_NO_WAY);
    HOLDS(path.bits == 0);
    IS(surefoot_navigator_reachable(navigator, start, far, &is_reachable), SUREFOOT_OK);
    HOLDS(is_reachable == 1);
    IS(surefoot_navigator_nearest_of(navigator, far, goals + 1, 2, &nearest, NULL), SUREFOOT_OK);
    HOLDS(nearest == 1);
    IS(surefoot_navigator_nearest_of(navigator, far, goals + 1, 1, &nearest, NULL), SUREFOOT_NO_WAY);
    IS(surefoot_navigator_copy(navigator, &copy), SUREFOOT_OK);
    IS(surefoot_navigator_set_cells(navigator, &door, 1, 1), SUREFOOT_OK);
    IS(surefoot_navigator_cost(navigator, start, beyond, &cost), SUREFOOT_OK);
    HOLDS(cost == 4);
    IS(surefoot_navigator_cost(copy, start, beyond, &cost), SUREFOOT_NO_WAY);
    IS(surefoot_navigator_map(navigator, &as_known), SUREFOOT_OK);
    IS(surefoot_map_is_free(as_known, door, &is_reachable), SUREFOOT_OK);
    HOLDS(is_reachable == 1);
    IS(surefoot_map_free(as_known), SUREFOOT_OK);

    IS(surefoot_walker_new(copy, start, beyond, &walker), SUREFOOT_OK);
    IS(surefoot_walker_next(walker, &step, NULL), SUREFOOT_OK);
    HOLDS(step == SUREFOOT_STEP_NO_WAY);
    IS(surefoot_walker_cost_left(walker, &cost), SUREFOOT_NO_WAY);
    IS(surefoot_walker_follow(walker, navigator), SUREFOOT_OK);
    IS(surefoot_walker_next(walker, &step, &cell), SUREFOOT_OK);
    HOLDS(step == SUREFOOT_STEP_MOVED && cell.x == 1);
    IS(surefoot_walker_work(walker, &work), SUREFOOT_OK);
    IS(surefoot_walker_set_goal(walker, start), SUREFOOT_OK);
    IS(surefoot_walker_goal(walker, &cell), SUREFOOT_OK);
    HOLDS(cell.x == 0);
    IS(surefoot_walker_set_goal(walker, (SurefootCell){77, 0}), SUREFOOT_ERROR_QUERY);
    /* A navigator is no walker. */
    IS(surefoot_walker_next((SurefootWalker){navigator.bits}, &step, NULL), SUREFOOT_ERROR_HANDLE);
    HOLDS(strcmp(surefoot_error_message(), "this is a handle of the kind navigator, not walker") == 0);
    /* What a navigator gave outlasts it. */
    IS(surefoot_navigator_path(navigator, start, beyond, &path), SUREFOOT_OK);
    IS(surefoot_navigator_free(navigator), SUREFOOT_OK);
    IS(surefoot_walker_next(walker, &step, NULL), SUREFOOT_OK);
    IS(surefoot_path_length(path, &count), SUREFOOT_OK);
    HOLDS(count == 5);
    IS(surefoot_path_turning_points(path, NULL, 0, &count), SUREFOOT_OK);
    HOLDS(count == 2);
    IS(surefoot_path_free(path), SUREFOOT_OK);
    IS(surefoot_walker_free(walker), SUREFOOT_OK);
    IS(surefoot_navigator_free(copy), SUREFOOT_OK);
    IS(surefoot_map_free(map), SUREFOOT_OK);
}

static void crowds(void) {
    const uint8_t cells[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const SurefootCell starts[2] = {{0, 0}, {2, 2}}, goals[2] = {{2, 0}, {9, 9}};
    const SurefootLink link = {{0, 0}, {2, 2}, 1};
    SurefootKindOptions options = {0};
    SurefootMap map;
    SurefootCrowd crowd;
    SurefootKind kind, heavy;
    SurefootUnit units[2], listed[2];
    SurefootFrameReport report;
    SurefootStatus status;
    SurefootCell at[2];
    SurefootPoint point;
    uint64_t size, changed;
    uint32_t id;
    int32_t is_built;
    size_t count;

    IS(surefoot_map_new(cells, 9, 3, 3, &map), SUREFOOT_OK);
    IS(surefoot_crowd_new(map, NULL, &crowd), SUREFOOT_OK);
    IS(surefoot_crowd_add_kind(crowd, NULL, NULL, NULL, &kind), SUREFOOT_OK);
    options.size = 2;
    options.rule = SUREFOOT_RULE_CARDINAL;
    options.weights = cells;
    options.weight_count = 9;
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &heavy), SUREFOOT_OK);
    options.weight_count = 8;
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &heavy), SUREFOOT_ERROR_MAP);
    options.weights = NULL;
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &heavy), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_crowd_is_built(crowd, kind, &is_built, NULL), SUREFOOT_OK);
    HOLDS(is_built == 1);
    IS(surefoot_crowd_add_many(crowd, kind, starts, goals, 2, 0, units), SUREFOOT_ERROR_QUERY);
    IS(surefoot_crowd_size(crowd, &size), SUREFOOT_OK);
    HOLDS(size == 0); /* none was added */
    IS(surefoot_crowd_add_many(crowd, kind, starts, starts, 2, SUREFOOT_PRIORITY_HIGH, units), SUREFOOT_OK);
    IS(surefoot_crowd_add(crowd, 77, starts[0], starts[1], 0, units), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_set_goal(crowd, units[0], goals[0]), SUREFOOT_OK);
    IS(surefoot_crowd_set_goal(crowd, UINT64_MAX, goals[0]), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_frame(crowd, 0, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_frame(crowd, SUREFOOT_EVERYONE, &report), SUREFOOT_OK);
    HOLDS(report.arrived == 1 && report.moves == 1 && report.frame == 2);
    IS(surefoot_crowd_listed(crowd, SUREFOOT_LIST_ARRIVED, listed, 2, &count), SUREFOOT_OK);
    HOLDS(count == 1 && listed[0] == units[0]);
    IS(surefoot_crowd_listed(crowd, 5, listed, 2, &count), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_crowd_positions(crowd, units, 2, at), SUREFOOT_OK);
    HOLDS(at[0].x == 2 && at[0].y == 0 && at[1].x == 2 && at[1].y == 2);
    IS(surefoot_crowd_points(crowd, units, 1, &point), SUREFOOT_OK);
    HOLDS(point.x == 2.0f && point.y == 0.0f);
    IS(surefoot_crowd_status(crowd, units[0], &status), SUREFOOT_OK);
    HOLDS(status == SUREFOOT_STATUS_ARRIVED);
    IS(surefoot_crowd_set_cells(crowd, goals, 2, 0, &changed), SUREFOOT_ERROR_QUERY);
    IS(surefoot_crowd_set_cells(crowd, goals, 1, 1, &changed), SUREFOOT_OK);
    HOLDS(changed == 0);
    IS(surefoot_crowd_add_link(crowd, kind, link, &id), SUREFOOT_OK);
    IS(surefoot_crowd_remove_link(crowd, kind, id), SUREFOOT_OK);
    IS(surefoot_crowd_remove_link(crowd, kind, id), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_pursue(crowd, units[0], units[0]), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_pursue(crowd, units[0], units[1]), SUREFOOT_OK);
    IS(surefoot_crowd_stop(crowd, units[0]), SUREFOOT_OK);
    IS(surefoot_crowd_set_speed(crowd, units[0], 1, 0), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_crowd_remove(crowd, units[0]), SUREFOOT_OK);
    IS(surefoot_crowd_remove(crowd, units[0]), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_free(crowd), SUREFOOT_OK);
    IS(surefoot_crowd_frame(crowd, 0, NULL), SUREFOOT_ERROR_HANDLE);
    IS(surefoot_map_free(map), SUREFOOT_OK);
}

int main(void) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SUREFOOT_VERSION_MAJOR, SUREFOOT_VERSION_MINOR,
             SUREFOOT_VERSION_PATCH);
    HOLDS(strcmp(version, surefoot_version()) == 0);
    HOLDS(strcmp(surefoot_error_message(), "") == 0);
    maps();
    navigators();
    crowds();
    if (faults == 0) printf("all answers are as they should be\n");
    return faults == 0 ? 0 : 1;
}
