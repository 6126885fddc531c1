//! Tables of objects that handles stand for.
//!
//! A handle is a kind, a place in the kind's table, and a generation, which tells apart the objects that have
//! had the place one after the other. It is looked up, never followed: any 64 bits have a defined answer.
//!
//! Every place has a lock of its own, and no place ever moves. So a lookup takes that one lock and nothing
//! that others share. Whoever uses an object holds the lock for the call; whoever frees it waits until then.
//! No function of the caller's is called meanwhile, and no second object is locked: so nobody waits for ever.

use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use crate::problem::{Problem, SurefootResult};

/// Bits of a place: there are up to 16 million objects of a kind at once.
const PLACE_BITS: u32 = 24;
const GENERATION_BITS: u32 = 32;
/// Places in the first chunk; each chunk has twice as many as the one before.
const FIRST: usize = 64;
const CHUNKS: usize = PLACE_BITS as usize - FIRST.ilog2() as usize;

/// Names of kinds, by their number less one.
const NAMES: [&str; 6] = ["map", "navigator", "path", "walker", "crowd", "bytes"];

/// What a place holds.
#[derive(Debug)]
struct Held<T> {
    /// That of the object that is here, or of the next one.
    generation: u32,
    object: Option<T>,
}

type Slot<T> = RwLock<Held<T>>;

/// Places that are not taken.
#[derive(Debug)]
struct Vacant {
    /// Those that were taken before.
    places: Vec<u32>,
    /// All from here on were never taken.
    fresh: u32,
}

/// All objects of one kind.
#[derive(Debug)]
pub struct Table<T> {
    kind: u8,
    last_generation: u32,
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    vacant: Mutex<Vacant>,
}

impl<T> Table<T> {
    /// An empty table of a kind, which is 1 or more: so no handle is zero.
    pub(crate) const fn new(kind: u8) -> Self {
        Self {
            kind,
            last_generation: u32::MAX,
            chunks: [const { OnceLock::new() }; CHUNKS],
            vacant: Mutex::new(Vacant { places: Vec::new(), fresh: 0 }),
        }
    }

    /// Takes an object in, and gives the handle that stands for it.
    pub(crate) fn insert(&self, object: T) -> Result<u64, Problem> {
        let place = {
            let mut vacant = self.vacant.lock().unwrap_or_else(PoisonError::into_inner);
            match vacant.places.pop() {
                Some(place) => place,
                None if vacant.fresh < most_places() => {
                    vacant.fresh += 1;
                    vacant.fresh - 1
                }
                None => {
                    let words = format!("there are too many handles of the kind {}", name(self.kind));
                    return Err(Problem::new(SurefootResult::SurefootErrorMemory, words));
                }
            }
        };
        let (chunk, within) = locate(place);
        let slots = self.chunks[chunk].get_or_init(|| {
            (0..FIRST << chunk).map(|_| RwLock::new(Held { generation: 1, object: None })).collect()
        });
        let mut held = slots[within].write().unwrap_or_else(PoisonError::into_inner);
        held.object = Some(object);
        let bits = u64::from(self.kind) << (PLACE_BITS + GENERATION_BITS);
        Ok(bits | u64::from(held.generation) << PLACE_BITS | u64::from(place))
    }

    /// Asks an object something. Others may ask it at the same time.
    #[inline]
    pub(crate) fn read<R>(
        &self,
        handle: u64,
        ask: impl FnOnce(&T) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        let (slot, generation) = self.find(handle)?;
        let held = slot.read().map_err(|_| broken())?;
        match &held.object {
            Some(object) if held.generation == generation => ask(object),
            _ => Err(self.freed()),
        }
    }

    /// Changes an object. Nobody else has it meanwhile.
    #[inline]
    pub(crate) fn write<R>(
        &self,
        handle: u64,
        change: impl FnOnce(&mut T) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        let (slot, generation) = self.find(handle)?;
        let mut held = slot.write().map_err(|_| broken())?;
        let is_it = held.generation == generation;
        match &mut held.object {
            Some(object) if is_it => change(object),
            _ => Err(self.freed()),
        }
    }

