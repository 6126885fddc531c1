//! Trees for LRTA*(DT, G): lessons are collected on training maps, a tree is grown from them, and it is tried
//! on lessons that it was not grown from. "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008),
//! sections 5.1 and 7.1.
//!
//! Readings: folds are made of whole walks. Two lessons of one walk have much in common, and a tree that has
//! seen the one would be tried on what it knows.

mod induction;
mod pruning;

pub use induction::{TreeConfig, induce};

use rayon::prelude::*;
use surefoot::agent::{Agent as _, Step};
use surefoot::search::{Meter, Ties};
use surefoot::space::{GridSpace, QueryError, State};
use surefoot_classics::depth::{DepthLrtaStar, DepthTree, Features, TreeError, TreeSettings};

use crate::random::Rng;

/// What is known in a situation, and the depth that is right there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// What is known.
    pub features: Features,
    /// The shallowest depth from which on every lookahead takes the same step.
    pub depth: u32,
}

/// Lessons that cannot be collected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The settings are none that a tree can have.
    #[error(transparent)]
    Settings(#[from] TreeError),
    /// A problem is none on its map.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// The lessons of one walk with the deepest lookahead, one for each move, of at most `max_moves`.
///
/// # Errors
/// If the settings are none that a tree can have, or the problem is none on this map.
pub fn collect(
    space: &GridSpace,
    (start, goal): (State, State),
    settings: TreeSettings,
    max_moves: u64,
) -> Result<Vec<Lesson>, TrainingError> {
    let mut teacher = DepthLrtaStar::teacher(settings, Ties::Near)?;
    teacher.begin(space, start, goal)?;
    let mut lessons = Vec::new();
    while (lessons.len() as u64) < max_moves
        && let Step::Moved(_) = teacher.step(space, &mut Meter::new())
    {
        lessons.extend(teacher.lesson().map(|(features, depth)| Lesson { features, depth }));
    }
    Ok(lessons)
}

/// How well depths are guessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Guesses.
    pub cases: u64,
    /// Those that were right.
    pub right: u64,
    /// Those that were too shallow: there the agent may take another step.
    pub too_shallow: u64,
    /// By how many actions the guesses were wrong, in all.
    pub off_by: u64,
}

impl Score {
    /// How well a tree guesses.
    #[must_use]
    pub fn of<'a>(tree: &DepthTree, lessons: impl IntoIterator<Item = &'a Lesson>) -> Self {
        let mut score = Self::default();
        for lesson in lessons {
            let guess = tree.depth(&lesson.features);
            score.cases += 1;
            score.right += u64::from(guess == lesson.depth);
            score.too_shallow += u64::from(guess < lesson.depth);
            score.off_by += u64::from(guess.abs_diff(lesson.depth));
        }
        score
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            right: self.right + other.right,
            too_shallow: self.too_shallow + other.too_shallow,
            off_by: self.off_by + other.off_by,
        }
    }

    /// The share of right guesses; 0 if there are none at all.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.cases.max(1) as f64
    }

    /// The share of guesses that were too shallow.
    #[must_use]
    pub fn share_too_shallow(&self) -> f64 {
        self.too_shallow as f64 / self.cases.max(1) as f64
    }

    /// By how many actions a guess is wrong, on average.
    #[must_use]
    pub fn mean_error(&self) -> f64 {
        self.off_by as f64 / self.cases.max(1) as f64
    }
}

/// Grows a tree from all walks but those of one fold and tries it on that fold; so with each of the folds,
/// which a seed makes. The scores of all together. With a single fold, or fewer walks than two, there is
/// nothing to try trees on.
///
/// # Errors
/// If the settings are none that a tree can have.
pub fn cross_validate(
    walks: &[Vec<Lesson>],
    settings: TreeSettings,
    config: &TreeConfig,
    folds: usize,
    seed: u64,
) -> Result<Score, TreeError> {
    let fold_of = fold_of_each(walks.len(), folds, seed);
    let folds = folds.min(walks.len());
    if folds < 2 {
        return Ok(Score::default());
    }
    let score_of = |fold: usize| {
        let tree = induce(&lessons_of(walks, &fold_of, |own| own != fold), settings, config)?;
        Ok(Score::of(&tree, lessons_of(walks, &fold_of, |own| own == fold)))
    };
    let scores: Vec<Score> = (0..folds).into_par_iter().map(score_of).collect::<Result<_, TreeError>>()?;
    Ok(scores.into_iter().fold(Score::default(), Score::and))
}

