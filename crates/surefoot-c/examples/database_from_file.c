/* What was computed for a map is saved once, and opened by every later run: from a file, and from memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surefoot.h"

#define TRY(call)                                                                  \
    do {                                                                           \
        if ((call) != SUREFOOT_OK) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, surefoot_error_message()); \
            return 1;                                                              \
        }                                                                          \
    } while (0)

enum { SIDE = 200 };

/* Tells how far the build is; with a user pointer to 1 it cancels it. */
static int32_t hear(void *user, const char *stage, uint64_t done, uint64_t all) {
    (void)stage, (void)done, (void)all;
    return *(const int32_t *)user;
}

int main(int argc, char **argv) {
    const char *file = argc > 1 ? argv[1] : "database_from_file.sfdb";
    const SurefootCell start = {0, 0}, goal = {SIDE - 1, SIDE - 1};
    static uint8_t cells[SIDE * SIDE];
    SurefootMap map;
    SurefootNavigator built, opened, read;
    SurefootBytes bytes;
    int32_t cancel = 1, is_exact;
    double cost, other;
    uint8_t *memory;
    size_t size;

    memset(cells, 1, sizeof cells);
    for (int row = 10; row < SIDE; row += 20) {
        memset(cells + row * SIDE, 0, SIDE);
        cells[row * SIDE + row * 7 % SIDE] = 1; /* a gap */
    }
    TRY(surefoot_map_new(cells, sizeof cells, SIDE, SIDE, &map));

    if (surefoot_navigator_build(map, hear, &cancel, &built) != SUREFOOT_CANCELLED || built.bits != 0) return 1;
    cancel = 0;
    TRY(surefoot_navigator_build(map, hear, &cancel, &built));
    TRY(surefoot_navigator_is_exact(built, &is_exact));
    TRY(surefoot_navigator_cost(built, start, goal, &cost));

    TRY(surefoot_navigator_save(built, file));
    TRY(surefoot_navigator_open(map, file, &opened));
    remove(file);
    TRY(surefoot_navigator_cost(opened, start, goal, &other));
    if (cost != other) return 1;

    TRY(surefoot_navigator_to_bytes(built, &bytes));
    TRY(surefoot_bytes_size(bytes, &size));
    memory = malloc(size);
    if (memory == NULL) return 1;
    TRY(surefoot_bytes_copy(bytes, memory, size, NULL));
    TRY(surefoot_bytes_free(bytes));
    TRY(surefoot_navigator_from_bytes(map, memory, size, &read));
    TRY(surefoot_navigator_cost(read, start, goal, &other));
    if (cost != other) return 1;
    printf("a database of %zu bytes, %s; the way costs %g\n", size, is_exact ? "exact" : "nearly optimal", cost);

    /* A damaged one is refused, with words. */
    memory[size / 2] ^= 1;
    if (surefoot_navigator_from_bytes(map, memory, size, &read) != SUREFOOT_ERROR_DATABASE) return 1;
    printf("damaged: %s\n", surefoot_error_message());
    free(memory);

    TRY(surefoot_navigator_free(opened));
    TRY(surefoot_navigator_free(built));
    TRY(surefoot_map_free(map));
    return 0;
}
