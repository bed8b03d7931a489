//! Who thinks in place of the computer's search: the first free cell, at once, or what a test says,
//! when it says so.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hexhall::cpu::seat::{Answer, Task, Thinker};
use hexhall::cpu::{Choice, Thought};
use hexhall::game::{Cell, Move};
use tokio::sync::{mpsc, oneshot};

use super::patiently;

/// Plays the first cell that may be tried, at once.
pub struct FirstFree;

impl Thinker for FirstFree {
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Answer>> {
        let free = task.seen.free_cells().next();
        Box::pin(async move { free.map(plays) })
    }
}

fn plays(cell: Cell) -> Answer {
    let (choice, line) = (Choice::Play(Move::Place(cell)), vec![cell]);
    Answer { thought: Thought { choice, value: 0.63, nodes: 1, line }, memory: None }
}

/// Asks the test.
pub struct Scripted(mpsc::Sender<Question>);

impl Thinker for Scripted {
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Answer>> {
        let (answer, answered) = oneshot::channel();
        // A test that does not listen any more has no answer.
        let _ = self.0.try_send(Question { task, answer });
        Box::pin(async move { answered.await.ok() })
    }
}

/// What the test is asked, in order.
pub struct Questions(mpsc::Receiver<Question>);

/// More than any test leaves unheard.
const MOST_ASKED: usize = 256;

/// A task that waits for the test's word.
pub struct Question {
    /// The task.
    pub task: Task,
    answer: oneshot::Sender<Answer>,
}

/// A thinker, and the questions that it puts.
pub fn scripted() -> (Arc<Scripted>, Questions) {
    let (ask, asked) = mpsc::channel(MOST_ASKED);
    (Arc::new(Scripted(ask)), Questions(asked))
}

impl Questions {
    /// The next question.
    pub async fn next(&mut self) -> Question {
        patiently("a question to the computer", self.0.recv()).await.expect("a server that runs")
    }

    /// The next question, if it was put already.
    pub fn now(&mut self) -> Option<Question> {
        self.0.try_recv().ok()
    }

    /// Answers the next question.
    pub async fn play(&mut self, cell: &str) {
        assert!(self.next().await.answer(cell), "somebody waits for the answer");
    }

    /// Whether nothing is asked that was not taken up.
    pub fn are_none(&mut self) -> bool {
        self.0.try_recv().is_err()
    }
}

impl Question {
    /// Says what to play. Whether anybody still waits for it.
    pub fn answer(self, cell: &str) -> bool {
        self.answer.send(plays(cell.parse().unwrap())).is_ok()
    }

    /// Waits until nobody wants the answer any more.
    pub async fn given_up(mut self) {
        patiently("the end of thinking", self.answer.closed()).await;
    }
}
