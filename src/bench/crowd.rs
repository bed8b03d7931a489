//! Many tasks of the driver, on its one thread. The first that fails ends the measurement.

use std::future::Future;

use tokio::task::JoinSet;

use super::BenchError;

/// Tasks that run until they are done or this is dropped.
#[derive(Debug, Default)]
pub struct Crowd {
    tasks: JoinSet<Result<(), BenchError>>,
}

impl Crowd {
    /// Starts one. To be called where local tasks can run.
    pub fn add(&mut self, task: impl Future<Output = Result<(), BenchError>> + 'static) {
        self.tasks.spawn_local(task);
    }

    /// Waits for something while the tasks run.
    ///
    /// # Errors
    /// That of the first task to fail meanwhile.
    pub async fn meanwhile<T>(&mut self, wait: impl Future<Output = T>) -> Result<T, BenchError> {
        tokio::pin!(wait);
        loop {
            tokio::select! {
                done = &mut wait => return Ok(done),
                Some(ended) = self.tasks.join_next() => BenchError::of_task(ended)?,
            }
        }
    }

    /// Waits until every task is done.
    ///
    /// # Errors
    /// That of the first task to fail.
    pub async fn all_done(&mut self) -> Result<(), BenchError> {
        while let Some(ended) = self.tasks.join_next().await {
            BenchError::of_task(ended)?;
        }
        Ok(())
    }
}
