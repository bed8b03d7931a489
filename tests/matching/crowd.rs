//! Two hundred people in one pool at once, of whom a quarter lose their connection at any moment.

use std::collections::{BTreeMap, BTreeSet};

use hexhall::remote::Address;
use hexhall_proto::view::Listing;
use serde_json::Value;

use super::*;
use crate::harness::http::say;
use crate::harness::{get, patiently, poll};

const PEOPLE: usize = 200;

/// When somebody loses their connection, if they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Drops {
    Never,
    BeforeTheReply,
    BeforeTheMatch,
    AfterTheMatch,
}

/// SplitMix64.
fn dice(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let it = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let it = (it ^ it >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ it >> 31
}

fn drops(seed: &mut u64) -> Drops {
    match dice(seed) % 12 {
        0 => Drops::BeforeTheReply,
        1 => Drops::BeforeTheMatch,
        2 => Drops::AfterTheMatch,
        _ => Drops::Never,
    }
}

/// Every public table there is.
pub async fn tables(at: &Address) -> Vec<Listing> {
    let (_, body) = get(at, "/v1/tables?limit=200").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    serde_json::from_value(body["tables"].clone()).unwrap()
}

/// Where each player sits, which is at one table.
pub fn seated(tables: &[Listing]) -> BTreeMap<String, String> {
    let mut seated = BTreeMap::new();
    for listing in tables {
        for player in listing.seats.iter().flatten() {
            let before = seated.insert(player.id.clone(), listing.table.clone());
            assert_eq!(before, None, "{} sits at two tables", player.id);
        }
    }
    seated
}

#[tokio::test]
async fn of_two_hundred_at_once_everybody_who_stays_plays_or_waits_alone() {
    let mut seed = 20_261_130;
    let hall = Hall::start(Setup::by_hand()).await;
    let mut people = Vec::new();
    for n in 0..PEOPLE {
        let format = FORMATS[n % 2];
        let guest = Guest::arrive(&hall.address(), format, &format!("Guest {n}")).await;
        people.push((guest, drops(&mut seed)));
    }
    let mut asked = Vec::new();
    for (guest, drops) in &mut people {
        asked.push(guest.send(Request::Seek(pool("hex-11"))).await);
        if *drops == Drops::BeforeTheReply {
            guest.hang_up();
        }
        if dice(&mut seed).is_multiple_of(8) {
            hall.advance(LOOK_MS / 2);
        }
    }
    for ((guest, drops), asked) in people.iter_mut().zip(asked) {
        if *drops != Drops::BeforeTheReply {
            let reply = guest.reply(asked).await;
            assert!(matches!(reply, Reply::Seeking { .. }), "{reply:?}");
        }
        if *drops == Drops::BeforeTheMatch {
            guest.hang_up();
        }
    }
    // Nobody waits beyond the next look, but for one who has nobody to play.
    hall.advance(LOOK_MS);
    let stay = || people.iter().filter(|(_, it)| matches!(it, Drops::Never | Drops::AfterTheMatch));
    let found = poll("everybody but one at a table", async || {
        let found = tables(&hall.address()).await;
        let seated = seated(&found);
        let mut waiting = stay().filter(|(guest, _)| !seated.contains_key(&guest.player.id));
        let alone = match (waiting.next(), waiting.next()) {
            // The table of one who was matched with somebody who is gone may only be being opened.
            (Some((guest, _)), None) => has_no_table(&hall, guest).await,
            (first, _) => first.is_none(),
        };
        alone.then_some(found)
    })
    .await;
    let tables_of = seated(&found);
    for listing in &found {
        let [Some(one), Some(two)] = &listing.seats else { panic!("half a match: {listing:?}") };
        assert_ne!(one.id, two.id);
    }
    let mut waits = 0;
    for (guest, drops) in &mut people {
        let table = tables_of.get(&guest.player.id);
        match (*drops, table) {
            (Drops::Never | Drops::AfterTheMatch, Some(table)) => {
                assert_eq!(matched(guest).await, *table, "the table that it was told");
                assert_ne!(guest.watch(table).await.viewer, Viewer::Spectator);
                if *drops == Drops::AfterTheMatch {
                    guest.hang_up();
                }
            }
            (Drops::Never | Drops::AfterTheMatch, None) => waits += 1,
            (Drops::BeforeTheReply | Drops::BeforeTheMatch, _) => {}
        }
    }
    assert!(waits <= 1);
    no_ghost_seeks(&hall, &mut people, &tables_of).await;
    let here = people.iter().filter(|(_, drops)| *drops == Drops::Never);
    no_ghost_tables(&hall, &here.map(|(guest, _)| guest.player.id.clone()).collect()).await;
}

/// Whether no table stands or is being opened at which a guest sits.
async fn has_no_table(hall: &Hall, guest: &Guest) -> bool {
    let own = say(&hall.address(), "GET", "/v1/me/tables", &guest.token, Value::Null).await;
    own["tables"].as_array().unwrap().is_empty()
}

/// How many players are connected, as the lobby tells somebody.
async fn online(guest: &mut Guest) -> u64 {
    match guest.ask(Request::Lobby {}).await {
        Reply::Lobby { players, .. } => players,
        other => panic!("no list: {other:?}"),
    }
}

/// Whoever comes later is matched with somebody who is there, and with nobody else.
async fn no_ghost_seeks(
    hall: &Hall,
    people: &mut [(Guest, Drops)],
    tables_of: &BTreeMap<String, String>,
) {
    let at = hall.address();
    let mut late = Guest::arrive(&at, Format::Json, "Late").await;
    // Only of those whom the server knows to be gone can the seeks be over.
    let here = people.iter().filter(|(guest, _)| guest.is_connected()).count() as u64 + 1;
    let missed = async { while online(&mut late).await != here {} };
    patiently("the server to miss whoever is gone", missed).await;
    hall.advance(31_000);
    let alone = people.iter_mut().find(|(guest, drops)| {
        *drops != Drops::BeforeTheReply
            && *drops != Drops::BeforeTheMatch
            && !tables_of.contains_key(&guest.player.id)
    });
    lobby_looks(&mut late).await;
    seeks(&mut late, pool("hex-11")).await;
    match alone {
        Some((guest, _)) => {
            hall.advance(LOOK_MS);
            let name = asked_ready(guest).await;
            assert_eq!(asked_ready(&mut late).await, name);
            guest.done(ready(&name)).await;
            late.done(ready(&name)).await;
            assert_eq!(matched(&mut late).await, matched(guest).await);
        }
        None => {
            let mut later = Guest::arrive(&at, Format::Json, "Later").await;
            seeks(&mut later, pool("hex-11")).await;
            hall.advance(LOOK_MS);
            assert_eq!(matched(&mut late).await, matched(&mut later).await);
        }
    }
}

/// When all clocks and countdowns are over, no table is left to which nobody comes, and at none
/// does somebody wait for an opponent who is gone: whoever has a seat is here.
pub async fn no_ghost_tables(hall: &Hall, here: &BTreeSet<String>) {
    poll("the end of the seats that nobody comes back to", async || {
        hall.advance(30_000);
        let tables = tables(&hall.address()).await;
        let is_haunted = |listing: &Listing| {
            let mut seats = listing.seats.iter().flatten().peekable();
            seats.peek().is_none() || seats.any(|player| !here.contains(&player.id))
        };
        (!tables.iter().any(is_haunted)).then_some(())
    })
    .await;
}
