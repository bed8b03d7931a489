//! How the lobby carries out what [`super::pairing`] decides: takes seeks in, opens the tables of
//! matches, and tells every session of those concerned.
//!
//! A match opens its table with a place in the journal that was reserved before, and is told once
//! the table is durable: until then both players are reserved, and where it comes to nothing both
//! wait on.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::reply::Reply;
use hexhall_proto::seek;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};
use tokio::sync::oneshot;

use crate::accounts::ratings::Class;
use crate::game::clock::{Millis, Stamp};
use crate::ids::{MatchId, PlayerId, SeekId, TableId};
use crate::table::beginning::{Beginning, Opener};
use crate::table::handle::{Player, ReplyTo, SessionRef};
use crate::table::options::Options;
use crate::table::state::refusal::Refusal;
use crate::table::state::{State, opening};

use super::actor::{LobbyActor, refuse};
use super::pairing::seek::{Rating, Wish};
use super::pairing::{News, NoSeek, Paired, Why};
use super::{told, wanted};

/// For how long a match is told to sessions that connect after it.
const TOLD_AGAIN_MS: Millis = 60_000;

/// How many players are connected is told at most this often.
const ONLINE_EVERY_MS: Millis = 1_000;

/// What of the lobby is about seeks, besides [`super::pairing::Pairing`].
pub(super) struct Seeking {
    /// How many players were told to be connected, and when.
    online: (usize, Stamp),
    /// When the lobby looks by itself next.
    alarm: Option<(Stamp, SpawnHandle)>,
    /// Who has left one rated game too many since the lobby began, until when they are not matched.
    /// Bound: those for whom that is still to come.
    pub(super) barred: HashMap<PlayerId, Stamp>,
    matches: Counter,
    waiting: Gauge,
    players: Gauge,
}

impl Seeking {
    pub(super) fn new() -> Seeking {
        describe_counter!("hexhall_matches_total", "Tables opened for two who were matched");
        describe_gauge!("hexhall_seeks", "Seeks that wait or are about to be matched");
        describe_gauge!("hexhall_players_online", "Players with at least one session");
        Seeking {
            online: (0, Stamp(0)),
            alarm: None,
            barred: HashMap::new(),
            matches: counter!("hexhall_matches_total"),
            waiting: gauge!("hexhall_seeks"),
            players: gauge!("hexhall_players_online"),
        }
    }
}

/// What somebody wishes for, before their rating is known.
struct Wanted {
    terms: Options,
    pool: Option<&'static str>,
    range: Option<told::Near>,
    answer: Option<SeekId>,
}

/// What is known of somebody who wishes for a game.
struct Seeker {
    rating: Rating,
    /// Whose they are: a bot's owner, and oneself otherwise.
    owner: PlayerId,
    /// Until when they are not matched, since they left rated games.
    barred: Option<Stamp>,
}

impl LobbyActor {
    pub(super) fn seek(
        &mut self,
        reply: ReplyTo,
        asked: seek::Seek,
        answer: Option<SeekId>,
        ctx: &mut Context<Self>,
    ) {
        let player = reply.session().player_now();
        let wanted = match self.wanted(asked, answer) {
            Ok(wanted) => wanted,
            Err(body) => return reply.answer(Reply::Error(body)),
        };
        if let Err(error) = self.state.check(player.id, self.tables_each) {
            return refuse(reply, Code::TooManyTables, error.to_string());
        }
        let known = self.known(&player, &wanted.terms);
        Self::later(ctx, "taking a seek in", known, move |actor, _, known| {
            actor.begin_seek(reply, player, wanted, known);
        });
    }

    /// What somebody wishes for, if it can be wished for.
    fn wanted(&self, asked: seek::Seek, answer: Option<SeekId>) -> Result<Wanted, ErrorBody> {
        let range = asked.range.map(told::read_range).transpose()?;
        wanted::check_ways(&asked, answer.is_some())?;
        if let Some(id) = answer {
            let unknown = || told::no_seek(NoSeek::Unknown(id));
            let terms = self.pairing.get(id).ok_or_else(unknown)?.wish.terms;
            return Ok(Wanted { terms, pool: None, range, answer });
        }
        let (terms, pool) = wanted::resolve(asked)?;
        Ok(Wanted { terms, pool, range, answer: None })
    }

