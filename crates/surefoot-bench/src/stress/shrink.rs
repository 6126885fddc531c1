//! Scripts cut down to the calls that a finding needs.

use std::fmt::Write as _;

use super::calls::Call;
use super::catch;
use super::crowds::{self, Course, Focus, Scene};
use super::report::Log;

/// For each finding of a case the fewest calls that show it, as far as leaving out calls leads there.
///
/// # Errors
/// If there is no such algorithm.
pub fn shrink(seed: u64, entry: Option<&str>, focus: Focus) -> Result<String, String> {
    let (mut log, mut course, mut done) = (Log::default(), Course::default(), Ok(()));
    let panicked = catch(|| done = crowds::run(seed, entry, focus, &mut course, &mut log));
    done?;
    if let Some((place, message)) = panicked {
        log.find("panic", &place, message);
    }
    let Course { scene: Some(scene), calls } = course else { return Ok(String::new()) };
    let mut text = String::new();
    for finding in &log.findings {
        let key = finding.key();
        let end = calls.len().min(finding.step as usize);
        let shown = shrink_calls(&scene, &calls[..end], |scene, calls| shows(scene, calls, &key));
        let Some((scene, calls)) = shown else { continue };
        let _ =
            writeln!(text, "{}: {}: {}\n{}", finding.check, finding.subject, finding.message, scene.text());
        for call in calls {
            let _ = writeln!(text, "    {call:?}");
        }
    }
    Ok(text)
}

/// The fewest calls that show a finding, and the crowds that it takes; none if all of them do not show it.
fn shrink_calls(
    scene: &Scene,
    calls: &[Call],
    shows: impl Fn(&Scene, &[Call]) -> bool,
) -> Option<(Scene, Vec<Call>)> {
    let (mut scene, mut calls) = (scene.clone(), calls.to_vec());
    if !shows(&scene, &calls) {
        return None;
    }
    let alone = Scene { threads: Vec::new(), ..scene.clone() };
    if shows(&alone, &calls) {
        scene = alone;
    }
    // Cell by cell there is more to leave out.
    let one_by_one: Vec<Call> = calls.iter().flat_map(split).collect();
    if shows(&scene, &one_by_one) {
        calls = one_by_one;
    }
    let mut chunk = calls.len().div_ceil(2);
    while chunk > 0 {
        let (before, mut at) = (calls.len(), 0);
        while at < calls.len() {
            let end = (at + chunk).min(calls.len());
            let fewer: Vec<Call> = calls[..at].iter().chain(&calls[end..]).cloned().collect();
            if shows(&scene, &fewer) {
                calls = fewer;
            } else {
                at = end;
            }
        }
        if calls.len() == before || chunk > 1 {
            chunk /= 2;
        }
    }
    Some((scene, calls))
}

/// A call as several that do the same.
fn split(call: &Call) -> Vec<Call> {
    match call {
        Call::SetCells(cells) => cells.iter().map(|&(cell, free)| Call::SetCell(cell, free)).collect(),
        _ => vec![call.clone()],
    }
}

fn shows(scene: &Scene, calls: &[Call], key: &str) -> bool {
    let mut log = Log::default();
    let panicked = catch(|| {
        let mut stage = scene.stage();
        calls.iter().for_each(|call| stage.perform(call, &mut log));
    });
    if let Some((place, message)) = panicked {
        log.find("panic", &place, message);
    }
    log.findings.iter().any(|finding| finding.key() == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::calls::Share;
    use surefoot::crowd::CrowdConfig;
    use surefoot::formats::grid_from_art;
    use surefoot::space::Cell;

    #[test]
    fn what_a_finding_does_not_need_is_left_out() {
        let scene =
            Scene { grid: grid_from_art("...").unwrap(), config: CrowdConfig::default(), threads: vec![2] };
        let frame = Call::Frame(Share::Everyone);
        let [dug, filled] = [true, false].map(|free| Call::SetCell(Cell::new(1, 0), free));
        let both = Call::SetCells(vec![(Cell::new(0, 0), true), (Cell::new(1, 0), true)]);
        let calls = [&frame, &filled, &frame, &frame, &both, &frame, &frame].map(Clone::clone);
        let is_dug = |_: &Scene, calls: &[Call]| {
            let filled = calls.iter().position(|call| *call == filled);
            filled.is_some_and(|at| calls[at..].contains(&dug) || calls[at..].contains(&both))
        };
        let (small, left) = shrink_calls(&scene, &calls, is_dug).unwrap();
        assert_eq!((left, small.threads), (vec![filled.clone(), dug.clone()], vec![]));
        assert!(shrink_calls(&scene, &calls, |_, _| false).is_none());
        let needs_threads = |scene: &Scene, _: &[Call]| !scene.threads.is_empty();
        assert_eq!(shrink_calls(&scene, &calls, needs_threads).unwrap().0.threads, [2]);
    }

    #[test]
    fn a_case_is_shrunk_or_refused() {
        let text = shrink(1, None, Focus::Obstacles);
        assert!(text.is_ok() && shrink(1, Some("b*"), Focus::Obstacles).is_err());
    }
}
