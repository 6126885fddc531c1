//! The game of the example, without a window: a script plays, and it comes out the same on every machine.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    elided_lifetimes_in_paths
)]

#[path = "../examples/game/world.rs"]
mod world;

use bevy_app::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};

const TICKS: u32 = 600;

fn play() -> (App, Vec<u64>) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, world::World)).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    let mut sums = Vec::new();
    for tick in 1..=TICKS {
        app.world_mut().write_message_batch(world::script(tick));
        app.update();
        sums.push(app.world().resource::<Navigation>().checksum());
    }
    (app, sums)
}

#[test]
fn the_game_comes_out_the_same() {
    let (app, sums) = play();
    let world = app.world();
    let (score, navigation) = (world.resource::<world::Score>(), world.resource::<Navigation>());
    let (most, all, ticks) = score.planning;
    println!(
        "{} units, {} caught, {} groups settled; planning {:.3} ms a tick, {most:.1} at most; checksum {:#x}",
        navigation.crowd().len(),
        score.caught,
        score.settled,
        all / f64::from(ticks),
        sums[sums.len() - 1],
    );
    assert_eq!(navigation.crowd().len(), u64::from(world::SOLDIERS + world::HUNTERS - score.caught));
    assert!(score.caught > 0, "hunters caught nobody");
    let kind = world.iter_entities().find_map(|entity| entity.get::<Agent>().copied()).unwrap().kind;
    assert!(navigation.is_built(kind), "the database was not built in {TICKS} ticks");
    assert_eq!(sums, play().1);
    assert_eq!(
        sums[sums.len() - 1],
        0xc031_e694_15a1_de50,
        "the game plays otherwise than it did: is that meant?"
    );
}
