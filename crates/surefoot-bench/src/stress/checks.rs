//! What must hold after every step. Each check says what it saw if it fails; none of them trusts what the
//! library keeps up to date by itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;

use surefoot::agent::{Memory, Step};
use surefoot::crowd::{FrameReport, Move, UnitId};
use surefoot::search::Work;
use surefoot::space::{Cell, Cost, Grid, GridSpace, State, StateSpace};

use super::face;

/// What a check says: `Ok` if it holds, else what was seen.
pub type Checked = Result<(), String>;

/// One move leads from one state to the other. What it costs.
///
/// # Errors
/// If none does.
pub fn legal_move(space: &impl StateSpace, from: State, to: State) -> Result<Cost, String> {
    let mut cost: Option<Cost> = None;
    space.for_each_successor(from, |next, step| {
        if next == to {
            cost = Some(cost.map_or(step, |known| known.min(step)));
        }
    });
    cost.ok_or_else(|| {
        format!("no move leads there [from {} to {}]", space.describe(from), space.describe(to))
    })
}

/// No more work was charged than the bound allows.
///
/// # Errors
/// If more was.
pub fn within_bound(spent: &Work, bound: Option<&Work>) -> Checked {
    match bound {
        Some(bound) if !spent.is_within(bound) => {
            Err(format!("took more than was stated [{spent}, and at most {bound}]"))
        }
        _ => Ok(()),
    }
}

/// Whether there is a way, by a search that knows nothing but moves.
#[must_use]
pub fn is_open(space: &impl StateSpace, from: State, to: State) -> bool {
    if !space.contains(from) || !space.contains(to) {
        return false;
    }
    let mut seen = vec![false; space.state_limit()];
    seen[from.index()] = true;
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        if state == to {
            return true;
        }
        space.for_each_successor(state, |next, _| {
            if !std::mem::replace(&mut seen[next.index()], true) {
                pending.push(next);
            }
        });
    }
    false
}

/// An agent that says it is done is right: it stands on its goal, or there is no way.
///
/// # Errors
/// If it is wrong.
pub fn rightly_over(step: Step, is_there: bool, is_open: bool, is_complete: bool) -> Checked {
    match step {
        Step::Arrived if !is_there => Err("says that it arrived, and stands elsewhere".into()),
        Step::Unreachable if is_open || is_there => Err("says that there is no way, and there is one".into()),
        Step::Stuck if is_complete => Err("does not know how to go on, and should".into()),
        _ => Ok(()),
    }
}

/// A walk from one place to another cost no less than a cheapest one, and no more if that is promised.
///
/// # Errors
/// If it did.
pub fn cost_of_walk(walked: Cost, cheapest: Option<Cost>, is_optimal: bool) -> Checked {
    match cheapest {
        None => Err(format!("walked {walked} to where no path leads")),
        Some(least) if walked < least => Err(format!("walked {walked}, and a cheapest path costs {least}")),
        Some(least) if is_optimal && walked > least => {
            Err(format!("walked {walked} and says that it walks cheapest paths, which cost {least}"))
        }
        Some(_) => Ok(()),
    }
}

/// Two that are to be the same are; `what` names them.
///
/// # Errors
/// If they are not.
pub fn same<T: PartialEq + Debug>(what: &str, this: &T, other: &T) -> Checked {
    if this == other {
        Ok(())
    } else {
        Err(format!("another {what} [{this:?}, and the other has {other:?}]"))
    }
}

/// What can be seen of a step of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it did.
    pub step: Step,
    /// What that took.
    pub work: Work,
    /// Where it stands now.
    pub position: State,
    /// The states that it holds.
    pub memory: Memory,
    /// Where it means to go next.
    pub plan: Vec<State>,
    /// How often its database had nothing to offer.
    pub fallbacks: u64,
}

/// An agent and its restored twin did the same, at the same price.
///
/// # Errors
/// If they did not.
pub fn same_step(this: &Seen, twin: &Seen) -> Checked {
    same("step", &this.step, &twin.step)?;
    same("work", &this.work.total(), &twin.work.total())?;
    same("place", &this.position, &twin.position)?;
    same("memory", &this.memory, &twin.memory)?;
    same("fallbacks", &this.fallbacks, &twin.fallbacks)?;
    if this != twin {
        return Err("they did the same, but plan to do something else, or took other work".into());
    }
    Ok(())
}

