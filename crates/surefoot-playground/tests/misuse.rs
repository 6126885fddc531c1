//! What is wrong is refused with words, and leaves the world as it was.

#![allow(clippy::unwrap_used)] // the helpers below are part of the tests

use std::ops::ControlFlow;

use surefoot::Cell;
use surefoot::space::State;
use surefoot::tape::{Event, Header, Tape};
use surefoot_playground::maps::generate;
use surefoot_playground::world::World;

fn world() -> World {
    World::new(&[1, 1, 1, 1, 0, 1, 1, 1, 1], 3, 3, "no-cut", "sqrt2").unwrap()
}

const CORNERS: (Cell, Cell) = (Cell::new(0, 0), Cell::new(2, 2));

#[test]
fn wrong_maps() {
    let error = |cells: &[u8], width, height, rule, costs| match World::new(cells, width, height, rule, costs)
    {
        Ok(_) => panic!("accepted"),
        Err(error) => error,
    };
    assert_eq!(error(&[1; 5], 2, 3, "no-cut", "sqrt2"), "5 cells were given: a map of 2 x 3 has 6");
    assert!(error(&[], 0, 3, "no-cut", "sqrt2").contains('0'));
    assert!(error(&[], u32::MAX, u32::MAX, "no-cut", "sqrt2").ends_with("16777216 at most"));
    assert!(error(&[1; 6], 2, 3, "nocut", "sqrt2").contains("expected one of: squeeze, one-free"));
    assert!(error(&[1; 6], 2, 3, "no-cut", "2").contains("cost model"));
}

#[test]
fn wrong_specs() {
    let mut world = world();
    for (spec, words) in [
        ("", ""),
        ("b*", "there is no algorithm of this name"),
        ("lrta*(d=0)", "d is \"0\""),
        ("lrta*(d=1", ""),
        ("knn-lrta*(n=x)", "n is \"x\""),
        ("beacon*(x=1)", "there is no parameter \"x\""),
    ] {
        let errors = [
            world.walk(spec, CORNERS.0, CORNERS.1, 10).unwrap_err(),
            world.build(spec, 1, &mut |_| ControlFlow::Continue(())).unwrap_err(),
            world.database_bytes(Some(spec)).unwrap_err(),
            world.sketch(Some(spec), None, None, None).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.contains(words)), "{spec}: {errors:?}");
        assert!(errors.iter().all(|error| *error == errors[0] && !error.is_empty()), "{spec}: {errors:?}");
    }
    assert_eq!(world.walk("lrta*", CORNERS.0, CORNERS.1, 100).unwrap().end_name(), "arrived");
}

#[test]
fn wrong_cells() {
    let mut world = world();
    let (inside, outside, blocked) = (Cell::new(0, 0), Cell::new(3, 0), Cell::new(1, 1));
    let huge = Cell::new(u32::MAX, u32::MAX);
    world.build("beacon*", 1, &mut |_| ControlFlow::Continue(())).unwrap();
    for (start, goal, words) in [
        (outside, inside, "start (3, 0)"),
        (inside, outside, "goal (3, 0)"),
        (blocked, inside, "start (1, 1)"),
        (inside, blocked, "goal (1, 1)"),
        (huge, inside, "start (4294967295, 4294967295)"),
    ] {
        let errors = [
            world.walk("lrta*", start, goal, 10).unwrap_err(),
            world.optimum(start, goal).unwrap_err(),
            world.sketch(None, Some((start, goal)), None, None).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.contains(words)), "{errors:?}");
    }
}

