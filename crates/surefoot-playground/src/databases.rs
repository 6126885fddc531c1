//! The databases of a map that are at hand. A page compares algorithms: it goes back and forth between a few.

use std::sync::Arc;

use surefoot::agent::{Agent, Algorithm};
use surefoot::store::{Database, DatabaseConfig};

use crate::json::{list, object, text};

/// The most databases that are kept, and the most bytes of them, if there is more than one.
const MOST_DATABASES: usize = 8;
const MOST_BYTES: usize = 1 << 28;

/// The most agents that are kept. Some take long to be made, and begin anew at once.
const MOST_AGENTS: usize = 4;

/// An agent, its spec, and the database that it goes by.
struct KeptAgent {
    spec: String,
    agent: Box<dyn Agent>,
    database: Option<Arc<dyn Database>>,
}

/// Databases, the last one to be asked for at the end, and agents that go by them.
#[derive(Default)]
pub struct Databases {
    all: Vec<Arc<dyn Database>>,
    agents: Vec<KeptAgent>,
}

impl Databases {
    /// The one that was built, opened or asked for last.
    #[must_use]
    pub fn last(&self) -> Option<&Arc<dyn Database>> {
        self.all.last()
    }

    /// The one that was built from this. It is the last from now on.
    pub fn built_from(&mut self, config: &dyn DatabaseConfig) -> Option<&Arc<dyn Database>> {
        let place = self.all.iter().position(|database| database.config() == config)?;
        self.move_to_end(place);
        self.all.last()
    }

    /// Keeps a database. Those that were not asked for longest go, if there are too many.
    pub fn add(&mut self, database: Arc<dyn Database>) {
        self.agents.clear();
        self.all.push(database);
        let bytes = |all: &[Arc<dyn Database>]| all.iter().map(|one| one.memory_bytes()).sum::<usize>();
        while self.all.len() > MOST_DATABASES || (self.all.len() > 1 && bytes(&self.all) > MOST_BYTES) {
            self.all.remove(0);
        }
    }

    /// Keeps a database of a file, and none of its kind beside it: what it serves is to go by it.
    pub fn replace(&mut self, database: Arc<dyn Database>) {
        self.all.retain(|other| other.kind() != database.kind());
        self.add(database);
    }

    /// The one that serves an algorithm: rather what is just what it asks for than what happens to fit.
    /// `None` if there is none.
    pub fn serving(&mut self, algorithm: &Algorithm) -> Option<(&Arc<dyn Database>, Box<dyn Agent>)> {
        let is_just_it = |database: &Arc<dyn Database>| {
            let asked = algorithm.database_config(database.config().seed());
            asked.is_some_and(|asked| *asked == *database.config())
        };
        let places = (0..self.all.len()).rev();
        let in_order = places.clone().filter(|&place| is_just_it(&self.all[place]));
        let in_order = in_order.chain(places.filter(|&place| !is_just_it(&self.all[place])));
        let mut found = None;
        for place in in_order {
            if let Ok(agent) = algorithm.agent(Some(&self.all[place])) {
                found = Some((place, agent));
                break;
            }
        }
        let (place, agent) = found?;
        self.move_to_end(place);
        Some((self.all.last()?, agent))
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
pub fn facts(database: &dyn Database) -> Result<String, String> {
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
    ]))
}
