//! The resource: a crowd, and which entities its units are.

use core::fmt;
use core::time::Duration;

use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use surefoot::crowd::BuiltKind;
use surefoot::space::Grid;
use surefoot::{
    BuildEvent, Cell, Crowd, CrowdConfig, CrowdError, FrameBudget, FrameReport, GroupId, Kind, KindId, Map,
    Path, UnitId, UnitStatus,
};

use crate::background::Background;
use crate::components::{Agent, Destination};
use crate::layout::Layout;
use crate::messages::NavigationError;
use crate::obstacles::Obstacles;

/// What a tick may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// Everyone moves, whatever it takes.
    #[default]
    Everyone,
    /// So many units of work: cells that are looked at and the like. It comes out the same on every machine.
    Work(u64),
    /// So much time. What moves depends on the machine.
    Time(Duration),
}

/// What is to be done at the beginning of the next tick.
pub(crate) enum Order {
    Cells(Vec<(Cell, bool)>),
    Weights(KindId, Vec<(Cell, u8)>),
    Send(Vec<Entity>, Cell),
    Leave(Entity),
    Rest(Entity),
    Lost(Entity),
    OwnPace(Entity),
    Uncover(Entity),
}

/// Components that were removed since the last tick. They are noted even where the [`Navigation`] is away for
/// a while: in `World::resource_scope`, say.
#[derive(Resource, Default)]
pub(crate) struct Removed(pub(crate) Vec<Order>);

/// A place for a unit: who it is, and which destination it was given last, if nothing else was said since.
#[derive(Clone, Copy, Default)]
struct Slot {
    entity: Option<Entity>,
    told: Option<Destination>,
}

/// The map, the kinds of units with their databases, and everybody on it.
///
/// Games speak to it by components and [commands](crate::NavigationCommands). What these do not say is said
/// to the [crowd](Self::crowd_mut) itself: links, pushing out, saving.
#[derive(Resource)]
pub struct Navigation {
    /// What a tick may take.
    pub budget: Budget,
    /// Where cells are in the world.
    pub layout: Layout,
    /// Whether units on which something is built are put beside it. Otherwise they have no way until it goes.
    pub pushes_out: bool,
    pub(crate) crowd: Crowd,
    pub(crate) orders: Vec<Order>,
    pub(crate) obstacles: Obstacles,
    pub(crate) builds: Vec<Background>,
    /// Units are to be added anew: the crowd is another one.
    pub(crate) is_new: bool,
    /// Cells were changed by [`set_map`](Self::set_map).
    pub(crate) is_edited: bool,
    /// Who is elsewhere than its position says: something was built there, or the position was refused.
    pub(crate) pushed: Vec<(UnitId, Cell)>,
    /// Whom the game has put elsewhere in this tick.
    pub(crate) placed: EntityHashSet,
    kinds: Vec<Kind>,
    units: EntityHashMap<UnitId>,
    slots: Vec<Slot>,
}

impl Navigation {
    /// Nobody on a map. Which moves there are, and what they cost, is the [kinds'](Self::add_kind).
    #[must_use]
    pub fn new(map: &Map) -> Self {
        Self::with_config(map, CrowdConfig::default())
    }

    /// The same with other rules: units that are obstacles, say.
    #[must_use]
    pub fn with_config(map: &Map, config: CrowdConfig) -> Self {
        Self {
            budget: Budget::default(),
            layout: Layout::default().centred(map.width(), map.height()),
            pushes_out: true,
            crowd: Crowd::with_config(map, config),
            orders: Vec::new(),
            obstacles: Obstacles::default(),
            builds: Vec::new(),
            is_new: true,
            is_edited: false,
            pushed: Vec::new(),
            placed: EntityHashSet::default(),
            kinds: Vec::new(),
            units: EntityHashMap::default(),
            slots: Vec::new(),
        }
    }

    /// The same with another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same elsewhere in the world.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Adds a kind of units. Its database is built now, unless it has one: on large maps that takes seconds.
    ///
    /// # Errors
    /// If there can be no such database, or the one that it has is of another map.
    pub fn add_kind(&mut self, kind: Kind) -> Result<KindId, CrowdError> {
        let id = self.crowd.add_kind(kind.clone())?;
        self.kinds.push(kind.with_database(None));
        Ok(id)
    }

