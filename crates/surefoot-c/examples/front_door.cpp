// The front door for C++: maps, navigators, walkers and a crowd that free themselves.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "surefoot.hpp"

namespace {

void expect(bool is_so, const char *what) {
    if (!is_so) throw std::runtime_error(what);
}

void run() {
    auto map = surefoot::Map::parse("......\n.####.\n......\n");
    auto navigator = surefoot::Navigator::build(map);
    expect(navigator.is_exact(), "exact");
    auto path = navigator.path({1, 0}, {1, 2});
    expect(path && path->cells().size() == 5 && path->cost() == 4.0, "the path");
    expect(path->turning_points().size() >= 2, "turning points");
    const auto costs = navigator.costs({0, 0}, {{5, 0}, {0, 2}});
    expect(costs.size() == 2 && costs[0] == 5.0 && costs[1] == 2.0, "costs");
    const auto nearest = navigator.nearest_of({0, 0}, {{5, 0}, {0, 2}});
    expect(nearest && nearest->first == 1, "the nearest");

    auto walker = navigator.walker({1, 0}, {1, 2});
    navigator.set_cells({{0, 1}}, false);
    walker.follow(navigator);
    int moves = 0;
    while (walker.next() != SUREFOOT_STEP_ARRIVED) moves++;
    expect(moves == 10 && walker.position() == surefoot::Cell{1, 2}, "the walk around the wall");

    // No way is no error.
    navigator.set_cells({{5, 1}}, false);
    expect(!navigator.path({1, 0}, {1, 2}) && !navigator.cost({1, 0}, {1, 2}), "no way");

    // What is wrong is one exception, with the library's words.
    try {
        (void)navigator.cost({1, 0}, {2, 1});
        expect(false, "a blocked goal");
    } catch (const surefoot::Error &error) {
        expect(error.code() == SUREFOOT_ERROR_QUERY, "the code");
        std::printf("%s\n", error.what());
    }

    // What a function throws that hears of a build comes out of it.
    try {
        (void)surefoot::Navigator::build(
            map, [](const char *, std::uint64_t, std::uint64_t) -> bool { throw std::out_of_range("mine"); });
        expect(false, "an exception of one's own");
    } catch (const std::out_of_range &error) {
        expect(std::string(error.what()) == "mine", "the same exception");
    }

    // What was moved from has nothing.
    auto moved = std::move(walker);
    try {
        (void)walker.position(); // NOLINT: that is the point
        expect(false, "moved from");
    } catch (const surefoot::Error &error) {
        expect(error.code() == SUREFOOT_ERROR_HANDLE, "a handle that is zero");
    }

    // Nor has it after an assignment, which frees what was there before.
    auto other = navigator.walker({1, 0}, {2, 0});
    const auto before = other.get();
    other = std::move(moved);
    expect(moved.get().bits == 0, "assigned from");
    expect(surefoot_walker_free(before) == SUREFOOT_ERROR_HANDLE, "what was there before is free");
    auto &itself = other;
    other = std::move(itself);
    expect(other.position() == surefoot::Cell{1, 2}, "assigned to itself");

    const auto around = navigator.turning_points({1, 0}, {5, 0});
    expect(around && *around == std::vector<surefoot::Cell>{{1, 0}, {5, 0}}, "turning points alone");
    expect(!navigator.turning_points({1, 0}, {1, 2}), "none where there is no way");
    expect(navigator.smooth(*navigator.path({1, 0}, {5, 0})).size() == 2, "pulled tight");

    surefoot::Crowd crowd(map);
    const auto scouts = crowd.add_kind();
    const auto units = crowd.add_many(scouts, {{0, 0}, {1, 0}}, {{5, 2}, {5, 0}});
    for (int frame = 0; frame < 20; frame++) crowd.frame(20000);
    const auto cells = crowd.positions(units);
    expect((cells == std::vector<surefoot::Cell>{{5, 2}, {5, 0}}), "where they are");
    expect(crowd.status(units[0]) == SUREFOOT_STATUS_ARRIVED, "the status");
    expect(crowd.position(units[0]) == surefoot::Cell{5, 2} && crowd.size() == 2 && crowd.units() == units, "questions");
    expect(crowd.target(units[0]) == SUREFOOT_NO_UNIT && crowd.group_of(units[0]) == SUREFOOT_NO_GROUP, "nobody");
    const auto group = crowd.send(units, {0, 2});
    expect(crowd.members(group) == units && crowd.kind_of(units[0]) == scouts, "a group");
    expect(crowd.cost(scouts, {0, 0}, {0, 2}) == 2.0 && crowd.costs(scouts, {0, 0}, {{0, 2}})[0] == 2.0, "costs");
    auto ahead = crowd.copy();
    ahead.frame();
    expect(ahead.checksum() != crowd.checksum(), "a copy goes its own way");

    // What a navigator has computed is taken: nothing is built for a second crowd.
    const auto built = surefoot::Navigator::build(map);
    surefoot::KindOptions options = {};
    options.navigator = built.get();
    surefoot::Crowd second(map);
    const auto quick = second.add_kind(options, [](const char *, std::uint64_t, std::uint64_t) { return false; });
    expect(second.is_built(quick) && second.is_up_to_date(quick), "taken, not built");

    const auto saved = crowd.save();
    expect(surefoot::Crowd::load(saved).checksum() == crowd.checksum(), "the saved crowd");
    std::printf("surefoot %s for C++: all as it should be\n", surefoot::version());
}

} // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
