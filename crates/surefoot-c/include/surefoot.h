/*
 * surefoot: real-time pathfinding on grids.
 *
 * `cargo xtask c` writes this file from crates/surefoot-c/src; change it there.
 *
 * Every function returns a SurefootResult, and what it answers is written where a pointer says.
 *
 * Handles are numbers that are looked up, not addresses. Zero is none. A call with a handle that is zero, was freed,
 * is of another kind or was never given returns SUREFOOT_ERROR_HANDLE, and nothing else happens. What a function gives
 * as a handle is yours: free it with the function of its kind.
 *
 * Pointers are NULL or valid: aligned, and to as many values as the number says that goes with them. That is all that is
 * asked of a caller; every other argument has a defined answer. Lists of no values may be NULL. Nothing that is passed
 * is kept after a call.
 *
 * Any function may be called on any handle by any thread at any time. Calls that only ask run at the same time; a call
 * that changes an object waits for the others on it, and they for it. Freeing waits, too: an object lasts until the
 * calls end that have it. Builds work on copies, and nothing waits for them. Threads that ask one navigator very often
 * had better have copies of their own, which share everything.
 *
 * Strings are UTF-8, ended by a zero.
 */

#ifndef SUREFOOT_H
#define SUREFOOT_H

#include <stddef.h>
#include <stdint.h>

/**
 * The first number of the version that the header is of.
 */
#define SUREFOOT_VERSION_MAJOR 0

/**
 * The second number of it.
 */
#define SUREFOOT_VERSION_MINOR 2

/**
 * The third number of it.
 */
#define SUREFOOT_VERSION_PATCH 0

/**
 * A budget of work that is as much as all units need.
 */
#define SUREFOOT_EVERYONE UINT64_MAX

/**
 * A bound that is not known.
 */
#define SUREFOOT_UNKNOWN UINT64_MAX

/**
 * No unit.
 */
#define SUREFOOT_NO_UNIT UINT64_MAX

/**
 * No group.
 */
#define SUREFOOT_NO_GROUP UINT32_MAX

/**
 * What a call came to. What is not one of the first three is an error, and `surefoot_error_message` tells
 * more.
 *
 */
typedef enum {
  /**
   * It worked.
   */
  SUREFOOT_OK = 0,
  /**
   * It worked, and there is no way.
   */
  SUREFOOT_NO_WAY = 1,
  /**
   * The caller's function cancelled it.
   */
  SUREFOOT_CANCELLED = 2,
  /**
   * A handle is zero, was freed, is of another kind, or is no handle at all.
   */
  SUREFOOT_ERROR_HANDLE = 3,
  /**
   * An argument is not what it should be: NULL, too long, not UTF-8, out of its range.
   */
  SUREFOOT_ERROR_ARGUMENT = 4,
  /**
   * There can be no such map, or a map cannot be changed so.
   */
  SUREFOOT_ERROR_MAP = 5,
  /**
   * A question cannot be answered: a cell lies outside the map or is blocked.
   */
  SUREFOOT_ERROR_QUERY = 6,
  /**
   * The bytes of a navigator or a crowd are damaged, or belong to another map.
   */
  SUREFOOT_ERROR_DATABASE = 7,
  /**
   * A crowd cannot do so: there is no such unit, kind or link, say.
   */
  SUREFOOT_ERROR_CROWD = 8,
  /**
   * A file cannot be read or written.
   */
  SUREFOOT_ERROR_FILE = 9,
  /**
   * There is not enough memory for what was passed.
   */
  SUREFOOT_ERROR_MEMORY = 10,
  /**
   * A fault in the library: please report it. The object can only be freed now if the call was to change
   * it.
   */
  SUREFOOT_ERROR_INTERNAL = 11,
} SurefootResult;

/**
 * What came of a walker's move.
 */
typedef enum {
  /**
   * It moved.
   */
  SUREFOOT_STEP_MOVED = 0,
  /**
   * It stands on its goal.
   */
  SUREFOOT_STEP_ARRIVED = 1,
  /**
   * There is no way to its goal.
   */
  SUREFOOT_STEP_NO_WAY = 2,
  /**
   * It has planned and not moved yet: it goes on with the next call.
   */
  SUREFOOT_STEP_WAITING = 3,
} SurefootStep;

/**
 * How a unit of a crowd fares.
 */
typedef enum {
  /**
   * It walks.
   */
  SUREFOOT_STATUS_WALKING = 0,
  /**
   * It has arrived.
   */
  SUREFOOT_STATUS_ARRIVED = 1,
  /**
   * It has no way to its goal.
   */
  SUREFOOT_STATUS_UNREACHABLE = 2,
  /**
   * It does not know how to go on.
   */
  SUREFOOT_STATUS_STUCK = 3,
} SurefootStatus;

/**
 * When a diagonal move is allowed.
 */
typedef enum {
  /**
   * As on the map.
   */
  SUREFOOT_RULE_AS_MAP = 0,
  /**
   * If both cells beside it are free. That is usual.
   */
  SUREFOOT_RULE_NO_CUT = 1,
  /**
   * If one of them is free.
   */
  SUREFOOT_RULE_ONE_FREE = 2,
  /**
   * Always.
   */
  SUREFOOT_RULE_SQUEEZE = 3,
  /**
   * Never: there are four directions.
   */
  SUREFOOT_RULE_CARDINAL = 4,
} SurefootRule;

