//! Covers as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};

use surefoot::space::{Cell, GridSpace, State};
use surefoot::store::codec::Reader;
use surefoot::store::{
    BuiltFor, Database, DatabaseConfig, DatabaseError, DatabaseKind, Fact, FileInfo, Follows, Maintained,
    Mark, Shade, SharedBytes, Sketch, View, ViewError, Watch, thousands,
};

use super::{CONTENTS, CoverConfig, CoverDatabase, CoverFileInfo, CoverRepairer, Partition, RegionId};
use crate::regions::colours::{REGIONS, paint_labelled};
use crate::regions::repaired::{Repaired, Repairer};

/// The kind of database that covers are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: CONTENTS,
    follows: Follows::BesideFile(Repaired::<CoverRepairer>::resume),
    open: |space, bytes| Ok(Arc::new(CoverDatabase::from_shared(space, &bytes)?)),
    inspect: |bytes| CoverDatabase::inspect(bytes).map(CoverFileInfo::describe),
    blocks: None,
};

const WAY: Shade = Shade::Path(0);
const SUBGOALS: Shade = Shade::Path(1);
const MIDDLES: Shade = Shade::Path(2);

impl DatabaseConfig for CoverConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    /// It is so fast that there is no progress to tell of.
    fn build(&self, space: &GridSpace, _: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(CoverDatabase::build(space, *self)?))
    }
}

impl Database for CoverDatabase {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Borrowed(self.built_for())
    }

    fn is_repaired(&self) -> bool {
        self.has_retired()
    }

    fn config(&self) -> &dyn DatabaseConfig {
        self.config()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }

    fn states(&self) -> u64 {
        self.states()
    }

    /// The pairs of regions.
    fn entries(&self) -> u64 {
        self.pairs()
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(Repaired::<CoverRepairer>::new(self))
    }

    /// Climbs from every state to the one that stands for its region and back, and builds everything again.
    fn verify(&self, space: &GridSpace, _: u64, _: u64, _: Watch<'_>) -> Result<Vec<Fact>, String> {
        self.verify(space).map_err(|fault| fault.to_string())?;
        let states = thousands(space.grid().free_count());
        let (regions, paths) = (thousands(self.regions().into()), thousands(self.links().into()));
        let covered = match self.config().partition {
            Partition::Climbs { .. } => {
                format!("{states}, each with climbs to the middle of its region and back")
            }
            Partition::Sectors { .. } => {
                format!("{states}, each connected with the middle of its region inside its sector")
            }
        };
        Ok(Vec::from([
            Fact::new("states", covered),
            Fact::new("regions", format!("{regions}, as the map is divided")),
            Fact::new(
                "paths",
                format!(
                    "{paths} between neighbours; every leg can be climbed, every chain is a cheapest one"
                ),
            ),
        ]))
    }

    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        let contents = "regions and paths between them";
        if view.record.is_some() || view.level.is_some() {
            let option = if view.record.is_some() { "--record" } else { "--level" };
            return Err(ViewError::NotForThis { option, contents });
        }
        let mut marks = paint_labelled(space, self.regions(), |state| self.region(state));
        let middles = RegionId::first(self.regions()).map(|region| space.cell(self.representative(region)));
        marks.push(Mark::Dots(middles.collect(), MIDDLES));
        let mut legend = vec![REGIONS, (MIDDLES, "the state that stands for a region")];
        let Some((from, to)) = view.way else { return Ok(Sketch { legend, ..Sketch::of(marks) }) };
        legend.extend([(SUBGOALS, "the stops of the way"), (WAY, "from each to the next")]);
        let none = ViewError::NoWay { from: space.cell(from), to: space.cell(to) };
        let way = way(self, (from, to)).ok_or(none)?;
        let cells: Vec<Cell> = way.iter().map(|&state| space.cell(state)).collect();
        if let [start, .., goal] = cells[..] {
            let between = cells[1..cells.len() - 1].to_vec();
            marks.extend([Mark::Path(cells, WAY), Mark::Spots(between, SUBGOALS)]);
            marks.extend([Mark::Start(start), Mark::Goal(goal)]);
        }
        let sketch = Sketch { legend, ..Sketch::of(marks) };
        Ok(sketch.with_table(vec!["next", "region", "stands for it"], rows(self, &way, space)))
    }
}

/// All states that the cover has for the way, both ends included: agents skip the middles of the first and
/// the last region where they can.
fn way(cover: &CoverDatabase, (start, goal): (State, State)) -> Option<Vec<State>> {
    let (from, to) = (cover.region(start)?, cover.region(goal)?);
    let mut trail = cover.trail(from, to);
    let mut way = vec![start, trail.at()];
    while let Some(stop) = cover.next_stop(&mut trail) {
        way.push(stop);
    }
    way.push(goal);
    way.dedup();
    trail.is_over().then_some(way)
}

fn rows(cover: &CoverDatabase, way: &[State], space: &GridSpace) -> Vec<Vec<String>> {
    let row = |&state: &State| {
        let region = cover.region(state);
        let is_middle = region.is_some_and(|region| cover.representative(region) == state);
        vec![
            space.cell(state).to_string(),
            region.map_or_else(|| "-".to_string(), |region| region.to_string()),
            if is_middle { "yes" } else { "no" }.to_string(),
        ]
    };
    way.iter().map(row).collect()
}

impl Repairer for CoverRepairer {
    type Database = CoverDatabase;

    fn begin(space: &GridSpace, database: &Arc<CoverDatabase>) -> Option<(Self, u64)> {
        Some((Self::new(space, Arc::clone(database)).ok()?, u64::from(database.regions())))
    }

    fn follow(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<u64> {
        self.repair(space, changed.iter().copied()).ok()
    }

    fn renew_one(&mut self, _: &GridSpace) {
        self.renew(1);
    }

    fn waiting(&self) -> usize {
        self.waiting()
    }

    fn database(&self) -> &Arc<CoverDatabase> {
        self.database()
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.put_beside(out);
    }

    fn save_changes(database: &CoverDatabase, out: &mut Vec<u8>) {
        database.put_changes(out);
    }

    fn open(space: &GridSpace, file: &SharedBytes) -> Result<CoverDatabase, DatabaseError> {
        CoverDatabase::from_shared(space, file)
    }

    fn resume(space: &GridSpace, file: &SharedBytes, reader: &mut Reader<'_>) -> Result<Self, DatabaseError> {
        Self::resumed(space, CoverDatabase::with_changes(space, file, reader)?, reader)
    }
}

impl CoverFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let per_path = self.states as f64 / self.links.max(1) as f64;
        let facts = Vec::from([
            Fact::new("regions", thousands(self.regions.into())).with_count("regions", self.regions.into()),
            Fact::new(
                "paths",
                format!(
                    "{} between neighbours, {per_path:.2} states a path, both ends included",
                    thousands(self.links)
                ),
            )
            .with_count("paths", self.links)
            .with_count("states", self.states),
            Fact::new("pairs", format!("{}, of regions with a way between them", thousands(self.pairs)))
                .with_count("pairs", self.pairs),
            Fact::new("bytes", thousands(self.bytes)),
        ]);
        let Self { version, built_for, config, bytes, sections, .. } = self;
        let contents = CONTENTS.to_string();
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}
