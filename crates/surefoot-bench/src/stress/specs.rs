//! Specs of every algorithm, with parameters drawn at random among those that they take.

use surefoot::agent::{Entry, Spec};
use surefoot_classics::ROSTER;
use surefoot_lab::random::Rng;

use super::world::{between, pick};

/// An algorithm: the one of a name, or any.
///
/// # Errors
/// If there is none of that name.
pub fn draw_entry(random: &mut Rng, name: Option<&str>) -> Result<&'static Entry, String> {
    let drawn = &ROSTER.entries()[random.below(ROSTER.entries().len() as u64) as usize];
    match name {
        None => Ok(drawn),
        Some(name) => ROSTER.entry(name).ok_or_else(|| {
            let names: Vec<&str> = ROSTER.entries().iter().map(|entry| entry.name).collect();
            format!("there is no algorithm \"{name}\"; there are: {}", names.join(", "))
        }),
    }
}

/// A spec of an algorithm: as it is quickest to prepare, or with parameters drawn at random.
pub fn draw_spec(random: &mut Rng, entry: &Entry, states: usize) -> Spec {
    let quick = entry.quick_spec(states);
    let text = if random.chance(0.35) { quick } else { draw_text(random, entry, states) };
    text.parse().expect("a spec is written as specs are")
}

fn draw_text(random: &mut Rng, entry: &Entry, states: usize) -> String {
    let mut parameters = Vec::new();
    for parameter in entry.parameters {
        // Without these an algorithm would build more than a test needs.
        let is_needed = ["n", "level", "level2"].contains(&parameter.name);
        if is_needed || random.chance(0.5) {
            let value = draw_value(random, entry.name, parameter.name, states);
            parameters.push(format!("{}={value}", parameter.name));
        }
    }
    if parameters.is_empty() {
        return entry.name.to_owned();
    }
    let parameters = parameters.join(",");
    // Not both.
    let parameters = parameters.replace("lossless=yes,fragments=yes", "lossless=yes,fragments=no");
    match entry.name.strip_suffix(')') {
        Some(name) => format!("{name};{parameters})"),
        None => format!("{}({parameters})", entry.name),
    }
}

/// A value of a parameter, by its name.
fn draw_value(random: &mut Rng, entry: &str, name: &str, states: usize) -> String {
    let mut number = |low: u64, high: u64| between(random, low, high).to_string();
    match (name, entry) {
        ("d", _) => number(1, 6),
        ("gmax", _) => pick(random, &["none", "1", "1.5", "2.9", "4", "7.25"]).to_owned(),
        ("gamma", _) => pick(random, &["0.01", "0.2", "0.5", "0.83", "1"]).to_owned(),
        ("quota", "lrts") => pick(random, &["none", "0", "1.5", "10", "200"]).to_owned(),
        ("quota", _) => pick(random, &["none", "1", "3", "12.5"]).to_owned(),
        ("expansions", _) => number(1, 90),
        ("moves", _) => pick(random, &["one", "all"]).to_owned(),
        ("queue", _) => number(0, 60),
        ("slice", _) => pick(random, &["1", "2", "7", "20", "300", "1000000000"]).to_owned(),
        ("n", _) => number(0, 60),
        ("candidates", _) => pick(random, &["1", "3", "10", "all"]).to_owned(),
        ("cutoff", _) => number(0, 40),
        ("probes", _) => pick(random, &["all", "1", "9"]).to_owned(),
        ("k", "pra*") => pick(random, &["none", "2", "3", "9", "100"]).to_owned(),
        ("k", _) => number(1, 5),
        (
            "goal-first" | "skip-start" | "skip-end" | "lossless" | "fragments" | "aligned" | "past-goal",
            _,
        ) => pick(random, &["yes", "no"]).to_owned(),
        ("pairs", _) => pick(random, &["random", "even"]).to_owned(),
        ("paths", _) => pick(random, &["a*", "jps"]).to_owned(),
        ("subgoal", _) => pick(random, &["farthest", "first"]).to_owned(),
        ("corridor", _) => pick(random, &["narrow", "wide"]).to_owned(),
        ("distance", _) => pick(random, &["octile", "euclidean"]).to_owned(),
        // Tables of all pairs of regions: few regions on large maps.
        ("level", _) => {
            let least = u64::from(states.max(1).ilog2()).saturating_sub(7) / 2;
            number(least.max(u64::from(entry.starts_with("pr-"))), least + 4)
        }
        ("level2", _) => pick(random, &["+0", "+1", "+2", "+3"]).to_owned(),
        ("cap", _) => number(1, 9),
        ("choose", _) => pick(random, &["move", "reached"]).to_owned(),
        ("trace", _) => pick(random, &["diagonal-first", "straight-first"]).to_owned(),
        ("escape", _) => pick(random, &["auto", "cap", "stored"]).to_owned(),
        ("loops", "d-lrta*") => pick(random, &["state", "ever", "region", "taboo"]).to_owned(),
        ("loops", _) => pick(random, &["state", "ever", "region"]).to_owned(),
        // Its default, loops=taboo, counts no visits.
        ("deepen", "d-lrta*") => "0".to_owned(),
        ("deepen", _) => pick(random, &["0", "0", "1", "3"]).to_owned(),
        ("dmax", "lrta*(dt,g)") => pick(random, &["5", "10", "15", "20"]).to_owned(),
        ("dmax", _) => number(1, 7),
        ("check", "hcdps*") => pick(random, &["cutoff", "0", "4", "250"]).to_owned(),
        ("check", _) => pick(random, &["0", "4", "250"]).to_owned(),
        ("skip", _) => number(0, 4),
        ("sector", _) => pick(random, &["1", "2", "5", "16", "32", "1000"]).to_owned(),
        ("reach", _) => pick(random, &["1", "20", "300", "1000"]).to_owned(),
        ("left", _) => pick(random, &["0", "500", "500", "4000", "10000"]).to_owned(),
        ("bound", _) => pick(random, &["auto", "auto", "1", "90", "700"]).to_owned(),
        ("labels", _) => pick(random, &["auto", "all", "core"]).to_owned(),
        ("ties", _) => pick(random, &["low-g", "high-g"]).to_owned(),
        _ => unreachable!("the parameter {name} of {entry} needs values to draw from, in specs.rs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever adds a parameter is told to add values here.
    #[test]
    fn every_spec_that_is_drawn_is_taken() {
        for entry in ROSTER.entries() {
            for seed in 0..200 {
                let mut random = Rng::new(seed, 0);
                let states = pick(&mut random, &[0, 1, 40, 5_000, 90_000]);
                let spec = draw_spec(&mut random, entry, states);
                ROSTER.check(&spec).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(spec.algorithm(), entry.name);
            }
        }
    }

    #[test]
    fn an_entry_that_is_asked_for_is_drawn() {
        let mut random = Rng::new(1, 0);
        assert_eq!(draw_entry(&mut random, Some("tba*")).map(|entry| entry.name), Ok("tba*"));
        assert!(draw_entry(&mut random, Some("b*")).unwrap_err().contains("there are: a*"));
    }
}