/**
 * What a diagonal move costs.
 */
typedef enum {
  /**
   * As on the map.
   */
  SUREFOOT_COSTS_AS_MAP = 0,
  /**
   * The square root of 2. That is usual.
   */
  SUREFOOT_COSTS_SQRT2 = 1,
  /**
   * 1.4.
   */
  SUREFOOT_COSTS_DIAGONAL14 = 2,
} SurefootCosts;

/**
 * Who is served first where the work of a frame does not suffice for all.
 */
typedef enum {
  /**
   * As usual.
   */
  SUREFOOT_PRIORITY_NORMAL = 0,
  /**
   * After the others.
   */
  SUREFOOT_PRIORITY_LOW = 1,
  /**
   * Before the others.
   */
  SUREFOOT_PRIORITY_HIGH = 2,
} SurefootPriority;

/**
 * Lists of units in a report.
 */
typedef enum {
  /**
   * Who arrived.
   */
  SUREFOOT_LIST_ARRIVED = 0,
  /**
   * Who found that there is no way to its goal.
   */
  SUREFOOT_LIST_UNREACHABLE = 1,
  /**
   * Who had no way, and has one again.
   */
  SUREFOOT_LIST_REACHABLE = 2,
  /**
   * Who wanted to move and could not, because others stand in the way.
   */
  SUREFOOT_LIST_BLOCKED = 3,
  /**
   * Who lost the unit that it pursued.
   */
  SUREFOOT_LIST_LOST = 4,
} SurefootList;

/**
 * Bytes of the library's. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootBytes;

/**
 * A map. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootMap;

/**
 * A cell of a map: column and row, both from 0.
 */
typedef struct {
  /**
   * The column.
   */
  uint32_t x;
  /**
   * The row.
   */
  uint32_t y;
} SurefootCell;

/**
 * An extra move from one cell to another: a one-way door, a ladder, a teleporter.
 */
typedef struct {
  /**
   * Where it begins.
   */
  SurefootCell from;
  /**
   * Where it ends.
   */
  SurefootCell to;
  /**
   * It costs as much as so many straight moves, 1 or more.
   */
  uint32_t moves;
} SurefootLink;

/**
 * A function that hears how far a build is: the stage in words, how much is done, and how much there is. The
 * build goes on if it returns 0, and ends with SUREFOOT_CANCELLED if it returns anything else.
 *
 * It is called on the thread that called for the build, and `user` is what was passed with it. It may call
 * any function of this library. It must not throw, and must not leave by `longjmp`. `stage` is its own until
 * it returns.
 */
typedef int32_t (*SurefootProgress)(void *user, const char *stage, uint64_t done, uint64_t all);

/**
 * A navigator: a map, and what was computed for it. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootNavigator;

/**
 * A path. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootPath;

/**
 * A unit on its way. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootWalker;

/**
 * How a crowd is to be. Zero is as usual everywhere, so `SurefootCrowdOptions options = {0};` is a good
 * beginning.
 */
typedef struct {
  /**
   * Not 0: no two units stand on one cell.
   */
  uint32_t units_as_obstacles;
  /**
   * Not 0: units are served on all cores. What comes of it is the same.
   */
  uint32_t parallel;
  /**
   * A unit that has waited for so many frames counts as one of high priority. At most 65,535.
   */
  uint32_t patience;
  /**
   * How often a unit may have to choose its way anew because of edits without getting nearer to its goal,
   * before it goes on by an exact search. At most 65,535.
   */
  uint32_t most_choices;
  /**
   * The most states that a unit may learn a value of, before it goes on by an exact search.
   */
  uint64_t most_learned;
} SurefootCrowdOptions;

/**
 * Many units on one map. Zero is none.
 */
typedef struct {
  /**
   * Nothing but a number to look up.
   */
  uint64_t bits;
} SurefootCrowd;

/**
 * How a kind of units is to be. Zero is as on the crowd's map everywhere, so
 * `SurefootKindOptions options = {0};` is a good beginning.
 */
typedef struct {
  /**
   * When a diagonal move is allowed: one of SurefootRule.
   */
  int32_t rule;
  /**
   * What it costs: one of SurefootCosts.
   */
  int32_t costs;
  /**
   * Units of size 2 take 2 x 2 cells.
   */
  uint32_t size;
  /**
   * Not 0: what the units need is built later, by `surefoot_crowd_build_in_frames` or
   * `surefoot_crowd_build`. Until then they go by a search.
   */
  uint32_t unbuilt;
  /**
   * What ground costs them, 1 to 255 for each cell of the map, row after row; or NULL.
   */
  const uint8_t *weights;
  /**
   * Width times height of the map, if there are weights.
   */
  size_t weight_count;
  /**
   * Extra moves of theirs, or NULL.
   */
  const SurefootLink *links;
  /**
   * How many links there are.
   */
  size_t link_count;
  /**
   * A navigator of the same map, for units of one cell under the same rule, costs and weights; or zero.
   * What it has computed is taken, and nothing is built. What becomes of one does not concern the other.
   */
  SurefootNavigator navigator;
} SurefootKindOptions;

