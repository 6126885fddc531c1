//! An agent that walks again and again, what its open list holds, and what older programs saved.

use proptest::prelude::*;

use super::*;
use crate::space::GridSpace;
use crate::store::codec::put_number;
use crate::test_maps::problems;

fn step(agent: &mut TbaStar, space: &GridSpace) -> Step {
    agent.step(space, &mut Meter::new())
}

fn bytes(agent: &TbaStar) -> Vec<u8> {
    let mut out = Vec::new();
    agent.put(&mut out);
    out
}

/// Nothing but the open states, each where its node says: so no move has to do with what is out of date.
fn check_open_list(search: &Search) -> Result<(), TestCaseError> {
    prop_assert_eq!(search.open.len() as u64 + search.closed, search.nodes.len() as u64);
    for (place, node) in (0..).zip(search.nodes.iter()).filter(|(_, node)| !node.is_closed) {
        let (_, Reverse(g), Reverse(here)) = search.open.get(node.open_at as usize);
        prop_assert_eq!((g, here), (node.g, place));
    }
    Ok(())
}

proptest! {
    /// Walking back after the walk there, with the memory of that, is as walking back with none.
    #[test]
    fn an_agent_that_walked_before_walks_as_a_new_one((space, start, goal) in problems(), slice in 1_u64..60) {
        let mut used = TbaStar::new(slice, true);
        for (start, goal) in [(start, goal), (goal, start), (start, goal)] {
            let mut fresh = TbaStar::new(slice, true);
            used.begin(&space, start, goal).unwrap();
            fresh.begin(&space, start, goal).unwrap();
            loop {
                let next = step(&mut used, &space);
                prop_assert_eq!(step(&mut fresh, &space), next);
                check_open_list(&used.search)?;
                prop_assert_eq!(bytes(&used), bytes(&fresh));
                if !matches!(next, Step::Moved(_) | Step::Waiting) {
                    break;
                }
            }
        }
    }

    /// Older programs also saved entries of the open list that were out of date.
    #[test]
    fn what_was_out_of_date_is_passed_over((space, start, goal) in problems(), steps in 0_usize..40) {
        let mut agent = TbaStar::new(7, true);
        agent.begin(&space, start, goal).unwrap();
        (0..steps).for_each(|_| { step(&mut agent, &space); });
        let saved = bytes(&agent);
        let mut before = Vec::new();
        agent.errand.save(&mut before);
        agent.memory.save(&mut before);
        agent.search.put(&mut before);
        let mut older = before[..before.len() - 1].to_vec();
        let last = agent.search.nodes.len() as u64 - 1;
        [2, 0, 5, 3, last, 1, 9].into_iter().for_each(|number| put_number(&mut older, number));
        older.extend(&saved[before.len()..]);
        let read = |saved: &[u8]| TbaStar::read(7, true, &space, &mut Reader::new(saved)).map(|agent| bytes(&agent));
        prop_assert_eq!(read(&older).unwrap(), saved);
        prop_assert!((0..older.len()).all(|length| read(&older[..length]).is_err()));
    }
}
