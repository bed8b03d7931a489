//! Sockets and sessions: owns every connection, routes requests to tables and the lobby, and
//! views back.
//!
//! Reading order: [`upgrade`] (an HTTP request becomes a WebSocket), [`session`] (one task for
//! each), [`dispatch`] (frame to request), [`hello`] (who is there), [`routes`] (the rest of the
//! server, as sessions see it), [`outbox`] and [`follows`] (what tables see of a session),
//! [`sessions`] (all of them), [`live`] (those of each player), [`limits`], [`close`], and the
//! settings.
//!
//! Invariant: whatever a session holds, its owner may see; what leaves through it was released by
//! a table, and its outgoing queue is bounded.

pub mod upgrade;

pub mod dispatch;
pub mod hello;
pub mod session;

pub mod follows;
pub mod outbox;
pub mod reply;
pub mod routes;

pub mod address;
pub mod close;
mod figures;
pub mod limits;
pub mod live;
pub mod origin;
pub mod sessions;
pub mod settings;
pub mod shown;

use std::sync::Arc;

pub use routes::Routes;
pub use sessions::Sessions;
pub use settings::Settings;

use crate::accounts::Accounts;
use crate::time::TimeSource;
use crate::workers::Workers;
use address::Source;
use figures::Figures;
use limits::Guests;
use live::Live;
use sessions::{Admission, TooMany};

/// What every session of one server shares.
pub struct Gateway<R> {
    settings: Settings,
    routes: R,
    accounts: Accounts,
    time: TimeSource,
    workers: Arc<Workers>,
    sessions: Arc<Sessions>,
    live: Arc<Live>,
    guests: Guests,
    figures: Figures,
}

impl<R: Routes> Gateway<R> {
    /// A gateway without sessions.
    pub fn new(
        settings: Settings,
        routes: R,
        accounts: Accounts,
        time: TimeSource,
        workers: Arc<Workers>,
    ) -> Arc<Gateway<R>> {
        let sessions = Sessions::new(settings.sessions_per_address);
        let guests = Guests::new(settings.guests_per_address, time.clone());
        let (live, figures) = (Arc::default(), Figures::new());
        Arc::new(Gateway {
            settings,
            routes,
            accounts,
            time,
            workers,
            sessions,
            live,
            guests,
            figures,
        })
    }

    /// The sessions that live.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The sessions of each player.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// Takes a connection in.
    ///
    /// # Errors
    /// Its address has as many as it may.
    pub fn admit(&self, source: Source) -> Result<Admission, TooMany> {
        self.sessions.admit(source)
    }

    /// What the gateway was told to keep to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Tells every session that the server stops and when to come back, and ends each once it has
    /// been sent what it is owed, or once the time for that has passed. Returns when all are gone.
    /// Those that come later are told the same.
    pub async fn close(&self) {
        let now = self.time.now();
        let order = sessions::Closing {
            back_in: self.settings.back_in,
            until: now + self.settings.shutdown_drain,
        };
        self.sessions.close(order);
        // A session that cannot even be told has the time of its farewell on top.
        let last = self.time.sleep_until(order.until + self.settings.farewell);
        tokio::select! {
            () = self.sessions.none_left() => {}
            () = last => tracing::warn!(left = self.sessions.count(), "sessions left behind"),
        }
    }
}
