//! Playing one script through a server: two players, any number of watchers, one table.

use std::future::Future;
use std::time::Duration;

use hexhall_proto::codec::Format;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{self, Join, Open, PlayMove, Request, Resign, Watch};

use super::compare::{self, Seen, Who};
use super::report::{GameReport, Verdict};
use super::script::Script;
use super::{Options, Step};
use crate::game::{Outcome, Ply, Seat, WonBy};
use crate::remote::session::Connect;
use crate::remote::{Session, SessionError, Settings, Table, TableCopy, now};
use crate::wire;

/// How much longer than an outage anything may take.
const GRACE: Duration = Duration::from_secs(30);

/// Why a game did not come to its end.
#[derive(Debug, thiserror::Error)]
#[error("{who}, {doing}: {why}")]
pub(super) struct Stuck {
    who: Who,
    doing: String,
    why: Why,
}

#[derive(Debug, thiserror::Error)]
enum Why {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("nothing happened for {} s", .0.as_secs())]
    Stalled(Duration),
    #[error("{}", refusal(.0))]
    Answer(Reply),
}

fn refusal(reply: &Reply) -> String {
    match reply {
        Reply::Error(body) => format!("refused with `{}`: {}", body.code, body.message),
        other => format!("answered with {other:?}"),
    }
}

/// Somebody at the table.
struct Member {
    who: Who,
    session: Session,
    table: Table,
}

/// Plays a script and reports what came of it.
pub(super) async fn play<C: Connect + Clone>(
    connect: &C,
    script: &Script,
    format: Format,
    options: &Options,
    progress: &impl Fn(Step<'_>),
) -> GameReport {
    let report = |verdict, reconnects| GameReport {
        name: script.name.clone(),
        format: Some(format),
        size: Some(script.game.rules().size()),
        moves: script.game.plies().len(),
        result: match script.game.outcome() {
            Some(outcome) => compare::result(wire::outcome(outcome)),
            None => "unfinished".into(),
        },
        viewers: 2 + options.spectators,
        reconnects,
        notes: script.notes.clone(),
        verdict,
    };
    let stage = Stage { connect, script, format, options };
    match stage.play(progress).await {
        Ok(seen) => {
            let reconnects = seen.iter().map(|seen| seen.reconnects).sum();
            let mut found = compare::record_differences(script);
            found.extend(seen.iter().flat_map(|seen| compare::differences(&script.game, seen)));
            let same = found.is_empty();
            report(if same { Verdict::Same } else { Verdict::Different(found) }, reconnects)
        }
        Err(stuck) => report(Verdict::Stuck(stuck.to_string()), 0),
    }
}

/// One game to be played, and how.
struct Stage<'a, C> {
    connect: &'a C,
    script: &'a Script,
    format: Format,
    options: &'a Options,
}

