//! An evening at a table that spectators see late. After every second, each of their doors is
//! held to what a player saw so long ago.

use hexhall_proto::codec::Format;
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::parts::{OfferKind, Outcome, Phase, Viewer};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::Request;
use hexhall_proto::view::{Listing, View};
use serde_json::Value;

use crate::harness::{Guest, Hall, Setup, get};

/// How late the table is seen.
pub const DELAY_S: u64 = 5;

/// The same options, seen late.
pub fn late(options: OptionsRequest) -> OptionsRequest {
    OptionsRequest { spectator_delay_s: Some(DELAY_S), ..options }
}

/// A table as the list shows it: where it stands, who sits there, and its game.
type Entry = (Phase, [Option<String>; 2], Option<String>);

/// What a table comes to, as far as it does not follow from who looks.
#[derive(Clone, PartialEq, Debug)]
struct Facts {
    phase: Phase,
    seats: [Option<String>; 2],
    score: [u32; 2],
    offers: usize,
    /// Its name, board, turn and outcome.
    game: Option<(String, Vec<String>, u64, Option<Outcome>)>,
}

impl Facts {
    fn of(view: &View) -> Facts {
        Facts {
            phase: view.phase,
            seats: view.seats.each_ref().map(|seat| seat.as_ref().map(|it| it.name.clone())),
            score: view.score,
            offers: view.offers.len(),
            game: view
                .game
                .as_ref()
                .map(|game| (game.id.clone(), game.board.clone(), game.turn, game.outcome)),
        }
    }

    fn listed(&self) -> Entry {
        (self.phase, self.seats.clone(), self.game.as_ref().map(|game| game.0.clone()))
    }
}

fn listed(listing: &Listing) -> Entry {
    let seats = listing.seats.each_ref().map(|seat| seat.as_ref().map(|it| it.name.clone()));
    (listing.phase, seats, listing.game.clone())
}

pub struct Evening {
    hall: Hall,
    table: String,
    ana: Guest,
    bo: Guest,
    watcher: Guest,
    /// Follows the list.
    reader: Guest,
    listings: Vec<Option<Entry>>,
    /// The table as its players knew it after each second.
    lived: Vec<Facts>,
    now: Facts,
    games: Vec<String>,
}

impl Evening {
    pub async fn begin(options: OptionsRequest) -> Evening {
        let hall = Hall::start(Setup::by_hand().kept()).await;
        let at = hall.address();
        let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
        let bo = Guest::arrive(&at, Format::MsgPack, "Bo").await;
        let mut watcher = Guest::arrive(&at, Format::MsgPack, "Cy").await;
        let mut reader = Guest::arrive(&at, Format::Json, "Di").await;
        let list = reader.ask(Request::Lobby {}).await;
        assert!(matches!(&list, Reply::Lobby { tables, .. } if tables.is_empty()), "{list:?}");
        let table = ana.open(options).await;
        let empty = Facts::of(&watcher.watch(&table).await);
        assert_eq!(
            (empty.phase, &empty.seats, &empty.game),
            (Phase::Waiting, &[None, None], &None)
        );
        let now = Facts::of(ana.copy(&table).view());
        let lived = vec![empty; DELAY_S as usize];
        let (listings, games) = (Vec::new(), Vec::new());
        let mut evening =
            Evening { hall, table, ana, bo, watcher, reader, listings, lived, now, games };
        evening.look().await;
        evening
    }

