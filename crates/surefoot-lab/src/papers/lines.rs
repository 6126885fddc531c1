//! The results of a plan as lines of tables: one algorithm with its parameters over all maps and seeds.

use surefoot::agent::Spec;

use crate::measures::{BYTES_A_STATE, Memory, Sample, pareto_front};
use crate::report::{Beside, Cell, Column, Figure, Form, Origin, Point, Series, Table, fixed, significant};
use crate::rows::Row;
use crate::runs::{DatabaseFacts, MapFacts, UnitResult};

/// An algorithm with its parameters, and all that came of it.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// The algorithm.
    pub(super) spec: &'a Spec,
    /// One for each map and seed.
    pub(super) units: Vec<&'a UnitResult>,
}

/// The lines of some units, in the order in which their algorithms come first.
pub(super) fn lines<'a>(units: impl IntoIterator<Item = &'a UnitResult>) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    for unit in units {
        match lines.iter_mut().find(|line| *line.spec == unit.spec) {
            Some(line) => line.units.push(unit),
            None => lines.push(Line { spec: &unit.spec, units: vec![unit] }),
        }
    }
    lines
}

/// The place of the line that a published one stands for: the same algorithm with the same values for the
/// keys that are given, and of several such lines the one with the fewest other keys.
pub(super) fn find(lines: &[Line<'_>], text: &str) -> Option<usize> {
    let wanted: Spec = text.parse().ok()?;
    let is_like = |spec: &Spec| {
        spec.algorithm() == wanted.algorithm()
            && wanted.keys().all(|key| spec.value(key) == wanted.value(key))
    };
    let places = (0..lines.len()).filter(|&place| is_like(lines[place].spec));
    places.min_by_key(|&place| lines[place].spec.keys().count())
}

impl<'a> Line<'a> {
    /// The name in tables.
    pub(super) fn name(&self) -> String {
        self.spec.to_string()
    }

    /// The rows of all walks.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'a Row> + '_ {
        self.units.iter().flat_map(|unit| &unit.rows)
    }

    /// A figure of the walks that arrived.
    pub(super) fn sample(&self, figure: impl Fn(&Row) -> Option<f64>) -> Sample {
        self.rows().filter(|row| row.solved).filter_map(figure).collect()
    }

    /// The suboptimality in percent of the walks that arrived.
    pub(super) fn suboptimality(&self) -> Sample {
        self.sample(|row| row.suboptimality_pct)
    }

    /// The states expanded a move, walk by walk.
    pub(super) fn expansions(&self) -> Sample {
        self.sample(|row| Some(row.expansions_mean))
    }

    /// The planning time a move in microseconds, walk by walk; empty if walks were not timed.
    pub(super) fn micros(&self) -> Sample {
        self.sample(|row| row.plan_ns_mean.map(|ns| ns / 1e3))
    }

    /// Walks that did not arrive although there is a way.
    pub(super) fn failures(&self) -> u64 {
        self.rows().filter(|row| !row.solved && row.optimal_cost.is_some()).count() as u64
    }

    /// The most states expanded on any move, walks included that did not arrive.
    pub(super) fn worst_move(&self) -> u64 {
        self.rows().map(|row| row.expansions_max).max().unwrap_or(0)
    }

    /// Whether every walk arrived, and there is one.
    pub(super) fn always_arrives(&self) -> bool {
        self.failures() == 0 && self.rows().any(|row| row.solved)
    }

    /// The mean of a figure over the databases, one for each map and seed. `None` if there is none.
    pub(super) fn of_databases(&self, figure: impl Fn(&UnitResult, &DatabaseFacts) -> f64) -> Option<f64> {
        let units = self.units.iter().filter_map(|unit| unit.database.as_ref().map(|own| figure(unit, own)));
        units.collect::<Sample>().mean()
    }

    /// The states in the database as the papers count them, relative to so many cells of the map, mean over
    /// the databases. D LRTA* and its kin have a label for every cell of the map, free or not, and a state
    /// for each pair of regions.
    pub(super) fn relative_size(&self, cells: impl Fn(&MapFacts) -> f64) -> Option<f64> {
        self.of_databases(|unit, own| {
            let cells = cells(&unit.map);
            if has_labels(own) { 1.0 + own.entries as f64 / cells } else { own.states as f64 / cells }
        })
    }

    /// Building time in seconds, mean over the databases; 0 for an algorithm without one.
    pub(super) fn build_seconds(&self) -> f64 {
        self.of_databases(|_, own| own.build_seconds).unwrap_or(0.0)
    }

    /// The memory in KB as the papers count it: four bytes a state. Nothing without walks.
    pub(super) fn memory_kb(&self) -> Option<Memory> {
        let strictly_online = self.sample(|row| Some(row.online_states as f64)).mean()?;
        let kb = |states: f64| states * BYTES_A_STATE / 1024.0;
        let states = |unit: &UnitResult, own: &DatabaseFacts| match has_labels(own) {
            true => (unit.map.cells() + own.entries) as f64,
            false => own.states as f64,
        };
        let shared = self.of_databases(states).unwrap_or(0.0);
        Some(Memory { shared: kb(shared), strictly_online: kb(strictly_online) })
    }

    /// The line in pieces that differ by nothing but a key of their units, in the order of the keys.
    fn by<K: Ord + Copy>(&self, key: impl Fn(&UnitResult) -> K) -> Vec<Line<'a>> {
        let mut keys: Vec<K> = self.units.iter().map(|unit| key(unit)).collect();
        keys.sort_unstable();
        keys.dedup();
        let of = |own: K| self.units.iter().copied().filter(|unit| key(unit) == own).collect();
        keys.into_iter().map(|own| Line { spec: self.spec, units: of(own) }).collect()
    }

    /// The ways to lay the maps as lines of their own, else the seeds, whatever there are several of.
    pub(super) fn ensemble(&self) -> Option<Ensemble<'a>> {
        let ways = ("ways to lay the maps", self.by(|unit| unit.map.symmetry));
        let seeds = ("seeds", self.by(|unit| unit.seed));
        let (what, members) = [ways, seeds].into_iter().find(|(_, members)| members.len() > 1)?;
        Some(Ensemble { what, members })
    }

    /// The lowest and the highest of a figure over the ways to lay the maps, or over the seeds.
    pub(super) fn spread(&self, figure: impl Fn(&Line<'_>) -> Option<f64>) -> Option<(f64, f64)> {
        self.ensemble()?.of(figure).range()
    }
}