    /// Takes an object out again. It waits for calls that have it.
    pub(crate) fn remove(&self, handle: u64) -> Result<T, Problem> {
        let (slot, generation) = self.find(handle)?;
        let mut held = slot.write().unwrap_or_else(PoisonError::into_inner);
        if held.generation != generation {
            return Err(self.freed());
        }
        let object = held.object.take().ok_or_else(|| self.freed())?;
        // After the last generation a place stays empty: no handle ever means two objects.
        let is_vacant = generation < self.last_generation;
        if is_vacant {
            held.generation += 1;
        }
        drop(held);
        slot.clear_poison();
        if is_vacant {
            let place = (handle & mask(PLACE_BITS)) as u32;
            self.vacant.lock().unwrap_or_else(PoisonError::into_inner).places.push(place);
        }
        Ok(object)
    }

    /// The place that a handle names, and its generation.
    #[inline]
    fn find(&self, handle: u64) -> Result<(&Slot<T>, u32), Problem> {
        if handle >> (PLACE_BITS + GENERATION_BITS) != u64::from(self.kind) {
            return Err(self.other(handle));
        }
        let (chunk, within) = locate((handle & mask(PLACE_BITS)) as u32);
        let slots = self.chunks.get(chunk).and_then(OnceLock::get);
        let slot = slots.and_then(|slots| slots.get(within)).ok_or_else(|| self.freed())?;
        Ok((slot, (handle >> PLACE_BITS) as u32))
    }

    #[cold]
    fn other(&self, handle: u64) -> Problem {
        let expected = name(self.kind);
        let words = if handle == 0 {
            format!("a handle of the kind {expected} is zero: it was never set, or its call failed")
        } else {
            let kind = (handle >> (PLACE_BITS + GENERATION_BITS)) as u8;
            match kind.checked_sub(1).and_then(|at| NAMES.get(usize::from(at))) {
                Some(found) => format!("this is a handle of the kind {found}, not {expected}"),
                None => format!("{handle:#x} is no handle of the kind {expected}"),
            }
        };
        Problem::new(SurefootResult::SurefootErrorHandle, words)
    }

    #[cold]
    fn freed(&self) -> Problem {
        let words = format!("a handle of the kind {} was freed before, or never given", name(self.kind));
        Problem::new(SurefootResult::SurefootErrorHandle, words)
    }
}

/// A call that was to change the object ended in the middle.
#[cold]
fn broken() -> Problem {
    let words = "a call on this object ended by a fault before; it can only be freed now";
    Problem::new(SurefootResult::SurefootErrorInternal, words)
}

fn name(kind: u8) -> &'static str {
    NAMES[usize::from(kind - 1)]
}

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// How many places all chunks have.
const fn most_places() -> u32 {
    ((FIRST << CHUNKS) - FIRST) as u32
}

