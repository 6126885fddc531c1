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
    SurefootCell points[3];
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
    IS(surefoot_navigator_turning_points(navigator, start, far, points, 3, &count, &cost), SUREFOOT_OK);
    HOLDS(count == 2 && cost == 2 && points[0].x == 0 && points[1].x == 2);
    IS(surefoot_navigator_turning_points(navigator, start, far, NULL, 0, &count, NULL), SUREFOOT_OK);
    HOLDS(count == 2);
    IS(surefoot_navigator_turning_points(navigator, start, beyond, points, 3, &count, &cost), SUREFOOT_NO_WAY);
    HOLDS(count == 0 && isinf(cost));
    IS(surefoot_navigator_turning_points(navigator, start, door, points, 3, &count, NULL), SUREFOOT_ERROR_QUERY);
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
    IS(surefoot_navigator_smooth(copy, path, points, 3, &count), SUREFOOT_ERROR_QUERY); /* the door is shut there */
    IS(surefoot_navigator_set_cells(copy, &door, 1, 1), SUREFOOT_OK);
    IS(surefoot_navigator_smooth(copy, path, points, 3, &count), SUREFOOT_OK);
    HOLDS(count == 2 && points[1].x == 4);
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

/* What a function does that hears of a build: all that one should not do. */
typedef struct {
    SurefootMap map;
    SurefootCrowd crowd;
    SurefootNavigator inner;
    int calls, frees;
} Heard;

static int32_t hear(void *user, const char *stage, uint64_t done, uint64_t all) {
    Heard *heard = user;
    SurefootFrameReport report;
    HOLDS(*stage != 0 && done <= all);
    if (heard->calls++ == 0) {
        IS(surefoot_navigator_build(heard->map, NULL, NULL, &heard->inner), SUREFOOT_OK);
        if (heard->crowd.bits != 0) IS(surefoot_crowd_frame(heard->crowd, 100, &report), SUREFOOT_OK);
        if (heard->frees) {
            IS(surefoot_map_free(heard->map), SUREFOOT_OK);
            if (heard->crowd.bits != 0) IS(surefoot_crowd_free(heard->crowd), SUREFOOT_OK);
        }
        /* Its words are not those of the build. */
        IS(surefoot_map_free(heard->map), heard->frees ? SUREFOOT_ERROR_HANDLE : SUREFOOT_OK);
    }
    return 0;
}

static int32_t refuse(void *user, const char *stage, uint64_t done, uint64_t all) {
    (void)user, (void)stage, (void)done, (void)all;
    return INT32_MIN;
}

