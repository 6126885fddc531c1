use crate::test_maps::with_changed_body;
use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::formats::grid_from_art;
use surefoot::search::{GridPlanner, JumpPoints, Paths, Ties};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule};
use surefoot::store::codec;
use surefoot::store::codec::Envelope;

use super::*;
use crate::knn::agent::{KnnLrtaStar, KnnSettings};

fn space() -> GridSpace {
    let art = "..........
               .########.
               .#......#.
               .#.####.#.
               ....#.....";
    GridSpace::new(grid_from_art(art).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14)
}

fn config(form: RecordForm) -> SubgoalConfig {
    let (ties, pairs, paths) = (Ties::Far, Pairs::Random, Paths::JumpPoints);
    SubgoalConfig { records: 20, form, ties, pairs, paths, seed: 3 }
}

fn database(space: &GridSpace) -> SubgoalDatabase {
    SubgoalDatabase::build(space, config(RecordForm::Compressed), JumpPoints::new()).unwrap()
}

#[test]
fn fragments_are_records_beside_the_whole() {
    let space = space();
    let whole = database(&space);
    let pieces = SubgoalDatabase::build(&space, config(RecordForm::Fragments), JumpPoints::new()).unwrap();
    let records = |database: &SubgoalDatabase| {
        let states = |record| {
            let mut cursor = database.walk(record);
            let mut states = Vec::from([cursor.at()]);
            states.extend(core::iter::from_fn(|| database.next_subgoal(&mut cursor)));
            states.push(cursor.last());
            states
        };
        let mut records: Vec<Vec<State>> = (0..database.len() as u32).map(states).collect();
        records.sort();
        records
    };
    let mut expected = Vec::new();
    for states in records(&whole) {
        for from in 0..states.len() {
            expected.extend((from + 2..=states.len()).map(|to| states[from..to].to_vec()));
        }
    }
    expected.sort();
    assert!(expected.len() > whole.len());
    assert_eq!(records(&pieces), expected);
    let opened = SubgoalDatabase::from_bytes(&space, pieces.as_bytes().to_vec()).unwrap();
    assert_eq!(opened.config().form, RecordForm::Fragments);
    try_out(&space, pieces);
}

/// Walks across the map with the records at hand: whatever they are, no move may be illegal, and the agent
/// arrives.
fn try_out(space: &GridSpace, database: SubgoalDatabase) {
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), Arc::new(database));
    let (start, goal) = (space.state_of(Cell::new(2, 2)), space.state_of(Cell::new(5, 4)));
    agent.begin(space, start, goal).unwrap();
    for _ in 0..2000 {
        let before = agent.position_in(space);
        let mut meter = Meter::with_bound(Agent::<GridSpace>::bound(&agent).unwrap());
        match agent.step(space, &mut meter) {
            Step::Moved(next) => {
                assert!(space.moves(before).iter().any(|direction| space.step(before, direction) == next));
            }
            Step::Arrived => return,
            step => assert_eq!(step, Step::Waiting),
        }
        assert!(!meter.is_overdrawn());
    }
    panic!("the agent does not arrive");
}

