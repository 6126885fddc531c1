//! 5,000 soldiers, walls and doors, and hunters: `cargo run -p bevy_surefoot --example game`.
//!
//! Drag with the left button to select, click with the right one to send. W and a drag builds a wall, D and a
//! click a door; a click with the middle button opens doors, closes them, and takes walls away. P shows paths,
//! H traffic, B the corners that units go by. Arrows and the wheel move the view.
//!
//! `--screenshot FILE` lets a script play some hundred ticks, writes a picture and ends.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    elided_lifetimes_in_paths
)]

mod view;
mod world;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::PresentMode;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let picture = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--screenshot"), Some(file)) => Some(file),
        (None, _) => None,
        _ => {
            eprintln!("usage: game [--screenshot FILE]");
            std::process::exit(2);
        }
    };
    let window = Window {
        title: "surefoot: 5,000 soldiers".into(),
        resolution: (1024, 768).into(),
        present_mode: PresentMode::AutoVsync,
        canvas: Some("#game".into()),
        fit_canvas_to_parent: true,
        ..default()
    };
    let plugins = DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() });
    let mut app = App::new();
    app.add_plugins((plugins.set(ImagePlugin::default_nearest()), world::World, view::View));
    if let Some(file) = picture {
        // One tick a frame, however long that takes.
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).insert_resource(view::Picture(file));
    }
    app.run();
}
