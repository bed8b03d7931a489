//! What an operator of the server does to players: warns, renames, mutes and bans them, and looks at
//! who they are.
//!
//! Owns the check of the operator's token and the order in which an act takes effect: it is durable
//! with its line in the log first, holds from then on, and reaches those who are there last.
//! Invariant: nothing is done to anybody that the log does not tell.
//!
//! Reading order: [`token`], this file, then `naming` and `reports` (what players tell of each
//! other).

mod naming;
mod reports;
pub mod token;

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use hexhall_proto::error::CloseCode;
use hexhall_proto::event::Notice;
use tokio::sync::Mutex;

use crate::accounts::name::BadName;
use crate::accounts::text::{self, Lines, Wrong};
use crate::chance::Chance;
use crate::game::clock::Millis;
use crate::gateway::address::Address;
use crate::gateway::limits::Each;
use crate::gateway::live::Live;
use crate::gateway::settings::Allowance;
use crate::ids::{NoticeId, PlayerId, ReportId};
use crate::lobby::Lobby;
use crate::store::{
    Act, ActKind, ActRow, Found, MOST_TEXT, NoticeRow, PlayerError, PlayerRow, ReadError, Sanction,
    Store,
};
use crate::time::TimeSource;
use crate::wire;
pub use naming::Naming;
pub use reports::MOST_REPORTS;
use token::Key;

/// The longest name that an operator gives, in characters.
const MOST_BY: usize = 64;

/// The longest time that may be named: ten years. Longer is for good.
pub const MOST_S: u64 = 10 * 365 * 24 * 3_600;

/// The players that are shown where nobody goes by the name that was asked for.
pub const MOST_FOUND: u32 = 20;

/// The acts that are shown at a time.
pub const MOST_ACTS: u32 = 50;

/// What an operator's work goes through.
#[derive(Clone)]
pub struct Desk {
    /// Where everybody and everything is kept.
    pub store: Store,
    /// What time it is.
    pub time: TimeSource,
    /// What names notices.
    pub chance: Chance,
    /// Who is there.
    pub live: Arc<Live>,
    /// Who seeks a game, and where games are played.
    pub lobby: Lobby,
}

/// The operator's door, for whoever has the token.
pub struct Operator {
    key: Key,
    desk: Desk,
    /// One act after another, so that each is judged by what holds after the one before.
    turn: Arc<Mutex<()>>,
    /// Wrong tokens, from each address.
    wrong: Each<Address>,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLetIn {
    /// They show no token, or another.
    Wrong,
    /// They do so too often; after this time they may try again.
    TooOften(Millis),
}

/// What is to be done, and what is told of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// What is to be done.
    pub kind: ActKind,
    /// For how long, in seconds; for good without. A mute or a ban alone has one.
    pub for_s: Option<u64>,
    /// A warning's text, or the reason: that of an end may be empty.
    pub text: String,
    /// Who does it.
    pub by: String,
}

