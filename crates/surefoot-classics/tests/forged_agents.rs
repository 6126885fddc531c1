//! Saved agents whose bytes were changed: whatever they say, nobody panics or makes an illegal move because of them.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use surefoot::agent::{Spec, Step};
use surefoot::formats::grid_from_art;
use surefoot::search::Meter;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, State, StateSpace as _};
use surefoot::store::Database;
use surefoot::store::codec::{self, Envelope};
use surefoot_classics::ROSTER;

const SAVED_AGENT: Envelope = Envelope { name: "saved agent", label: *b"sfagent\n", oldest: 1, version: 2 };

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
    ROSTER.entries().iter().map(|entry| entry.quick_spec(64)).chain(more.map(String::from)).collect()
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
    let at = |x, y| world.state_of(Cell::new(x, y));
    let spec = spec.parse().unwrap();
    let mut agent = ROSTER.agent_for(&spec, world, 1).unwrap();
    agent.begin(world, at(3, 2), at(0, 4)).unwrap();
    for step in 0..steps {
        if step == 2 {
            agent.set_goal(world, at(6, 2)).unwrap();
        }
        agent.step(world, &mut Meter::new());
    }
    let bytes = ROSTER.algorithm(&spec).unwrap().save(world, &*agent);
    codec::open(&SAVED_AGENT, &bytes).unwrap().to_vec()
}

/// Whatever the body, the agent made from it walks by legal moves, if there is one.
fn try_out(world: &GridSpace, database: Option<&Arc<dyn Database>>, body: &[u8]) -> bool {
    let restored = ROSTER.restore(world, &codec::seal(&SAVED_AGENT, body), database);
    let Ok((algorithm, mut agent)) = restored else { return false };
    let spec = algorithm.spec();
    for step in 0..24 {
        let before = agent.position();
        let mut meter = agent.bound().map_or_else(Meter::new, Meter::with_bound);
        let taken = agent.step(world, &mut meter);
        assert!(!meter.is_overdrawn(), "{spec} took {}", meter.spent());
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
    let bytes = algorithm.save(world, &*agent);
    assert!(ROSTER.restore(world, &bytes, database).is_ok(), "{spec} was not saved well");
    true
}

#[test]
fn no_changed_byte_makes_an_agent_panic_or_break_the_rules() {
    let world = world();
    let mut accepted = 0;
    for spec in specs() {
        for steps in [0, 2, 3, 7] {
            let body = body(&world, &spec, steps);
            let database = ROSTER.build_database(&spec.parse().unwrap(), &world, 1).unwrap();
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
        let database = ROSTER.build_database(&spec.parse().unwrap(), &world, 1).unwrap();
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
    let agent = ROSTER.agent(&spec).unwrap();
    let bytes = ROSTER.algorithm(&spec).unwrap().save(&world, &*agent);
    let message = |world: &GridSpace, bytes: &[u8]| match ROSTER.restore(world, bytes, None) {
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
        message(&world, &codec::seal(&SAVED_AGENT, &other)).contains("there is no algorithm of this name")
    );
    assert!(
        format!("{:?}", ROSTER.restore(&world, &bytes, None).map(|(algorithm, _)| algorithm))
            .contains("lrta*")
    );
}