/**
 * A kind of units of a crowd.
 */
typedef uint32_t SurefootKind;

/**
 * A unit of a crowd.
 */
typedef uint64_t SurefootUnit;

/**
 * A group of units that were sent together.
 */
typedef uint32_t SurefootGroup;

/**
 * What happened in a frame, in numbers.
 */
typedef struct {
  /**
   * The number of the frame, from 1.
   */
  uint32_t frame;
  /**
   * How many units got their turn.
   */
  uint32_t served;
  /**
   * How many wait for theirs.
   */
  uint32_t waiting;
  /**
   * How many frames the one waited that waited longest.
   */
  uint32_t longest_wait;
  /**
   * How many units took more than their share.
   */
  uint32_t overdrawn;
  /**
   * How many units were helped on by a search.
   */
  uint32_t relieved;
  /**
   * How many frames nobody waits longer than at this budget; SUREFOOT_UNKNOWN if that is not known.
   */
  uint64_t wait_bound;
  /**
   * The work of units and of upkeep together.
   */
  uint64_t work;
  /**
   * The part of it that kept databases up to date.
   */
  uint64_t upkeep;
  /**
   * How many units moved: `surefoot_crowd_moves` lists them.
   */
  uint64_t moves;
  /**
   * How many arrived: `surefoot_crowd_listed` lists these and the following four.
   */
  uint64_t arrived;
  /**
   * How many found that there is no way to their goal.
   */
  uint64_t unreachable;
  /**
   * How many had no way, and have one again.
   */
  uint64_t reachable;
  /**
   * How many wanted to move and could not, because others stand in the way.
   */
  uint64_t blocked;
  /**
   * How many lost the unit that they pursued.
   */
  uint64_t lost;
  /**
   * How many groups are all there: `surefoot_crowd_settled` lists them.
   */
  uint64_t settled;
  /**
   * How many kinds have what they need now: `surefoot_crowd_built` lists them.
   */
  uint64_t built;
  /**
   * How many kinds cannot be built in frames: `surefoot_crowd_not_built` lists them.
   */
  uint64_t not_built;
} SurefootFrameReport;

/**
 * A move of a unit.
 */
typedef struct {
  /**
   * Who moved.
   */
  SurefootUnit unit;
  /**
   * Where it came from.
   */
  SurefootCell from;
  /**
   * Where it went.
   */
  SurefootCell to;
} SurefootMove;

/**
 * A place between cells. The middle of the first cell is at 0, 0.
 */
typedef struct {
  /**
   * To the right.
   */
  float x;
  /**
   * Down.
   */
  float y;
} SurefootPoint;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * What was wrong with the last call of this thread that did not return SUREFOOT_OK or SUREFOOT_NO_WAY, in
 * words; "" if there was none. Calls that work leave it as it is. The string is UTF-8. It is the library's,
 * and lasts until the next call of this thread that fails.
 */
const char *surefoot_error_message(void);

/**
 * The version of the library, as in "0.2.0". It lasts for ever. Header and library should be of one version.
 */
const char *surefoot_version(void);

/**
 * How many bytes there are.
 */
SurefootResult surefoot_bytes_size(SurefootBytes bytes, size_t *size);

/**
 * Copies the bytes to where there is room for `capacity` of them. `size` is how many there are, or NULL.
 */
SurefootResult surefoot_bytes_copy(SurefootBytes bytes,
                                   uint8_t *to,
                                   size_t capacity,
                                   size_t *size);

/**
 * Frees bytes.
 */
SurefootResult surefoot_bytes_free(SurefootBytes bytes);

/**
 * Makes a map of one byte a cell, row after row: what is not 0 is free. `count` is width times height.
 *
 * Unless something else is said, units move in eight directions and do not cut corners, a straight move
 * costs 1 and a diagonal one the square root of 2.
 */
SurefootResult surefoot_map_new(const uint8_t *cells,
                                size_t count,
                                uint32_t width,
                                uint32_t height,
                                SurefootMap *map);

/**
 * Reads a map from a file: a MovingAI `.map` file, or ASCII art in which `.` is free and `#` is blocked.
 */
SurefootResult surefoot_map_open(const char *file,
                                 SurefootMap *map);

/**
 * Reads a map from the bytes of such a file.
 */
SurefootResult surefoot_map_from_bytes(const uint8_t *bytes, size_t size, SurefootMap *map);

/**
 * Makes a copy. It costs nothing: cells are shared until one of the two changes.
 */
SurefootResult surefoot_map_copy(SurefootMap map, SurefootMap *copy);

/**
 * Frees a map. Navigators and crowds that were made of it stay.
 */
SurefootResult surefoot_map_free(SurefootMap map);

/**
 * The numbers of columns and rows. Either place may be NULL.
 */
SurefootResult surefoot_map_size(SurefootMap map, uint32_t *width, uint32_t *height);

/**
 * Whether a cell can be walked on: 1 or 0. What is no cell of the map cannot.
 */
SurefootResult surefoot_map_is_free(SurefootMap map, SurefootCell cell, int32_t *is_free);

