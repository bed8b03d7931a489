//! The sessions of this process: who may come in, how many there are, and the order to close.
//!
//! Each place is given back by the [`Admission`] that took it and by nothing else, so it is taken
//! exactly as long as its connection lives. The order to close is one value that all of them see.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use tokio::sync::watch;

use super::address::{Address, Source};
use crate::game::clock::{Millis, Stamp};
use crate::ids::SessionId;

/// Every session there is.
#[derive(Debug)]
pub struct Sessions {
    most_per_address: Option<u32>,
    last: AtomicU64,
    addresses: DashMap<Address, u32>,
    count: watch::Sender<usize>,
    closing: watch::Sender<Option<Closing>>,
}

/// The order to close: the server stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closing {
    /// When to come back, counted from now.
    pub back_in: Millis,
    /// How long what is owed may still be sent.
    pub until: Stamp,
}

/// A place among the sessions, for as long as this lives.
#[derive(Debug)]
pub struct Admission {
    sessions: Arc<Sessions>,
    id: SessionId,
    address: Option<Address>,
}

/// As many sessions of one address as there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

impl Sessions {
    /// None yet, and at most that many of each address.
    pub(super) fn new(most_per_address: Option<u32>) -> Arc<Sessions> {
        Arc::new(Sessions {
            most_per_address,
            last: AtomicU64::new(0),
            addresses: DashMap::new(),
            count: watch::Sender::new(0),
            closing: watch::Sender::new(None),
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Takes a connection in.
    ///
    /// # Errors
    /// Its address has as many as it may.
    pub(super) fn admit(self: &Arc<Sessions>, source: Source) -> Result<Admission, TooMany> {
        let address = (!source.exempt).then_some(source.address);
        if let (Some(address), Some(most)) = (address, self.most_per_address) {
            let mut here = self.addresses.entry(address).or_default();
            if *here >= most {
                return Err(TooMany);
            }
            *here += 1;
        }
        let id = SessionId(self.last.fetch_add(1, Ordering::Relaxed) + 1);
        self.count.send_modify(|count| *count += 1);
        metrics::gauge!("hexhall_sessions").increment(1);
        Ok(Admission { sessions: Arc::clone(self), id, address })
    }

    /// The order to close, once it is given.
    pub(super) fn closing(&self) -> watch::Receiver<Option<Closing>> {
        self.closing.subscribe()
    }

    /// Tells every session to close, and those that come later.
    pub(super) fn close(&self, order: Closing) {
        self.closing.send_replace(Some(order));
    }

    /// Waits until there is none.
    pub(super) async fn none_left(&self) {
        let mut count = self.count.subscribe();
        // The sender lives in `self`, so waiting for the value cannot fail.
        let _ = count.wait_for(|&count| count == 0).await;
    }

    fn leave_address(&self, address: Address) {
        if let Entry::Occupied(mut here) = self.addresses.entry(address) {
            *here.get_mut() = here.get().saturating_sub(1);
            if *here.get() == 0 {
                here.remove();
            }
        }
    }
}

impl Admission {
    /// The session's number, never used again.
    pub fn id(&self) -> SessionId {
        self.id
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if let (Some(address), Some(_)) = (self.address, self.sessions.most_per_address) {
            self.sessions.leave_address(address);
        }
        metrics::gauge!("hexhall_sessions").decrement(1);
        self.sessions.count.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn source(last: u8, exempt: bool) -> Source {
        Source { address: Address::of([192, 0, 2, last].into()), exempt }
    }

    #[test]
    fn an_address_has_so_many_places_and_gets_one_back_with_each_end() {
        let sessions = Sessions::new(Some(2));
        let one = sessions.admit(source(1, false)).unwrap();
        let _two = sessions.admit(source(1, false)).unwrap();
        assert_eq!(sessions.admit(source(1, false)).unwrap_err(), TooMany);
        assert!(sessions.admit(source(2, false)).is_ok(), "another address has its own places");
        assert!(sessions.admit(source(1, true)).is_ok(), "who is exempt needs none");
        assert_eq!(sessions.count(), 2);

        drop(one);
        assert!(sessions.admit(source(1, false)).is_ok());
        assert_eq!(sessions.count(), 1);
    }

    #[test]
    fn the_order_to_close_reaches_who_is_there_and_who_comes() {
        let sessions = Sessions::new(None);
        let order = Closing { back_in: 2_000, until: Stamp(10) };
        let before = (sessions.admit(source(1, false)).unwrap(), sessions.closing());
        assert_eq!(*before.1.borrow(), None);
        sessions.close(order);
        let after = (sessions.admit(source(1, false)).unwrap(), sessions.closing());
        for (_, closing) in [&before, &after] {
            assert_eq!(*closing.borrow(), Some(order));
        }
        assert_ne!(before.0.id(), after.0.id());

        let mut none_left = Box::pin(sessions.none_left());
        assert!((&mut none_left).now_or_never().is_none());
        drop((before, after));
        assert!((&mut none_left).now_or_never().is_some());
    }
}
