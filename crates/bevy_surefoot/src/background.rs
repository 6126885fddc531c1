//! Databases that are built on Bevy's task pool.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool};
use surefoot::crowd::{BuiltKind, KindBuild};
use surefoot::{BuildEvent, CrowdError, KindId};

/// A build under way. It is cancelled when this is dropped.
pub(crate) struct Background {
    pub(crate) kind: KindId,
    task: Task<Result<BuiltKind, CrowdError>>,
    said: Arc<Said>,
}

#[derive(Default)]
struct Said {
    last: Mutex<Option<BuildEvent>>,
    is_cancelled: AtomicBool,
}

impl Background {
    pub(crate) fn begin(kind: KindId, build: KindBuild) -> Self {
        let said = Arc::new(Said::default());
        let told = Arc::clone(&said);
        let run = async move {
            build.run(&mut |event| {
                *told.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(event);
                if told.is_cancelled.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        };
        let task = AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(run);
        Self { kind, task, said }
    }

    /// What it said last.
    pub(crate) fn progress(&self) -> Option<BuildEvent> {
        self.said.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What came of it, if it is done.
    pub(crate) fn result(&mut self) -> Option<Result<BuiltKind, CrowdError>> {
        check_ready(&mut self.task)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.said.is_cancelled.store(true, Ordering::Relaxed);
    }
}
