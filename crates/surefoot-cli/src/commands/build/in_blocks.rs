//! Databases that are built block by block: with a journal to resume, and in shards.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use surefoot::store::DatabaseConfig;
use surefoot::store::part::Part;

use super::{Arguments, Report, building};
use crate::databases::{self, Journal};
use crate::failure::Failure;
use crate::interrupt::Parting;
use crate::output::{Output, tell};
use crate::parallel;
use crate::share::Share;
use crate::table::{duration, thousands};

/// Builds a database or a shard of it, and writes it to `out`.
pub(super) fn build(
    arguments: &Arguments,
    out: &Path,
    config: &dyn DatabaseConfig,
) -> Result<Report, Failure> {
    let worlds = arguments.world.worlds(arguments.terrain()?)?;
    let space = worlds.main();
    // A file that cannot be written is to be known before hours are spent; and nothing of it is to lie around
    // meanwhile.
    let device = Some(Output::create(out)?).filter(|output| !output.is_file());
    let begin = Instant::now();
    let Some(builder) = config.blocks(space).map_err(Failure::other)? else {
        return Err(Failure::Other(format!("{config} has no blocks")));
    };
    let shard = arguments.shard.map_or((1, 1), |Share(shard, count)| (shard, count));
    let mut part = Part::new(space, &*builder, shard);
    // A pipe or a device has no place beside it, and nobody could go on with it.
    let mut journal = None;
    if device.is_none() {
        let (opened, blocks) = Journal::open(out, &part.head, arguments.resume)?;
        (journal, part.blocks) = (Some(opened), blocks);
    }
    let _parting = Parting::new(match &journal {
        Some(journal) => format!(
            "surefoot: stopped; what is done is in {}: the same command with --resume goes on",
            journal.path().display()
        ),
        None => databases::STOPPED.to_string(),
    });
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let resumed = databases::make_blocks(&*builder, &mut part, threads, building(out), |number, block| {
        journal.as_mut().map_or(Ok(()), |journal| journal.add(number, block))
    })?;
    let database;
    let (bytes, facts) = match arguments.shard {
        Some(_) => {
            let bytes = part.to_bytes();
            let (facts, warning) = part.head.plan.describe(&part.blocks, bytes.len() as u64);
            warning.iter().for_each(|warning| tell(warning));
            (Cow::Owned(bytes), facts)
        }
        // It is opened once before it is written: nobody is to find out later that it cannot be.
        None => {
            database = databases::finish(&*builder, &part.blocks)?;
            (database.to_bytes(), database.describe().map_err(Failure::other)?.facts)
        }
    };
    let output = device.map_or_else(|| Output::create(out), Ok)?;
    output.finish_durably_with(&bytes)?;
    journal.map_or(Ok(()), Journal::remove)?;
    let from_journal = match resumed {
        0 => String::new(),
        _ => format!("; {} {} were in the journal", thousands(resumed), part.head.plan.unit()),
    };
    let seconds = begin.elapsed().as_secs_f64();
    Ok((facts, vec![("time", format!("{}{from_journal}", duration(seconds * 1e9)))]))
}
