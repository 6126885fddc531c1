//! `surefoot tune`: which algorithm suits a game's map and limits.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use surefoot::formats::read_any_map;
use surefoot_lab::tune::{
    Choice, FEWEST_WALKS, GIVE_UP, Limit, Limits, Measured, Reason, Request, Tuning, choose, tune,
};

use crate::allocation;
use crate::failure::Failure;
use crate::number;
use crate::output;
use crate::progress::Progress;
use crate::table::{NOTHING, Table, duration, span, thousands};
use crate::world::WorldOptions;

/// Measure every algorithm on a map and recommend the best under your limits
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot tune --map arena.map\n  \
    surefoot tune --map arena.map --agents 2000 --frame-ms 2 --memory-mb 16\n  \
    surefoot tune --map arena.map --agents 200 --frame-ms 2 --memory-mb 16 --at-once --time 300 --json\n\n\
    Every algorithm is tried with a few parameters that suit the map's size. Its database is built on\n\
    all cores, and it walks random problems alone, twice where there is time. The shorter time counts,\n\
    since what else the machine does makes it longer.\n\
    The best is the one with the shortest walks among those that always arrive and keep the limits.\n\
    Where two are equally good it is the faster one.\n\
    \x20 frame         all agents plan a move, each in the mean time of a move. Single moves take longer:\n\
    \x20               the slowest is in the table. With --at-once the frame in which all agents get\n\
    \x20               their goals must fit, too\n\
    \x20 MB            the bytes that the database takes, and for each agent those that it holds after a\n\
    \x20               walk, in the mean. Some agents keep memory of one walk for the next. The map is\n\
    \x20               not counted\n\
    \x20 over %        by how much a walk is longer than a shortest way. A frame in which an agent only\n\
    \x20               plans counts as a step\n\
    \x20 lost          walks that end before the goal, or take 20 times the moves that they need. They\n\
    \x20               count as 20 times too long\n\
    Who exceeds a limit three times over after ten walks walks no more.\n\
    Times are of this machine and this moment; everything else repeats.")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// Agents that walk at the same time
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number::positive(), allow_negative_numbers = true)]
    agents: u32,

    /// Planning time for all agents in a frame, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    frame_ms: f64,

    /// Memory for the database and all agents, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    memory_mb: f64,

    /// Agents get their goals all in one frame: that frame must fit, too
    #[arg(long)]
    at_once: bool,

    #[command(flatten)]
    world: WorldOptions,

    /// Problems that every algorithm walks
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::whole::<usize>(1..=100_000), allow_negative_numbers = true)]
    problems: usize,

    /// Which of the many sets of problems
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = number::any(), allow_negative_numbers = true)]
    seed: u64,

    /// About how long it may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = number::above_zero, allow_negative_numbers = true)]
    time: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What programs read.
#[derive(Serialize)]
struct Report<'a> {
    limits: Limits,
    #[serde(flatten)]
    tuning: &'a Tuning,
    /// The spec that is recommended.
    recommended: Option<&'a str>,
    commands: Vec<String>,
}

/// Measures and recommends.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let worlds = arguments.world.worlds(read_any_map(&arguments.map)?)?;
    let limits = Limits {
        agents: arguments.agents,
        frame_ms: arguments.frame_ms,
        memory_mb: arguments.memory_mb,
        at_once: arguments.at_once,
    };
    let request = Request {
        limits,
        problems: arguments.problems,
        seed: arguments.seed,
        seconds: arguments.time,
        allocated: Some(allocation::allocated_bytes),
    };
    let mut progress = Progress::new("drawing problems", 1);
    let tuning = tune(worlds.main(), &request, &mut |what, done, all| {
        progress.label(what);
        progress.set(done, all);
    })
    .map_err(Failure::other)?;
    drop(progress);
    if arguments.json {
        let best = recommended(&tuning);
        let commands = best.map_or_else(Vec::new, |best| commands(arguments, best));
        let recommended = best.map(|best| best.spec.as_str());
        return output::print_json(&Report { limits, tuning: &tuning, recommended, commands });
    }
    output::print(&to_text(arguments, &tuning, &limits))
}

fn recommended(tuning: &Tuning) -> Option<&Measured> {
    match tuning.choice {
        Choice::Best { best, .. } => tuning.measured.get(best),
        _ => None,
    }
}

fn to_text(arguments: &Arguments, tuning: &Tuning, limits: &Limits) -> String {
    let mut text = format!(
        "{} problems, shortest ways of {:.0} on average; {} agents, {} ms a frame, {} MB{}\n\n",
        tuning.problems,
        tuning.mean_length,
        thousands(u64::from(limits.agents)),
        limits.frame_ms,
        limits.memory_mb,
        if limits.at_once { ", all goals at once" } else { "" }
    );
    let _ = writeln!(text, "{}", table(tuning, limits).to_text());
    if !tuning.unmeasured.is_empty() {
        let _ = writeln!(text, "Not measured:");
        for one in &tuning.unmeasured {
            let _ = writeln!(text, "  {}: {}", one.spec, reason(&one.reason));
        }
        text.push('\n');
    }
    text.push_str(&advice(arguments, tuning, limits));
    text
}