/// The reports of a frame of two crowds that are to be the same are.
///
/// # Errors
/// If they are not.
pub fn same_report(this: &FrameReport, other: &FrameReport) -> Checked {
    same("moves", &this.moves.len(), &other.moves.len())?;
    if let Some((a, b)) = this.moves.iter().zip(&other.moves).find(|(a, b)| a != b) {
        return Err(format!("another move [{a:?}, and the other has {b:?}]"));
    }
    same("arrived", &this.arrived, &other.arrived)?;
    same("unreachable", &this.unreachable, &other.unreachable)?;
    same("reachable", &this.reachable, &other.reachable)?;
    same("blocked", &this.blocked, &other.blocked)?;
    same("lost", &this.lost, &other.lost)?;
    same("work", &(this.work, this.upkeep), &(other.work, other.upkeep))?;
    same("wait bound", &this.wait_bound, &other.wait_bound)?;
    if this != other {
        return Err("reports that differ in what they count".into());
    }
    Ok(())
}

/// The moves of a frame are those that units made. Each unit made one at most, from where it stood to a cell
/// next to it. Who made none stayed.
///
/// # Errors
/// If they are not.
pub fn moves_of_frame(
    before: &BTreeMap<UnitId, Cell>,
    after: &BTreeMap<UnitId, Cell>,
    moves: &[Move],
) -> Checked {
    let mut moved = BTreeSet::new();
    for &Move { unit, from, to } in moves {
        let (stood, stands) = (before.get(&unit), after.get(&unit));
        if !moved.insert(unit) {
            return Err(format!("unit {unit} made two moves in a frame"));
        }
        if stood != Some(&from) || stands != Some(&to) {
            return Err(format!(
                "a move is not what it did [the report says {unit} went {from} to {to}, but it stood on {stood:?} and stands on {stands:?}]"
            ));
        }
        if from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) != 1 {
            return Err(format!("unit {unit} jumped from {from} to {to}"));
        }
    }
    for (unit, stands) in after {
        if !moved.contains(unit) && before.get(unit) != Some(stands) {
            let stood = before.get(unit);
            return Err(format!(
                "a unit moved without a move in the report [{unit} from {stood:?} to {stands}]"
            ));
        }
    }
    Ok(())
}

/// A space that was edited is as one that was made anew from its cells.
///
/// # Errors
/// If it is not.
pub fn same_space(edited: &GridSpace, fresh: &GridSpace) -> Checked {
    let (ours, theirs) = (edited.grid(), fresh.grid());
    if ours != theirs {
        return Err("other cells are free than there should be".into());
    }
    let mut names: BTreeMap<(Option<u32>, Option<u32>), ()> = BTreeMap::new();
    for cell in ours.free_cells() {
        let state = face::state(edited, cell);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        edited.for_each_successor(state, |next, cost| a.push((next, cost)));
        fresh.for_each_successor(state, |next, cost| b.push((next, cost)));
        if a != b {
            return Err(format!("other moves than there should be [from {cell}: {a:?}, not {b:?}]"));
        }
        names.insert((edited.components().of(cell), fresh.components().of(cell)), ());
    }
    let one: BTreeSet<_> = names.keys().map(|pair| pair.0).collect();
    let other: BTreeSet<_> = names.keys().map(|pair| pair.1).collect();
    let counts = (edited.components().count(), fresh.components().count());
    if one.len() != names.len() || other.len() != names.len() || counts.0 != counts.1 {
        return Err(format!("{} components are known, and there are {}", counts.0, counts.1));
    }
    Ok(())
}

/// Nobody waits longer than a frame stated while he waited.
///
/// What was stated holds as long as nobody gets a goal and nothing is edited. Whoever changes that calls
/// [`Waits::begin_anew`].
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// What each of the last frames stated, the last one at the back.
    stated: VecDeque<Option<u64>>,
}

/// The longest wait that is looked at.
const MOST_FRAMES: usize = 70_000;

impl Waits {
    /// Forgets what was stated.
    pub fn begin_anew(&mut self) {
        self.stated.clear();
    }

