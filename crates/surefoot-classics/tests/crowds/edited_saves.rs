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
