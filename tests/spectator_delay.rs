//! Spectators of a table that is seen late: at every door they see the table of so long ago, in
//! order, and of an end nothing before its time.

mod rig;

use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::options::{GameKind, OptionsRequest, Time};
use hexhall_proto::parts::{OfferKind, Phase, Viewer};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Join, Open, Request, Watch};

use crate::harness::guest::refused_with;
use crate::harness::{Guest, Hall, Setup, board, fischer, get};
use rig::{DELAY_S, Evening, late};

#[tokio::test]
async fn every_door_shows_two_games_in_a_row_late_by_the_same_and_in_order() {
    let mut evening = Evening::begin(late(board(2, Time::None {}))).await;
    evening.passes(1).await;
    evening.bo_joins().await;
    evening.passes(1).await;
    for cell in ["a1", "b1", "a2"] {
        evening.plays(cell).await;
        evening.passes(1).await;
    }
    evening.rematch().await;
    evening.passes(2).await;
    evening.plays("b2").await;
    evening.passes(1).await;
    evening.gives_up().await;
    evening.passes(1).await;
    evening.everybody_leaves().await;
    evening.passes(DELAY_S + 2).await;
    assert_eq!(evening.shown_phase(), Phase::Closed);
    evening.list_was_told_in_order().await;
}

#[tokio::test]
async fn a_restart_in_the_middle_changes_nothing_of_what_is_shown_when() {
    for before in 0..6 {
        let mut evening = Evening::begin(late(board(2, Time::None {}))).await;
        evening.passes(1).await;
        evening.bo_joins().await;
        for (told, cell) in ["a1", "b1", "a2"].into_iter().enumerate() {
            if told == before {
                evening.restarts().await;
            }
            evening.passes(1).await;
            evening.plays(cell).await;
        }
        evening.passes(1).await;
        if before == 3 {
            evening.restarts().await;
        }
        evening.rematch().await;
        if before == 4 {
            evening.restarts().await;
        }
        evening.passes(1).await;
        evening.gives_up().await;
        evening.everybody_leaves().await;
        evening.passes(1).await;
        if before == 5 {
            evening.restarts().await;
        }
        evening.passes(DELAY_S + 1).await;
        assert_eq!(evening.shown_phase(), Phase::Closed);
    }
}