/// All that was measured: what fits comes first, and the better walks before the worse.
fn table(tuning: &Tuning, limits: &Limits) -> Table {
    let mut table = Table::new(&[
        "algorithm",
        "walks",
        "over %",
        "median",
        "worst",
        "a move",
        "worst",
        "frame ms",
        "at once",
        "MB",
        "build s",
        "verdict",
    ]);
    let mut measured: Vec<&Measured> = tuning.measured.iter().collect();
    measured.sort_by(|one, other| {
        other.fits(limits).cmp(&one.fits(limits)).then(one.over_mean_pct.total_cmp(&other.over_mean_pct))
    });
    for one in measured {
        let needs = one.needs(limits.agents);
        table.row(vec![
            one.spec.clone(),
            one.walks.to_string(),
            format!("{:.2}", one.over_mean_pct),
            format!("{:.2}", one.over_median_pct),
            format!("{:.1}", one.over_worst_pct),
            duration(one.move_ns),
            duration(one.worst_move_ns),
            significant(needs.frame_ms),
            significant(needs.frame_at_once_ms),
            significant(needs.memory_mb),
            if one.build_seconds > 0.0 { format!("{:.2}", one.build_seconds) } else { NOTHING.to_string() },
            verdict(one, tuning, limits),
        ]);
    }
    table
}

/// A figure with three digits or so.
fn significant(figure: f64) -> String {
    match figure {
        f if f < 0.01 => format!("{f:.4}"),
        f if f < 1.0 => format!("{f:.3}"),
        f if f < 100.0 => format!("{f:.1}"),
        f => format!("{f:.0}"),
    }
}

/// How many times a limit is exceeded: a little is told from not at all.
fn times(factor: f64) -> String {
    if factor < 10.0 { format!("{factor:.2}") } else { format!("{factor:.0}") }
}

fn verdict(one: &Measured, tuning: &Tuning, limits: &Limits) -> String {
    if recommended(tuning).is_some_and(|best| best.spec == one.spec) {
        return "BEST".to_string();
    }
    let lost = if one.given_up == 0 { String::new() } else { format!(", {} lost", one.given_up) };
    if !one.complete {
        return format!("out: may not arrive{lost}");
    }
    match one.exceeds(limits) {
        Some((limit, factor)) => format!("out: {} x {}{lost}", times(factor), name(limit)),
        None => format!("fits{lost}"),
    }
}

fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Frame => "the frame",
        Limit::FrameAtOnce => "the frame at once",
        Limit::Memory => "the memory",
    }
}

fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Build(seconds) => format!("to build its database would take about {}", span(*seconds)),
        Reason::Size(bytes) => {
            format!("its database would take about {} MB", thousands((bytes / 1e6) as u64))
        }
        Reason::Walks(seconds) => format!("it did not get through {FEWEST_WALKS} walks in {seconds:.2} s"),
        Reason::Impossible(problem) => problem.clone(),
    }
}

/// The recommendation in words.
fn advice(arguments: &Arguments, tuning: &Tuning, limits: &Limits) -> String {
    let (best, with_half) = match tuning.choice {
        Choice::Best { best, with_half } => (&tuning.measured[best], with_half),
        Choice::None { closest, limit, factor } => {
            let text = none_fits(&tuning.measured[closest], limit, factor, limits);
            return text + &over_several_frames(&tuning.measured, limits);
        }
        Choice::NothingMeasured => {
            return "No algorithm that always arrives could be measured; give it more time with --time.\n"
                .to_string();
        }
    };
    let needs = best.needs(limits.agents);
    let is_rival = |one: &&Measured| one.fits(limits) && (one.real_time || !best.real_time);
    let fitting = tuning.measured.iter().filter(is_rival).count();
    let real_time = if best.real_time { " in real time" } else { "" };
    let mut text = format!(
        "Take {}\n\
        Of the {fitting} that fit{real_time}, its walks are the shortest: {:.2} % over the shortest way on average, {:.1} % at worst.\n\
        A frame of {} agents takes {} of {} ms, and memory {} of {} MB.\n",
        best.spec,
        best.over_mean_pct,
        best.over_worst_pct,
        thousands(u64::from(limits.agents)),
        significant(needs.frame_ms),
        limits.frame_ms,
        significant(needs.memory_mb),
        limits.memory_mb,
    );
    if best.given_up > 0 {
        let _ = writeln!(
            text,
            "{} of {} walks did not arrive within {GIVE_UP} times the moves that they need.",
            best.given_up, best.walks
        );
    }
    if best.worst_move_ns / 1e6 > limits.frame_ms {
        let _ = writeln!(
            text,
            "Its slowest move alone took {}, more than a frame has.",
            duration(best.worst_move_ns)
        );
    }
    if !limits.at_once && needs.frame_at_once_ms > limits.frame_ms {
        let _ = writeln!(
            text,
            "If all agents get their goals in one frame, that frame takes {} ms: with --at-once that must fit, too.",
            significant(needs.frame_at_once_ms)
        );
    }
    match with_half.map(|half| &tuning.measured[half]) {
        Some(half) if half.spec == best.spec => {
            let _ = writeln!(text, "It would also be the best with half the time and half the memory.");
        }
        Some(half) => {
            let _ = writeln!(
                text,
                "With half the time and half the memory: {}, {:.2} % over the shortest way.",
                half.spec, half.over_mean_pct
            );
        }
        None => {
            let _ = writeln!(text, "With half the time and half the memory nothing would fit.");
        }
    }
    text.push('\n');
    for command in commands(arguments, best) {
        let _ = writeln!(text, "  {command}");
    }
    text
}

