//! Why figures differ from the published ones, told from the walks themselves: a page never says what its own
//! figures contradict.

use super::lines::Line;
use crate::measures::Sample;
use crate::report::{fixed, significant, thousands};
use crate::rows::Row;

/// Why times are no match for published ones.
pub(super) const OTHER_MACHINE: &str = "other machines";
/// Why figures of stand-ins are no match for those of maps that are not public.
pub(super) const OTHER_MAPS: &str = "other maps";

/// The part of the walks that counts as the longest.
const LONGEST: f64 = 0.02;
/// The longest walks make the mean if it is at most this part of itself without them.
const LEFT_OF_MEAN: f64 = 2.0 / 3.0;

/// The suboptimalities of the walks that arrived, as far as they are numbers.
fn percents<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<f64> {
    let known = rows.filter(|row| row.solved).filter_map(|row| row.suboptimality_pct);
    known.filter(|percent| percent.is_finite()).collect()
}

fn mean(percents: &[f64]) -> Option<f64> {
    percents.iter().copied().collect::<Sample>().mean()
}

/// Whether a few long walks make the mean. `None` if there are too few walks to say.
pub(super) fn longest_walks(line: &Line<'_>) -> String {
    let mut percents = percents(line.rows());
    percents.sort_by(f64::total_cmp);
    let longest = (percents.len() as f64 * LONGEST).ceil() as usize;
    let rest = &percents[..percents.len() - longest];
    let (Some(all), Some(without)) = (mean(&percents), mean(rest)) else { return String::new() };
    let words = if without <= LEFT_OF_MEAN * all {
        "A few long walks make the mean"
    } else {
        "It is not a few long walks that make the mean"
    };
    format!(
        "{words}: without the longest {} of {} it is {} %.",
        thousands(longest as u64),
        thousands(percents.len() as u64),
        fixed(without, 2)
    )
}

/// How many walks found no record in their database at some point, and how they differ from the others;
/// nothing without walks.
pub(super) fn without_record(line: &Line<'_>) -> String {
    let (without, with) = (
        percents(line.rows().filter(|row| row.fallbacks > 0)),
        percents(line.rows().filter(|row| row.fallbacks == 0)),
    );
    let all = thousands((without.len() + with.len()) as u64);
    let missing = thousands(without.len() as u64);
    match (mean(&without), mean(&with)) {
        (None, None) => String::new(),
        (None, Some(_)) => format!("All {all} walks found a record whenever they looked for one."),
        (Some(_), None) => format!("All {all} walks found no record at some point."),
        (Some(own), Some(others)) => format!(
            "{missing} of {all} walks found no record at some point: they average {} %, the others {} %.",
            fixed(own, 2),
            fixed(others, 2)
        ),
    }
}

/// Whether ours keeps a published upper bound. `ground` may say why there is room below it.
pub(super) fn upper_bound(published: f64, ours: Option<f64>, ground: &str) -> String {
    match ours {
        None => String::new(),
        Some(ours) if ours <= published => {
            format!("The published figure is an upper bound, which ours keeps. {ground}")
                .trim_end()
                .to_owned()
        }
        Some(_) => {
            "The published figure is an upper bound, which ours exceeds; the reason is not known.".to_owned()
        }
    }
}

/// How the times to build databases compare: the largest of these parts of the published times.
pub(super) fn building(shares: impl Iterator<Item = f64>, ground: &str) -> Option<String> {
    let largest = shares.filter(|share| share.is_finite()).max_by(f64::total_cmp)?;
    Some(if largest < 1.0 {
        format!("Building takes at most {} of the published time: {ground}.", significant(largest, 2))
    } else {
        format!("Building takes up to {} times the published time.", significant(largest, 3))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::lines::lines;
    use crate::papers::lines::tests::unit;

    fn told(percents: &[f64], reason: fn(&Line<'_>) -> String) -> String {
        let walks: Vec<(Option<f64>, f64)> = percents.iter().map(|percent| (Some(*percent), 1.0)).collect();
        let mut units = [unit("knn-lrta*(n=10)", "a", 1, &walks)];
        // Those that are more than 50 % too long had no record.
        for row in &mut units[0].rows {
            row.fallbacks = u64::from(row.suboptimality_pct > Some(50.0));
        }
        reason(&lines(&units)[0])
    }

    #[test]
    fn a_few_long_walks_make_the_mean_or_not() {
        let mut percents = vec![10.0; 99];
        assert_eq!(
            told(&percents, longest_walks),
            "It is not a few long walks that make the mean: without the longest 2 of 99 it is 10.00 %."
        );
        percents.push(5000.0);
        assert_eq!(
            told(&percents, longest_walks),
            "A few long walks make the mean: without the longest 2 of 100 it is 10.00 %."
        );
        assert_eq!(told(&[], longest_walks) + &told(&[3.0], longest_walks), "");
    }

    #[test]
    fn walks_without_a_record_are_told_from_the_others() {
        assert_eq!(told(&[], without_record), "");
        assert_eq!(
            told(&[1.0, 2.0], without_record),
            "All 2 walks found a record whenever they looked for one."
        );
        assert_eq!(told(&[90.0], without_record), "All 1 walks found no record at some point.");
        assert_eq!(
            told(&[1.0, 3.0, 90.0], without_record),
            "1 of 3 walks found no record at some point: they average 90.00 %, the others 2.00 %."
        );
    }

    #[test]
    fn bounds_are_kept_or_exceeded() {
        assert_eq!(upper_bound(5.0, None, "x"), "");
        assert_eq!(
            upper_bound(5.0, Some(5.0), "So it is."),
            "The published figure is an upper bound, which ours keeps. So it is."
        );
        assert!(upper_bound(5.0, Some(5.1), "So it is.").ends_with("the reason is not known."));
        assert_eq!(building([].into_iter(), "x"), None);
        assert_eq!(
            building([0.01, 0.25, f64::NAN].into_iter(), "so it is").as_deref(),
            Some("Building takes at most 0.25 of the published time: so it is.")
        );
        assert!(building([0.1, 3.0].into_iter(), "x").is_some_and(|told| told.contains("up to 3.00 times")));
    }
}
