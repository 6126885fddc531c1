//! Units on their way.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use core::task::Poll;

use crate::border::Out;
use crate::handles::{Handle as _, SurefootNavigator, SurefootWalker};
use crate::problem::{SurefootResult, call, done};
use crate::values::{SurefootCell, SurefootStep, number, way};

/// A unit on its way from one cell to another. If there is no way, its first move says so. It goes by the
/// navigator as it is now.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_new(
    navigator: SurefootNavigator,
    start: SurefootCell,
    goal: SurefootCell,
    walker: Out<SurefootWalker>,
) -> SurefootResult {
    done(|| {
        let place = walker.place("walker")?;
        place.put(SurefootWalker::NONE);
        let walker = navigator.read(|navigator| Ok(navigator.walker(start, goal)?))?;
        place.put(SurefootWalker::of(walker)?);
        Ok(())
    })
}

/// Makes the next move. `step` says what came of it, `cell` where the walker stands now; either may be NULL.
/// The work of a call is bounded, whatever the map's size.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_next(
    walker: SurefootWalker,
    step: Out<SurefootStep>,
    cell: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let (step, cell) = (step.maybe("step")?, cell.maybe("cell")?);
        walker.write(|walker| {
            let (came, at) = match walker.poll_move() {
                Poll::Ready(Ok(Some(at))) => (SurefootStep::Moved, at),
                Poll::Ready(Ok(None)) => (SurefootStep::Arrived, walker.position()),
                Poll::Ready(Err(_)) => (SurefootStep::NoWay, walker.position()),
                Poll::Pending => (SurefootStep::Waiting, walker.position()),
            };
            step.put(came);
            cell.put(at.into());
            Ok(())
        })
    })
}

/// Where it stands.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_position(
    walker: SurefootWalker,
    cell: Out<SurefootCell>,
) -> SurefootResult {
    done(|| {
        let cell = cell.place("cell")?;
        walker.read(|walker| cell.answer(walker.position().into()))
    })
}

/// Where it is to go.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_goal(walker: SurefootWalker, cell: Out<SurefootCell>) -> SurefootResult {
    done(|| {
        let cell = cell.place("cell")?;
        walker.read(|walker| cell.answer(walker.goal().into()))
    })
}

/// What the way from here to the goal costs. SUREFOOT_NO_WAY and infinity if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_cost_left(walker: SurefootWalker, cost: Out<f64>) -> SurefootResult {
    call(|| {
        let place = cost.place("cost")?;
        let cost = walker.read(|walker| Ok(walker.cost_left()))?;
        place.put(number(cost));
        Ok(way(cost.as_ref()))
    })
}

/// The planning that its last move took, as a count of steps.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_work(walker: SurefootWalker, work: Out<u64>) -> SurefootResult {
    done(|| {
        let work = work.place("work")?;
        walker.read(|walker| work.answer(walker.work().total()))
    })
}

/// Gives it another goal where it stands.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_set_goal(walker: SurefootWalker, goal: SurefootCell) -> SurefootResult {
    done(|| walker.write(|walker| Ok(walker.set_goal(goal)?)))
}

/// Goes on by another navigator: one that was edited, say. It keeps its place and its goal.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_follow(
    walker: SurefootWalker,
    navigator: SurefootNavigator,
) -> SurefootResult {
    done(|| {
        let navigator = navigator.copied()?;
        walker.write(|walker| Ok(walker.follow(&navigator)?))
    })
}

/// Frees a walker.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_walker_free(walker: SurefootWalker) -> SurefootResult {
    walker.free()
}
