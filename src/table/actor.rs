//! The table actor: carries what [`State`] decides to the journal, and from there to whoever may
//! know it. Owns one table's state, its streams and its alarm.
//!
//! Decide, journal, then show: the actor goes on deciding on its newest state while the journal
//! writes, and holds every reply and every event back until what they tell is durable. One place
//! in the journal's queue is reserved before anything is decided; without one the command is
//! refused as `busy`.
//!
//! Bounds: the mailbox has `mailbox` places (its senders answer `busy` beyond that), and what is
//! held back is bounded by the journal's queue and the requests in flight of the followers.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix::prelude::*;
use futures_util::stream;
use hexhall_proto::event::Event as Told;
use hexhall_proto::reply::Reply;

use crate::game::Seat;
use crate::game::clock::{Millis, Stamp};
use crate::gateway::follows::Part;
use crate::ids::{PlayerId, Seq, SessionId};
use crate::store::{Append, Busy, Durable, Slot, Word};
use crate::view::{Viewer, delta, project};
use crate::workers::Workers;

use super::alarm::Alarm;
use super::archive::{self, Kept};
use super::beginning::{Beginning, OnEnd, Opener, Rebuilt, Services, Unreadable};
use super::chat::Chat;
use super::curtain::Curtains;
use super::delayed::Delayed;
use super::driven::Driven;
use super::handle::{Handle, ReplyTo, SessionRef};
use super::late::Late;
use super::release::{Held, Release};
use super::state::State;
use super::state::driver::Absence;
use super::state::event::Event;
use super::streams::{Frame, Streams};

/// One table.
pub struct TableActor {
    pub(super) state: State,
    pub(super) streams: Streams,
    pub(super) release: Release,
    pub(super) services: Services,
    beginning: Option<(Vec<Event>, Slot, Opener)>,
    pub(super) told: Word,
    sweep: Arc<AtomicBool>,
    pub(super) alarm: Alarm,
    /// Before whom the curtain is lifted, where there is one.
    pub(super) curtains: Curtains,
    /// The journal's outages that the clocks were excused for.
    pub(super) excused_ms: Millis,
    /// A clock ran when the server went away, and the journal does not say yet that it is back.
    pub(super) owes_restart: bool,
    /// Presence has changed without anybody being told.
    pub(super) presence_due: Option<Stamp>,
    /// A seat's player came or went, and nobody was told.
    pub(super) presence_news: bool,
    /// What the last presence that was told said of gone players' seats.
    absences: [Absence; 2],
    /// Who had asked for the party's next game, as it was last told.
    asked: Option<PlayerId>,
    pub(super) chat: Chat,
    /// What the computer thinks about here.
    pub(super) driven: Driven,
    /// Since when nobody follows and nothing is due.
    pub(super) quiet_since: Option<Stamp>,
    /// The number of the last event that stopped the clock: once it is durable, the clock runs.
    clock_after: u64,
    /// What spectators know, where they see the table late.
    pub(super) late: Option<Late>,
    /// Whether lists were told that everybody is gone.
    pub(super) listed_gone: Option<bool>,
    /// The actor ends, and nothing that it still does counts.
    pub(super) dead: bool,
    ending: Ending,
}

/// Tells that the actor has ended, whichever way it did.
struct Ending {
    on_end: Option<OnEnd>,
    died: bool,
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(on_end) = self.on_end.take() {
            on_end(self.died || std::thread::panicking());
        }
    }
}

/// Counts of watchers are told at most this often.
pub(super) const WATCHERS_EVERY_MS: Millis = 1_000;

impl TableActor {
    /// Starts a table on a worker.
    pub fn start(
        workers: &Workers,
        worker: usize,
        beginning: Beginning,
        services: Services,
        on_end: OnEnd,
    ) -> Handle {
        let sweep = Arc::new(AtomicBool::new(false));
        let swept = Arc::clone(&sweep);
        let address = workers.start_actor(worker, move |ctx: &mut Context<TableActor>| {
            ctx.set_mailbox_capacity(services.mailbox);
            TableActor::new(beginning, services, swept, on_end)
        });
        Handle::new(address, sweep)
    }

