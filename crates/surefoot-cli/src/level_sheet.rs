//! A sheet that shows how PRA* found its way: a panel for each level, from the coarse one that it began on
//! down to the map.

use std::sync::Arc;

use surefoot::space::{Cell, GridSpace, State, TerrainMap};
use surefoot::store::{Database, shared_as};
use surefoot_classics::abstraction::{Abstraction, colours_of_level};
use surefoot_classics::pra::{self, LevelPlan, PraStar};
use surefoot_draw::{Colour, Picture, Sheet};

use crate::algorithm::Algorithm;
use crate::failure::Failure;
use crate::table::{counted, thousands};

/// The longer side of a panel in pixels, at most.
const SIDE: u32 = 640;

/// The fewest pixels across a region for it to be told from the next. A path needs twice as many between two
/// nodes.
const SEEN: u64 = 4;

const PATH: Colour = Colour::of_path(0);
const NODES: Colour = Colour { red: 0x7A, green: 0x2E, blue: 0x00 };
/// What is not planned in detail yet.
const LATER: Colour = Colour { red: 0x8C, green: 0x86, blue: 0x80 };

/// How far a search got with a node.
#[derive(Clone, Copy, Debug)]
enum Reach {
    Outside,
    Allowed,
    Expanded,
}

impl Reach {
    const ALL: [Self; 3] = [Self::Outside, Self::Allowed, Self::Expanded];

    /// Warm grey, blue, and a deeper blue, each a little darker for each number of the colouring.
    fn colour(self, shade: u8) -> Colour {
        let (red, green, blue) = match self {
            Self::Outside => (0xF6, 0xF3, 0xEC),
            Self::Allowed => (0xC9, 0xE2, 0xF5),
            Self::Expanded => (0x86, 0xBE, 0xE8),
        };
        let darker = |part: u8| part - 7 * shade.min(5);
        Colour { red: darker(red), green: darker(green), blue: darker(blue) }
    }
}

/// Whether an algorithm plans level by level.
pub(crate) fn has_levels(algorithm: &Algorithm) -> bool {
    [pra::PRA.name, pra::SLICED.name].contains(&algorithm.spec().name())
}

/// What an algorithm plans on each level for its first moves.
pub(crate) struct LevelPlans {
    abstraction: Arc<Abstraction>,
    start: State,
    goal: State,
    /// From the coarsest level down.
    plans: Vec<LevelPlan>,
}

impl LevelPlans {
    /// Plans from a start to a goal.
    pub(crate) fn new(
        algorithm: &Algorithm,
        database: &Arc<dyn Database>,
        space: &GridSpace,
        (start, goal): (State, State),
    ) -> Result<Self, Failure> {
        let Some(abstraction) = shared_as::<Abstraction>(database) else {
            return Err(Failure::Other(format!("{} has no levels", database.config())));
        };
        let spec = algorithm.spec();
        let search = match spec.value("corridor") {
            Some("narrow") => PraStar::narrow(Arc::clone(&abstraction)),
            _ => PraStar::new(Arc::clone(&abstraction)),
        };
        // What is no number is "none": the spec was checked.
        let kept = spec.value("k").and_then(|kept| kept.parse().ok());
        let plans = search.plan_levels(space, start, goal, kept)?;
        Ok(Self { abstraction, start, goal, plans })
    }

    /// Whether there is no way, and so nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    /// Draws a panel for each level. `walk` is the whole way, of which the first plan may be a part only.
    pub(crate) fn draw<'a>(&self, map: &'a TerrainMap, space: &GridSpace, walk: &[Cell]) -> Sheet<'a> {
        let abstraction = &self.abstraction;
        let mut sheet = Sheet::new();
        for (at, plan) in self.plans.iter().enumerate() {
            let picture = Picture::new(map).with_longer_side(SIDE).with_bold_lines();
            // The pixels across a region, about.
            let across = (u64::from(picture.size().0) << plan.level.min(30)) / u64::from(map.width());
            let picture = with_reach(picture, space, abstraction, plan, across >= SEEN);
            let picture = with_path(picture, space, abstraction, plan, walk, across >= 2 * SEEN)
                .with_start(space.cell(self.start))
                .with_goal(space.cell(self.goal));
            let (title, caption) = words(abstraction, plan, at == 0);
            sheet = sheet.with_panel(title, caption, picture);
        }
        sheet
    }
}