    /// What the store knows of a player: their rating in what is played by these options, as sure as
    /// it is by now, and whose they are. What cannot be read is as of somebody new.
    fn known(&self, player: &Player, options: &Options) -> impl Future<Output = Seeker> + use<> {
        let store = self.tables.services().store.clone();
        let player = player.id;
        let owner = store.person(player);
        let now = self.now();
        let barred = self.barred_until(player);
        let class = Class::of(options.rules().kind(), options.time().control());
        async move {
            let standing = store.standing(player, class).await;
            if let Err(error) = &standing {
                tracing::warn!(%error, "the rating of a player who seeks a game cannot be read");
            }
            let rating =
                standing.map_or(Rating::UNKNOWN, |standing| standing.rating_at(now).into());
            Seeker { rating, owner, barred: barred.await }
        }
    }

    fn begin_seek(&mut self, reply: ReplyTo, player: Player, wanted: Wanted, known: Seeker) {
        let now = self.now();
        // They may have left another game while the journal was read.
        let barred = known.barred.max(self.seeking.barred.get(&player.id).copied());
        if let Some(until) = barred.filter(|until| *until > now) {
            return reply.answer(Reply::Error(told::barred(until - now)));
        }
        // Since they asked: their sessions are about to end.
        if self.tables.services().store.banned(player.id, now.0).is_some() {
            return refuse(reply, Code::Banned, Refusal::Banned.to_string());
        }
        let id = self.chance.seek(now);
        let Wanted { terms, pool, range, answer } = wanted;
        let (whose, Seeker { rating, owner, .. }) = (player.id, known);
        let range = range.map(|near| near.of(rating));
        let wish = Wish { player, owner, terms, rating, range, pool };
        let store = &self.tables.services().store;
        let sought = match answer {
            None => self.pairing.seek(id, wish, now),
            Some(answered) => {
                let chance = &self.chance;
                let mut fresh = || chance.pairing(now);
                let has_blocked = |one, two| store.has_blocked(one, two);
                self.pairing.answer(id, answered, wish, now, &has_blocked, &mut fresh)
            }
        };
        match sought {
            Ok(seek) => {
                let asker = reply.session().id;
                reply.answer(Reply::Seeking { seek: seek.to_string() });
                if !self.board.online.is_here(whose) {
                    self.pairing.went(whose, now);
                }
                // The other tabs hear of its end, and so of it as well.
                let tabs = self.board.online.sessions(whose);
                let others = tabs.iter().filter(|session| session.id != asker);
                others.for_each(|session| self.show_seeks(session));
            }
            Err(error) => reply.answer(Reply::Error(told::no_seek(error))),
        }
    }

    pub(super) fn unseek(&mut self, reply: ReplyTo, seek: SeekId) {
        let now = self.now();
        if self.pairing.withdraw(seek, reply.session().player.id, now) {
            reply.answer(Reply::Done {});
        } else {
            reply.answer(Reply::Error(told::no_seek(NoSeek::Unknown(seek))));
        }
    }

    pub(super) fn ready(&mut self, reply: ReplyTo, id: MatchId) {
        let store = &self.tables.services().store;
        let has_blocked = |one, two| store.has_blocked(one, two);
        let (player, now) = (reply.session().player.id, self.now());
        match self.pairing.ready(id, player, now, &has_blocked) {
            Ok(()) => reply.answer(Reply::Done {}),
            Err(error) => refuse(reply, Code::NoMatch, error.to_string()),
        }
    }

    /// Takes in who has come and gone, and shows the sessions that `arrived` what they seek.
    pub(super) fn meet(&mut self, arrived: Vec<Arc<SessionRef>>) {
        let now = self.now();
        let board = Arc::clone(&self.board);
        for player in board.online.take_turned() {
            if board.online.is_here(player) {
                self.pairing.came(player, now);
            } else {
                self.pairing.went(player, now);
            }
        }
        for session in arrived {
            if self.pairing.of(session.player.id).next().is_some() {
                self.show_seeks(&session);
            }
            self.show_last_match(&session);
        }
    }

