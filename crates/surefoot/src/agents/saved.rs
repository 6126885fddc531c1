//! Agents as bytes that outlive the program: what [`Agent::save`] writes, and all it takes to make the agent again.
//!
//! In the [envelope](crate::codec): the spec as text; width, height, move rule and cost model of the map; the agent.
//! The map itself is not part of it, and may be edited before the agent goes on.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Agent, Spec, SpecError, roster};
use crate::codec::{self, CodecError, Kind, Reader, put_number, put_text};
use crate::database::Database;
use crate::space::{CostUnits, GridSpace, MoveRule};

const SAVED_AGENT: Kind = Kind { name: "saved agent", label: *b"sfagent\n", oldest: 1, version: 2 };

/// A saved agent that cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes are no saved agent, or are damaged.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The agent's spec is none of this program's.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent belongs to another map.
    #[error("this agent was saved on a map of {saved}, and the one at hand has {at_hand}")]
    OtherMap {
        /// What the agent's map was.
        saved: String,
        /// What the map at hand is.
        at_hand: String,
    },
}

/// What an agent's numbers depend on; walls may be built and torn down.
#[derive(PartialEq, Eq)]
struct MapKind {
    width: u64,
    height: u64,
    rule: MoveRule,
    costs: CostUnits,
}

impl MapKind {
    fn of(world: &GridSpace) -> Self {
        let (width, height) = (world.grid().width().into(), world.grid().height().into());
        Self { width, height, rule: world.rule(), costs: world.units() }
    }

    fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.width);
        put_number(out, self.height);
        put_text(out, self.rule.name());
        put_text(out, self.costs.name());
    }

    fn read(saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let (width, height) = (saved.number()?, saved.number()?);
        let rule = saved.text()?.parse().map_err(|_| saved.malformed("there is no such move rule"))?;
        let costs = saved.text()?.parse().map_err(|_| saved.malformed("there is no such cost model"))?;
        Ok(Self { width, height, rule, costs })
    }
}

impl core::fmt::Display for MapKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { width, height, rule, costs } = self;
        write!(f, "{width} x {height} cells with the rule {rule} and the costs {costs}")
    }
}

/// An agent as bytes: its spec and its state. `world` is where it walks, and `spec` what it was [made](roster::agent) from.
#[must_use]
pub fn save(world: &GridSpace, spec: &Spec, agent: &dyn Agent) -> Vec<u8> {
    let mut body = Vec::new();
    put_text(&mut body, &spec.to_string());
    MapKind::of(world).put(&mut body);
    agent.save(world, &mut body);
    codec::seal(&SAVED_AGENT, &body)
}

