//! Who may be given a seat by a party's next game: nobody in a rated one who has not asked for it, and
//! nobody who holds as many tables as one may.

use super::*;

use hexhall_proto::request::Table;

use crate::harness::fischer;

fn rated() -> OptionsRequest {
    let time = Some(fischer(300, 5));
    OptionsRequest { size: Some(7), rated: Some(true), time, ..OptionsRequest::default() }
}

#[tokio::test]
async fn a_rated_game_begins_when_both_who_play_have_said_start() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = party(rated(), Turns::WinnerStays);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    let start = company.start();
    company.guests[0].done(start.clone()).await;
    let ana = company.guests[0].player.id.clone();
    let asked = |copy: &TableCopy| copy.view().presence.party.as_ref().unwrap().asked.clone();
    company.all_until("her request", |copy, _| asked(copy).as_ref() == Some(&ana)).await;
    assert!(company.game().is_none());
    refused_with(&mut company.guests[2], Code::NotHost, start).await;
    company.starts(1).await;
    assert_eq!(company.players(), [0, 1]);
    company.all_until("nothing to wait for", |copy, _| asked(copy).is_none()).await;
    // Ana has lost, and hosts on, but does not play next.
    let table = company.table.clone();
    let resign = company.guests[0].command(&table);
    company.guests[0].done(Request::Resign(resign.into())).await;
    company.all_until("the end", |copy, _| copy.outcome().is_some()).await;
    let start = company.start();
    let body = refused_with(&mut company.guests[0], Code::CannotStart, start.clone()).await;
    assert!(body.message.contains("both who play it"), "{}", body.message);
    company.guests[2].done(start).await;
    company.starts(1).await;
    let mut players = company.players();
    players.sort_unstable();
    assert_eq!(players, [1, 2]);
}

#[tokio::test]
async fn nobody_is_given_a_seat_who_holds_as_many_tables_as_one_may() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    setup.config.limits.tables_per_guest = 1;
    let hall = Hall::start(setup).await;
    let open = party(no_swap(), Turns::None);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo"], open).await;
    let other = company.guests[1].open(no_swap()).await;
    lobby_looks(&mut company.guests[1]).await;
    let start = company.start();
    let body = refused_with(&mut company.guests[0], Code::TooManyTables, start).await;
    assert!(body.message.starts_with("Bo sits"), "{}", body.message);
    // Nor does he take a seat himself, or somebody else one of his.
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let third = cy.open(no_swap()).await;
    lobby_looks(&mut cy).await;
    for (guest, table) in [(&mut company.guests[1], &third), (&mut cy, &other)] {
        let join = Join { table: table.clone(), seat: None, invitation: None };
        refused_with(guest, Code::TooManyTables, Request::Join(join)).await;
    }
    company.guests[1].done(Request::Leave(Table { table: other })).await;
    lobby_looks(&mut company.guests[1]).await;
    company.starts(0).await;
    assert_eq!(company.players(), [0, 1]);
}

/// Has the lobby take in what tables have told it.
async fn lobby_looks(guest: &mut Guest) {
    guest.done(Request::LeaveLobby {}).await;
}
