//! When a database has paid for itself ("Dynamic Control in Real-Time Heuristic Search", section 7.7).

/// How long an algorithm must walk until its database has paid for itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amortisation {
    /// Moves until then.
    pub moves: f64,
    /// The planning time of these moves, in seconds.
    pub seconds: f64,
}

/// How many moves of `own` nanoseconds make up for `build_seconds` against a competitor that takes `other`
/// nanoseconds a move and builds nothing. `None` if the competitor is as fast or faster.
#[must_use]
pub fn amortisation(build_seconds: f64, own: f64, other: f64) -> Option<Amortisation> {
    (other > own).then(|| {
        let moves = build_seconds * 1e9 / (other - own);
        Amortisation { moves, seconds: moves * own / 1e9 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_pays_for_itself_move_by_move() {
        // Built in 10 s, 2 us a move instead of 12 us: a million moves, which take 2 s.
        let paid = amortisation(10.0, 2_000.0, 12_000.0).unwrap();
        assert!((paid.moves - 1e6).abs() < 1e-3 && (paid.seconds - 2.0).abs() < 1e-9);
        assert_eq!(amortisation(10.0, 12_000.0, 12_000.0), None);
        assert_eq!(amortisation(0.0, 1.0, 2.0).unwrap().moves, 0.0);
    }
}
