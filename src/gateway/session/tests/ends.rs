//! Every way in which a session ends is told once.

use tokio::io::AsyncWriteExt;

use super::*;

/// Ends a session by `end`, and checks that all was told once.
fn told_once(expected: Option<u16>, end: impl AsyncFnOnce(&House, Peer) -> Option<u16>) {
    local(async {
        let house = House::new();
        let peer = house.watcher(Format::Json).await;
        let session = house.tables.session();
        let code = end(&house, peer).await;
        settle().await;
        assert_eq!(code, expected);
        let followed = Followed { tables: vec![TABLE.parse().unwrap()], lobby: false };
        assert_eq!(house.tables.state().gone, [(session.id, followed)]);
        assert_eq!(house.gateway.sessions().count(), 0);
        assert!(session.outbox.is_closed());
        assert!(session.follows.table(TABLE.parse().unwrap(), Part::Watching).is_err());
    });
}

#[test]
fn when_the_peer_says_goodbye() {
    told_once(Some(1000), async |_, mut peer| {
        let close = tokio_tungstenite::tungstenite::protocol::CloseFrame {
            code: 1000.into(),
            reason: "".into(),
        };
        peer.socket.send(Message::Close(Some(close))).await.unwrap();
        peer.end().await
    });
}

#[test]
fn when_the_connection_is_lost() {
    told_once(None, async |_, peer| {
        drop(peer);
        settle().await;
        None
    });
}

#[test]
fn when_the_peer_breaks_the_protocol() {
    told_once(Some(1002), async |_, mut peer| {
        peer.socket.get_mut().write_all(&[0xff; 16]).await.unwrap();
        peer.end().await
    });
}

#[test]
fn when_a_route_panics() {
    told_once(Some(4500), async |house, mut peer| {
        house.tables.state().manner = Manner::Panic;
        peer.say("leave", &about_table()).await;
        // The request is answered, for its table has dropped it; then comes the end.
        assert_eq!(error(peer.reply().await.reply).code, Code::Busy);
        peer.end().await
    });
}

#[test]
fn when_the_server_closes() {
    told_once(Some(1012), async |house, mut peer| {
        let gateway = Arc::clone(&house.gateway);
        let closed = tokio::task::spawn_local(async move { gateway.close().await });
        let Heard::Frame(ServerFrame::Notice(notice)) = peer.hear().await else {
            panic!("a notice was due");
        };
        let hexhall_proto::event::Notice::Closing { back_in_ms } = notice else {
            panic!("another notice: {notice:?}");
        };
        assert_eq!(back_in_ms, 2_000);
        let code = peer.end().await;
        drop(peer);
        closed.await.unwrap();
        code
    });
}

#[test]
fn when_nobody_said_hello_there_is_nothing_to_tell() {
    local(async {
        let house = House::new();
        let mut peer = house.connect(Format::Json).await;
        peer.refused("lobby", "").await;
        drop(peer);
        settle().await;
        assert_eq!(house.tables.state().gone, []);
        assert_eq!(house.gateway.sessions().count(), 0);
    });
}

#[test]
fn a_closing_server_still_sends_what_it_owes_and_takes_nothing_on() {
    local(async {
        let house = House::new();
        let mut peer = house.watcher(Format::Json).await;
        house.tables.state().manner = Manner::Hold;
        let owed = peer.say("leave", &about_table()).await;
        settle().await;
        let gateway = Arc::clone(&house.gateway);
        let closed = tokio::task::spawn_local(async move { gateway.close().await });
        assert!(matches!(peer.hear().await, Heard::Frame(ServerFrame::Notice(_))));
        assert_eq!(peer.refused("lobby", "").await.code, Code::ShuttingDown);

        house.tables.answer();
        let reply = peer.reply().await;
        assert_eq!((reply.re, reply.reply), (Some(owed), Reply::Done {}));
        assert_eq!(peer.end().await, Some(1012));
        drop(peer);
        closed.await.unwrap();
    });
}

#[test]
fn a_closing_server_waits_ten_seconds_for_what_it_owes_and_no_longer() {
    local(async {
        let house = House::new();
        let mut peer = house.watcher(Format::Json).await;
        house.tables.state().manner = Manner::Hold;
        peer.say("leave", &about_table()).await;
        settle().await;
        let gateway = Arc::clone(&house.gateway);
        let closed = tokio::task::spawn_local(async move { gateway.close().await });
        settle().await;
        house.time.advance(9_999);
        settle().await;
        assert_eq!(house.gateway.sessions().count(), 1);
        house.time.advance(1);
        assert_eq!(peer.end().await, Some(1012));
        drop(peer);
        closed.await.unwrap();
    });
}

#[test]
fn a_peer_that_does_not_even_read_cannot_hold_a_closing_server_up() {
    local(async {
        let house = House::new();
        let mut peer = house.connect_as(Format::Json, Shown::Nothing, 1_024).await;
        peer.welcome("").await;
        peer.ask("watch", &about_table()).await;
        let session = house.tables.session();
        let frame = "x".repeat(10_000).into();
        session.outbox.stream(session.outbox.epoch(), frame).unwrap();
        settle().await;
        let gateway = Arc::clone(&house.gateway);
        let closed = tokio::task::spawn_local(async move { gateway.close().await });
        settle().await;
        house.time.advance(10_000);
        settle().await;
        house.time.advance(2_000);
        closed.await.unwrap();
        assert_eq!(house.tables.state().gone.len(), 1);
    });
}

#[test]
fn a_connection_above_the_limit_of_its_address_is_closed_and_told_why() {
    local(async {
        let settings = Settings { sessions_per_address: Some(1), ..Settings::default() };
        let house = House::with(settings);
        let first = house.guest(Format::Json).await;
        let mut second = house.connect(Format::Json).await;
        assert_eq!(second.end().await, Some(4004));
        drop(first);
        settle().await;
        house.guest(Format::Json).await;
    });
}
