//! Walkers as bytes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{BeaconCourse, BeaconGuide, BeaconWalker, Extra};
use crate::agent::{Agent, Errand};
use crate::beacons::BeaconId;
use crate::lrta::LrtaStar;
use crate::search::{Horizon, Ties};
use crate::space::GridSpace;
use crate::store::codec::{CodecError, Reader, put_number};

impl BeaconWalker {
    pub(crate) fn save(&self, space: &GridSpace, out: &mut Vec<u8>) {
        self.errand.save(out);
        put_number(
            out,
            match self.heading {
                BeaconCourse::Undecided => 0,
                BeaconCourse::Goal => 1,
                BeaconCourse::Lost => 2,
                BeaconCourse::Corner => 3 + u64::from(self.target.node()),
            },
        );
        // Where the way leads says nothing any more once it is done: there may be fewer corners since.
        let is_on_corners = self.heading == BeaconCourse::Corner;
        put_number(out, if is_on_corners { u64::from(self.last.node()) } else { 0 });
        put_number(out, if is_on_corners { u64::from(self.gate.node()) } else { 0 });
        put_number(out, if is_on_corners { u64::from(self.rest) } else { 0 });
        // Where the map is another one since the last move, it may. One that is there chooses nothing.
        let is_there = self.errand.position == self.errand.goal;
        let may_not_choose_again = !self.may_choose_again && !is_there && self.errand.is_as_seen(space);
        put_number(out, u64::from(may_not_choose_again));
        put_number(out, u64::from(self.fallbacks));
        match &self.extra {
            Extra::Nothing => put_number(out, 0),
            Extra::Lrta(lrta) => {
                put_number(out, 1);
                lrta.put(out);
            }
            // What was seen is seen again. On another map it would be forgotten with the next move.
            Extra::Decision(decision) if self.errand.is_as_seen(space) => {
                put_number(out, 2 + u64::from(decision.pieces()));
            }
            Extra::Decision(_) => put_number(out, 0),
        }
    }

    pub(crate) fn restored(guide: BeaconGuide<'_>, saved: &mut Reader<'_>) -> Result<Self, CodecError> {
        let BeaconGuide { space, database } = guide;
        let mut errand = Errand::restore(space, saved)?;
        let no_corner = "there is no such corner";
        let most = u64::from(u32::MAX);
        let (heading, target) = match saved.number_up_to(3 + most, no_corner)? {
            0 => (BeaconCourse::Undecided, BeaconId::NONE),
            1 => (BeaconCourse::Goal, BeaconId::NONE),
            2 => (BeaconCourse::Lost, BeaconId::NONE),
            number => (BeaconCourse::Corner, BeaconId::from_node((number - 3) as u32)),
        };
        let [last, gate] = [saved.number_up_to(most, no_corner)?, saved.number_up_to(most, no_corner)?];
        let [last, gate] = [last, gate].map(|number| BeaconId::from_node(number as u32));
        // A gate may be retired: then the agent decides anew when it gets to a corner.
        if heading == BeaconCourse::Corner && !(database.has(target) && database.has(last)) {
            return Err(saved.malformed(no_corner));
        }
        let rest = saved.number_up_to(most, "no way is so long")? as u32;
        // Only on the map that was seen last; if the way is not open there, that was another one.
        let flag = saved.number_up_to(1, "this should be 0 or 1")?;
        let may_choose_again = flag == 0 || errand.foregone(space).is_some();
        let fallbacks = saved.number_up_to(u64::from(u16::MAX), "no agent fails so often")? as u16;
        let extra = match saved.number_up_to(2 + most, "no decision takes so long")? {
            0 => Extra::Nothing,
            1 => {
                let mut lrta = Box::new(LrtaStar::new(Horizon::Plies(1), Ties::Far));
                lrta.restore(space, saved)?;
                Extra::Lrta(lrta)
            }
            pieces => {
                let mut decision = database.new_decision();
                if heading != BeaconCourse::Undecided || errand.foregone(space).is_some() {
                    return Err(saved.malformed("there is nothing to decide"));
                }
                let [from, to] = [errand.position, errand.goal].map(|state| space.cell(state));
                decision.begin(from, to);
                if !(2..pieces).all(|_| decision.do_piece(database, space)) {
                    return Err(saved.malformed("no decision takes so long"));
                }
                Extra::Decision(decision)
            }
        };
        let lrta_is_here = matches!(&extra, Extra::Lrta(lrta)
            if (<LrtaStar as Agent>::position(lrta), lrta.goal()) == (errand.position, errand.goal));
        if heading == BeaconCourse::Lost && !lrta_is_here {
            return Err(saved.malformed("the agent is in two places"));
        }
        Ok(Self {
            errand,
            extra,
            rest,
            target,
            last,
            gate,
            fallbacks,
            heading,
            may_choose_again,
            ..Self::NEW
        })
    }
}
