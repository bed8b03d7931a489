//! What operators do to players: the log of it, and what holds of each player because of it.
//!
//! Owns [`Acts`], the copy of what holds that either engine keeps at hand, since everybody who comes
//! in and every line that is said is judged by it. Invariants: what holds of a player follows from
//! the log alone, in its order; what [`Store::muted`] and [`Store::banned`] say is durable, as the
//! writer tells of each act before it acknowledges it. Whatever holds of a bot's owner holds of the
//! bot. Bounds: one mute and one ban of at most [`MOST_TEXT`] characters for each player that ever
//! had one, and [`MOST_NOTICES`] notices each; the oldest goes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::people::{ByOperator, Change};
use super::{Engine, PlayerError, PlayerRow, ReadError, Store, read, sqlite};
use crate::accounts::skeleton::NameKeys;
use crate::ids::{NoticeId, PlayerId};

/// The longest reason or warning, in characters. Who writes one keeps to it.
pub const MOST_TEXT: usize = 500;

/// The notices of one player that are kept until they are read.
pub const MOST_NOTICES: usize = 20;

/// One thing that an operator did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Whom it concerns.
    pub player: PlayerId,
    /// What was done.
    pub kind: ActKind,
    /// Who did it, by the name that they gave.
    pub by: String,
    /// What is told of it: a warning's text, or the reason.
    pub text: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when it holds, likewise; for ever without.
    pub until_ms: Option<u64>,
}

/// What an operator may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActKind {
    /// Tells a player something.
    Warn,
    /// Has a player say nothing at any table; in place of an earlier mute.
    Mute,
    /// Ends a mute.
    Unmute,
    /// Keeps a player and their bots out; in place of an earlier ban.
    Ban,
    /// Ends a ban.
    Unban,
    /// Settles a report about a player: its text is what came of it.
    Settle,
    /// Gives a player another name: its text says which, and in place of which.
    Rename,
}

impl ActKind {
    /// Every kind.
    pub const ALL: [ActKind; 7] = [
        ActKind::Warn,
        ActKind::Mute,
        ActKind::Unmute,
        ActKind::Ban,
        ActKind::Unban,
        ActKind::Settle,
        ActKind::Rename,
    ];

    /// The word stored for it.
    pub const fn word(self) -> &'static str {
        match self {
            ActKind::Warn => "warn",
            ActKind::Mute => "mute",
            ActKind::Unmute => "unmute",
            ActKind::Ban => "ban",
            ActKind::Unban => "unban",
            ActKind::Settle => "settle",
            ActKind::Rename => "rename",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<ActKind> {
        ActKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// What its player is told of it; a ban is told to whoever tries to come in.
    const fn notice(self) -> Option<NoticeKind> {
        match self {
            ActKind::Warn => Some(NoticeKind::Warning),
            ActKind::Mute => Some(NoticeKind::Muted),
            ActKind::Unmute => Some(NoticeKind::Unmuted),
            ActKind::Rename => Some(NoticeKind::Renamed),
            ActKind::Ban | ActKind::Unban | ActKind::Settle => None,
        }
    }
}

/// An act as the log has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActRow {
    /// Its number: each is higher than those before.
    pub number: u64,
    /// The name that its player now goes by.
    pub name: String,
    /// What was done.
    pub act: Act,
}

/// A mute or a ban.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sanction {
    /// To whom it was given: the player of whom it holds, or that bot's owner.
    pub of: PlayerId,
    /// Who gave it.
    pub by: Arc<str>,
    /// Why.
    pub reason: Arc<str>,
    /// Since when, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when, likewise; for ever without.
    pub until_ms: Option<u64>,
}

impl Sanction {
    fn of(act: &Act) -> Sanction {
        let Act { player, by, text, at_ms, until_ms, .. } = act;
        let (by, reason) = (by.as_str().into(), text.as_str().into());
        Sanction { of: *player, by, reason, at_ms: *at_ms, until_ms: *until_ms }
    }