    /// Adds a kind of units whose database is built on Bevy's task pool: [`progress`](Self::progress) tells
    /// how far it is, and the message [`Built`](crate::Built) that it is there. Units walk meanwhile, by an
    /// exact search in slices. In which tick it is there depends on the machine.
    ///
    /// In a browser, which has one thread, this is [`add_kind_in_frames`](Self::add_kind_in_frames) where
    /// that is possible.
    ///
    /// # Errors
    /// If the kind does not fit the map.
    pub fn add_kind_in_background(&mut self, kind: Kind) -> Result<KindId, CrowdError> {
        let id = self.add_kind_waiting(kind)?;
        self.build_in_background(id)?;
        Ok(id)
    }

    /// Adds a kind of units whose database is built within the budgets of the next ticks: the same on every
    /// machine. Only `beacon*`, which is the default, can do it.
    ///
    /// # Errors
    /// If the kind does not fit the map, or what its algorithm needs is built in one go.
    pub fn add_kind_in_frames(&mut self, kind: Kind) -> Result<KindId, CrowdError> {
        let id = self.add_kind_waiting(kind)?;
        self.crowd.build_in_frames(id)?;
        Ok(id)
    }

    /// Adds a kind whose database is [given](Self::give_database) later.
    pub(crate) fn add_kind_waiting(&mut self, kind: Kind) -> Result<KindId, CrowdError> {
        let id = self.crowd.add_kind_unbuilt(kind.clone())?;
        self.kinds.push(kind.with_database(None));
        Ok(id)
    }

    pub(crate) fn build_in_background(&mut self, kind: KindId) -> Result<(), CrowdError> {
        if self.crowd.is_built(kind)?
            || cfg!(target_family = "wasm") && self.crowd.build_in_frames(kind).is_ok()
        {
            return Ok(());
        }
        self.builds.push(Background::begin(kind, self.crowd.build_of(kind)?));
        Ok(())
    }

    /// How far the build of a kind's database is. `None` if there is none under way, or it has not begun.
    #[must_use]
    pub fn progress(&self, kind: KindId) -> Option<BuildEvent> {
        let in_background = self.builds.iter().find(|build| build.kind == kind);
        let in_frames = || self.crowd.build_progress(kind).ok().flatten();
        in_background
            .and_then(Background::progress)
            .or_else(|| in_frames().map(|now| BuildEvent::progress(now.stage, now.done, now.all)))
    }

    /// Whether the database of a kind is there.
    #[must_use]
    pub fn is_built(&self, kind: KindId) -> bool {
        self.crowd.is_built(kind).unwrap_or(false)
    }

    /// Another map takes the place of this one. If it is of the same size, cells that differ are edited; what
    /// entities [block](crate::Blocking) stays so. Otherwise all kinds are built anew in the background, and
    /// units begin anew where they stand, if they can.
    ///
    /// # Errors
    /// If a kind does not fit the new map: it may have weights. Then the map stays.
    pub fn set_map(&mut self, map: &Map) -> Result<(), CrowdError> {
        let (new, old) = (map.space().grid(), self.crowd.map());
        let is_centred = self.layout == self.layout.centred(old.width(), old.height());
        if (new.width(), new.height()) == (old.width(), old.height()) {
            let cells = (0..new.height()).flat_map(|y| (0..new.width()).map(move |x| Cell::new(x, y)));
            let told = cells.map(|cell| (cell, new.is_free(cell)));
            let told = self.obstacles.below(told.collect());
            let differ =
                told.into_iter().filter(|&(cell, is_free)| self.crowd.map().is_free(cell) != is_free);
            let differ: Vec<_> = differ.collect();
            self.is_edited = true;
            return self.crowd.set_cells(differ).map(|_| ());
        }
        let mut crowd = Crowd::with_config(map, *self.crowd.config());
        let mut ids = Vec::new();
        for kind in &self.kinds {
            ids.push(crowd.add_kind_unbuilt(kind.clone())?);
        }
        if is_centred {
            self.layout = self.layout.centred(new.width(), new.height());
        }
        self.crowd = crowd;
        self.builds.clear();
        self.obstacles.clear();
        self.units.clear();
        self.slots.clear();
        self.is_new = true;
        ids.into_iter().try_for_each(|id| self.build_in_background(id))
    }

