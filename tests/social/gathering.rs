//! Parties over real sockets: who joins how, who hosts, who plays next, and what a killed server
//! finds again.

mod company;
mod seats;

use hexhall::remote::TableCopy;
use hexhall::table::handle::{Ask, PartyKey};
use hexhall::table::state::party::PartyCommand;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::{Event, LobbyEvent, StreamFrame};
use hexhall_proto::options::{FirstMove, OptionsRequest, Preset, Time};
use hexhall_proto::parts::{OfferKind, Phase, Seat, Viewer};
use hexhall_proto::party::{
    AboutMember, JoinParty, OpenParty, PartyChange, SetOptions, SetTurns, Start, Turns,
};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Join, Open, Request, Watch};

use tokio::task::LocalSet;

use company::{Company, by_code, here, host, joins, no_swap, party};

use crate::harness::bench::Bench;
use crate::harness::guest::refused_with;
use crate::harness::{Guest, Hall, Process, Setup, patiently};

#[tokio::test]
async fn a_party_of_five_plays_six_games_and_its_host_leaves_in_the_third() {
    for turns in [Turns::WinnerStays, Turns::RoundRobin] {
        let hall = Hall::start(Setup::by_hand()).await;
        let names = ["Ana", "Bo", "Cy", "Di", "Ed"];
        let mut company = Company::gather(&hall.address(), &names, party(no_swap(), turns)).await;
        let (table, mut met, mut host_is) = (company.table.clone(), Vec::new(), 0);
        for game in 1..=6 {
            let mut next = company.next().await;
            company.starts(host_is).await;
            let mut players = company.players();
            next.sort_unstable();
            players.sort_unstable();
            assert_eq!(players, next, "who was shown to be next plays");
            let name = |place: &usize| company.guests[*place].player.name.clone();
            let mut names: Vec<String> = players.iter().map(name).collect();
            names.sort_unstable();
            assert!(met.last() != Some(&names), "{turns:?}: {met:?} and then {names:?}");
            met.push(names);
            if game == 3 {
                // The host has been beaten, or has had a turn: either way, only watches now.
                if company.players().contains(&0) {
                    company.seat_1_wins().await;
                }
                company.guests[0].leave(&table).await;
                let mut ana = company.guests.remove(0);
                let gone = ana.player.id.clone();
                company
                    .all_until("another host", |copy, _| host(copy).is_some_and(|it| it != gone))
                    .await;
                host_is = 0;
                let bo = company.guests[0].player.id.clone();
                assert_eq!(company.party().host, Some(bo));
                // Coming back as a member does not make her host again.
                joins(&mut ana, &company.code).await;
                company.guests.push(ana);
                let last = |copy: &TableCopy| {
                    let party = copy.view().party.as_ref().unwrap();
                    party.members.last().unwrap().player.id.clone()
                };
                let all = |copy: &TableCopy, count| here(copy) == count && last(copy) == gone;
                company.all_until("all five, Ana the last", all).await;
                assert_ne!(company.party().host, Some(gone));
            }
            if company.guests[0].copy(&table).outcome().is_none() {
                company.seat_1_wins().await;
            }
        }
        let party = company.party();
        let total: u32 = party.members.iter().map(|member| member.wins).sum();
        // What Ana had won and played went with her membership.
        assert!((4..=6).contains(&total), "{party:?}");
        for guest in &mut company.guests {
            let kept = guest.copy(&table).timeless();
            guest.watch(&table).await;
            assert_eq!(kept, guest.copy(&table).timeless(), "{}", guest.player.name);
        }
    }
}