    fn holds(&self, now_ms: u64) -> bool {
        self.until_ms.is_none_or(|until| now_ms < until)
    }
}

/// Something that a player is told until they have read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoticeRow {
    /// Its name.
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// What it says.
    pub text: String,
    /// Since when, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when it holds, likewise; for ever without.
    pub until_ms: Option<u64>,
}

/// What a notice is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoticeKind {
    /// A warning.
    Warning,
    /// The player is muted.
    Muted,
    /// The player is muted no more.
    Unmuted,
    /// The player has another name.
    Renamed,
}

impl NoticeKind {
    const ALL: [NoticeKind; 4] =
        [NoticeKind::Warning, NoticeKind::Muted, NoticeKind::Unmuted, NoticeKind::Renamed];

    /// The kinds of earlier notices that say nothing any more, once there is one of this kind: of a
    /// mute and its end, and of names, the newest alone is worth telling.
    pub(super) const fn outdates(self) -> &'static [NoticeKind] {
        match self {
            NoticeKind::Warning => &[],
            NoticeKind::Muted | NoticeKind::Unmuted => &[NoticeKind::Muted, NoticeKind::Unmuted],
            NoticeKind::Renamed => &[NoticeKind::Renamed],
        }
    }

    /// The word stored for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            NoticeKind::Warning => "warning",
            NoticeKind::Muted => "muted",
            NoticeKind::Unmuted => "unmuted",
            NoticeKind::Renamed => "renamed",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<NoticeKind> {
        NoticeKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl Act {
    /// What its player is told of it, by this name.
    pub fn notice(&self, id: NoticeId) -> Option<NoticeRow> {
        let Act { kind, text, at_ms, until_ms, .. } = self;
        let (kind, text) = (kind.notice()?, text.clone());
        Some(NoticeRow { id, kind, text, at_ms: *at_ms, until_ms: *until_ms })
    }
}

/// What holds of everybody.
#[derive(Default)]
pub(super) struct Acts {
    mutes: HashMap<PlayerId, Sanction>,
    bans: HashMap<PlayerId, Sanction>,
    notices: HashMap<PlayerId, BTreeMap<NoticeId, NoticeRow>>,
}

impl Acts {
    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&mut self, change: &Change) {
        match change {
            Change::Act { act, notice } => self.done_and_told(act, *notice),
            Change::Rename { by: Some(by), .. } => self.done_and_told(&by.act, by.notice),
            Change::ReadNotice { player, id } => self.read(*player, *id),
            _ => {}
        }
    }

    fn done_and_told(&mut self, act: &Act, notice: NoticeId) {
        self.done(act);
        if let Some(row) = act.notice(notice) {
            self.told(act.player, row);
        }
    }

    /// An act was done, after all that were told of before.
    pub(super) fn done(&mut self, act: &Act) {
        match act.kind {
            ActKind::Warn | ActKind::Settle | ActKind::Rename => {}
            ActKind::Mute => drop(self.mutes.insert(act.player, Sanction::of(act))),
            ActKind::Unmute => drop(self.mutes.remove(&act.player)),
            ActKind::Ban => drop(self.bans.insert(act.player, Sanction::of(act))),
            ActKind::Unban => drop(self.bans.remove(&act.player)),
        }
    }

    /// A player has a notice more, in place of those that it outdates.
    pub(super) fn told(&mut self, player: PlayerId, row: NoticeRow) {
        let theirs = self.notices.entry(player).or_default();
        theirs.retain(|_, other| !row.kind.outdates().contains(&other.kind));
        theirs.insert(row.id, row);
        if theirs.len() > MOST_NOTICES {
            theirs.pop_first();
        }
    }

    fn read(&mut self, player: PlayerId, id: NoticeId) {
        if let Some(theirs) = self.notices.get_mut(&player) {
            theirs.remove(&id);
            if theirs.is_empty() {
                self.notices.remove(&player);
            }
        }
    }

    pub(super) fn notices(&self, player: PlayerId) -> Vec<NoticeRow> {
        self.notices.get(&player).into_iter().flat_map(BTreeMap::values).cloned().collect()
    }
}

