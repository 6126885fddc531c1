## Everything that the extension does, held to what it should be: `cargo xtask godot --run`. It ends with exit code
## 0 if all is right, and with 1 if not.
extends SceneTree

const Level := preload("res://level.gd")
const SECONDS := 240

var checks := 0
var failures := 0
var since := Time.get_ticks_msec()


func _initialize() -> void:
	run()


## A script that fails stops without a word. Nobody is to wait for it.
func _process(_delta: float) -> bool:
	if Time.get_ticks_msec() - since > SECONDS * 1000:
		print("FAILED: no end after %d s" % SECONDS)
		quit(1)
	return false


func run() -> void:
	await process_frame
	for part: Callable in [tiles, shapes, other_sources, rules, weights, edits, files, errors, signals, orders]:
		part.call()
	await background()
	await ticks()
	await demo()
	crowd_of_2000()
	compare()
	print("%d checks, %d failures" % [checks, failures])
	if failures == 0:
		print("surefoot: all checks passed")
	quit(1 if failures > 0 else 0)


func check(is_right: bool, what: String) -> void:
	checks += 1
	if not is_right:
		failures += 1
		print("FAILED: ", what)


func same(found: Variant, expected: Variant, what: String) -> void:
	check(found == expected, "%s: %s, and not %s" % [what, found, expected])


func near(found: float, expected: float, what: String) -> void:
	var is_near := found == expected or absf(found - expected) <= 1e-6 * maxf(1.0, absf(expected))
	check(is_near, "%s: %s, and not %s" % [what, found, expected])


## A map of a level of rooms, as bytes.
func map_of(size: Vector2i, number: int, origin := Vector2i.ZERO, mode := 3) -> SurefootMap:
	var map := SurefootMap.new()
	map.diagonal_mode = mode
	same(map.fill_from_bytes(size.x, Level.rooms(size, 16, number), origin), OK, "a map of bytes")
	return map


func random_of(number: int) -> RandomNumberGenerator:
	var random := RandomNumberGenerator.new()
	random.seed = number
	return random


func free_cell(map: SurefootMap, random: RandomNumberGenerator) -> Vector2i:
	var region := map.region()
	while true:
		var at := Vector2i(random.randi_range(0, region.size.x - 1), random.randi_range(0, region.size.y - 1))
		if not map.is_solid(region.position + at):
			return region.position + at
	return Vector2i.ZERO


## Whether a move is one that the mode allows.
func is_legal(map: SurefootMap, from: Vector2i, to: Vector2i) -> bool:
	var step := (to - from).abs()
	if map.is_solid(to) or maxi(step.x, step.y) != 1:
		return false
	if step != Vector2i.ONE:
		return true
	var solids := int(map.is_solid(Vector2i(from.x, to.y))) + int(map.is_solid(Vector2i(to.x, from.y)))
	match map.diagonal_mode:
		0: return true
		1: return false
		2: return solids < 2
		_: return solids == 0


## What a path costs. The engine's own search leaves cells out where it jumps.
func cost_of(path: Array[Vector2i]) -> float:
	var straight := 0
	var diagonal := 0
	for at in range(1, path.size()):
		var step := (path[at] - path[at - 1]).abs()
		diagonal += mini(step.x, step.y)
		straight += absi(step.x - step.y)
	return straight + diagonal * sqrt(2.0)


func check_path(map: SurefootMap, from: Vector2i, to: Vector2i, cost: float, what: String) -> void:
	var path := map.find_path(from, to)
	near(map.cost(from, to), cost, what + ", cost")
	same(map.is_reachable(from, to), cost < INF, what + ", reachable")
	if cost == INF:
		same(path.size(), 0, what + ", no path")
		return
	check(path.size() > 0 and path[0] == from and path[-1] == to, what + ", ends")
	near(cost_of(path), cost, what + ", cost of the path")
	for at in range(1, path.size()):
		if not is_legal(map, path[at - 1], path[at]):
			check(false, "%s: from %s to %s is no move" % [what, path[at - 1], path[at]])


