//! Sessions against a server that breaks down. Time is paused: every wait is over at once.

use std::io;

use hexhall_proto::options::OptionsRequest;
use hexhall_proto::parts::{Cell, Move};
use hexhall_proto::request::{GameCommand, Hello, PlayMove};

use super::super::fake::{Fake, Trouble};
use super::super::now;
use super::*;

struct Party {
    fake: Fake,
    players: [Session; 2],
    tables: [Table; 2],
    watcher: Session,
    watched: Table,
}

fn open(size: u64) -> Open {
    Open {
        options: OptionsRequest { size: Some(size), ..OptionsRequest::default() },
        ..Open::default()
    }
}

fn named(table: &str) -> Watch {
    Watch { table: table.into(), invitation: None, last: None }
}

async fn start(fake: &Fake, format: Format) -> Session {
    let settings = Settings { format, ..Settings::default() };
    Session::start(fake.door(), settings).await.unwrap()
}

async fn party() -> Party {
    let fake = Fake::new();
    let first = start(&fake, Format::Json).await;
    let opened = first.open(open(3)).await.unwrap();
    let watcher = start(&fake, Format::MsgPack).await;
    let watched = watcher.watch(named(&opened.table.id)).await.unwrap();
    let second = start(&fake, Format::MsgPack).await;
    let join = Join { table: opened.table.id.clone(), seat: None, invitation: None };
    let joined = second.join(join).await.unwrap();
    Party { fake, players: [first, second], tables: [opened.table, joined], watcher, watched }
}

impl Party {
    /// Plays a stone as whoever is to move at that ply.
    async fn play(&mut self, ply: usize, cell: Cell) -> Result<Reply, SessionError> {
        let turn = ply as u64 + 1;
        let table = &mut self.tables[ply % 2];
        let copy = table.until(|copy| copy.turn() == Some(turn)).await?;
        let request = Request::Move(PlayMove {
            table: table.id.clone(),
            game: copy.game().unwrap().id.clone(),
            command: format!("c{ply}"),
            turn,
            action: Move::Place(cell),
            seat: None,
        });
        self.players[ply % 2].ask(request).await
    }

    /// The boards as everybody sees them once a turn has come.
    async fn boards(&mut self, turn: u64) -> [Vec<String>; 3] {
        let [first, second] = &mut self.tables;
        let mut boards = [const { Vec::new() }; 3];
        for (table, board) in [first, second, &mut self.watched].into_iter().zip(&mut boards) {
            let copy = table.until(|copy| copy.turn() == Some(turn)).await.unwrap();
            *board = copy.board().to_vec();
        }
        boards
    }
}