/// For each fold the tree that is grown from all walks but its own, and for each walk its fold. With fewer
/// walks than two there is nothing to learn from, and the trees always take the deepest lookahead.
///
/// # Errors
/// If the settings are none that a tree can have.
pub fn grow_in_folds(
    walks: &[Vec<Lesson>],
    settings: TreeSettings,
    config: &TreeConfig,
    folds: usize,
    seed: u64,
) -> Result<(Vec<DepthTree>, Vec<usize>), TreeError> {
    let fold_of = fold_of_each(walks.len(), folds, seed);
    let grow = |fold: usize| induce(&lessons_of(walks, &fold_of, |own| own != fold), settings, config);
    let trees = (0..folds.max(1)).map(grow).collect::<Result<_, TreeError>>()?;
    Ok((trees, fold_of))
}

/// The lessons of the walks whose fold is wanted.
fn lessons_of<'w>(
    walks: &'w [Vec<Lesson>],
    fold_of: &[usize],
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<&'w Lesson> {
    walks.iter().zip(fold_of).filter(|(_, fold)| is_wanted(**fold)).flat_map(|(walk, _)| walk).collect()
}

/// The fold of each walk: its place in a random order decides.
fn fold_of_each(walks: usize, folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..walks).collect();
    let mut rng = Rng::new(seed, 0);
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last as u64 + 1) as usize);
    }
    let mut fold_of = vec![0; walks];
    order.iter().enumerate().for_each(|(place, &walk)| fold_of[walk] = place % folds.min(walks).max(1));
    fold_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;
    use surefoot::space::{Cell, CostModel, MoveRule};

    fn space() -> GridSpace {
        let art = "............
                   .########...
                   ........#...
                   ........#...
                   .########...
                   ............";
        GridSpace::new(grid_from_art(art).unwrap(), MoveRule::NoCut, CostModel::Sqrt2)
    }

    #[test]
    fn a_walk_gives_a_lesson_a_move() {
        let space = space();
        let at = |x, y| space.state_at(Cell::new(x, y)).unwrap();
        let settings = TreeSettings { deepest: 5, ..TreeSettings::default() };
        let lessons = collect(&space, (at(2, 3), at(11, 3)), settings, 1000).unwrap();
        assert!(lessons.len() > 9);
        assert!(lessons.iter().all(|lesson| (1..=5).contains(&lesson.depth)));
        assert_eq!(collect(&space, (at(2, 3), at(11, 3)), settings, 7).unwrap(), lessons[..7]);
        assert!(collect(&space, (at(2, 3), at(4, 4)), settings, 7).is_err(), "the goal is a wall");
        assert_eq!(collect(&space, (at(2, 3), at(2, 3)), settings, 7), Ok(Vec::new()));
    }

    #[test]
    fn folds_keep_walks_together_and_every_lesson_is_tried_once() {
        let space = space();
        let settings = TreeSettings { deepest: 4, ..TreeSettings::default() };
        let config = TreeConfig { least_in_leaf: 5, confidence: 0.25 };
        let cells: Vec<State> = space.grid().free_cells().filter_map(|cell| space.state_at(cell)).collect();
        let ends = (0..40).map(|i| (cells[i], cells[cells.len() - 1 - i % 9]));
        let walks: Vec<Vec<Lesson>> =
            ends.map(|ends| collect(&space, ends, settings, 500).unwrap()).collect();
        let total: usize = walks.iter().map(Vec::len).sum();
        let score = cross_validate(&walks, settings, &config, 10, 1).unwrap();
        assert_eq!(score.cases, total as u64);
        assert!(score.accuracy() > 0.5, "{score:?}");
        assert!(score.right + score.too_shallow <= score.cases && score.mean_error() < 2.0);
        assert_eq!(cross_validate(&walks, settings, &config, 10, 1), Ok(score), "a seed repeats");
        assert_eq!(cross_validate(&walks, settings, &config, 1, 1), Ok(Score::default()));
        // The trees that were tried are those that are grown: each walk by one that has not seen it.
        let (trees, fold_of) = grow_in_folds(&walks, settings, &config, 10, 1).unwrap();
        let tried = walks.iter().zip(&fold_of).map(|(walk, &fold)| Score::of(&trees[fold], walk));
        assert_eq!(tried.fold(Score::default(), Score::and), score);
        assert!((0..10).all(|fold| fold_of.iter().filter(|own| **own == fold).count() == 4));
        assert_eq!(grow_in_folds(&[], settings, &config, 3, 1).unwrap().0.len(), 3);
    }

    #[test]
    fn scores_count() {
        let tree =
            DepthTree::parse(b"surefoot depth tree 1\ndmax 9\nhistory 1\npre-search 1\ndepth 4").unwrap();
        let lessons = [4, 4, 6, 1].map(|depth| Lesson { features: Features::default(), depth });
        let score = Score::of(&tree, &lessons);
        assert_eq!(score, Score { cases: 4, right: 2, too_shallow: 1, off_by: 5 });
        assert_eq!((score.accuracy(), score.share_too_shallow(), score.mean_error()), (0.5, 0.25, 1.25));
    }
}
