//! Whoever is muted is not heard by the one who muted them, and hears them as before.

use super::talk::{Company, heard, lines, reads, say, tiny};
use super::*;
use crate::harness::FORMATS;
use hexhall::ids::PlayerId;
use hexhall::store::Shun;
use hexhall_proto::chat::Room;
use hexhall_proto::options::Preset;

fn id(guest: &Guest) -> PlayerId {
    guest.player.id.parse().unwrap()
}

async fn mute(hall: &Hall, by: &Guest, whom: &Guest) {
    hall.store().shun(Shun::Mute, id(by), id(whom), 1, 500).await.unwrap();
}

async fn heard_texts(guest: &mut Guest, table: &str) -> Vec<String> {
    heard(guest, table).await.into_iter().map(|(_, text)| text).collect()
}

#[tokio::test]
async fn whoever_is_muted_is_heard_by_all_but_the_one_who_muted_them() {
    for format in FORMATS {
        let mut company = Company::gather(format, tiny(Preset::Standard)).await;
        let table = company.table.clone();
        let Company { hall, ana, bo, cy, .. } = &mut company;
        bo.done(say(&table, "before")).await;
        assert_eq!(heard_texts(ana, &table).await, ["before"]);
        mute(hall, ana, bo).await;
        bo.done(say(&table, "during")).await;
        ana.done(say(&table, "I hear nothing")).await;
        assert_eq!(heard_texts(ana, &table).await, ["I hear nothing"]);
        assert_eq!(reads(ana, &table).await[0], lines(&["I hear nothing"]));
        let mut tab = ana.other_tab(&hall.address(), format).await;
        tab.watch(&table).await;
        bo.done(say(&table, "not there either")).await;
        assert_eq!(heard_texts(&mut tab, &table).await, Vec::<String>::new());
        let all = ["before", "during", "I hear nothing", "not there either"];
        for guest in [&mut *bo, cy] {
            assert_eq!(heard_texts(guest, &table).await, all);
            assert_eq!(reads(guest, &table).await[0], lines(&all));
        }
        hall.store().readmit(Shun::Mute, id(ana), id(bo)).await.unwrap();
        assert_eq!(reads(ana, &table).await[0], lines(&all), "nothing is lost by it");
        bo.done(say(&table, "after")).await;
        assert_eq!(heard_texts(ana, &table).await, ["after"]);
    }
}

#[tokio::test]
async fn a_muted_watcher_is_not_read_after_the_end_and_plays_with_one_as_before() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, cy, .. } = &mut company;
    mute(hall, ana, cy).await;
    cy.done(say(&table, "play f6")).await;
    company.ends().await;
    let Company { hall, ana, bo, cy, .. } = &mut company;
    assert_eq!(reads(ana, &table).await[1], lines(&[]));
    assert_eq!(reads(bo, &table).await[1], lines(&["play f6"]));
    // A block would keep the two apart.
    seeks(ana, pool("hex-11")).await;
    seeks(cy, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(ana).await, matched(cy).await);
}

#[tokio::test]
async fn a_mute_holds_after_a_restart() {
    let mut hall = Hall::start(Setup::new().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let table = ana.open(tiny(Preset::Standard)).await;
    bo.join(&table).await;
    mute(&hall, &ana, &bo).await;
    hall.stop().await;
    hall.start_again().await;
    for guest in [&mut ana, &mut bo] {
        guest.come_back(&hall.address()).await;
        guest.watch(&table).await;
    }
    bo.done(say(&table, "again")).await;
    ana.done(say(&table, "well")).await;
    assert_eq!(heard(&mut ana, &table).await, [(Room::Players, "well".to_owned())]);
    assert_eq!(heard_texts(&mut bo, &table).await, ["again", "well"]);
}
