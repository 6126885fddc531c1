//! What tells one world from another.

use xxhash_rust::xxh3::Xxh3;

use crate::space::{State, World};

/// A number that two worlds hardly share unless they have the same states, moves and costs. Of a grid it is
/// taken from the free cells and their weights alone: rule and costs are written out beside it.
pub(crate) fn fingerprint(world: &impl World) -> u64 {
    if let Some(space) = world.octile_grid() {
        return space.fingerprint();
    }
    let mut hash = Xxh3::new();
    hash.update(&(world.state_limit() as u64).to_le_bytes());
    for number in 0..world.state_limit() as u32 {
        if !world.contains(State(number)) {
            continue;
        }
        hash.update(&[1]);
        hash.update(&number.to_le_bytes());
        world.for_each_successor(State(number), |next, cost| {
            hash.update(&[2]);
            hash.update(&next.0.to_le_bytes());
            hash.update(&cost.to_le_bytes());
        });
    }
    hash.digest()
}