/**
 * Copies all cells, row after row, to where there is room for `capacity` of them: 1 is free, 0 is blocked.
 * `count` is how many there are, or NULL.
 */
SurefootResult surefoot_map_cells(SurefootMap map,
                                  uint8_t *cells,
                                  size_t capacity,
                                  size_t *count);

/**
 * Frees some cells, or blocks them if `free` is 0. If one lies outside the map, none is changed. Navigators
 * and crowds that were made of the map stay as they are.
 */
SurefootResult surefoot_map_set_cells(SurefootMap map,
                                      const SurefootCell *cells,
                                      size_t count,
                                      int32_t free);

/**
 * Says when a diagonal move is allowed: one of SurefootRule.
 */
SurefootResult surefoot_map_set_rule(SurefootMap map, int32_t rule);

/**
 * Says what a diagonal move costs: one of SurefootCosts.
 */
SurefootResult surefoot_map_set_costs(SurefootMap map, int32_t costs);

/**
 * Says what ground costs, a byte of 1 to 255 for each cell, row after row: a move costs its length times the
 * mean of the weights of its two cells. `count` is width times height.
 */
SurefootResult surefoot_map_set_weights(SurefootMap map,
                                        const uint8_t *weights,
                                        size_t count);

/**
 * Says which extra moves there are. They take the place of those that the map had.
 */
SurefootResult surefoot_map_set_links(SurefootMap map, const SurefootLink *links, size_t count);

/**
 * A number that tells how the map is: SurefootRule and SurefootCosts of it. Either place may be NULL.
 */
SurefootResult surefoot_map_rule(SurefootMap map,
                                 int32_t *rule,
                                 int32_t *costs);

/**
 * Computes what paths need. On large maps that takes a while: `progress` hears how far it is, and can cancel
 * it. It may be NULL. No handle is in use meanwhile, so the map may be changed or freed.
 */
SurefootResult surefoot_navigator_build(SurefootMap map,
                                        SurefootProgress progress,
                                        void *user,
                                        SurefootNavigator *navigator);

/**
 * Opens the navigator that `surefoot_navigator_save` or the program `surefoot build` wrote for the same map,
 * here or on any other machine.
 */
SurefootResult surefoot_navigator_open(SurefootMap map,
                                       const char *file,
                                       SurefootNavigator *navigator);

/**
 * Opens a navigator from the bytes that `surefoot_navigator_to_bytes` gave for the same map.
 */
SurefootResult surefoot_navigator_from_bytes(SurefootMap map,
                                             const uint8_t *bytes,
                                             size_t size,
                                             SurefootNavigator *navigator);

/**
 * Makes a copy. It costs nothing: what was computed is shared. Threads that ask much had better have one
 * each, and whoever edits one goes on asking the other.
 */
SurefootResult surefoot_navigator_copy(SurefootNavigator navigator,
                                       SurefootNavigator *copy);

/**
 * Frees a navigator. Walkers and paths that it gave stay.
 */
SurefootResult surefoot_navigator_free(SurefootNavigator navigator);

/**
 * Saves a navigator to a file, whole or not at all. The map is not in the file.
 */
SurefootResult surefoot_navigator_save(SurefootNavigator navigator, const char *file);

/**
 * The navigator as bytes, the same as on any other machine. The map is not in them. Free them with
 * `surefoot_bytes_free`.
 */
SurefootResult surefoot_navigator_to_bytes(SurefootNavigator navigator, SurefootBytes *bytes);

/**
 * The map as the navigator knows it, for you to free.
 */
SurefootResult surefoot_navigator_map(SurefootNavigator navigator, SurefootMap *map);

/**
 * Whether all paths and walks are cheapest ones: 1 or 0. That is so unless ground has weights or the map is
 * very cluttered; then they seldom cost more than a few percent more.
 */
SurefootResult surefoot_navigator_is_exact(SurefootNavigator navigator,
                                           int32_t *is_exact);

/**
 * The bytes of all that was computed for the map.
 */
SurefootResult surefoot_navigator_memory(SurefootNavigator navigator, uint64_t *bytes);

/**
 * Frees some cells, or blocks them if `free` is 0, and brings the navigator up to date. Walkers on their way
 * are told by `surefoot_walker_follow`. Questions wait meanwhile, which can be as long as a build on large
 * cluttered maps: edit a copy if that is too long.
 */
SurefootResult surefoot_navigator_set_cells(SurefootNavigator navigator,
                                            const SurefootCell *cells,
                                            size_t count,
                                            int32_t free);

/**
 * Gives some cells of a map with weights another one, 1 to 255, and brings the navigator up to date.
 */
SurefootResult surefoot_navigator_set_weights(SurefootNavigator navigator,
                                              const SurefootCell *cells,
                                              size_t count,
                                              uint8_t weight);

/**
 * Finds a path from one cell to another, for you to free. SUREFOOT_NO_WAY and no path if there is no way.
 */
SurefootResult surefoot_navigator_path(SurefootNavigator navigator,
                                       SurefootCell start,
                                       SurefootCell goal,
                                       SurefootPath *path);

