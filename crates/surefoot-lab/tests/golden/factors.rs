//! How much dearer than a cheapest path the walks of each entry may be, whatever the golden file says. Without this, a careless blessing
//! would make any loss the rule.

use super::Walks;
use super::worlds::WORLDS;
use surefoot_classics::ROSTER;

/// Entries whose walks are about as good.
struct Family {
    entries: &'static [&'static str],
    /// The most that all walks on a map which arrive cost together, in costs of cheapest paths: a factor for each map.
    most: [f64; WORLDS.len()],
}

/// The factor of each family and map. Optimal entries are not here: theirs is 1, on every problem. A factor is at most
/// half as much again as the worst of its family took when it was measured.
const FAMILIES: &[Family] = &[
    //                open, rooms, maze, clutter, traps, country
    // It may pay five times as much. It pays little more, as what looks near mostly is; in a maze there is but one path.
    Family { entries: &["weighted-a*"], most: [1.05, 1.3, 1.0, 1.2, 1.25, 1.4] },
    // Not all of its walks arrive. Those that do went closer with every move, so they are short.
    Family { entries: &["hill-climbing"], most: [1.05, 1.0, 1.0, 1.1, 1.05, 1.2] },
    // They raise one state a move, or one in three moves: they fill a dead end state by state, over and over again.
    Family { entries: &["lrta*", "lrts"], most: [1.05, 95.0, 9.0, 1.2, 100.0, 10.0] },
    // They raise some thirty states a move: dead ends fill up that much faster.
    Family { entries: &["k-lrta*", "rtaa*", "da-rtaa*", "p-lrta*"], most: [1.05, 16.0, 5.0, 1.3, 13.0, 4.5] },
    // They raise one state a move, but look deeper where it matters.
    Family {
        entries: &["lrta*(pdb,g)", "lrta*(dt,g)", "lrta*(oracle,g)"],
        most: [1.05, 48.0, 26.0, 1.5, 26.0, 4.5],
    },
    // It walks to where its search has got to, and back if that was wrong. Searches are short here, so it is seldom far off.
    Family { entries: &["tba*"], most: [1.05, 1.5, 1.1, 1.2, 1.5, 2.2] },
    // Fifty records are few. Where none fits, these learn as LRTA* does.
    Family { entries: &["knn-lrta*", "knn-lrta-2009*"], most: [1.3, 45.0, 32.0, 1.5, 8.0, 2.5] },
    // A cheapest path in a corridor that is wide: hardly ever dearer, but it does not see what lies outside.
    Family { entries: &["pra*", "s-pra*"], most: [1.02, 1.02, 1.0, 1.1, 1.02, 1.2] },
    // Subgoals lead out of dead ends, but one-ply LRTA* has to learn the way to each, and regions are large.
    Family { entries: &["lrta*(f,pdb)"], most: [1.3, 50.0, 16.0, 1.4, 20.0, 3.3] },
    // The same with a deeper lookahead, which finds the way to a subgoal sooner.
    Family { entries: &["lrta*(pdb,pdb)"], most: [1.3, 5.5, 5.0, 1.4, 3.8, 3.0] },
    // So has this one, but no subgoal twice: in a maze, where there is but one way, it falls back on the goal the sooner.
    Family { entries: &["d-lrta*"], most: [1.3, 5.5, 9.0, 1.4, 3.8, 3.0] },
    // They learn on a coarse map, which has far fewer states.
    Family {
        entries: &["pr-lrta*(f,g)", "pr-lrta*(pdb,g)", "pr-lrta*(f,pdb)", "pr-lrta*(pdb,pdb)"],
        most: [1.3, 8.5, 7.0, 1.5, 5.5, 2.0],
    },
    // The way leads over the middles of regions: a detour, and a large one where regions are large and walls many.
    Family { entries: &["hcdps*", "dba*"], most: [1.2, 2.5, 2.5, 1.6, 1.6, 1.8] },
    // A way over transit nodes seldom costs more than the cheapest one, and then a few per cent.
    Family { entries: &["transit*"], most: [1.02, 1.02, 1.0, 1.03, 1.02, 1.03] },
];

/// A factor so many times as large as what was measured would let pass what it is there to find.
const TOO_LOOSE: f64 = 10.0;

/// Entries that the table lacks, or has and should not have.
pub(super) fn faults() -> Vec<String> {
    let times =
        |name| FAMILIES.iter().flat_map(|family| family.entries).filter(|&&other| other == name).count();
    let wrong = ROSTER.entries().iter().filter(|entry| times(entry.name) != usize::from(!entry.optimal));
    let mut faults: Vec<String> = wrong
        .map(|entry| format!("{} must be in one family of factors.rs, or be optimal and in none", entry.name))
        .collect();
    let unknown = FAMILIES.iter().flat_map(|family| family.entries);
    let unknown = unknown.filter(|&&name| ROSTER.entries().iter().all(|entry| entry.name != name));
    faults.extend(unknown.map(|name| format!("{name} of factors.rs is no entry")));
    faults
}

/// What is wrong with the cost of the walks on the map of this number, if anything.
pub(super) fn fault(map: usize, walks: &Walks) -> Option<String> {
    let family = FAMILIES.iter().find(|family| family.entries.contains(&walks.entry.name))?;
    let most = family.most[map];
    if walks.tally.solved == 0 {
        return None;
    }
    let factor = walks.tally.arrived_cost as f64 / walks.tally.optimum as f64;
    if factor > most {
        Some(format!("walks cost {factor:.3} times as much as cheapest paths; factors.rs allows {most}"))
    } else if factor * TOO_LOOSE < most {
        Some(format!(
            "walks cost {factor:.3} times as much as cheapest paths; factors.rs allows {most}, far too much"
        ))
    } else {
        None
    }
}
