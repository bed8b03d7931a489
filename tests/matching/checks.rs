//! Ready checks: asked of both where a wish is old, and answered by both or by one.

use hexhall_proto::seek::OwnSeek;

use super::*;

/// Two who are asked whether they are ready, and the match.
async fn checked(hall: &Hall) -> ([Guest; 2], String) {
    let [mut ana, mut bo] = two(hall, Format::Json).await;
    seeks(&mut ana, pool("hex-11")).await;
    hall.advance(31_000);
    seeks(&mut bo, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    let name = asked_ready(&mut ana).await;
    assert_eq!(asked_ready(&mut bo).await, name);
    ([ana, bo], name)
}

/// What a guest is told of their seeks.
async fn shown(guest: &mut Guest) -> (Vec<OwnSeek>, Option<bool>) {
    guest
        .hears_of_lobby("one's seeks", |event| match event {
            LobbyEvent::Seeks { seeks, check } => {
                Some((seeks.clone(), check.as_ref().map(|check| check.ready)))
            }
            _ => None,
        })
        .await
}

#[tokio::test]
async fn both_are_asked_where_one_has_waited_long_and_play_when_both_are_ready() {
    let hall = Hall::start(Setup::by_hand()).await;
    let ([mut ana, mut bo], name) = checked(&hall).await;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    refused_with(&mut cy, Code::NoMatch, ready(&name)).await;
    ana.done(ready(&name)).await;
    ana.done(ready(&name)).await;
    // Another tab of hers knows that she has answered.
    let mut tab = ana.other_tab(&hall.address(), Format::MsgPack).await;
    let (own, check) = shown(&mut tab).await;
    assert_eq!((own.len(), check), (1, Some(true)));
    bo.done(ready(&name)).await;
    let table = matched(&mut ana).await;
    assert_eq!(matched(&mut tab).await, table, "every session is told");
    assert_eq!(matched(&mut bo).await, table);
    assert_eq!(ana.watch(&table).await.phase, Phase::Playing);
    refused_with(&mut ana, Code::NoMatch, ready(&name)).await;
}

#[tokio::test]
async fn whoever_does_not_answer_leaves_the_queue_and_the_other_is_first_again() {
    let hall = Hall::start(Setup::by_hand()).await;
    let ([mut ana, mut bo], name) = checked(&hall).await;
    ana.done(ready(&name)).await;
    hall.advance(10_000);
    assert_eq!(ended(&mut bo).await.1, SeekEnd::NotReady);
    let (own, check) = shown(&mut ana).await;
    assert_eq!((own.len(), check), (1, None));
    assert!(own[0].waited_ms >= 41_000, "she has kept her time: {own:?}");
    refused_with(&mut bo, Code::NoMatch, ready(&name)).await;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    seeks(&mut cy, pool("hex-11")).await;
    seeks(&mut bo, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    let name = asked_ready(&mut ana).await;
    assert_eq!(asked_ready(&mut cy).await, name, "whoever came first is taken");
    for guest in [&mut ana, &mut cy] {
        guest.done(ready(&name)).await;
    }
    assert_eq!(matched(&mut ana).await, matched(&mut cy).await);
}

#[tokio::test]
async fn whoever_says_no_leaves_and_the_other_waits_on() {
    let hall = Hall::start(Setup::by_hand()).await;
    let ([mut ana, mut bo], _) = checked(&hall).await;
    let mut tab = bo.other_tab(&hall.address(), Format::Json).await;
    let (own, check) = shown(&mut tab).await;
    assert_eq!(check, Some(false));
    let seek = own[0].seek.clone();
    bo.done(Request::Unseek(Unseek { seek: seek.clone() })).await;
    assert_eq!(ended(&mut tab).await, (seek, SeekEnd::Withdrawn), "every session is told");
    let (own, check) = shown(&mut ana).await;
    assert_eq!((own.len(), check), (1, None));
}

#[tokio::test]
async fn a_seek_vanishes_with_its_last_session_after_the_countdown_and_not_before() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let mut reader = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    reader.ask(Request::Lobby {}).await;
    let seek = seeks(&mut ana, Seek::default()).await;
    let tab = ana.other_tab(&hall.address(), Format::Json).await;
    let listed = |event: &LobbyEvent| match event {
        LobbyEvent::SeekListed { seek } => Some((true, seek.seek.clone())),
        LobbyEvent::SeekUnlisted { seek } => Some((false, seek.clone())),
        _ => None,
    };
    assert_eq!(reader.hears_of_lobby("a new seek", listed).await, (true, seek.clone()));
    // One session of two is nobody gone.
    drop(tab);
    seeks(&mut bo, pool("dark-11")).await;
    ana.hang_up();
    assert_eq!(reader.hears_of_lobby("its rest", listed).await, (false, seek.clone()));
    hall.advance(29_999);
    lobby_looks(&mut bo).await;
    ana.come_back(&hall.address()).await;
    let (own, _) = shown(&mut ana).await;
    assert_eq!((own.len(), &own[0].seek, own[0].waited_ms), (1, &seek, 29_999));
    assert_eq!(reader.hears_of_lobby("its return", listed).await, (true, seek.clone()));
    ana.hang_up();
    assert_eq!(reader.hears_of_lobby("its rest", listed).await, (false, seek));
    hall.advance(30_000);
    lobby_looks(&mut bo).await;
    ana.come_back(&hall.address()).await;
    // Nothing is shown to her before what she asks next is answered.
    ana.ask(Request::Lobby {}).await;
    assert!(ana.told.is_empty(), "{:?}", ana.told);
}
