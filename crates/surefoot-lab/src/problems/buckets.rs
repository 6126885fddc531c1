//! As many problems as are wanted in each bucket.

use surefoot::search::Dijkstra;
use surefoot::space::{Cell, Cost};

use super::{Choice, Drawing, FIELDS, GeneratedProblem, ProblemsError, Progress, bucket_of};
use crate::random::Rng;

impl Drawing<'_> {
    /// `count` problems in each bucket. One start serves at most one problem of each bucket, so that they
    /// stay varied.
    pub(super) fn per_bucket(&self, progress: Progress<'_>) -> Result<Vec<GeneratedProblem>, ProblemsError> {
        let first = bucket_of(self.request.min_cost);
        let last = bucket_of(self.request.max_cost);
        let mut dijkstra = Dijkstra::new();
        // Grows to the highest bucket that is seen: how far costs go is not known beforehand.
        let mut buckets: Vec<Vec<GeneratedProblem>> = Vec::new();
        let (mut found, mut in_vain, mut largest_seen) = (0, 0, None);
        let mut far: Option<Vec<Cell>> = None;
        for stream in 0.. {
            let mut rng = Rng::new(self.request.seed, stream);
            // Random starts until they bring nothing new, then the ends of the longest ways, then what lies
            // far from those.
            let start = if in_vain < FIELDS && far.is_none() {
                self.candidates.draw(&mut rng)
            } else {
                let rest =
                    far.get_or_insert_with(|| self.ends(&mut dijkstra).iter().map(|&(end, _)| end).collect());
                let next = rest.pop().or_else(|| {
                    let is_filled =
                        |place: usize| buckets.get(place).is_some_and(|b| b.len() == self.request.count);
                    let is_far = |cost: Cost| self.is_wanted(cost) && !is_filled(self.place_of(cost));
                    (in_vain < FIELDS).then(|| self.draw_far(is_far, &mut rng, &mut dijkstra)).flatten()
                });
                let Some(start) = next else { break };
                start
            };
            let mut choices: Vec<Choice<(Cell, Cost)>> = Vec::new();
            self.for_each_cost(start, &mut dijkstra, |goal, cost| {
                largest_seen = largest_seen.max(Some(cost));
                if self.is_wanted(cost) {
                    let place = self.place_of(cost);
                    if choices.len() <= place {
                        choices.resize_with(place + 1, Choice::default);
                    }
                    choices[place].offer((goal, cost), &mut rng);
                }
            });
            if buckets.len() < choices.len() {
                buckets.resize_with(choices.len(), Vec::new);
            }
            in_vain += 1;
            for (bucket, choice) in buckets.iter_mut().zip(choices) {
                if let Some((goal, cost)) = choice.chosen
                    && bucket.len() < self.request.count
                {
                    bucket.push(self.problem(start, goal, cost));
                    found += 1;
                    in_vain = 0;
                }
            }
            if progress(found as u64, (buckets.len() * self.request.count) as u64).is_break() {
                return Err(ProblemsError::Stopped);
            }
            let in_range = (last - first) as usize + 1;
            if buckets.len() == in_range && buckets.iter().all(|bucket| bucket.len() == self.request.count) {
                break;
            }
        }
        if found == 0 {
            return Err(self.not_found(0, largest_seen));
        }
        Ok(buckets.into_iter().flatten().collect())
    }

    /// Which of the buckets of the range a cost in it belongs to.
    fn place_of(&self, cost: Cost) -> usize {
        (bucket_of(self.space.units().to_f64(cost)) - bucket_of(self.request.min_cost)) as usize
    }

    /// A cell whose way to one of the ends has a cost that `is_far`. `None` if there is none.
    fn draw_far(
        &self,
        is_far: impl Fn(Cost) -> bool,
        rng: &mut Rng,
        dijkstra: &mut Dijkstra,
    ) -> Option<Cell> {
        let mut ends = self.ends(dijkstra).to_vec();
        while !ends.is_empty() {
            let (end, _) = ends.swap_remove(rng.below(ends.len() as u64) as usize);
            let mut choice = Choice::default();
            self.for_each_cost(end, dijkstra, |cell, cost| {
                if is_far(cost) {
                    choice.offer(cell, rng);
                }
            });
            if choice.chosen.is_some() {
                return choice.chosen;
            }
        }
        None
    }
}
