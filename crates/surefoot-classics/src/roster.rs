//! Every algorithm, and every kind of database: one line each.

use surefoot::agent::Roster;
use surefoot::{beacons, lrta, tba, transit};

use crate::{
    abstraction, cover, d_lrta, depth, hill_climbing, knn, local_search, lrts, p_lrta, plan_once, pr_lrta,
    pra,
};

/// Every algorithm of the papers, and surefoot's own.
pub static ROSTER: Roster = Roster::fixed(
    &[
        plan_once::A_STAR,
        plan_once::WEIGHTED,
        plan_once::DIJKSTRA,
        plan_once::JPS,
        hill_climbing::ENTRY,
        lrta::ENTRY,
        lrts::ENTRY,
        local_search::K_LRTA,
        local_search::RTAA,
        local_search::DA_RTAA,
        p_lrta::ENTRY,
        tba::TBA,
        tba::SLICED,
        knn::KNN,
        knn::KNN_2009,
        pra::PRA,
        pra::SLICED,
        d_lrta::F_PDB,
        d_lrta::PDB_G,
        d_lrta::PDB_PDB,
        depth::WITH_TREE,
        depth::WITH_ORACLE,
        d_lrta::D_LRTA,
        pr_lrta::F_G,
        pr_lrta::PDB_G,
        pr_lrta::F_PDB,
        pr_lrta::PDB_PDB,
        cover::HCDPS,
        cover::DBA,
        beacons::ENTRY,
        transit::ENTRY,
    ],
    &[&knn::KIND, &abstraction::KIND, &d_lrta::KIND, &cover::KIND, &beacons::KIND, &transit::KIND],
);

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use surefoot::space::{CostModel, Grid, GridSpace, MoveRule};

    use super::*;

    #[test]
    fn every_default_makes_an_agent() {
        for entry in ROSTER.entries() {
            let space =
                GridSpace::new(Grid::from_fn(4, 3, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
            ROSTER
                .agent_for(&entry.name.parse().unwrap(), &space, 1)
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn mistakes_say_what_there_is() {
        let message = |text: &str| match ROSTER.agent(&text.parse().unwrap()) {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(message("b*").contains("there are: a*, weighted-a*"));
        assert!(message("a*(d=3)").ends_with("a* takes no parameters"));
        assert!(message("weighted-a*(gama=1)").contains("column 13: there is no parameter \"gama\""));
        assert!(message("weighted-a*(gamma=2)").contains("column 19: gamma is \"2\": expected a number"));
        assert!(message("weighted-a*(0.5)").contains("column 13: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1,0.5)").contains("column 21: \"0.5\" needs a key"));
        assert!(message("beacn*").contains("; did you mean beacon*? there are: a*"));
        assert!(message("weighted-a*(gama=1)").contains("; did you mean gamma? weighted-a* takes: gamma="));
        assert!(message("lrta*(pdp,g)").contains("; did you mean lrta*(pdb,g)?"));
        assert!(message("weighted-a*(gamma=1, ma=1)").contains("column 21: there is no parameter \"ma\""));
    }

    #[test]
    fn parameters_are_checked_without_a_database() {
        for entry in ROSTER.entries() {
            ROSTER.check(&entry.name.parse().unwrap()).unwrap();
        }
        for wrong in [
            "pra*(k=1)",
            "pra*(corridor=x)",
            "s-pra*(distance=x)",
            "s-pra*(aligned=x)",
            "knn-lrta*(cutoff=x)",
            "knn-lrta*(n=-1)",
            "knn-lrta*(k=0)",
            "knn-lrta-2009*(d=0)",
            "lrta*(d=0)",
        ] {
            assert!(ROSTER.check(&wrong.parse().unwrap()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_algorithm_is_known_without_its_star() {
        for entry in ROSTER.entries() {
            let starless = entry.name.replace('*', "");
            let algorithm = ROSTER.algorithm(&starless.parse().unwrap()).unwrap();
            assert_eq!(algorithm.spec().algorithm(), entry.name);
        }
    }
}
