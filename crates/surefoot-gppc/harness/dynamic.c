// The harness of the dynamic track: makes scenarios with patches, and holds a library to them.
//
//     dynamic generate NAME SEED SIDE       writes NAME.scen, NAME.patch, NAME.map and NAME.map.scen
//     dynamic preprocess LIBRARY SCEN INDEX
//     dynamic run LIBRARY SCEN INDEX CSV    every path is checked step by step; exit code 1 if one is wrong
#include <dlfcn.h>

#include "../cpp/gppc_entry.h"
#include "grid.h"

typedef struct {
    int is_query, patch, x, y, goal_x, goal_y;
    double length;
} Command;

typedef struct {
    Grid grid;
    Grid *patches;
    Command *commands;
    int patch_count, command_count;
} Scenario;

static FILE *opened(const char *name, const char *mode) {
    FILE *file = fopen(name, mode);
    if (!file) {
        perror(name);
        exit(1);
    }
    return file;
}

static Scenario read_scenario(const char *name) {
    FILE *file = opened(name, "r");
    int width, height, version;
    char patch_name[512], path[1100];
    if (fscanf(file, " version %d height %d width %d cost 1 octile patch %511s commands", &version, &height, &width,
               patch_name) != 4 ||
        version != 2)
        fail("this is no scenario of version 2");
    const char *slash = strrchr(name, '/');
    int folder = slash && patch_name[0] != '/' ? (int)(slash - name + 1) : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, name, patch_name);
    Scenario scenario = {grid_new(width, height, 1), NULL, NULL, 0, 0};
    FILE *patches = opened(path, "r");
    if (fscanf(patches, " type patch patches %d", &scenario.patch_count) != 1) fail("this is no file of patches");
    scenario.patches = calloc((size_t)scenario.patch_count + 1, sizeof(Grid));
    for (int i = 0; i < scenario.patch_count; ++i) {
        int number, wide, high;
        if (fscanf(patches, " patch %d height %d width %d map", &number, &high, &wide) != 3 || number != i)
            fail("a patch is out of order");
        scenario.patches[i] = grid_new(wide, high, 0);
        for (int y = 0; y < high; ++y)
            for (int x = 0; x < wide; ++x) {
                char letter;
                if (fscanf(patches, " %c", &letter) != 1) fail("a patch ends early");
                grid_set(&scenario.patches[i], x, y, letter == '.' || letter == 'G' || letter == 'S');
            }
    }
    fclose(patches);
    int room = 0, bucket;
    char kind;
    while (fscanf(file, " %c", &kind) == 1) {
        Command command = {kind == 'Q', 0, 0, 0, 0, 0, 0};
        int is_read = kind == 'Q'   ? fscanf(file, "%d %d %d %d %d %lf", &bucket, &command.x, &command.y,
                                             &command.goal_x, &command.goal_y, &command.length) == 6
                      : kind == 'P' ? fscanf(file, "%d %d %d %d", &bucket, &command.patch, &command.x, &command.y) == 4
                                    : 0;
        if (!is_read) fail("a command cannot be read");
        if (kind == 'P' && (command.patch < 0 || command.patch >= scenario.patch_count)) fail("there is no such patch");
        if (scenario.command_count == room) {
            room = 2 * room + 64;
            scenario.commands = realloc(scenario.commands, sizeof(Command) * (size_t)room);
        }
        scenario.commands[scenario.command_count++] = command;
    }
    fclose(file);
    return scenario;
}

static unsigned long long seed;

static int below(int limit) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % (unsigned long long)limit);
}

static void write_rows(FILE *file, const Grid *grid) {
    for (int y = 0; y < grid->height; ++y) {
        for (int x = 0; x < grid->width; ++x) fputc(grid_get(grid, x, y) ? '.' : '@', file);
        fputc('\n', file);
    }
}

static void write_patch(FILE *file, int number, const Grid *grid) {
    fprintf(file, "patch %d\nheight %d\nwidth %d\nmap\n", number, grid->height, grid->width);
    write_rows(file, grid);
}

static void write_query(FILE *scen, FILE *classic, const char *map, const Grid *grid) {
    int x = below(grid->width), y = below(grid->height), goal_x = below(grid->width), goal_y = below(grid->height);
    double length = shortest(grid, x, y, goal_x, goal_y);
    fprintf(scen, "Q 0 %d %d %d %d %.9f\n", x, y, goal_x, goal_y, length < 0 ? 0 : length);
    if (classic && length > 0)
        fprintf(classic, "0\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.8f\n", map, grid->width, grid->height, x, y, goal_x, goal_y,
                length);
}

