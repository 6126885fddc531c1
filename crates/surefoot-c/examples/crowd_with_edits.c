/* A crowd goes to one place, frame by frame, while a door closes and opens again. */
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

enum { WIDTH = 40, HEIGHT = 30, UNITS = 100 };

int main(void) {
    uint8_t cells[WIDTH * HEIGHT];
    const SurefootCell door[3] = {{20, 8}, {20, 9}, {20, 10}}, other_door[3] = {{20, 20}, {20, 21}, {20, 22}};
    const SurefootCell place = {30, 15};
    SurefootCell starts[UNITS], at[UNITS];
    SurefootUnit units[UNITS];
    SurefootMove moves[UNITS];
    SurefootCrowdOptions options = {0};
    SurefootMap map;
    SurefootCrowd crowd, other;
    SurefootBytes saved;
    SurefootKind scouts;
    SurefootGroup group;
    SurefootFrameReport report;
    uint64_t checksum, other_checksum;
    uint8_t *bytes;
    size_t size, count;
    int frame, is_settled = 0, beyond = 0;

    /* A wall from top to bottom, with two doors. */
    memset(cells, 1, sizeof cells);
    for (int y = 0; y < HEIGHT; y++) cells[y * WIDTH + 20] = 0;
    for (int i = 0; i < 3; i++) cells[door[i].y * WIDTH + 20] = cells[other_door[i].y * WIDTH + 20] = 1;
    TRY(surefoot_map_new(cells, sizeof cells, WIDTH, HEIGHT, &map));
    options.units_as_obstacles = 1;
    TRY(surefoot_crowd_new(map, &options, &crowd));
    TRY(surefoot_map_free(map));
    TRY(surefoot_crowd_add_kind(crowd, NULL, NULL, NULL, &scouts));
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        starts[unit].x = unit % 10;
        starts[unit].y = 10 + unit / 10;
    }
    TRY(surefoot_crowd_add_many(crowd, scouts, starts, starts, UNITS, SUREFOOT_PRIORITY_NORMAL, units));
    TRY(surefoot_crowd_send(crowd, units, UNITS, place, &group));

    for (frame = 1; frame <= 2000 && !is_settled; frame++) {
        if (frame == 10) TRY(surefoot_crowd_set_cells(crowd, door, 3, 0, NULL)); /* The door closes … */
        if (frame == 40) TRY(surefoot_crowd_set_cells(crowd, door, 3, 1, NULL)); /* … and opens. */
        TRY(surefoot_crowd_frame(crowd, 50000, &report));
        TRY(surefoot_crowd_moves(crowd, moves, UNITS, &count));
        if (count != report.moves) return 1;
        is_settled = report.settled == 1;
    }
    if (!is_settled) {
        fprintf(stderr, "they are not there after %d frames\n", frame);
        return 1;
    }
    TRY(surefoot_crowd_positions(crowd, units, UNITS, at));
    /* Whoever has waited too often near the others has come near enough, and stays. */
    for (int unit = 0; unit < UNITS; unit++) beyond += at[unit].x > 20;
    if (beyond < UNITS * 9 / 10) {
        fprintf(stderr, "only %d are beyond the wall\n", beyond);
        return 1;
    }
    printf("%d units have settled after %d frames, %d of them beyond the wall\n", UNITS, frame - 1, beyond);

    /* A saved crowd goes on alike. */
    TRY(surefoot_crowd_save(crowd, &saved));
    TRY(surefoot_bytes_size(saved, &size));
    bytes = malloc(size);
    if (bytes == NULL) return 1;
    TRY(surefoot_bytes_copy(saved, bytes, size, NULL));
    TRY(surefoot_bytes_free(saved));
    TRY(surefoot_crowd_load(bytes, size, &other));
    free(bytes);
    TRY(surefoot_crowd_checksum(crowd, &checksum));
    TRY(surefoot_crowd_checksum(other, &other_checksum));
    if (checksum != other_checksum) return 1;
    printf("saved in %zu bytes, checksum %016llx\n", size, (unsigned long long)checksum);

    TRY(surefoot_crowd_free(other));
    TRY(surefoot_crowd_free(crowd));
    return 0;
}
