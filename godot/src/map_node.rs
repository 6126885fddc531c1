//! `SurefootMap`: a map of a game, and ways through it.

use godot::classes::{FileAccess, ProjectSettings, TileMapLayer};
use godot::global::Error as Code;
use godot::prelude::*;
use surefoot::space::{CostModel, MoveRule};
use surefoot::{Cell, Map, Navigator, Path, PathCost};

use crate::build::{Build, News};
use crate::ground::Ground;
use crate::pixels::Pixels;
use crate::problem::Problem;
use crate::region::Region;

/// When a diagonal move is allowed. Names and numbers are those of `AStarGrid2D.DiagonalMode`.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum DiagonalMode {
    /// Always, even between two solid cells.
    Always = 0,
    /// Never: there are four directions.
    Never = 1,
    /// If one of the two cells beside it is free.
    AtLeastOneWalkable = 2,
    /// If both of them are free.
    #[default]
    OnlyIfNoObstacles = 3,
}

impl DiagonalMode {
    pub(crate) fn rule(self) -> MoveRule {
        match self {
            Self::Always => MoveRule::Squeeze,
            Self::Never => MoveRule::Cardinal,
            Self::AtLeastOneWalkable => MoveRule::OneFree,
            Self::OnlyIfNoObstacles => MoveRule::NoCut,
        }
    }
}

/// What a diagonal move costs.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum DiagonalCost {
    /// The square root of 2.
    #[default]
    SquareRootOfTwo = 0,
    /// 1.4.
    OnePointFour = 1,
}

impl DiagonalCost {
    fn costs(self) -> CostModel {
        match self {
            Self::SquareRootOfTwo => CostModel::Sqrt2,
            Self::OnePointFour => CostModel::Diagonal14,
        }
    }
}

/// A map of cells, and ways through it: fill it, build it once, and ask.
///
/// Cells are those of the layer or grid that the map was filled from, negative ones included. What goes wrong
/// is an error in the output, a code to test, and `last_error()`.
#[derive(GodotClass)]
#[class(init, base = Node)]
pub struct SurefootMap {
    /// When a diagonal move is allowed. It counts when the map is filled. `fill_from_astar` takes the grid's.
    #[export]
    #[init(val = DiagonalMode::OnlyIfNoObstacles)]
    pub(crate) diagonal_mode: DiagonalMode,
    /// What a diagonal move costs. It counts when the map is filled.
    #[export]
    #[init(val = DiagonalCost::SquareRootOfTwo)]
    diagonal_cost: DiagonalCost,
    /// How large a cell is drawn, in pixels, unless the map was filled from a layer or a grid, which know it.
    #[export]
    #[init(val = Vector2::new(16.0, 16.0))]
    pub(crate) cell_size: Vector2,
    pub(crate) ground: Option<Ground>,
    pub(crate) pixels: Option<Pixels>,
    build: Option<Build>,
    error: String,
    base: Base<Node>,
}

#[godot_api]
impl INode for SurefootMap {
    fn process(&mut self, _delta: f64) {
        self.hear(false);
    }
}

/// Filled, built, saved.
#[godot_api]
impl SurefootMap {
    /// A build in the background has done this part, 0 to 1, of the stage that it is in.
    #[signal]
    fn build_progress(fraction: f64, stage: GString);

    /// A build in the background is done. `find_path` and its like can be asked now.
    #[signal]
    fn built();

    /// A build in the background has failed, or was cancelled.
    #[signal]
    fn build_failed(message: GString);

    /// Computes what ways need, and returns when it is there: milliseconds on most maps, seconds on large
    /// ones.
    #[func]
    fn build(&mut self) -> Code {
        self.attempt(|map| {
            map.stop_build();
            let ground = map.ground()?;
            let built = ground.begin_build()?.navigator()?;
            ground.give(built);
            Ok(())
        })
    }

    /// The same on a thread. `build_progress`, `built` and `build_failed` tell of it while the node is in the
    /// tree. Cells may be edited meanwhile.
    #[func]
    fn build_in_background(&mut self) -> Code {
        self.attempt(|map| {
            map.stop_build();
            let copy = map.ground()?.begin_build()?;
            let build = Build::begin(copy);
            map.build = Some(build.map_err(|error| {
                Problem::new(Code::ERR_CANT_CREATE, format!("no thread for a build: {error}; call build()"))
            })?);
            Ok(())
        })
    }