/// The chunk of a place, and where in it.
#[inline]
fn locate(place: u32) -> (usize, usize) {
    let from_first = place as usize + FIRST;
    let chunk = (from_first.ilog2() - FIRST.ilog2()) as usize;
    (chunk, from_first - (FIRST << chunk))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn code<R>(result: Result<R, Problem>) -> SurefootResult {
        result.map_or_else(|problem| problem.code, |_| SurefootResult::SurefootOk)
    }

    #[test]
    fn places_fill_chunks_one_after_the_other() {
        assert_eq!(locate(0), (0, 0));
        assert_eq!(locate(63), (0, 63));
        assert_eq!(locate(64), (1, 0));
        assert_eq!(locate(64 + 127), (1, 127));
        assert_eq!(locate(most_places() - 1), (CHUNKS - 1, (FIRST << (CHUNKS - 1)) - 1));
        assert_eq!(locate(most_places()).0, CHUNKS);
        assert!(u64::from(most_places()) < mask(PLACE_BITS));
    }

    #[test]
    fn a_place_that_is_used_again_has_another_handle() {
        let table = Table::new(1);
        let first = table.insert(1).unwrap();
        assert_eq!(table.remove(first).unwrap(), 1);
        let second = table.insert(2).unwrap();
        assert_eq!(first & mask(PLACE_BITS), second & mask(PLACE_BITS));
        assert_ne!(first, second);
        assert_eq!(code(table.read(first, |_| Ok(()))), SurefootResult::SurefootErrorHandle);
        assert_eq!(code(table.write(first, |_| Ok(()))), SurefootResult::SurefootErrorHandle);
        assert_eq!(code(table.remove(first)), SurefootResult::SurefootErrorHandle);
        assert_eq!(table.read(second, |&object| Ok(object)).unwrap(), 2);
    }

    #[test]
    fn a_place_is_given_up_after_its_last_generation() {
        let table = Table { last_generation: 2, ..Table::new(1) };
        let first = table.insert(1).unwrap();
        table.remove(first).unwrap();
        let second = table.insert(2).unwrap();
        table.remove(second).unwrap();
        assert_eq!(code(table.read(second, |_| Ok(()))), SurefootResult::SurefootErrorHandle);
        let third = table.insert(3).unwrap();
        assert_ne!(third & mask(PLACE_BITS), first & mask(PLACE_BITS));
        assert_eq!(code(table.remove(second)), SurefootResult::SurefootErrorHandle);
    }

    #[test]
    fn handles_of_another_kind_and_numbers_are_refused_with_words() {
        let (maps, walkers) = (Table::new(1), Table::new(4));
        let map = maps.insert(()).unwrap();
        for (handle, words) in [
            (0, "a handle of the kind walker is zero"),
            (map, "this is a handle of the kind map, not walker"),
            (u64::MAX, "0xffffffffffffffff is no handle of the kind walker"),
            (4 << 56 | 1 << 24, "a handle of the kind walker was freed before"),
            (4 << 56 | 1 << 24 | mask(PLACE_BITS), "a handle of the kind walker was freed before"),
        ] {
            let problem = walkers.read(handle, |()| Ok(())).unwrap_err();
            assert_eq!(problem.code, SurefootResult::SurefootErrorHandle);
            assert!(problem.words.starts_with(words), "{}", problem.words);
        }
    }

    #[test]
    fn an_object_that_a_fault_left_half_changed_can_only_be_freed() {
        let table = Table::new(1);
        let handle = table.insert(1).unwrap();
        let fault = || table.write(handle, |_| -> Result<(), Problem> { panic!("meant to") });
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(fault));
        assert!(caught.is_err());
        assert_eq!(code(table.read(handle, |_| Ok(()))), SurefootResult::SurefootErrorInternal);
        assert_eq!(table.remove(handle).unwrap(), 1);
        let next = table.insert(2).unwrap();
        assert_eq!(table.read(next, |&object| Ok(object)).unwrap(), 2);
    }

    #[test]
    fn an_object_lives_until_the_call_ends_that_has_it() {
        let table = Table::new(1);
        let handle = table.insert(Arc::new(())).unwrap();
        let alive = |object: &Arc<()>| Arc::downgrade(object);
        let weak = table.read(handle, |object| Ok(alive(object))).unwrap();
        let (inside, go_on) = (std::sync::Barrier::new(2), AtomicU32::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                table
                    .read(handle, |_| {
                        inside.wait();
                        while go_on.load(Ordering::SeqCst) == 0 {
                            std::thread::yield_now();
                        }
                        assert!(weak.upgrade().is_some());
                        Ok(())
                    })
                    .unwrap();
            });
            inside.wait();
            let freeing = scope.spawn(|| table.remove(handle).map(drop));
            go_on.store(1, Ordering::SeqCst);
            freeing.join().unwrap().unwrap();
        });
        assert!(weak.upgrade().is_none());
    }

    #[test]
    fn of_many_threads_that_free_a_handle_one_does() {
        let table = Table::new(1);
        let rounds = if cfg!(miri) { 5 } else { 500 };
        for _ in 0..rounds {
            let handle = table.insert(7).unwrap();
            let freed = AtomicU32::new(0);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        if let Ok(object) = table.read(handle, |&object| Ok(object)) {
                            assert_eq!(object, 7);
                        }
                        freed.fetch_add(u32::from(table.remove(handle).is_ok()), Ordering::SeqCst);
                    });
                }
            });
            assert_eq!(freed.into_inner(), 1);
        }
        assert_eq!(table.vacant.lock().unwrap().fresh, 1);
    }
}