    /// Shows a session what its player seeks.
    pub(super) fn show_seeks(&self, session: &SessionRef) {
        send(session, &self.seeks_of(session.player.id));
    }

    /// Tells a session of the match that it may have missed, if its player still plays there.
    pub(super) fn show_last_match(&self, session: &SessionRef) {
        let player = session.player.id;
        let waits = |&(table, at): &(TableId, Stamp)| {
            self.now() - at < TOLD_AGAIN_MS && self.state.plays(player, table)
        };
        if let Some((table, _)) = self.pairing.last_table(player).filter(waits) {
            send(session, &LobbyEvent::Matched { table: table.to_string() });
        }
    }

    fn seeks_of(&self, player: PlayerId) -> LobbyEvent {
        let now = self.now();
        let seeks = self.pairing.of(player).map(|seek| told::own(seek, now)).collect();
        let check = self.pairing.check(player).map(|check| told::check(check, now));
        LobbyEvent::Seeks { seeks, check }
    }

    fn tell_player(&self, player: PlayerId, event: &LobbyEvent) {
        for session in self.board.online.sessions(player) {
            send(&session, event);
        }
    }

    /// Does what is due, tells what has come of it, and sees to it that the lobby wakes for the
    /// next: the last step of every turn.
    pub(super) fn settle(&mut self, ctx: &mut Context<Self>) {
        self.look_up_leavers(ctx);
        self.turn_out(ctx);
        self.tell_names(ctx);
        let now = self.now();
        loop {
            let chance = &self.chance;
            let store = &self.tables.services().store;
            let has_blocked = |one, two| store.has_blocked(one, two);
            self.pairing.step(now, &has_blocked, &mut || chance.pairing(now));
            let news = self.pairing.take_news();
            if news.is_empty() {
                break;
            }
            self.tell_listed(&news);
            news.into_iter().for_each(|news| self.act_on(news, now, ctx));
        }
        self.seeking.waiting.set(self.pairing.len() as f64);
        let online = self.tell_online(now);
        let next = self.pairing.next_due().into_iter().chain(online).min();
        if let Some(at) = next {
            self.arm(at, ctx);
        }
    }

    /// Tells followers what is new on the list of seeks and what is gone from it.
    fn tell_listed(&mut self, news: &[News]) {
        let changes = self.pairing.changes_of_list(news).into_iter();
        let told = changes.map(|(id, seek)| match seek {
            Some(seek) => LobbyEvent::SeekListed { seek: Box::new(told::listed(seek)) },
            None => LobbyEvent::SeekUnlisted { seek: id.to_string() },
        });
        let told: Vec<LobbyEvent> = told.collect();
        told.iter().for_each(|event| self.tell(event));
    }

    fn act_on(&mut self, news: News, now: Stamp, ctx: &mut Context<Self>) {
        match news {
            News::Listed(_) | News::Unlisted(_) | News::Renamed(_) => {}
            News::Check(_, players) => {
                for player in players {
                    if let Some(check) = self.pairing.check(player) {
                        let check = LobbyEvent::ReadyCheck(told::check(check, now));
                        self.tell_player(player, &check);
                    }
                }
            }
            // Where pairing has begun anew since, it pairs them anew as well.
            News::Paired(id, _) if !self.pairing.is_opening(id) => {}
            News::Paired(id, paired) => {
                let players = paired.players.each_ref().map(|player| player.id);
                let open = |actor: &mut Self| actor.open_match(id, paired, now, ctx);
                if !self.guarded("opening a match", open) {
                    // Nor could it be the next time: both would be matched again and again.
                    let mut give_up = |player| self.pairing.turn_out(player, Why::Unmatched, now);
                    players.into_iter().for_each(&mut give_up);
                }
            }
            News::Back(player) => self.tell_player(player, &self.seeks_of(player)),
            News::Ended(id, player, why) => {
                let reason = told::end(why);
                self.tell_player(player, &LobbyEvent::SeekEnded { seek: id.to_string(), reason });
            }
        }
    }

