//! The options of a picture of a map: what `map render` and `db show` have in common.

use clap::Args;

use crate::number;

/// The options of a picture of a map.
#[derive(Debug, Args)]
pub(crate) struct PictureOptions {
    /// The length of the longer side in pixels, at most; cells stay square
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = number::whole::<u32>(1..=16384), allow_negative_numbers = true)]
    pub(crate) side: u32,

    /// Show the regions of this level of the clique abstraction, in colours; level 1 groups cells
    #[arg(long, value_name = "LEVEL", value_parser = number::positive(), allow_negative_numbers = true)]
    pub(crate) level: Option<u32>,
}