/**
 * Copies the start, the cells where a path turns, and the goal, to where there is room for `capacity` of
 * them: what `surefoot_path_turning_points` gives, without a path to free, and in less time. `count` is how
 * many there are, `cost` what the path costs; both may be NULL. SUREFOOT_NO_WAY and none if there is no way.
 */
SurefootResult surefoot_navigator_turning_points(SurefootNavigator navigator,
                                                 SurefootCell start,
                                                 SurefootCell goal,
                                                 SurefootCell *cells,
                                                 size_t capacity,
                                                 size_t *count,
                                                 double *cost);

/**
 * Copies a path of this navigator pulled tight, at any angle, to where there is room for `capacity` points:
 * straight lines for a unit that is drawn between cells, up to the first link. `count` is how many there
 * are, or NULL. It fails if the path cannot be walked here: it is of another map, or of before an edit.
 */
SurefootResult surefoot_navigator_smooth(SurefootNavigator navigator,
                                         SurefootPath path,
                                         SurefootCell *cells,
                                         size_t capacity,
                                         size_t *count);

/**
 * What a path from one cell to another costs. SUREFOOT_NO_WAY and infinity if there is no way.
 */
SurefootResult surefoot_navigator_cost(SurefootNavigator navigator,
                                       SurefootCell start,
                                       SurefootCell goal,
                                       double *cost);

/**
 * What paths from one cell to `count` others cost, in their order; infinity for those that there is no way
 * to. There has to be room for as many `costs`.
 */
SurefootResult surefoot_navigator_costs(SurefootNavigator navigator,
                                        SurefootCell start,
                                        const SurefootCell *goals,
                                        size_t count,
                                        double *costs);

/**
 * Whether there is a way from one cell to another: 1 or 0. Nothing is searched for that.
 */
SurefootResult surefoot_navigator_reachable(SurefootNavigator navigator,
                                            SurefootCell start,
                                            SurefootCell goal,
                                            int32_t *is_reachable);

/**
 * The place among `count` goals of the one that is nearest by way, counted from 0; of equally near ones the
 * first. `cost` is what the way costs, or NULL. SUREFOOT_NO_WAY if there is no way to any of them.
 */
SurefootResult surefoot_navigator_nearest_of(SurefootNavigator navigator,
                                             SurefootCell start,
                                             const SurefootCell *goals,
                                             size_t count,
                                             size_t *nearest,
                                             double *cost);

/**
 * How many cells a path has, both ends included: one more than its moves.
 */
SurefootResult surefoot_path_length(SurefootPath path, size_t *length);

/**
 * What a path costs.
 */
SurefootResult surefoot_path_cost(SurefootPath path, double *cost);

/**
 * Copies the cells of a path, from its start to its goal, to where there is room for `capacity` of them.
 * `count` is how many there are, or NULL.
 */
SurefootResult surefoot_path_cells(SurefootPath path,
                                   SurefootCell *cells,
                                   size_t capacity,
                                   size_t *count);

/**
 * Copies the start, the cells where a path turns, and the goal, to where there is room for `capacity` of
 * them. `count` is how many there are, or NULL.
 */
SurefootResult surefoot_path_turning_points(SurefootPath path,
                                            SurefootCell *cells,
                                            size_t capacity,
                                            size_t *count);

/**
 * Frees a path.
 */
SurefootResult surefoot_path_free(SurefootPath path);

/**
 * A unit on its way from one cell to another. If there is no way, its first move says so. It goes by the
 * navigator as it is now.
 */
SurefootResult surefoot_walker_new(SurefootNavigator navigator,
                                   SurefootCell start,
                                   SurefootCell goal,
                                   SurefootWalker *walker);

/**
 * Makes the next move. `step` says what came of it, `cell` where the walker stands now; either may be NULL.
 * The work of a call is bounded, whatever the map's size.
 */
SurefootResult surefoot_walker_next(SurefootWalker walker,
                                    SurefootStep *step,
                                    SurefootCell *cell);

/**
 * Where it stands.
 */
SurefootResult surefoot_walker_position(SurefootWalker walker, SurefootCell *cell);

/**
 * Where it is to go.
 */
SurefootResult surefoot_walker_goal(SurefootWalker walker, SurefootCell *cell);

/**
 * What the way from here to the goal costs. SUREFOOT_NO_WAY and infinity if there is none.
 */
SurefootResult surefoot_walker_cost_left(SurefootWalker walker, double *cost);

/**
 * The planning that its last move took, as a count of steps.
 */
SurefootResult surefoot_walker_work(SurefootWalker walker, uint64_t *work);

/**
 * Gives it another goal where it stands.
 */
SurefootResult surefoot_walker_set_goal(SurefootWalker walker, SurefootCell goal);

/**
 * Goes on by another navigator: one that was edited, say. It keeps its place and its goal.
 */
SurefootResult surefoot_walker_follow(SurefootWalker walker, SurefootNavigator navigator);

/**
 * Frees a walker.
 */
SurefootResult surefoot_walker_free(SurefootWalker walker);

/**
 * A crowd on a copy of a map, without any units yet. `options` may be NULL.
 */
SurefootResult surefoot_crowd_new(SurefootMap map,
                                  const SurefootCrowdOptions *options,
                                  SurefootCrowd *crowd);