    fn new(
        beginning: Beginning,
        services: Services,
        sweep: Arc<AtomicBool>,
        on_end: OnEnd,
    ) -> TableActor {
        let (state, seqs, delayed, durable, beginning) = match beginning {
            Beginning::Opened { state, events, slot, opener } => {
                let delayed = Delayed::opened(&state);
                (*state, [Seq(0); 3], delayed, 0, Some((events, slot, opener)))
            }
            Beginning::Rebuilt(rebuilt) => {
                let Rebuilt { state, seqs, delayed } = *rebuilt;
                let durable = state.number();
                (state, seqs, delayed, durable, None)
            }
        };
        TableActor {
            owes_restart: beginning.is_none() && state.has_clock() && state.wants_clock(),
            excused_ms: services.store.outage_ms(),
            streams: Streams::new(state.id(), seqs, services.history),
            release: Release::new(durable),
            told: Word::new(Durable { to: durable, lost: None }),
            state,
            beginning,
            services,
            sweep,
            alarm: Alarm::default(),
            curtains: Curtains::default(),
            presence_due: None,
            presence_news: false,
            absences: Default::default(),
            asked: None,
            chat: Chat::default(),
            driven: Driven::default(),
            quiet_since: None,
            clock_after: durable,
            late: delayed.map(Late::new),
            listed_gone: None,
            dead: false,
            ending: Ending { on_end: Some(on_end), died: false },
        }
    }

    /// The time now.
    pub(super) fn now(&self) -> Stamp {
        self.services.time.now()
    }

    /// A place in the journal, to be had before anything is decided.
    pub(super) fn reserve(&self) -> Result<Slot, Busy> {
        self.services.store.reserve()
    }

    /// Makes events happen: applies them, writes them down, and holds back what there is to tell
    /// until they are durable. [`TableActor::settle`] comes at the end of the turn.
    pub(super) fn commit(&mut self, slot: Slot, events: Vec<Event>, ctx: &mut Context<Self>) {
        if events.is_empty() {
            return;
        }
        let first = self.state.number() + 1;
        match self.happen(&events) {
            Ok((written, kept)) => self.append(slot, first, written, kept, &events),
            Err(error) => {
                tracing::error!(table = %self.state.id(), %error, "a table decided what cannot be");
                self.die(false, ctx);
            }
        }
    }

    /// Applies events and holds back what there is to tell of them. Gives their form in the
    /// journal, and what is kept of games beside it.
    pub(super) fn happen(&mut self, events: &[Event]) -> Result<(Vec<Vec<u8>>, Kept), Unreadable> {
        let (mut written, mut kept) = (Vec::with_capacity(events.len()), Kept::default());
        let mut reseated = Vec::new();
        for event in events {
            written.push(self.write(event)?);
            reseated.extend(self.reseated(event).filter(|player| !reseated.contains(player)));
            self.state.apply(event)?;
            kept.note(&self.state, event);
            if let Some(late) = &mut self.late {
                late.delayed.happened(self.state.number(), event);
            }
            self.hold_back(event, &mut reseated);
        }
        self.hold_reseated(reseated);
        Ok((written, kept))
    }

    /// Holds back what there is to tell of an event that has just been applied.
    fn hold_back(&mut self, event: &Event, reseated: &mut Vec<PlayerId>) {
        if matches!(event, Event::Started { .. } | Event::Seated { .. }) {
            self.streams.forget(self.told_live());
            self.note_presence(None);
        }
        if let Event::Party { .. } = event {
            self.note_presence(None);
        }
        // Who plays next may be others by it.
        self.presence_news |= self.state.party().is_some()
            && matches!(event, Event::Party { .. } | Event::Ended { .. } | Event::Started { .. });
        let (now, watchers) = (self.now(), self.watchers());
        let live = self.told_live();
        let told = self.streams.tell_some(live, &self.state, event, watchers, now);
        let number = self.state.number();
        if event.stops_clock() {
            self.clock_after = number;
        }
        if matches!(event, Event::Started { .. }) && self.state.party().is_some() {
            // Nobody is told of a game as who they were in the one before.
            self.hold_reseated(std::mem::take(reseated));
        }
        let exchange = matches!(event, Event::Started { exchange: true, .. });
        self.release.hold(number, Held::Told { told, exchange });
        self.hold_expelled(event);
        if let Some((seat, told)) = delta::whispered(&self.state, event) {
            let frame = Rc::new(Frame::new(self.state.id(), None, told));
            self.release.hold(number, Held::Whispered { seat, frame });
        }
        self.curtain_falls();
    }