impl KnnLrtaStar {
    fn position_in(&self, _: &GridSpace) -> State {
        Agent::<GridSpace>::position(self)
    }
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let space = space();
    let bytes = database(&space).as_bytes().to_vec();
    for length in 0..bytes.len() {
        assert!(SubgoalDatabase::from_bytes(&space, bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            assert!(SubgoalDatabase::from_bytes(&space, changed).is_err(), "byte {place}, bit {bit}");
        }
    }
}

#[test]
fn hostile_bytes_behind_a_proper_checksum_are_refused_or_harmless() {
    let space = space();
    let bytes = database(&space).as_bytes().to_vec();
    let (mut accepted, mut refused) = (0, 0);
    for place in 0..bytes.len() - 28 {
        for change in [0, 1, 2, 0x7f, 0x80, 0xff] {
            let changed = with_changed_body(&bytes, |body| body[place] ^= change);
            match SubgoalDatabase::from_bytes(&space, changed) {
                Ok(database) => {
                    accepted += 1;
                    try_out(&space, database);
                }
                Err(_) => refused += 1,
            }
        }
        let cut = with_changed_body(&bytes, |body| body.truncate(place));
        assert!(SubgoalDatabase::from_bytes(&space, cut).is_err());
    }
    // Another subgoal that is one of the map's states makes another database, and not a wrong one.
    assert!(accepted > 100 && refused > 1000, "{accepted} {refused}");
}

#[test]
fn what_is_wrong_is_said() {
    let space = space();
    let database = database(&space);
    let message = |space: &GridSpace, bytes: &[u8]| {
        SubgoalDatabase::from_bytes(space, bytes.to_vec()).unwrap_err().to_string()
    };
    let bytes = database.as_bytes();
    assert!(message(&space, b"type octile").contains("this is no surefoot database"));
    assert!(message(&space, &bytes[..100]).contains("it was cut off or added to"));
    let mut other = space.clone();
    other.set(Cell::new(4, 0), false);
    let text = message(&other, bytes);
    assert!(text.contains("was built for a map of 10 x 5 cells, rule squeeze, cost 1.4"), "{text}");
    let sqrt2 = GridSpace::new(space.grid().clone(), MoveRule::Squeeze, CostModel::Sqrt2);
    assert!(message(&sqrt2, bytes).contains("not for a map of 10 x 5 cells, rule squeeze, cost sqrt2"));
    let future = {
        let mut bytes = bytes.to_vec();
        bytes[8] = 9;
        bytes
    };
    assert!(message(&space, &future).contains("has version 9, and this program reads 1 to 1"));
}

#[test]
fn records_come_back_as_they_went_in() {
    let space = space();
    let builder = crate::knn::builder::SubgoalBuilder::new(&space, config(RecordForm::Compressed));
    let records = builder.block(0, &mut JumpPoints::new());
    let database = builder.finish(records.clone()).unwrap();
    assert_eq!(database.len(), 20);
    let mut expected: Vec<Vec<State>> = records.into_iter().map(|record| record.states).collect();
    let mut found: Vec<Vec<State>> = (0..20).map(|record| database.record(record)).collect();
    assert_eq!(database.states(), found.iter().map(|states| states.len() as u64).sum::<u64>());
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn records_of_a_grid_too_wide_for_short_coordinates_are_found_by_looking_at_all() {
    let grid = surefoot::space::Grid::from_fn(70_000, 2, |cell| cell.x % 100 != 50 || cell.y == 1).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let database = database(&space);
    assert!(database.width().is_none());
    let (start, end) = database.ends(7);
    let mut nearest = Nearest::new();
    let mut meter = Meter::new();
    let wanted = (3, None);
    database.find_nearest(&space, (start, end), Similarity::Maximum, wanted, &mut nearest, &mut meter);
    assert_eq!((nearest.records()[0], meter.spent().probes), ((0, 7), 20));
    assert_eq!(database.first_broken_leg(&space, 0..20), None);
}

fn built() -> (GridSpace, SubgoalDatabase) {
    let grid = Grid::from_fn(40, 30, |cell| cell.x % 8 != 3 || cell.y % 7 == 0).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let (form, pairs) = (RecordForm::Compressed, Pairs::Random);
    let config =
        SubgoalConfig { records: 60, form, ties: Ties::Far, pairs, paths: Paths::JumpPoints, seed: 1 };
    let database = SubgoalDatabase::build(&space, config, GridPlanner::new(config.paths)).unwrap();
    (space, database)
}

#[test]
fn a_file_says_of_itself_what_the_database_knows() {
    let (_, database) = built();
    let info = SubgoalDatabase::inspect(database.as_bytes()).unwrap();
    assert_eq!((info.version, info.records, info.states), (1, 60, database.states()));
    assert_eq!((info.config, &info.built_for), (*database.config(), database.built_for()));
    assert_eq!((info.bytes as usize, info.sections), (database.as_bytes().len(), database.section_sizes()));
    let counted: usize = (0..60).map(|record| database.record(record).len()).sum();
    assert_eq!(info.states, counted as u64);
}

proptest! {
    /// Whoever means harm sees to the checksum.
    #[test]
    fn bytes_that_were_changed_and_sealed_again_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (space, database) = built();
        let kind = Envelope { name: "surefoot database", label: *b"sfdb\r\n\x1a\n", oldest: 1, version: 1 };
        let mut body = codec::open(&kind, database.as_bytes()).unwrap().to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        let bytes = codec::seal(&kind, &body);
        let inspected = SubgoalDatabase::inspect(&bytes);
        if let Ok(opened) = SubgoalDatabase::from_bytes(&space, bytes) {
            prop_assert_eq!(inspected.unwrap().states, opened.states());
            let _ = opened.first_broken_leg(&space, 0..opened.len() as u32);
        }
    }
}
