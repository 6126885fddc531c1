//! Work on several threads, with the results in one place.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use crate::failure::Failure;

/// The most threads that can be asked for.
pub(crate) const MOST_THREADS: u64 = 1024;

/// As many threads as the machine runs at once.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does every job on one of `threads` threads, each with a `scratch` of its own, and hands what comes of them
/// to `done` on this one, in whichever order they are done. If `done` fails, no further job is begun.
pub(crate) fn for_each_done<J: Send, S, T: Send>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    scratch: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, J) -> T + Sync,
    mut done: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let jobs = Mutex::new(jobs);
    // Few results wait: where they come faster than they are taken, the threads wait instead of the memory
    // filling up.
    let (sender, results) = mpsc::sync_channel(4 * threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, jobs, scratch, job) = (sender.clone(), &jobs, &scratch, &job);
            scope.spawn(move || {
                let mut scratch = scratch();
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(given) = next() {
                    if sender.send(job(&mut scratch, given)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Where this ends early, the results are dropped with it, and the threads notice.
        results.into_iter().try_for_each(&mut done)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for threads in [1, 2, 7] {
            let mut sum = 0;
            for_each_done(
                threads,
                1..=1000_u64,
                || (),
                |(), job| job,
                |job| {
                    sum += job;
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(sum, 500_500);
        }
    }

    #[test]
    fn a_failure_ends_the_work() {
        let mut count = 0;
        let endless = for_each_done(
            3,
            0_u64..,
            || (),
            |(), job| job,
            |_| {
                count += 1;
                if count == 10 { Err(Failure::other("enough")) } else { Ok(()) }
            },
        );
        assert_eq!((endless.unwrap_err().to_string().as_str(), count), ("enough", 10));
    }
}