    pub(super) fn append(
        &mut self,
        slot: Slot,
        first: u64,
        written: Vec<Vec<u8>>,
        kept: Kept,
        events: &[Event],
    ) {
        let listed = events.iter().any(archive::changes_listing);
        let listing = listed.then(|| archive::table_row(&self.state, self.now()));
        if let Some(row) = &listing {
            self.release.hold(self.state.number(), Held::Listed(row.clone()));
        }
        if let Some(left) = kept.left {
            let listings = Arc::clone(&self.services.listings);
            let tell = Box::new(move || listings.left(left.player));
            self.release.hold(self.state.number(), Held::Then(tell));
        }
        slot.append(Append {
            table: self.state.id(),
            first,
            events: written,
            listing,
            games: kept.games,
            result: kept.result,
            left: kept.left,
            told: self.told.sent_along(),
        });
    }

    /// Lets go of what is durable, and looks when to wake: the last step of a turn.
    pub(super) fn settle(&mut self, ctx: &mut Context<Self>) {
        if self.dead {
            return;
        }
        let Durable { to, lost } = self.told.read();
        if let Some(lost) = lost {
            // Nothing that waits for it is ever told: those who asked hear `busy`, and the table goes
            // on from what its journal has.
            tracing::error!(table = %self.state.id(), ?lost, "the journal did not take an event");
            return self.die(true, ctx);
        }
        let now = self.now();
        while let Some((number, held)) = self.release.next_up_to(to) {
            self.let_go(number, held);
        }
        let durable = self.release.durable();
        if durable >= self.clock_after && self.state.wants_clock() && !self.owes_restart {
            self.excuse_outage(now);
            self.state.start_clock(now);
        }
        if self.sweep.swap(false, Ordering::AcqRel) {
            for session in self.streams.ended() {
                self.session_gone(session, None);
            }
        }
        self.state.forget_lapsed_request(now);
        let absences = Seat::BOTH.map(|seat| self.state.absence(seat, now));
        self.presence_news |= absences != self.absences;
        self.absences = absences;
        let asked = self.state.asked_for_game(now);
        self.presence_news |= asked != self.asked;
        self.asked = asked;
        if durable >= self.state.number() {
            self.tell_curtain(now);
            if self.presence_news {
                self.tell_presence(now);
            }
        }
        self.show_late(now, ctx);
        if durable >= self.state.number() && !self.dead {
            self.list_gone(now);
        }
        self.drive(ctx);
        self.arm(ctx, now);
    }

    fn let_go(&mut self, number: u64, held: Held) {
        match held {
            Held::Told { told, exchange } => {
                if exchange {
                    self.streams.exchange(number);
                }
                self.streams.deliver(number, &told);
            }
            Held::Whispered { seat, frame } => self.streams.whisper(number, seat, &frame),
            Held::Reseat { player, seat, view } => {
                // Whoever watches from here on is shown the table as spectators know it by then.
                let late = self.late.as_ref().filter(|_| seat.is_none());
                let (view, shows) = match late {
                    Some(late) => {
                        (self.fresh_view(Viewer::Spectator), late.delayed.state().number())
                    }
                    None => (view, number),
                };
                self.streams.reseat(player, seat, number, shows, &view);
            }
            Held::Expelled(player) => self.expel(player),
            Held::Lifted { session, seat } => self.streams.look_as(session, Viewer::Seat(seat)),
            Held::Fallen { sessions, view } => self.streams.lower(&sessions, number, &view),
            Held::Fresh { session, view } => self.streams.send(session, &view),
            Held::Reply { reply, frame } => reply.send(frame),
            Held::Listed(row) => self.list(Some(row), self.now()),
            Held::Then(act) => act(),
        }
    }

    /// A whole view as an event, for sessions that start afresh.
    pub(super) fn fresh_view(&self, viewer: Viewer) -> Rc<Frame> {
        let view = Box::new(self.view(viewer));
        Rc::new(Frame::new(self.state.id(), None, Told::View { view }))
    }

    /// What a viewer may know now.
    pub(super) fn view(&self, viewer: Viewer) -> hexhall_proto::view::View {
        if let (Viewer::Spectator, Some(late)) = (viewer, &self.late) {
            return late.view(&self.streams, self.now());
        }
        let seq = self.streams.seq(viewer);
        project::view(&self.state, viewer, seq, self.watchers(), self.now())
    }