/// Draws the path that was planned, and after it, in grey, what was cut off; on the map, the rest of the
/// walk.
fn with_path<'a>(
    mut picture: Picture<'a>,
    space: &GridSpace,
    abstraction: &Abstraction,
    plan: &LevelPlan,
    walk: &[Cell],
    with_nodes: bool,
) -> Picture<'a> {
    if plan.level == 0 {
        let path = plan.path[..plan.kept].iter().map(|&state| space.cell(State(state)));
        picture = picture.with_path(walk.iter().copied(), LATER).with_path(path, PATH);
    } else {
        let places: Vec<(f64, f64)> =
            plan.path.iter().filter_map(|&node| abstraction.position(plan.level, node)).collect();
        let (kept, cut) = places.split_at(plan.kept.min(places.len()));
        picture = picture.with_line(places.iter().copied(), LATER).with_line(kept.iter().copied(), PATH);
        if with_nodes {
            picture =
                picture.with_spots_at(cut.iter().copied(), LATER).with_spots_at(kept.iter().copied(), NODES);
        }
    }
    picture
}

/// Paints what the search might enter and what it expanded, region by region if these can be told apart.
fn with_reach<'a>(
    mut picture: Picture<'a>,
    space: &GridSpace,
    abstraction: &Abstraction,
    plan: &LevelPlan,
    with_regions: bool,
) -> Picture<'a> {
    let mut reach = vec![Reach::Outside; abstraction.node_count(plan.level)];
    for &node in plan.corridor.iter().flatten() {
        reach[node as usize] = Reach::Allowed;
    }
    for &node in &plan.expanded {
        reach[node as usize] = Reach::Expanded;
    }
    let shades =
        if plan.level > 0 && with_regions { colours_of_level(abstraction, plan.level) } else { Vec::new() };
    let count = shades.iter().max().map_or(1, |&most| usize::from(most) + 1);
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); Reach::ALL.len() * count];
    for cell in space.grid().free_cells() {
        let node = space.state_at(cell).and_then(|state| abstraction.ancestor(state, plan.level));
        let (reach, shade) = node.map_or((Reach::Outside, 0), |node| {
            (reach[node as usize], shades.get(node as usize).copied().unwrap_or(0))
        });
        cells[reach as usize * count + usize::from(shade)].push(cell);
    }
    for (at, cells) in cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
        picture = picture.with_cells(cells, Reach::ALL[at / count].colour((at % count) as u8));
    }
    picture
}

/// What a panel says: its title and its caption.
fn words(abstraction: &Abstraction, plan: &LevelPlan, is_first: bool) -> (String, String) {
    let number = |count: usize| thousands(count as u64);
    let (what, nodes, map) = match plan.level {
        0 => ("state", abstraction.ground_states(), " (the map)"),
        level => ("node", abstraction.node_count(level) as u64, ""),
    };
    let path = counted(plan.path.len() as u64, what);
    let cut = match plan.kept < plan.path.len() {
        true => format!(", {} kept", number(plan.kept)),
        false => String::new(),
    };
    let title = format!("level {}{map}: path of {path}{cut}", plan.level);
    let (expanded, all) = (number(plan.expanded.len()), counted(nodes, what));
    let caption = match &plan.corridor {
        Some(corridor) => {
            let allowed = number(corridor.len());
            format!("corridor: {allowed} of {}, {expanded} expanded", thousands(nodes))
        }
        None if is_first => format!("{all}, {expanded} expanded"),
        None => format!("the corridor is blocked: {expanded} of {all} expanded without it"),
    };
    (title, caption)
}
