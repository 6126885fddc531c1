// The face of the entry for C and C++: the six functions of the dynamic track.
#ifndef SUREFOOT_GPPC_ENTRY_H
#define SUREFOOT_GPPC_ENTRY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gppc_point {
    uint16_t x, y;
};

// A rectangle of a map, or all of it: row by row, the least significant bit first, 1 is free.
struct gppc_patch {
    const uint8_t *bits;
    uint16_t width, height;
    struct gppc_point place;
};

// A path, or the next piece of it. The points stay until the next call.
struct gppc_path {
    const struct gppc_point *points;
    uint32_t length;
    uint8_t incomplete;
};

void gppc_preprocess_init_map(struct gppc_patch map, const char *file);
void *gppc_search_init(struct gppc_patch map, const char *file);
void gppc_map_change(void *data, const struct gppc_patch *patches, uint32_t count);
struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal);
void gppc_free_data(void *data);
const char *gppc_get_name(void);

#ifdef __cplusplus
}
#endif
#endif