static void builds(void) {
    const char art[] = ".....\n.#.#.\n.....\n";
    const SurefootCell start = {0, 0}, goal = {4, 2}, wall = {2, 1};
    SurefootCrowdOptions parallel = {0};
    SurefootKindOptions options = {0};
    SurefootMap map, edited;
    SurefootNavigator navigator;
    SurefootCrowd crowd;
    SurefootKind kind = 9, later;
    SurefootUnit unit;
    SurefootCell at;
    double cost;
    int32_t is_built, is_up_to_date;
    uint64_t done, all;

    parallel.parallel = 1;
    /* A build goes on when its map and its crowd are freed by who hears of it. */
    for (int frees = 0; frees < 2; frees++) {
        Heard heard = {{0}, {0}, {0}, 0, frees};
        IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &heard.map), SUREFOOT_OK);
        IS(surefoot_navigator_build(heard.map, hear, &heard, &navigator), SUREFOOT_OK);
        HOLDS(heard.calls > 0);
        IS(surefoot_navigator_cost(navigator, start, goal, &cost), SUREFOOT_OK);
        IS(surefoot_navigator_free(navigator), SUREFOOT_OK);
        IS(surefoot_navigator_free(heard.inner), SUREFOOT_OK);
        IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &heard.map), SUREFOOT_OK);
        IS(surefoot_crowd_new(heard.map, &parallel, &heard.crowd), SUREFOOT_OK);
        heard.calls = 0;
        IS(surefoot_crowd_add_kind(heard.crowd, NULL, hear, &heard, &kind),
           frees ? SUREFOOT_ERROR_HANDLE : SUREFOOT_OK);
        HOLDS(heard.calls > 0);
        IS(surefoot_crowd_free(heard.crowd), frees ? SUREFOOT_ERROR_HANDLE : SUREFOOT_OK);
        IS(surefoot_navigator_free(heard.inner), SUREFOOT_OK);
    }

    IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &map), SUREFOOT_OK);
    IS(surefoot_navigator_build(map, refuse, NULL, &navigator), SUREFOOT_CANCELLED);
    HOLDS(navigator.bits == 0);
    IS(surefoot_navigator_build(map, NULL, NULL, &navigator), SUREFOOT_OK);
    IS(surefoot_crowd_new(map, NULL, &crowd), SUREFOOT_OK);
    IS(surefoot_crowd_add_kind(crowd, NULL, refuse, NULL, &kind), SUREFOOT_CANCELLED);
    /* What a navigator has computed is taken: nobody hears of a build. */
    options.navigator = navigator;
    IS(surefoot_crowd_add_kind(crowd, &options, refuse, NULL, &kind), SUREFOOT_OK);
    IS(surefoot_crowd_is_built(crowd, kind, &is_built, &is_up_to_date), SUREFOOT_OK);
    HOLDS(is_built == 1 && is_up_to_date == 1);
    IS(surefoot_crowd_cost(crowd, kind, start, goal, &cost), SUREFOOT_OK);
    HOLDS(cost == 6);
    /* But not one of another map, or under another rule. */
    options.rule = SUREFOOT_RULE_CARDINAL;
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &later), SUREFOOT_ERROR_DATABASE);
    options.rule = SUREFOOT_RULE_AS_MAP;
    IS(surefoot_map_copy(map, &edited), SUREFOOT_OK);
    IS(surefoot_map_set_cells(edited, &wall, 1, 0), SUREFOOT_OK);
    IS(surefoot_navigator_free(navigator), SUREFOOT_OK);
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &later), SUREFOOT_ERROR_HANDLE);
    IS(surefoot_navigator_build(edited, NULL, NULL, &options.navigator), SUREFOOT_OK);
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &later), SUREFOOT_ERROR_DATABASE);
    IS(surefoot_navigator_free(options.navigator), SUREFOOT_OK);

    /* One that is built later, by another call. */
    options.navigator.bits = 0;
    options.unbuilt = 1;
    IS(surefoot_crowd_add_kind(crowd, &options, NULL, NULL, &later), SUREFOOT_OK);
    IS(surefoot_crowd_is_built(crowd, later, &is_built, NULL), SUREFOOT_OK);
    HOLDS(is_built == 0);
    IS(surefoot_crowd_add(crowd, later, start, goal, 0, &unit), SUREFOOT_OK);
    IS(surefoot_crowd_build(crowd, later, refuse, NULL), SUREFOOT_CANCELLED);
    IS(surefoot_crowd_build_in_frames(crowd, later), SUREFOOT_OK);
    IS(surefoot_crowd_build_progress(crowd, later, &done, &all), SUREFOOT_OK);
    HOLDS(all > 0 && done <= all);
    IS(surefoot_crowd_set_cells(crowd, &wall, 1, 0, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_build(crowd, later, NULL, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_is_built(crowd, later, &is_built, NULL), SUREFOOT_OK);
    HOLDS(is_built == 1);
    IS(surefoot_crowd_build_progress(crowd, later, &done, &all), SUREFOOT_OK);
    HOLDS(done == 0 && all == 0);
    IS(surefoot_crowd_build_in_frames(crowd, later), SUREFOOT_ERROR_CROWD);
    HOLDS(strstr(surefoot_error_message(), "surefoot_crowd_build ") != NULL);
    for (int frame = 0; frame < 40; frame++) IS(surefoot_crowd_frame(crowd, SUREFOOT_EVERYONE, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_position(crowd, unit, &at), SUREFOOT_OK);
    HOLDS(at.x == goal.x && at.y == goal.y);
    IS(surefoot_crowd_build(crowd, 77, NULL, NULL), SUREFOOT_ERROR_CROWD);
    IS(surefoot_crowd_free(crowd), SUREFOOT_OK);
    IS(surefoot_map_free(edited), SUREFOOT_OK);
    IS(surefoot_map_free(map), SUREFOOT_OK);
}

static void crowd_questions(void) {
    const char art[] = "......\n.####.\n......\n";
    const SurefootCell start = {0, 0}, end = {5, 0}, rock = {2, 1}, out = {9, 9}, goals[2] = {{5, 2}, {0, 2}};
    SurefootMap map;
    SurefootCrowd crowd, copy;
    SurefootKind kind, of;
    SurefootUnit unit, hunter, found[4];
    SurefootGroup group, of_group;
    SurefootCell cell;
    SurefootPath path;
    double costs[2], cost;
    uint64_t sum, other, shared, of_edits, per_unit;
    size_t nearest, count;
    int32_t is_free;
    uint8_t weight;

    IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &map), SUREFOOT_OK);
    IS(surefoot_crowd_new(map, NULL, &crowd), SUREFOOT_OK);
    IS(surefoot_crowd_add_kind(crowd, NULL, NULL, NULL, &kind), SUREFOOT_OK);
    IS(surefoot_crowd_costs(crowd, kind, start, goals, 2, costs), SUREFOOT_OK);
    HOLDS(costs[0] == 7 && costs[1] == 2);
    IS(surefoot_crowd_nearest_of(crowd, kind, start, goals, 2, &nearest, &cost), SUREFOOT_OK);
    HOLDS(nearest == 1 && cost == 2);
    IS(surefoot_crowd_nearest_of(crowd, kind, start, goals, 0, &nearest, NULL), SUREFOOT_NO_WAY);
    IS(surefoot_crowd_costs(crowd, kind, start, &rock, 1, costs), SUREFOOT_ERROR_QUERY);
    IS(surefoot_crowd_path_between(crowd, kind, start, end, &path), SUREFOOT_OK);
    IS(surefoot_path_length(path, &count), SUREFOOT_OK);
    HOLDS(count == 6);
    IS(surefoot_path_free(path), SUREFOOT_OK);
    IS(surefoot_crowd_is_free(crowd, rock, &is_free), SUREFOOT_OK);
    HOLDS(is_free == 0);
    IS(surefoot_crowd_is_free(crowd, out, &is_free), SUREFOOT_OK);
    HOLDS(is_free == 0);
    IS(surefoot_crowd_weight(crowd, kind, start, &weight), SUREFOOT_OK);
    HOLDS(weight == 1);

    IS(surefoot_crowd_add(crowd, kind, start, end, 0, &unit), SUREFOOT_OK);
    IS(surefoot_crowd_add(crowd, kind, end, start, 0, &hunter), SUREFOOT_OK);
    IS(surefoot_crowd_kind_of(crowd, unit, &of), SUREFOOT_OK);
    HOLDS(of == kind);
    IS(surefoot_crowd_target(crowd, hunter, &found[0]), SUREFOOT_OK);
    HOLDS(found[0] == SUREFOOT_NO_UNIT);
    IS(surefoot_crowd_pursue(crowd, hunter, unit), SUREFOOT_OK);
    IS(surefoot_crowd_target(crowd, hunter, &found[0]), SUREFOOT_OK);
    HOLDS(found[0] == unit);
    IS(surefoot_crowd_group_of(crowd, unit, &group), SUREFOOT_OK);
    HOLDS(group == SUREFOOT_NO_GROUP);
    IS(surefoot_crowd_send(crowd, &unit, 1, goals[0], &group), SUREFOOT_OK);
    IS(surefoot_crowd_group_of(crowd, unit, &of_group), SUREFOOT_OK);
    HOLDS(of_group == group);
    IS(surefoot_crowd_members(crowd, group, found, 4, &count), SUREFOOT_OK);
    HOLDS(count == 1 && found[0] == unit);
    IS(surefoot_crowd_members(crowd, SUREFOOT_NO_GROUP, found, 4, &count), SUREFOOT_OK);
    HOLDS(count == 0);
    IS(surefoot_crowd_set_goal(crowd, unit, rock), SUREFOOT_ERROR_QUERY);
    IS(surefoot_crowd_set_goal_or_nearest(crowd, unit, out, &cell), SUREFOOT_OK);
    HOLDS(cell.x == 5 && cell.y == 2);

    /* A copy goes its own way. */
    IS(surefoot_crowd_copy(crowd, &copy), SUREFOOT_OK);
    IS(surefoot_crowd_checksum(crowd, &sum), SUREFOOT_OK);
    IS(surefoot_crowd_frame(copy, SUREFOOT_EVERYONE, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_checksum(copy, &other), SUREFOOT_OK);
    HOLDS(sum != other);
    IS(surefoot_crowd_checksum(crowd, &other), SUREFOOT_OK);
    HOLDS(sum == other);
    IS(surefoot_crowd_free(copy), SUREFOOT_OK);
    IS(surefoot_crowd_memory(crowd, &shared, &of_edits, &per_unit), SUREFOOT_OK);
    HOLDS(shared > 0 && per_unit > 0);

    /* Something is built on a unit. */
    IS(surefoot_crowd_set_cells(crowd, &start, 1, 0, NULL), SUREFOOT_OK);
    IS(surefoot_crowd_push_out(crowd, found, 4, &count), SUREFOOT_OK);
    HOLDS(count == 1 && found[0] == unit);
    IS(surefoot_crowd_position(crowd, unit, &cell), SUREFOOT_OK);
    HOLDS(cell.x != 0 || cell.y != 0);
    IS(surefoot_crowd_push_out(crowd, NULL, 0, &count), SUREFOOT_OK);
    HOLDS(count == 0);
    IS(surefoot_crowd_not_built(crowd, &of, 1, &count), SUREFOOT_OK);
    HOLDS(count == 0);
    IS(surefoot_crowd_free(crowd), SUREFOOT_OK);
    IS(surefoot_map_free(map), SUREFOOT_OK);
}

/* A save that fails leaves the file that was there, and no other. */
static void files(void) {
    const char art[] = "...\n";
    SurefootMap map;
    SurefootNavigator navigator, opened;
    FILE *file;
    long bytes;

    IS(surefoot_map_from_bytes((const uint8_t *)art, strlen(art), &map), SUREFOOT_OK);
    IS(surefoot_navigator_build(map, NULL, NULL, &navigator), SUREFOOT_OK);
    IS(surefoot_navigator_save(navigator, "api_test.sfdb"), SUREFOOT_OK);
    IS(surefoot_navigator_save(navigator, "no such folder/api_test.sfdb"), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_save(navigator, "api_test.sfdb/below"), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_save(navigator, "."), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_save(navigator, ""), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_save(navigator, "/dev/full/x"), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_save(navigator, NULL), SUREFOOT_ERROR_ARGUMENT);
    IS(surefoot_navigator_open(map, "api_test.sfdb", &opened), SUREFOOT_OK);
    IS(surefoot_navigator_free(opened), SUREFOOT_OK);
    IS(surefoot_navigator_open(map, ".", &opened), SUREFOOT_ERROR_FILE);
    IS(surefoot_navigator_open(map, "/dev/zero", &opened), SUREFOOT_ERROR_FILE);
    /* One that ends early is damaged, not a crash. */
    file = fopen("api_test.sfdb", "r+b");
    HOLDS(file != NULL && fseek(file, 0, SEEK_END) == 0);
    bytes = file == NULL ? 0 : ftell(file);
    if (file != NULL) fclose(file);
    file = fopen("api_test.sfdb", "wb");
    for (long at = 0; file != NULL && at < bytes / 2; at++) fputc('x', file);
    if (file != NULL) fclose(file);
    IS(surefoot_navigator_open(map, "api_test.sfdb", &opened), SUREFOOT_ERROR_DATABASE);
    HOLDS(opened.bits == 0);
    HOLDS(remove("api_test.sfdb") == 0);
    IS(surefoot_navigator_free(navigator), SUREFOOT_OK);
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
    builds();
    crowd_questions();
    files();
    if (faults == 0) printf("all answers are as they should be\n");
    return faults == 0 ? 0 : 1;
}