/// Why something was not done or shown. Nothing has changed, unless it is [`OperatorError::Failed`].
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store could not be written.
    #[error(transparent)]
    Write(#[from] PlayerError),
    /// There is no such player.
    #[error("there is no player {0}")]
    UnknownPlayer(PlayerId),
    /// Nothing is to be ended.
    #[error("{0} is not muted: there is nothing to end")]
    NotMuted(String),
    /// Nothing is to be ended.
    #[error("{0} is not banned: there is nothing to end")]
    NotBanned(String),
    /// What was to be ended holds of the bot's owner.
    #[error("this is a bot, and it is its owner {1} of whom that holds: end it there")]
    OfOwner(ActKind, PlayerId),
    /// There is no such report.
    #[error("there is no report {0}: one is kept for 30 days")]
    UnknownReport(ReportId),
    /// The report is settled.
    #[error("the report {0} is settled already")]
    Settled(ReportId),
    /// A text that is none, or too long.
    #[error("`{field}` has 1 to {most} characters that can be seen, and line ends: {wrong}")]
    BadText {
        /// Which.
        field: &'static str,
        /// How many characters it may have.
        most: usize,
        /// What is wrong with it.
        wrong: Wrong,
    },
    /// A time that is none, or too long.
    #[error("`for_s` is from 1 to {MOST_S} seconds; leave it out for good")]
    BadSpan,
    /// What is to be a name is none.
    #[error(transparent)]
    BadName(#[from] BadName),
    /// Somebody goes by that name, or by one like it.
    #[error("somebody goes by `{0}`, or by a name that looks like it: choose another, or none")]
    NameTaken(String),
    /// The name would pass for one of the house's.
    #[error("`{0}` is reserved: choose another, or none for a guest's")]
    NameReserved(String),
    /// The player has that name.
    #[error("{0} is called so already")]
    SameName(String),
    /// The task that does it has failed: it may hold by now, which the log of acts tells.
    #[error("something went wrong half-way: {0}")]
    Failed(#[from] tokio::task::JoinError),
}

/// What an operator is shown of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The player.
    pub player: PlayerRow,
    /// Whose bot it is, if it is one.
    pub owner: Option<PlayerRow>,
    /// Their bots.
    pub bots: Vec<PlayerRow>,
    /// How many sessions they have.
    pub sessions: usize,
    /// What keeps them from saying anything.
    pub mute: Option<Sanction>,
    /// What keeps them out.
    pub ban: Option<Sanction>,
    /// What they have not read yet.
    pub notices: Vec<NoticeRow>,
    /// How many reports there are about them, and how many of theirs.
    pub reports: [u64; 2],
}

impl Operator {
    /// A door for the token of this key. Wrong tokens are `limited` to 20 an hour from one address.
    pub fn new(key: Key, desk: Desk, limited: bool) -> Operator {
        let limit = limited.then(|| Allowance::an_hour(20));
        let wrong = Each::new(limit, desk.time.clone());
        Operator { key, desk, turn: Arc::default(), wrong }
    }

    /// Lets whoever shows the token in, from whatever address. Without one nothing is counted.
    ///
    /// # Errors
    /// It is another, or none.
    pub fn admit(&self, token: &str, from: Option<Address>) -> Result<(), NotLetIn> {
        if self.key.fits(token) {
            return Ok(());
        }
        let admitted = from.map_or(Ok(()), |address| self.wrong.admit(address));
        Err(admitted.map_or_else(NotLetIn::TooOften, |()| NotLetIn::Wrong))
    }

    /// The time now, in milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> u64 {
        self.desk.time.now().0
    }

    /// Whoever goes by a name or an id, or else those whose names hold the text.
    pub async fn find(&self, text: &str) -> Result<Found, OperatorError> {
        let store = &self.desk.store;
        match text.parse() {
            Ok(id) => {
                let players = store.player(id).await?.into_iter().collect();
                Ok(Found { players, exact: true })
            }
            Err(_) => Ok(store.find_players(text.to_owned(), MOST_FOUND).await?),
        }
    }

    /// A player, as far as it is an operator's affair.
    pub async fn show(&self, id: PlayerId) -> Result<Shown, OperatorError> {
        let Desk { store, live, .. } = &self.desk;
        let player = store.player(id).await?.ok_or(OperatorError::UnknownPlayer(id))?;
        let owner = match player.owner {
            Some(owner) => store.player(owner).await?,
            None => None,
        };
        let (bots, now_ms) = (store.bots(id).await?, self.now_ms());
        Ok(Shown {
            player,
            owner,
            bots,
            sessions: live.count(id),
            mute: store.muted(id, now_ms),
            ban: store.banned(id, now_ms),
            notices: store.notices(id),
            reports: store.report_counts(id).await?,
        })
    }

    /// What was done to this player or to anybody: the newest first, and only such as have a number
    /// under `before`. One more than is shown at a time, which says that there are more.
    pub async fn log(
        &self,
        player: Option<PlayerId>,
        before: Option<u64>,
    ) -> Result<Vec<ActRow>, OperatorError> {
        Ok(self.desk.store.acts(player, before, MOST_ACTS + 1).await?)
    }

    /// Does something to a player. Returns once it is durable, holds, and was told to those who are
    /// there.
    ///
    /// # Errors
    /// Nothing was done, unless it is [`OperatorError::Failed`].
    pub async fn act(&self, player: PlayerId, order: Order) -> Result<Act, OperatorError> {
        let Order { kind, for_s, text, by } = order;
        let text = match kind {
            ActKind::Warn => read_text("text", &text, MOST_TEXT)?,
            ActKind::Unmute | ActKind::Unban => read_reason(&text)?,
            _ => read_text("reason", &text, MOST_TEXT)?,
        };
        let by = read_text("by", &by, MOST_BY)?;
        if for_s.is_some_and(|seconds| !(1..=MOST_S).contains(&seconds)) {
            return Err(OperatorError::BadSpan);
        }
        let at_ms = self.now_ms();
        let until_ms = for_s.map(|seconds| at_ms + 1_000 * seconds);
        let act = Act { player, kind, by, text, at_ms, until_ms };
        self.in_turn(|desk| async move { desk.act(act).await }).await
    }

    /// Does something once all that was begun before is done.
    async fn in_turn<F>(
        &self,
        work: impl FnOnce(Desk) -> F + Send + 'static,
    ) -> Result<Act, OperatorError>
    where
        F: Future<Output = Result<Act, OperatorError>> + Send + 'static,
    {
        let (desk, turn) = (self.desk.clone(), Arc::clone(&self.turn));
        // By itself, so that it is done whole though whoever asked has gone away meanwhile.
        let done = tokio::spawn(async move {
            let _turn = turn.lock_owned().await;
            work(desk).await
        });
        done.await?
    }
}