    /// Gives a kind a database: the bytes of an `.sfdb` file that was built for the map as it is now, or as
    /// it is without what entities [block](crate::Blocking).
    ///
    /// # Errors
    /// If it is damaged, or of another map, rule or algorithm.
    pub fn give_database(&mut self, kind: KindId, bytes: Vec<u8>) -> Result<(), NavigationError> {
        let build = self.crowd.build_of(kind)?;
        match surefoot::agent::CORE.open(build.space(), bytes.clone()) {
            Ok(database) => self.take_database(kind, build.take(database)?),
            Err(error) => {
                let without = self.obstacles.without(self.crowd.map());
                self.give_database_of(kind, without, bytes).map_err(|_| error.into())
            }
        }
    }

    /// The same for a database of another map of this size: what differs is told to it as an edit.
    pub(crate) fn give_database_of(
        &mut self,
        kind: KindId,
        map: Grid,
        bytes: Vec<u8>,
    ) -> Result<(), NavigationError> {
        let own = self.kinds.get(kind.to_bits() as usize).ok_or(CrowdError::NoKind(kind))?;
        let mut then = Crowd::new(map);
        let of_then = then.add_kind_unbuilt(own.clone())?;
        let build = then.build_of(of_then)?;
        let database = surefoot::agent::CORE.open(build.space(), bytes)?;
        self.take_database(kind, build.take(database)?)
    }

    fn take_database(&mut self, kind: KindId, built: BuiltKind) -> Result<(), NavigationError> {
        self.crowd.give_database(kind, built)?;
        self.builds.retain(|build| build.kind != kind);
        Ok(())
    }

    /// The map as it is now, walls of entities included.
    #[must_use]
    pub fn map(&self) -> &Grid {
        self.crowd.map()
    }

    /// The crowd: questions, and all else that there is in [`surefoot::crowd`].
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The crowd, for what components and commands do not say.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// What happened in the last tick.
    #[must_use]
    pub fn report(&self) -> &FrameReport {
        self.crowd.report()
    }

    /// Who went from where to where in the last tick: for systems that do without [`Follow`](crate::Follow).
    pub fn moves(&self) -> impl Iterator<Item = (Entity, Cell, Cell)> {
        let moves = self.crowd.report().moves.iter();
        moves.filter_map(|made| self.entity(made.unit).map(|entity| (entity, made.from, made.to)))
    }

    /// The unit that an entity is.
    #[must_use]
    pub fn unit(&self, entity: Entity) -> Option<UnitId> {
        self.units.get(&entity).copied()
    }

    /// The entity that a unit is.
    #[must_use]
    pub fn entity(&self, unit: UnitId) -> Option<Entity> {
        let entity = self.slots.get(unit.slot() as usize)?.entity?;
        (self.units.get(&entity) == Some(&unit)).then_some(entity)
    }

    /// The group that an entity was [sent](crate::NavigationCommands::send_units) with, until it has settled.
    #[must_use]
    pub fn group(&self, entity: Entity) -> Option<GroupId> {
        self.unit(entity).and_then(|unit| self.crowd.group_of(unit).ok().flatten())
    }

    /// The way that a unit has before it. `None` if there is none, or it is no unit.
    #[must_use]
    pub fn path(&self, entity: Entity) -> Option<Path> {
        self.unit(entity).and_then(|unit| self.crowd.path(unit).ok().flatten())
    }

    /// Where a unit is drawn, in the world.
    #[must_use]
    pub fn point(&self, entity: Entity) -> Option<bevy_math::Vec3> {
        let progress = self.unit(entity).and_then(|unit| self.crowd.progress(unit).ok())?;
        Some(self.layout.point(progress.point()))
    }

