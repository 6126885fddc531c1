//! `moves`: random worlds, as `stress` draws them. What is counted are the moves of agents and units.

use surefoot_lab::random::Rng;

use super::run::Watch;
use super::{Campaign, Case, Found, Setup};
use crate::stress::{self, CaseKind};

/// The kind and the seed of the case of a number.
///
/// Long walks and large crowds make nearly all moves. Of the rest, in which moves are the least of what is
/// checked, a crowd takes as long as some thirty walks.
fn case_of(seed: u64, number: u64) -> (CaseKind, u64) {
    let kind = match number % 64 {
        0 => CaseKind::Crowds,
        32 => CaseKind::Obstacles,
        7 | 23 | 39 | 55 => CaseKind::Graphs,
        rest if rest % 4 == 1 => CaseKind::LargeCrowds,
        rest if rest % 4 == 3 => CaseKind::Walks,
        _ => CaseKind::LongWalks,
    };
    (kind, Rng::new(seed, number).next_u64())
}

/// Random worlds of a seed.
struct Moves {
    seed: u64,
}

/// Opens the campaign.
///
/// # Errors
/// None.
pub fn open(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    Ok(Box::new(Moves { seed: setup.seed }))
}

impl Campaign for Moves {
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String> {
        let (kind, seed) = case_of(self.seed, number);
        watch.say(kind.name());
        let log = stress::run_case(kind, seed, None, false)?;
        let found = |finding: &stress::report::Finding| Found {
            key: finding.key(),
            text: format!(
                "{}: {}: {} (step {})",
                finding.check, finding.subject, finding.message, finding.step
            ),
        };
        Ok(Case { count: log.tally.moves, findings: log.findings.iter().map(found).collect() })
    }

    fn again(&self, seed: u64, number: u64) -> String {
        let (kind, seed) = case_of(seed, number);
        format!("cargo run --release -p surefoot-bench -- stress --only {} --case {seed}", kind.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_turn_and_is_repeated_by_its_command() {
        for kind in CaseKind::ALL {
            let number = (0..64).find(|&number| case_of(7, number).0 == kind);
            let again = Moves { seed: 7 }.again(7, number.unwrap());
            let (_, seed) = case_of(7, number.unwrap());
            assert!(again.ends_with(&format!("stress --only {} --case {seed}", kind.name())), "{again}");
        }
    }
}