#[tokio::test]
async fn both_asking_for_a_rematch_at_once_makes_one_game_of_those_who_are_next() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = party(no_swap(), Turns::WinnerStays);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    company.starts(0).await;
    let winner = company.seat_1_wins().await;
    let (table, before) = (company.table.clone(), company.game());
    let mut asked = Vec::new();
    for guest in &mut company.guests[..2] {
        let rematch = Request::Offer(guest.proposal(&table, OfferKind::Rematch));
        asked.push(guest.send(rematch).await);
    }
    let start = company.start();
    let pressed = company.guests[0].send(start).await;
    for _ in 0..2 {
        let frame = company.guests[0].some_reply().await;
        let rematch = frame.re == Some(asked[0]);
        assert!(rematch || frame.re == Some(pressed));
    }
    company.guests[1].reply(asked[1]).await;
    company.all_in_next(before).await;
    let game = company.guests[2].copy(&table).game().unwrap().clone();
    assert_eq!(game.number, 2, "one game came of three presses");
    let players = company.players();
    assert!(players.contains(&winner) && players.contains(&2), "{players:?}");
    assert_eq!(company.guests[2].copy(&table).seat(), Some(Seat::One), "colours alternate");
    let loser = 1 - winner;
    assert_eq!(company.guests[loser].copy(&table).viewer(), Viewer::Spectator);
}

#[tokio::test]
async fn one_plays_the_computer_and_whoever_joins_is_in_the_next_game() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let (table, invitation) =
        ana.open_with(Open { private: true, ..party(no_swap(), Turns::None) }).await;
    let code = ana.copy(&table).view().party.clone().unwrap().code;
    ana.done(Request::Start(Start { table: table.clone(), after: None })).await;
    ana.until(&table, "a game", |copy| copy.game().is_some()).await;
    assert_eq!(ana.copy(&table).view().seats[1].as_ref().unwrap().cpu, Some(1));
    let first = ana.copy(&table).game().unwrap().id.clone();

    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    let plain = Join { table: table.clone(), seat: None, invitation: invitation.clone() };
    refused_with(&mut bo, Code::JoinTheParty, Request::Join(plain)).await;
    let stranger = JoinParty { table: Some(table.clone()), ..JoinParty::default() };
    refused_with(&mut bo, Code::NotInvited, Request::JoinParty(stranger.clone())).await;
    let invited = JoinParty { invitation, ..stranger };
    let reply = bo.ask(Request::JoinParty(invited)).await;
    assert!(matches!(reply, Reply::View { .. }), "{reply:?}");
    assert_eq!(bo.copy(&table).viewer(), Viewer::Spectator);
    // A member needs no invitation any more.
    let watch = Watch { table: table.clone(), invitation: None, last: None };
    assert!(matches!(bo.ask(Request::Watch(watch)).await, Reply::View { .. }));
    let start =
        |after: &str| Request::Start(Start { table: table.clone(), after: Some(after.into()) });
    refused_with(&mut bo, Code::NotHost, start(&first)).await;
    ana.done(start(&first)).await;
    refused_with(&mut ana, Code::OtherGame, start(&first)).await;
    for guest in [&mut ana, &mut bo] {
        let both = |copy: &TableCopy| copy.seat().is_some() && copy.game().unwrap().id != first;
        let copy = guest.until(&table, "the game of both", both).await;
        assert!(copy.view().seats.iter().flatten().all(|player| player.cpu.is_none()));
    }
    let kept = hall.store().game(first.parse().unwrap()).await.unwrap().unwrap();
    assert!(kept.finished_ms.is_some() && kept.record.is_some(), "it is over: {kept:?}");
    let second = ana.copy(&table).game().unwrap().id.clone();
    refused_with(&mut ana, Code::GameRuns, start(&second)).await;

    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    refused_with(&mut cy, Code::UnknownCode, by_code("AAAAAA")).await;
    joins(&mut cy, &code.to_lowercase()).await;
}

#[tokio::test]
async fn slips_of_a_code_are_forgiven_and_guessing_is_not_however_often_one_connects() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    let hall = Hall::start(setup).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let (table, _) = ana.open_with(party(no_swap(), Turns::None)).await;
    let code = ana.copy(&table).view().party.clone().unwrap().code;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    for _ in 0..30 {
        refused_with(&mut cy, Code::UnknownCode, by_code("AAAAAA")).await;
    }
    let mut cy = cy.other_tab(&hall.address(), Format::Json).await;
    for guess in ["AAAAAA", &code] {
        let body = cy.refused(by_code(guess)).await;
        assert_eq!((body.code, body.retry_ms), (Code::RateLimited, Some(120_000)));
    }
    let mut di = Guest::arrive(&hall.address(), Format::Json, "Di").await;
    joins(&mut di, &code).await;
    hall.advance(120_000);
    joins(&mut cy, &code).await;
}