    /// Opens the table of a match, if both may sit down and the journal has a place for it.
    fn open_match(&mut self, id: MatchId, paired: Paired, now: Stamp, ctx: &mut Context<Self>) {
        let Paired { players, terms } = paired;
        // Seeks go by the name that their player had, and seats by the one that they have.
        let players = players.map(|player| self.board.online.player_now(player));
        let table = self.chance.table(now);
        let seated = players.each_ref().map(|player| player.id);
        if let Some((player, why)) = seated.iter().find_map(|&it| Some((it, self.kept_from(it)?))) {
            return self.pairing.may_not_play(id, player, why, now);
        }
        if let Err((player, _)) = self.state.open(table, &seated, self.tables_each) {
            return self.pairing.may_not_play(id, player, Why::TooManyTables, now);
        }
        // Dropped without a word, as in a panic too, both wait on.
        let (lobby, opened) = oneshot::channel();
        Self::later(
            ctx,
            "hearing of a match's table",
            opened,
            move |actor, _, opened| match opened {
                Ok(()) => actor.matched(id, seated, table),
                Err(_) => {
                    actor.state.not_opened(table);
                    actor.pairing.not_opened(id, actor.now());
                }
            },
        );
        self.pairing.begun(id);
        let services = self.tables.services();
        let Ok(slot) = services.store.reserve() else { return };
        let state = State::new(table, services.spans, terms, None, now);
        let fresh = Arc::clone(&services.fresh);
        let events = opening::opening_of_two(terms, players, now, || fresh());
        let opener = Opener { lobby, asked: None };
        self.tables.open(table, Beginning::Opened { state: Box::new(state), events, slot, opener });
    }

    /// What keeps a player from being matched that has become known since they began to seek.
    pub(super) fn kept_from(&self, player: PlayerId) -> Option<Why> {
        let now = self.now();
        let banned = self.tables.services().store.banned(player, now.0).map(|_| Why::Gone);
        let barred = self.seeking.barred.get(&player).filter(|until| **until > now);
        banned.or(barred.map(|_| Why::Barred))
    }

    fn matched(&mut self, id: MatchId, seated: [PlayerId; 2], table: TableId) {
        self.pairing.opened(id, seated, table, self.now());
        self.seeking.matches.increment(1);
        let matched = LobbyEvent::Matched { table: table.to_string() };
        seated.into_iter().for_each(|player| self.tell_player(player, &matched));
    }

    /// Tells how many are connected, if that has changed and was not told just now. Gives when to
    /// look at it again.
    fn tell_online(&mut self, now: Stamp) -> Option<Stamp> {
        let players = self.board.online.players();
        self.seeking.players.set(players as f64);
        let (before, at) = self.seeking.online;
        if players == before {
            return None;
        }
        if now - at < ONLINE_EVERY_MS {
            return Some(at + ONLINE_EVERY_MS);
        }
        self.seeking.online = (players, now);
        self.tell(&LobbyEvent::Online { players: players as u64 });
        None
    }

    fn arm(&mut self, at: Stamp, ctx: &mut Context<Self>) {
        if let Some((armed, handle)) = self.seeking.alarm {
            if armed <= at {
                return;
            }
            ctx.cancel_future(handle);
        }
        let sleep = self.tables.services().time.sleep_until(at);
        let handle = Self::later(ctx, "waking", sleep, |actor, _, ()| actor.seeking.alarm = None);
        self.seeking.alarm = Some((at, handle));
    }

    /// Has the lobby wake in a moment, whatever is due.
    pub(super) fn wake_soon(&mut self, ctx: &mut Context<Self>) {
        self.arm(self.now() + ONLINE_EVERY_MS, ctx);
    }
}

/// Sends a session something that is no part of any run: where the session is behind, it is shown
/// everything anew.
fn send(session: &SessionRef, event: &LobbyEvent) {
    let frame = hexhall_proto::codec::encode(session.format, event).into();
    let _ = session.outbox.stream(session.outbox.epoch(), frame);
}