    /// A frame in which somebody waited for so long, and which states a bound.
    ///
    /// # Errors
    /// If an earlier frame, in which he waited already, stated less.
    pub fn frame(&mut self, longest: u32, bound: Option<u64>) -> Checked {
        // Who has waited for n frames did so in the n - 1 before this one at least.
        let since = (longest as usize).saturating_sub(1).min(self.stated.len());
        let least = self.stated.iter().rev().take(since).flatten().min();
        let result = match least {
            Some(&least) if u64::from(longest) > least => {
                Err(format!("somebody has waited for {longest} frames, and {least} were stated"))
            }
            _ => Ok(()),
        };
        self.stated.push_back(bound);
        if self.stated.len() > MOST_FRAMES {
            self.stated.pop_front();
        }
        result
    }
}

/// No two units, each a square of so many cells a side, stand on one cell of the map.
pub fn nobody_shares_a_cell(map: &Grid, units: impl Iterator<Item = (UnitId, Cell, u32)>) -> Checked {
    let mut taken = vec![false; map.cell_count()];
    for (unit, at, size) in units {
        for cell in (at.y..at.y + size).flat_map(|y| (at.x..at.x + size).map(move |x| Cell::new(x, y))) {
            let place = cell.y as usize * map.width() as usize + cell.x as usize;
            if std::mem::replace(&mut taken[place], true) {
                return Err(format!("unit {unit} and another one both stand on {cell}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{CostModel, MoveRule};

    fn space(art: &str) -> GridSpace {
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Diagonal14)
    }

    fn unit(number: u64) -> UnitId {
        UnitId::from_number(number)
    }

    #[test]
    fn illegal_moves_are_seen() {
        let space = space("...\n.#.");
        assert_eq!(legal_move(&space, State(0), State(1)), Ok(space.costs().of_steps(1, 0)));
        for (from, to) in [(0, 2), (0, 4), (1, 4), (1, 3), (0, 0), (4, 1)] {
            assert!(legal_move(&space, State(from), State(to)).is_err(), "{from} to {to}");
        }
    }

    #[test]
    fn a_bound_that_is_overdrawn_is_seen() {
        let (spent, bound) = (Work::of_expansions(10), Work::of_expansions(9));
        assert!(within_bound(&spent, Some(&bound)).is_err());
        assert_eq!(within_bound(&bound, Some(&bound)), Ok(()));
        assert_eq!(within_bound(&spent, None), Ok(()));
    }

    #[test]
    fn a_way_is_found_by_moves_alone() {
        let space = space("..#.\n...#");
        assert!(is_open(&space, State(0), State(6)));
        assert!(!is_open(&space, State(0), State(3)) && !is_open(&space, State(0), State(2)));
        assert!(!is_open(&space, State(2), State(0)), "a blocked cell leads nowhere");
    }

    #[test]
    fn wrong_answers_are_seen() {
        assert!(rightly_over(Step::Arrived, false, true, true).is_err());
        assert!(rightly_over(Step::Unreachable, false, true, true).is_err());
        assert!(rightly_over(Step::Stuck, false, true, true).is_err());
        for (step, is_there, is_open, is_complete) in [
            (Step::Arrived, true, true, true),
            (Step::Unreachable, false, false, true),
            (Step::Stuck, false, true, false),
        ] {
            assert_eq!(rightly_over(step, is_there, is_open, is_complete), Ok(()));
        }
        assert!(cost_of_walk(9, Some(10), false).is_err() && cost_of_walk(11, Some(10), true).is_err());
        assert!(cost_of_walk(0, None, false).is_err());
        assert_eq!((cost_of_walk(10, Some(10), true), cost_of_walk(11, Some(10), false)), (Ok(()), Ok(())));
    }

    #[test]
    fn a_twin_that_goes_elsewhere_is_seen() {
        let this = Seen {
            step: Step::Moved(State(3)),
            work: Work::of_expansions(4),
            position: State(3),
            memory: Memory::default(),
            plan: vec![State(4)],
            fallbacks: 0,
        };
        assert_eq!(same_step(&this, &this.clone()), Ok(()));
        for other in [
            Seen { step: Step::Waiting, ..this.clone() },
            Seen { work: Work::of_expansions(5), ..this.clone() },
            Seen { position: State(2), ..this.clone() },
            Seen { memory: Memory { learned: 1, ..Memory::default() }, ..this.clone() },
            Seen { plan: vec![], ..this.clone() },
            Seen { fallbacks: 1, ..this.clone() },
        ] {
            assert!(same_step(&this, &other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn a_crowd_that_goes_another_way_is_seen() {
        let report = |work, waiting| {
            let mut report = FrameReport::default();
            (report.work, report.waiting) = (work, waiting);
            report
        };
        assert_eq!(same_report(&report(1, 2), &report(1, 2)), Ok(()));
        assert!(same_report(&report(1, 2), &report(2, 2)).is_err());
        assert!(same_report(&report(1, 2), &report(1, 3)).is_err());
        let mut other = report(1, 2);
        other.arrived.push(unit(1));
        assert!(same_report(&report(1, 2), &other).is_err());
    }

    #[test]
    fn jumps_and_moves_that_were_not_told_are_seen() {
        let at = |cells: &[(u64, u32)]| {
            cells.iter().map(|&(number, x)| (unit(number), Cell::new(x, 0))).collect::<BTreeMap<_, _>>()
        };
        let made =
            |number, from, to| Move { unit: unit(number), from: Cell::new(from, 0), to: Cell::new(to, 0) };
        let before = at(&[(1, 0), (2, 5)]);
        assert_eq!(moves_of_frame(&before, &at(&[(1, 1), (2, 5)]), &[made(1, 0, 1)]), Ok(()));
        for (after, moves) in [
            (at(&[(1, 1), (2, 5)]), vec![]),
            (at(&[(1, 2), (2, 5)]), vec![made(1, 0, 2)]),
            (at(&[(1, 2), (2, 5)]), vec![made(1, 1, 2)]),
            (at(&[(1, 1), (2, 5)]), vec![made(1, 0, 1), made(1, 0, 1)]),
            (at(&[(1, 0), (2, 5)]), vec![made(1, 0, 1)]),
            (at(&[(1, 0), (2, 5)]), vec![made(1, 0, 0)]),
            (at(&[(1, 0), (2, 5)]), vec![made(3, 0, 1)]),
        ] {
            assert!(moves_of_frame(&before, &after, &moves).is_err(), "{moves:?}");
        }
    }

    #[test]
    fn a_space_that_an_edit_left_behind_is_seen() {
        let mut edited = space("...\n.#.\n...");
        edited.set(Cell::new(1, 1), true);
        assert_eq!(same_space(&edited, &space("...\n...\n...")), Ok(()));
        assert!(same_space(&edited, &space("...\n.#.\n...")).is_err());
        let other = GridSpace::new(edited.grid().clone(), MoveRule::Cardinal, CostModel::Diagonal14);
        assert!(same_space(&edited, &other).is_err());
    }

    #[test]
    fn a_wait_beyond_what_was_stated_is_seen() {
        let mut waits = Waits::default();
        for longest in 1..=3 {
            assert_eq!(waits.frame(longest, Some(3)), Ok(()));
        }
        assert!(waits.frame(4, Some(9)).is_err());
        // Who began to wait later was told later.
        let mut waits = Waits::default();
        assert_eq!(waits.frame(1, Some(2)), Ok(()));
        assert_eq!(waits.frame(2, Some(2)), Ok(()));
        assert_eq!(waits.frame(1, Some(5)), Ok(()), "another one waits");
        for longest in 2..=5 {
            assert_eq!(waits.frame(longest, Some(5)), Ok(()));
        }
        assert!(waits.clone().frame(6, Some(5)).is_err());
        waits.begin_anew();
        assert_eq!(waits.frame(6, Some(5)), Ok(()));
        // Without a bound nothing was stated.
        let mut waits = Waits::default();
        assert!((1..100).all(|longest| waits.frame(longest, None).is_ok()));
    }

    #[test]
    fn units_on_one_cell_are_seen() {
        let map = Grid::from_fn(5, 4, |_| true).unwrap();
        let unit = |number: u64, x, y, size| (UnitId::from_number(number), Cell::new(x, y), size);
        let check = |units: &[(UnitId, Cell, u32)]| nobody_shares_a_cell(&map, units.iter().copied());
        assert_eq!(check(&[unit(0, 0, 0, 2), unit(1, 2, 0, 2), unit(2, 0, 2, 1)]), Ok(()));
        assert!(check(&[unit(0, 0, 0, 2), unit(1, 1, 1, 1)]).is_err());
    }
}