/**
 * A crowd from the bytes that `surefoot_crowd_save` gave: it goes on exactly as the one that was saved.
 * Kinds that are added later have the usual rule and costs where they leave them out.
 */
SurefootResult surefoot_crowd_load(const uint8_t *bytes,
                                   size_t size,
                                   SurefootCrowd *crowd);

/**
 * Makes a copy that goes on from here on its own: to look ahead, or to go back to. What was built is shared
 * until one of the two changes it.
 */
SurefootResult surefoot_crowd_copy(SurefootCrowd crowd,
                                   SurefootCrowd *copy);

/**
 * The whole crowd as bytes. Free them with `surefoot_bytes_free`.
 */
SurefootResult surefoot_crowd_save(SurefootCrowd crowd, SurefootBytes *bytes);

/**
 * A number that is the same for crowds that go on alike: for players in lockstep.
 */
SurefootResult surefoot_crowd_checksum(SurefootCrowd crowd, uint64_t *checksum);

/**
 * The map as it is now, with the rule and the costs of the one that the crowd was made with, for you to
 * free.
 */
SurefootResult surefoot_crowd_map(SurefootCrowd crowd,
                                  SurefootMap *map);

/**
 * Frees a crowd.
 */
SurefootResult surefoot_crowd_free(SurefootCrowd crowd);

/**
 * Adds a kind of units, and builds what they find their way by. `options` may be NULL: then it is the kind
 * that the map was made for. On large maps a build takes a while: `progress` hears how far it is, and can
 * cancel it. It may be NULL. The crowd can be used meanwhile. If its map was edited, what was built does not
 * fit, and is built again while the crowd waits.
 */
SurefootResult surefoot_crowd_add_kind(SurefootCrowd crowd,
                                       const SurefootKindOptions *options,
                                       SurefootProgress progress,
                                       void *user,
                                       SurefootKind *kind);

/**
 * Begins to build what a kind needs within the budgets of the next frames. `built` of their reports tells
 * when it is there.
 */
SurefootResult surefoot_crowd_build_in_frames(SurefootCrowd crowd,
                                              SurefootKind kind);

/**
 * Builds what a kind needs: one that was added as unbuilt, say. The crowd can be used meanwhile, by other
 * threads; what is edited meanwhile is told to what was built. `progress` may be NULL.
 */
SurefootResult surefoot_crowd_build(SurefootCrowd crowd,
                                    SurefootKind kind,
                                    SurefootProgress progress,
                                    void *user);

/**
 * How far a build in frames is, in the stage that it is in: how much is done, and how much there is. Both
 * are 0 if there is none. Either place may be NULL.
 */
SurefootResult surefoot_crowd_build_progress(SurefootCrowd crowd,
                                             SurefootKind kind,
                                             uint64_t *done,
                                             uint64_t *all);

/**
 * Cancels a build in frames.
 */
SurefootResult surefoot_crowd_cancel_build(SurefootCrowd crowd, SurefootKind kind);

/**
 * Whether what a kind needs is there, and whether it knows all edits of the map, which it does a number of
 * frames after the last: 1 or 0. Either place may be NULL.
 */
SurefootResult surefoot_crowd_is_built(SurefootCrowd crowd,
                                       SurefootKind kind,
                                       int32_t *is_built,
                                       int32_t *is_up_to_date);

/**
 * Adds a unit of a kind at one cell, on its way to another. `priority` is one of SurefootPriority.
 */
SurefootResult surefoot_crowd_add(SurefootCrowd crowd,
                                  SurefootKind kind,
                                  SurefootCell start,
                                  SurefootCell goal,
                                  int32_t priority,
                                  SurefootUnit *unit);

/**
 * Adds `count` units, each at one of the starts and on its way to the goal in the same place of the other
 * list. There has to be room for as many `units`. If one of them cannot be added, none is.
 */
SurefootResult surefoot_crowd_add_many(SurefootCrowd crowd,
                                       SurefootKind kind,
                                       const SurefootCell *starts,
                                       const SurefootCell *goals,
                                       size_t count,
                                       int32_t priority,
                                       SurefootUnit *units);

/**
 * Removes a unit.
 */
SurefootResult surefoot_crowd_remove(SurefootCrowd crowd, SurefootUnit unit);

/**
 * Sends `count` units to one place, and gives the group that they are now, if `group` is not NULL. They
 * spread over the free cells around it.
 */
SurefootResult surefoot_crowd_send(SurefootCrowd crowd,
                                   const SurefootUnit *units,
                                   size_t count,
                                   SurefootCell goal,
                                   SurefootGroup *group);

/**
 * Gives a unit another goal.
 */
SurefootResult surefoot_crowd_set_goal(SurefootCrowd crowd, SurefootUnit unit, SurefootCell goal);

/**
 * Gives a unit another goal, or if it cannot get there, because that is blocked, outside the map or shut
 * off, the nearest cell that it can get to. `nearest` is the one that it heads for, or NULL.
 */
SurefootResult surefoot_crowd_set_goal_or_nearest(SurefootCrowd crowd,
                                                  SurefootUnit unit,
                                                  SurefootCell goal,
                                                  SurefootCell *nearest);

/**
 * Lets a unit pursue another, wherever it goes.
 */
