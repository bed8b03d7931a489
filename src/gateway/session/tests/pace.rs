//! Pings, silence, and how much one may ask.

use super::*;

#[test]
fn the_answer_to_a_ping_measures_the_round_trip_that_requests_carry() {
    local(async {
        let house = House::new();
        house.tables.state().manner = Manner::Hold;
        let mut peer = house.guest(Format::Json).await;
        peer.say("watch", &about_table()).await;
        settle().await;
        house.time.advance(5_500);
        assert!(matches!(peer.hear().await, Heard::Ping));
        house.time.advance(40);
        assert!(peer.hear_now().is_none(), "the pong goes out as the peer goes on reading");
        settle().await;
        peer.say("watch", &about_table()).await;
        settle().await;
        let round_trips: Vec<_> =
            house.tables.state().held.iter().map(|held| (held.round_trip, held.at)).collect();
        let start = Stamp(1_700_000_000_000);
        assert_eq!(round_trips, [(None, start), (Some(40), start + 5_540)]);
    });
}

#[test]
fn a_ping_that_is_due_soon_goes_along_with_a_reply() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        assert!(peer.hear_now().is_none(), "none is due soon");
        house.time.advance(4_000);
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        assert!(matches!(peer.hear_now(), Some(Heard::Ping)));
        assert!(peer.hear_now().is_none());
        house.time.advance(1_500);
        settle().await;
        assert!(peer.hear_now().is_none(), "the next is due its time later");
        house.time.advance(4_000);
        settle().await;
        assert!(matches!(peer.hear_now(), Some(Heard::Ping)));
    });
}

#[test]
fn a_peer_silent_for_twelve_seconds_is_gone() {
    local(async {
        let house = House::new();
        let mut peer = house.watcher(Format::Json).await;
        house.time.advance(11_999);
        settle().await;
        assert_eq!(house.gateway.sessions().count(), 1);
        house.time.advance(1);
        settle().await;
        assert_eq!(house.tables.state().gone.len(), 1);
        assert_eq!(peer.end().await, Some(4001));
    });
}

#[test]
fn whoever_answers_pings_stays() {
    local(async {
        let house = House::new();
        let mut peer = house.watcher(Format::Json).await;
        for _ in 0..10 {
            house.time.advance(5_500);
            assert!(matches!(peer.hear().await, Heard::Ping));
            assert!(peer.hear_now().is_none());
            settle().await;
        }
        assert_eq!(house.gateway.sessions().count(), 1);
    });
}

#[test]
fn a_watcher_may_ask_fifty_times_and_then_once_every_four_hundred_milliseconds() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        for _ in 1..50 {
            assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        }
        let refused = peer.refused("lobby", "").await;
        assert_eq!((refused.code, refused.retry_ms), (Code::RateLimited, Some(400)));
        house.time.advance(399);
        assert_eq!(peer.refused("lobby", "").await.retry_ms, Some(1));
        house.time.advance(1);
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        assert_eq!(peer.refused("lobby", "").await.code, Code::RateLimited);
    });
}

#[test]
fn whoever_holds_a_seat_may_ask_twice_as_much() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        // `hello` and `join` cost a watcher's share, as much as four of a seat's.
        assert_eq!(peer.ask("join", &about_table()).await, Reply::Done {});
        for _ in 4..100 {
            assert_eq!(peer.ask("leave", &about_table()).await, Reply::Done {});
        }
        let refused = peer.refused("leave", &about_table()).await;
        assert_eq!((refused.code, refused.retry_ms), (Code::RateLimited, Some(200)));
    });
}

#[test]
fn going_on_far_above_the_limit_closes() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        for _ in 1..50 {
            peer.ask("lobby", "").await;
        }
        for _ in 0..150 {
            assert_eq!(peer.refused("lobby", "").await.code, Code::RateLimited);
        }
        peer.say("lobby", "").await;
        assert_eq!(peer.end().await, Some(4003));
    });
}

#[test]
fn a_flood_of_pings_or_of_pongs_that_answer_none_closes_too() {
    for frame in [Message::Ping(vec![].into()), Message::Pong(vec![].into())] {
        local(async {
            let house = House::new();
            let mut peer = house.guest(Format::Json).await;
            // `hello` was one of the 50 that are taken on; 150 are refused.
            for _ in 0..199 {
                peer.socket.feed(frame.clone()).await.unwrap();
            }
            peer.socket.flush().await.unwrap();
            settle().await;
            assert_eq!(house.tables.state().gone.len(), 0);
            peer.socket.send(frame).await.unwrap();
            settle().await;
            assert_eq!(house.tables.state().gone.len(), 1);
        });
    }
}

#[test]
fn answers_to_pings_take_nothing_of_what_one_may_ask() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        house.time.advance(5_500);
        assert!(matches!(peer.hear().await, Heard::Ping));
        for _ in 0..50 {
            assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        }
        assert_eq!(peer.refused("lobby", "").await.code, Code::RateLimited);
    });
}
