//! The options of a picture of a map: what `map render` and `db show` have in common.

use clap::Args;
use surefoot::database::Abstraction;

use crate::failure::Failure;
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

impl PictureOptions {
    /// The level that was asked for, if the abstraction has it.
    pub(crate) fn level_of(
        &self,
        abstraction: &Abstraction,
        command: &'static str,
    ) -> Result<Option<usize>, Failure> {
        let highest = abstraction.levels().saturating_sub(1);
        match self.level.map(|level| level as usize) {
            Some(level) if level > highest => {
                let message =
                    format!("the abstraction of this map has levels 1 to {highest}, and no level {level}");
                Err(Failure::usage(command, message))
            }
            level => Ok(level),
        }
    }
}
