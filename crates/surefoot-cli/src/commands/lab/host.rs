//! The program as the place where a run happens: files are written whole or not at all, progress is shown.

use std::io::{self, Write};
use std::path::Path;

use surefoot_lab::runs::Host;

use crate::output::{Output, tell};
use crate::progress::Progress;

/// Who writes the files of a run and shows how far it has come.
pub(super) struct ProgramHost {
    plan: String,
    /// Begins when it is known how much there is to do.
    progress: Option<Progress>,
}

impl ProgramHost {
    /// For a plan of this name.
    pub(super) fn new(plan: &str) -> Self {
        Self { plan: plan.to_string(), progress: None }
    }
}

impl Host for ProgramHost {
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String> {
        let mut output = Output::create(path).map_err(|failure| failure.to_string())?;
        fill(&mut output).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        output.finish_durably().map_err(|failure| failure.to_string())
    }

    fn tell(&mut self, message: &str) {
        tell(message);
    }

    fn progress(&mut self, label: &str, done: u64, total: u64) {
        if total == 0 {
            return;
        }
        let label = format!("{}: {label}", self.plan);
        let progress =
            self.progress.get_or_insert_with(|| Progress::with_time_left(label.clone(), total, done));
        progress.label(&label);
        progress.done(done);
    }
}