#[tokio::test]
async fn house_rules_change_between_games_and_everybody_is_told() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = party(no_swap(), Turns::None);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    let table = company.table.clone();
    company.starts(0).await;
    let presets = [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom];
    for (number, preset) in presets.into_iter().enumerate() {
        let options = OptionsRequest {
            preset: Some(preset),
            first_move: (preset == Preset::Custom).then_some(FirstMove::Fixed),
            ..OptionsRequest::default()
        };
        let set = Request::SetOptions(SetOptions { table: table.clone(), options });
        refused_with(&mut company.guests[0], Code::GameRuns, set.clone()).await;
        let resign = company.guests[1].command(&table);
        company.guests[1].done(Request::Resign(resign.into())).await;
        company.all_until("the end", |copy, _| copy.outcome().is_some()).await;
        refused_with(&mut company.guests[1], Code::NotHost, set.clone()).await;
        company.guests[0].done(set).await;
        company.all_until("other rules", |copy, _| copy.view().options.preset == preset).await;
        for guest in &mut company.guests {
            let told = guest.copy(&table).timeless();
            let last = told.game.as_ref().unwrap();
            assert!(last.options.as_ref().is_some_and(|own| own.preset != preset));
            guest.watch(&table).await;
            assert_eq!(told, guest.copy(&table).timeless());
        }
        company.starts(0).await;
        assert_eq!(company.guests[2].copy(&table).game().unwrap().number as usize, number + 2);
        assert!(company.guests[2].copy(&table).game().unwrap().options.is_none());
    }
    let wrong = OptionsRequest { pass_and_play: Some(true), ..OptionsRequest::default() };
    let open = Open { options: wrong, party: Some(OpenParty::default()), ..Open::default() };
    refused_with(&mut company.guests[2], Code::BadOptions, Request::Open(open)).await;
}

#[tokio::test]
async fn a_member_who_watches_dark_hex_sees_what_a_spectator_sees_until_their_turn_comes() {
    let hall = Hall::start(Setup::by_hand()).await;
    let options = OptionsRequest {
        preset: Some(Preset::Dark),
        size: Some(7),
        time: Some(Time::None {}),
        ..OptionsRequest::default()
    };
    let open = party(options, Turns::WinnerStays);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    let mut watcher = Guest::arrive(&hall.address(), Format::Json, "Zoe").await;
    let table = company.table.clone();
    watcher.watch(&table).await;
    company.starts(0).await;
    company.guests[0].play(&table, "a1").await;
    company.guests[1].play(&table, "b2").await;
    company.guests[2].until(&table, "both moves", |copy| copy.turn() == Some(2)).await;
    watcher.until(&table, "both moves", |copy| copy.turn() == Some(2)).await;
    let member = company.guests[2].copy(&table).timeless();
    assert_eq!(member, watcher.copy(&table).timeless());
    assert!(member.game.unwrap().board.iter().all(|row| !row.contains(['r', 'b'])));
    // Nothing that was hidden comes to light as the seats change hands.
    let resign = company.guests[1].command(&table);
    company.guests[1].done(Request::Resign(resign.into())).await;
    company.all_until("the end", |copy, _| copy.outcome().is_some()).await;
    company.starts(0).await;
    for frame in std::mem::take(&mut company.guests[2].told) {
        let ServerFrame::Stream(frame) = frame else { continue };
        if let Event::Started { view } | Event::View { view } = frame.event {
            let board = &view.game.as_ref().unwrap().board;
            assert!(board.iter().all(|row| !row.contains(['r', 'b'])), "{board:?}");
        }
    }
    company.all_until("a seat", |copy, _| copy.game().is_some_and(|game| game.turn == 0)).await;
    let two = company.players();
    assert!(two.contains(&0) && two.contains(&2), "{two:?}");
}