/// The agent that was saved, with its spec. It goes on exactly as the one that was saved would have: the same moves, the
/// same work. An agent with a database needs the same one again. If `world` was edited since, or an abstraction was repaired, it goes on by legal
/// moves all the same.
///
/// # Errors
/// If the bytes are damaged or no saved agent, or the agent belongs to a map of another size, rule or cost model.
pub fn restore(
    world: &GridSpace,
    bytes: &[u8],
    database: Option<&Database>,
) -> Result<(Spec, Box<dyn Agent>), RestoreError> {
    let mut saved = Reader::new(codec::open(&SAVED_AGENT, bytes)?);
    let spec: Spec = saved.text()?.parse()?;
    let mut agent = roster::agent_with(&spec, database)?;
    let (theirs, ours) = (MapKind::read(&mut saved)?, MapKind::of(world));
    if theirs != ours {
        return Err(RestoreError::OtherMap { saved: theirs.to_string(), at_hand: ours.to_string() });
    }
    agent.restore(world, &mut saved)?;
    saved.finish()?;
    Ok((spec, agent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Step;
    use crate::formats::grid_from_art;
    use crate::search::Budget;
    use crate::space::{Cell, CostModel, State, StateSpace};
    use alloc::format;
    use proptest::prelude::*;

    /// Every algorithm, and some with parameters that suit a small map.
    fn specs() -> Vec<String> {
        let more = [
            "lrta*(d=2)",
            "lrta*(gmax=3)",
            "lrts(d=1,quota=0)",
            "lrts(d=3,gamma=0.5,quota=4)",
            "k-lrta*(expansions=6)",
            "rtaa*(expansions=5,moves=all)",
            "da-rtaa*(expansions=4)",
            "p-lrta*(queue=4)",
            "tba*(slice=3)",
            "tba*(slice=8)",
            "s-a*(slice=5)",
            "pra*(k=2)",
            "pra*(k=3,corridor=narrow)",
            "s-pra*(slice=4)",
            "lrta*(f,pdb;level=1,choose=reached)",
            "lrta*(f,pdb;level=2,d=2,loops=ever,deepen=1)",
            "lrta*(pdb,pdb;level=1,cap=4,loops=region)",
            "lrta*(pdb,g;level=1,cap=5)",
            "lrta*(dt,g;dmax=5)",
            "lrta*(oracle,g;dmax=4)",
            "d-lrta*(level=1)",
            "pr-lrta*(f,g;level=1,d=2)",
            "pr-lrta*(f,g;level=2,d=1,gamma=0.4)",
            "pr-lrta*(pdb,g;level=1,level2=1,cap=4)",
            "pr-lrta*(f,pdb;level=1,level2=2,choose=reached)",
            "pr-lrta*(pdb,pdb;level=1,level2=+1,cap=3,loops=region)",
            "knn-lrta*(n=5,cutoff=2)",
            "knn-lrta-2009*(n=9,cutoff=2,d=1)",
            "hcdps*(cutoff=2)",
            "hcdps*(cutoff=3,skip=2)",
            "dba*(sector=3,check=1)",
            "beacon*(bound=20)",
        ];
        roster::ENTRIES.iter().map(|entry| entry.quick_spec(64)).chain(more.map(String::from)).collect()
    }

    fn world() -> GridSpace {
        let art = ".......
                   .####..
                   ....#..
                   .##.#..
                   .......";
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Diagonal14)
    }

    /// The body of an agent that has made some steps, two of them for another goal.
    fn body(world: &GridSpace, spec: &str, steps: usize) -> Vec<u8> {
        let at = |x, y| world.state(Cell::new(x, y));
        let spec = spec.parse().unwrap();
        let mut agent = roster::agent_for(&spec, world, 1).unwrap();
        agent.begin(world, at(3, 2), at(0, 4)).unwrap();
        for step in 0..steps {
            if step == 2 {
                agent.set_goal(world, at(6, 2)).unwrap();
            }
            agent.step(world, &mut Budget::unlimited());
        }
        let bytes = save(world, &spec, &*agent);
        codec::open(&SAVED_AGENT, &bytes).unwrap().to_vec()
    }

    /// Whatever the body, the agent made from it walks by legal moves, if there is one.
    fn try_out(world: &GridSpace, database: Option<&Database>, body: &[u8]) -> bool {
        let restored = restore(world, &codec::seal(&SAVED_AGENT, body), database);
        let Ok((spec, mut agent)) = restored else { return false };
        for step in 0..24 {
            let before = agent.position();
            let mut budget = agent.bound().map_or_else(Budget::unlimited, Budget::limited);
            let taken = agent.step(world, &mut budget);
            assert!(!budget.is_overdrawn(), "{spec} took {}", budget.spent());
            assert!(agent.memory().states() < u64::MAX, "the sum does not overflow");
            assert!(agent.plan().len() <= body.len() + world.state_limit(), "{spec} means to go far");
            if let Step::Moved(next) = taken {
                let mut is_legal = false;
                world.for_each_successor(before, |state, _| is_legal |= state == next);
                assert!(is_legal && agent.position() == next, "{spec} goes from {before:?} to {next:?}");
            } else if step < 16 {
                let _ = agent.set_goal(world, State(step));
            }
        }
        let bytes = save(world, &spec, &*agent);
        assert!(restore(world, &bytes, database).is_ok(), "{spec} was not saved well");
        true
    }

    #[test]
    fn no_changed_byte_makes_an_agent_panic_or_break_the_rules() {
        let world = world();
        let mut accepted = 0;
        for spec in specs() {
            for steps in [0, 2, 3, 7] {
                let body = body(&world, &spec, steps);
                let database = roster::build_database(&spec.parse().unwrap(), &world, 1).unwrap();
                let try_out = |body: &[u8]| try_out(&world, database.as_ref(), body);
                assert!(try_out(&body), "{spec}");
                for place in spec.len() + 1..body.len() {
                    let was = body[place];
                    let changes = [0, 1, 2, 3, 0x7f, 0x80, 0xff, was ^ 1, was ^ 2, was ^ 4, was ^ 0x80];
                    for change in changes.into_iter().filter(|&change| change != was) {
                        let mut changed = body.clone();
                        changed[place] = change;
                        accepted += u64::from(try_out(&changed));
                    }
                    assert!(!try_out(&body[..place]), "{spec} lacks its end");
                }
                let longer: Vec<u8> = body.iter().copied().chain([0]).collect();
                assert!(!try_out(&longer), "{spec} goes on after its end");
            }
        }
        assert!(accepted > 1000, "some changes make other agents that can be tried out: {accepted}");
    }

    proptest! {
        #[test]
        fn no_changed_bytes_make_an_agent_panic_or_break_the_rules(
            spec in prop::sample::select(specs()),
            steps in 0_usize..12,
            changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![0_u8..32, any::<u8>()]), 1..8),
        ) {
            let world = world();
            let mut body = body(&world, &spec, steps);
            let database = roster::build_database(&spec.parse().unwrap(), &world, 1).unwrap();
            for (place, change) in changes {
                let place = place.index(body.len());
                body[place] = change;
            }
            try_out(&world, database.as_ref(), &body);
        }
    }

    #[test]
    fn agents_of_other_maps_and_programs_are_refused() {
        let world = world();
        let spec: Spec = "lrta*".parse().unwrap();
        let agent = roster::agent(&spec).unwrap();
        let bytes = save(&world, &spec, &*agent);
        let message = |world: &GridSpace, bytes: &[u8]| match restore(world, bytes, None) {
            Ok(_) => panic!("it was accepted"),
            Err(error) => error.to_string(),
        };
        let small = GridSpace::new(grid_from_art("..").unwrap(), MoveRule::Cardinal, CostModel::Diagonal14);
        assert_eq!(
            message(&small, &bytes),
            "this agent was saved on a map of 7 x 5 cells with the rule no-cut and the costs 1.4, and the one at hand \
             has 2 x 1 cells with the rule cardinal and the costs 1.4"
        );
        assert!(message(&world, b"P6 7 5").contains("this is no saved agent"));
        let mut damaged = bytes.clone();
        damaged[30] ^= 1;
        assert!(message(&world, &damaged).contains("the checksum of this saved agent does not fit"));
        let mut other = b"\x02b*".to_vec();
        other.extend_from_slice(&body(&world, "lrta*", 0)["lrta*".len() + 1..]);
        assert!(
            message(&world, &codec::seal(&SAVED_AGENT, &other))
                .contains("there is no algorithm of this name")
        );
        assert!(format!("{:?}", restore(&world, &bytes, None).map(|(spec, _)| spec)).contains("lrta*"));
    }
}