func tiles() -> void:
	var size := Vector2i(50, 40)
	var origin := Vector2i(-31, -17)
	var cells := Level.rooms(size, 16, 5)
	var layer := TileMapLayer.new()
	layer.tile_set = Level.tile_set(8)
	Level.paint(layer, cells, size.x, origin)
	var map := SurefootMap.new()
	var fills := {
		"custom data": func() -> int: return map.fill_from_custom_data(layer, "walkable"),
		"physics": func() -> int: return map.fill_from_physics(layer),
		"terrain": func() -> int: return map.fill_from_terrain(layer, 0, 0),
		"terrain set": func() -> int: return map.fill_from_terrain(layer),
	}
	for name: String in fills:
		same(fills[name].call(), OK, name)
		same(map.region(), Rect2i(origin, size), name + ", region")
		var others := 0
		for at in cells.size():
			var cell := origin + Vector2i(at % size.x, at / size.x)
			others += int(map.is_solid(cell) != (cells[at] == 0))
		same(others, 0, name + ", cells that differ")
	for cell in [origin, Vector2i(0, 0), Vector2i(-1, 7), Vector2i(18, 22)]:
		same(map.cell_to_position(cell), layer.map_to_local(cell), "pixels of %s" % cell)
		var point: Vector2 = layer.map_to_local(cell) + Vector2(3.5, -3.5)
		same(map.position_to_cell(point), layer.local_to_map(point), "cell at %s" % point)
	check(map.is_solid(origin - Vector2i.ONE) and map.is_solid(origin + size), "outside is solid")
	# A part of it, with cells that have no tile.
	var part := Rect2i(Vector2i(-40, -20), Vector2i(20, 10))
	same(map.fill_from_physics(layer, 0, false, part), OK, "a part")
	check(map.region() == part and not map.is_solid(Vector2i(-40, -20)), "no tile is free")
	same(map.fill_from_physics(layer, 0, true, part), OK, "a part")
	check(map.is_solid(Vector2i(-40, -20)), "no tile is solid")
	same(map.build(), OK, "built")
	map.free()
	layer.free()


func shapes() -> void:
	var layer := TileMapLayer.new()
	layer.tile_set = Level.tile_set(8)
	layer.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
	layer.tile_set.tile_size = Vector2i(32, 16)
	Level.paint(layer, Level.rooms(Vector2i(20, 20), 16, 1), 20, Vector2i(-5, -5))
	var map := SurefootMap.new()
	for layout in [TileSet.TILE_LAYOUT_DIAMOND_DOWN, TileSet.TILE_LAYOUT_DIAMOND_RIGHT]:
		layer.tile_set.tile_layout = layout
		same(map.fill_from_physics(layer), OK, "diamonds")
		for cell in [Vector2i(-5, -5), Vector2i(0, 0), Vector2i(7, 11)]:
			same(map.cell_to_position(cell), layer.map_to_local(cell), "a diamond's pixels")
			var point: Vector2 = layer.map_to_local(cell) + Vector2(9, 3)
			same(map.position_to_cell(point), layer.local_to_map(point), "a diamond at a point")
	layer.tile_set.tile_layout = TileSet.TILE_LAYOUT_STACKED
	same(map.fill_from_physics(layer), ERR_INVALID_PARAMETER, "stacked tiles")
	layer.tile_set.tile_shape = TileSet.TILE_SHAPE_HEXAGON
	same(map.fill_from_physics(layer), ERR_INVALID_PARAMETER, "hexagons")
	map.free()
	layer.free()


func other_sources() -> void:
	var size := Vector2i(20, 18)
	var origin := Vector2i(-7, 3)
	var cells := Level.rooms(size, 16, 2)
	var image := Image.create_empty(size.x, size.y, false, Image.FORMAT_RGB8)
	var text := "type octile\nheight %d\nwidth %d\nmap\n" % [size.y, size.x]
	for at in cells.size():
		image.set_pixel(at % size.x, at / size.x, Color.WHITE if cells[at] == 1 else Color.BLACK)
		text += "." if cells[at] == 1 else "@"
		if at % size.x == size.x - 1:
			text += "\n"
	var file := FileAccess.open("user://rooms.map", FileAccess.WRITE)
	file.store_string(text)
	file.close()
	var map := SurefootMap.new()
	var by_number := func(cell: Vector2i) -> bool:
		return cells[(cell.y - origin.y) * size.x + cell.x - origin.x] == 1
	var fills := {
		"image": func() -> int: return map.fill_from_image(image, origin),
		"bytes": func() -> int: return map.fill_from_bytes(size.x, cells, origin),
		"file": func() -> int: return map.fill_from_file("user://rooms.map", origin),
		"callable": func() -> int: return map.fill_from_callable(by_number, Rect2i(origin, size)),
	}
	for name: String in fills:
		same(fills[name].call(), OK, name)
		same(map.region(), Rect2i(origin, size), name + ", region")
		var others := 0
		for at in cells.size():
			others += int(map.is_solid(origin + Vector2i(at % size.x, at / size.x)) != (cells[at] == 0))
		same(others, 0, name + ", cells that differ")
	map.cell_size = Vector2(10, 20)
	same(map.cell_to_position(Vector2i(-1, 2)), Vector2(-5, 50), "pixels by cell_size")
	map.free()


