/*
 * Random calls with hostile arguments, by four threads on one set of handles: handles that are zero, freed, of another
 * kind or made up, NULL with huge lengths, numbers out of range, cells outside maps, damaged bytes. Nothing may crash, and
 * nothing may be a fault of the library's. `hostile CALLS SEED`. With SUREFOOT_FUZZ it is what the fuzz target `c_calls`
 * calls: then one thread makes the calls, and a fuzzer's bytes say which.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surefoot.h"

enum { THREADS = 4, HANDLES = 64, ROOM = 48, FUNCTIONS = 72, RESULTS = 12 };

/* Handles of all kinds. Whoever puts one in frees the one that was there. */
static _Atomic uint64_t handles[HANDLES];
static _Atomic uint64_t units[HANDLES];
static _Atomic uint64_t results[RESULTS];
#ifndef SUREFOOT_FUZZ
static _Atomic int faults;
#endif

typedef struct {
    uint64_t state, calls;
    const uint8_t *bytes; /* what draws are made from, as long as there is some of it */
    size_t left;
} Thread;

static uint64_t draw(Thread *thread) {
    uint64_t x = thread->state;
    if (thread->left >= 2) {
        x = thread->bytes[0] | (uint64_t)thread->bytes[1] << 8;
        thread->bytes += 2, thread->left -= 2;
        /* All numbers up to 65,535 come out of the upper bits, which `below` takes. */
        return x << 20 | x << 44 | x;
    }
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return thread->state = x;
}

static uint64_t below(Thread *thread, uint64_t most) { return (draw(thread) >> 20) % most; }

static uint64_t handle(Thread *thread, uint64_t kind) {
    uint64_t is = atomic_load(&handles[below(thread, HANDLES)]);
    switch (below(thread, 16)) {
    case 0: return 0;
    case 1: return draw(thread);
    case 2: return is ^ (uint64_t)1 << below(thread, 64);
    case 3: return is;                                     /* whatever its kind */
    case 4: return kind << 56 | below(thread, 1u << 30);   /* made up */
    default: break;
    }
    for (int tries = 0; tries < 64 && is >> 56 != kind; tries++) is = atomic_load(&handles[below(thread, HANDLES)]);
    return is;
}

static SurefootMap a_map(Thread *t) { return (SurefootMap){handle(t, 1)}; }
static SurefootNavigator a_navigator(Thread *t) { return (SurefootNavigator){handle(t, 2)}; }
static SurefootPath a_path(Thread *t) { return (SurefootPath){handle(t, 3)}; }
static SurefootWalker a_walker(Thread *t) { return (SurefootWalker){handle(t, 4)}; }
static SurefootCrowd a_crowd(Thread *t) { return (SurefootCrowd){handle(t, 5)}; }
static SurefootBytes some_bytes(Thread *t) { return (SurefootBytes){handle(t, 6)}; }

static void free_any(uint64_t bits) {
    surefoot_map_free((SurefootMap){bits});
    surefoot_navigator_free((SurefootNavigator){bits});
    surefoot_path_free((SurefootPath){bits});
    surefoot_walker_free((SurefootWalker){bits});
    surefoot_crowd_free((SurefootCrowd){bits});
    surefoot_bytes_free((SurefootBytes){bits});
}

/* Some stay in the list after they were freed. */
static void keep(Thread *thread, uint64_t bits) {
    if (bits == 0) return;
    free_any(atomic_exchange(&handles[below(thread, HANDLES)], bits));
}

static uint32_t number(Thread *thread) {
    switch (below(thread, 12)) {
    case 0: return UINT32_MAX - (uint32_t)below(thread, 3);
    case 1: return (uint32_t)draw(thread);
    default: return (uint32_t)below(thread, 14);
    }
}

static SurefootCell cell(Thread *t) {
    SurefootCell is = {number(t), number(t)};
    return is;
}

static SurefootLink link_of(Thread *t) {
    SurefootLink is = {cell(t), cell(t), number(t)};
    return is;
}

static uint64_t unit(Thread *t) {
    return below(t, 6) == 0 ? draw(t) : atomic_load(&units[below(t, HANDLES)]);
}

static int32_t hear(void *user, const char *stage, uint64_t done, uint64_t all) {
    Thread *thread = user;
    (void)done, (void)all;
    if (strlen(stage) == 0) return 1;
    if (below(thread, 100) == 0) free_any(atomic_load(&handles[below(thread, HANDLES)])); /* calls from within */
    return below(thread, 64) == 0 ? -7 : 0;
}