// A map of blocks and scattered cells, then patches of many sizes, some of which change nothing, or cover each other.
static int generate(const char *name, int side) {
    char path[600], patch_name[600];
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    snprintf(path, sizeof path, "%s.scen", name);
    FILE *scen = opened(path, "w");
    snprintf(path, sizeof path, "%s.map.scen", name);
    FILE *classic = opened(path, "w");
    snprintf(path, sizeof path, "%s.patch", name);
    snprintf(patch_name, sizeof patch_name, "%s.patch", base);
    FILE *patches = opened(path, "w");
    Grid grid = grid_new(side, side, 1);
    for (int i = 0; i < side / 2; ++i) {
        int x = below(side), y = below(side), wide = 1 + below(side / 6 + 1), high = 1 + below(side / 6 + 1);
        for (int cell = 0; cell < wide * high; ++cell)
            if (x + cell % wide < side && y + cell / wide < side)
                grid_set(&grid, x + cell % wide, y + cell / wide, 0);
    }
    snprintf(path, sizeof path, "%s.map", name);
    FILE *map = opened(path, "w");
    fprintf(map, "type octile\nheight %d\nwidth %d\nmap\n", side, side);
    write_rows(map, &grid);
    fclose(map);
    const int rounds = 24;
    fprintf(scen, "version 2\nheight %d\nwidth %d\ncost 1 octile\npatch %s\ncommands\nP 0 0 0 0\n", side, side,
            patch_name);
    fprintf(patches, "type patch\npatches %d\n", 2 * rounds + 1);
    write_patch(patches, 0, &grid);
    fprintf(classic, "version 1\n");
    snprintf(path, sizeof path, "%s.map", base);
    for (int i = 0; i < 60; ++i) write_query(scen, classic, path, &grid);
    fclose(classic);
    for (int round = 0; round < rounds; ++round) {
        for (int part = 0; part < 2; ++part) {
            // The third of every three rounds changes much at once. Of two patches the second may undo the first.
            int most = round % 3 == 2 ? side : 7;
            int wide = 1 + below(most), high = 1 + below(most);
            int x = below(side - wide + 1), y = below(side - high + 1), share = below(100);
            Grid patch = grid_new(wide, high, 1);
            for (int cell = 0; cell < wide * high; ++cell) {
                int at_x = cell % wide, at_y = cell / wide, old = grid_get(&grid, x + at_x, y + at_y);
                grid_set(&patch, at_x, at_y, round % 5 == 4 ? old : (at_x / 3 + at_y / 3) % 5 * 20 < share);
            }
            write_patch(patches, 1 + 2 * round + part, &patch);
            fprintf(scen, "P 0 %d %d %d\n", 1 + 2 * round + part, x, y);
            grid_apply(&grid, &patch, x, y);
            free(patch.bits);
        }
        for (int i = 0; i < 10; ++i) write_query(scen, NULL, path, &grid);
    }
    fclose(scen);
    fclose(patches);
    return 0;
}

typedef struct {
    void (*preprocess)(struct gppc_patch, const char *);
    void *(*begin)(struct gppc_patch, const char *);
    void (*change)(void *, const struct gppc_patch *, uint32_t);
    struct gppc_path (*path)(void *, struct gppc_point, struct gppc_point);
    void (*end)(void *);
    const char *(*name)(void);
} Library;

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) fail(dlerror());
    return found;
}

static Library load(const char *name) {
    void *library = dlopen(name, RTLD_NOW);
    if (!library) fail(dlerror());
    Library found;
    *(void **)&found.preprocess = symbol(library, "gppc_preprocess_init_map");
    *(void **)&found.begin = symbol(library, "gppc_search_init");
    *(void **)&found.change = symbol(library, "gppc_map_change");
    *(void **)&found.path = symbol(library, "gppc_get_path");
    *(void **)&found.end = symbol(library, "gppc_free_data");
    *(void **)&found.name = symbol(library, "gppc_get_name");
    return found;
}

static struct gppc_patch patch_of(const Grid *grid, int x, int y) {
    struct gppc_patch patch = {grid->bits, (uint16_t)grid->width, (uint16_t)grid->height, {(uint16_t)x, (uint16_t)y}};
    return patch;
}

// Applies the patches up to the next query, and notes them. The place of the query; negative at the end.
static int next_query(Scenario *scenario, int at, struct gppc_patch *noted, uint32_t *count) {
    *count = 0;
    for (; at < scenario->command_count; ++at) {
        Command *command = &scenario->commands[at];
        if (command->is_query) return at;
        Grid *patch = &scenario->patches[command->patch];
        if (command->x + patch->width > scenario->grid.width || command->y + patch->height > scenario->grid.height)
            fail("a patch does not lie within the map");
        grid_apply(&scenario->grid, patch, command->x, command->y);
        noted[(*count)++] = patch_of(patch, command->x, command->y);
    }
    return -1;
}