    /// A number that is the same if everybody is in the same place with the same goal on the same map: for
    /// games in lockstep, and for tests.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.crowd.checksum()
    }

    pub(crate) fn order(&mut self, order: Order) {
        self.orders.push(order);
    }

    pub(crate) fn join(&mut self, entity: Entity, agent: &Agent, cell: Cell) -> Result<UnitId, CrowdError> {
        let unit = self.crowd.add(agent.kind, cell, cell, agent.priority)?;
        // It is where it wants to be, and is not told of as arrived.
        self.crowd.stop(unit)?;
        let slot = unit.slot() as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, Slot::default());
        }
        self.slots[slot] = Slot { entity: Some(entity), told: None };
        self.units.insert(entity, unit);
        Ok(unit)
    }

    pub(crate) fn leave(&mut self, entity: Entity) {
        if let Some(unit) = self.units.remove(&entity) {
            self.slots[unit.slot() as usize] = Slot::default();
            // The game may have removed it itself.
            let _ = self.crowd.remove(unit);
        }
    }

    /// A unit becomes one of another kind. If it cannot, it stays what it was and where it was.
    pub(crate) fn change(
        &mut self,
        entity: Entity,
        unit: UnitId,
        agent: &Agent,
        cell: Cell,
    ) -> Result<UnitId, CrowdError> {
        let (was, stood) = (self.crowd.kind_of(unit)?, self.crowd.position(unit)?);
        // Whether there is room for it is seen when it has left.
        self.leave(entity);
        self.join(entity, agent, cell).or_else(|error| {
            self.join(entity, &Agent { kind: was, ..*agent }, stood)?;
            Err(error)
        })
    }

    /// Lets a unit set out. One that was given the same before goes on: games write it in every frame.
    pub(crate) fn head_for(&mut self, unit: UnitId, destination: Destination) -> Result<(), CrowdError> {
        if self.is_told(unit, destination)? {
            return Ok(());
        }
        if destination.or_nearest {
            self.crowd.set_goal_or_nearest(unit, destination.cell)?;
        } else {
            self.crowd.set_goal(unit, destination.cell)?;
        }
        self.slots[unit.slot() as usize].told = Some(destination);
        Ok(())
    }

    /// Whether a unit is on its way to a destination, or as near to it as it gets.
    fn is_told(&self, unit: UnitId, destination: Destination) -> Result<bool, CrowdError> {
        let Destination { cell, or_nearest } = destination;
        let (crowd, at) = (&self.crowd, self.crowd.position(unit)?);
        if self.slots[unit.slot() as usize].told != Some(destination)
            || !or_nearest && crowd.goal(unit)? != cell
        {
            return Ok(false);
        }
        // A door may have opened, or it was put elsewhere.
        let has_way = || crowd.reachable(crowd.kind_of(unit)?, at, cell);
        Ok(crowd.status(unit)? != UnitStatus::Arrived || at == cell || !has_way().unwrap_or(false))
    }

    /// A unit that gets the same destination once more sets out for it.
    pub(crate) fn forget_destination(&mut self, unit: UnitId) {
        self.slots[unit.slot() as usize].told = None;
    }

    /// A unit pursues another.
    pub(crate) fn pursue(&mut self, unit: UnitId, target: UnitId) -> Result<(), CrowdError> {
        if self.crowd.target(unit)? == Some(target) {
            return Ok(());
        }
        self.forget_destination(unit);
        self.crowd.pursue(unit, target)
    }

    /// Sends units to one place. Those that are none are left out, and given back.
    pub(crate) fn send(&mut self, entities: Vec<Entity>, cell: Cell) -> Result<Vec<Entity>, CrowdError> {
        let (known, others): (Vec<_>, Vec<_>) =
            entities.into_iter().partition(|one| self.units.contains_key(one));
        let units: Vec<UnitId> = known.into_iter().filter_map(|one| self.unit(one)).collect();
        if !units.is_empty() {
            self.crowd.send(units.iter().copied(), cell)?;
        }
        units.into_iter().for_each(|unit| self.forget_destination(unit));
        Ok(others)
    }

    pub(crate) fn known(&self, entity: Entity) -> Result<UnitId, NavigationError> {
        self.unit(entity).ok_or(NavigationError::NoUnit(entity))
    }

    pub(crate) fn tick(&mut self) {
        match self.budget {
            Budget::Everyone => self.crowd.frame(FrameBudget::Everyone),
            Budget::Work(work) => self.crowd.frame(FrameBudget::Work(work)),
            Budget::Time(time) => {
                let begun = Instant::now();
                self.crowd.frame(FrameBudget::Time(&|| begun.elapsed() < time))
            }
        };
    }
}

impl fmt::Debug for Navigation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.map().width(), self.map().height());
        f.debug_struct("Navigation")
            .field("map", &format_args!("{width} x {height}"))
            .field("kinds", &self.kinds.len())
            .field("units", &self.units.len())
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