static SurefootResult call(Thread *t) {
    static const char *const files[] = {"", "no such file", "/", "\xff\xfe", "/dev/null/x", NULL};
    SurefootCell cells[ROOM], others[ROOM];
    SurefootUnit some[ROOM];
    SurefootLink links[4];
    uint8_t bytes[ROOM * 16], *saved;
    double costs[ROOM];
    SurefootMove moves[ROOM];
    SurefootPoint points[ROOM];
    uint32_t small[ROOM], w, h;
    uint64_t large;
    int32_t flag, flag2;
    size_t count, size;
    SurefootStep step;
    SurefootStatus status;
    SurefootFrameReport report;
    SurefootCrowdOptions options = {0};
    SurefootKindOptions kinds = {0};
    SurefootMap map = {0};
    SurefootNavigator nav = {0};
    SurefootPath path = {0};
    SurefootWalker walker = {0};
    SurefootCrowd crowd = {0};
    SurefootBytes owned = {0};
    SurefootResult result;
    /* Sometimes all pointers are NULL, with any length; else there is room for what is said. */
    const int is_null = below(t, 8) == 0;
    const size_t n = is_null ? (below(t, 2) ? (size_t)draw(t) : SIZE_MAX - below(t, 9)) : below(t, ROOM + 1);
    const SurefootCell *in = is_null ? NULL : cells;
    const char *file = files[below(t, 6)];
    const SurefootProgress progress = below(t, 2) ? hear : NULL;
#define TO(place) (is_null ? NULL : (place))
/* Of several calls none may be a fault. */
#define ONE(is)                                                 \
    do {                                                        \
        result = (is);                                          \
        if (result == SUREFOOT_ERROR_INTERNAL) return result;   \
    } while (0)

    /* Lists are many draws: they come from one. */
    Thread lists = {(draw(t) + 1) * UINT64_C(0x9e3779b97f4a7c15), 0, NULL, 0};
    for (int i = 0; i < ROOM; i++) cells[i] = cell(&lists), others[i] = cell(&lists), some[i] = unit(&lists);
    for (int i = 0; i < 4; i++) links[i] = link_of(&lists);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = below(&lists, 5) == 0 ? 0 : (uint8_t)(1 + below(&lists, 3));

    switch (below(t, FUNCTIONS)) {
    case 0: case 1: case 2:
        w = 1 + (uint32_t)below(t, 14), h = 1 + (uint32_t)below(t, 14);
        result = surefoot_map_new(is_null ? NULL : bytes, below(t, 9) ? (size_t)w * h : n, w, h, &map);
        break;
    case 3: result = surefoot_map_new(NULL, n, number(t), number(t), TO(&map)); break;
    case 4: result = surefoot_map_open(file, &map); break;
    case 5:
        for (size_t i = 0; i < n && !is_null; i++) bytes[i] = (uint8_t)".#\n.@T\xff"[below(t, 7)];
        result = surefoot_map_from_bytes(is_null ? NULL : bytes, n, &map);
        break;
    case 6: result = surefoot_map_copy(a_map(t), TO(&map)); break;
    case 7: result = surefoot_map_free((SurefootMap){below(t, 4) ? 0 : handle(t, 1)}); break;
    case 8: result = surefoot_map_size(a_map(t), TO(&w), &h); break;
    case 9: result = surefoot_map_is_free(a_map(t), cell(t), TO(&flag)); break;
    case 10: result = surefoot_map_cells(a_map(t), TO(bytes), n, TO(&count)); break;
    case 11: result = surefoot_map_set_cells(a_map(t), in, n, (int32_t)draw(t)); break;
    case 12: result = surefoot_map_set_rule(a_map(t), (int32_t)number(t)); break;
    case 13: result = surefoot_map_set_costs(a_map(t), (int32_t)number(t)); break;
    case 14: result = surefoot_map_set_weights(a_map(t), TO(bytes), is_null ? n : below(t, sizeof bytes)); break;
    case 15: result = surefoot_map_set_links(a_map(t), TO(links), is_null ? n : below(t, 5)); break;
    case 16: result = surefoot_map_rule(a_map(t), TO(&flag), &flag2); break;
    case 17: case 18: case 19: result = surefoot_navigator_build(a_map(t), progress, t, TO(&nav)); break;
    case 20: result = surefoot_navigator_open(a_map(t), file, TO(&nav)); break;
    case 21: result = surefoot_navigator_from_bytes(a_map(t), TO(bytes), n, &nav); break;
    case 22: result = surefoot_navigator_copy(a_navigator(t), TO(&nav)); break;
    case 23: result = surefoot_navigator_free((SurefootNavigator){below(t, 4) ? 0 : handle(t, 2)}); break;
    case 24: result = surefoot_navigator_save(a_navigator(t), file == NULL || *file == 'n' ? NULL : file); break;
    case 25: result = surefoot_navigator_to_bytes(a_navigator(t), TO(&owned)); break;
    case 26: result = surefoot_navigator_map(a_navigator(t), TO(&map)); break;
    case 27: result = surefoot_navigator_is_exact(a_navigator(t), TO(&flag)); break;
    case 28: result = surefoot_navigator_memory(a_navigator(t), TO(&large)); break;
    case 29: result = surefoot_navigator_set_cells(a_navigator(t), in, is_null ? n : n % 4, (int32_t)below(t, 2)); break;
    case 30: result = surefoot_navigator_set_weights(a_navigator(t), in, is_null ? n : n % 4, (uint8_t)draw(t)); break;
    case 31: result = surefoot_navigator_path(a_navigator(t), cell(t), cell(t), TO(&path)); break;
    case 32:
        result = below(t, 2) ? surefoot_navigator_smooth(a_navigator(t), a_path(t), TO(others), n, TO(&count))
                             : surefoot_navigator_turning_points(a_navigator(t), cell(t), cell(t), TO(others), n,
                                                                 &count, TO(costs));
        break;
    case 33: result = surefoot_navigator_cost(a_navigator(t), cell(t), cell(t), TO(costs)); break;
    case 34: result = surefoot_navigator_costs(a_navigator(t), cell(t), in, n, TO(costs)); break;
    case 35: result = surefoot_navigator_reachable(a_navigator(t), cell(t), cell(t), TO(&flag)); break;
    case 36: result = surefoot_navigator_nearest_of(a_navigator(t), cell(t), in, n, TO(&count), costs); break;
    case 37: result = surefoot_path_length(a_path(t), TO(&count)); break;
    case 38: result = surefoot_path_cost(a_path(t), TO(costs)); break;
    case 39: result = surefoot_path_cells(a_path(t), TO(others), n, &count); break;
    case 40: result = surefoot_path_turning_points(a_path(t), TO(others), n, NULL); break;
    case 41: result = surefoot_path_free(a_path(t)); break;
    case 42: case 43: result = surefoot_walker_new(a_navigator(t), cell(t), cell(t), TO(&walker)); break;
    case 44: case 45: result = surefoot_walker_next(a_walker(t), TO(&step), cells); break;
    case 46: result = surefoot_walker_position(a_walker(t), TO(cells)); break;
    case 47: result = surefoot_walker_goal(a_walker(t), TO(cells)); break;
    case 48: result = surefoot_walker_cost_left(a_walker(t), TO(costs)); break;
    case 49: result = surefoot_walker_work(a_walker(t), TO(&large)); break;
    case 50: result = surefoot_walker_set_goal(a_walker(t), cell(t)); break;
    case 51: result = surefoot_walker_follow(a_walker(t), a_navigator(t)); break;
    case 52: result = surefoot_walker_free(a_walker(t)); break;
    case 53: case 54:
        options.units_as_obstacles = (uint32_t)below(t, 2), options.parallel = (uint32_t)below(t, 2);
        options.patience = below(t, 4) ? 0 : number(t), options.most_choices = below(t, 4) ? 0 : number(t);
        result = surefoot_crowd_new(a_map(t), TO(&options), &crowd);
        break;
    case 55: case 56:
        kinds.rule = below(t, 3) ? 0 : (int32_t)number(t), kinds.costs = below(t, 3) ? 0 : (int32_t)number(t);
        kinds.size = below(t, 3) ? 0 : number(t), kinds.unbuilt = (uint32_t)below(t, 2);
        if (below(t, 4) == 0) kinds.weights = bytes, kinds.weight_count = below(t, sizeof bytes);
        if (below(t, 8) == 0) kinds.weights = NULL, kinds.weight_count = (size_t)draw(t);
        if (below(t, 4) == 0) kinds.links = links, kinds.link_count = below(t, 5);
        if (below(t, 4) == 0) kinds.navigator = a_navigator(t);
        result = surefoot_crowd_add_kind(a_crowd(t), is_null ? NULL : &kinds, progress, t, small);
        break;
    case 57:
        switch (below(t, 4)) {
        case 0: result = surefoot_crowd_build_in_frames(a_crowd(t), number(t)); break;
        case 1: result = surefoot_crowd_cancel_build(a_crowd(t), number(t)); break;
        case 2: result = surefoot_crowd_build(a_crowd(t), number(t), progress, t); break;
        default: result = surefoot_crowd_copy(a_crowd(t), TO(&crowd)); break;
        }
        break;
    case 58: case 59:
        result = surefoot_crowd_add(a_crowd(t), (uint32_t)below(t, 3), cell(t), cell(t), (int32_t)below(t, 4), some);
        if (result == SUREFOOT_OK) atomic_store(&units[below(t, HANDLES)], some[0]);
        break;
    case 60:
        size = is_null ? n : below(t, 4);
        result = surefoot_crowd_add_many(a_crowd(t), (uint32_t)below(t, 3), in, TO(others), size, 0, some);
        break;
    case 61:
        switch (below(t, 3)) {
        case 0: result = surefoot_crowd_remove(a_crowd(t), unit(t)); break;
        case 1: result = surefoot_crowd_stop(a_crowd(t), unit(t)); break;
        default: result = surefoot_crowd_push_out(a_crowd(t), TO(some), n, &count); break;
        }
        break;
    case 62: result = surefoot_crowd_send(a_crowd(t), TO(some), is_null ? n : below(t, 6), cell(t), small); break;
    case 63:
        result = below(t, 2) ? surefoot_crowd_set_goal(a_crowd(t), unit(t), cell(t))
                             : surefoot_crowd_pursue(a_crowd(t), unit(t), unit(t));
        if (below(t, 3) == 0) result = surefoot_crowd_set_goal_or_nearest(a_crowd(t), unit(t), cell(t), TO(others));
        break;
    case 64:
        result = below(t, 2) ? surefoot_crowd_place(a_crowd(t), unit(t), cell(t))
                             : surefoot_crowd_set_priority(a_crowd(t), unit(t), (int32_t)number(t));
        if (below(t, 2)) result = surefoot_crowd_set_speed(a_crowd(t), unit(t), number(t), number(t));
        break;
    case 65: result = surefoot_crowd_set_cells(a_crowd(t), in, is_null ? n : n % 4, (int32_t)below(t, 2), TO(&large)); break;
    case 66:
        result = below(t, 2) ? surefoot_crowd_set_weights(a_crowd(t), number(t), in, n, (uint8_t)draw(t), NULL)
                             : surefoot_crowd_add_link(a_crowd(t), number(t), link_of(t), small);
        if (below(t, 3) == 0) result = surefoot_crowd_remove_link(a_crowd(t), number(t), number(t));
        break;
    case 67: case 68:
        result = surefoot_crowd_frame(a_crowd(t), below(t, 4) ? below(t, 5000) : SUREFOOT_EVERYONE, TO(&report));
        break;
    case 69:
        crowd = a_crowd(t);
        ONE(surefoot_crowd_moves(crowd, TO(moves), n, &count));
        ONE(surefoot_crowd_listed(crowd, (int32_t)number(t), TO(some), n, NULL));
        ONE(surefoot_crowd_settled(crowd, TO(small), n, &count));
        ONE(surefoot_crowd_built(crowd, TO(small), n, &count));
        ONE(surefoot_crowd_not_built(crowd, TO(small), n, NULL));
        ONE(surefoot_crowd_members(crowd, number(t), TO(some), n, &count));
        ONE(surefoot_crowd_build_progress(crowd, number(t), &large, NULL));
        ONE(surefoot_crowd_memory(crowd, TO(&large), TO(&large), &large));
        ONE(surefoot_crowd_units(crowd, TO(some), n, &count));
        ONE(surefoot_crowd_is_built(crowd, number(t), &flag, TO(&flag2)));
        crowd.bits = 0;
        break;
    case 70:
        crowd = a_crowd(t);
        ONE(surefoot_crowd_positions(crowd, TO(some), n, cells));
        if (is_null == 0) ONE(surefoot_crowd_points(crowd, some, n, points));
        ONE(surefoot_crowd_position(crowd, unit(t), cells));
        ONE(surefoot_crowd_goal(crowd, unit(t), TO(cells)));
        ONE(surefoot_crowd_status(crowd, unit(t), TO(&status)));
        ONE(surefoot_crowd_cost_left(crowd, unit(t), costs));
        ONE(surefoot_crowd_cost(crowd, number(t), cell(t), cell(t), TO(costs)));
        ONE(surefoot_crowd_reachable(crowd, number(t), cell(t), cell(t), TO(&flag)));
        ONE(surefoot_crowd_costs(crowd, number(t), cell(t), in, n, TO(costs)));
        ONE(surefoot_crowd_nearest_of(crowd, number(t), cell(t), in, n, TO(&count), costs));
        ONE(surefoot_crowd_path_between(crowd, number(t), cell(t), cell(t), TO(&path)));
        surefoot_path_free(path);
        ONE(surefoot_crowd_kind_of(crowd, unit(t), TO(small)));
        ONE(surefoot_crowd_target(crowd, unit(t), TO(some)));
        ONE(surefoot_crowd_group_of(crowd, unit(t), TO(small)));
        ONE(surefoot_crowd_is_free(crowd, cell(t), TO(&flag)));
        ONE(surefoot_crowd_weight(crowd, number(t), cell(t), TO(bytes)));
        ONE(surefoot_crowd_size(crowd, TO(&large)));
        ONE(surefoot_crowd_checksum(crowd, &large));
        ONE(surefoot_crowd_map(crowd, &map));
        ONE(surefoot_crowd_path(crowd, unit(t), &path));
        if (below(t, 4) == 0) ONE(surefoot_crowd_free(crowd));
        crowd.bits = 0;
        break;
    default:
        /* Saved, damaged or not, and loaded. */
        result = surefoot_crowd_save(a_crowd(t), &owned);
        if (result != SUREFOOT_OK) owned = some_bytes(t);
        if (surefoot_bytes_size(owned, &size) != SUREFOOT_OK) break;
        saved = malloc(size + 1);
        if (saved == NULL) abort();
        ONE(surefoot_bytes_copy(owned, saved, size, &count));
        if (below(t, 2)) saved[below(t, size + 1)] ^= (uint8_t)(1u << below(t, 8));
        result = surefoot_crowd_load(saved, below(t, 4) ? size : below(t, size + 1), &crowd);
        free(saved);
        if (below(t, 2)) surefoot_bytes_free(owned), owned.bits = 0;
        break;
    }
    keep(t, map.bits), keep(t, nav.bits), keep(t, path.bits), keep(t, walker.bits), keep(t, crowd.bits);
    if (owned.bits >> 56 == 6) keep(t, owned.bits);
    return result;
}