    /// Waits until a build in the background is done.
    #[func]
    fn wait_for_build(&mut self) -> Code {
        match self.build.is_some() {
            true => self.hear(true),
            false => self.attempt(|map| map.ground()?.navigator().map(drop)),
        }
    }

    /// Cancels a build in the background.
    #[func]
    fn cancel_build(&mut self) {
        if let Some(build) = &self.build {
            build.cancel();
        }
    }

    /// Whether a build in the background is under way.
    #[func]
    fn is_building(&self) -> bool {
        self.build.is_some()
    }

    /// Whether ways can be asked for.
    #[func]
    fn is_built(&self) -> bool {
        self.ground.as_ref().is_some_and(Ground::is_built)
    }

    /// Whether the map has any cells yet.
    #[func]
    fn is_filled(&self) -> bool {
        self.ground.is_some()
    }

    /// Whether all paths are cheapest ones. That is so unless ground has weights or is very cluttered; then
    /// they seldom cost more than a few percent more.
    #[func]
    fn is_exact(&mut self) -> bool {
        self.ask(false, |ground| Ok(ground.navigator()?.is_exact()))
    }

    /// Saves what was built to a file, whole or not at all. The cells are not in it. Paths may begin with
    /// `user://`.
    #[func]
    fn save_database(&mut self, path: GString) -> Code {
        self.attempt(|map| {
            let file = ProjectSettings::singleton().globalize_path(&path).to_string();
            Ok(map.ground()?.navigator()?.save(file)?)
        })
    }

    /// Opens what `save_database` wrote for the same cells, in the place of a build. Paths may begin with
    /// `user://` or `res://`.
    #[func]
    fn open_database(&mut self, path: GString) -> Code {
        self.attempt(|map| {
            map.stop_build();
            let ground = map.ground()?;
            let bytes = read(&path)?;
            let copy = ground.begin_build()?;
            let opened = Navigator::from_bytes(&copy, &bytes)
                .map_err(|error| Problem::new(Code::ERR_FILE_CORRUPT, format!("{path}: {error}")))?;
            ground.give(opened);
            Ok(())
        })
    }

    /// What went wrong last, in words; empty if nothing did.
    #[func]
    fn last_error(&self) -> GString {
        GString::from(&self.error)
    }
}

