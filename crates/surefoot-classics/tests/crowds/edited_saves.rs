//! Crowds of every algorithm on maps that are edited: what is saved loads at any time, and goes on exactly.

use super::*;

/// Numbers that look random, the same for the same seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn cell(&mut self, map: &Grid) -> Cell {
        Cell::new(self.below(map.width()), self.below(map.height()))
    }
}

/// A crowd of one kind whose map is edited before nearly every frame, some cells at a time. It is saved after edits and after frames; what was
/// loaded first goes on beside it.
fn walk_through_edits(algorithm: &str, seed: u64) {
    let mut draws = Draws(seed);
    let grid = Grid::from_fn(16, 14, |_| draws.below(5) > 0).unwrap();
    let mut crowd = Crowd::new(grid);
    let mut kind = Kind::new(MoveRule::ALL[draws.below(4) as usize], CostModel::Sqrt2);
    kind.algorithm = super::algorithm(algorithm);
    let kind = crowd.add_kind(kind).unwrap();
    for _ in 0..6 {
        let (start, goal) = (draws.cell(crowd.map()), draws.cell(crowd.map()));
        // Where one of them is blocked there is a unit less.
        let _ = crowd.add(kind, start, goal, Priority::Normal);
    }
    let saved_at = draws.below(8);
    let mut loaded: Option<Crowd> = None;
    for frame in 0..16 {
        for _ in 0..draws.below(4) {
            let cell = draws.cell(crowd.map());
            let is_free = crowd.map().is_free(cell);
            for crowd in loaded.iter_mut().chain([&mut crowd]) {
                crowd.set_cell(cell, !is_free).unwrap();
            }
        }
        let bytes = crowd.save();
        let made = Crowd::load_with(&bytes, &ROSTER)
            .unwrap_or_else(|error| panic!("{algorithm}, seed {seed}: {error}"));
        assert!(made.save() == bytes, "{algorithm}, seed {seed}, frame {frame}: it is saved as it was");
        if frame == saved_at {
            loaded = Some(made);
        }
        let report = crowd.frame(FrameBudget::Everyone);
        if let Some(loaded) = &mut loaded {
            assert_eq!(
                loaded.frame(FrameBudget::Everyone),
                report,
                "{algorithm}, seed {seed}, frame {frame}"
            );
            assert_eq!(loaded.checksum(), crowd.checksum(), "{algorithm}, seed {seed}, frame {frame}");
        }
        check_moves(&crowd, kind);
        loaded.iter_mut().chain([&mut crowd]).for_each(send_on);
    }
}

#[test]
fn crowds_on_edited_maps_are_loaded_and_go_on_exactly() {
    let more =
        ["s-pra*(slice=3)", "pr-lrta*(f,g;level=2)", "pr-lrta*(f,pdb;level=1,level2=2,choose=reached)"];
    let specs = ROSTER.entries().iter().map(|entry| entry.quick_spec(100));
    for spec in specs.chain(more.map(String::from)) {
        for seed in 0..12 {
            walk_through_edits(&spec, seed);
        }
    }
}

/// Those whose databases are put right piece by piece.
const FOLLOWERS: [&str; 6] = [
    "knn-lrta*(n=60)",
    "knn-lrta-2009*(n=60)",
    "hcdps*(cutoff=5)",
    "dba*(sector=5)",
    "d-lrta*(level=2)",
    "pra*(k=2)",
];

/// Some edits, the same for all of some crowds.
fn edit_all(crowds: &mut [Crowd], draws: &mut Draws, count: u32) {
    for _ in 0..count {
        let cell = draws.cell(crowds[0].map());
        let is_free = crowds[0].map().is_free(cell);
        for crowd in crowds.iter_mut() {
            crowd.set_cell(cell, !is_free).unwrap();
        }
    }
}

/// New goals for all who arrived, unless they were walled in since.
fn send_on_if_free(crowd: &mut Crowd) {
    let cells: Vec<Cell> = crowd.map().free_cells().collect();
    for unit in crowd.report().arrived.clone() {
        let at = (u64::from(crowd.report().frame) * 17 + unit.to_number() * 5) as usize % cells.len();
        let _ = crowd.set_goal_or_nearest(unit, cells[at]);
    }
}

