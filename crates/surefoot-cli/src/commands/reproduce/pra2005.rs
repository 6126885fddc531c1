//! `surefoot reproduce pra2005`: PRA* beside A*, and both in the clocked game.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use surefoot_lab::clock::Pace;
use surefoot_lab::papers::refinement::{self, BUCKET_LENGTH, BUCKETS, Measure, PLANNING_MS, Walks};
use surefoot_lab::plan::Plan;
use surefoot_lab::runs::ResultSet;
use surefoot_lab::spread::Spread;

use crate::failure::Failure;
use crate::output::{Output, tell};
use crate::table::{NOTHING, Table, thousands};

/// The file of all figures.
const FILE: &str = "pra2005.csv";
/// The buckets that a line of a table stands for.
const BUCKETS_A_LINE: u32 = 8;
/// Paths of these buckets are long: from length 256 on.
const LONG: Range<u32> = BUCKETS / 2..BUCKETS;
/// The planning time a frame, of the paper's, that is the shortest.
const SHORTEST_TIME: usize = PLANNING_MS.len() - 1;

/// The tables of the experiment. Percentiles of every measure in every bucket are written to a file in the folder.
pub(super) fn report(results: &ResultSet, plan: &Plan, folder: &Path) -> Result<String, Failure> {
    let all = refinement::walks(results);
    let mut file = Output::create(&folder.join(FILE))?;
    let written = refinement::write_figures(&mut file, &all);
    written.map_err(|error| Failure::write(file.path(), &error))?;
    let path = file.path().to_path_buf();
    file.finish()?;
    tell(&format!("wrote {}: percentiles of every measure in every bucket", path.display()));
    let of_the_paper = all.iter().take_while(|walks| walks.every_path).count();
    let (paper, real_time) = all.split_at(of_the_paper);
    let maps: BTreeSet<&str> = results.units.iter().map(|unit| unit.map.name.as_str()).collect();
    Ok(figures(maps.len(), paper, plan) + &real_time_table(real_time, plan))
}

