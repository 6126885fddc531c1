// surefoot for C++17: the front door of surefoot.h as classes that free what they own.
//
// Classes are moved, not copied. Whatever is wrong is a surefoot::Error with the library's words; that there is no way is
// no error, but an empty optional. Threads: as in surefoot.h. What was moved from has no object, and calls on it throw.
#ifndef SUREFOOT_HPP
#define SUREFOOT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "surefoot.h"

inline bool operator==(SurefootCell a, SurefootCell b) { return a.x == b.x && a.y == b.y; }
inline bool operator!=(SurefootCell a, SurefootCell b) { return !(a == b); }

namespace surefoot {

using Cell = SurefootCell;
using Point = SurefootPoint;
using Link = SurefootLink;
using Unit = SurefootUnit;
using Kind = SurefootKind;
using Group = SurefootGroup;
using Step = SurefootStep;
using Status = SurefootStatus;
using Move = SurefootMove;
using FrameReport = SurefootFrameReport;
using CrowdOptions = SurefootCrowdOptions;
using KindOptions = SurefootKindOptions;

// What is wrong: a number, and the library's words.
class Error : public std::runtime_error {
public:
    Error(SurefootResult code, const char *words) : std::runtime_error(words), code_(code) {}
    SurefootResult code() const noexcept { return code_; }

private:
    SurefootResult code_;
};

// Hears how far a build is: stage, how much is done, how much there is. The build goes on if it returns true.
using Progress = std::function<bool(const char *, std::uint64_t, std::uint64_t)>;

// The version of the library.
inline const char *version() { return surefoot_version(); }

namespace detail {

// Throws if a call did not work. Whether there is a way.
inline bool check(SurefootResult result) {
    if (result == SUREFOOT_OK) return true;
    if (result == SUREFOOT_NO_WAY) return false;
    throw Error(result, surefoot_error_message());
}

// Owns a handle.
template <class Handle, SurefootResult (*Free)(Handle)>
class Owned {
public:
    explicit Owned(Handle handle) noexcept : handle_(handle) {}
    Owned(Owned &&other) noexcept : handle_(std::exchange(other.handle_, Handle{0})) {}
    Owned &operator=(Owned &&other) noexcept {
        if (this != &other) {
            release();
            handle_ = std::exchange(other.handle_, Handle{0});
        }
        return *this;
    }
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { release(); }
    // The handle, for surefoot.h. It stays owned.
    Handle get() const noexcept { return handle_; }

protected:
    Handle handle_;

private:
    void release() noexcept {
        if (handle_.bits != 0) Free(handle_);
    }
};

// Passes a build on to a function of C++, and keeps what it throws.
struct Hearer {
    const Progress *progress;
    std::exception_ptr thrown;

