//! Builds on a thread of their own.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;

use godot::global::Error as Code;
use surefoot::{BuildEvent, Map, Navigator};

use crate::problem::Problem;

/// What is heard of a build.
pub(crate) enum News {
    /// How much of a stage is done, 0 to 1, and what it is called.
    Progress(f64, String),
    /// It has ended. Nothing follows.
    Done(Result<Navigator, Problem>),
}

/// A build that is under way. If it is dropped, it is cancelled, and waited for: the thread's code goes with
/// the extension.
pub(crate) struct Build {
    is_cancelled: Arc<AtomicBool>,
    news: Receiver<News>,
    thread: Option<JoinHandle<()>>,
}

impl Build {
    pub(crate) fn begin(map: Map) -> io::Result<Self> {
        let (sender, news) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_cancelled);
        let thread = std::thread::Builder::new().name("surefoot build".to_string()).spawn(move || {
            let watch = |event: BuildEvent| {
                if let BuildEvent::Progress { stage, done, all } = event {
                    let fraction = if all == 0 { 1.0 } else { done as f64 / all as f64 };
                    // Nobody may be listening any more.
                    let _ = sender.send(News::Progress(fraction, stage.into_owned()));
                }
                match flag.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let built = map.navigator_builder().with_progress(watch).build();
            let _ = sender.send(News::Done(built.map_err(Problem::from)));
        })?;
        Ok(Self { is_cancelled, news, thread: Some(thread) })
    }

    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// What comes next; `None` if there is nothing yet. If it `waits` there is always something.
    pub(crate) fn news(&self, waits: bool) -> Option<News> {
        let heard = match waits {
            true => self.news.recv().map_err(|_| TryRecvError::Disconnected),
            false => self.news.try_recv(),
        };
        match heard {
            Ok(news) => Some(news),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let message = "the build ended by a fault in surefoot, please report it";
                Some(News::Done(Err(Problem::new(Code::ERR_BUG, message))))
            }
        }
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        self.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_ends_without_a_word_has_failed() {
        for waits in [false, true] {
            let build = Build { is_cancelled: Arc::default(), news: channel().1, thread: None };
            let Some(News::Done(Err(problem))) = build.news(waits) else { panic!("nobody would hear of it") };
            assert_eq!(problem.code, Code::ERR_BUG);
        }
    }

    #[test]
    fn a_build_ends_with_what_it_built_or_says_that_it_was_cancelled() {
        let map = Map::from_art("......\n.####.\n......").unwrap();
        let build = Build::begin(map.clone()).unwrap();
        let built = loop {
            match build.news(true) {
                Some(News::Done(built)) => break built.unwrap(),
                Some(News::Progress(fraction, _)) => assert!((0.0..=1.0).contains(&fraction)),
                None => panic!("the thread ended without a word"),
            }
        };
        assert!(built.reachable((0, 0), (5, 2)).unwrap());
        let large = Map::from_fn(600, 600, |cell| cell.x % 3 != 0 || cell.y % 7 == 0).unwrap();
        let build = Build::begin(large).unwrap();
        build.cancel();
        let ended = std::iter::from_fn(|| build.news(true)).find_map(|news| match news {
            News::Done(built) => Some(built.is_err()),
            News::Progress(..) => None,
        });
        assert_eq!(ended, Some(true));
    }
}