func grid_of(map: SurefootMap) -> AStarGrid2D:
	var grid := AStarGrid2D.new()
	grid.region = map.region()
	grid.diagonal_mode = map.diagonal_mode
	grid.update()
	var region := map.region()
	for y in region.size.y:
		for x in region.size.x:
			var cell := region.position + Vector2i(x, y)
			if map.is_solid(cell):
				grid.set_point_solid(cell)
	return grid


## The engine's own search has to find ways that cost the same, under each of its modes.
func rules() -> void:
	for mode in 4:
		var random := random_of(mode)
		var cells := Level.rooms(Vector2i(48, 40), 16, 7)
		for speck in 250:
			cells[random.randi_range(0, cells.size() - 1)] = 0
		var first := SurefootMap.new()
		first.diagonal_mode = mode
		same(first.fill_from_bytes(48, cells, Vector2i(-20, -9)), OK, "cells")
		var grid := grid_of(first)
		var map := SurefootMap.new()
		same(map.fill_from_astar(grid), OK, "a grid")
		same(map.diagonal_mode, mode, "the grid's mode")
		same(map.region(), grid.region, "the grid's region")
		same(map.cell_to_position(Vector2i(3, 4)), grid.get_point_position(Vector2i(3, 4)), "the grid's pixels")
		same(map.build(), OK, "built")
		check(map.is_exact(), "it is exact")
		var without_way := 0
		for query in 150:
			var from := free_cell(map, random)
			var to := free_cell(map, random)
			var path := grid.get_id_path(from, to)
			without_way += int(path.is_empty())
			check_path(map, from, to, INF if path.is_empty() else cost_of(path), "mode %d, %s to %s" % [mode, from, to])
		check(without_way < 100, "there are ways")
		var from := free_cell(map, random)
		var goals: Array[Vector2i] = []
		var costs: Array[float] = []
		for goal in 20:
			goals.append(free_cell(map, random))
			costs.append(map.cost(from, goals[-1]))
		same(map.nearest(from, goals), costs.find(costs.min()) if costs.min() < INF else -1, "the nearest")
		var points := map.find_point_path(from, goals[0])
		same(points.size(), map.find_path(from, goals[0]).size(), "points of a path")
		check(map.find_smooth_path(from, goals[0]).size() <= points.size(), "a smooth path has fewer points")
		map.free()
		first.free()


## Costs from a cell to all others by Dijkstra's algorithm, where a move costs its length times the mean of the
## weights of its two cells.
func dijkstra(map: SurefootMap, from: Vector2i) -> Dictionary:
	var costs := {from: 0.0}
	var open: Array[Vector2i] = [from]
	while not open.is_empty():
		var best := 0
		for at in open.size():
			if costs[open[at]] < costs[open[best]]:
				best = at
		var cell := open[best]
		open.remove_at(best)
		for y in [-1, 0, 1]:
			for x in [-1, 0, 1]:
				var to := cell + Vector2i(x, y)
				if to == cell or not is_legal(map, cell, to):
					continue
				var length := sqrt(2.0) if x != 0 and y != 0 else 1.0
				var cost: float = costs[cell] + length * (map.weight(cell) + map.weight(to)) / 2.0
				if cost < costs.get(to, INF) - 1e-9:
					costs[to] = cost
					if not open.has(to):
						open.append(to)
	return costs


func weights() -> void:
	var size := Vector2i(24, 20)
	var map := map_of(size, 4, Vector2i(-3, -3))
	same(map.build(), OK, "built")
	var random := random_of(4)
	var from := free_cell(map, random)
	var costs := dijkstra(map, from)
	for query in 60:
		var to := free_cell(map, random)
		check_path(map, from, to, costs.get(to, INF), "Dijkstra, %s to %s" % [from, to])
	same(map.set_cell_weight(from, 2), ERR_UNCONFIGURED, "a weight where there are none")
	var ground := PackedByteArray()
	for at in size.x * size.y:
		ground.append(random.randi_range(1, 9))
	same(map.set_weights(ground), OK, "weights")
	check(not map.is_built(), "weights make what was built void")
	same(map.build(), OK, "built with weights")
	same(map.set_cell_weight(from, 200), OK, "a weight")
	same(map.weight(from), 200, "the weight")
	costs = dijkstra(map, from)
	for query in 60:
		var to := free_cell(map, random)
		var cost := map.cost(from, to)
		var least: float = costs.get(to, INF)
		check(cost == least or (cost > least - 1e-6 and cost < 1.15 * least), "weights: %s, and %s is possible" % [cost, least])
	# Those of a grid, if they are whole.
	var grid := grid_of(map)
	grid.set_point_weight_scale(from, 7.0)
	same(map.fill_from_astar(grid), OK, "a grid with weights")
	same(map.weight(from), 7, "the grid's weight")
	grid.set_point_weight_scale(from, 1.5)
	same(map.fill_from_astar(grid), ERR_INVALID_PARAMETER, "half a weight")
	map.free()