impl<C: Connect + Clone> Stage<'_, C> {
    async fn play(&self, progress: &impl Fn(Step<'_>)) -> Result<Vec<Seen>, Stuck> {
        let (mut players, mut watchers) = self.gather(progress).await?;
        for (number, ply) in self.script.game.plies().iter().enumerate() {
            if !self.options.pace.is_zero() {
                tokio::time::sleep_until(now() + self.options.pace).await;
            }
            self.make_move(&mut players[ply.seat.index()], number, ply).await?;
            progress(Step::Moved);
        }
        if let Some(Outcome::Won { winner, by: WonBy::Resignation }) = self.script.game.outcome() {
            self.resign(&mut players[winner.other().index()]).await?;
        }
        let mut seen = Vec::with_capacity(players.len() + watchers.len());
        for member in players.iter_mut().chain(&mut watchers) {
            seen.push(self.look(member).await?);
        }
        for member in &players {
            // The games are compared; whether the seats are given up in order changes nothing.
            let leave = Request::Leave(request::Table { table: member.table.id.clone() });
            let _ = self.patiently(member.who, "leaving", member.session.ask(leave)).await;
        }
        for member in players.into_iter().chain(watchers) {
            member.session.close().await;
        }
        Ok(seen)
    }

    /// Opens the table and brings everybody there; the watchers come before the game begins.
    async fn gather(
        &self,
        progress: &impl Fn(Step<'_>),
    ) -> Result<([Member; 2], Vec<Member>), Stuck> {
        let who = Who::Seat(Seat::One);
        let session = self.session(who).await?;
        let open = Open { options: self.script.options(), ..Open::default() };
        let table = self.patiently(who, "opening a table", session.open(open)).await?.table;
        let first = Member { who, session, table };
        let id = &first.table.id;
        progress(Step::Opened { name: &self.script.name, table: id });
        let mut watchers = Vec::with_capacity(self.options.spectators);
        for number in 1..=self.options.spectators {
            let who = Who::Watcher(number);
            let session = self.session(who).await?;
            let watch = Watch { table: id.clone(), invitation: None, last: None };
            let table = self.patiently(who, "watching", session.watch(watch)).await?;
            watchers.push(Member { who, session, table });
        }
        let who = Who::Seat(Seat::Two);
        let session = self.session(who).await?;
        let join = Join { table: id.clone(), seat: None, invitation: None };
        let table = self.patiently(who, "joining", session.join(join)).await?;
        Ok(([first, Member { who, session, table }], watchers))
    }

    async fn session(&self, who: Who) -> Result<Session, Stuck> {
        let settings = Settings {
            format: self.format,
            give_up_after: self.options.give_up_after,
            // A server that is being started again as the game begins is as good as any.
            first_within: self.options.give_up_after.min(Settings::default().first_within),
            ..Settings::default()
        };
        self.patiently(who, "connecting", Session::start(self.connect.clone(), settings)).await
    }

    async fn make_move(&self, member: &mut Member, number: usize, ply: &Ply) -> Result<(), Stuck> {
        let doing = format!("move {}", number + 1);
        let Member { who, session, table } = member;
        let on_move = table.until(|copy| plies(copy) == Some(number) && copy.to_move().is_some());
        let copy = self.patiently(*who, &doing, on_move).await?;
        let (Some(game), Some(turn)) = (copy.game(), copy.turn()) else { return Ok(()) };
        let request = Request::Move(PlayMove {
            table: table.id.clone(),
            game: game.id.clone(),
            command: format!("replay-{number}"),
            turn,
            action: wire::action(ply.action),
            seat: None,
        });
        match self.patiently(*who, &doing, session.ask(request)).await? {
            Reply::Moved { collision, .. } if collision == ply.collided => Ok(()),
            other => Err(Stuck { who: *who, doing, why: Why::Answer(other) }),
        }
    }

    async fn resign(&self, member: &mut Member) -> Result<(), Stuck> {
        let Member { who, session, table } = member;
        let all_played = table.until(|copy| plies(copy) == Some(self.script.game.plies().len()));
        let copy = self.patiently(*who, "resigning", all_played).await?;
        let Some(game) = copy.game() else { return Ok(()) };
        let request = Request::Resign(Resign {
            table: table.id.clone(),
            game: game.id.clone(),
            command: "replay-resign".into(),
            seat: None,
        });
        match self.patiently(*who, "resigning", session.ask(request)).await? {
            Reply::Done {} => Ok(()),
            other => Err(Stuck { who: *who, doing: "resigning".into(), why: Why::Answer(other) }),
        }
    }

    /// Waits until somebody has seen the end, and takes down what they saw.
    async fn look(&self, member: &mut Member) -> Result<Seen, Stuck> {
        let Member { who, session, table } = member;
        let over = self.script.game.outcome().is_some();
        let all_seen = table.until(|copy| {
            plies(copy) == Some(self.script.game.plies().len()) && copy.outcome().is_some() == over
        });
        let followed = self.patiently(*who, "waiting for the end", all_seen).await?;
        let watch = Watch { table: table.id.clone(), invitation: None, last: None };
        let mut fresh = self.patiently(*who, "asking for a view", session.watch(watch)).await?;
        let status = session.status().borrow().clone();
        Ok(Seen {
            who: *who,
            followed,
            fresh: fresh.sight().copy,
            out_of_order: status.out_of_order,
            reconnects: status.reconnects,
        })
    }

    /// Waits for a session, but not for ever: a server that is there and does nothing is stuck.
    async fn patiently<T>(
        &self,
        who: Who,
        doing: &str,
        work: impl Future<Output = Result<T, SessionError>>,
    ) -> Result<T, Stuck> {
        let limit = self.options.give_up_after + GRACE;
        let done = match tokio::time::timeout(limit, work).await {
            Ok(done) => done.map_err(Why::Session),
            Err(_) => Err(Why::Stalled(limit)),
        };
        done.map_err(|why| Stuck { who, doing: doing.into(), why })
    }
}

/// How many moves a copy has seen.
fn plies(copy: &TableCopy) -> Option<usize> {
    Some(copy.game()?.moves.len())
}
