//! What a decision tree knows of an agent's situation: the eleven features of "Dynamic Control in Real-Time
//! Heuristic Search" (JAIR 2008), Appendix A.
//!
//! All are whole numbers of millionths, so that a tree decides alike on every machine. Distances are in
//! cheapest moves (on a grid: in straight ones), so that it decides alike with every cost model.

use core::fmt;

/// A feature, in the paper's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// f1: the heuristic's first estimate of the distance to the goal.
    GoalDistance,
    /// f2: the estimated distance to where the agent was n moves ago, or at first.
    Headway,
    /// f3: the number of different states that it was in before the last n moves.
    DistinctStates,
    /// f4: by how much it has raised values in the last n moves.
    Raised,
    /// f5: the states at the rim of the pre-search, as a share of those of an open grid with eight
    /// neighbours.
    OpenRim,
    /// f6: the share of them whose value was raised.
    RaisedRim,
    /// f7: 1 if the pre-search takes the step that was taken from here the last time.
    SameStep,
    /// f8: 1 if the pre-search goes on in the direction of the last move.
    StraightOn,
    /// f9: the value of the state as a multiple of that of the next one, as the pre-search has it.
    Slope,
    /// f10: 1 if the value of that next state was raised.
    RaisedAhead,
    /// f11: 1 if its value is lower than that of the state.
    Downhill,
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = 11;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::GoalDistance,
        Self::Headway,
        Self::DistinctStates,
        Self::Raised,
        Self::OpenRim,
        Self::RaisedRim,
        Self::SameStep,
        Self::StraightOn,
        Self::Slope,
        Self::RaisedAhead,
        Self::Downhill,
    ];

    /// The name in a tree's file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GoalDistance => "goal-distance",
            Self::Headway => "headway",
            Self::DistinctStates => "distinct-states",
            Self::Raised => "raised",
            Self::OpenRim => "open-rim",
            Self::RaisedRim => "raised-rim",
            Self::SameStep => "same-step",
            Self::StraightOn => "straight-on",
            Self::Slope => "slope",
            Self::RaisedAhead => "raised-ahead",
            Self::Downhill => "downhill",
        }
    }

    /// What it tells, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::GoalDistance => "estimated distance to the goal, in straight moves",
            Self::Headway => "estimated distance to where the agent was a history ago",
            Self::DistinctStates => "different states in the history",
            Self::Raised => "how much was learned over the history, in straight moves",
            Self::OpenRim => "states at the rim of the pre-search, as a share of those in the open",
            Self::RaisedRim => "share of them whose value was raised",
            Self::SameStep => "1 if the pre-search goes where the agent went from here the last time",
            Self::StraightOn => "1 if it goes on in the direction of the last move",
            Self::Slope => "value of the state, as a multiple of that of the next one",
            Self::RaisedAhead => "1 if the value of the next one was raised",
            Self::Downhill => "1 if it is lower than that of the state",
        }
    }

    /// The feature of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| feature.name() == name)
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The values of all features in one situation, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features([u64; Feature::COUNT]);

/// What 1 is.
pub(crate) const ONE: u64 = 1_000_000;

impl Features {
    /// A feature's value in millionths.
    #[inline]
    #[must_use]
    pub const fn get(&self, feature: Feature) -> u64 {
        self.0[feature as usize]
    }

    /// Sets a feature's value, in millionths.
    pub const fn set(&mut self, feature: Feature, millionths: u64) {
        self.0[feature as usize] = millionths;
    }

    /// Sets a feature to `part / whole`; to the highest value there is if `whole` is 0, or the ratio that
    /// high.
    pub(crate) fn set_ratio(&mut self, feature: Feature, part: u64, whole: u64) {
        let ratio = (u128::from(part) * u128::from(ONE)).checked_div(u128::from(whole));
        let ratio = ratio.and_then(|ratio| u64::try_from(ratio).ok());
        self.set(feature, ratio.unwrap_or(u64::MAX));
    }

    /// Sets a feature to 1 or 0.
    pub(crate) const fn set_flag(&mut self, feature: Feature, is_so: bool) {
        self.set(feature, if is_so { ONE } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_in_order_and_have_names() {
        for (place, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, place);
            assert_eq!(Feature::named(feature.name()), Some(feature));
        }
        assert_eq!(Feature::named("f1"), None);
    }

    #[test]
    fn ratios_do_not_overflow() {
        let mut features = Features::default();
        for (part, whole, ratio) in
            [(1, 3, 333_333), (5, 5, ONE), (7, 0, u64::MAX), (u64::MAX, 1, u64::MAX), (0, 9, 0)]
        {
            features.set_ratio(Feature::Slope, part, whole);
            assert_eq!(features.get(Feature::Slope), ratio);
        }
    }
}
