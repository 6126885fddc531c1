//! Decision trees from examples, as C4.5 grows and prunes them (Quinlan 1993; release 8: Quinlan 1996).
//!
//! All features are numbers. A node is split where the gain is highest for each feature, less what it costs
//! to say where; then by the feature with the highest gain ratio among those of at least average gain.
//! Pruning replaces a subtree by a leaf where the [pessimistic estimate](super::pruning) is no worse. It does
//! not raise a branch in the place of its parent, and there are no missing values.

use surefoot_classics::depth::{DepthTree, Feature, TreeError, TreeNode, TreeSettings};

use super::Lesson;
use super::pruning::expected_mistakes;

/// How trees are grown and pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeConfig {
    /// The fewest cases in a leaf.
    pub least_in_leaf: usize,
    /// The confidence of pruning, above 0 and at most 0.5: the lower, the smaller the tree.
    pub confidence: f64,
}

/// The paper's, for maps of their first size.
impl Default for TreeConfig {
    fn default() -> Self {
        Self { least_in_leaf: 100, confidence: 0.05 }
    }
}

/// The tree that lessons lead to. Without any lesson it always takes the deepest lookahead.
///
/// # Errors
/// If no tree can have such settings, or a lesson has another depth than from 1 to the deepest.
pub fn induce(
    lessons: &[&Lesson],
    settings: TreeSettings,
    config: &TreeConfig,
) -> Result<DepthTree, TreeError> {
    let deepest = settings.deepest as usize;
    if let Some(lesson) = lessons.iter().find(|lesson| !(1..=settings.deepest).contains(&lesson.depth)) {
        return DepthTree::new(settings, vec![TreeNode::Depth(lesson.depth)]);
    }
    if lessons.is_empty() {
        return DepthTree::new(settings, vec![TreeNode::Depth(settings.deepest)]);
    }
    let mut cases = lessons.to_vec();
    let mut grower = Grower { config, classes: deepest + 1, weights: weights(cases.len()) };
    let branch = grower.grow(&mut cases, 0);
    let mut nodes = Vec::new();
    branch.flatten(&mut nodes);
    DepthTree::new(settings, nodes)
}

/// A part of a tree that is being grown.
enum Branch {
    Leaf { depth: u32, cases: usize, mistakes: usize },
    Split { split: Split, low: Box<Branch>, high: Box<Branch> },
}

/// A test that tells cases apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    feature: Feature,
    most: u64,
    /// The bits that the test tells about the depth, on average.
    gain: f64,
    /// The bits that it tells in all.
    information: f64,
}

impl Split {
    fn ratio(&self) -> f64 {
        self.gain / self.information
    }
}

impl Branch {
    fn flatten(&self, nodes: &mut Vec<TreeNode>) {
        match self {
            Self::Leaf { depth, .. } => nodes.push(TreeNode::Depth(*depth)),
            Self::Split { split, low, high } => {
                nodes.push(TreeNode::Test { feature: split.feature, most: split.most });
                low.flatten(nodes);
                high.flatten(nodes);
            }
        }
    }

    /// The mistakes to be expected of it.
    fn expected_mistakes(&self, confidence: f64) -> f64 {
        match self {
            Self::Leaf { cases, mistakes, .. } => {
                expected_mistakes(*cases as f64, *mistakes as f64, confidence)
            }
            Self::Split { low, high, .. } => {
                low.expected_mistakes(confidence) + high.expected_mistakes(confidence)
            }
        }
    }
}

/// n log2 n, for each count of cases: what entropies are sums of.
fn weights(most: usize) -> Vec<f64> {
    (0..=most).map(|count| if count == 0 { 0.0 } else { count as f64 * (count as f64).log2() }).collect()
}

/// A subtree may be this much worse than a leaf, in mistakes, and is replaced all the same: as in C4.5.
const IN_FAVOUR_OF_LEAVES: f64 = 0.1;
/// Gains this close to the average are not below it: as in C4.5.
const AVERAGE: f64 = 1e-3;

struct Grower<'a> {
    config: &'a TreeConfig,
    /// Depths are below this.
    classes: usize,
    weights: Vec<f64>,
}

