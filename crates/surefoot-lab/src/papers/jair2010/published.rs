//! The figures of Tables 1 to 6 of the paper, in one.

use crate::report::Published::{self, Computed, Misprint, Printed};

/// What was published on one algorithm.
pub(super) struct Line {
    pub(super) name: &'static str,
    /// Which of our lines it stands beside.
    pub(super) spec: &'static str,
    /// The name in plots.
    pub(super) family: &'static str,
    pub(super) micros: f64,
    pub(super) suboptimality_pct: Published,
    pub(super) strictly_online_kb: f64,
    pub(super) cumulative_kb: Published,
    /// Nothing for an algorithm that builds nothing.
    pub(super) database: Option<Database>,
}

/// What was published on the database of an algorithm.
pub(super) struct Database {
    pub(super) build_hours: f64,
    pub(super) records: f64,
    pub(super) relative_size: f64,
    pub(super) megabytes: f64,
    pub(super) break_even: Published,
}

const KNN: &str = "kNN LRTA*";
pub(super) const D: &str = "D LRTA*";
const TBA: &str = "TBA*";

/// All lines, in the order of Table 3, then TBA* and A*.
pub(super) const LINES: [Line; 13] = [
    with_database(
        ("kNN LRTA*(10000)", "knn-lrta*(n=10000)", KNN),
        (7.56, 6851.62),
        (8.62, Printed(265.65)),
        (13.10, 10_000.0, 0.003_08, 0.25),
        Printed(1.0),
    ),
    with_database(
        ("kNN LRTA*(40000)", "knn-lrta*(n=40000)", KNN),
        (6.88, 620.63),
        (5.04, Printed(1034.08)),
        (51.89, 40_000.0, 0.012_34, 1.00),
        Printed(1.0),
    ),
    with_database(
        ("kNN LRTA*(60000)", "knn-lrta*(n=60000)", KNN),
        (6.40, 12.77),
        (4.23, Printed(1547.85)),
        (77.30, 60_000.0, 0.018_51, 1.51),
        Printed(2.0),
    ),
    with_database(
        ("kNN LRTA*(80000)", "knn-lrta*(n=80000)", KNN),
        (6.55, 11.96),
        (4.22, Computed(2062.4)),
        (103.09, 80_000.0, 0.024_68, 2.01),
        Printed(2.0),
    ),
    with_database(
        ("D LRTA*(12)", "d-lrta*(level=12)", D),
        (3.73, 15_999.23),
        (18.76, Printed(87_019.74)),
        (0.25, 251.5, 1.000_01, 84.96),
        Printed(66.0),
    ),
    with_database(
        ("D LRTA*(11)", "d-lrta*(level=11)", D),
        (3.93, 8497.09),
        (11.09, Printed(87_018.50)),
        (1.57, 1896.5, 1.000_09, 84.97),
        Misprint { printed: 66.0, corrected: 65.0 },
    ),
    with_database(
        ("D LRTA*(10)", "d-lrta*(level=10)", D),
        (4.26, 6831.74),
        (8.24, Computed(87_066.33)),
        (11.95, 14_872.0, 1.000_68, 85.02),
        Printed(65.0),
    ),
    with_database(
        ("D LRTA*(9)", "d-lrta*(level=9)", D),
        (3.94, 819.72),
        (3.04, Computed(87_456.35)),
        (89.88, 116_048.5, 1.005_32, 85.40),
        Printed(65.0),
    ),
    alone(("TBA*(5)", "tba*(slice=5)", TBA), 14.31, Printed(1504.54)),
    alone(("TBA*(10)", "tba*(slice=10)", TBA), 26.34, Printed(666.50)),
    alone(("TBA*(50)", "tba*(slice=50)", TBA), 83.31, Misprint { printed: 83.31, corrected: 131.12 }),
    alone(("TBA*(100)", "tba*(slice=100)", TBA), 117.52, Printed(64.66)),
    alone(("A*", "a*", "A*"), 208.03, Printed(0.0)),
];

type Names = (&'static str, &'static str, &'static str);

const fn with_database(
    (name, spec, family): Names,
    (micros, suboptimality_pct): (f64, f64),
    (strictly_online_kb, cumulative_kb): (f64, Published),
    (build_hours, records, relative_size, megabytes): (f64, f64, f64, f64),
    break_even: Published,
) -> Line {
    let database = Some(Database { build_hours, records, relative_size, megabytes, break_even });
    let suboptimality_pct = Printed(suboptimality_pct);
    Line { name, spec, family, micros, suboptimality_pct, strictly_online_kb, cumulative_kb, database }
}

const fn alone((name, spec, family): Names, micros: f64, suboptimality_pct: Published) -> Line {
    let (strictly_online_kb, cumulative_kb) = (1353.94, Printed(1353.94));
    Line { name, spec, family, micros, suboptimality_pct, strictly_online_kb, cumulative_kb, database: None }
}

/// A* difficulty: name, figure.
pub(super) const DIFFICULTY: [(&str, f64); 4] =
    [("mean", 62.60), ("median", 36.47), ("standard deviation", 64.14), ("largest", 199.8)];