SurefootResult surefoot_crowd_pursue(SurefootCrowd crowd, SurefootUnit unit, SurefootUnit target);

/**
 * Stops a unit where it is.
 */
SurefootResult surefoot_crowd_stop(SurefootCrowd crowd, SurefootUnit unit);

/**
 * Puts a unit on another cell.
 */
SurefootResult surefoot_crowd_place(SurefootCrowd crowd, SurefootUnit unit, SurefootCell cell);

/**
 * Puts every unit that stands on blocked ground, because something was built there, on the nearest cell that
 * it can stand on. Copies who they are to where there is room for `capacity` of them. `count` is how many
 * there are, or NULL. A unit that there is no room for stays.
 */
SurefootResult surefoot_crowd_push_out(SurefootCrowd crowd,
                                       SurefootUnit *units,
                                       size_t capacity,
                                       size_t *count);

/**
 * Says who is served first: one of SurefootPriority.
 */
SurefootResult surefoot_crowd_set_priority(SurefootCrowd crowd,
                                           SurefootUnit unit,
                                           int32_t priority);

/**
 * Lets a unit cover so many cells in so many frames: 1, 2 is half a cell a frame. 0, 0 is one move a frame,
 * straight or diagonal, as at first.
 */
SurefootResult surefoot_crowd_set_speed(SurefootCrowd crowd,
                                        SurefootUnit unit,
                                        uint32_t cells,
                                        uint32_t frames);

/**
 * Frees some cells, or blocks them if `free` is 0. If one lies outside the map, none is changed. `changed`
 * is how many that changes, or NULL.
 */
SurefootResult surefoot_crowd_set_cells(SurefootCrowd crowd,
                                        const SurefootCell *cells,
                                        size_t count,
                                        int32_t free,
                                        uint64_t *changed);

/**
 * Says what some cells cost units of a kind: a weight of 1 to 255. `changed` is how many that changes, or
 * NULL.
 */
SurefootResult surefoot_crowd_set_weights(SurefootCrowd crowd,
                                          SurefootKind kind,
                                          const SurefootCell *cells,
                                          size_t count,
                                          uint8_t weight,
                                          uint64_t *changed);

/**
 * Adds an extra move for units of a kind. `id` is what it is removed by, or NULL.
 */
SurefootResult surefoot_crowd_add_link(SurefootCrowd crowd,
                                       SurefootKind kind,
                                       SurefootLink link,
                                       uint32_t *id);

/**
 * Removes it again.
 */
SurefootResult surefoot_crowd_remove_link(SurefootCrowd crowd, SurefootKind kind, uint32_t id);

/**
 * Lets all units walk for a frame, with so much work for all of them together; SUREFOOT_EVERYONE is as much
 * as they need. The same numbers lead to the same moves on all machines. `report` says what happened, or is
 * NULL.
 */
SurefootResult surefoot_crowd_frame(SurefootCrowd crowd,
                                    uint64_t work,
                                    SurefootFrameReport *report);

/**
 * Copies the moves of the last frame to where there is room for `capacity` of them. `count` is how many
 * there are, or NULL.
 */
SurefootResult surefoot_crowd_moves(SurefootCrowd crowd,
                                    SurefootMove *moves,
                                    size_t capacity,
                                    size_t *count);

/**
 * Copies a list of units of the last frame, one of SurefootList, to where there is room for `capacity` of
 * them. `count` is how many there are, or NULL.
 */
SurefootResult surefoot_crowd_listed(SurefootCrowd crowd,
                                     int32_t which,
                                     SurefootUnit *units,
                                     size_t capacity,
                                     size_t *count);

/**
 * Copies the groups that were all there after the last frame to where there is room for `capacity` of them.
 * `count` is how many there are, or NULL.
 */
SurefootResult surefoot_crowd_settled(SurefootCrowd crowd,
                                      SurefootGroup *groups,
                                      size_t capacity,
                                      size_t *count);

/**
 * Copies the kinds that got what they need in the last frame to where there is room for `capacity` of them.
 * `count` is how many there are, or NULL.
 */
SurefootResult surefoot_crowd_built(SurefootCrowd crowd,
                                    SurefootKind *kinds,
                                    size_t capacity,
                                    size_t *count);

/**
 * Copies the kinds that the last frame found cannot be built in frames to where there is room for `capacity`
 * of them. `count` is how many there are, or NULL. Their units go on by a search; `surefoot_crowd_build`
 * builds what they need.
 */
SurefootResult surefoot_crowd_not_built(SurefootCrowd crowd,
                                        SurefootKind *kinds,
                                        size_t capacity,
                                        size_t *count);

/**
 * How many units there are.
 */
SurefootResult surefoot_crowd_size(SurefootCrowd crowd, uint64_t *units);

/**
 * Copies all units, in an order that stays the same until one is added or removed, to where there is room
 * for `capacity` of them. `count` is how many there are, or NULL.
 */
SurefootResult surefoot_crowd_units(SurefootCrowd crowd,
                                    SurefootUnit *units,
                                    size_t capacity,
                                    size_t *count);

/**
 * Copies the cells that `count` units stand on. There has to be room for as many `cells`.
 */