/// The tables of Figures 5 to 7, each with what was published, in words.
fn figures(maps: usize, paper: &[Walks], plan: &Plan) -> String {
    let [a_star, pra, partial @ ..] = paper else { return String::new() };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "PRA*, 2005: {} maps, {} paths of length 0 to 511, no cut corners (published: 116 maps, 148,480 paths). Planning time is {}.\n",
        maps,
        thousands(a_star.walks.len() as u64),
        match plan.game {
            Some(Pace::Rate(rate)) => format!("work at {rate} expansions a millisecond"),
            _ => format!(
                "measured, one walk at a time, the fastest of {} for the algorithms of the paper",
                plan.parts.first().map_or(1, |part| part.passes)
            ),
        }
    );
    let _ = writeln!(
        text,
        "Figure 5: planning time in us, and how many times as long A* takes for the same path\n"
    );
    text += &time_table(a_star, pra);
    let _ = writeln!(
        text,
        "published: the gain grows about linearly with the length, to about 10 times; 2.2 expansions a us.\n\
        ours: {:.1} expansions a us (A*), {:.1} (PRA*).\n",
        a_star.expansions_per_us(),
        pra.expansions_per_us()
    );
    let _ = writeln!(text, "Figure 6 a: PRA*(infinity), length over that of a shortest path\n");
    text += &quality_table(pra);
    text += "published: 98 % of the paths within 1 %, 95 % within 0.5 %, more than 10 % very rare.\n\n";
    let _ = writeln!(text, "Figure 6 b: the same for PRA*(k), 98th percentile\n");
    let with_infinity: Vec<&Walks> = partial.iter().chain([pra]).collect();
    text += &table_by_length(&with_infinity, |walks, places| {
        ratio_cell(walks.spread(places, Measure::LengthRatio).percentile(98.0))
    });
    text += "published: longer than those of PRA*(infinity), but short enough for many purposes.\n\n";
    let _ = writeln!(text, "Figure 6 c: planning time of a whole path in us, 95th percentile\n");
    text += &table_by_length(&with_infinity, |walks, places| {
        micros_cell(walks.spread(places, Measure::PlanningMs).percentile(95.0))
    });
    text += "published: grows faster than the length; less for larger k; PRA*(16) at length 508 to 512 about as PRA*(infinity), at \
        most 60 ms (2 GHz).\n\n";
    let everyone: Vec<&Walks> = paper.iter().collect();
    for (clock, ms) in PLANNING_MS.iter().enumerate() {
        let _ = writeln!(
            text,
            "Figure 7, {ms} ms of planning a frame of 100 ms, 10 tiles a second: frames over those of the same walk without thinking, 98th \
             percentile (a* is s-A*, pra* is s-PRA*)\n"
        );
        text += &table_by_length(&everyone, |walks, places| {
            ratio_cell(walks.spread(places, Measure::Slowdown(clock)).percentile(98.0))
        });
        text += "\n";
    }
    let _ = writeln!(
        text,
        "The same, {} ms, over the frames of a shortest path that is walked in one go\n",
        PLANNING_MS[SHORTEST_TIME]
    );
    text += &table_by_length(&everyone, |walks, places| {
        ratio_cell(walks.spread(places, Measure::OverShortest(SHORTEST_TIME)).percentile(98.0))
    });
    text += "published: with 1 ms a frame, long paths by PRA*(16) are less than 5 % from the minimum in 98 % of the cases, and take less \
        than those by s-A* and s-PRA*.\n";
    if let Some(partial) = partial.last() {
        let places = partial.places(&LONG);
        for (measure, what) in [
            (Measure::Slowdown(SHORTEST_TIME), "over the same walk without thinking"),
            (Measure::OverShortest(SHORTEST_TIME), "over a shortest path"),
        ] {
            let spread = partial.spread(&places, measure);
            let _ = writeln!(
                text,
                "ours: {} from length {} on, {what}: {} in 98 % of the cases; less than 5 % in {:.2} %.",
                partial.spec,
                LONG.start * BUCKET_LENGTH,
                ratio_cell(spread.percentile(98.0)),
                100.0 * spread.part_within(1.05)
            );
        }
    }
    text + "\n"
}

fn time_table(a_star: &Walks, pra: &Walks) -> String {
    let mut table = Table::new(&[
        "length",
        "paths",
        "A* 5 %",
        "50 %",
        "95 %",
        "PRA* 5 %",
        "50 %",
        "95 %",
        "A*/PRA* 5 %",
        "50 %",
        "95 %",
        "by expansions 50 %",
    ]);
    for (name, buckets) in lengths() {
        let places = pra.places(&buckets);
        let own = [a_star, pra].map(|walks| walks.spread(&places, Measure::PlanningMs));
        let gain = pra.gain_over(a_star, &places, Measure::PlanningMs);
        let by_work = pra.gain_over(a_star, &places, Measure::Expansions);
        let mut row = vec![name, places.len().to_string()];
        for spread in &own {
            row.extend([5.0, 50.0, 95.0].map(|percent| micros_cell(spread.percentile(percent))));
        }
        row.extend([5.0, 50.0, 95.0].map(|percent| times_cell(gain.percentile(percent))));
        row.push(times_cell(by_work.percentile(50.0)));
        table.row(row);
    }
    table.to_text()
}

fn quality_table(pra: &Walks) -> String {
    let mut table = Table::new(&[
        "length",
        "paths",
        "within 0.5 % (%)",
        "within 1 % (%)",
        "above 10 % (%)",
        "95 %",
        "98 %",
        "max",
    ]);
    for (name, buckets) in lengths().chain([("all".to_string(), 0..BUCKETS)]) {
        let spread = pra.spread(&pra.places(&buckets), Measure::LengthRatio);
        let within = |limit| 100.0 * spread.part_within(limit);
        table.row(vec![
            name,
            spread.count().to_string(),
            format!("{:.2}", within(1.005)),
            format!("{:.2}", within(1.01)),
            format!("{:.3}", 100.0 - within(1.1)),
            ratio_cell(spread.percentile(95.0)),
            ratio_cell(spread.percentile(98.0)),
            ratio_cell(spread.max()),
        ]);
    }
    table.to_text()
}

