//! What nothing else beats in every way.

/// The places of those that no other one beats: none is as good in both figures, of which less is better, and
/// better in one. Sorted by the first figure, then by the second.
#[must_use]
pub fn pareto_front(figures: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.retain(|&place| figures[place].0.is_finite() && figures[place].1.is_finite());
    let key = |place: usize| figures[place];
    order.sort_by(|&a, &b| key(a).0.total_cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    let mut front: Vec<usize> = Vec::new();
    for place in order {
        // Equal ones stand side by side; any other one must be better in the second figure than all before
        // it.
        let is_free = front.last().is_none_or(|&last| key(place) == key(last) || key(place).1 < key(last).1);
        if is_free {
            front.push(place);
        }
    }
    front
}

/// As a limit on the work of a move grows: which one has the lowest loss of those that never exceed it, each
/// with the limit from which on it is the best. `figures` are worst moves and losses ("Dynamic Control in
/// Real-Time Heuristic Search", Table 4).
#[must_use]
pub fn best_under_limits(figures: &[(u64, f64)]) -> Vec<(u64, usize)> {
    let as_numbers: Vec<(f64, f64)> = figures.iter().map(|&(worst, loss)| (worst as f64, loss)).collect();
    let mut best: Vec<(u64, usize)> = Vec::new();
    for place in pareto_front(&as_numbers) {
        let (worst, loss) = figures[place];
        if best.last().is_none_or(|&(_, known)| loss < figures[known].1) {
            best.push((worst, place));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_what_nothing_beats() {
        let figures =
            [(3.0, 1.0), (1.0, 9.0), (2.0, 9.0), (2.0, 4.0), (3.0, 4.0), (f64::NAN, 0.0), (3.0, 1.0)];
        assert_eq!(pareto_front(&figures), [1, 3, 0, 6]);
        assert!(pareto_front(&[]).is_empty());
        for (place, own) in figures.iter().enumerate().filter(|(_, own)| own.0.is_finite()) {
            let beaten = figures.iter().any(|other| other.0 <= own.0 && other.1 <= own.1 && other != own);
            assert_eq!(pareto_front(&figures).contains(&place), !beaten, "{own:?}");
        }
    }

    #[test]
    fn the_best_gets_better_as_the_limit_grows() {
        let figures = [(1000, 0.0), (1, 90.0), (9, 95.0), (25, 20.0), (25, 10.0), (30, 10.0)];
        assert_eq!(best_under_limits(&figures), [(1, 1), (25, 4), (1000, 0)]);
    }
}
