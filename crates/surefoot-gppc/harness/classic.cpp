// The harness of the classic track: solves the problems of a MovingAI map, and checks every path step by step.
//
//     classic preprocess MAP INDEX
//     classic run MAP SCEN INDEX CSV        exit code 1 if a path is wrong
#include "../cpp/Entry.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include "grid.h"

static Grid read_map(const char *name, std::vector<bool> &bits) {
    std::ifstream file(name);
    std::string word, kind;
    int width = 0, height = 0;
    if (!(file >> word >> kind >> word >> height >> word >> width >> word) || word != "map") fail("this is no map");
    Grid grid = grid_new(width, height, 0);
    bits.assign(size_t(width) * size_t(height), false);
    for (int y = 0; y < height; ++y) {
        std::string row;
        if (!(file >> row) || row.size() != size_t(width)) fail("a row of the map has another width");
        for (int x = 0; x < width; ++x) {
            char letter = row[size_t(x)];
            bool is_free = letter == '.' || letter == 'G' || letter == 'S';
            grid_set(&grid, x, y, is_free);
            bits[size_t(y) * size_t(width) + size_t(x)] = is_free;
        }
    }
    return grid;
}

static int run(const char *map, const char *scen, const char *index, const char *csv) {
    std::vector<bool> bits;
    Grid grid = read_map(map, bits);
    void *data = PrepareForSearch(bits, grid.width, grid.height, index);
    if (!data) fail("there is no entry");
    std::ifstream file(scen);
    std::string line;
    std::getline(file, line);
    std::ofstream out(csv);
    out << "map,scen,experiment_id,path_size,path_length,ref_length,time_cost,20steps_cost,max_step_time\n";
    int number = 0, wrong = 0;
    double all = 0;
    for (; std::getline(file, line) && !line.empty(); ++number) {
        std::istringstream words(line);
        std::string name;
        int bucket, width, height, x, y, goal_x, goal_y;
        double optimum;
        if (!(words >> bucket >> name >> width >> height >> x >> y >> goal_x >> goal_y >> optimum))
            fail("a problem cannot be read");
        std::vector<xyLoc> path;
        if (number % 4 == 0) {
            // A path that is given up after its first piece does not matter.
            std::vector<xyLoc> given_up;
            GetPath(data, {int16_t(x), int16_t(y)}, {int16_t(goal_x), int16_t(goal_y)}, given_up);
        }
        double time = 0, slowest = 0, first_steps = -1, length = 0;
        size_t known = 0;
        bool is_wrong = false, is_done = false;
        for (int calls = 0; !is_done && calls < 1000000; ++calls) {
            double begin = now_ns();
            is_done = GetPath(data, {int16_t(x), int16_t(y)}, {int16_t(goal_x), int16_t(goal_y)}, path);
            double took = now_ns() - begin;
            time += took;
            slowest = took > slowest ? took : slowest;
            for (; known < path.size(); ++known) {
                if (known == 0) continue;
                double more = run_length(&grid, path[known - 1].x, path[known - 1].y, path[known].x, path[known].y);
                is_wrong |= more < 0;
                length += more;
            }
            if (first_steps < 0 && (length >= FIRST_LENGTH || is_done)) first_steps = time;
        }
        is_wrong |= !is_done || std::fabs(length - optimum) > 1e-3 || path.size() == 1;
        if (!path.empty())
            is_wrong |= path[0].x != x || path[0].y != y || path.back().x != goal_x || path.back().y != goal_y;
        if (is_wrong) {
            std::cerr << "problem " << number << ": the path of length " << length << " is wrong; " << optimum << " it is\n";
            ++wrong;
        }
        all += time;
        out << map << ',' << scen << ',' << number << ',' << path.size() << ',' << length << ',' << optimum << ',' << time
            << ',' << first_steps << ',' << slowest << '\n';
    }
    printf("%s, classic: %d problems, %d wrong; %.2f us a problem\n", GetName().c_str(), number, wrong,
           all / 1e3 / (number ? number : 1));
    return wrong > 0 || number == 0;
}

int main(int count, char **arguments) {
    std::string mode = count > 1 ? arguments[1] : "";
    if (count == 4 && mode == "preprocess") {
        std::vector<bool> bits;
        Grid grid = read_map(arguments[2], bits);
        PreprocessMap(bits, grid.width, grid.height, arguments[3]);
        return 0;
    }
    if (count == 6 && mode == "run") return run(arguments[2], arguments[3], arguments[4], arguments[5]);
    std::cerr << "usage: classic preprocess MAP INDEX | run MAP SCEN INDEX CSV\n";
    return 2;
}