fn none_fits(closest: &Measured, limit: Limit, factor: f64, limits: &Limits) -> String {
    let needs = closest.needs(limits.agents);
    let (needed, option) = match limit {
        Limit::Frame => (format!("{} ms a frame", significant(needs.frame_ms)), "--frame-ms"),
        Limit::FrameAtOnce => {
            (format!("{} ms for a frame of new goals", significant(needs.frame_at_once_ms)), "--frame-ms")
        }
        Limit::Memory => (format!("{} MB", significant(needs.memory_mb)), "--memory-mb"),
    };
    format!(
        "No algorithm keeps the limits. The closest is {}: it needs {needed}, {} times what there is.\n\
        Give more with {option}, or plan for fewer agents.\n",
        closest.spec,
        times(factor)
    )
}

/// What would be the best if agents did not get their goals all in one frame.
fn over_several_frames(measured: &[Measured], limits: &Limits) -> String {
    let Choice::Best { best, .. } = choose(measured, &Limits { at_once: false, ..*limits }) else {
        return String::new();
    };
    let best = &measured[best];
    let needs = best.needs(limits.agents);
    let frames = (needs.frame_at_once_ms / limits.frame_ms).ceil();
    format!(
        "If goals may be planned for over {frames} frames, take {}: then a frame takes {} of {} ms.\n",
        best.spec,
        significant(needs.frame_ms),
        limits.frame_ms
    )
}

/// The commands that build what is recommended and walk problems with it.
fn commands(arguments: &Arguments, best: &Measured) -> Vec<String> {
    let map = quoted(&arguments.map.display().to_string());
    let spec = quoted(&best.spec);
    let WorldOptions { rule, cost, passable, weights, size } = &arguments.world;
    let mut world = format!(" --rule {rule} --cost {cost}");
    if let Some(passable) = passable {
        let letters: String =
            (0..=u8::MAX).filter(|&letter| passable.contains(letter)).map(char::from).collect();
        let _ = write!(world, " --passable {}", quoted(&letters));
    }
    if let Some(weights) = weights.input() {
        let _ = write!(world, " --weights {}", quoted(&weights.display().to_string()));
    }
    if size.size > 1 {
        let _ = write!(world, " --size {}", size.size);
    }
    let run = format!("surefoot run --map {map} --algorithm {spec}{world}");
    if best.database_bytes == 0.0 {
        return vec![format!("{run} --out rows.csv")];
    }
    let database = quoted(&arguments.map.with_extension("sfdb").display().to_string());
    vec![
        format!("surefoot build {map} --algorithm {spec}{world} --out {database}"),
        format!("{run} --db {database} --out rows.csv"),
    ]
}

/// A word of a command as shells take it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_shells_need_it() {
        assert_eq!(quoted("maps/arena-1.map"), "maps/arena-1.map");
        assert_eq!(quoted("knn-lrta*(n=10)"), "'knn-lrta*(n=10)'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn if_goals_at_once_are_too_much_the_best_without_is_named() {
        let measured = |spec: &str, over, first_us: f64| Measured {
            spec: spec.to_string(),
            complete: true,
            walks: 10,
            over_mean_pct: over,
            move_ns: 100.0,
            first_move_ns: first_us * 1e3,
            ..Measured::default()
        };
        let all = [measured("beacon*", 0.28, 3.0), measured("hcdps*", 9.0, 1.5)];
        let limits = Limits { agents: 2000, frame_ms: 2.0, memory_mb: 16.0, at_once: true };
        assert!(matches!(choose(&all, &limits), Choice::None { closest: 1, .. }));
        assert_eq!(
            over_several_frames(&all, &limits),
            "If goals may be planned for over 3 frames, take beacon*: then a frame takes 0.200 of 2 ms.\n"
        );
        // Where time is short in every frame, that does not help.
        assert_eq!(over_several_frames(&all, &Limits { frame_ms: 0.1, ..limits }), "");
    }

    #[test]
    fn figures_have_three_digits_or_so() {
        assert_eq!([0.0012, 0.25, 12.345, 1234.5].map(significant), ["0.0012", "0.250", "12.3", "1234"]);
    }
}
