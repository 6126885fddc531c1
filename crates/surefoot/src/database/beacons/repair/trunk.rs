//! The trunk of a map that fell apart or grew together.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use super::super::twigs::Sets;
use super::super::{BeaconDatabase, FIRST_TWIG};
use super::Repair;
use super::crossings::{Kind, Way};
use crate::database::container::DatabaseError;
use crate::space::{GridSpace, Heuristic, StateSpace};

impl BeaconDatabase {
    /// A twig becomes part of the trunk: there is none where it stands.
    pub(super) fn promote(&mut self, repair: &mut Repair<'_>, twig: u32) -> Result<(), DatabaseError> {
        let state = self.state(twig);
        let dead = self.repairs.as_deref_mut().and_then(|repairs| {
            // Of others hub labels still tell what they were.
            let beacon =
                repairs.dead.range(..FIRST_TWIG).copied().find(|&beacon| repairs.is_alone(beacon))?;
            repairs.dead.remove(&beacon);
            Some(beacon)
        });
        let beacon = match dead {
            Some(beacon) => {
                self.trunk[beacon as usize] = state;
                beacon
            }
            None if self.trunk.len() < usize::from(u16::MAX) => {
                self.trunk.push(state);
                self.legs.end_list();
                self.label_alone();
                (self.trunk.len() - 1) as u32
            }
            None => {
                let problem = format!("a trunk of more than {} beacons", self.trunk.len());
                return Err(DatabaseError::TooLarge { problem });
            }
        };
        repair.report.retired.push(beacon);
        let region = self.of_region.iter().position(|&own| own == twig);
        let was_made = region.is_some_and(|region| {
            self.repairs.as_ref().is_some_and(|repairs| repairs.made.contains(&(region as u32)))
        });
        self.kill(repair, twig);
        if let Some((region, repairs)) = region.zip(self.repairs.as_deref_mut()) {
            // The region lives on.
            self.of_region[region] = beacon;
            repairs.free_regions.retain(|&free| free != region as u32);
            if was_made {
                repairs.made.insert(region as u32);
            }
        }
        repair.unhung.sort_unstable();
        repair.unhung.dedup();
        repair.may_be_apart = true;
        Ok(())
    }

    /// Makes the trunk as connected as the map, and begins to make hub labels for it, if that is needed.
    pub(super) fn renew_trunk(&mut self, repair: &mut Repair<'_>) {
        // While labels are being made, those at hand do not tell whether parts are apart.
        let may_be_apart = repair.may_be_apart || repair.needs_labels || self.is_labelling();
        if !may_be_apart && !self.joins_parts(repair) {
            return;
        }
        if self.connect(repair) || repair.needs_labels {
            self.begin_labels();
            repair.report.is_relabelled = true;
        }
    }

    /// Whether moves lead between states around the changed cells that hang on parts of the trunk that no way is known between.
    fn joins_parts(&self, repair: &Repair<'_>) -> bool {
        let root = |state| self.beacon(state).and_then(|beacon| self.root(beacon, &[]));
        let mut pairs = BTreeSet::new();
        let changed = repair.changed.iter().map(|&cell| repair.space.state(cell));
        for state in
            changed.filter(|&state| repair.space.contains(state)).chain(repair.rehoused.iter().copied())
        {
            let Some(own) = root(state) else { continue };
            repair.space.for_each_successor(state, |next, _| {
                pairs.extend(root(next).filter(|&other| other != own).map(|other| (own, other)));
            });
        }
        pairs.into_iter().any(|(own, other)| self.cost(own, other).is_none())
    }

    /// Adds legs to the trunk until there are ways over it between all of its beacons that the map connects. Whether any were missing.
    fn connect(&mut self, repair: &mut Repair<'_>) -> bool {
        let mut has_joined = false;
        loop {
            repair.report.work += self.trunk.len() as u64;
            let Some([a, b]) = self.parts_apart(repair.space) else { return has_joined };
            let way = Way { ends: [a.min(b), a.max(b)], kind: Kind::Trunk };
            let Some(cost) = self.set_way(repair, way, |_| true) else { return has_joined };
            self.put_leg(a, b, cost);
            self.put_leg(b, a, cost);
            has_joined = true;
        }
    }

    /// Two beacons, near to each other, that the map connects and the trunk does not.
    fn parts_apart(&self, space: &GridSpace) -> Option<[u32; 2]> {
        let legs = self.trunk().flat_map(|from| self.legs(from).iter().map(move |leg| (from, leg.to())));
        let mut sets = Sets::new(self.trunk.len(), legs);
        let mut parts: BTreeMap<Option<u32>, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
        for beacon in self.trunk().filter(|&beacon| self.is_alive(beacon)) {
            let component = space.components().of(space.cell(self.state(beacon)));
            let part = parts.entry(component).or_default().entry(sets.of(beacon)).or_default();
            part.push(beacon);
        }
        // What components are called depends on the edits before; which beacons are in them does not.
        let torn = parts.into_values().filter(|parts| parts.len() > 1);
        let torn = torn.min_by_key(|parts| parts.values().map(|part| part[0]).min())?;
        let smallest = torn.values().min_by_key(|part| part.len())?;
        let others = || torn.values().filter(|part| part[0] != smallest[0]).flatten();
        let pairs = smallest.iter().flat_map(|&a| others().map(move |&b| [a, b]));
        pairs.min_by_key(|&[a, b]| (space.estimate(self.state(a), self.state(b)), a, b))
    }
}
