//! `surefoot map`: look at maps, make them, and turn them into other ones.

mod convert;
mod generate;
mod info;
mod render;
mod scale;

use clap::Subcommand;

use crate::failure::Failure;

/// Look at maps, draw them, enlarge them, make them, convert them
#[derive(Debug, Subcommand)]
#[command(after_help = "Maps are read as .map (MovingAI), .txt (ASCII art), .png and .bmp.")]
pub(crate) enum Command {
    Info(info::Arguments),
    Render(render::Arguments),
    Scale(scale::Arguments),
    Generate(generate::Arguments),
    Convert(convert::Arguments),
}

impl Command {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Info(arguments) => info::run(arguments),
            Self::Render(arguments) => render::run(arguments),
            Self::Scale(arguments) => scale::run(arguments),
            Self::Generate(arguments) => generate::run(arguments),
            Self::Convert(arguments) => convert::run(arguments),
        }
    }
}
