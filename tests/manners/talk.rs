//! What is said at a table, and who reads it.

use hexhall::ids::PlayerId;
use hexhall::store::Shun;
use hexhall_proto::chat::{Line, Room, Say};
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Preset};
use hexhall_proto::reply::ServerFrame;
use hexhall_proto::request::Table;

use super::*;
use crate::harness::FORMATS;
use crate::harness::guest::refused_with;

pub fn say_in(table: &str, room: Option<Room>, text: &str) -> Request {
    Request::Say(Say { table: table.into(), room, text: text.into() })
}

pub fn say(table: &str, text: &str) -> Request {
    say_in(table, None, text)
}

/// What somebody may read, by room.
pub async fn reads(guest: &mut Guest, table: &str) -> [Option<Vec<String>>; 2] {
    match guest.ask(Request::Chat(Table { table: table.into() })).await {
        Reply::Chat { players, watchers } => [players, watchers]
            .map(|lines| lines.map(|lines| lines.into_iter().map(|line| line.text).collect())),
        other => panic!("no chat: {other:?}"),
    }
}

/// What somebody was told since this was last asked, up to now.
pub async fn heard(guest: &mut Guest, table: &str) -> Vec<(Room, String)> {
    // A reply comes after everything that was said before.
    guest.ask(Request::Chat(Table { table: table.into() })).await;
    let told = std::mem::take(&mut guest.told);
    let said = told.into_iter().filter_map(|frame| match frame {
        ServerFrame::Stream(frame) => match frame.event {
            Event::Said { room, line: Line { text, .. } } => Some((room, text)),
            _ => None,
        },
        _ => None,
    });
    said.collect()
}

pub fn lines(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|text| (*text).to_owned()).collect())
}

pub fn tiny(preset: Preset) -> OptionsRequest {
    OptionsRequest { size: Some(7), preset: Some(preset), ..OptionsRequest::default() }
}

/// Two who play, and one who watches.
pub struct Company {
    pub hall: Hall,
    pub ana: Guest,
    pub bo: Guest,
    pub cy: Guest,
    pub table: String,
}

impl Company {
    pub async fn gather(format: Format, options: OptionsRequest) -> Company {
        let hall = Hall::start(Setup::by_hand()).await;
        let at = hall.address();
        let mut ana = Guest::arrive(&at, format, "Ana").await;
        let mut bo = Guest::arrive(&at, format, "Bo").await;
        let mut cy = Guest::arrive(&at, format, "Cy").await;
        let table = ana.open(options).await;
        bo.join(&table).await;
        cy.watch(&table).await;
        ana.until(&table, "the game", |copy| copy.game().is_some()).await;
        Company { hall, ana, bo, cy, table }
    }

    pub async fn ends(&mut self) {
        let resign = self.ana.command(&self.table);
        self.ana.done(Request::Resign(resign.into())).await;
        for guest in [&mut self.ana, &mut self.bo, &mut self.cy] {
            guest.until(&self.table, "the end", |copy| copy.outcome().is_some()).await;
        }
    }
}

#[tokio::test]
async fn nobody_seated_reads_the_watchers_before_the_end_from_whatever_session() {
    for format in FORMATS {
        let mut company = Company::gather(format, tiny(Preset::Standard)).await;
        let table = company.table.clone();
        let Company { hall, ana, bo, cy, .. } = &mut company;
        cy.done(say(&table, "she should swap")).await;
        ana.done(say(&table, "good luck")).await;
        let luck = (Room::Players, "good luck".to_owned());
        let luck = [luck];
        assert_eq!(heard(bo, &table).await, luck);
        assert_eq!(heard(ana, &table).await, luck);
        let [luck] = luck;
        let advice = (Room::Watchers, "she should swap".to_owned());
        assert_eq!(heard(cy, &table).await, [advice, luck]);
        // Another tab, and a connection that was lost.
        let mut tab = bo.other_tab(&hall.address(), format).await;
        tab.watch(&table).await;
        bo.hang_up();
        bo.come_back(&hall.address()).await;
        bo.watch(&table).await;
        cy.done(say(&table, "or play e4")).await;
        for seated in [&mut *bo, &mut tab, &mut *ana] {
            assert_eq!(heard(seated, &table).await, []);
            assert_eq!(reads(seated, &table).await, [lines(&["good luck"]), None]);
            let aside = say_in(&table, Some(Room::Watchers), "tell me");
            refused_with(seated, Code::GameRuns, aside).await;
        }
        let intruding = say_in(&table, Some(Room::Players), "hello");
        refused_with(cy, Code::NotSeated, intruding).await;
        company.ends().await;
        let Company { bo, cy, .. } = &mut company;
        let all = [lines(&["good luck"]), lines(&["she should swap", "or play e4"])];
        assert_eq!(reads(bo, &table).await, all);
        bo.done(say_in(&table, Some(Room::Watchers), "thanks")).await;
        assert_eq!(heard(cy, &table).await.last().unwrap().1, "thanks");
    }
}

