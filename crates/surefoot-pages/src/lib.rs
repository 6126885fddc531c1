//! The examples of README, of the crates' READMEs and of the pages in `docs` are tests. They are here because
//! they use several crates, and because the packages of those have no pages in them.

#![forbid(unsafe_code)]

/// Each page is the documentation of something, and so its examples are tests.
#[cfg(doctest)]
macro_rules! pages {
    ($($name:ident: $path:literal)*) => {
        $(
            #[doc = include_str!(concat!("../../../", $path))]
            pub struct $name;
        )*
    };
}

#[cfg(doctest)]
pages! {
    Readme: "README.md"
    SurefootReadme: "crates/surefoot/README.md"
    ClassicsReadme: "crates/surefoot-classics/README.md"
    DrawReadme: "crates/surefoot-draw/README.md"
    LabReadme: "crates/surefoot-lab/README.md"
    Start: "docs/play/start.md"
    Recipes: "docs/play/recipes.md"
    Crowds: "docs/play/crowd.md"
    Terrain: "docs/play/terrain.md"
    Beacons: "docs/understand/beacons.md"
    RealTime: "docs/understand/real-time.md"
    Algorithms: "docs/understand/algorithms.md"
    JumpPoints: "docs/papers/jps.md"
    KnnLrta: "docs/papers/knn-lrta.md"
    DLrta: "docs/papers/d-lrta.md"
    DecisionTrees: "docs/papers/decision-trees.md"
    Pra: "docs/papers/pra.md"
    Covers: "docs/papers/hcdps.md"
    NewAlgorithm: "docs/extend/algorithm.md"
    NewSpace: "docs/extend/space.md"
}
