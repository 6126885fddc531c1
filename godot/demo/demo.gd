## 2,000 units in a level of rooms. A left click sends them, the right button builds walls, the middle one takes
## them away.
extends Node2D

const Level := preload("res://level.gd")
const SIZE := Vector2i(128, 94)
const ORIGIN := Vector2i(-64, -47)
const SIDE := 8

var arrived := 0
var goal := Vector2i(40, 20)
@onready var tiles: TileMapLayer = $Tiles
@onready var map: SurefootMap = $Map
@onready var crowd: SurefootCrowd = $Crowd
@onready var units: MultiMeshInstance2D = $Units


func _ready() -> void:
	tiles.tile_set = Level.tile_set(SIDE)
	Level.paint(tiles, Level.rooms(SIZE, 16, 3), SIZE.x, ORIGIN)
	map.fill_from_custom_data(tiles, "walkable")
	map.build()
	var quad := QuadMesh.new()
	quad.size = Vector2(SIDE - 3, SIDE - 3)
	units.multimesh = MultiMesh.new()
	units.multimesh.mesh = quad
	units.modulate = Color(1.0, 0.75, 0.3)
	crowd.arrived.connect(func(_id: int) -> void: arrived += 1)
	var random := RandomNumberGenerator.new()
	random.seed = 1
	while crowd.count() < 2000:
		var at := Vector2i(random.randi_range(0, SIZE.x - 1), random.randi_range(0, SIZE.y - 1))
		if not map.is_solid(ORIGIN + at):
			crowd.add(ORIGIN + at)
	send(goal)


func send(cell: Vector2i) -> void:
	if not map.is_solid(cell):
		goal = cell
		arrived = 0
		crowd.send_group(crowd.ids(), cell)


func set_wall(cell: Vector2i, solid: bool) -> void:
	if map.region().grow(-1).has_point(cell) and map.is_solid(cell) != solid:
		map.set_cell_solid(cell, solid)
		tiles.set_cell(cell, 0, Level.WALL if solid else Level.FLOOR)
		if solid:
			crowd.push_out()


func _unhandled_input(event: InputEvent) -> void:
	if not event is InputEventMouse:
		return
	var cell := map.position_to_cell(tiles.get_local_mouse_position())
	if event is InputEventMouseButton and event.pressed and event.button_index == MOUSE_BUTTON_LEFT:
		send(cell)
	elif event.button_mask & MOUSE_BUTTON_MASK_RIGHT:
		set_wall(cell, true)
	elif event.button_mask & MOUSE_BUTTON_MASK_MIDDLE:
		set_wall(cell, false)


func _process(_delta: float) -> void:
	crowd.draw_into(units.multimesh)
	var work: int = crowd.report().get("work", 0)
	$Panel/Text.text = "%d units, %d arrived, %d of work in the last tick    left: send    right: wall    middle: no wall" \
			% [crowd.count(), arrived, work]