    /// Holds a reply back until everything that it may tell of is durable.
    pub(super) fn reply(&mut self, reply: ReplyTo, answer: Reply) {
        if self.dead {
            // Dropped unanswered, it says that the server is busy: nothing of this counts.
            return;
        }
        let frame = reply.encode(answer);
        self.release.hold(self.state.number(), Held::Reply { reply, frame });
    }

    pub(super) fn watchers(&self) -> usize {
        let [one, two] = Seat::BOTH.map(|seat| self.state.player(seat).map(|player| player.id));
        self.streams.watchers([one, two.filter(|_| one != two)])
    }

    /// A session follows the table from now on.
    pub(super) fn follow(&mut self, session: &Arc<SessionRef>, viewer: Viewer) {
        let (known, _) = self.known_to(viewer);
        self.follow_from(session, viewer, known.number());
    }

    /// The same, from a number that the table is about to reach.
    pub(super) fn follow_from(&mut self, session: &Arc<SessionRef>, viewer: Viewer, since: u64) {
        self.release.forget_lifts(session.id);
        self.streams.follow(session, viewer, since);
        if !self.streams.has(session.id) {
            // It has ended, and nobody may be left to tell so.
            self.lower(session.id);
        }
        if self.state.has_curtain() && self.state.seat_of(session.player.id).is_some() {
            // Behind the curtain too. One that has ended is told to be gone in a moment.
            let _ = session.follows.table(self.state.id(), Part::Seated);
        }
        self.note_presence(None);
        self.watchers_changed(session.player.id);
    }

    /// A session follows no more, because it is gone or because its player said so, who may not have
    /// followed by it.
    pub(super) fn session_gone(&mut self, session: SessionId, leaver: Option<Seat>) {
        self.lower(session);
        let player = self.streams.player_of(session);
        let followed = player.filter(|_| self.streams.unfollow(session));
        if followed.is_some() || leaver.is_some() {
            self.note_presence(leaver);
        }
        if let Some(player) = followed {
            self.watchers_changed(player);
        }
    }

    fn watchers_changed(&mut self, player: PlayerId) {
        let now = self.now();
        self.presence_due.get_or_insert(now + WATCHERS_EVERY_MS);
        if let Some(late) = &mut self.late {
            late.watchers_changed(player, now);
        }
    }

    /// To be called when who follows has changed, or who sits where. Compares who is there with
    /// who was; `leaver` is the seat whose player said that they go.
    /// That a seat's player came or went is told as soon as everything is durable: that somebody
    /// sits there may be younger than that.
    pub(super) fn note_presence(&mut self, leaver: Option<Seat>) {
        let now = self.now();
        let mut news = false;
        for seat in Seat::BOTH {
            let here = self.state.player(seat).is_some_and(|it| self.streams.is_here(it.id));
            let said_so = leaver == Some(seat);
            news |= self.state.note_presence(seat, here, now, said_so);
        }
        news |= self.note_members(leaver, now);
        self.presence_news |= news;
        if let Some(late) = self.late.as_mut().filter(|_| news) {
            late.delayed.presence(self.state.number(), self.state.presence().clone());
        }
    }

    pub(super) fn tell_presence(&mut self, now: Stamp) {
        self.presence_due = None;
        self.presence_news = false;
        let presence = project::presence(&self.state, self.watchers(), now);
        let frame = Frame::new(self.state.id(), None, Told::Presence { presence });
        self.streams.broadcast(self.release.durable(), self.told_live(), &frame);
    }

    /// Ends the actor: whoever asks next rebuilds the table from its journal, or the directory
    /// does so at once where the journal can be trusted to give another table than this one.
    pub(super) fn die(&mut self, revive: bool, ctx: &mut Context<Self>) {
        self.dead = true;
        self.ending.died = revive;
        ctx.stop();
    }
}

impl Actor for TableActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let told = self.told.clone();
        ctx.add_stream(stream::poll_fn(move |cx| told.poll_news(cx).map(Some)));
        match self.beginning.take() {
            Some((events, slot, opener)) => self.open(events, slot, opener, ctx),
            None => {
                if self.late.is_some() {
                    // What the lists were told before may have been another time's.
                    self.list(None, self.now());
                }
                self.wake(ctx);
            }
        }
    }
}

impl StreamHandler<Durable> for TableActor {
    fn handle(&mut self, _: Durable, ctx: &mut Context<Self>) {
        self.settle(ctx);
    }
}
