//! What is chosen, beside Dijkstra's algorithm over the links.

use super::*;
use crate::beacons::BeaconConfig;
use crate::search::Dijkstra;
use crate::space::{LinkedSpace, Links};
use crate::store::DatabaseConfig;
use crate::store::draws::Draws;
use crate::test_maps::{linked_maps, states};

fn dijkstra(space: &GridSpace, links: &Links, from: State, to: State) -> Option<Cost> {
    let linked = LinkedSpace::new(space, links);
    Dijkstra::new().find(&linked, from, to).unwrap().path.map(|path| path.cost)
}

fn exact(space: &GridSpace, from: State, to: State) -> Option<Cost> {
    Dijkstra::new().find(space, from, to).unwrap().path.map(|path| path.cost)
}

#[test]
fn what_is_chosen_is_cheapest_and_asks_little() {
    let (mut over_links, mut questions, mut most) = (0_u64, 0_u64, 0_u64);
    for (number, (space, links)) in (0..).zip(linked_maps(450, 3)) {
        let table = LinkTable::complete(&space, links.as_slice(), &mut |from, to| exact(&space, from, to));
        let all: Vec<State> = states(&space).collect();
        let mut draws = Draws::new(5, number);
        for _ in 0..12 {
            let [from, to] = [0, 1].map(|_| all[draws.below(all.len() as u64) as usize]);
            let mut asked = 0;
            let (choice, work) = table.choose(&space, (from, to), &mut |from, to| {
                asked += 1;
                exact(&space, from, to)
            });
            let (most_work, most_asked) = table.most_to_choose();
            assert!(work <= most_work && asked <= most_asked, "{work} {asked} {links:?}");
            (questions, most) = (questions + asked, most + most_asked);
            assert_eq!(table.is_way(&space, from, to), choice.is_some());
            let cheapest = dijkstra(&space, &links, from, to);
            assert_eq!(choice.as_ref().map(|choice| choice.cost), cheapest, "{from:?} {to:?} {links:?}");
            let Some(choice) = choice.filter(|choice| !choice.links.is_empty()) else { continue };
            over_links += 1;
            // The way is what it is said to be: each part of it is there, and they add up.
            let (mut at, mut cost) = (from, 0);
            for link in choice.links.iter().map(|&at| &table.links()[usize::from(at)]) {
                cost += exact(&space, at, link.entry).unwrap() + link.cost;
                at = link.exit;
            }
            assert_eq!(cost + exact(&space, at, to).unwrap(), choice.cost);
        }
    }
    assert!(over_links > 300, "{over_links}");
    assert!(questions * 3 < most, "{questions} of {most}");
}

#[test]
fn beacons_answer_over_links_exactly() {
    let mut over_links = 0;
    for (number, (space, links)) in (0..).zip(linked_maps(600, 8)) {
        if space.is_weighted() {
            continue;
        }
        let config: &dyn DatabaseConfig = &BeaconConfig::default();
        let answers = config.build_quietly(&space).unwrap().answers().unwrap();
        let table = LinkTable::complete(&space, links.as_slice(), &mut |from, to| {
            let (cost, work) = answers.ask(&space, from, to);
            assert!(work <= answers.question_bound());
            assert_eq!(cost, exact(&space, from, to));
            cost
        });
        let all: Vec<State> = states(&space).collect();
        let mut draws = Draws::new(6, number);
        for _ in 0..6 {
            let [from, to] = [0, 1].map(|_| all[draws.below(all.len() as u64) as usize]);
            let ask = &mut |from, to| answers.ask(&space, from, to).0;
            let choice = table.choose(&space, (from, to), ask).0;
            assert_eq!(choice.as_ref().map(|choice| choice.cost), dijkstra(&space, &links, from, to));
            over_links += u32::from(choice.is_some_and(|choice| !choice.links.is_empty()));
        }
    }
    assert!(over_links > 100, "{over_links}");
}

#[test]
fn a_table_of_links_that_come_and_go_is_that_of_those_that_are_left() {
    for (number, (space, links)) in (0..).zip(linked_maps(90, 21)) {
        let ask = &mut |from, to| exact(&space, from, to);
        let mut draws = Draws::new(2, number);
        let (mut table, mut left) = (LinkTable::default(), Vec::new());
        for (id, &link) in (0..).zip(links.as_slice()) {
            table.push(&space, id, link, ask);
            left.push(link);
            if draws.below(3) == 0 {
                let at = draws.below(left.len() as u64) as usize;
                left.remove(at);
                let id = table.links()[at].id;
                assert!(table.remove(id) && !table.remove(id) && table.find(id).is_none());
            }
        }
        (0..table.len()).for_each(|row| table.ask_anew(&space, row, ask));
        let expected = LinkTable::complete(&space, &left, ask);
        assert_eq!(table.costs(), expected.costs());
        let cells = |table: &LinkTable| -> Vec<Link> { table.links().iter().map(|link| link.link).collect() };
        assert_eq!(cells(&table), left);
    }
}
