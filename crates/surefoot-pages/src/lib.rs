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
    Beacons: "docs/beacons.md"
    Crowds: "docs/crowd.md"
    DLrta: "docs/d-lrta.md"
    DepthControl: "docs/depth-control.md"
    Covers: "docs/hcdps.md"
    KnnLrta: "docs/knn-lrta.md"
    Pra: "docs/pra.md"
    Terrain: "docs/terrain.md"
}
