//! What a game shares between threads.

use super::*;
use crate::agent::{Agent, Algorithm, Roster};
use crate::beacons::BeaconDatabase;
use crate::crowd::{Crowd, FrameReport, Kind};
use crate::lrta::LrtaStar;
use crate::space::{Graph, Grid};
use crate::store::{Database, DatabaseConfig, Maintained};
use crate::tba::TbaStar;
use crate::transit::TransitDatabase;

/// It compiles, or it does not.
#[allow(dead_code)]
fn is_shared<T: Send + Sync + ?Sized>() {}

#[allow(dead_code)]
fn everything_is_shared() {
    is_shared::<(Map, Navigator, Walker, Path, PathCost, Edit)>();
    is_shared::<(crate::MapError, NavigatorError, NoWay, QueryError)>();
    is_shared::<(Crowd, Kind, FrameReport, Grid, GridSpace, Graph)>();
    is_shared::<(BeaconDatabase, TransitDatabase, Roster, Algorithm, LrtaStar, TbaStar)>();
    is_shared::<dyn Database>();
    is_shared::<dyn Maintained>();
    is_shared::<dyn DatabaseConfig>();
    is_shared::<dyn Agent>();
}

#[cfg(feature = "std")]
#[test]
fn threads_ask_one_navigator() {
    let nav = Map::from_art("......\n.####.\n......").unwrap().navigator().unwrap();
    let mut walker = nav.walker((1, 0), (1, 2)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(nav.cost((1, 0), (1, 2)).unwrap().unwrap().to_f64(), 4.0));
        }
        scope.spawn(move || walk(&mut walker).unwrap());
    });
}
