//! Another name is seen at once by everybody at the table, and after a restart; so it is in lists.

use hexhall::remote::{Address, Link, TableCopy};
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::party::{JoinParty, OpenParty};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Hello, Open};
use hexhall_proto::seek::Seek;
use hexhall_proto::view::Listing;
use serde_json::json;

use super::*;
use crate::harness::http::say;
use crate::harness::{FORMATS, board, fischer};

/// Gives a guest another name over HTTP, as the account's dialog does.
async fn renames(at: &Address, guest: &mut Guest, name: &str) {
    say(at, "POST", "/v1/me/name", &guest.token, json!({ "name": name })).await;
    guest.player.name = name.into();
}

fn seated(copy: &TableCopy, seat: usize, name: &str) -> bool {
    copy.view().seats[seat].as_ref().is_some_and(|player| player.name == name)
}

async fn listed_as(reader: &mut Guest, name: &str) -> Listing {
    reader
        .hears_of_lobby("the name in the list", |event| match event {
            LobbyEvent::Listed { listing } => {
                let seats = listing.seats.iter().flatten();
                let named = seats.into_iter().any(|player| player.name == name);
                named.then(|| Listing::clone(listing))
            }
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_new_name_is_seen_at_once_in_a_seat_and_after_a_restart() {
    for format in FORMATS {
        let mut hall = Hall::start(Setup::by_hand().kept()).await;
        let at = hall.address();
        let mut ana = Guest::arrive(&at, format, "Ana").await;
        let mut bo = Guest::arrive(&at, format, "Bo").await;
        let mut reader = Guest::arrive(&at, format, "Cy").await;
        let table = ana.open(board(3, fischer(300, 0))).await;
        bo.join(&table).await;
        reader.watch(&table).await;
        reader.ask(Request::Lobby {}).await;
        renames(&at, &mut bo, "Bosse").await;
        for guest in [&mut ana, &mut bo, &mut reader] {
            guest.until(&table, "his name", |copy| seated(copy, 1, "Bosse")).await;
        }
        listed_as(&mut reader, "Bosse").await;
        // Where he does not look just now, and by saying hello.
        bo.hang_up();
        let gone = |copy: &TableCopy| !copy.view().presence.seats[1].connected;
        ana.until(&table, "his absence", gone).await;
        let hello = Hello { token: Some(bo.token.clone()), name: Some("Bodil".into()) };
        let link = Link::dial(&at, format).await.unwrap();
        let tab = Guest::over(link, format, hello).await;
        bo.player.name = "Bodil".into();
        for guest in [&mut ana, &mut reader] {
            guest.until(&table, "his name", |copy| seated(copy, 1, "Bodil")).await;
        }
        drop(tab);
        [&mut ana, &mut reader].into_iter().for_each(Guest::hang_up);
        hall.stop().await;
        hall.start_again().await;
        reader.come_back(&hall.address()).await;
        let view = reader.watch(&table).await;
        assert_eq!(view.seats[1].as_ref(), Some(&bo.player));
    }
}

#[tokio::test]
async fn a_new_name_is_seen_at_once_in_a_party_and_in_what_one_seeks() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::MsgPack, "Bo").await;
    let mut reader = Guest::arrive(&at, Format::Json, "Cy").await;
    reader.ask(Request::Lobby {}).await;
    let open = Open { party: Some(OpenParty::default()), ..Open::default() };
    let (table, _) = ana.open_with(open).await;
    let size = |listing: &Listing| listing.size.map(|size| (size.members, size.watchers));
    assert_eq!(size(&listed_as(&mut reader, "Ana").await), Some((1, 0)));
    let code = ana.copy(&table).view().party.clone().unwrap().code;
    let joins = JoinParty { code: Some(code), play: Some(false), ..JoinParty::default() };
    assert!(matches!(bo.ask(Request::JoinParty(joins)).await, Reply::View { .. }));
    assert_eq!(size(&listed_as(&mut reader, "Ana").await), Some((2, 1)), "lists show its size");
    let Reply::Seeking { seek } = bo.ask(Request::Seek(Seek::default())).await else { panic!() };
    renames(&at, &mut bo, "Bosse").await;
    let member = |copy: &TableCopy| {
        let party = copy.view().party.as_ref().unwrap();
        party.members.iter().any(|member| member.player.name == "Bosse")
    };
    for guest in [&mut ana, &mut bo] {
        guest.until(&table, "his name", member).await;
    }
    let listed = reader
        .hears_of_lobby("his name in what he seeks", |event| match event {
            LobbyEvent::SeekListed { seek } if seek.player.name == "Bosse" => {
                Some(seek.seek.clone())
            }
            _ => None,
        })
        .await;
    assert_eq!(listed, seek, "it is the same seek");
    bo.leave(&table).await;
    assert_eq!(size(&listed_as(&mut reader, "Ana").await), Some((1, 0)));
}