    /// So many seconds go by.
    pub async fn passes(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.lived.push(self.now.clone());
            self.hall.advance(1_000);
            self.look().await;
        }
    }

    /// What spectators see by now.
    fn expected(&self) -> Facts {
        self.lived[self.lived.len() - DELAY_S as usize].clone()
    }

    pub fn shown_phase(&self) -> Phase {
        self.watcher.copy(&self.table).view().phase
    }

    /// Holds every door to what spectators may know.
    async fn look(&mut self) {
        let (at, table, expected) = (self.hall.address(), self.table.clone(), self.expected());
        let (status, body) = get(&at, &format!("/v1/tables/{table}")).await;
        assert_eq!(status, 200, "{body}");
        let view: View = serde_json::from_str(&body).unwrap();
        assert_eq!(Facts::of(&view), expected, "over HTTP");
        assert_eq!(view.viewer, Viewer::Spectator);
        self.watcher.until(&table, "what is shown", |copy| copy.seq() == view.seq).await;
        assert_eq!(Facts::of(self.watcher.copy(&table).view()), expected, "by the stream");
        let reply = self.watcher.resume(&table).await;
        let Reply::Resumed { events, .. } = reply else { panic!("{reply:?}") };
        assert!(events.is_empty(), "{events:?}");
        let mut other = Guest::arrive(&at, Format::Json, "Ed").await;
        assert_eq!(Facts::of(&other.watch(&table).await), expected, "afresh");
        self.look_at_list(&expected).await;
        for game in self.games.clone() {
            self.look_at_game(&game, &expected).await;
        }
    }

    async fn look_at_list(&mut self, expected: &Facts) {
        let expected = (expected.phase != Phase::Closed).then(|| expected.listed());
        let Reply::Lobby { tables, .. } = self.reader.ask(Request::Lobby {}).await else {
            panic!("no list");
        };
        assert_eq!(tables.first().map(listed), expected, "on the list");
        let (_, body) = get(&self.hall.address(), "/v1/tables").await;
        let body: Value = serde_json::from_str(&body).unwrap();
        let tables: Vec<Listing> = serde_json::from_value(body["tables"].clone()).unwrap();
        assert_eq!(tables.first().map(listed), expected, "on the list over HTTP");
        self.read_list();
        let lived = &self.lived[..=self.lived.len() - DELAY_S as usize];
        for told in self.listings.iter().flatten() {
            assert!(lived.iter().any(|facts| facts.listed() == *told), "early: {told:?}");
        }
    }

    fn read_list(&mut self) {
        for frame in self.reader.told.drain(..) {
            match frame {
                ServerFrame::Lobby(LobbyEvent::Listed { listing }) => {
                    self.listings.push(Some(listed(&listing)));
                }
                ServerFrame::Lobby(LobbyEvent::Unlisted { .. }) => self.listings.push(None),
                ServerFrame::Lobby(LobbyEvent::Online { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// The list was told each of its changes once and in order, down to its end.
    pub async fn list_was_told_in_order(&mut self) {
        let mut changes: Vec<_> = self.lived[..=self.lived.len() - DELAY_S as usize]
            .iter()
            .map(|facts| (facts.phase != Phase::Closed).then(|| facts.listed()))
            .collect();
        changes.dedup();
        if self.listings.last() != Some(&None) {
            let last = self.reader.hears_of_list("the end").await;
            assert!(matches!(last, LobbyEvent::Unlisted { .. }), "{last:?}");
            self.listings.push(None);
        }
        // What changes twice at one moment may be told once or twice.
        let mut told = self.listings.iter();
        for change in changes {
            assert!(told.any(|it| *it == change), "{change:?} in {:?}", self.listings);
        }
    }

    async fn look_at_game(&self, game: &str, expected: &Facts) {
        let ask = async |path: String| get(&self.hall.address(), &path).await;
        let known: Vec<&str> = self.lived[..=self.lived.len() - DELAY_S as usize]
            .iter()
            .filter_map(|facts| facts.game.as_ref().map(|game| &game.0[..]))
            .collect();
        for format in ["json", "svg", "sgf"] {
            let (status, body) = ask(format!("/v1/games/{game}.{format}")).await;
            let wanted = if known.contains(&game) { 200 } else { 404 };
            assert_eq!(status, wanted, "{format}: {body}");
        }
        if !known.contains(&game) {
            return;
        }
        let (_, record) = ask(format!("/v1/games/{game}")).await;
        let record: Value = serde_json::from_str(&record).unwrap();
        let (_, picture) = ask(format!("/v1/games/{game}.svg")).await;
        let moves = record["moves"].as_array().unwrap().len() as u64;
        match &expected.game {
            Some((id, board, turn, outcome)) if id == game => {
                assert_eq!(moves, *turn);
                assert_eq!(!record["end"].is_null(), outcome.is_some(), "{record}");
                let stones: usize =
                    board.iter().map(|row| row.matches(|it| it != '.').count()).sum();
                let drawn = ["red", "blue"].map(|color| format!("<circle class=\"{color}\""));
                let drawn: usize = drawn.iter().map(|it| picture.matches(&it[..]).count()).sum();
                assert_eq!(drawn, stones);
            }
            _ => assert!(!record["end"].is_null(), "an older game is over: {record}"),
        }
    }

    pub async fn bo_joins(&mut self) {
        self.bo.join(&self.table).await;
        self.settled(|facts| facts.phase == Phase::Playing).await;
    }

    /// Whoever is to move places a stone.
    pub async fn plays(&mut self, cell: &str) {
        let table = self.table.clone();
        let ana_moves = self.ana.copy(&table).to_move() == self.ana.copy(&table).seat();
        let mover = if ana_moves { &mut self.ana } else { &mut self.bo };
        mover.play(&table, cell).await;
        // With all that came of it.
        let after = Facts::of(&mover.watch(&table).await);
        self.settled(|facts| *facts == after).await;
    }

    pub async fn gives_up(&mut self) {
        let resign = self.ana.command(&self.table);
        self.ana.done(Request::Resign(resign.into())).await;
        self.settled(|facts| facts.phase == Phase::Finished).await;
    }

    pub async fn rematch(&mut self) {
        let table = self.table.clone();
        let games = self.games.len();
        let offer = self.ana.offer(&table, OfferKind::Rematch).await;
        self.settled(|facts| facts.offers == 1).await;
        self.passes(1).await;
        let agree = self.bo.answer(&table, offer, true);
        self.bo.done(agree).await;
        self.settled(|facts| facts.phase == Phase::Playing && facts.offers == 0).await;
        assert_eq!(self.games.len(), games + 1);
    }

    /// Both go, and the table closes.
    pub async fn everybody_leaves(&mut self) {
        let table = self.table.clone();
        self.ana.leave(&table).await;
        self.bo.until(&table, "a free seat", |copy| copy.view().phase == Phase::Waiting).await;
        self.now = Facts::of(self.bo.copy(&table).view());
        self.passes(1).await;
        self.bo.leave(&table).await;
        self.now.seats = [None, None];
        self.now.score = [0, 0];
        self.now.phase = Phase::Closed;
    }

    async fn settled(&mut self, wished: impl Fn(&Facts) -> bool) {
        let table = self.table.clone();
        for guest in [&mut self.ana, &mut self.bo] {
            let is_so = |copy: &hexhall::remote::TableCopy| wished(&Facts::of(copy.view()));
            self.now = Facts::of(guest.until(&table, "the news", is_so).await.view());
        }
        let game = self.now.game.as_ref().map(|game| game.0.clone());
        self.games.extend(game.filter(|game| !self.games.contains(game)));
    }

    /// The server stops and starts again, and everybody comes back.
    pub async fn restarts(&mut self) {
        for guest in [&mut self.ana, &mut self.bo, &mut self.watcher, &mut self.reader] {
            guest.hang_up();
        }
        self.hall.stop().await;
        self.hall.start_again().await;
        let at = self.hall.address();
        let table = self.table.clone();
        for guest in [&mut self.ana, &mut self.bo, &mut self.watcher, &mut self.reader] {
            guest.told.clear();
            guest.come_back(&at).await;
        }
        for guest in [&mut self.ana, &mut self.bo, &mut self.watcher] {
            guest.watch(&table).await;
        }
        self.reader.ask(Request::Lobby {}).await;
        self.look().await;
    }
}