/* Makes a call. Whether it is a fault of the library's. */
static int is_fault(Thread *thread) {
    const SurefootResult result = call(thread);
    const char *words = surefoot_error_message();
    if ((unsigned)result < RESULTS) atomic_fetch_add(&results[result], 1);
    if ((unsigned)result >= RESULTS || result == SUREFOOT_ERROR_INTERNAL || words == NULL ||
        (result > SUREFOOT_NO_WAY && *words == 0)) {
        fprintf(stderr, "result %d: %s\n", (int)result, words);
        return 1;
    }
    return 0;
}

static void free_all(void) {
    for (int i = 0; i < HANDLES; i++) free_any(atomic_exchange(&handles[i], 0));
}

#ifdef SUREFOOT_FUZZ
int surefoot_hostile_calls(const uint8_t *bytes, size_t size) {
    Thread thread = {UINT64_C(0x9e3779b97f4a7c15), 0, bytes, size};
    int found = 0;
    while (thread.left >= 2 && found == 0) found = is_fault(&thread);
    free_all();
    for (int i = 0; i < HANDLES; i++) atomic_store(&units[i], 0);
    return found;
}
#else
static void *run(void *user) {
    Thread *thread = user;
    for (uint64_t at = 0; at < thread->calls; at++) {
        if (is_fault(thread) && atomic_fetch_add(&faults, 1) > 20) break;
    }
    return NULL;
}

int main(int argc, char **argv) {
    const uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2026;
    pthread_t threads[THREADS];
    Thread of[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        of[i].state = (seed * THREADS + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        of[i].calls = calls / THREADS;
        if (pthread_create(&threads[i], NULL, run, &of[i]) != 0) return 2;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    free_all();
    printf("%llu hostile calls:", (unsigned long long)calls);
    for (int i = 0; i < RESULTS; i++) printf(" %llu", (unsigned long long)atomic_load(&results[i]));
    printf(" by result\n");
    /* A test that only ever hears errors tests little. */
    if (atomic_load(&results[SUREFOOT_OK]) < calls / 10) return 1;
    return atomic_load(&faults) == 0 ? 0 : 1;
}
#endif
