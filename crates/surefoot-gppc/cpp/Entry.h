// What the classic track calls. Its kit brings a header of this name.
#ifndef SUREFOOT_CLASSIC_ENTRY_H
#define SUREFOOT_CLASSIC_ENTRY_H

#include <cstdint>
#include <string>
#include <vector>

struct xyLoc {
    int16_t x;
    int16_t y;
};

void PreprocessMap(std::vector<bool> &bits, int width, int height, const std::string filename);
void *PrepareForSearch(std::vector<bool> &bits, int width, int height, const std::string filename);
bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path);
const std::string GetName();

#endif