/// Questions.
#[godot_api(secondary)]
impl SurefootMap {
    /// The cells of a way, both ends included; none if there is no way. With `allow_partial_path` it ends at
    /// the nearest cell that there is a way to.
    #[func]
    fn find_path(
        &mut self,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = false)] allow_partial_path: bool,
    ) -> Array<Vector2i> {
        self.ask(Array::new(), |ground| {
            let region = ground.region;
            let path = path(ground, from, to, allow_partial_path)?;
            Ok(path.iter().flat_map(Path::cells).map(|&cell| region.outer(cell)).collect())
        })
    }

    /// The same in pixels, from middle to middle of the cells.
    #[func]
    fn find_point_path(
        &mut self,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = false)] allow_partial_path: bool,
    ) -> PackedVector2Array {
        let pixels = self.pixels();
        self.ask(PackedVector2Array::new(), |ground| {
            let region = ground.region;
            let path = path(ground, from, to, allow_partial_path)?;
            Ok(path.iter().flat_map(Path::cells).map(|&cell| pixels.middle(region.outer(cell))).collect())
        })
    }

    /// A way in pixels at any angle: straight lines from corner to corner.
    #[func]
    fn find_smooth_path(
        &mut self,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = false)] allow_partial_path: bool,
    ) -> PackedVector2Array {
        let pixels = self.pixels();
        self.ask(PackedVector2Array::new(), |ground| {
            let region = ground.region;
            let path = path(ground, from, to, allow_partial_path)?;
            let Some(path) = path else { return Ok(PackedVector2Array::new()) };
            let smooth = ground.navigator()?.smooth(&path).map_err(surefoot::MapError::from)?;
            Ok(smooth.points().iter().map(|&cell| pixels.middle(region.outer(cell))).collect())
        })
    }

    /// What a way costs, in straight moves; `INF` if there is none, or something is wrong.
    #[func]
    fn cost(&mut self, from: Vector2i, to: Vector2i) -> f64 {
        self.ask(f64::INFINITY, |ground| {
            let (from, to) = ends(ground, from, to)?;
            let cost = ground.navigator()?.cost(from, to).map_err(surefoot::MapError::from)?;
            Ok(cost.map_or(f64::INFINITY, PathCost::to_f64))
        })
    }

    /// Whether there is a way. Nothing is searched for that.
    #[func]
    fn is_reachable(&mut self, from: Vector2i, to: Vector2i) -> bool {
        self.ask(false, |ground| {
            let (from, to) = ends(ground, from, to)?;
            Ok(ground.navigator()?.reachable(from, to).map_err(surefoot::MapError::from)?)
        })
    }

    /// Which of some cells is nearest by way: its place in the list; -1 if there is no way to any.
    #[func]
    fn nearest(&mut self, from: Vector2i, cells: Array<Vector2i>) -> i64 {
        self.ask(-1, |ground| {
            let from = ground.find_free("start", from)?;
            let goals = cells.iter_shared().map(|cell| ground.find_free("goal", cell));
            let goals = goals.collect::<Result<Vec<Cell>, Problem>>()?;
            let nearest = ground.navigator()?.nearest_of(from, goals).map_err(surefoot::MapError::from)?;
            Ok(nearest.map_or(-1, |(place, _)| place as i64))
        })
    }

    /// Whether nobody can walk on a cell. Cells outside the map are solid.
    #[func]
    fn is_solid(&self, cell: Vector2i) -> bool {
        let is_free = |ground: &Ground| ground.region.inner(cell).is_some_and(|cell| ground.is_free(cell));
        !self.ground.as_ref().is_some_and(is_free)
    }

    /// What ground costs in a cell: 1 unless the map has weights.
    #[func]
    fn weight(&self, cell: Vector2i) -> i64 {
        let weight = |ground: &Ground| Some(ground.weight(ground.region.inner(cell)?));
        self.ground.as_ref().and_then(weight).unwrap_or(1).into()
    }

    /// The cells that the map has.
    #[func]
    fn region(&self) -> Rect2i {
        self.ground.as_ref().map_or_else(Rect2i::default, |ground| ground.region.rect())
    }

    /// The middle of a cell in pixels: local coordinates of the layer.
    #[func]
    fn cell_to_position(&self, cell: Vector2i) -> Vector2 {
        self.pixels().middle(cell)
    }

    /// The cell at a place in pixels: local coordinates of the layer.
    #[func]
    fn position_to_cell(&self, position: Vector2) -> Vector2i {
        self.pixels().cell(position)
    }
}

/// Edits. Ways are right again with the next question, and crowds hear of it with their next step.
#[godot_api(secondary)]
impl SurefootMap {
    /// Makes a cell solid, or free.
    #[func]
    fn set_cell_solid(&mut self, cell: Vector2i, #[opt(default = true)] solid: bool) -> Code {
        self.attempt(|map| map.ground()?.set_solid([cell], solid))
    }

    /// Makes cells solid, or free: all of them, or none if one lies outside the map.
    #[func]
    fn set_cells_solid(&mut self, cells: Array<Vector2i>, #[opt(default = true)] solid: bool) -> Code {
        self.attempt(|map| map.ground()?.set_solid(cells.iter_shared(), solid))
    }

    /// Makes all cells of a rectangle solid, or free.
    #[func]
    fn fill_solid_region(&mut self, rect: Rect2i, #[opt(default = true)] solid: bool) -> Code {
        self.attempt(|map| {
            let ground = map.ground()?;
            let inside = Region::new(rect)?;
            let (first, last) =
                (inside.outer(Cell::new(0, 0)), Cell::new(inside.width - 1, inside.height - 1));
            ground.region.find("cell", first)?;
            ground.region.find("cell", inside.outer(last))?;
            let cells = (0..inside.height).flat_map(|y| (0..inside.width).map(move |x| Cell::new(x, y)));
            ground.set_solid(cells.map(|cell| inside.outer(cell)), solid)
        })
    }

    /// Says what ground costs, 1 to 255 for each cell of the region, row after row. Build the map after that,
    /// and make crowds after that.
    #[func]
    fn set_weights(&mut self, weights: PackedByteArray) -> Code {
        self.attempt(|map| {
            map.stop_build();
            map.ground()?.set_weights(weights.to_vec())
        })
    }

