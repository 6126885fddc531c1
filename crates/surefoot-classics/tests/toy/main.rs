//! A toy algorithm and a toy kind of database, made as CONTRIBUTING.md says, by somebody who sees the public face only:
//! one folder, one line for the algorithm, one for the kind. Everything else comes by itself.
#![allow(clippy::unwrap_used)]

mod home;

use std::ops::ControlFlow;

use surefoot::agent::{Algorithm, Roster, Step};
use surefoot::crowd::{Crowd, FrameBudget, Kind, Priority, UnitStatus};
use surefoot::formats::grid_from_art;
use surefoot::search::{Dijkstra, Meter};
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, StateSpace as _};
use surefoot::store::{Mark, View};
use surefoot_classics::ROSTER;

/// The two lines.
fn roster() -> Roster {
    ROSTER.clone().with(home::ENTRY).with_kind(&home::KIND)
}

fn space() -> GridSpace {
    let art = "
........
.######.
.#....#.
.#.##.#.
....#...
";
    GridSpace::new(grid_from_art(art.trim()).unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
}

fn algorithm() -> Algorithm {
    roster().algorithm(&"home(x=2,y=2)".parse().unwrap()).unwrap()
}

#[test]
fn it_is_in_the_roster_with_its_parameters() {
    assert_eq!(roster().entries().len(), ROSTER.entries().len() + 1);
    let wrong = |spec: &str| roster().check(&spec.parse().unwrap()).unwrap_err().to_string();
    assert!(
        wrong("home(z=1)").contains("there is no parameter \"z\"; home* takes: x=0, y=0"),
        "{}",
        wrong("home(z=1)")
    );
    assert!(wrong("home(x=a)").contains("expected a whole number"));
    assert!(wrong("hme*").contains("did you mean home*?"));
}

#[test]
fn its_agents_walk_save_and_load() {
    let (space, algorithm) = (space(), algorithm());
    let database = algorithm.build_database(&space, 1).unwrap().unwrap();
    let mut agent = algorithm.agent(Some(&database)).unwrap();
    let (start, home) = space.locate_ends(Cell::new(7, 0), Cell::new(2, 2)).unwrap();
    agent.begin(&space, start, home).unwrap();
    let (mut moves, mut cost) = (0, 0);
    loop {
        let mut meter = Meter::with_bound(agent.bound().unwrap());
        let before = agent.position();
        match agent.step(&space, &mut meter) {
            Step::Moved(next) => {
                let mut of_move = None;
                space.for_each_successor(before, |to, cost| {
                    if to == next {
                        of_move = Some(cost);
                    }
                });
                (moves, cost) = (moves + 1, cost + of_move.expect("the move is legal"));
            }
            step => {
                assert_eq!(step, Step::Arrived);
                break;
            }
        }
        assert!(!meter.is_overdrawn());
        if moves == 3 {
            let bytes = algorithm.save(&space, &*agent);
            (_, agent) = roster().restore(&space, &bytes, Some(&database)).unwrap();
        }
    }
    let optimum = Dijkstra::new().find(&space, start, home).unwrap().cost().unwrap();
    assert_eq!(cost, optimum);
}

#[test]
fn its_database_is_opened_described_verified_and_drawn_like_any_other() {
    let space = space();
    let built = algorithm().build_database(&space, 1).unwrap().unwrap();
    let roster = roster();
    let opened = roster.open(&space, built.to_bytes().into_owned()).unwrap();
    assert_eq!(opened.to_bytes(), built.to_bytes());
    assert!(*opened.config() == *built.config());
    let info = roster.inspect(&built.to_bytes()).unwrap();
    assert_eq!((info.contents.as_str(), info.facts[0].label), ("home", "states"));
    opened.verify(&space, 10, 1, &mut |_| ControlFlow::Continue(())).unwrap();
    let sketch = opened.sketch(&space, &View::default()).unwrap();
    assert!(matches!(&sketch.panels[0].2[..], [Mark::Cells(..), ..]));
    // Without the line nobody knows it.
    let error = ROSTER.open(&space, built.to_bytes().into_owned()).unwrap_err().to_string();
    assert!(error.contains("this database holds home, which is not known here"), "{error}");
    // Bytes that were changed are refused.
    let mut damaged = built.to_bytes().into_owned();
    let place = damaged.len() - 20;
    damaged[place] ^= 1;
    assert!(roster.open(&space, damaged).is_err());
}

#[test]
fn its_units_walk_in_a_crowd_whose_map_changes() {
    let mut crowd = Crowd::new(space().grid().clone());
    let kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_algorithm(algorithm());
    let kind = crowd.add_kind(kind).unwrap();
    let unit = crowd.add(kind, Cell::new(7, 0), Cell::new(2, 2), Priority::Normal).unwrap();
    crowd.frame(FrameBudget::Everyone);
    // A shorter way is opened: the database follows, and so does the unit.
    crowd.set_cell(Cell::new(6, 2), true).unwrap();
    let mut crowd = Crowd::load_with(&crowd.save(), &roster()).unwrap();
    for _ in 0..40 {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!((crowd.status(unit), crowd.position(unit)), (Ok(UnitStatus::Arrived), Ok(Cell::new(2, 2))));
}

/// An agent that is in no roster walks in a crowd, too.
#[test]
fn an_agent_of_ones_own_walks_in_a_crowd() {
    let space = space();
    let database = algorithm().build_database(&space, 1).unwrap().unwrap();
    let field = surefoot::store::shared_as::<home::HomeField>(&database).unwrap();
    let mine = Algorithm::of_agent("mine", home::HomeAgent::new(field.clone())).unwrap();
    for wrong in ["", "my agent", "mine(d=3)", "é"] {
        assert!(Algorithm::of_agent(wrong, home::HomeAgent::new(field.clone())).is_err(), "{wrong}");
    }
    let mut crowd = Crowd::new(space.grid().clone());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_algorithm(mine)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(2, 2), Priority::Normal).unwrap();
    for _ in 0..40 {
        crowd.frame(FrameBudget::Everyone);
    }
    assert_eq!(crowd.position(unit), Ok(Cell::new(2, 2)));
}
