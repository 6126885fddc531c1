//! Writes the seeds that have a version: databases of beacons and saved crowds, as the library writes them today.
//! `cargo run --example seeds` in this folder, after a version has changed.

use std::error::Error;
use std::fs;
use std::path::Path;

use surefoot_classics::ROSTER;
use surefoot_fuzz::{linked_crowds, small_spaces, unseal};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let put = |name: &str, bytes: &[u8]| {
        let file = seeds.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&seeds)).and_then(|()| fs::write(&file, bytes))
    };
    for (which, space) in small_spaces().iter().enumerate() {
        for labels in ["all", "core"] {
            let spec = format!("beacon*(labels={labels})").parse()?;
            let database = ROSTER.build_database(&spec, space, 1)?.ok_or("beacon* has a database")?;
            let bytes = database.to_bytes();
            let body = unseal(&bytes).ok_or("a database has an envelope")?;
            // The world, the database, the cell that is edited.
            put(&format!("beacons/{labels}-{which}"), &[&[which as u8], body, &[which as u8 * 9]].concat())?;
        }
    }
    // Calls of five bytes each: units come, links, weights, walls, a group, a save.
    let calls: [u8; 60] = [
        0, 0, 0, 80, 20, 7, 0, 3, 60, 9, 10, 1, 24, 6, 30, 5, 0, 40, 1, 60, 13, 4, 0, 77, 90, 18, 0, 0, 0, 5, //
        12, 0, 1, 0, 50, 16, 1, 3, 4, 60, 5, 0, 40, 0, 60, 9, 0, 0, 0, 70, 15, 2, 55, 0, 20, 19, 0, 0, 0, 255,
    ];
    for (which, crowd) in linked_crowds().into_iter().enumerate() {
        let bytes = crowd.save();
        let saved = unseal(&bytes).ok_or("a saved crowd has an envelope")?;
        let length = u16::try_from(saved.len())?.to_le_bytes();
        put(&format!("crowd_calls/saved-{which}"), &[&length, saved, &calls].concat())?;
        put(&format!("crowd_calls/new-{which}"), &[&[which as u8, 0], &calls[..]].concat())?;
        put(&format!("crowd/linked-{which}"), saved)?;
    }
    Ok(())
}