// Asks for what is none: all of it has an empty path.
static void ask_nonsense(const Library *library, void *data, const Grid *grid) {
    struct gppc_point outside = {(uint16_t)grid->width, 0}, far_away = {65535, 65535}, first = {0, 0};
    struct gppc_point pairs[][2] = {{outside, first}, {first, far_away}, {far_away, far_away}, {first, first}};
    for (int i = 0; i < 4; ++i) {
        struct gppc_path path = library->path(data, pairs[i][0], pairs[i][1]);
        if (path.length || path.incomplete) fail("nonsense has a path");
    }
    if (library->path(NULL, first, outside).length) fail("no entry has a path");
    library->change(data, NULL, 0);
    library->change(NULL, NULL, 0);
    library->end(NULL);
}

static int run(const Library *library, Scenario *scenario, const char *name, const char *index, const char *csv) {
    struct gppc_patch *noted = malloc(sizeof *noted * ((size_t)scenario->command_count + 1));
    uint32_t count;
    int at = next_query(scenario, 0, noted, &count), number = 0, wrong = 0;
    const Grid *grid = &scenario->grid;
    void *data = library->begin(patch_of(grid, 0, 0), index);
    if (!data) fail("there is no entry");
    ask_nonsense(library, data, grid);
    FILE *out = opened(csv, "w");
    fprintf(out, "map,scen,experiment_id,path_size,path_length,ref_length,time_cost,20steps_cost,max_step_time\n");
    double all = 0, change_time = 0;
    for (; at >= 0; at = next_query(scenario, at + 1, noted, &count), ++number) {
        double begin = now_ns();
        if (number > 0 && count > 0) library->change(data, noted, count);
        change_time += now_ns() - begin;
        Command query = scenario->commands[at];
        struct gppc_point start = {(uint16_t)query.x, (uint16_t)query.y};
        struct gppc_point goal = {(uint16_t)query.goal_x, (uint16_t)query.goal_y}, last = start;
        if (number % 4 == 0) {
            // Paths that are given up after their first piece do not matter.
            library->path(data, start, goal);
            library->path(data, goal, start);
        }
        double length = 0, time = 0, first_steps = -1, slowest = 0;
        uint32_t size = 0;
        int is_wrong = 0, calls = 0;
        struct gppc_path part;
        do {
            begin = now_ns();
            part = library->path(data, start, goal);
            double took = now_ns() - begin;
            time += took;
            slowest = took > slowest ? took : slowest;
            for (uint32_t i = 0; i < part.length; ++i, ++size) {
                struct gppc_point point = part.points[i];
                if (size == 0) {
                    is_wrong |= point.x != start.x || point.y != start.y;
                } else {
                    double more = run_length(grid, last.x, last.y, point.x, point.y);
                    is_wrong |= more < 0;
                    length += more;
                }
                last = point;
            }
            if (first_steps < 0 && (length >= FIRST_LENGTH || !part.incomplete)) first_steps = time;
        } while (part.incomplete && ++calls < 1000000);
        is_wrong |= part.incomplete || (size > 0 && (last.x != goal.x || last.y != goal.y)) || size == 1;
        is_wrong |= fabs(length - query.length) > TOLERANCE;
        if (is_wrong) {
            fprintf(stderr, "query %d, from %d,%d to %d,%d: the path of %u points and length %.6f is wrong; %.6f it is\n",
                    number, query.x, query.y, query.goal_x, query.goal_y, size, length, query.length);
            ++wrong;
        }
        all += time;
        fprintf(out, "%s,%s,%d,%u,%.6f,%.6f,%.0f,%.0f,%.0f\n", name, name, number, size, length, query.length, time,
                first_steps, slowest);
    }
    fclose(out);
    library->end(data);
    printf("%s: %d queries, %d wrong; %.2f us a query, changes %.2f ms in all\n", library->name(), number, wrong,
           all / 1e3 / (number ? number : 1), change_time / 1e6);
    free(noted);
    return wrong > 0 || number == 0;
}

int main(int count, char **arguments) {
    if (count == 5 && !strcmp(arguments[1], "generate")) {
        seed = strtoull(arguments[3], NULL, 10);
        return generate(arguments[2], atoi(arguments[4]));
    }
    if (count == 5 && !strcmp(arguments[1], "preprocess")) {
        Library library = load(arguments[2]);
        Scenario scenario = read_scenario(arguments[3]);
        struct gppc_patch *noted = malloc(sizeof *noted * ((size_t)scenario.command_count + 1));
        uint32_t patches;
        next_query(&scenario, 0, noted, &patches);
        library.preprocess(patch_of(&scenario.grid, 0, 0), arguments[4]);
        return 0;
    }
    if (count == 6 && !strcmp(arguments[1], "run")) {
        Library library = load(arguments[2]);
        Scenario scenario = read_scenario(arguments[3]);
        return run(&library, &scenario, arguments[3], arguments[4], arguments[5]);
    }
    fprintf(stderr, "usage: dynamic generate NAME SEED SIDE | preprocess LIBRARY SCEN INDEX | run LIBRARY SCEN INDEX CSV\n");
    return 2;
}