    static std::int32_t hear(void *user, const char *stage, std::uint64_t done, std::uint64_t all) noexcept {
        auto *self = static_cast<Hearer *>(user);
        try {
            return *self->progress && !(*self->progress)(stage, done, all) ? 1 : 0;
        } catch (...) {
            self->thrown = std::current_exception();
            return 1;
        }
    }
    void check(SurefootResult result) const {
        if (thrown) std::rethrow_exception(thrown);
        detail::check(result);
    }
};

// Answers of calls that write one value.
template <class T, class Call, class... Arguments>
T answer(Call call, Arguments... arguments) {
    T value{};
    check(call(arguments..., &value));
    return value;
}

// The same, where there may be no way.
template <class T, class Call, class... Arguments>
std::optional<T> answer_if_way(Call call, Arguments... arguments) {
    T value{};
    return check(call(arguments..., &value)) ? std::optional<T>(value) : std::nullopt;
}

// A list that is copied by a call with room and count.
template <class T, class Call>
std::vector<T> list(Call call) {
    std::vector<T> values;
    std::size_t count = 0;
    check(call(nullptr, std::size_t{0}, &count));
    // It may have grown meanwhile, if another thread changes it.
    do {
        values.resize(count);
        check(call(values.data(), values.size(), &count));
    } while (count > values.size());
    values.resize(count);
    return values;
}

inline std::vector<std::uint8_t> take(SurefootBytes bytes) {
    Owned<SurefootBytes, surefoot_bytes_free> owner(bytes);
    std::vector<std::uint8_t> copy(answer<std::size_t>(surefoot_bytes_size, bytes));
    check(surefoot_bytes_copy(bytes, copy.data(), copy.size(), nullptr));
    return copy;
}

} // namespace detail

// A map: which cells can be walked on, which moves there are, and what they cost.
class Map : public detail::Owned<SurefootMap, surefoot_map_free> {
public:
    using Owned::Owned;
    // One byte a cell, row after row: what is not 0 is free.
    Map(const std::vector<std::uint8_t> &cells, std::uint32_t width, std::uint32_t height) : Owned(SurefootMap{0}) {
        detail::check(surefoot_map_new(cells.data(), cells.size(), width, height, &handle_));
    }
    // From a MovingAI file, or ASCII art.
    static Map open(const std::string &file) {
        return Map(detail::answer<SurefootMap>(surefoot_map_open, file.c_str()));
    }
    // From the text of such a file.
    static Map parse(const std::string &text) {
        SurefootMap map;
        detail::check(surefoot_map_from_bytes(reinterpret_cast<const std::uint8_t *>(text.data()), text.size(), &map));
        return Map(map);
    }
    // A copy, which costs nothing.
    Map copy() const { return Map(detail::answer<SurefootMap>(surefoot_map_copy, handle_)); }
    std::uint32_t width() const { return size().first; }
    std::uint32_t height() const { return size().second; }
    std::pair<std::uint32_t, std::uint32_t> size() const {
        std::pair<std::uint32_t, std::uint32_t> sides;
        detail::check(surefoot_map_size(handle_, &sides.first, &sides.second));
        return sides;
    }
    bool is_free(Cell cell) const { return detail::answer<std::int32_t>(surefoot_map_is_free, handle_, cell) != 0; }
    // One byte a cell, row after row: 1 is free.
    std::vector<std::uint8_t> cells() const {
        return detail::list<std::uint8_t>([&](auto... room) { return surefoot_map_cells(handle_, room...); });
    }
    void set_cells(const std::vector<Cell> &cells, bool free) {
        detail::check(surefoot_map_set_cells(handle_, cells.data(), cells.size(), free));
    }
    SurefootRule rule() const { return static_cast<SurefootRule>(rule_and_costs().first); }
    SurefootCosts costs() const { return static_cast<SurefootCosts>(rule_and_costs().second); }
    void set_rule(SurefootRule rule) { detail::check(surefoot_map_set_rule(handle_, rule)); }
    void set_costs(SurefootCosts costs) { detail::check(surefoot_map_set_costs(handle_, costs)); }
    void set_weights(const std::vector<std::uint8_t> &weights) {
        detail::check(surefoot_map_set_weights(handle_, weights.data(), weights.size()));
    }
    void set_links(const std::vector<Link> &links) {
        detail::check(surefoot_map_set_links(handle_, links.data(), links.size()));
    }

private:
    std::pair<std::int32_t, std::int32_t> rule_and_costs() const {
        std::pair<std::int32_t, std::int32_t> both;
        detail::check(surefoot_map_rule(handle_, &both.first, &both.second));
        return both;
    }
};

// A path from one cell to another.
class Path : public detail::Owned<SurefootPath, surefoot_path_free> {
public:
    using Owned::Owned;
    // How many cells it has.
    std::size_t length() const { return detail::answer<std::size_t>(surefoot_path_length, handle_); }
    // All cells, both ends included.
    std::vector<Cell> cells() const {
        return detail::list<Cell>([&](auto... room) { return surefoot_path_cells(handle_, room...); });
    }
    // The start, the cells where it turns, and the goal.
    std::vector<Cell> turning_points() const {
        return detail::list<Cell>([&](auto... room) { return surefoot_path_turning_points(handle_, room...); });
    }
    double cost() const { return detail::answer<double>(surefoot_path_cost, handle_); }
};

class Navigator;

// A unit on its way, one move a call.
class Walker : public detail::Owned<SurefootWalker, surefoot_walker_free> {
public:
    using Owned::Owned;
    // Makes the next move: what came of it.
    Step next() {
        Step step;
        detail::check(surefoot_walker_next(handle_, &step, nullptr));
        return step;
    }
    Cell position() const { return detail::answer<Cell>(surefoot_walker_position, handle_); }
    Cell goal() const { return detail::answer<Cell>(surefoot_walker_goal, handle_); }
    // Nothing if there is no way.
    std::optional<double> cost_left() const {
        return detail::answer_if_way<double>(surefoot_walker_cost_left, handle_);
    }
    // The planning that the last move took.
    std::uint64_t work() const { return detail::answer<std::uint64_t>(surefoot_walker_work, handle_); }
    void set_goal(Cell goal) { detail::check(surefoot_walker_set_goal(handle_, goal)); }
    // Goes on by another navigator: one that was edited, say.
    inline void follow(const Navigator &navigator);
};

// Finds ways through a map: build it once, and ask it as often as you like.
class Navigator : public detail::Owned<SurefootNavigator, surefoot_navigator_free> {
public:
    using Owned::Owned;
    // Computes what paths need. What `progress` throws comes out of it.
    static Navigator build(const Map &map, const Progress &progress = nullptr) {
        SurefootNavigator navigator;
        detail::Hearer hearer{&progress, nullptr};
        hearer.check(surefoot_navigator_build(map.get(), detail::Hearer::hear, &hearer, &navigator));
        return Navigator(navigator);
    }
    static Navigator open(const Map &map, const std::string &file) {
        return Navigator(detail::answer<SurefootNavigator>(surefoot_navigator_open, map.get(), file.c_str()));
    }
    static Navigator from_bytes(const Map &map, const std::vector<std::uint8_t> &bytes) {
        return Navigator(detail::answer<SurefootNavigator>(surefoot_navigator_from_bytes, map.get(), bytes.data(),
                                                           bytes.size()));
    }
    // A copy, which costs nothing.
    Navigator copy() const { return Navigator(detail::answer<SurefootNavigator>(surefoot_navigator_copy, handle_)); }
    void save(const std::string &file) const { detail::check(surefoot_navigator_save(handle_, file.c_str())); }
    std::vector<std::uint8_t> to_bytes() const {
        return detail::take(detail::answer<SurefootBytes>(surefoot_navigator_to_bytes, handle_));
    }
    Map map() const { return Map(detail::answer<SurefootMap>(surefoot_navigator_map, handle_)); }
    bool is_exact() const { return detail::answer<std::int32_t>(surefoot_navigator_is_exact, handle_) != 0; }
    // The bytes of all that was computed.
    std::uint64_t memory() const { return detail::answer<std::uint64_t>(surefoot_navigator_memory, handle_); }
    // Nothing if there is no way. So it is with `cost`, `turning_points` and `nearest_of`.
    std::optional<Path> path(Cell start, Cell goal) const {
        SurefootPath path;
        if (!detail::check(surefoot_navigator_path(handle_, start, goal, &path))) return std::nullopt;
        return Path(path);
    }
    std::optional<double> cost(Cell start, Cell goal) const {
        return detail::answer_if_way<double>(surefoot_navigator_cost, handle_, start, goal);
    }
    // What `path(start, goal)->turning_points()` gives, in less time.
    std::optional<std::vector<Cell>> turning_points(Cell start, Cell goal) const {
        bool is_way = true;
        auto cells = detail::list<Cell>([&](Cell *to, std::size_t room, std::size_t *count) {
            const auto result = surefoot_navigator_turning_points(handle_, start, goal, to, room, count, nullptr);
            is_way = result != SUREFOOT_NO_WAY;
            return result;
        });
        return is_way ? std::optional(std::move(cells)) : std::nullopt;
    }
    // A path of this navigator pulled tight, at any angle.
    std::vector<Cell> smooth(const Path &path) const {
        const auto of = path.get();
        return detail::list<Cell>([&](auto... room) { return surefoot_navigator_smooth(handle_, of, room...); });
    }
    // Infinity for goals that there is no way to.
    std::vector<double> costs(Cell start, const std::vector<Cell> &goals) const {
        std::vector<double> costs(goals.size());
        detail::check(surefoot_navigator_costs(handle_, start, goals.data(), goals.size(), costs.data()));
        return costs;
    }
    bool reachable(Cell start, Cell goal) const {
        return detail::answer<std::int32_t>(surefoot_navigator_reachable, handle_, start, goal) != 0;
    }
    // The place of the nearest goal, and what the way to it costs.
    std::optional<std::pair<std::size_t, double>> nearest_of(Cell start, const std::vector<Cell> &goals) const {
        std::pair<std::size_t, double> nearest;
        const auto result = surefoot_navigator_nearest_of(handle_, start, goals.data(), goals.size(), &nearest.first,
                                                          &nearest.second);
        if (!detail::check(result)) return std::nullopt;
        return nearest;
    }
    Walker walker(Cell start, Cell goal) const {
        return Walker(detail::answer<SurefootWalker>(surefoot_walker_new, handle_, start, goal));
    }
    void set_cells(const std::vector<Cell> &cells, bool free) {
        detail::check(surefoot_navigator_set_cells(handle_, cells.data(), cells.size(), free));
    }
    void set_weights(const std::vector<Cell> &cells, std::uint8_t weight) {
        detail::check(surefoot_navigator_set_weights(handle_, cells.data(), cells.size(), weight));
    }
};

inline void Walker::follow(const Navigator &navigator) {
    detail::check(surefoot_walker_follow(handle_, navigator.get()));
}

// Thousands of units on one map that changes, with one budget a frame.
class Crowd : public detail::Owned<SurefootCrowd, surefoot_crowd_free> {
public:
    using Owned::Owned;
    explicit Crowd(const Map &map, const CrowdOptions &options = {}) : Owned(SurefootCrowd{0}) {
        detail::check(surefoot_crowd_new(map.get(), &options, &handle_));
    }
    static Crowd load(const std::vector<std::uint8_t> &bytes) {
        return Crowd(detail::answer<SurefootCrowd>(surefoot_crowd_load, bytes.data(), bytes.size()));
    }
    std::vector<std::uint8_t> save() const {
        return detail::take(detail::answer<SurefootBytes>(surefoot_crowd_save, handle_));
    }
    // A copy that goes on from here on its own: to look ahead, or to go back to.
    Crowd copy() const { return Crowd(detail::answer<SurefootCrowd>(surefoot_crowd_copy, handle_)); }
    // The map as it is now.
    Map map() const { return Map(detail::answer<SurefootMap>(surefoot_crowd_map, handle_)); }
    bool is_free(Cell cell) const {
        return detail::answer<std::int32_t>(surefoot_crowd_is_free, handle_, cell) != 0;
    }
    // The bytes of what all units share, of what is kept of edits, and of each unit.
    std::array<std::uint64_t, 3> memory() const {
        std::array<std::uint64_t, 3> bytes{};
        detail::check(surefoot_crowd_memory(handle_, &bytes[0], &bytes[1], &bytes[2]));
        return bytes;
    }
    // The same for crowds that go on alike.
    std::uint64_t checksum() const { return detail::answer<std::uint64_t>(surefoot_crowd_checksum, handle_); }
    // Adds a kind of units, and builds what they find their way by.
    Kind add_kind(const KindOptions &options = {}, const Progress &progress = nullptr) {
        Kind kind = 0;
        detail::Hearer hearer{&progress, nullptr};
        hearer.check(surefoot_crowd_add_kind(handle_, &options, detail::Hearer::hear, &hearer, &kind));
        return kind;
    }
    // Builds what a kind needs, while the crowd can be used by other threads.
    void build(Kind kind, const Progress &progress = nullptr) {
        detail::Hearer hearer{&progress, nullptr};
        hearer.check(surefoot_crowd_build(handle_, kind, detail::Hearer::hear, &hearer));
    }
    void build_in_frames(Kind kind) { detail::check(surefoot_crowd_build_in_frames(handle_, kind)); }
    void cancel_build(Kind kind) { detail::check(surefoot_crowd_cancel_build(handle_, kind)); }
    // How much is done of the stage that a build in frames is in, and how much there is.
    std::pair<std::uint64_t, std::uint64_t> build_progress(Kind kind) const {
        std::pair<std::uint64_t, std::uint64_t> progress;
        detail::check(surefoot_crowd_build_progress(handle_, kind, &progress.first, &progress.second));
        return progress;
    }
    bool is_built(Kind kind) const {
        std::int32_t is_built = 0;
        detail::check(surefoot_crowd_is_built(handle_, kind, &is_built, nullptr));
        return is_built != 0;
    }
    bool is_up_to_date(Kind kind) const {
        std::int32_t is_up_to_date = 0;
        detail::check(surefoot_crowd_is_built(handle_, kind, nullptr, &is_up_to_date));
        return is_up_to_date != 0;
    }
    Unit add(Kind kind, Cell start, Cell goal, SurefootPriority priority = SUREFOOT_PRIORITY_NORMAL) {
        return detail::answer<Unit>(surefoot_crowd_add, handle_, kind, start, goal, priority);
    }
    // As many units as there are starts; all or none.
    std::vector<Unit> add_many(Kind kind, const std::vector<Cell> &starts, const std::vector<Cell> &goals,
                               SurefootPriority priority = SUREFOOT_PRIORITY_NORMAL) {
        if (starts.size() != goals.size()) throw Error(SUREFOOT_ERROR_ARGUMENT, "each unit needs a start and a goal");
        std::vector<Unit> units(starts.size());
        detail::check(surefoot_crowd_add_many(handle_, kind, starts.data(), goals.data(), starts.size(), priority,
                                              units.data()));
        return units;
    }
    void remove(Unit unit) { detail::check(surefoot_crowd_remove(handle_, unit)); }
    Group send(const std::vector<Unit> &units, Cell goal) {
        return detail::answer<Group>(surefoot_crowd_send, handle_, units.data(), units.size(), goal);
    }
    void set_goal(Unit unit, Cell goal) { detail::check(surefoot_crowd_set_goal(handle_, unit, goal)); }
    // Or if it cannot get there, the nearest cell that it can get to: which one that is.
    Cell set_goal_or_nearest(Unit unit, Cell goal) {
        return detail::answer<Cell>(surefoot_crowd_set_goal_or_nearest, handle_, unit, goal);
    }
    void pursue(Unit unit, Unit target) { detail::check(surefoot_crowd_pursue(handle_, unit, target)); }
    void stop(Unit unit) { detail::check(surefoot_crowd_stop(handle_, unit)); }
    void place(Unit unit, Cell cell) { detail::check(surefoot_crowd_place(handle_, unit, cell)); }
    // Puts units that stand on blocked ground beside it. Who they are.
    std::vector<Unit> push_out() {
        std::vector<Unit> units(static_cast<std::size_t>(size()));
        std::size_t count = 0;
        detail::check(surefoot_crowd_push_out(handle_, units.data(), units.size(), &count));
        units.resize(std::min(count, units.size()));
        return units;
    }
    void set_priority(Unit unit, SurefootPriority priority) {
        detail::check(surefoot_crowd_set_priority(handle_, unit, priority));
    }
    void set_speed(Unit unit, std::uint32_t cells, std::uint32_t frames) {
        detail::check(surefoot_crowd_set_speed(handle_, unit, cells, frames));
    }
    // How many cells that changes.
    std::uint64_t set_cells(const std::vector<Cell> &cells, bool free) {
        return detail::answer<std::uint64_t>(surefoot_crowd_set_cells, handle_, cells.data(), cells.size(), free);
    }
    std::uint64_t set_weights(Kind kind, const std::vector<Cell> &cells, std::uint8_t weight) {
        return detail::answer<std::uint64_t>(surefoot_crowd_set_weights, handle_, kind, cells.data(), cells.size(),
                                             weight);
    }
    std::uint32_t add_link(Kind kind, Link link) {
        return detail::answer<std::uint32_t>(surefoot_crowd_add_link, handle_, kind, link);
    }
    void remove_link(Kind kind, std::uint32_t id) { detail::check(surefoot_crowd_remove_link(handle_, kind, id)); }
    // Lets all units walk for a frame, with so much work for all of them together.
    FrameReport frame(std::uint64_t work = SUREFOOT_EVERYONE) {
        return detail::answer<FrameReport>(surefoot_crowd_frame, handle_, work);
    }
    // The moves of the last frame.
    std::vector<Move> moves() const {
        return detail::list<Move>([&](auto... room) { return surefoot_crowd_moves(handle_, room...); });
    }
    // A list of units of the last frame.
    std::vector<Unit> listed(SurefootList which) const {
        return detail::list<Unit>([&](auto... room) { return surefoot_crowd_listed(handle_, which, room...); });
    }
    // Groups that were all there after the last frame, kinds that got what they need in it, and kinds that
    // cannot be built in frames.
    std::vector<Group> settled() const {
        return detail::list<Group>([&](auto... room) { return surefoot_crowd_settled(handle_, room...); });
    }
    std::vector<Kind> built() const {
        return detail::list<Kind>([&](auto... room) { return surefoot_crowd_built(handle_, room...); });
    }
    std::vector<Kind> not_built() const {
        return detail::list<Kind>([&](auto... room) { return surefoot_crowd_not_built(handle_, room...); });
    }
    std::uint64_t size() const { return detail::answer<std::uint64_t>(surefoot_crowd_size, handle_); }
    std::vector<Unit> members(Group group) const {
        return detail::list<Unit>([&](auto... room) { return surefoot_crowd_members(handle_, group, room...); });
    }
    std::vector<Unit> units() const {
        return detail::list<Unit>([&](auto... room) { return surefoot_crowd_units(handle_, room...); });
    }
    std::vector<Cell> positions(const std::vector<Unit> &units) const {
        std::vector<Cell> cells(units.size());
        detail::check(surefoot_crowd_positions(handle_, units.data(), units.size(), cells.data()));
        return cells;
    }
    // Where to draw units, between two cells where a unit has a speed.
    std::vector<Point> points(const std::vector<Unit> &units) const {
        std::vector<Point> points(units.size());
        detail::check(surefoot_crowd_points(handle_, units.data(), units.size(), points.data()));
        return points;
    }
    Cell position(Unit unit) const { return detail::answer<Cell>(surefoot_crowd_position, handle_, unit); }
    Cell goal(Unit unit) const { return detail::answer<Cell>(surefoot_crowd_goal, handle_, unit); }
    Kind kind_of(Unit unit) const { return detail::answer<Kind>(surefoot_crowd_kind_of, handle_, unit); }
    // Whom it pursues; SUREFOOT_NO_UNIT if nobody.
    Unit target(Unit unit) const { return detail::answer<Unit>(surefoot_crowd_target, handle_, unit); }
    // Whom it was sent with; SUREFOOT_NO_GROUP if nobody.
    Group group_of(Unit unit) const { return detail::answer<Group>(surefoot_crowd_group_of, handle_, unit); }
    std::uint8_t weight(Kind kind, Cell cell) const {
        return detail::answer<std::uint8_t>(surefoot_crowd_weight, handle_, kind, cell);
    }
    Status status(Unit unit) const { return detail::answer<Status>(surefoot_crowd_status, handle_, unit); }
    // The way that is left to a unit; nothing if there is none.
    std::optional<Path> path(Unit unit) const {
        SurefootPath path;
        if (!detail::check(surefoot_crowd_path(handle_, unit, &path))) return std::nullopt;
        return Path(path);
    }
    std::optional<double> cost_left(Unit unit) const {
        return detail::answer_if_way<double>(surefoot_crowd_cost_left, handle_, unit);
    }
    // Ways that units of a kind could take.
    std::optional<Path> path_between(Kind kind, Cell start, Cell goal) const {
        SurefootPath path;
        if (!detail::check(surefoot_crowd_path_between(handle_, kind, start, goal, &path))) return std::nullopt;
        return Path(path);
    }
    std::optional<double> cost(Kind kind, Cell start, Cell goal) const {
        return detail::answer_if_way<double>(surefoot_crowd_cost, handle_, kind, start, goal);
    }
    std::vector<double> costs(Kind kind, Cell start, const std::vector<Cell> &goals) const {
        std::vector<double> costs(goals.size());
        detail::check(surefoot_crowd_costs(handle_, kind, start, goals.data(), goals.size(), costs.data()));
        return costs;
    }
    std::optional<std::pair<std::size_t, double>> nearest_of(Kind kind, Cell start,
                                                             const std::vector<Cell> &goals) const {
        std::pair<std::size_t, double> nearest;
        const auto result = surefoot_crowd_nearest_of(handle_, kind, start, goals.data(), goals.size(), &nearest.first,
                                                      &nearest.second);
        if (!detail::check(result)) return std::nullopt;
        return nearest;
    }
    bool reachable(Kind kind, Cell start, Cell goal) const {
        return detail::answer<std::int32_t>(surefoot_crowd_reachable, handle_, kind, start, goal) != 0;
    }
};

} // namespace surefoot

#endif // SUREFOOT_HPP
