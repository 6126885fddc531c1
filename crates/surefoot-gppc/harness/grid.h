// What both harnesses know of grids by themselves: legal steps, lengths, and a search of their own.
#ifndef SUREFOOT_HARNESS_GRID_H
#define SUREFOOT_HARNESS_GRID_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The field times how long it takes until so much of a path is known.
#define FIRST_LENGTH 20.0
#define TOLERANCE 1e-4

typedef struct {
    uint8_t *bits;
    int width, height;
} Grid;

static inline void fail(const char *what) {
    fprintf(stderr, "harness: %s\n", what);
    exit(1);
}

static inline Grid grid_new(int width, int height, int is_free) {
    Grid grid = {NULL, width, height};
    size_t bytes = ((size_t)width * (size_t)height + 7) / 8;
    grid.bits = (uint8_t *)malloc(bytes ? bytes : 1);
    if (!grid.bits) fail("no memory");
    memset(grid.bits, is_free ? 0xff : 0, bytes);
    return grid;
}

static inline int grid_get(const Grid *grid, int x, int y) {
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height) return 0;
    size_t i = (size_t)y * (size_t)grid->width + (size_t)x;
    return grid->bits[i >> 3] >> (i & 7) & 1;
}

static inline void grid_set(Grid *grid, int x, int y, int is_free) {
    size_t i = (size_t)y * (size_t)grid->width + (size_t)x;
    uint8_t bit = (uint8_t)(1u << (i & 7));
    grid->bits[i >> 3] = (uint8_t)(is_free ? grid->bits[i >> 3] | bit : grid->bits[i >> 3] & ~bit);
}

static inline void grid_apply(Grid *grid, const Grid *patch, int at_x, int at_y) {
    for (int y = 0; y < patch->height; ++y)
        for (int x = 0; x < patch->width; ++x) grid_set(grid, at_x + x, at_y + y, grid_get(patch, x, y));
}

// Whether a step to a neighbour is legal: both cells are free, and so are those beside a diagonal.
static inline int is_step(const Grid *grid, int x, int y, int dx, int dy) {
    return grid_get(grid, x, y) && grid_get(grid, x + dx, y + dy) && grid_get(grid, x + dx, y) &&
           grid_get(grid, x, y + dy);
}

static inline int sign(int number) { return (number > 0) - (number < 0); }

// The length of a straight or diagonal run, every step of which is checked; negative if it is none.
static inline double run_length(const Grid *grid, int x, int y, int to_x, int to_y) {
    int dx = to_x - x, dy = to_y - y;
    if ((dx == 0 && dy == 0) || (dx != 0 && dy != 0 && abs(dx) != abs(dy))) return -1;
    int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    for (int i = 0; i < steps; ++i)
        if (!is_step(grid, x + i * sign(dx), y + i * sign(dy), sign(dx), sign(dy))) return -1;
    return steps * (dx != 0 && dy != 0 ? sqrt(2.0) : 1.0);
}

static inline double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

typedef struct {
    double length;
    int cell;
} HeapEntry;

// The length of a shortest path, by Dijkstra's algorithm; negative if there is none.
static inline double shortest(const Grid *grid, int x, int y, int to_x, int to_y) {
    if (!grid_get(grid, x, y) || !grid_get(grid, to_x, to_y)) return -1;
    int cells = grid->width * grid->height, goal = to_y * grid->width + to_x;
    double *known = (double *)malloc(sizeof(double) * (size_t)cells), found = -1;
    size_t room = (size_t)cells * 8 + 1, count = 1;
    HeapEntry *heap = (HeapEntry *)malloc(sizeof(HeapEntry) * room);
    if (!known || !heap) fail("no memory");
    for (int i = 0; i < cells; ++i) known[i] = INFINITY;
    heap[0].length = 0;
    heap[0].cell = y * grid->width + x;
    known[heap[0].cell] = 0;
    while (count > 0) {
        HeapEntry best = heap[0], last = heap[--count];
        size_t at = 0;
        for (size_t child; (child = 2 * at + 1) < count; at = child) {
            if (child + 1 < count && heap[child + 1].length < heap[child].length) ++child;
            if (heap[child].length >= last.length) break;
            heap[at] = heap[child];
        }
        heap[at] = last;
        if (best.cell == goal) {
            found = best.length;
            break;
        }
        if (best.length > known[best.cell]) continue;
        int here_x = best.cell % grid->width, here_y = best.cell / grid->width;
        for (int direction = 0; direction < 9; ++direction) {
            int dx = direction % 3 - 1, dy = direction / 3 - 1;
            if ((dx == 0 && dy == 0) || !is_step(grid, here_x, here_y, dx, dy)) continue;
            int next = best.cell + dy * grid->width + dx;
            double length = best.length + (dx != 0 && dy != 0 ? sqrt(2.0) : 1.0);
            if (length >= known[next] - 1e-9) continue;
            known[next] = length;
            if (count >= room) fail("the search's heap is full");
            size_t place = count++;
            while (place > 0 && heap[(place - 1) / 2].length > length) {
                heap[place] = heap[(place - 1) / 2];
                place = (place - 1) / 2;
            }
            heap[place].length = length;
            heap[place].cell = next;
        }
    }
    free(known);
    free(heap);
    return found;
}

#endif