impl Grower<'_> {
    /// The branch for some cases, pruned; `tests` are above it.
    fn grow(&mut self, cases: &mut [&Lesson], tests: usize) -> Branch {
        let counts = self.count(cases);
        // Of equally frequent depths the shallowest.
        let (depth, &most) =
            counts.iter().enumerate().rev().max_by_key(|&(_, count)| count).unwrap_or((1, &0));
        let leaf = Branch::Leaf { depth: depth as u32, cases: cases.len(), mistakes: cases.len() - most };
        if most == cases.len() || tests == DepthTree::MOST_TESTS {
            return leaf;
        }
        let Some(split) = self.best_split(cases, &counts) else { return leaf };
        cases.sort_by_key(|lesson| lesson.features.get(split.feature) > split.most);
        let middle = cases.partition_point(|lesson| lesson.features.get(split.feature) <= split.most);
        let (low, high) = cases.split_at_mut(middle);
        let (low, high) = (Box::new(self.grow(low, tests + 1)), Box::new(self.grow(high, tests + 1)));
        let branch = Branch::Split { split, low, high };
        let confidence = self.config.confidence;
        let is_no_better =
            leaf.expected_mistakes(confidence) <= branch.expected_mistakes(confidence) + IN_FAVOUR_OF_LEAVES;
        if is_no_better { leaf } else { branch }
    }

    fn count(&self, cases: &[&Lesson]) -> Vec<usize> {
        let mut counts = vec![0; self.classes];
        cases.iter().for_each(|lesson| counts[lesson.depth as usize] += 1);
        counts
    }

    /// The split with the highest gain ratio among those of at least average gain.
    fn best_split(&self, cases: &mut [&Lesson], counts: &[usize]) -> Option<Split> {
        let splits: Vec<Split> =
            Feature::ALL.into_iter().filter_map(|feature| self.split_by(feature, cases, counts)).collect();
        let average = splits.iter().map(|split| split.gain).sum::<f64>() / splits.len() as f64;
        let good = splits.into_iter().filter(|split| split.gain >= average - AVERAGE);
        // The first of equals.
        good.reduce(|best, split| if split.ratio() > best.ratio() { split } else { best })
    }

    /// The split by a feature with the highest gain. `None` if there is none with a gain.
    fn split_by(&self, feature: Feature, cases: &mut [&Lesson], counts: &[usize]) -> Option<Split> {
        let value = |lesson: &Lesson| lesson.features.get(feature);
        cases.sort_by_key(|lesson| value(lesson));
        let weight = |count: usize| self.weights[count];
        let mut low = vec![0; self.classes];
        let mut high = counts.to_vec();
        let total = cases.len();
        let mut sums = (0.0, counts.iter().map(|&count| weight(count)).sum::<f64>());
        // Entropies times cases are the weight of all cases less the weights of each depth's.
        let before = weight(total) - sums.1;
        let mut best: Option<(f64, usize)> = None;
        let mut places = 0;
        for place in 1..total {
            let class = cases[place - 1].depth as usize;
            sums.0 += weight(low[class] + 1) - weight(low[class]);
            sums.1 += weight(high[class] - 1) - weight(high[class]);
            low[class] += 1;
            high[class] -= 1;
            let is_large = place.min(total - place) >= self.config.least_in_leaf.max(1);
            if !is_large || value(cases[place - 1]) == value(cases[place]) {
                continue;
            }
            places += 1;
            let after = weight(place) - sums.0 + weight(total - place) - sums.1;
            let gain = (before - after) / total as f64;
            if best.is_none_or(|(known, _)| gain > known) {
                best = Some((gain, place));
            }
        }
        let (gain, place) = best?;
        // It takes this many bits a case to say which of the places it is.
        let gain = gain - f64::from(places).log2() / total as f64;
        let information = (weight(total) - weight(place) - weight(total - place)) / total as f64;
        let most = roundest_between(value(cases[place - 1]), value(cases[place]));
        (gain > 1e-9).then_some(Split { feature, most, gain, information })
    }
}

