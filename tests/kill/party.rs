//! Two players and a watcher of one game, over sessions that outlive the server.

use hexhall::cli::replay::Script;
use hexhall::game::{Outcome, WonBy};
use hexhall::remote::backoff::Backoff;
use hexhall::remote::{Address, Session, Settings, Table, TableCopy};
use hexhall::wire;
use hexhall_proto::codec::Format;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Join, Open, PlayMove, Request, Resign, Watch};
use hexhall_proto::view::PlayedMove;
use std::time::Duration;
use tokio::task::JoinHandle;

use crate::harness::{fischer, patiently};

/// Everybody at one table.
pub struct Party {
    script: Script,
    members: Vec<Member>,
}

/// What everybody has seen of a game that is over, the players first.
pub struct Sights {
    /// The game as it was to be played.
    pub script: Script,
    /// The copies that were kept, event by event.
    pub copies: Vec<TableCopy>,
}

/// Somebody with a session.
struct Member {
    session: Session,
    table: Table,
    /// Looks at every change of the table.
    observer: JoinHandle<()>,
}

impl Member {
    fn new(session: Session, table: Table) -> Member {
        let observer = tokio::spawn(observe(table.clone()));
        Member { session, table, observer }
    }
}

/// Sees to it that a table never goes back: a move that was told stays told.
async fn observe(mut table: Table) {
    let mut before = table.sight().copy;
    while table.changed().await.is_ok() {
        let now = table.sight().copy;
        assert_eq!(now.viewer(), before.viewer());
        assert!(now.seq() >= before.seq(), "{} came after {}", now.seq(), before.seq());
        if let (Some(then), Some(game)) = (before.game(), now.game()) {
            // The end of a dark game may uncover what was hidden.
            let stays = |(then, now): (&PlayedMove, &PlayedMove)| {
                PlayedMove { cell: then.cell.or(now.cell), ..*then } == *now
            };
            let all = then.moves.iter().zip(&game.moves).all(stays);
            let more = game.moves.len() >= then.moves.len();
            assert!(all && more, "{:?}\n{:?}", then.moves, game.moves);
        }
        before = now;
    }
}

impl Party {
    /// Opens a table with a clock and brings everybody there.
    pub async fn gather(address: Address, script: Script, format: Format) -> Party {
        let settings = Settings {
            format,
            backoff: Backoff { first: Duration::from_millis(20), most: Duration::from_millis(200) },
            ..Settings::default()
        };
        let session = || Session::start(address.clone(), settings.clone());
        let (one, two, watcher) =
            (session().await.unwrap(), session().await.unwrap(), session().await.unwrap());
        let options = OptionsRequest { time: Some(fischer(600, 2)), ..script.options() };
        let first =
            one.open(Open { options, private: false, cpu: None, party: None }).await.unwrap().table;
        let table = first.id.clone();
        let watch = Watch { table: table.clone(), invitation: None, last: None };
        let watched = watcher.watch(watch).await.unwrap();
        let join = Join { table, seat: None, invitation: None };
        let second = two.join(join).await.unwrap();
        let members =
            vec![Member::new(one, first), Member::new(two, second), Member::new(watcher, watched)];
        Party { script, members }
    }

    /// Plays the game to its end, through whatever happens to the server; tells of every move that
    /// was acknowledged.
    pub async fn play(mut self, acknowledged: impl Fn()) -> Party {
        for (ply, played) in self.script.game.plies().iter().enumerate() {
            let Member { session, table, .. } = &mut self.members[played.seat.index()];
            let copy = patiently("one's turn", table.until(|copy| is_at(copy, ply))).await.unwrap();
            let game = copy.game().unwrap();
            let request = Request::Move(PlayMove {
                table: table.id.clone(),
                game: game.id.clone(),
                command: format!("move-{ply}"),
                turn: game.turn,
                action: wire::action(played.action),
                seat: None,
            });
            let reply = patiently("a move's answer", session.ask(request)).await.unwrap();
            let (turn, collision) = (ply as u64 + 1, played.collided);
            assert_eq!(reply, Reply::Moved { turn, collision });
            acknowledged();
        }
        if let Some(Outcome::Won { winner, by: WonBy::Resignation }) = self.script.game.outcome() {
            let Member { session, table, .. } = &mut self.members[winner.other().index()];
            let plies = self.script.game.plies().len();
            let copy = table.until(|copy| is_at(copy, plies)).await.unwrap();
            let game = copy.game().unwrap().id.clone();
            let (table, command) = (table.id.clone(), "resign".into());
            let resign = Request::Resign(Resign { table, game, command, seat: None });
            assert_eq!(session.ask(resign).await.unwrap(), Reply::Done {});
        }
        let plies = self.script.game.plies().len();
        let ended = self.script.game.outcome().map(wire::outcome);
        for member in &mut self.members {
            let told = |copy: &TableCopy| is_at(copy, plies) && copy.outcome() == ended;
            patiently("the end", member.table.until(told)).await.unwrap();
        }
        self
    }

    /// How often its members had to connect again.
    pub fn reconnects(&self) -> u32 {
        self.members.iter().map(|member| member.session.status().borrow().reconnects).sum()
    }

    /// Nobody missed anything without noticing, or saw a table go back.
    pub fn check(&self) {
        for member in &self.members {
            let status = member.session.status();
            assert_eq!(status.borrow().out_of_order, 0, "a gap in a stream");
            assert!(!member.observer.is_finished(), "an observer has failed");
        }
    }

    /// Says goodbye, and hands over what everybody saw.
    pub async fn close(self) -> Sights {
        let mut copies = Vec::new();
        for Member { session, mut table, observer } in self.members {
            copies.push(table.sight().copy);
            session.close().await;
            patiently("an observer's end", observer).await.unwrap();
        }
        Sights { script: self.script, copies }
    }
}

/// Whether that many moves were told.
fn is_at(copy: &TableCopy, plies: usize) -> bool {
    copy.game().is_some_and(|game| game.moves.len() == plies)
}