/// Players who may be the one that was meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The players.
    pub players: Vec<PlayerRow>,
    /// Whether it is the one who goes by that name, in any case, and not some whose names hold it or
    /// look like it.
    pub exact: bool,
}

impl Store {
    /// What keeps a player from saying anything, if they are muted, or if their owner is. Waits for
    /// nothing; a closed store knows of nobody.
    pub fn muted(&self, player: PlayerId, now_ms: u64) -> Option<Sanction> {
        self.holding(|acts| &acts.mutes, player, now_ms)
    }

    /// What keeps a player out, if they are banned, or if their owner is. Waits for nothing; a
    /// closed store knows of nobody.
    pub fn banned(&self, player: PlayerId, now_ms: u64) -> Option<Sanction> {
        self.holding(|acts| &acts.bans, player, now_ms)
    }

    /// What a player has not read yet, the oldest first. Waits for nothing.
    pub fn notices(&self, player: PlayerId) -> Vec<NoticeRow> {
        self.acts_at_hand(|acts| acts.notices(player)).unwrap_or_default()
    }

    /// What holds of a player, or of whoever stands behind them.
    fn holding(
        &self,
        sanctions: fn(&Acts) -> &HashMap<PlayerId, Sanction>,
        player: PlayerId,
        now_ms: u64,
    ) -> Option<Sanction> {
        let person = self.person(player);
        self.acts_at_hand(|acts| {
            let of = |id| sanctions(acts).get(id).filter(|it| it.holds(now_ms));
            of(&player).or_else(|| of(&person)).cloned()
        })
        .flatten()
    }

    fn acts_at_hand<T>(&self, ask: impl FnOnce(&Acts) -> T) -> Option<T> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| ask(&rows.people.acts)).ok(),
            Engine::Sqlite(sqlite) => Some(ask(&sqlite.acts())),
        }
    }

    /// Writes down what an operator does, with the notice by that name where its player is told of
    /// it; returns once that is durable, and holds.
    ///
    /// # Errors
    /// [`PlayerError::Unknown`]: there is no such player.
    pub async fn act(&self, act: Act, notice: NoticeId) -> Result<(), PlayerError> {
        self.change(Change::Act { act, notice }).await
    }

    /// Gives the act's player another name and writes down that an operator did so, with the notice
    /// by that name, in one; returns once that is durable.
    ///
    /// # Errors
    /// [`PlayerError::NameTaken`], [`PlayerError::Unknown`].
    pub async fn rename_by(
        &self,
        name: String,
        act: Act,
        notice: NoticeId,
    ) -> Result<(), PlayerError> {
        let (id, keys) = (act.player, NameKeys::of(&name));
        let by = Some(Box::new(ByOperator { act, notice }));
        self.change(Change::Rename { id, name, keys, by }).await
    }

    /// A player has read a notice; returns once that is durable.
    ///
    /// # Errors
    /// [`PlayerError::Unknown`]: they have no such notice.
    pub async fn read_notice(&self, player: PlayerId, id: NoticeId) -> Result<(), PlayerError> {
        self.change(Change::ReadNotice { player, id }).await
    }

    /// What operators have done, to this player or to anybody: `most` acts, the newest first, and
    /// only such as have a number under `before`.
    pub async fn acts(
        &self,
        player: Option<PlayerId>,
        before: Option<u64>,
        most: u32,
    ) -> Result<Vec<ActRow>, ReadError> {
        read!(
            self,
            rows => rows.people.log(player, before, most),
            db => sqlite::acts::log(db, player, before, most),
        )
    }

    /// Whoever goes by a name, or else those whose names hold this text or look as if they did, the
    /// newest first, `most` of them at most. Looks through everybody.
    pub async fn find_players(&self, text: String, most: u32) -> Result<Found, ReadError> {
        read!(
            self,
            rows => rows.people.find(&text, most),
            db => sqlite::acts::find(db, &text, most),
        )
    }
}