#[tokio::test]
async fn a_host_who_is_gone_is_replaced_by_who_has_been_there_longest() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = party(no_swap(), Turns::None);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    let table = company.table.clone();
    company.guests[0].hang_up();
    let mut ana = company.guests.remove(0);
    company.all_until("she is gone", |copy, count| here(copy) == count).await;
    hall.advance(30_000);
    let bo = company.guests[0].player.id.clone();
    company.all_until("another host", |copy, _| host(copy).as_ref() == Some(&bo)).await;
    ana.come_back(&hall.address()).await;
    ana.resume(&table).await;
    let about = AboutMember { table: table.clone(), player: ana.player.id.clone() };
    refused_with(&mut ana, Code::NotHost, Request::MakeHost(about.clone())).await;
    company.guests[0].done(Request::MakeHost(about)).await;
    let id = ana.player.id.clone();
    ana.until(&table, "the role given", |copy| host(copy).as_ref() == Some(&id)).await;
    let about = AboutMember { table: table.clone(), player: company.guests[1].player.id.clone() };
    ana.done(Request::RemoveMember(about)).await;
    let left = |event: &Event| {
        matches!(event, Event::Party { change: PartyChange::PartyLeft { removed: true, .. }, .. })
    };
    company.guests[1].hears(&table, "being sent away", left).await;
    let code = company.code.clone();
    refused_with(&mut company.guests[1], Code::Removed, by_code(&code)).await;
}

#[tokio::test]
async fn whoever_is_sent_away_from_a_private_party_sees_nothing_more_of_it() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = Open { private: true, ..party(no_swap(), Turns::None) };
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo", "Cy"], open).await;
    let table = company.table.clone();
    let about = AboutMember { table: table.clone(), player: company.guests[2].player.id.clone() };
    company.guests[0].done(Request::RemoveMember(about)).await;
    let mut cy = company.guests.remove(2);
    let left = |event: &Event| {
        matches!(event, Event::Party { change: PartyChange::PartyLeft { removed: true, .. }, .. })
    };
    cy.hears(&table, "being sent away", left).await;
    company.starts(0).await;
    let watch = Watch { table: table.clone(), invitation: None, last: None };
    refused_with(&mut cy, Code::NotInvited, Request::Watch(watch)).await;
    assert!(!cy.told.iter().any(|frame| matches!(frame, ServerFrame::Stream(it)
        if matches!(it.event, Event::Started { .. }))));
    assert!(cy.copy(&table).game().is_none());
}

#[tokio::test]
async fn whoever_is_sent_away_while_they_are_behind_does_not_come_back_by_a_fresh_start() {
    let away = async {
        let bench = Bench::new();
        let (mut ana, mut bo) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let (table, invitation) = bench.open_private_party(&mut ana, no_swap()).await;
        let watch = Ask::Watch { invitation: Some(invitation.clone()), last: None };
        let key = PartyKey::Invitation(Some(invitation));
        let reply = bench.ask(&mut bo, table, Ask::JoinParty { key, plays: true }).await;
        assert!(matches!(reply, Reply::View { .. }), "{reply:?}");
        let remove = PartyCommand::Remove(bo.session().player.id);
        assert_eq!(bench.ask(&mut ana, table, Ask::Party(remove)).await, Reply::Done {});
        // What he followed when he fell behind is asked for a fresh view, one table after another.
        let handle = bench.tables.find(table).await.unwrap();
        handle.refresh(bo.session()).unwrap();
        bench.worked_through().await;
        assert_eq!(bo.session().follows.followed().tables, []);
        let reply = bench.ask(&mut bo, table, watch).await;
        assert!(matches!(&reply, Reply::Error(it) if it.code == Code::NotInvited), "{reply:?}");
        let shown = |frame: &StreamFrame| matches!(frame.event, Event::View { .. });
        assert!(!bo.told.iter().any(shown), "{:?}", bo.told);
    };
    LocalSet::new().run_until(away).await;
}

