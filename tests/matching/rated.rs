//! Rated seeks: matched with each other alone, by ratings that grow out of what they lead to.

use hexhall_proto::options::{OptionsRequest, Swap};
use hexhall_proto::request::Resign;

use super::*;

fn rated(seek: Seek) -> Seek {
    Seek { rated: true, ..seek }
}

#[tokio::test]
async fn a_rated_seek_is_matched_with_rated_ones_alone_and_its_game_counts() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    seeks(&mut cy, pool("hex-11")).await;
    seeks(&mut ana, rated(pool("hex-11"))).await;
    seeks(&mut bo, rated(pool("hex-11"))).await;
    hall.advance(LOOK_MS);
    let table = matched(&mut ana).await;
    assert_eq!(matched(&mut bo).await, table);
    let view = ana.watch(&table).await;
    assert!(view.options.rated);
    let game = view.game.unwrap().id;
    bo.watch(&table).await;
    ana.play(&table, "f6").await;
    bo.play(&table, "a1").await;
    let resign = Resign { table, game, command: "enough".into(), seat: None };
    bo.done(Request::Resign(resign)).await;

    // As strong as that game has made them, in what counts for the same rating.
    let options = OptionsRequest { size: Some(13), ..OptionsRequest::default() };
    let own = Seek { options, ..Seek::default() };
    seeks(&mut ana, rated(own.clone())).await;
    seeks(&mut bo, own).await;
    let Reply::Lobby { seeks, .. } = cy.ask(Request::Lobby {}).await else { panic!("no list") };
    let listed: Vec<_> = seeks.iter().map(|it| (it.rating, it.provisional, it.rated)).collect();
    assert_eq!(listed, [(1662, true, true), (1338, true, false)]);
}

#[tokio::test]
async fn what_cannot_be_rated_is_not_sought_as_rated() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let options = OptionsRequest { swap: Some(Swap::Off), ..OptionsRequest::default() };
    let seek = Request::Seek(rated(Seek { options, ..Seek::default() }));
    let refused = refused_with(&mut ana, Code::BadOptions, seek).await;
    assert!(refused.message.contains("swap"), "{}", refused.message);
}