## After every edit ways are those of the map as it is.
func edits() -> void:
	var map := map_of(Vector2i(40, 36), 6, Vector2i(-11, -40))
	same(map.build(), OK, "built")
	var grid := grid_of(map)
	var random := random_of(6)
	for round in 60:
		var cell := free_cell(map, random)
		var solid := true
		if round % 3 == 2:
			cell = map.region().position + Vector2i(random.randi_range(1, 38), random.randi_range(1, 34))
			solid = random.randi_range(0, 1) == 1
		same(map.set_cell_solid(cell, solid), OK, "an edit")
		grid.set_point_solid(cell, solid)
		var from := free_cell(map, random)
		var to := free_cell(map, random)
		var path := grid.get_id_path(from, to)
		check_path(map, from, to, INF if path.is_empty() else cost_of(path), "edited, %s to %s" % [from, to])
	var rect := Rect2i(Vector2i(0, -35), Vector2i(9, 1))
	same(map.fill_solid_region(rect), OK, "a wall")
	check(map.is_solid(Vector2i(8, -35)), "a wall is solid")
	same(map.fill_solid_region(rect, false), OK, "no wall")
	check(not map.is_solid(Vector2i(8, -35)), "no wall is free")
	same(map.fill_solid_region(Rect2i(20, -20, 50, 2)), ERR_INVALID_PARAMETER, "a wall that leaves the map")
	map.free()


func files() -> void:
	var map := map_of(Vector2i(60, 50), 8)
	same(map.build(), OK, "built")
	same(map.save_database("user://rooms.sfdb"), OK, "saved")
	var random := random_of(8)
	var from := free_cell(map, random)
	var to := free_cell(map, random)
	var other := map_of(Vector2i(60, 50), 8)
	same(other.open_database("user://rooms.sfdb"), OK, "opened")
	near(other.cost(from, to), map.cost(from, to), "what was opened")
	var third := map_of(Vector2i(60, 50), 9)
	same(third.open_database("user://rooms.sfdb"), ERR_FILE_CORRUPT, "a database of another map")
	check(not third.is_built() and third.last_error().contains("rooms.sfdb"), "it is named")
	same(third.open_database("user://none.sfdb"), ERR_FILE_NOT_FOUND, "no such file")
	same(third.fill_from_file("user://none.map"), ERR_FILE_NOT_FOUND, "no such map")
	same(third.fill_from_file("user://rooms.sfdb"), ERR_FILE_UNRECOGNIZED, "no map at all")
	same(map.save_database("user://no/such/folder.sfdb"), ERR_FILE_CANT_WRITE, "a folder that is not there")
	for node in [map, other, third]:
		node.free()