#[tokio::test]
async fn a_party_is_over_a_minute_after_its_last_member_went() {
    let hall = Hall::start(Setup::by_hand()).await;
    let open = party(no_swap(), Turns::None);
    let mut company = Company::gather(&hall.address(), &["Ana", "Bo"], open).await;
    let (table, code) = (company.table.clone(), company.code.clone());
    let mut watcher = Guest::arrive(&hall.address(), Format::Json, "Zoe").await;
    watcher.watch(&table).await;
    assert!(matches!(watcher.ask(Request::Lobby {}).await, Reply::Lobby { .. }));
    company.guests[0].leave(&table).await;
    company.guests[1].hang_up();
    let gone = |copy: &TableCopy| here(copy) == 0;
    watcher.until(&table, "nobody there", gone).await;
    hall.advance(59_999);
    assert_eq!(watcher.watch(&table).await.phase, Phase::Waiting);
    hall.advance(1);
    watcher.until(&table, "the end", |copy| copy.view().phase == Phase::Closed).await;
    // Its code is free as soon as it is off the list.
    let unlisted = LobbyEvent::Unlisted { table };
    while watcher.hears_of_list("the table off the list").await != unlisted {}
    refused_with(&mut watcher, Code::UnknownCode, by_code(&code)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_finds_its_parties_again_and_everything_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let at = server.address();
    let names = ["Ana", "Bo", "Cy", "Di", "Ed"];
    let open = party(no_swap(), Turns::WinnerStays);
    let mut company = Company::gather(&at, &names, open).await;
    let table = company.table.clone();
    company.starts(0).await;
    company.seat_1_wins().await;
    let turns = SetTurns { table: table.clone(), turns: Some(Turns::RoundRobin), cpu_level: None };
    company.guests[0].done(Request::SetTurns(turns)).await;
    company.starts(0).await;
    let [one, _] = company.players()[..] else { panic!("two play") };
    company.guests[one].play(&table, "a1").await;
    company.all_until("the move", |copy, _| copy.turn() == Some(1)).await;
    company.lives_through_a_kill(&mut server).await;
    // The code is known, and the newcomer is the sixth.
    let mut fay = Guest::arrive(&at, Format::Json, "Fay").await;
    joins(&mut fay, &company.code).await;
    company.guests.push(fay);
    company.all_until("all six", |copy, count| here(copy) == count).await;
    let [one, two] = company.players()[..] else { panic!("two play") };
    for cell in ["b1", "a2", "b2", "a3"] {
        let mover = if cell.starts_with('a') { one } else { two };
        company.guests[mover].play(&table, cell).await;
    }
    company.all_until("the end", |copy, _| copy.outcome().is_some()).await;
    let next = company.next().await;
    company.starts(0).await;
    assert!(company.players().iter().all(|player| next.contains(player)));
    company.seat_1_wins().await;
    // The host leaves after the third game, and the server dies once more: the heir hosts on.
    company.guests[0].leave(&table).await;
    let ana = company.guests.remove(0).player.id;
    let bo = company.guests[0].player.id.clone();
    let left = |copy: &TableCopy, count| {
        let party = copy.view().party.as_ref().unwrap();
        here(copy) == count && party.members.iter().all(|member| member.player.id != ana)
    };
    company.all_until("her gone", left).await;
    company.lives_through_a_kill(&mut server).await;
    for _ in 4..=6 {
        let next = company.next().await;
        company.starts(0).await;
        assert!(company.players().iter().all(|player| next.contains(player)));
        company.seat_1_wins().await;
    }
    assert_eq!(company.party().host, Some(bo));
    assert_eq!(company.guests[0].copy(&table).game().unwrap().number, 6);
    drop(company);
    server.terminate();
    assert!(patiently("its end", server.ended()).await.success());
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_hexhall"));
    let judged = program.arg("verify").arg("--data").arg(folder.path()).output().unwrap();
    assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stdout));
}