SurefootResult surefoot_crowd_positions(SurefootCrowd crowd,
                                        const SurefootUnit *units,
                                        size_t count,
                                        SurefootCell *cells);

/**
 * Copies where to draw `count` units, between two cells where a unit has a speed. There has to be room for
 * as many `points`.
 */
SurefootResult surefoot_crowd_points(SurefootCrowd crowd,
                                     const SurefootUnit *units,
                                     size_t count,
                                     SurefootPoint *points);

/**
 * The cell that a unit stands on.
 */
SurefootResult surefoot_crowd_position(SurefootCrowd crowd, SurefootUnit unit, SurefootCell *cell);

/**
 * Where a unit is to go.
 */
SurefootResult surefoot_crowd_goal(SurefootCrowd crowd, SurefootUnit unit, SurefootCell *cell);

/**
 * How a unit fares.
 */
SurefootResult surefoot_crowd_status(SurefootCrowd crowd,
                                     SurefootUnit unit,
                                     SurefootStatus *status);

/**
 * Which kind a unit is of.
 */
SurefootResult surefoot_crowd_kind_of(SurefootCrowd crowd, SurefootUnit unit, SurefootKind *kind);

/**
 * Which unit a unit pursues; SUREFOOT_NO_UNIT if none.
 */
SurefootResult surefoot_crowd_target(SurefootCrowd crowd, SurefootUnit unit, SurefootUnit *target);

/**
 * Which group a unit was sent with; SUREFOOT_NO_GROUP if none, or if it was told otherwise since.
 */
SurefootResult surefoot_crowd_group_of(SurefootCrowd crowd,
                                       SurefootUnit unit,
                                       SurefootGroup *group);

/**
 * Copies the units of a group to where there is room for `capacity` of them. `count` is how many there are,
 * or NULL. A group that there is none of has no units.
 */
SurefootResult surefoot_crowd_members(SurefootCrowd crowd,
                                      SurefootGroup group,
                                      SurefootUnit *units,
                                      size_t capacity,
                                      size_t *count);

/**
 * Whether a cell of the map can be walked on as it is now: 1 or 0. What is no cell of the map cannot. A kind
 * whose units are large may need more room.
 */
SurefootResult surefoot_crowd_is_free(SurefootCrowd crowd,
                                      SurefootCell cell,
                                      int32_t *is_free);

/**
 * What ground costs units of a kind in a cell: its weight; 1 if their ground has none.
 */
SurefootResult surefoot_crowd_weight(SurefootCrowd crowd,
                                     SurefootKind kind,
                                     SurefootCell cell,
                                     uint8_t *weight);

/**
 * The bytes of what all units share, of what is kept of edits for `surefoot_crowd_save`, and of each unit.
 * Any of the places may be NULL.
 */
SurefootResult surefoot_crowd_memory(SurefootCrowd crowd,
                                     uint64_t *shared,
                                     uint64_t *of_edits,
                                     uint64_t *per_unit);

/**
 * The way that is left to a unit, for you to free. SUREFOOT_NO_WAY and no path if there is none.
 */
SurefootResult surefoot_crowd_path(SurefootCrowd crowd, SurefootUnit unit, SurefootPath *path);

/**
 * What the way costs that is left to a unit. SUREFOOT_NO_WAY and infinity if there is none.
 */
SurefootResult surefoot_crowd_cost_left(SurefootCrowd crowd, SurefootUnit unit, double *cost);

/**
 * What a way from one cell to another costs units of a kind. SUREFOOT_NO_WAY and infinity if there is none.
 */
SurefootResult surefoot_crowd_cost(SurefootCrowd crowd,
                                   SurefootKind kind,
                                   SurefootCell start,
                                   SurefootCell goal,
                                   double *cost);

/**
 * Whether units of a kind can get from one cell to another: 1 or 0.
 */
SurefootResult surefoot_crowd_reachable(SurefootCrowd crowd,
                                        SurefootKind kind,
                                        SurefootCell start,
                                        SurefootCell goal,
                                        int32_t *is_reachable);

/**
 * A path that units of a kind could take from one cell to another, for you to free. SUREFOOT_NO_WAY and no
 * path if there is none.
 */
SurefootResult surefoot_crowd_path_between(SurefootCrowd crowd,
                                           SurefootKind kind,
                                           SurefootCell start,
                                           SurefootCell goal,
                                           SurefootPath *path);

/**
 * What ways from one cell to `count` others cost units of a kind, in their order; infinity for those that
 * there is no way to. There has to be room for as many `costs`.
 */
SurefootResult surefoot_crowd_costs(SurefootCrowd crowd,
                                    SurefootKind kind,
                                    SurefootCell start,
                                    const SurefootCell *goals,
                                    size_t count,
                                    double *costs);

/**
 * The place among `count` goals of the one that is nearest by way for units of a kind, counted from 0; of
 * equally near ones the first. `cost` is what the way costs, or NULL. SUREFOOT_NO_WAY if there is no way to
 * any of them.
 */
SurefootResult surefoot_crowd_nearest_of(SurefootCrowd crowd,
                                         SurefootKind kind,
                                         SurefootCell start,
                                         const SurefootCell *goals,
                                         size_t count,
                                         size_t *nearest,
                                         double *cost);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SUREFOOT_H */