    /// Says what ground costs in a cell, 1 to 255. The map has to have weights.
    #[func]
    fn set_cell_weight(&mut self, cell: Vector2i, weight: i64) -> Code {
        self.attempt(|map| map.ground()?.set_weight(cell, weight))
    }
}

fn ends(ground: &Ground, from: Vector2i, to: Vector2i) -> Result<(Cell, Cell), Problem> {
    Ok((ground.find_free("start", from)?, ground.find_free("goal", to)?))
}

fn path(
    ground: &mut Ground,
    from: Vector2i,
    to: Vector2i,
    is_partial: bool,
) -> Result<Option<Path>, Problem> {
    let (from, to) = if is_partial {
        let from = ground.find_free("start", from)?;
        (from, ground.nearest_reachable(from, to)?)
    } else {
        ends(ground, from, to)?
    };
    Ok(ground.navigator()?.path(from, to).map_err(surefoot::MapError::from)?)
}

/// The bytes of a file of the project, of an export, or of the user.
pub(crate) fn read(path: &GString) -> Result<Vec<u8>, Problem> {
    if !FileAccess::file_exists(path) {
        let message = format!("{path}: no such file; paths begin with res://, user:// or /");
        return Err(Problem::new(Code::ERR_FILE_NOT_FOUND, message));
    }
    let bytes = FileAccess::get_file_as_bytes(path);
    match FileAccess::get_open_error() {
        Code::OK => Ok(bytes.to_vec()),
        code => Err(Problem::new(code, format!("{path}: it cannot be read"))),
    }
}

impl SurefootMap {
    pub(crate) fn ground(&mut self) -> Result<&mut Ground, Problem> {
        self.ground
            .as_mut()
            .ok_or_else(|| Problem::early("the map has no cells; call one of fill_from_... first"))
    }

    /// Takes other cells. What was built is void, and crowds are on a map of the past.
    pub(crate) fn fill(&mut self, region: Region, map: Map, pixels: Option<Pixels>) {
        self.stop_build();
        if let Some(ground) = &self.ground {
            ground.end();
        }
        let map = map.with_rule(self.diagonal_mode.rule()).with_costs(self.diagonal_cost.costs());
        self.ground = Some(Ground::new(region, map));
        self.pixels = pixels;
    }

    pub(crate) fn pixels(&self) -> Pixels {
        self.pixels.unwrap_or_else(|| Pixels::of_squares(self.cell_size))
    }

    /// How a layer places its cells.
    pub(crate) fn pixels_of(layer: &Gd<TileMapLayer>) -> Pixels {
        Pixels::new(|cell| layer.map_to_local(cell))
    }

    /// Does something that may fail. What went wrong is told.
    pub(crate) fn attempt(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Code {
        match act(self) {
            Ok(()) => Code::OK,
            Err(problem) => self.tell(problem),
        }
    }

    /// Answers a question; with `otherwise` if something is wrong, which is told.
    fn ask<T>(&mut self, otherwise: T, question: impl FnOnce(&mut Ground) -> Result<T, Problem>) -> T {
        match self.ground().and_then(question) {
            Ok(answer) => answer,
            Err(problem) => {
                self.tell(problem);
                otherwise
            }
        }
    }

    fn tell(&mut self, problem: Problem) -> Code {
        godot::global::push_error(&[format!("SurefootMap: {}", problem.message).to_variant()]);
        self.error = problem.message;
        problem.code
    }

    /// A build that nobody waits for any more.
    fn stop_build(&mut self) {
        self.build = None;
    }

    /// Hears how far a build in the background is; until it ends, if `waits`.
    fn hear(&mut self, waits: bool) -> Code {
        loop {
            let Some(build) = &self.build else { return Code::OK };
            match build.news(waits) {
                None => return Code::OK,
                Some(News::Progress(fraction, stage)) => {
                    self.signals().build_progress().emit(fraction, &GString::from(&stage));
                }
                Some(News::Done(built)) => {
                    self.build = None;
                    return self.take(built);
                }
            }
        }
    }

    fn take(&mut self, built: Result<Navigator, Problem>) -> Code {
        let code = self.attempt(|map| {
            map.ground()?.give(built?);
            Ok(())
        });
        match code {
            Code::OK => self.signals().built().emit(),
            _ => {
                let message = self.last_error();
                self.signals().build_failed().emit(&message);
            }
        }
        code
    }
}