## Whatever is wrong is answered, and told in words.
func errors() -> void:
	print("-- errors that are meant to be")
	var map := SurefootMap.new()
	same(map.build(), ERR_UNCONFIGURED, "build without cells")
	check(map.last_error().contains("fill_from"), "it says what to do")
	same(map.build_in_background(), ERR_UNCONFIGURED, "the same in the background")
	same(map.wait_for_build(), ERR_UNCONFIGURED, "nothing to wait for")
	same(map.find_path(Vector2i.ZERO, Vector2i.ZERO).size(), 0, "a path without cells")
	same(map.save_database("user://x"), ERR_UNCONFIGURED, "nothing to save")
	same(map.fill_from_physics(null), ERR_INVALID_PARAMETER, "no layer")
	same(map.fill_from_astar(null), ERR_INVALID_PARAMETER, "no grid")
	same(map.fill_from_image(null), ERR_INVALID_PARAMETER, "no image")
	same(map.fill_from_bytes(0, PackedByteArray([1, 1])), ERR_INVALID_PARAMETER, "no columns")
	same(map.fill_from_bytes(3, PackedByteArray([1, 1])), ERR_INVALID_PARAMETER, "no whole row")
	same(map.fill_from_callable(Callable(), Rect2i(0, 0, 3, 3)), ERR_INVALID_PARAMETER, "no function")
	same(map.fill_from_callable(func(_cell: Vector2i) -> bool: return true, Rect2i()), ERR_INVALID_PARAMETER, "no region")
	var layer := TileMapLayer.new()
	same(map.fill_from_physics(layer), ERR_UNCONFIGURED, "a layer without tiles")
	layer.tile_set = Level.tile_set(8)
	same(map.fill_from_physics(layer), ERR_INVALID_PARAMETER, "an empty layer")
	same(map.fill_from_physics(layer, 3), ERR_DOES_NOT_EXIST, "no such physics layer")
	same(map.fill_from_terrain(layer, 0, 9), ERR_DOES_NOT_EXIST, "no such terrain")
	same(map.fill_from_custom_data(layer, "passable"), ERR_DOES_NOT_EXIST, "no such custom data")
	layer.free()
	var dirty := AStarGrid2D.new()
	dirty.region = Rect2i(0, 0, 4, 4)
	same(map.fill_from_astar(dirty), ERR_UNCONFIGURED, "a grid that was not updated")
	same(map.fill_from_bytes(3, PackedByteArray([1, 0, 1, 1, 1, 1]), Vector2i(-5, -5)), OK, "cells")
	var start := Vector2i(-5, -5)
	same(map.cost(start, start), INF, "not built")
	check(map.last_error().contains("build()"), "it says what to do")
	same(map.build(), OK, "built")
	same(map.cost(start, start), 0.0, "a cell to itself")
	same(map.cost(start, Vector2i(-2, -5)), INF, "a goal outside")
	same(map.last_error(), "goal (-2, -5) is outside the map; x is -5 to -3, y is -5 to -4", "its words")
	same(map.find_path(start, Vector2i(-4, -5), true), [start] as Array[Vector2i], "as near as it gets")
	same(map.find_path(start, Vector2i(-2, -5), true).size(), 0, "a goal outside is none, however near")
	same(map.find_path(Vector2i(-4, -5), start).size(), 0, "a solid start")
	same(map.last_error(), "start (-4, -5) is solid; take a free cell", "its words")
	same(map.set_cell_solid(Vector2i.ZERO), ERR_INVALID_PARAMETER, "an edit outside")
	same(map.set_cells_solid([start, Vector2i.ZERO] as Array[Vector2i]), ERR_INVALID_PARAMETER, "edits outside")
	check(not map.is_solid(start), "all or none")
	same(map.nearest(start, [] as Array[Vector2i]), -1, "none is nearest")

	var crowd := SurefootCrowd.new()
	crowd.is_automatic = false
	same(crowd.add(start), -1, "a crowd without a map")
	check(crowd.last_error().contains("map"), "it says what to do")
	crowd.map = map
	same(crowd.add(Vector2i.ZERO), -1, "a unit outside")
	same(crowd.add(Vector2i(-4, -5)), -1, "a unit on a wall")
	same(crowd.add_many([start, Vector2i.ZERO] as Array[Vector2i]).size(), 0, "units outside")
	same(crowd.count(), 0, "all or none")
	for id in [-1, 0, 5, 1 << 40, 1 << 60]:
		same(crowd.send(id, start), ERR_DOES_NOT_EXIST, "unit %d" % id)
		same(crowd.cell(id), Vector2i.MIN, "its cell")
		same(crowd.position(id), Vector2.INF, "its place")
		same(crowd.status(id), 0, "its status")
	var unit := crowd.add(start)
	same(crowd.send(unit, Vector2i(-4, -5)), ERR_INVALID_PARAMETER, "a goal on a wall")
	same(crowd.send(unit, Vector2i(7, 7)), ERR_INVALID_PARAMETER, "a goal outside")
	same(crowd.pursue(unit, unit), ERR_INVALID_PARAMETER, "itself")
	same(crowd.set_unit_speed(unit, -1.0), ERR_INVALID_PARAMETER, "backwards")
	same(crowd.set_unit_speed(unit, 1e9), ERR_INVALID_PARAMETER, "too fast")
	same(crowd.set_unit_priority(unit, 2), ERR_INVALID_PARAMETER, "no such priority")
	same(crowd.send_group(PackedInt64Array([unit, 77]), start), -1, "a group of nobody")
	same(crowd.load(PackedByteArray([1, 2, 3])), ERR_FILE_CORRUPT, "no crowd")
	same(crowd.draw_into(null), ERR_INVALID_PARAMETER, "no mesh")
	same(crowd.remove(unit), OK, "removed")
	same(crowd.remove(unit), ERR_DOES_NOT_EXIST, "removed twice")
	same(map.fill_from_bytes(2, PackedByteArray([1, 1])), OK, "another map")
	same(crowd.step(), ERR_UNCONFIGURED, "a map of the past")
	crowd.clear()
	check(crowd.add(Vector2i.ZERO) >= 0, "begun anew")
	crowd.clear()
	map.free()
	same(crowd.add(Vector2i.ZERO), -1, "a map that is gone")
	crowd.free()
	print("-- no more of them")


