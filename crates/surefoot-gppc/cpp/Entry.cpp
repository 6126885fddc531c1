// The entry of the classic track: it packs the bits of the map, and hands all else to the static library.
#include "Entry.h"

#include "gppc_entry.h"

static std::vector<uint8_t> packed(const std::vector<bool> &bits) {
    std::vector<uint8_t> bytes((bits.size() + 7) / 8);
    for (size_t i = 0; i < bits.size(); ++i) bytes[i / 8] |= uint8_t(bits[i]) << (i % 8);
    return bytes;
}

static gppc_patch whole(const std::vector<uint8_t> &bytes, int width, int height) {
    return {bytes.data(), uint16_t(width), uint16_t(height), {0, 0}};
}

void PreprocessMap(std::vector<bool> &bits, int width, int height, const std::string filename) {
    gppc_preprocess_init_map(whole(packed(bits), width, height), filename.c_str());
}

void *PrepareForSearch(std::vector<bool> &bits, int width, int height, const std::string filename) {
    return gppc_search_init(whole(packed(bits), width, height), filename.c_str());
}

bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path) {
    // Nothing of this path was given yet: whatever was left of another one, even between the same ends, is forgotten.
    if (path.empty()) gppc_get_path(data, {0, 0}, {0, 0});
    gppc_path part = gppc_get_path(data, {uint16_t(s.x), uint16_t(s.y)}, {uint16_t(g.x), uint16_t(g.y)});
    for (uint32_t i = 0; i < part.length; ++i)
        path.push_back({int16_t(part.points[i].x), int16_t(part.points[i].y)});
    return !part.incomplete;
}

const std::string GetName() { return gppc_get_name(); }