impl Desk {
    async fn name_of(&self, player: PlayerId) -> Result<String, OperatorError> {
        let row = self.store.player(player).await?;
        Ok(row.ok_or(OperatorError::UnknownPlayer(player))?.name)
    }

    async fn act(&self, act: Act) -> Result<Act, OperatorError> {
        let Act { player, kind, at_ms, .. } = act;
        let name = self.name_of(player).await?;
        match kind {
            ActKind::Unmute => match self.store.muted(player, at_ms) {
                None => return Err(OperatorError::NotMuted(name)),
                Some(mute) if mute.of != player => {
                    return Err(OperatorError::OfOwner(kind, mute.of));
                }
                Some(_) => {}
            },
            ActKind::Unban => match self.store.banned(player, at_ms) {
                None => return Err(OperatorError::NotBanned(name)),
                Some(ban) if ban.of != player => return Err(OperatorError::OfOwner(kind, ban.of)),
                Some(_) => {}
            },
            _ => {}
        }
        let id = self.chance.notice(self.time.now());
        self.store.act(act.clone(), id).await?;
        self.tell_of(&act, id);
        if kind == ActKind::Ban {
            self.turn_out(player).await;
            match self.store.bots(player).await {
                Ok(bots) => {
                    for bot in bots {
                        self.turn_out(bot.id).await;
                    }
                }
                // The ban holds of them all the same, and they are refused whatever they ask for next.
                Err(error) => {
                    tracing::error!(%player, %error, "the bots of somebody banned stay where they are");
                }
            }
        }
        Ok(act)
    }

    /// Tells the server's log and the player's sessions of an act that is durable.
    fn tell_of(&self, act: &Act, id: NoticeId) {
        // Without its text: that is between the operator and the player, and stands in the acts' log.
        let Act { player, kind, by, until_ms, .. } = act;
        tracing::info!(%player, act = kind.word(), by, until_ms, "an operator has acted");
        if let Some(row) = act.notice(id) {
            self.live.tell(*player, &Notice::Personal { personal: wire::notice(&row) });
        }
    }

    /// Ends whatever a player is doing: what they seek, then their part at tables, then the sessions.
    async fn turn_out(&self, player: PlayerId) {
        self.lobby.turn_out(player).await;
        for session in self.live.all(player) {
            session.outbox.end(CloseCode::Banned);
        }
    }
}

/// A reason, where none need be given.
fn read_reason(text: &str) -> Result<String, OperatorError> {
    if text.trim().is_empty() { Ok(String::new()) } else { read_text("reason", text, MOST_TEXT) }
}

/// A text, as far as it may be read by others.
fn read_text(field: &'static str, text: &str, most: usize) -> Result<String, OperatorError> {
    let wrong = |wrong| OperatorError::BadText { field, most, wrong };
    text::read(text, most, Lines::Many).map(Cow::into_owned).map_err(wrong)
}