func crowd_on(map: SurefootMap) -> SurefootCrowd:
	var crowd := SurefootCrowd.new()
	crowd.map = map
	crowd.is_automatic = false
	crowd.speed = 0
	return crowd


func signals() -> void:
	var map := SurefootMap.new()
	# A corridor with a door in the middle.
	var cells := PackedByteArray()
	cells.resize(11)
	cells.fill(1)
	same(map.fill_from_bytes(11, cells, Vector2i(-5, 0)), OK, "a corridor")
	var crowd := crowd_on(map)
	var told := []
	crowd.arrived.connect(func(id: int) -> void: told.append(["arrived", id]))
	crowd.no_way.connect(func(id: int) -> void: told.append(["no way", id]))
	crowd.way_again.connect(func(id: int) -> void: told.append(["way again", id]))
	var unit := crowd.add(Vector2i(-5, 0))
	for step in 3:
		crowd.step()
	same(told, [], "who was not sent does not arrive")
	same(crowd.send(unit, Vector2i(5, 0)), OK, "sent")
	map.set_cell_solid(Vector2i(0, 0))
	for step in 20:
		crowd.step()
	same(told, [["no way", unit]], "the door is shut")
	same(crowd.status(unit), 3, "no way")
	map.set_cell_solid(Vector2i(0, 0), false)
	for step in 20:
		crowd.step()
	same(told, [["no way", unit], ["way again", unit], ["arrived", unit]], "and opened")
	same(crowd.cell(unit), Vector2i(5, 0), "it is there")
	# Whoever hears of an arrival may give orders, to the same crowd.
	var turns := [0]
	crowd.arrived.connect(func(id: int) -> void:
		if turns[0] < 3:
			turns[0] += 1
			crowd.send(id, Vector2i(-5 if turns[0] % 2 == 1 else 5, 0)))
	crowd.send(unit, Vector2i(4, 0))
	for step in 60:
		crowd.step()
	same(turns[0], 3, "to and fro")
	same(crowd.cell(unit), Vector2i(-5, 0), "at the left end")
	# Whoever pursues a unit that is removed hears of it.
	var lost := []
	crowd.lost.connect(func(id: int) -> void: lost.append(id))
	var hunter := crowd.add(Vector2i(5, 0))
	same(crowd.pursue(hunter, unit), OK, "pursued")
	crowd.step()
	crowd.remove(unit)
	for step in 3:
		crowd.step()
	same(lost, [hunter], "it has lost whom it pursued")
	crowd.free()
	map.free()


func orders() -> void:
	var map := map_of(Vector2i(40, 40), 3, Vector2i(-20, -20))
	var crowd := crowd_on(map)
	crowd.are_units_obstacles = true
	var groups := []
	crowd.settled.connect(func(group: int) -> void: groups.append(group))
	var random := random_of(1)
	var taken := {}
	while taken.size() < 60:
		taken[free_cell(map, random)] = true
	var units := crowd.add_many(Array(taken.keys(), TYPE_VECTOR2I, "", null))
	same(units.size(), 60, "added")
	same(crowd.add(taken.keys()[0]), -1, "a cell that is taken")
	var place := free_cell(map, random)
	var group := crowd.send_group(units, place)
	check(group >= 0, "a group")
	for step in 600:
		crowd.step()
	same(groups, [group], "it has settled")
	var cells := {}
	for unit in units:
		cells[crowd.cell(unit)] = true
	same(cells.size(), 60, "each on a cell of its own")
	# Stopped, placed, removed, and saved in the middle of it.
	var away := free_cell(map, random)
	crowd.send_near(units[0], away)
	crowd.step()
	same(crowd.stop(units[0]), OK, "stopped")
	same(crowd.goal(units[0]), crowd.cell(units[0]), "it stays")
	same(crowd.remove(units[1]), OK, "removed")
	same(crowd.ids().size(), 59, "one less")
	crowd.send_group(crowd.ids(), away)
	for step in 5:
		crowd.step()
	var saved := crowd.save()
	var other_map := map_of(Vector2i(40, 40), 3, Vector2i(-20, -20))
	var other := crowd_on(other_map)
	same(other.load(saved), OK, "loaded")
	for step in 50:
		crowd.step()
		other.step()
	same(other.checksum(), crowd.checksum(), "what was loaded goes on alike")
	same(other.positions(), crowd.positions(), "in the same places")
	# A wall on a unit.
	var stood := crowd.cell(units[5])
	map.set_cell_solid(stood)
	check(crowd.push_out().has(units[5]), "pushed out")
	check(crowd.cell(units[5]) != stood, "it stands elsewhere")
	var mesh := MultiMesh.new()
	same(crowd.draw_into(mesh), OK, "drawn")
	same(mesh.visible_instance_count, 59, "one instance a unit")
	for node in [crowd, other, map, other_map]:
		node.free()