/// A table seen late where a game has begun and is shown: its players, who watches, its name.
async fn shown_game(options: OptionsRequest) -> (Hall, [Guest; 3], String) {
    let hall = Hall::start(Setup::by_hand().kept()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    let mut watcher = Guest::arrive(&hall.address(), Format::MsgPack, "Cy").await;
    let table = one.open(late(options)).await;
    watcher.watch(&table).await;
    two.join(&table).await;
    one.until(&table, "the game", |copy| copy.game().is_some()).await;
    hall.advance(DELAY_S * 1_000);
    watcher.until(&table, "the game", |copy| copy.game().is_some()).await;
    let there = |copy: &hexhall::remote::TableCopy| {
        copy.view().presence.seats.iter().all(|seat| seat.connected)
    };
    watcher.until(&table, "the players", there).await;
    (hall, [one, two, watcher], table)
}

#[tokio::test]
async fn the_clocks_that_spectators_see_read_as_they_did() {
    let (hall, [mut one, mut two, mut watcher], table) =
        shown_game(board(3, fischer(300, 0))).await;
    // Thinks for as long as the game was hidden, and four seconds more.
    hall.advance(4_000);
    one.play(&table, "a1").await;
    two.until(&table, "the move", |copy| copy.turn() == Some(1)).await;
    let left = |guest: &Guest| guest.clocks(&table).seats.map(|clock| clock.left_ms);
    let now = [300_000 - (DELAY_S * 1_000 + 4_000), 300_000];
    assert_eq!(left(&two), now);
    let view = watcher.watch(&table).await;
    let clocks = view.game.unwrap().clocks.unwrap();
    assert_eq!(clocks.seats[0].left_ms, 296_000);
    hall.advance(DELAY_S * 1_000);
    watcher.until(&table, "the move", |copy| copy.turn() == Some(1)).await;
    assert_eq!(left(&watcher), now);
    let reply = watcher.resume(&table).await;
    let Reply::Resumed { events, clocks: Some(clocks), .. } = reply else { panic!("{reply:?}") };
    assert_eq!((events.len(), clocks.seats.map(|clock| clock.left_ms)), (0, now));
}

#[tokio::test]
async fn who_goes_at_the_end_is_seen_to_go_no_earlier_than_the_end() {
    let (hall, [mut one, mut two, mut watcher], table) = shown_game(board(3, Time::None {})).await;
    let resign = one.command(&table);
    one.done(Request::Resign(resign.into())).await;
    two.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    one.hang_up();
    let gone = |copy: &hexhall::remote::TableCopy| !copy.view().presence.seats[0].connected;
    two.until(&table, "who left", gone).await;
    let mut other = Guest::arrive(&hall.address(), Format::Json, "Di").await;
    for _ in 1..DELAY_S {
        hall.advance(1_000);
        let view = other.watch(&table).await;
        assert_eq!(view.phase, Phase::Playing);
        assert!(view.presence.seats.iter().all(|seat| seat.connected));
        assert!(view.presence.seats.iter().all(|seat| seat.countdown_ms.is_none()));
    }
    // Nothing has come unasked but the count of those who watch.
    watcher.watch(&table).await;
    for frame in
        watcher.told.drain(..).skip_while(|frame| !format!("{frame:?}").contains("watchers: 2"))
    {
        let told = format!("{frame:?}");
        assert!(told.contains("Presence") && told.contains("watchers: 2"), "{told}");
        assert!(!told.contains("connected: false"), "{told}");
    }
    hall.advance(1_000);
    watcher.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    watcher.until(&table, "who left", gone).await;
}

#[tokio::test]
async fn a_free_seat_is_taken_by_those_who_may_know_that_it_is_free() {
    let (hall, [mut one, mut two, mut watcher], table) = shown_game(board(3, Time::None {})).await;
    let resign = one.command(&table);
    one.done(Request::Resign(resign.into())).await;
    one.leave(&table).await;
    two.until(&table, "a free seat", |copy| copy.view().seats[0].is_none()).await;
    let join = |seat| Request::Join(Join { table: table.clone(), seat, invitation: None });
    refused_with(&mut watcher, Code::SeatTaken, join(None)).await;
    refused_with(&mut watcher, Code::SeatTaken, join(Some(hexhall_proto::parts::Seat::One))).await;
    // Who sat there has left to watch: they see what spectators see, and may sit down again.
    let view = one.watch(&table).await;
    assert_eq!((view.viewer, view.phase), (Viewer::Spectator, Phase::Playing));
    assert_eq!(view.seats[0].as_ref().map(|it| &it.name[..]), Some("Ana"));
    hall.advance(DELAY_S * 1_000);
    watcher.until(&table, "a free seat", |copy| copy.view().seats[0].is_none()).await;
    let reply = watcher.ask(join(None)).await;
    let Reply::Joined { view, .. } = reply else { panic!("{reply:?}") };
    assert_eq!((view.viewer, view.phase), (Viewer::SeatOne, Phase::Playing), "players see it live");
    assert_eq!(one.watch(&table).await.phase, Phase::Waiting);
}

#[tokio::test]
async fn who_has_just_left_may_sit_down_again_at_once() {
    let (_hall, [mut one, ..], table) = shown_game(board(3, Time::None {})).await;
    let resign = one.command(&table);
    one.done(Request::Resign(resign.into())).await;
    one.leave(&table).await;
    one.join(&table).await;
    assert_eq!(one.copy(&table).view().phase, Phase::Playing);
}

#[tokio::test]
async fn an_invitation_shows_the_table_of_that_time_and_no_error() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let mut watcher = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let open =
        Open { options: late(board(2, Time::None {})), private: true, cpu: None, party: None };
    let (table, invitation) = one.open_with(open).await;
    let join = Join { table: table.clone(), seat: None, invitation: invitation.clone() };
    assert!(matches!(two.ask(Request::Join(join)).await, Reply::Joined { .. }));
    let watch = |invitation| Request::Watch(Watch { table: table.clone(), invitation, last: None });
    refused_with(&mut watcher, Code::NotInvited, watch(None)).await;
    let Reply::View { view } = watcher.ask(watch(invitation)).await else { panic!("no view") };
    assert_eq!((view.phase, view.seq, view.game), (Phase::Waiting, 0, None));
    assert_eq!(view.seats, [None, None]);
    assert_eq!(view.options.spectator_delay_s, DELAY_S as u16);
}

