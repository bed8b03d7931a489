//! Requests in flight, and readers that are too slow.

use super::*;
use crate::gateway::outbox::{Behind, Epoch, IN_FLIGHT};

#[test]
fn no_request_is_read_while_as_many_as_may_wait_for_their_reply() {
    local(async {
        let house = House::new();
        house.tables.state().manner = Manner::Hold;
        let mut peer = house.guest(Format::Json).await;
        for _ in 0..IN_FLIGHT + 5 {
            peer.say("leave", &about_table()).await;
        }
        settle().await;
        assert_eq!(house.tables.state().held.len(), IN_FLIGHT);

        house.tables.answer();
        assert_eq!(peer.reply().await.reply, Reply::Done {});
        settle().await;
        assert_eq!(house.tables.state().held.len(), IN_FLIGHT, "one out, one in");

        // Nobody is gone for a silence that is our own.
        house.time.advance(60_000);
        settle().await;
        assert_eq!(house.gateway.sessions().count(), 1);
        house.tables.state().manner = Manner::Answer;
        for _ in 0..IN_FLIGHT {
            house.tables.answer();
        }
        let mut replies = 0;
        while replies < IN_FLIGHT + 4 {
            replies += usize::from(matches!(peer.hear().await, Heard::Frame(_)));
        }
    });
}

#[test]
fn a_request_that_its_table_drops_is_answered_all_the_same() {
    local(async {
        let house = House::new();
        house.tables.state().manner = Manner::Hold;
        let mut peer = house.guest(Format::MsgPack).await;
        let id = peer.say("leave", &about_table()).await;
        settle().await;
        house.tables.state().held.clear();
        let reply = peer.reply().await;
        assert_eq!((reply.re, error(reply.reply).code), (Some(id), Code::Busy));
    });
}

/// A table that tells one session much.
struct Teller {
    session: Arc<SessionRef>,
    epoch: Epoch,
    told: usize,
}

impl Teller {
    fn new(house: &House) -> Teller {
        let session = house.tables.session();
        let epoch = session.outbox.epoch();
        Teller { session, epoch, told: 0 }
    }

    fn tell(&mut self) -> Result<(), Behind> {
        let frame = format!(r#"{{"n":{},"pad":"{}"}}"#, self.told, "x".repeat(8_000));
        self.session.outbox.stream(self.epoch, frame.into())?;
        self.told += 1;
        Ok(())
    }

    /// Tells more than the reader can be told, who does not read.
    async fn overflow(&mut self) {
        self.epoch = self.session.outbox.epoch();
        while self.tell().is_ok() {
            settle().await;
        }
        assert!(self.told < 200, "the outbox has a bound");
    }
}

async fn slow_watcher(house: &House) -> Peer {
    let mut peer = house.connect_as(Format::Json, Shown::Nothing, 1_024).await;
    peer.welcome("").await;
    assert_eq!(peer.ask("watch", &about_table()).await, Reply::Done {});
    assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
    peer
}

/// Reads a run without a gap up to the fresh view in place of the rest.
async fn read_run(peer: &mut Peer, mut n: usize) {
    loop {
        match peer.hear().await {
            Heard::Text(text) if text == r#"{"fresh":true}"# => return,
            Heard::Text(text) => {
                assert!(text.starts_with(&format!(r#"{{"n":{n},"#)), "a gap before {n}");
                n += 1;
            }
            Heard::Ping => {}
            heard => panic!("unexpected: {heard:?}"),
        }
    }
}

#[test]
fn a_reader_that_falls_behind_gets_one_fresh_view_and_is_closed_the_second_time() {
    local(async {
        let house = House::new();
        let mut peer = slow_watcher(&house).await;
        let mut table = Teller::new(&house);
        table.overflow().await;
        assert_eq!(table.tell(), Err(Behind), "the run has ended");
        read_run(&mut peer, 0).await;
        let followed = Followed { tables: vec![TABLE.parse().unwrap()], lobby: true };
        assert_eq!(house.tables.state().refreshed, [followed]);

        house.time.advance(9_999);
        table.told = 0;
        table.overflow().await;
        assert_eq!(peer.end().await, Some(4002));
        assert_eq!(house.tables.state().refreshed.len(), 1);
    });
}

#[test]
fn a_reader_that_falls_behind_twice_before_it_has_read_anything_is_closed() {
    local(async {
        let house = House::new();
        let mut peer = slow_watcher(&house).await;
        let mut table = Teller::new(&house);
        table.overflow().await;
        // Another run, that of a table which the session asked for meanwhile.
        table.overflow().await;
        assert_eq!(peer.end().await, Some(4002));
        assert_eq!(house.tables.state().refreshed.len(), 0);
    });
}

#[test]
fn a_reader_that_leaves_too_many_bytes_of_replies_unread_is_closed() {
    local(async {
        let house = House::new();
        let mut peer = slow_watcher(&house).await;
        house.tables.state().manner = Manner::Hold;
        for _ in 0..8 {
            peer.say("leave", &about_table()).await;
        }
        settle().await;
        let held = std::mem::take(&mut house.tables.state().held);
        assert_eq!(held.len(), 8);
        for request in held {
            // As large as the view of the longest game.
            request.reply.send(vec![b'x'; 500 * 1024].into());
        }
        assert_eq!(peer.end().await, Some(4002));
    });
}

#[test]
fn a_reader_that_falls_behind_after_ten_seconds_gets_another_fresh_view() {
    local(async {
        let house = House::new();
        let mut peer = slow_watcher(&house).await;
        let mut table = Teller::new(&house);
        table.overflow().await;
        read_run(&mut peer, 0).await;
        house.time.advance(10_000);
        let n = table.told;
        table.overflow().await;
        read_run(&mut peer, n).await;
        assert_eq!(house.tables.state().refreshed.len(), 2);
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
    });
}

#[test]
fn a_reader_that_reads_nothing_at_all_is_gone_after_twelve_seconds() {
    local(async {
        let house = House::new();
        let _peer = slow_watcher(&house).await;
        Teller::new(&house).overflow().await;
        house.time.advance(11_999);
        settle().await;
        assert_eq!(house.tables.state().gone.len(), 0);
        house.time.advance(1);
        settle().await;
        assert_eq!(house.tables.state().gone.len(), 1);
    });
}

#[test]
fn a_run_that_a_table_ends_begins_afresh_and_is_not_held_against_the_reader() {
    local(async {
        let house = House::new();
        let mut peer = slow_watcher(&house).await;
        for _ in 0..3 {
            house.tables.session().outbox.restart();
            read_run(&mut peer, 0).await;
        }
        assert_eq!(house.tables.state().refreshed.len(), 3);
    });
}
