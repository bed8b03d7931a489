//! The word between whoever writes a table's events and the table's actor: how far they are
//! durable.
//!
//! One value with one reader, and not a channel of the runtime's: the actor reads it at the end of
//! each turn anyway, and need not be woken for an answer that came within the turn, as that of the
//! store in memory always does. Invariant: what was said is read or wakes the reader, however the
//! two race.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use super::health::lock;

/// How far one table's events are durable, as its actor is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Durable {
    /// Every event up to this number is durable; 0 before the first.
    pub to: u64,
    /// What was not written, and never will be. Whoever sees this does not decide for the table any
    /// more: nothing after `to` was written, and nothing more will be through this word.
    pub lost: Option<Lost>,
}

/// Why an append was not written, for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// Somebody else had written this number already.
    Taken(u64),
    /// What begins with this number cannot be written, however often it is tried.
    Refused(u64),
}

/// Where the writer says what is durable, and where one reader hears it. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Word(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    durable: Durable,
    /// Something was said that was not read.
    news: bool,
    /// The reader is about to read, and is not woken.
    about_to_read: bool,
    /// The reader, while it waits.
    reader: Option<Waker>,
}

impl Word {
    /// A word that says this so far.
    pub fn new(durable: Durable) -> Word {
        Word(Arc::new(Mutex::new(State { durable, ..State::default() })))
    }

    /// What was said last.
    pub fn read(&self) -> Durable {
        let mut state = lock(&self.0);
        (state.news, state.about_to_read) = (false, false);
        state.durable
    }

    /// The word as an append takes it along. The caller is going to [`read`](Word::read) or to wait
    /// when it has handed the append in, and is not woken until then.
    pub fn sent_along(&self) -> Word {
        lock(&self.0).about_to_read = true;
        self.clone()
    }

    /// Waits until something was said that was not read, and reads it.
    pub async fn news(&self) -> Durable {
        poll_fn(|cx| self.poll_news(cx)).await
    }

    /// Waits until what was said is like this.
    pub async fn until(&self, is_enough: impl Fn(&Durable) -> bool) -> Durable {
        let mut durable = self.read();
        while !is_enough(&durable) {
            durable = self.news().await;
        }
        durable
    }

    /// Polls for what [`Word::news`] waits for.
    pub fn poll_news(&self, cx: &mut Context<'_>) -> Poll<Durable> {
        let mut state = lock(&self.0);
        state.about_to_read = false;
        if std::mem::take(&mut state.news) {
            return Poll::Ready(state.durable);
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(cx.waker()),
            reader => *reader = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// What was said last, without reading it.
    pub(super) fn last(&self) -> Durable {
        lock(&self.0).durable
    }

    /// Says something new.
    pub(super) fn say(&self, change: impl FnOnce(&mut Durable)) {
        let mut state = lock(&self.0);
        change(&mut state.durable);
        state.news = true;
        let reader = if state.about_to_read { None } else { state.reader.take() };
        // Without the lock that the reader is about to take.
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;
    use std::thread;

    use super::*;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Woken>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn to(number: u64) -> impl FnOnce(&mut Durable) {
        move |durable| durable.to = number
    }

    #[test]
    fn whoever_waits_is_woken_once_and_told_the_newest() {
        let (told, woken) = (Word::default(), Arc::new(Woken::default()));
        let waker = Waker::from(Arc::clone(&woken));
        let mut cx = Context::from_waker(&waker);
        assert!(told.poll_news(&mut cx).is_pending());
        told.say(to(1));
        told.say(to(2));
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
        assert_eq!(told.poll_news(&mut cx), Poll::Ready(Durable { to: 2, lost: None }));
        assert!(told.poll_news(&mut cx).is_pending(), "it was read");
    }

    #[test]
    fn whoever_is_about_to_read_is_not_woken_and_has_no_news_left() {
        let (told, woken) = (Word::default(), Arc::new(Woken::default()));
        let waker = Waker::from(Arc::clone(&woken));
        let mut cx = Context::from_waker(&waker);
        assert!(told.poll_news(&mut cx).is_pending());
        let sent = told.sent_along();
        sent.say(to(1));
        assert_eq!(woken.0.load(Ordering::SeqCst), 0);
        assert_eq!(told.read().to, 1);
        assert!(told.poll_news(&mut cx).is_pending());

        // What is said after the reading wakes again, also where an append is on its way.
        sent.say(to(2));
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
        assert_eq!(told.poll_news(&mut cx), Poll::Ready(Durable { to: 2, lost: None }));
    }

    #[test]
    fn whoever_waits_in_place_of_reading_hears_of_it_too() {
        let (told, woken) = (Word::default(), Arc::new(Woken::default()));
        let waker = Waker::from(Arc::clone(&woken));
        let mut cx = Context::from_waker(&waker);
        let sent = told.sent_along();
        assert!(pin!(told.news()).poll(&mut cx).is_pending());
        sent.say(to(1));
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn no_word_is_lost_between_two_threads() {
        const LAST: u64 = 20_000;
        let told = Word::default();
        let writer = told.clone();
        let writing = thread::spawn(move || (1..=LAST).for_each(|number| writer.say(to(number))));
        let mut last = 0;
        while last < LAST {
            told.sent_along();
            let Durable { to, .. } = told.read();
            let to = if to == last { told.news().await.to } else { to };
            assert!(to > last);
            last = to;
        }
        writing.join().unwrap();
    }
}
