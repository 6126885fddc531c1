//! What is made of a recorded walk: pictures, films and search traces. `solve` and `replay` share it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::space::{GridSpace, TerrainMap};
use surefoot::tape::Tape;
use surefoot_draw::{Film, picture_of_walk, write_trace};

use crate::failure::Failure;
use crate::maps::{self, PictureOutput};
use crate::output::{self, Output, tell};
use crate::progress::Progress;

/// The options that ask for something to be made of a walk.
#[derive(Debug, Args)]
pub(crate) struct RecordingOptions {
    /// Draw the way walked, as .png or .svg; or the walk itself as a film, as .gif
    #[arg(long, value_name = "PICTURE")]
    render: Option<PathBuf>,

    /// Make an .svg a film too, which browsers play
    #[arg(long, requires = "render")]
    animate: bool,

    /// Write a search trace for the visualiser Posthoc, as .trace.yaml
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Files in the making.
pub(crate) struct RecordingOutputs {
    picture: Option<PictureOutput>,
    film: Option<(Output, FilmFormat)>,
    trace: Option<Output>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FilmFormat {
    Gif,
    Svg,
}

impl RecordingOptions {
    /// Opens the files. `inputs` are files that are read, and `others` files that are written besides.
    pub(crate) fn open(
        &self,
        command: &'static str,
        inputs: &[&Path],
        others: &[&Path],
    ) -> Result<RecordingOutputs, Failure> {
        let own: Vec<&Path> =
            [&self.render, &self.trace].into_iter().flatten().map(PathBuf::as_path).collect();
        let all = [&own, others].concat();
        for (at, path) in all.iter().enumerate() {
            output::refuse_inputs(path, inputs)?;
            if output::is_stdout(path) {
                let problem = "standard output has the answer; name a file".to_string();
                return Err(Failure::Write { path: path.to_path_buf(), problem });
            }
            if all[..at].contains(path) {
                let name = path.display();
                return Err(Failure::usage(command, format!("{name} is named for two files; name another")));
            }
        }
        let mut outputs = RecordingOutputs { picture: None, film: None, trace: None };
        if let Some(path) = &self.render {
            match maps::extension(path).as_deref() {
                Some("gif") => outputs.film = Some((Output::create(path)?, FilmFormat::Gif)),
                Some("svg") if self.animate => {
                    outputs.film = Some((Output::create(path)?, FilmFormat::Svg));
                }
                Some("png") if self.animate => {
                    return Err(Failure::usage(command, "--animate makes a film of an .svg, not of a .png"));
                }
                Some("png" | "svg") => outputs.picture = Some(PictureOutput::create(path)?),
                _ => return Err(maps::unknown_extension(path, ".png, .svg or .gif")),
            }
        }
        if let Some(path) = &self.trace {
            if !path.to_string_lossy().to_lowercase().ends_with(".trace.yaml") {
                return Err(maps::unknown_extension(path, ".trace.yaml, as Posthoc asks for"));
            }
            outputs.trace = Some(Output::create(path)?);
        }
        Ok(outputs)
    }
}

impl RecordingOutputs {
    /// Whether a walk has to be recorded for them.
    pub(crate) fn need_a_tape(&self) -> bool {
        self.film.is_some() || self.trace.is_some()
    }

    /// Whether a picture that stands still is asked for.
    pub(crate) fn have_picture(&self) -> bool {
        self.picture.is_some()
    }

    /// The picture file, for whoever has no tape to draw it from.
    pub(crate) fn take_picture(&mut self) -> Option<PictureOutput> {
        self.picture.take()
    }

    /// Writes all files.
    pub(crate) fn write(self, map: &TerrainMap, space: &GridSpace, tape: &Tape) -> Result<(), Failure> {
        if let Some(output) = self.picture {
            output.write(&picture_of_walk(map, space, tape))?;
        }
        if let Some((output, format)) = self.film {
            write_film(output, format, &Film::new(map, space, tape)?)?;
        }
        if let Some(mut output) = self.trace {
            let name = output.path().to_path_buf();
            let failed = |error| Failure::write(&name, &error);
            let events = write_trace(&mut output, space, tape).map_err(failed)?;
            output.flush().map_err(failed)?;
            output.finish()?;
            tell(&format!("wrote {}: a search trace of {events} events", name.display()));
        }
        Ok(())
    }
}

fn write_film(output: Output, format: FilmFormat, film: &Film) -> Result<(), Failure> {
    let name = output.path().to_path_buf();
    let frames = film.frames();
    let mut progress = Progress::new("drawing", frames as u64);
    let bytes = match format {
        FilmFormat::Gif => film.to_gif(&mut |done| progress.done(done)).map_err(Failure::other)?,
        FilmFormat::Svg => film
            .to_svg()
            .map_err(|error| Failure::Write { path: name.clone(), problem: error.to_string() })?
            .into_bytes(),
    };
    drop(progress);
    output.finish_with(&bytes)?;
    let thinned = match film.steps_per_frame() {
        1 => String::new(),
        steps => format!(", one for {steps} steps"),
    };
    tell(&format!("wrote {}: a film of {frames} frames{thinned}", name.display()));
    Ok(())
}