/// The same experiment several times over: means that differ by nothing but ties, or by the seed.
pub(super) struct Ensemble<'a> {
    /// What there are several of.
    what: &'static str,
    members: Vec<Line<'a>>,
}

impl Ensemble<'_> {
    /// The columns that tell of it.
    pub(super) fn columns() -> [Column; 3] {
        [
            Column::new("over"),
            Column::with_unit("mean ± deviation", "%"),
            Column::with_unit("lowest to highest", "%"),
        ]
    }

    /// A figure of each member.
    fn of(&self, figure: impl Fn(&Line<'_>) -> Option<f64>) -> Sample {
        self.members.iter().filter_map(figure).collect()
    }

    fn means(&self) -> Sample {
        self.of(|line| line.suboptimality().mean())
    }

    /// The cells of these columns.
    pub(super) fn cells(ensemble: Option<&Self>) -> [Cell; 3] {
        let means = ensemble.map(Self::means).unwrap_or_default();
        let (Some(own), Some(mean), Some((low, high))) = (ensemble, means.mean(), means.range()) else {
            return [const { Cell::Missing }; 3];
        };
        let deviation = means.deviation().map_or(String::new(), |own| format!(" ± {}", fixed(own, 2)));
        [
            Cell::text(format!("{} {}", means.count(), own.what)),
            Cell::text(format!("{}{deviation}", fixed(mean, 2))),
            Cell::text(format!("{} to {}", fixed(low, 2), fixed(high, 2))),
        ]
    }

    /// Where a published suboptimality lies among these means, as a sentence.
    pub(super) fn told(&self, published: f64) -> String {
        let means = self.means();
        let is_within = means.range().is_some_and(|(low, high)| (low..=high).contains(&published));
        format!(
            "The published figure lies {} what our {} {} give: {} % of them are below it. ",
            if is_within { "within" } else { "outside" },
            means.count(),
            self.what,
            fixed(means.share_below(published) * 100.0, 0)
        )
    }
}

