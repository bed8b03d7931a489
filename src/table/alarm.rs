//! When a table wakes by itself: one alarm for all that comes due, be it a flag, a countdown, an
//! offer's end or the time to be put away.

use actix::prelude::*;

use crate::game::clock::{Millis, Stamp};

use super::actor::TableActor;
use super::state::event::Event;

/// The next time that the table looks at the clock by itself. It is never later than it should
/// be; a wake that comes too early looks, and sleeps on.
#[derive(Default)]
pub(super) struct Alarm {
    set: Option<(Stamp, SpawnHandle)>,
}

/// How soon a journal that was busy is asked again.
pub(super) const RETRY_MS: Millis = 100;

/// A table is not put away while something comes due within this time.
const PUT_AWAY_HORIZON_MS: Millis = 3_600_000;

/// The alarm has rung.
struct Wake;

impl Message for Wake {
    type Result = ();
}

impl Handler<Wake> for TableActor {
    type Result = ();

    fn handle(&mut self, _: Wake, ctx: &mut Context<Self>) {
        self.wake(ctx);
    }
}

impl TableActor {
    /// Looks at the clock: what has come due happens.
    pub(super) fn wake(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        self.excuse_outage(now);
        self.restart(now, ctx);
        loop {
            let due = self.state.due(now);
            if due.is_empty() || self.dead {
                break;
            }
            let Ok(slot) = self.reserve() else { return self.arm_at(now + RETRY_MS, ctx) };
            self.commit(slot, due, ctx);
        }
        if self.presence_due.is_some_and(|due| now >= due) {
            self.presence_due = None;
            self.presence_news = true;
        }
        let quiet = self.quiet_since.filter(|_| self.release.is_empty());
        // What has just come due is told first, for one to the lobby.
        if quiet.is_some_and(|since| now >= since + self.services.put_away_ms) {
            return self.put_away(now, ctx);
        }
        self.settle(ctx);
    }

    /// Ends the actor.
    fn put_away(&mut self, now: Stamp, ctx: &mut Context<Self>) {
        if self.keep_seen(now).is_err() {
            return self.arm_at(now + RETRY_MS, ctx);
        }
        ctx.stop();
    }

    /// Says in the journal that the server is back; only then does the clock run.
    fn restart(&mut self, now: Stamp, ctx: &mut Context<Self>) {
        if !self.owes_restart {
            return;
        }
        if let Ok(slot) = self.reserve() {
            self.owes_restart = false;
            self.commit(slot, vec![Event::Restarted { at: now }], ctx);
        }
    }

    /// Clocks stand still while the journal cannot be written.
    pub(super) fn excuse_outage(&mut self, now: Stamp) {
        let outage_ms = self.services.store.outage_ms();
        let more = outage_ms.saturating_sub(self.excused_ms);
        if more > 0 {
            self.excuse(more, now);
            self.excused_ms = outage_ms;
        }
    }

    /// The last that a clock has run is charged to nobody.
    pub(super) fn excuse(&mut self, span: Millis, now: Stamp) {
        self.state.excuse(span, now);
        if let Some(late) = &mut self.late {
            late.delayed.excused(self.state.number(), span);
        }
    }

    /// Sees to it that the table wakes when the next thing is due.
    pub(super) fn arm(&mut self, ctx: &mut Context<Self>, now: Stamp) {
        let late = self.late.as_ref().and_then(|late| late.next(now));
        let next = self.state.next_due(now).into_iter().chain(late).min();
        let clock_runs = self.state.is_clock_running();
        let idle = self.streams.is_empty() && !clock_runs && self.release.is_empty();
        // What is due soon is waited for; what is due tomorrow is found when the table is next
        // looked for.
        let soon = next.is_some_and(|next| next - now <= PUT_AWAY_HORIZON_MS);
        if idle && !soon && !self.owes_restart {
            self.quiet_since.get_or_insert(now);
        } else {
            self.quiet_since = None;
        }
        let quiet = self.quiet_since.map(|since| since + self.services.put_away_ms);
        let restart = self.owes_restart.then_some(now + RETRY_MS);
        let times = [next, quiet, restart, self.presence_due, self.gone_due(now)];
        if let Some(at) = times.into_iter().flatten().min() {
            self.arm_at(at, ctx);
        }
    }

    fn arm_at(&mut self, at: Stamp, ctx: &mut Context<Self>) {
        if let Some((armed, handle)) = self.alarm.set {
            if armed <= at {
                return;
            }
            ctx.cancel_future(handle);
        }
        let sleep = self.services.time.sleep_until(at).into_actor(self);
        let handle = ctx.spawn(sleep.map(|(), actor, ctx| actor.rings(ctx)));
        self.alarm.set = Some((at, handle));
    }

    /// The alarm rings. Whatever reached the mailbox before is looked at first: time that a frame
    /// spent in the server's own queues is charged to nobody.
    fn rings(&mut self, ctx: &mut Context<Self>) {
        self.alarm.set = None;
        if ctx.address().try_send(Wake).is_err() {
            self.arm_at(self.now() + 1, ctx);
        }
    }
}