func background() -> void:
	var map := map_of(Vector2i(200, 180), 12)
	root.add_child(map)
	var heard := []
	map.build_progress.connect(func(fraction: float, _stage: String) -> void: heard.append(fraction))
	map.built.connect(func() -> void: heard.append("built"))
	map.build_failed.connect(func(_why: String) -> void: heard.append("failed"))
	same(map.build_in_background(), OK, "begun")
	check(map.is_building() and not map.is_built(), "under way")
	var random := random_of(3)
	var wall := free_cell(map, random)
	same(map.set_cell_solid(wall), OK, "an edit meanwhile")
	while map.is_building():
		await process_frame
	same(heard[-1], "built", "the last word")
	check(heard.size() > 2, "progress was told")
	for fraction: Variant in heard.slice(0, -1):
		check(fraction is float and fraction >= 0.0 and fraction <= 1.0, "a fraction")
	var grid := grid_of(map)
	for query in 10:
		var from := free_cell(map, random)
		var to := free_cell(map, random)
		check_path(map, from, to, cost_of(grid.get_id_path(from, to)), "built in the background")
	heard.clear()
	same(map.build_in_background(), OK, "begun again")
	map.cancel_build()
	while map.is_building():
		await process_frame
	check(heard[-1] == "failed" or heard[-1] == "built", "cancelled, unless it was done")
	same(map.build_in_background(), OK, "begun a third time")
	same(map.wait_for_build(), OK, "waited for")
	map.build_in_background()
	# In the middle of a build.
	map.free()


## In the tree a crowd walks by itself, and is drawn between cells.
func ticks() -> void:
	var map := SurefootMap.new()
	var cells := PackedByteArray()
	cells.resize(40)
	cells.fill(1)
	map.fill_from_bytes(40, cells)
	map.cell_size = Vector2(10, 10)
	var crowd := SurefootCrowd.new()
	crowd.map = map
	crowd.speed = Engine.physics_ticks_per_second / 4.0
	root.add_child(map)
	root.add_child(crowd)
	var unit := crowd.add(Vector2i(0, 0))
	var arrivals := []
	crowd.arrived.connect(func(id: int) -> void: arrivals.append(id))
	crowd.send(unit, Vector2i(8, 0))
	var is_between := false
	var last := -INF
	for tick in 200:
		await physics_frame
		var x := crowd.position(unit).x
		check(x >= last - 1e-3 and x <= 85.001, "it goes one way")
		is_between = is_between or (x > 5.1 and absf(fposmod(x, 10.0) - 5.0) > 0.5)
		last = x
	check(is_between, "it is drawn between cells")
	same(arrivals, [unit], "it arrives once")
	near(crowd.position(unit).x, 85.0, "it is there")
	crowd.free()
	map.free()


## The scene that one sees: its 2,000 units arrive, also around a wall that was built on some of them.
func demo() -> void:
	var scene: Node2D = load("res://demo.tscn").instantiate()
	root.add_child(scene)
	await process_frame
	same(scene.crowd.count(), 2000, "units of the scene")
	for place in [scene.goal, Vector2i(-40, -20)]:
		scene.send(place)
		same(scene.goal, place, "the place is free")
		for step in 30:
			scene.crowd.step()
		var stood: Vector2i = scene.crowd.cell(scene.crowd.ids()[0])
		scene.set_wall(stood, true)
		check(scene.map.is_solid(stood) and scene.tiles.get_cell_atlas_coords(stood) == Level.WALL, "a wall")
		check(scene.crowd.cell(scene.crowd.ids()[0]) != stood, "nobody stands in it")
		var steps := 0
		while scene.arrived < 2000 and steps < 3000:
			scene.crowd.step()
			steps += 1
		same(scene.arrived, 2000, "all of the scene arrive")
		scene.set_wall(stood, false)
	await process_frame
	same(scene.units.multimesh.visible_instance_count, 2000, "all are drawn")
	scene.free()