#[tokio::test]
async fn watchers_of_dark_hex_read_what_the_players_said_once_it_is_over() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Dark)).await;
    let table = company.table.clone();
    let Company { ana, bo, cy, .. } = &mut company;
    ana.done(say(&table, "I have d4")).await;
    assert_eq!(heard(bo, &table).await.len(), 1);
    assert_eq!(heard(cy, &table).await, []);
    assert_eq!(reads(cy, &table).await, [None, lines(&[])]);
    company.ends().await;
    let all = [lines(&["I have d4"]), lines(&[])];
    assert_eq!(reads(&mut company.cy, &table).await, all);
}

#[tokio::test]
async fn watchers_who_see_a_table_late_never_read_what_its_players_say() {
    let options = OptionsRequest { spectator_delay_s: Some(60), ..tiny(Preset::Standard) };
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut cy = Guest::arrive(&at, Format::Json, "Cy").await;
    let table = ana.open(options).await;
    hall.advance(60_000);
    cy.watch(&table).await;
    ana.done(say(&table, "nobody is here")).await;
    assert_eq!(heard(&mut cy, &table).await, []);
    assert_eq!(reads(&mut cy, &table).await, [None, lines(&[])]);
    cy.done(say(&table, "I am")).await;
    assert_eq!(heard(&mut ana, &table).await.last().unwrap().1, "I am", "no game runs");
}

#[tokio::test]
async fn no_word_tells_watchers_of_an_end_that_they_see_later() {
    let options = OptionsRequest { spectator_delay_s: Some(60), ..tiny(Preset::Standard) };
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let mut cy = Guest::arrive(&at, Format::Json, "Cy").await;
    let table = ana.open(options).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    hall.advance(60_000);
    cy.watch(&table).await;
    let abort = ana.command(&table);
    ana.done(Request::Abort(abort)).await;
    bo.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    bo.done(Request::Leave(Table { table: table.clone() })).await;
    // Of the one who still sits, and of the one whom spectators alone see in a seat.
    let aside = say_in(&table, Some(Room::Watchers), "it is over");
    for player in [&mut ana, &mut bo] {
        player.watch(&table).await;
        refused_with(player, Code::GameRuns, aside.clone()).await;
    }
    assert_eq!(heard(&mut cy, &table).await, []);
    hall.advance(60_000);
    cy.until(&table, "the end, late", |copy| copy.outcome().is_some()).await;
    ana.done(aside.clone()).await;
    assert_eq!(heard(&mut cy, &table).await.len(), 1);

    // Bo sits down, ends a game and goes before spectators see any of it.
    bo.join(&table).await;
    ana.until(&table, "another game", |copy| copy.outcome().is_none()).await;
    let abort = ana.command(&table);
    ana.done(Request::Abort(abort)).await;
    bo.until(&table, "its end", |copy| copy.outcome().is_some()).await;
    bo.done(Request::Leave(Table { table: table.clone() })).await;
    bo.watch(&table).await;
    refused_with(&mut bo, Code::GameRuns, aside.clone()).await;
    hall.advance(60_000);
    bo.done(aside).await;
}

#[tokio::test]
async fn blocked_players_do_not_hear_each_other() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, bo, cy, .. } = &mut company;
    let id = |guest: &Guest| -> PlayerId { guest.player.id.parse().unwrap() };
    hall.store().shun(Shun::Block, id(ana), id(bo), 1, 500).await.unwrap();
    ana.done(say(&table, "one")).await;
    bo.done(say(&table, "two")).await;
    for (guest, hears) in [(ana, &["one"][..]), (bo, &["two"]), (cy, &["one", "two"])] {
        let told = heard(guest, &table).await;
        assert_eq!(told.iter().map(|(_, text)| &**text).collect::<Vec<_>>(), hears);
        assert_eq!(reads(guest, &table).await[0], lines(hears));
    }
}

#[tokio::test]
async fn what_is_no_line_or_too_many_lines_are_refused_and_said_to_nobody() {
    let mut company = Company::gather(Format::Json, tiny(Preset::Standard)).await;
    let table = company.table.clone();
    let Company { hall, ana, bo, .. } = &mut company;
    for bad in ["", "  ", &"x".repeat(301), "a\u{202e}b", "a\nb"] {
        refused_with(ana, Code::BadRequest, say(&table, bad)).await;
    }
    for n in 0..5 {
        ana.done(say(&table, &format!("line {n}"))).await;
    }
    let refused = refused_with(ana, Code::RateLimited, say(&table, "more")).await;
    assert_eq!(refused.retry_ms, Some(10_000));
    assert_eq!(heard(bo, &table).await.len(), 5);
    hall.advance(10_000);
    ana.done(say(&table, "more")).await;
    refused_with(ana, Code::RateLimited, say(&table, "more")).await;
    let mut stranger = Guest::arrive(&hall.address(), Format::Json, "Di").await;
    refused_with(&mut stranger, Code::NotAtTable, say(&table, "hello")).await;
    let asks = Request::Chat(Table { table });
    refused_with(&mut stranger, Code::NotAtTable, asks).await;
}
