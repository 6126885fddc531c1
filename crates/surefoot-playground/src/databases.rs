//! The databases of a map that are at hand. A page compares algorithms: it goes back and forth between a few.

use std::sync::Arc;

use surefoot::agent::{Agent, Algorithm};
use surefoot::space::GridSpace;
use surefoot::store::{Database, DatabaseConfig, View, ViewError};

use crate::json::{list, numbers, object, text};

/// The most databases that are kept, and the most bytes of them, if there is more than one.
const MOST_DATABASES: usize = 8;
const MOST_BYTES: usize = 1 << 28;

/// The most agents that are kept. Some take long to be made, and begin anew at once.
const MOST_AGENTS: usize = 4;

/// A database, and whether it was opened from a file.
struct Kept {
    database: Arc<dyn Database>,
    is_opened: bool,
}

/// An agent, its spec, and the database that it goes by.
struct KeptAgent {
    spec: String,
    agent: Box<dyn Agent>,
    database: Option<Arc<dyn Database>>,
}

/// Databases, the last one to be asked for at the end, and agents that go by them.
#[derive(Default)]
pub struct Databases {
    all: Vec<Kept>,
    agents: Vec<KeptAgent>,
}

impl Databases {
    /// The one that was built, opened or asked for last.
    #[must_use]
    pub fn last(&self) -> Option<&Arc<dyn Database>> {
        self.all.last().map(|kept| &kept.database)
    }

    /// The one that was built from this. It is the last from now on.
    pub fn built_from(&mut self, config: &dyn DatabaseConfig) -> Option<&Arc<dyn Database>> {
        let place = self.all.iter().position(|kept| kept.database.config() == config)?;
        self.move_to_end(place);
        self.last()
    }

    /// Keeps a database that was built.
    pub fn add(&mut self, database: Arc<dyn Database>) {
        self.keep(Kept { database, is_opened: false });
    }

    /// Keeps a database of a file, and none of its kind beside it: all that it serves is to go by it.
    pub fn add_opened(&mut self, database: Arc<dyn Database>) {
        self.all.retain(|kept| kept.database.kind() != database.kind());
        self.keep(Kept { database, is_opened: true });
    }

    /// Those that were not asked for longest go, if there are too many.
    fn keep(&mut self, kept: Kept) {
        self.agents.clear();
        self.all.push(kept);
        let bytes = |all: &[Kept]| all.iter().map(|kept| kept.database.memory_bytes()).sum::<usize>();
        while self.all.len() > MOST_DATABASES || (self.all.len() > 1 && bytes(&self.all) > MOST_BYTES) {
            self.all.remove(0);
        }
    }

    /// The one that an algorithm goes by: what was built from just what it asks for, or else what was opened
    /// and serves. `None` if there is none. What happens to serve another does not count: a walk would depend
    /// on what was walked before.
    pub fn serving(&mut self, algorithm: &Algorithm) -> Option<&Arc<dyn Database>> {
        // Agents that need no database take any.
        algorithm.database_config(0)?;
        let is_just_it = |kept: &Kept| {
            let built = kept.database.config();
            algorithm.database_config(built.seed()).is_some_and(|asked| *asked == *built)
        };
        let fits = |kept: &Kept| kept.is_opened && algorithm.agent(Some(&kept.database)).is_ok();
        let place = self.all.iter().rposition(is_just_it).or_else(|| self.all.iter().rposition(fits))?;
        self.move_to_end(place);
        self.last()
    }

    fn move_to_end(&mut self, place: usize) {
        self.all[place..].rotate_left(1);
    }

    /// An agent that was kept for a spec, and its database. It is the last from now on.
    pub fn agent(&mut self, spec: &str) -> Option<(&mut dyn Agent, Option<&dyn Database>)> {
        let place = self.agents.iter().position(|kept| kept.spec == spec)?;
        self.agents[place..].rotate_left(1);
        let kept = self.agents.last_mut()?;
        Some((&mut *kept.agent, kept.database.as_deref()))
    }

    /// Keeps an agent until a database is added.
    pub fn keep_agent(&mut self, spec: &str, agent: Box<dyn Agent>, database: Option<Arc<dyn Database>>) {
        if self.agents.len() >= MOST_AGENTS {
            self.agents.remove(0);
        }
        self.agents.push(KeptAgent { spec: spec.to_string(), agent, database });
    }

    /// The agent of this spec is to go by this database: another one is dropped.
    pub fn drop_agent_without(&mut self, spec: &str, database: &Arc<dyn Database>) {
        let goes_by_it =
            |kept: &KeptAgent| kept.database.as_ref().is_some_and(|own| Arc::ptr_eq(own, database));
        self.agents.retain(|kept| kept.spec != spec || goes_by_it(kept));
    }
}

/// What there is to say of a database, as JSON.
///
/// # Errors
/// If its bytes are none of its kind, which they are.
pub fn facts(space: &GridSpace, database: &dyn Database) -> Result<String, String> {
    let info = database.describe().map_err(|error| error.to_string())?;
    let facts =
        info.facts.iter().map(|fact| object(&[("label", text(fact.label)), ("text", text(&fact.text))]));
    Ok(object(&[
        ("kind", text(database.kind().name)),
        ("config", text(&database.config().to_string())),
        ("seed", database.config().seed().to_string()),
        ("entries", database.entries().to_string()),
        ("states", database.states().to_string()),
        ("bytes", info.bytes.to_string()),
        ("memoryBytes", database.memory_bytes().to_string()),
        ("facts", list(facts)),
        ("shows", shows(space, database)),
    ]))
}

/// Which sketches there are of it beside that of the whole: whether of a way, and of which records and
/// levels, the first and the last (null if of none).
fn shows(space: &GridSpace, database: &dyn Database) -> String {
    let refused = |view: View| database.sketch(space, &view).err();
    // No way is as easy to draw as the one that ends where it begins.
    let place = space.grid().free_cells().next().and_then(|cell| space.state_at(cell));
    let is_for_ways = place.is_some_and(|place| {
        let view = View { way: Some((place, place)), ..View::default() };
        !matches!(refused(view), Some(ViewError::NotForThis { .. }))
    });
    // Nothing has so many: it says how many there are.
    let numbered = |view| match refused(view) {
        Some(ViewError::NoSuch { least, most, .. }) if least <= most => numbers([least, most]),
        _ => String::from("null"),
    };
    object(&[
        ("way", is_for_ways.to_string()),
        ("records", numbered(View { record: Some(u32::MAX), ..View::default() })),
        ("levels", numbered(View { level: Some(u32::MAX), ..View::default() })),
    ])
}
