//! The experiments of the papers: what their results come to, beside what was published. Their plans are
//! [built in](crate::plan::BUILT_IN).
//!
//! Results of a plan become a section of a report in [`knn2009`], [`pra2005`], [`jair2008`] and [`jair2010`],
//! which also have the published figures, and in [`beyond`], which has what came after the papers; [`report`]
//! puts them together, and `matches` counts how many figures come out.

pub mod beyond;
pub mod jair2008;
pub mod jair2010;
pub mod knn2009;
mod lines;
mod matches;
pub mod pra2005;
mod reasons;
pub mod report;

#[cfg(test)]
mod tests {
    use crate::runs::{ResultSet, UnitResult};

    /// Results of a plan, made up.
    pub(super) fn results(name: &str, units: Vec<UnitResult>) -> ResultSet {
        ResultSet {
            name: name.to_owned(),
            title: "A plan".to_owned(),
            plan: String::new(),
            quick: true,
            units,
            missing: 0,
        }
    }
}