/// Whether a database labels the cells of the map with regions.
fn has_labels(database: &DatabaseFacts) -> bool {
    database.config.starts_with("patterns(")
}

/// Every measure of every line.
pub(super) fn all_measures(id: &str, lines: &[Line<'_>]) -> Table {
    let column = |name: &str, unit: &str| Column::with_unit(name, unit);
    let mut table = Table::new(
        id,
        "All measures of all algorithms",
        vec![
            Column::new("algorithm"),
            Column::new("problems"),
            Column::new("not arrived"),
            column("suboptimality", "%"),
            column("standard error", "%"),
            column("median", "%"),
            column("95th percentile", "%"),
            column("98th percentile", "%"),
            column("largest", "%"),
            Column::new("expansions a move"),
            Column::new("worst move"),
            column("planning a move", "µs"),
            column("median move", "µs"),
            column("worst move", "µs"),
            column("first move", "µs"),
            column("build", "s"),
            column("database file", "KB"),
            column("strictly on-line", "KB"),
            column("cumulative", "KB"),
        ],
    );
    for line in lines {
        let suboptimality = line.suboptimality();
        let spread = suboptimality.spread();
        let memory = line.memory_kb();
        let micros =
            |figure: fn(&Row) -> Option<u64>| line.sample(move |row| figure(row).map(|ns| ns as f64 / 1e3));
        table.push(vec![
            Cell::text(line.name()),
            Cell::count(line.rows().count() as u64),
            Cell::count(line.failures()),
            Cell::number(suboptimality.mean(), 2),
            Cell::number(suboptimality.standard_error(), 2),
            Cell::number(spread.percentile(50.0), 2),
            Cell::number(spread.percentile(95.0), 2),
            Cell::number(spread.percentile(98.0), 2),
            Cell::number(spread.max(), 2),
            Cell::number(line.expansions().mean(), 2),
            Cell::count(line.worst_move()),
            Cell::number(line.micros().mean(), 3),
            Cell::number(micros(|row| row.plan_ns_median).spread().percentile(50.0), 3),
            Cell::number(micros(|row| row.plan_ns_max).spread().max(), 1),
            Cell::number(micros(|row| row.first_move_ns).mean(), 2),
            Cell::number(line.of_databases(|_, own| own.build_seconds), 2),
            Cell::number(line.of_databases(|_, own| own.bytes as f64 / 1024.0), 1),
            Cell::number(memory.map(|own| own.strictly_online), 2),
            Cell::number(memory.map(|own| own.cumulative()), 2),
        ]);
    }
    table.notes.push(
        "Walks that did not arrive are in no mean and no percentile. Databases are means over maps, built on all cores; on-line memory \
         counts four bytes a state, as the papers do."
            .to_owned(),
    );
    table
}

/// Joins those points of ours that nothing else of ours beats in both figures, of which less is better.
pub(super) fn add_front(figure: &mut Figure) {
    let ours = figure.series.iter().filter(|own| own.origin == Origin::Ours);
    let all: Vec<Point> = ours.flat_map(|own| own.points.iter().cloned()).collect();
    let front = pareto_front(&all.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>());
    if front.len() > 1 {
        figure.series.push(Series {
            name: "front: nothing of ours is better in both".to_owned(),
            origin: Origin::Ours,
            form: Form::Guide,
            points: front.into_iter().map(|place| all[place].clone()).collect(),
        });
    }
}

/// A sentence on what differs from what was published by more than rounding, and the reason. `None` if
/// nothing differs.
pub(super) fn difference(figures: &[(&str, &Cell)], reason: &str) -> Option<String> {
    let differing: Vec<(&str, &Beside)> = figures
        .iter()
        .filter_map(|(name, cell)| match cell {
            Cell::Beside(beside) if beside.differs() => Some((*name, beside)),
            _ => None,
        })
        .collect();
    let told = differing.iter().enumerate().map(|(place, (name, beside))| match (place, compared(beside)) {
        (0, Some(share)) => format!("{} is {share} what was published", capitalised(name)),
        (_, Some(share)) => format!("{name} {}", share.trim_end_matches(" of")),
        (0, None) => format!("{} was published as 0", capitalised(name)),
        (_, None) => format!("{name} was published as 0"),
    });
    let sentence = told.collect::<Vec<_>>().join(", ");
    match (sentence.is_empty(), reason.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("{sentence}.")),
        (false, false) => Some(format!("{sentence}. {reason}")),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}

/// How much of the published figure ours is, so that "what was published" can follow. `None` if that is 0.
fn compared(beside: &Beside) -> Option<String> {
    let ratio = beside.ratio()?;
    Some(match ratio {
        0.0 => "nothing of".to_owned(),
        0.0..0.1 => format!("1/{} of", significant(1.0 / ratio, 2)),
        // What would read as once.
        0.995..1.0 => "a little below".to_owned(),
        1.0..1.005 => "a little above".to_owned(),
        _ => format!("{} times", significant(ratio, 3)),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::maps::Symmetry;
    use crate::report::Published;
    use crate::runs::Provenance;

    /// A unit with walks of these suboptimalities in percent and expansions a move; `None` did not arrive.
    pub(in crate::papers) fn unit(
        spec: &str,
        map: &str,
        seed: u64,
        walks: &[(Option<f64>, f64)],
    ) -> UnitResult {
        let row = |&(suboptimality, expansions): &(Option<f64>, f64)| Row {
            algorithm: spec.to_owned(),
            map: map.to_owned(),
            solved: suboptimality.is_some(),
            suboptimality_pct: suboptimality,
            optimal_cost: Some(100.0),
            travel_cost: 100.0 + suboptimality.unwrap_or(900.0),
            moves: 100,
            expansions_mean: expansions,
            expansions_max: (3.0 * expansions) as u64,
            online_states: 256,
            ..crate::rows::tests::row(9, Some(4), true)
        };
        let map = MapFacts {
            name: map.to_owned(),
            fingerprint: 1,
            width: 100,
            height: 50,
            states: 3000,
            rule: "squeeze".to_owned(),
            cost: "1.4".to_owned(),
            symmetry: Symmetry::NONE,
        };
        let has_database = spec.starts_with("knn") || spec.starts_with("d-") || spec.contains("pdb");
        UnitResult {
            experiment: "made-up".to_owned(),
            part: String::new(),
            map,
            spec: spec.parse().unwrap(),
            seed,
            timed: true,
            database: has_database.then(|| DatabaseFacts {
                config: if spec.starts_with("knn") { "subgoals()" } else { "patterns()" }.to_owned(),
                states: 512,
                bytes: 2048,
                memory_bytes: Some(4096),
                entries: 100,
                build_seconds: 3.0,
            }),
            provenance: Provenance::here(Some("abc"), None),
            rows: walks.iter().map(row).collect(),
        }
    }

    #[test]
    fn the_ways_to_lay_a_map_make_an_ensemble() {
        let mut units: Vec<UnitResult> =
            [10.0, 20.0, 60.0].map(|percent| unit("d-lrta*", "a", 1, &[(Some(percent), 1.0)])).into();
        for (unit, symmetry) in units.iter_mut().zip(Symmetry::all()) {
            unit.map.symmetry = symmetry;
        }
        let ensemble = lines(&units)[0].ensemble().unwrap();
        let expected = ["3 ways to lay the maps", "30.00 ± 26.46", "10.00 to 60.00"].map(Cell::text);
        assert_eq!(Ensemble::cells(Some(&ensemble)), expected);
        assert!(ensemble.told(15.0).contains("within what our 3 ways to lay the maps give: 33 %"));
        assert!(ensemble.told(70.0).contains("outside"));
        assert_eq!(Ensemble::cells(None).len(), Ensemble::columns().len());
    }

    #[test]
    fn lines_gather_maps_and_seeds() {
        let units = [
            unit("knn-lrta*(n=10)", "a", 1, &[(Some(10.0), 1.0), (None, 50.0)]),
            unit("a*", "a", 1, &[(Some(0.0), 30.0)]),
            unit("knn-lrta*(n=10)", "a", 2, &[(Some(30.0), 3.0), (Some(20.0), 2.0)]),
        ];
        let lines = lines(&units);
        assert_eq!(lines.len(), 2);
        let knn = &lines[find(&lines, "knn-lrta*(n=10)").unwrap()];
        assert_eq!((knn.suboptimality().mean(), knn.failures(), knn.worst_move()), (Some(20.0), 1, 150));
        assert_eq!(knn.spread(|line| line.suboptimality().mean()), Some((10.0, 25.0)));
        assert!(lines[1].ensemble().is_none());
        assert!(!knn.always_arrives() && lines[1].always_arrives());
        // 512 and 256 states of four bytes.
        assert_eq!(knn.memory_kb(), Some(Memory { shared: 2.0, strictly_online: 1.0 }));
        let cells = |map: &MapFacts| map.cells() as f64;
        assert_eq!(knn.relative_size(cells), Some(512.0 / 5000.0));
        let units = [unit("d-lrta*(level=3)", "a", 1, &[(Some(0.0), 1.0)])];
        let labelled = &super::lines(&units)[0];
        assert_eq!(labelled.relative_size(cells), Some(1.02));
        assert_eq!(labelled.memory_kb().map(|own| own.shared), Some(5100.0 * 4.0 / 1024.0));
        assert_eq!((knn.build_seconds(), lines[1].build_seconds()), (3.0, 0.0));
        assert_eq!(all_measures("all", &lines).rows.len(), 2);
    }

    #[test]
    fn a_published_line_is_found_by_its_keys() {
        let specs = ["d-lrta*(level=5,d=3,aligned=yes)", "d-lrta*(level=5,d=3)", "lrta*(f,pdb,level=5,d=3)"];
        let units: Vec<UnitResult> = specs.iter().map(|spec| unit(spec, "a", 1, &[])).collect();
        let lines = lines(&units);
        assert_eq!(find(&lines, "d-lrta*(level=5)"), Some(1));
        assert_eq!(find(&lines, "d-lrta*(level=5,aligned=yes)"), Some(0));
        assert_eq!(find(&lines, "lrta*(f,pdb;d=3)"), Some(2));
        assert_eq!((find(&lines, "d-lrta*(level=6)"), find(&lines, "lrta*(d=3)")), (None, None));
    }

    #[test]
    fn differences_become_a_sentence() {
        let cell = |published, ours| Cell::beside(Some(Published::Printed(published)), Some(ours), 2);
        let (same, more, none) = (cell(1.0, 1.001), cell(2.0, 3.0), cell(0.0, 0.5));
        assert_eq!(difference(&[("build", &same)], "Why."), None);
        let told = difference(&[("build", &same), ("the time", &more), ("the size", &none)], "Why.");
        let expected = "The time is 1.50 times what was published, the size was published as 0. Why.";
        assert_eq!(told.as_deref(), Some(expected));
        let less = cell(8.0, 0.1);
        let told = difference(&[("build", &less), ("size", &less)], "");
        assert_eq!(told.as_deref(), Some("Build is 1/80 of what was published, size 1/80."));
        let (above, below) = (cell(100.0, 100.1), cell(100.0, 99.9));
        let told = difference(&[("build", &above), ("size", &below)], "");
        let expected = "Build is a little above what was published, size a little below.";
        assert_eq!(told.as_deref(), Some(expected));
    }
}