#[test]
fn crowds_are_saved_in_the_middle_of_hundreds_of_edits() {
    for algorithm in FOLLOWERS {
        for seed in 0..3 {
            let mut draws = Draws(seed);
            let (crowd, kind, _) = crowd_of(12, algorithm, CrowdConfig::default());
            let (mut crowds, mut ends, mut saves) = (vec![crowd], vec![u32::MAX], 0);
            for frame in 0..400 {
                let (edits, saves_now) = (draws.below(3), draws.below(15) == 0 && frame < 200);
                edit_all(&mut crowds, &mut draws, if frame % 80 < 60 { edits } else { 0 });
                if saves_now {
                    let bytes = crowds[0].save();
                    let loaded = Crowd::load_with(&bytes, &ROSTER).unwrap();
                    assert!(loaded.save() == bytes, "{algorithm}, seed {seed}, frame {frame}");
                    crowds.push(loaded);
                    ends.push(frame + 200);
                    saves += 1;
                }
                // Not enough for all that waits.
                let expected = crowds[0].frame(FrameBudget::Work(3_000));
                check_moves(&crowds[0], kind);
                let checksum = crowds[0].checksum();
                for loaded in &mut crowds[1..] {
                    let report = loaded.frame(FrameBudget::Work(3_000));
                    assert_eq!(report, expected, "{algorithm}, seed {seed}, frame {frame}");
                    assert_eq!(loaded.checksum(), checksum, "{algorithm}, seed {seed}, frame {frame}");
                }
                crowds.iter_mut().for_each(send_on_if_free);
                let mut is_on = ends.iter().map(|&end| end > frame);
                crowds.retain(|_| is_on.next() == Some(true));
                ends.retain(|&end| end > frame);
            }
            assert!(saves > 3, "{algorithm}: {saves}");
        }
    }
}

/// The envelope of a crowd with another body: its checksum would stop every other change.
fn with_changed_body(bytes: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let kind = surefoot::store::codec::Envelope {
        name: "saved crowd",
        label: *b"sfcrowd\n",
        oldest: 1,
        version: u32::MAX,
    };
    let mut body = surefoot::store::codec::open(&kind, bytes).unwrap().to_vec();
    change(&mut body);
    let version = surefoot::store::codec::version_of(bytes);
    surefoot::store::codec::seal(&surefoot::store::codec::Envelope { version, ..kind }, &body)
}

#[test]
fn changed_bytes_of_databases_make_no_illegal_move() {
    let mut accepted = 0;
    for algorithm in FOLLOWERS {
        let mut draws = Draws(7);
        let (crowd, kind, _) = crowd_of(6, algorithm, CrowdConfig::default());
        let mut crowds = [crowd];
        for _ in 0..40 {
            edit_all(&mut crowds, &mut draws, 2);
            crowds[0].frame(FrameBudget::Work(3_000));
            let bytes = crowds[0].save();
            for _ in 0..20 {
                let changed = with_changed_body(&bytes, |body| {
                    for _ in 0..=draws.below(3) {
                        let place = draws.below(body.len() as u32) as usize;
                        let byte = body[place];
                        body[place] =
                            [byte.wrapping_add(1), byte.wrapping_sub(1), 0xff, draws.below(256) as u8]
                                [draws.below(4) as usize];
                    }
                });
                let Ok(mut loaded) = Crowd::load_with(&changed, &ROSTER) else { continue };
                accepted += 1;
                for _ in 0..6 {
                    loaded.frame(FrameBudget::Work(3_000));
                    for Move { unit, from, to } in loaded.report().moves.iter().copied() {
                        let mut is_legal = false;
                        let space = loaded.space(kind).unwrap();
                        let from = space.state_at(from).unwrap();
                        space.for_each_successor(from, |state, _| is_legal |= space.cell(state) == to);
                        assert!(is_legal, "{algorithm}: {unit}");
                    }
                    edit_all(core::slice::from_mut(&mut loaded), &mut draws, 1);
                }
                Crowd::load_with(&loaded.save(), &ROSTER).unwrap();
            }
        }
    }
    assert!(accepted > 200, "some changes make other crowds: {accepted}");
}