/// A table with a line for each range of lengths and a column for each algorithm.
fn table_by_length(algorithms: &[&Walks], cell: impl Fn(&Walks, &[usize]) -> String) -> String {
    let names: Vec<String> = algorithms.iter().map(|walks| walks.spec.to_string()).collect();
    let head: Vec<&str> = ["length"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&head);
    for (name, buckets) in lengths() {
        let cells = algorithms.iter().map(|walks| cell(walks, &walks.places(&buckets)));
        table.row([name].into_iter().chain(cells).collect());
    }
    table.to_text()
}

/// The real-time algorithms in the clocked game.
fn real_time_table(all: &[Walks], plan: &Plan) -> String {
    let quarters: Vec<Range<u32>> = (0..4).map(|quarter| quarter * 32..(quarter + 1) * 32).collect();
    let head: Vec<String> = ["algorithm", "paths", "cut off", "slow-down 98 %", "max"]
        .into_iter()
        .map(str::to_string)
        .chain(["50 %", "98 %"].iter().flat_map(|percent| {
            quarters.iter().map(move |buckets| format!("{percent} {}", name_of(buckets)))
        }))
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(&head);
    for walks in all {
        let slow_down = walks.spread(&walks.places(&(0..BUCKETS)), Measure::Slowdown(SHORTEST_TIME));
        let over: Vec<Spread> = quarters
            .iter()
            .map(|buckets| walks.spread(&walks.places(buckets), Measure::OverShortest(SHORTEST_TIME)))
            .collect();
        let mut row = vec![
            walks.spec.to_string(),
            slow_down.count().to_string(),
            slow_down.cut_off().to_string(),
            ratio_cell(slow_down.percentile(98.0)),
            ratio_cell(slow_down.max()),
        ];
        row.extend(
            [50.0, 98.0]
                .iter()
                .flat_map(|&percent| over.iter().map(move |spread| ratio_cell(spread.percentile(percent)))),
        );
        table.row(row);
    }
    format!(
        "Beyond the paper: real-time algorithms with {} ms of planning a frame, one path in every {} buckets of each map. Slow-down as \
         in Figure 7; then frames over those of a shortest path that is walked in one go. Walks are cut off after {} moves and count as longer than \
         all others; a dash stands for a percentile that lies among them.\n\n{}",
        PLANNING_MS[SHORTEST_TIME],
        plan.parts.last().and_then(|part| part.every_bucket).unwrap_or(1),
        thousands(plan.most_moves.unwrap_or(u64::MAX)),
        table.to_text()
    )
}

/// The lines of a table: ranges of lengths, and the buckets in them.
fn lengths() -> impl Iterator<Item = (String, Range<u32>)> {
    (0..BUCKETS / BUCKETS_A_LINE).map(|line| {
        let buckets = line * BUCKETS_A_LINE..(line + 1) * BUCKETS_A_LINE;
        (name_of(&buckets), buckets)
    })
}

fn name_of(buckets: &Range<u32>) -> String {
    format!("{}-{}", buckets.start * BUCKET_LENGTH, buckets.end * BUCKET_LENGTH - 1)
}

fn ratio_cell(ratio: Option<f64>) -> String {
    ratio.map_or(NOTHING.to_string(), |ratio| format!("{ratio:.4}"))
}

fn times_cell(times: Option<f64>) -> String {
    times.map_or(NOTHING.to_string(), |times| format!("{times:.2}"))
}

fn micros_cell(milliseconds: Option<f64>) -> String {
    milliseconds.map_or(NOTHING.to_string(), |milliseconds| format!("{:.0}", milliseconds * 1000.0))
}