#[test]
fn wrong_databases() {
    let mut world = world();
    assert!(world.database_bytes(None).unwrap_err().starts_with("there is no database yet"));
    assert!(
        world.database_bytes(Some("beacon*")).unwrap_err().contains("there is no database for beacon* yet")
    );
    assert!(world.sketch(None, None, None, None).is_err());
    world.build("knn-lrta*(n=5)", 1, &mut |_| ControlFlow::Continue(())).unwrap();
    let bytes = world.database_bytes(None).unwrap();
    for length in 0..bytes.len() {
        assert!(world.open_database(bytes[..length].to_vec(), None).is_err(), "{length} bytes");
    }
    let error = world.open_database(bytes.clone(), Some("beacon*")).unwrap_err();
    assert!(error.contains("beacon* needs"), "{error}");
    let error = world.open_database(bytes.clone(), Some("knn-lrta*(n=6)")).unwrap_err();
    assert!(error.contains("is asked for"), "{error}");
    let mut other = World::new(&[1; 9], 3, 3, "no-cut", "sqrt2").unwrap();
    let error = other.open_database(bytes.clone(), None).unwrap_err();
    assert!(error.contains("was built for"), "{error}");
    assert!(other.database_bytes(None).is_err(), "what was refused is not kept");
    assert!(world.open_database(bytes, Some("knn-lrta*")).is_ok());
}

#[test]
fn wrong_tapes() {
    let mut world = world();
    let walk = world.walk("lrta*(d=1)", CORNERS.0, CORNERS.1, 100).unwrap();
    let bytes = walk.tape.to_bytes();
    assert!(world.replay(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(world.replay(&bytes[..length]).is_err(), "{length} bytes");
    }
    for (cells, width, height, rule, costs) in [
        (vec![1; 9], 3, 3, "no-cut", "sqrt2"),
        (vec![1; 6], 2, 3, "no-cut", "sqrt2"),
        (vec![1, 1, 1, 1, 0, 1, 1, 1, 1], 3, 3, "squeeze", "sqrt2"),
        (vec![1, 1, 1, 1, 0, 1, 1, 1, 1], 3, 3, "no-cut", "1.4"),
    ] {
        let other = World::new(&cells, width, height, rule, costs).unwrap();
        let error = other.replay(&bytes).unwrap_err();
        assert!(error.starts_with("this tape is of another map: "), "{error}");
    }
    // Tapes of the right map that tell of what cannot have happened there.
    let space = world.space();
    let forged = |start, goal, events: &[Event]| {
        let mut tape = Tape::new(Header::of_grid(space, State(start), State(goal), "any words"));
        events.iter().for_each(|&event| tape.push(event));
        world.replay(&tape.to_bytes())
    };
    let error = forged(0, 8, &[Event::Moved(State(4))]).unwrap_err();
    assert!(error.ends_with("move 1, from (0, 0) to (1, 1), is not legal here"), "{error}");
    assert!(forged(4, 8, &[]).unwrap_err().contains("(1, 1)"));
    let odd = forged(
        0,
        8,
        &[
            Event::Raised { state: State(4), value: u64::MAX },
            Event::ExpandedUnseen(1 << 59),
            Event::ExpandedUnseen(1 << 59),
            Event::Waited,
            Event::Goal(State(4)),
            Event::Expanded(State(4)),
        ],
    )
    .unwrap();
    assert_eq!((odd.moves, odd.cost, odd.end_name()), (0, 0.0, "unknown"));
    assert_eq!(odd.work, [u32::MAX, 1]);
    assert!(odd.recording.rises[0].is_finite());
}

#[test]
fn a_world_without_a_free_cell() {
    let mut world = World::new(&[0; 4], 2, 2, "no-cut", "sqrt2").unwrap();
    assert!(world.walk("beacon*", Cell::new(0, 0), Cell::new(1, 1), 10).is_err());
    for entry in surefoot_classics::ROSTER.entries() {
        // Whether there can be such a database is the library's to say: it does not panic.
        let _ = world.build(&entry.quick_spec(0), 1, &mut |_| ControlFlow::Continue(()));
    }
    assert!(world.optimum(Cell::new(0, 0), Cell::new(0, 0)).unwrap_err().contains("blocked"));
}

#[test]
fn the_smallest_maps_have_walks() {
    for entry in surefoot_classics::ROSTER.entries() {
        let mut world = World::new(&generate("random", 1, 1, 1).unwrap(), 1, 1, "cardinal", "1.4").unwrap();
        let corner = Cell::new(0, 0);
        match world.walk(&entry.quick_spec(1), corner, corner, 10) {
            Ok(walk) => assert_eq!((walk.end_name(), walk.moves), ("arrived", 0), "{}", entry.name),
            Err(error) => assert!(!error.is_empty(), "{}", entry.name),
        }
    }
}