/// The number with the fewest digits from `low` on and below `high`: trees are read by people.
fn roundest_between(low: u64, high: u64) -> u64 {
    let powers = (0..20).rev().map(|digits| 10_u64.pow(digits));
    let rounded = powers.filter_map(|power| low.div_ceil(power).checked_mul(power));
    rounded.into_iter().find(|&rounded| rounded < high).unwrap_or(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_classics::depth::Features;

    fn lesson(values: &[(Feature, u64)], depth: u32) -> Lesson {
        let mut features = Features::default();
        values.iter().for_each(|&(feature, value)| features.set(feature, value));
        Lesson { features, depth }
    }

    fn refs(lessons: &[Lesson]) -> Vec<&Lesson> {
        lessons.iter().collect()
    }

    const LOOSE: TreeConfig = TreeConfig { least_in_leaf: 1, confidence: 0.25 };

    /// Quinlan's 14 days of golf by their humidity and wind (1993, table 2.1): 9 of them to play on. For
    /// wind: entropy 0.940, gain 0.048, split information 0.985.
    #[test]
    fn gains_are_those_of_the_book() {
        let days = [
            (70, 1, 2),
            (90, 1, 1),
            (85, 0, 1),
            (95, 0, 1),
            (70, 0, 2),
            (90, 1, 2),
            (78, 0, 2),
            (65, 1, 2),
            (75, 0, 2),
            (80, 1, 1),
            (70, 1, 1),
            (80, 0, 2),
            (80, 0, 2),
            (96, 0, 2),
        ];
        let lessons: Vec<Lesson> = days
            .iter()
            .map(|&(humidity, wind, play)| {
                lesson(&[(Feature::Raised, humidity), (Feature::Downhill, wind)], play)
            })
            .collect();
        let grower = Grower { config: &LOOSE, classes: 3, weights: weights(14) };
        let mut cases = refs(&lessons);
        let counts = grower.count(&cases);
        assert_eq!(counts, [0, 5, 9]);
        let wind = grower.split_by(Feature::Downhill, &mut cases, &counts).unwrap();
        assert!((wind.gain - 0.048).abs() < 1e-3, "{wind:?}");
        assert!((wind.information - 0.985).abs() < 1e-3, "{wind:?}");
        assert!((wind.ratio() - 0.049).abs() < 1e-3, "{wind:?}");
        // Humidity is best cut above 80: of 9 days 7 are good, of 5 are 2. Gain 0.102, less log2(9 places) /
        // 14 for the place.
        let humidity = grower.split_by(Feature::Raised, &mut cases, &counts);
        assert!(humidity.is_none(), "the gain does not pay for the place: {humidity:?}");
        assert!(grower.split_by(Feature::Slope, &mut cases, &counts).is_none(), "all values are the same");
    }

    #[test]
    fn a_rule_is_found_again() {
        let rule = |raised: u64, states: u64| match (raised <= 300, states <= 7) {
            (true, _) => 1,
            (false, true) => 9,
            (false, false) => 4,
        };
        let lessons: Vec<Lesson> = (0..2000_u64)
            .map(|i| {
                let (raised, states) = (i * 37 % 1000, i * 11 % 20);
                let values = [
                    (Feature::Raised, raised),
                    (Feature::DistinctStates, states),
                    (Feature::Slope, i * 7 % 13),
                ];
                lesson(&values, rule(raised, states))
            })
            .collect();
        let tree = induce(&refs(&lessons), TreeSettings::default(), &TreeConfig::default()).unwrap();
        assert_eq!(tree.leaves(), 3, "{}", tree.to_text(""));
        assert!(lessons.iter().all(|lesson| tree.depth(&lesson.features) == lesson.depth));
        assert_eq!(tree.nodes()[0], TreeNode::Test { feature: Feature::Raised, most: 300 });
    }

    #[test]
    fn chance_is_pruned_away() {
        let mut rng = crate::random::Rng::new(7, 0);
        let lessons: Vec<Lesson> = (0..3000)
            .map(|_| {
                let values = Feature::ALL.map(|feature| (feature, rng.below(1000)));
                lesson(&values, if rng.chance(0.7) { 1 } else { 10 })
            })
            .collect();
        let strict = TreeConfig { least_in_leaf: 25, confidence: 0.05 };
        let tree = induce(&refs(&lessons), TreeSettings::default(), &strict).unwrap();
        assert!(tree.leaves() <= 3, "{} leaves", tree.leaves());
        assert_eq!(tree.depth(&lessons[0].features), 1);
    }

    #[test]
    fn leaves_are_as_large_as_they_must_be() {
        let lessons: Vec<Lesson> =
            (0..100).map(|i| lesson(&[(Feature::Raised, i)], if i < 10 { 5 } else { 1 })).collect();
        let leaves = |least_in_leaf| {
            let config = TreeConfig { least_in_leaf, confidence: 0.25 };
            induce(&refs(&lessons), TreeSettings::default(), &config).unwrap().leaves()
        };
        assert_eq!((leaves(10), leaves(51)), (2, 1));
    }

    #[test]
    fn no_lessons_and_wrong_ones() {
        let settings = TreeSettings::default();
        let tree = induce(&[], settings, &LOOSE).unwrap();
        assert_eq!(tree.nodes(), [TreeNode::Depth(10)]);
        assert!(induce(&[&lesson(&[], 11)], settings, &LOOSE).is_err());
        assert!(induce(&[&lesson(&[], 0)], settings, &LOOSE).is_err());
    }

    #[test]
    fn limits_are_round() {
        for (low, high, round) in
            [(0, 1, 0), (1_414_213, 2_000_000, 1_500_000), (5, 6, 5), (0, 1_000_000, 0), (999, 1001, 1000)]
        {
            assert_eq!(roundest_between(low, high), round);
        }
        assert!(roundest_between(u64::MAX - 1, u64::MAX) == u64::MAX - 1);
    }
}
