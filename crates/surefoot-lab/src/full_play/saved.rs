//! Saved games: what the game knows as numbers of eight bytes, then the crowd.

use surefoot::crowd::{Crowd, KindId, LinkId, UnitId};
use surefoot::space::Cell;

use super::{Fault, FullPlay, Rules, Tally};
use crate::random::Rng;

/// The first number of a saved game; the last digit is the version.
const MARK: u64 = u64::from_le_bytes(*b"fullply2");

impl FullPlay {
    /// The game as bytes.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let Rules { side, units, budget, are_units_obstacles, season, wall_every, seed } = self.rules;
        let mut numbers = vec![MARK, self.frame];
        numbers.extend([side.into(), units.into(), budget, are_units_obstacles.into(), season, wall_every]);
        numbers.push(seed);
        numbers.extend(self.tally.to_numbers());
        numbers.push(self.kinds.len() as u64);
        put_list(&mut numbers, self.units.iter().map(|unit| unit.to_number()));
        put_list(&mut numbers, self.walls.iter().map(|wall| pair(wall.x, wall.y)));
        put_list(&mut numbers, self.links.iter().map(|(kind, link)| pair(kind.to_bits(), link.to_bits())));
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        bytes.extend(self.crowd.save());
        bytes
    }

    /// A game that was saved goes on. Whether several threads may serve its crowd is part of what was saved.
    ///
    /// # Errors
    /// If the bytes are not what a game saves.
    pub fn open(bytes: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader { rest: bytes };
        if reader.number()? != MARK {
            return Err(Fault::Saved("it begins with something else, or is of another version".to_owned()));
        }
        let frame = reader.number()?;
        let rules = Rules {
            side: reader.small()?,
            units: reader.small()?,
            budget: reader.number()?,
            are_units_obstacles: reader.number()? != 0,
            season: reader.number()?,
            wall_every: reader.number()?,
            seed: reader.number()?,
        };
        let tally = Tally::read(&mut reader)?;
        let kinds = (0..reader.small()?).map(|kind| KindId::from_bits(kind).ok_or_else(Reader::wrong));
        let kinds = kinds.collect::<Result<Vec<KindId>, Fault>>()?;
        let units: Vec<UnitId> = reader.list()?.into_iter().map(UnitId::from_number).collect();
        let walls = reader.list()?.into_iter().map(halves).map(|(x, y)| Cell::new(x, y)).collect();
        let link = |(kind, link)| Some((KindId::from_bits(kind)?, LinkId::from_bits(link)));
        let links = reader.list()?.into_iter().map(halves).map(link).collect::<Option<_>>();
        let links = links.ok_or_else(Reader::wrong)?;
        let crowd = Crowd::load(reader.rest).map_err(|error| Fault::Saved(error.to_string()))?;
        let mut places = std::collections::BTreeMap::new();
        for &unit in &units {
            let place = crowd.position(unit).map_err(|error| Fault::Saved(error.to_string()))?;
            places.insert(unit, place);
        }
        if kinds.len() < 2
            || kinds.iter().any(|&kind| crowd.space(kind).is_err())
            || rules.season == 0
            || rules.wall_every == 0
        {
            return Err(Reader::wrong());
        }
        let random = Rng::new(rules.seed, frame);
        Ok(Self { rules, crowd, frame, random, kinds, units, places, links, walls, tally })
    }
}

impl Tally {
    fn to_numbers(self) -> [u64; 10] {
        let Self {
            moves,
            arrived,
            settled,
            blocked,
            over_links,
            built,
            pushed_out,
            left,
            returned,
            longest_wait,
        } = self;
        [moves, arrived, settled, blocked, over_links, built, pushed_out, left, returned, longest_wait]
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self {
            moves: reader.number()?,
            arrived: reader.number()?,
            settled: reader.number()?,
            blocked: reader.number()?,
            over_links: reader.number()?,
            built: reader.number()?,
            pushed_out: reader.number()?,
            left: reader.number()?,
            returned: reader.number()?,
            longest_wait: reader.number()?,
        })
    }
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn halves(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

fn put_list(numbers: &mut Vec<u64>, list: impl ExactSizeIterator<Item = u64>) {
    numbers.push(list.len() as u64);
    numbers.extend(list);
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn wrong() -> Fault {
        Fault::Saved("a number in it is none that a game writes".to_owned())
    }

    fn number(&mut self) -> Result<u64, Fault> {
        let (number, rest) =
            self.rest.split_first_chunk().ok_or_else(|| Fault::Saved("it ends too early".to_owned()))?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*number))
    }

    fn small(&mut self) -> Result<u32, Fault> {
        u32::try_from(self.number()?).map_err(|_| Self::wrong())
    }

    fn list(&mut self) -> Result<Vec<u64>, Fault> {
        let length = self.number()?;
        if length > self.rest.len() as u64 / 8 {
            return Err(Fault::Saved("it ends too early".to_owned()));
        }
        (0..length).map(|_| self.number()).collect()
    }
}