#[tokio::test(start_paused = true)]
async fn everybody_sees_what_is_played() {
    let mut party = party().await;
    for (ply, cell) in [Cell(0, 0), Cell(1, 1), Cell(0, 1)].into_iter().enumerate() {
        let turn = ply as u64 + 2;
        assert_eq!(party.play(ply, cell).await.unwrap(), Reply::Moved { turn, collision: false });
    }
    for board in party.boards(4).await {
        assert_eq!(board, ["rr.", ".b.", "..."]);
    }
    let status = party.watcher.status().borrow().clone();
    assert_eq!((status.reconnects, status.out_of_order), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_move_whose_answer_was_lost_is_sent_again_and_played_once() {
    for trouble in [Trouble::LoseRequest, Trouble::LoseReply, Trouble::CutAll] {
        let mut party = party().await;
        party.fake.trouble([trouble]);
        assert_eq!(
            party.play(0, Cell(2, 2)).await.unwrap(),
            Reply::Moved { turn: 2, collision: false }
        );
        assert_eq!(
            party.play(1, Cell(1, 1)).await.unwrap(),
            Reply::Moved { turn: 3, collision: false }
        );
        for board in party.boards(3).await {
            assert_eq!(board, ["...", ".b.", "..r"], "after {trouble:?}");
        }
        assert_eq!(party.fake.plies(&party.watched.id), 2, "after {trouble:?}");
        let is_first = |request: &Request| matches!(request, Request::Move(command) if command.command == "c0");
        let seen = party.fake.seen();
        let sent: Vec<_> = seen.iter().filter(|(_, request)| is_first(request)).collect();
        assert!(sent.windows(2).all(|pair| pair[0].1 == pair[1].1 && pair[0].0 != pair[1].0));
        assert_eq!(party.players[0].status().borrow().reconnects, 1, "after {trouble:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_comes_back_as_the_same_player_and_goes_on_from_its_last_event() {
    let mut party = party().await;
    party.play(0, Cell(0, 0)).await.unwrap();
    party.boards(2).await;
    let last = party.watched.sight().copy.last();
    party.fake.cut();
    party.play(1, Cell(1, 1)).await.unwrap();
    let boards = party.boards(3).await;
    assert_eq!(boards[2], ["r..", ".b.", "..."]);
    let mut status = party.watcher.status();
    status.wait_for(|status| status.reconnects == 1).await.unwrap();
    let seen = party.fake.seen();
    let resumed = Request::Watch(Watch { last: Some(last), ..named(&party.watched.id) });
    assert!(seen.iter().any(|(connection, request)| *connection > 3 && *request == resumed));
    let hellos = seen.iter().filter_map(|(connection, request)| match request {
        Request::Hello(Hello { token, .. }) => Some((connection, token)),
        _ => None,
    });
    for (connection, token) in hellos {
        assert_eq!(token.is_some(), *connection > 3, "connection {connection}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_the_server_no_longer_has_is_made_up_for_by_a_whole_view() {
    let mut party = party().await;
    party.fake.keep(0);
    party.fake.trouble([Trouble::CutAll]);
    party.play(0, Cell(0, 0)).await.unwrap();
    party.play(1, Cell(1, 1)).await.unwrap();
    for board in party.boards(3).await {
        assert_eq!(board, ["r..", ".b.", "..."]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_that_never_came_is_asked_for_before_the_next_is_shown() {
    let mut party = party().await;
    party.fake.trouble([Trouble::ForgetSpectators]);
    party.play(0, Cell(0, 0)).await.unwrap();
    party.play(1, Cell(1, 1)).await.unwrap();
    let boards = party.boards(3).await;
    assert_eq!(boards[2], ["r..", ".b.", "..."]);
    assert_eq!(party.watcher.status().borrow().out_of_order, 1);
    assert_eq!(party.watcher.status().borrow().reconnects, 0);
}

#[tokio::test(start_paused = true)]
async fn a_rate_limited_move_waits_as_long_as_it_is_told() {
    let mut party = party().await;
    party.fake.trouble([Trouble::RateLimit(3_000), Trouble::RateLimit(2_000)]);
    let before = now();
    assert_eq!(
        party.play(0, Cell(0, 0)).await.unwrap(),
        Reply::Moved { turn: 2, collision: false }
    );
    assert!(before.elapsed() >= Duration::from_secs(5));
    assert!(before.elapsed() <= Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_come_back_is_given_up_and_everybody_is_told() {
    let Party { fake, players: [first, _], mut tables, .. } = party().await;
    fake.refuse(true);
    fake.cut();
    let before = now();
    let command =
        GameCommand { table: tables[0].id.clone(), game: "g".into(), command: "c".into() };
    let refused = first.ask(Request::Resign(command.into())).await.unwrap_err();
    assert!(matches!(&refused, SessionError::GaveUp { tries: 2.., .. }), "{refused}");
    assert!(refused.to_string().starts_with("no connection to the server for 6"), "{refused}");
    assert!((60..75).contains(&before.elapsed().as_secs()));
    let lost = tables[0].until(|_| false).await.unwrap_err();
    assert!(matches!(lost, SessionError::GaveUp { .. }));
    let late = first.ask(Request::Lobby {}).await.unwrap_err();
    assert!(matches!(late, SessionError::GaveUp { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_never_there_is_given_up_sooner() {
    let nobody = |_| async {
        Err::<Link<tokio::io::DuplexStream>, _>(LinkError::Io(
            io::ErrorKind::ConnectionRefused.into(),
        ))
    };
    let before = now();
    let error = Session::start(nobody, Settings::default()).await.unwrap_err();
    assert!(matches!(error, SessionError::GaveUp { .. }), "{error}");
    assert!((10..16).contains(&before.elapsed().as_secs()));
}

#[tokio::test(start_paused = true)]
async fn a_server_without_such_a_door_is_not_tried_again() {
    let wrong = |_| async {
        Err::<Link<tokio::io::DuplexStream>, _>(LinkError::NotUpgraded { status: 404 })
    };
    let before = now();
    let error = Session::start(wrong, Settings::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "the server answered `404` where a WebSocket was asked for");
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_names_the_request_and_the_code() {
    let fake = Fake::new();
    let session = start(&fake, Format::Json).await;
    let refused = session.watch(named("tbl_none")).await.unwrap_err();
    assert!(refused.to_string().contains("refused `watch` with `unknown_table`"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_counts_as_lost() {
    let party = party().await;
    let mut status = party.watcher.status();
    let before = now();
    status.wait_for(|status| status.reconnects == 1).await.unwrap();
    assert!(before.elapsed() >= Settings::default().silence);
    assert!(party.fake.connections() > 3);
}

#[tokio::test(start_paused = true)]
async fn closing_a_session_ends_its_tables() {
    let Party { players: [first, _], mut tables, .. } = party().await;
    first.close().await;
    let lost = tables[0].until(|_| false).await.unwrap_err();
    assert!(matches!(lost, SessionError::Closed));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_when_it_is_back_is_not_tried_before() {
    let party = party().await;
    let before = now();
    party.fake.stop(7_000);
    let mut status = party.watcher.status();
    status.wait_for(|status| status.reconnects == 1).await.unwrap();
    assert!((7_000..8_000).contains(&before.elapsed().as_millis()), "{:?}", before.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_token_that_nobody_knows_ends_the_session_at_once() {
    let fake = Fake::new();
    let settings = Settings { token: Some("stolen".into()), ..Settings::default() };
    let error = Session::start(fake.door(), settings).await.unwrap_err();
    assert!(error.to_string().contains("refused the `hello` with `bad_token`"), "{error}");
    assert_eq!(fake.connections(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_join_whose_answer_was_lost_still_takes_the_seat() {
    let fake = Fake::new();
    let first = start(&fake, Format::Json).await;
    let mut opened = first.open(open(3)).await.unwrap().table;
    fake.trouble([Trouble::LoseReply]);
    let second = start(&fake, Format::Json).await;
    let join = Join { table: opened.id.clone(), seat: None, invitation: None };
    let mut joined = second.join(join).await.unwrap();
    assert_eq!(joined.sight().copy.seat(), Some(hexhall_proto::parts::Seat::Two));
    opened.until(|copy| copy.game().is_some()).await.unwrap();
    assert_eq!(second.status().borrow().reconnects, 1);
}
