//! What a crowd takes, counted as the kNN LRTA* paper does (JAIR 2010, section 8.7): what is shared once, and
//! what every unit has.

use super::Crowd;
use super::databases::Past;
use super::unit::Unit;
use super::walker::UnitWalker;

/// What a crowd takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdMemory {
    /// The bytes of what all units share: what is looked up in databases, and the table of who stands where.
    pub shared_bytes: u64,
    /// The bytes of what was written down of edits, for saved crowds.
    pub log_bytes: u64,
    /// The bytes of each unit, apart from what its agent has planned and learned.
    pub bytes_per_unit: u64,
    /// The states that all units together hold: learned values, open and closed lists.
    pub states: u64,
    /// Those among them with a learned value.
    pub learned: u64,
    /// The most states with a learned value that one unit has.
    pub most_learned: u64,
}

impl Crowd {
    /// What the crowd takes as it is. It looks at every unit.
    #[must_use]
    pub fn memory(&self) -> CrowdMemory {
        let all = || self.kinds.iter().flat_map(|kind| kind.databases.all().chain(kind.build.as_deref()));
        let links: usize = self.kinds.iter().map(|kind| kind.links.bytes()).sum();
        let shared = all().map(|held| held.database().memory_bytes()).sum::<usize>() + links;
        let logs = all().map(|held| match &held.past {
            Past::InFile => 0,
            Past::Fixed(differing) => differing.bytes(),
            Past::Since(_, log) => size_of_val(&log[..]),
        });
        let occupants = self.occupants.as_ref().map_or(0, super::Occupants::bytes);
        let mut memory = CrowdMemory {
            shared_bytes: (shared + occupants) as u64,
            log_bytes: logs.sum::<usize>() as u64,
            bytes_per_unit: size_of::<Unit>() as u64,
            ..CrowdMemory::default()
        };
        for unit in self.lanes.iter().flat_map(|lane| &lane.units) {
            let of_unit = match &unit.walker {
                UnitWalker::Gone => continue,
                UnitWalker::Beacons(walker) => walker.memory(),
                UnitWalker::Agent(boxed) => boxed.agent.memory(),
            };
            memory.states += of_unit.states();
            memory.learned += of_unit.learned;
            memory.most_learned = memory.most_learned.max(of_unit.learned);
        }
        memory
    }
}