#[tokio::test]
async fn a_dark_game_is_open_to_all_once_its_end_is_shown_and_hidden_until_then() {
    let mut options = board(3, Time::None {});
    (options.game, options.swap) = (Some(GameKind::Dark), None);
    let (hall, [mut one, mut two, mut watcher], table) = shown_game(options).await;
    one.play(&table, "b2").await;
    let game = one.copy(&table).game().unwrap().id.clone();
    let resign = two.command(&table);
    two.done(Request::Resign(resign.into())).await;
    let record = format!("/v1/games/{game}");
    for _ in 0..DELAY_S {
        for path in [record.clone(), format!("{record}.svg"), format!("{record}.json?as=1")] {
            let (status, body) = get(&hall.address(), &path).await;
            assert_eq!(status, 409, "{path}: {body}");
            assert!(body.contains("still runs"), "{body}");
        }
        hall.advance(1_000);
    }
    watcher.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    let shown = watcher.watch(&table).await.game.unwrap();
    assert_eq!(shown.board, ["...", "...", "..."], "at the table it stays dark");
    let (status, body) = get(&hall.address(), &record).await;
    assert_eq!(status, 200);
    assert!(body.contains("\"cell\":[1,1]"), "{body}");
}

#[tokio::test]
async fn a_players_list_has_a_game_once_its_end_is_shown() {
    let (hall, [mut one, mut two, mut watcher], table) = shown_game(board(3, Time::None {})).await;
    one.play(&table, "b2").await;
    let game = one.copy(&table).game().unwrap().id.clone();
    let resign = two.command(&table);
    two.done(Request::Resign(resign.into())).await;
    let list = format!("/v1/players/{}/games", one.player.id);
    let live = one.open(board(3, Time::None {})).await;
    two.join(&live).await;
    let resign = two.command(&live);
    two.done(Request::Resign(resign.into())).await;
    let (_, before) = get(&hall.address(), &list).await;
    assert!(before.contains("resignation") && !before.contains(&game), "{before}");
    let first = format!("{list}?limit=1");
    for _ in 0..DELAY_S {
        let (status, body) = get(&hall.address(), &list).await;
        assert_eq!((status, &body), (200, &before));
        assert_eq!(get(&hall.address(), &first).await.1, before, "how many there are tells of it");
        hall.advance(1_000);
    }
    watcher.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    let (status, body) = get(&hall.address(), &list).await;
    assert_eq!(status, 200);
    assert!(body.contains(&game), "{body}");
}

#[tokio::test]
async fn a_table_without_a_delay_is_seen_live() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut watcher = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let options = OptionsRequest { spectator_delay_s: Some(0), ..board(2, Time::None {}) };
    let table = one.open(options).await;
    let view = watcher.watch(&table).await;
    assert_eq!((view.seq, view.seats[0].is_some()), (1, true));
}

#[tokio::test]
async fn a_delay_beyond_ten_minutes_is_refused() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let options = OptionsRequest { spectator_delay_s: Some(601), ..OptionsRequest::default() };
    let open = Request::Open(Open { options, private: false, cpu: None, party: None });
    let body = refused_with(&mut one, Code::BadOptions, open).await;
    assert_eq!(body.message, "`spectator_delay_s` is 601: it is from 0 to 600");
}

#[tokio::test]
async fn offers_between_the_players_are_shown_late_too() {
    let (hall, [mut one, mut two, mut watcher], table) =
        shown_game(board(3, fischer(300, 0))).await;
    one.offer(&table, OfferKind::Pause).await;
    two.until(&table, "the offer", |copy| !copy.view().offers.is_empty()).await;
    assert_eq!(watcher.watch(&table).await.offers, []);
    hall.advance(DELAY_S * 1_000);
    watcher.until(&table, "the offer", |copy| !copy.view().offers.is_empty()).await;
}