## Walks 2,000 units to goals of their own while walls come and go. What came of it as one number.
func walk(is_parallel: bool) -> int:
	var size := Vector2i(128, 94)
	var map := SurefootMap.new()
	var layer := TileMapLayer.new()
	layer.tile_set = Level.tile_set(8)
	Level.paint(layer, Level.rooms(size, 16, 3), size.x, Vector2i(-64, -47))
	same(map.fill_from_custom_data(layer, "walkable"), OK, "the level")
	same(map.build(), OK, "built")
	var crowd := crowd_on(map)
	crowd.is_parallel = is_parallel
	crowd.budget = 100_000
	var random := random_of(2000)
	var goals := {}
	var is_goal := {}
	for unit in 2000:
		var id := crowd.add(free_cell(map, random))
		goals[id] = free_cell(map, random)
		while goals[id] == crowd.cell(id):
			goals[id] = free_cell(map, random)
		is_goal[goals[id]] = true
		crowd.send(id, goals[id])
	same(goals.size(), 2000, "2,000 units")
	var arrivals := {}
	crowd.arrived.connect(func(id: int) -> void: arrivals[id] = arrivals.get(id, 0) + 1)
	var stands := {}
	for id: int in goals:
		stands[id] = crowd.cell(id)
	var walls: Array[Vector2i] = []
	var spent := 0
	var steps := 0
	while arrivals.size() < 2000 and steps < 3000:
		if steps % 5 == 0 and steps < 300:
			# Somewhere nobody stands and nobody is to go.
			var cell := free_cell(map, random)
			if not is_goal.has(cell) and not stands.values().has(cell):
				map.set_cell_solid(cell)
				walls.append(cell)
			if walls.size() > 20:
				map.set_cell_solid(walls.pop_front(), false)
		if steps == 300:
			map.set_cells_solid(walls, false)
		var began := Time.get_ticks_usec()
		same(crowd.step(), OK, "a step")
		spent += Time.get_ticks_usec() - began
		steps += 1
		for id: int in goals:
			var cell := crowd.cell(id)
			if cell != stands[id]:
				if not is_legal(map, stands[id], cell):
					check(false, "unit %d from %s to %s" % [id, stands[id], cell])
				stands[id] = cell
	for step in 20:
		crowd.step()
	same(arrivals.size(), 2000, "all arrive")
	for id: int in goals:
		if arrivals.get(id, 0) != 1 or crowd.cell(id) != goals[id] or crowd.status(id) != 2:
			check(false, "unit %d: %d arrivals, at %s, goal %s" % [id, arrivals.get(id, 0), crowd.cell(id), goals[id]])
	print("2,000 units: %d arrived in %d steps, %d us a step, %s" \
			% [arrivals.size(), steps, spent / steps, "parallel" if is_parallel else "one thread"])
	var checksum := crowd.checksum()
	crowd.free()
	map.free()
	layer.free()
	return checksum


func crowd_of_2000() -> void:
	var first := walk(false)
	same(walk(false), first, "a second run")
	same(walk(true), first, "a run on all cores")


## The same questions to the engine's own grid: costs are equal, times are told. Of three times of each question the
## least counts, so that others on the machine matter little.
func compare() -> void:
	var map := map_of(Vector2i(512, 512), 21)
	var began := Time.get_ticks_usec()
	same(map.build(), OK, "built")
	var build := Time.get_ticks_usec() - began
	var grid := grid_of(map)
	var jumping := grid_of(map)
	jumping.jumping_enabled = true
	var random := random_of(512)
	var asked := {
		"AStarGrid2D.get_id_path": grid.get_id_path,
		"AStarGrid2D.get_id_path, jumping_enabled": jumping.get_id_path,
		"SurefootMap.find_path": map.find_path,
		"SurefootMap.cost": map.cost,
	}
	var spent := {}
	const QUESTIONS := 100
	for question in QUESTIONS:
		var from := free_cell(map, random)
		var to := free_cell(map, random)
		var expected := -1.0
		for name: String in asked:
			var least := 1 << 60
			var answer: Variant
			for again in 3:
				began = Time.get_ticks_usec()
				answer = asked[name].call(from, to)
				least = mini(least, Time.get_ticks_usec() - began)
			spent[name] = spent.get(name, 0) + least
			var cost: float = answer if answer is float else cost_of(answer) if not answer.is_empty() else INF
			expected = cost if expected < 0 else expected
			near(cost, expected, "%s, %s to %s" % [name, from, to])
	print("512 x 512 cells, %d questions; build() took %d ms" % [QUESTIONS, build / 1000])
	for name: String in spent:
		print("| `%s` | %d us |" % [name, spent[name] / QUESTIONS])
	map.free()
