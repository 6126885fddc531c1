## Levels of rooms, and tiles to draw them with.

const FLOOR := Vector2i(0, 0)
const WALL := Vector2i(1, 0)


## Rooms with doors and pillars, one byte a cell, row after row: 1 is free. The seed says which.
static func rooms(size: Vector2i, room: int, number: int) -> PackedByteArray:
	var random := RandomNumberGenerator.new()
	random.seed = number
	var cells := PackedByteArray()
	cells.resize(size.x * size.y)
	cells.fill(1)
	for y in size.y:
		for x in size.x:
			if x % room == 0 or y % room == 0 or x == size.x - 1 or y == size.y - 1:
				cells[y * size.x + x] = 0
	# A door of two cells in each wall between two rooms.
	for top in range(0, size.y - 1, room):
		for left in range(0, size.x - 1, room):
			var door := random.randi_range(2, room - 3)
			if left > 0:
				for y in [top + door, top + door + 1]:
					if y < size.y - 1:
						cells[y * size.x + left] = 1
			door = random.randi_range(2, room - 3)
			if top > 0:
				for x in [left + door, left + door + 1]:
					if x < size.x - 1:
						cells[top * size.x + x] = 1
			# Pillars that leave a way along all walls.
			for pillar in 3:
				var x := left + random.randi_range(3, room - 4)
				var y := top + random.randi_range(3, room - 4)
				if x < size.x - 2 and y < size.y - 2:
					cells[y * size.x + x] = 0
	return cells


## Two tiles: floor, whose custom data `walkable` is true, and wall, which has a collision shape.
static func tile_set(side: int) -> TileSet:
	var image := Image.create_empty(2 * side, side, false, Image.FORMAT_RGBA8)
	image.fill_rect(Rect2i(0, 0, side, side), Color(0.16, 0.18, 0.21))
	image.fill_rect(Rect2i(side, 0, side, side), Color(0.42, 0.45, 0.5))
	var atlas := TileSetAtlasSource.new()
	atlas.texture = ImageTexture.create_from_image(image)
	atlas.texture_region_size = Vector2i(side, side)
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(side, side)
	tiles.add_physics_layer()
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "walkable")
	tiles.set_custom_data_layer_type(0, TYPE_BOOL)
	tiles.add_terrain_set()
	tiles.add_terrain(0)
	tiles.add_source(atlas, 0)
	atlas.create_tile(FLOOR)
	atlas.create_tile(WALL)
	var ground := atlas.get_tile_data(FLOOR, 0)
	ground.set_custom_data("walkable", true)
	ground.terrain_set = 0
	ground.terrain = 0
	var wall := atlas.get_tile_data(WALL, 0)
	wall.add_collision_polygon(0)
	var half := side / 2.0
	var corners := [Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half)]
	wall.set_collision_polygon_points(0, 0, PackedVector2Array(corners))
	return tiles


## Paints a level into a layer. Its first cell is `origin`.
static func paint(layer: TileMapLayer, cells: PackedByteArray, width: int, origin: Vector2i) -> void:
	for at in cells.size():
		var cell := origin + Vector2i(at % width, at / width)
		layer.set_cell(cell, 0, FLOOR if cells[at] == 1 else WALL)
