//! Who is handed what, and who gets a run or a fresh view.

use std::sync::atomic::AtomicU32;

use hexhall_proto::event::Event as Told;

use super::*;
use crate::game::Seat::{One, Two};
use crate::gateway::follows::{Followed, Follows};
use crate::gateway::outbox::{Bounds, Drain, Outgoing, outbox};
use crate::table::handle::Player;

const ANA: u128 = 1;
const BO: u128 = 2;
const CY: u128 = 3;

fn table() -> TableId {
    TableId::from_parts(1, 1)
}

fn player(who: u128) -> PlayerId {
    PlayerId::from_parts(1, who)
}

/// A session's two ends: what the table knows, and what comes out.
struct Session {
    known: Arc<SessionRef>,
    drain: Drain,
}

impl Session {
    fn new(id: u64, who: u128) -> Session {
        Session::with(id, who, Format::Json, 64)
    }

    fn with(id: u64, who: u128, format: Format, frames: usize) -> Session {
        let (outbox, drain) = outbox(Bounds { frames, bytes: 1 << 20 });
        let player = Player { id: player(who), name: "somebody".into(), cpu: None };
        let follows = Follows::default();
        let (id, wrong_codes) = (SessionId(id), AtomicU32::new(0));
        let known = SessionRef { id, player, format, outbox, follows, wrong_codes };
        Session { known: Arc::new(known), drain }
    }

    /// The bytes that came out since the last look.
    fn bytes(&mut self) -> Vec<Bytes> {
        std::iter::from_fn(|| self.drain.next_ready())
            .filter_map(|outgoing| match outgoing {
                Outgoing::Stream(bytes) => Some(bytes),
                Outgoing::Restart { .. } => None,
                Outgoing::Reply(bytes) => panic!("nobody asked for {bytes:?}"),
            })
            .collect()
    }

    /// The offers that the frames since the last look tell of.
    fn saw(&mut self) -> Vec<u64> {
        let seen = |bytes: &Bytes| match serde_json::from_slice::<StreamFrame>(bytes).unwrap() {
            StreamFrame { event: Told::OfferClosed { offer, .. }, .. } => offer,
            other => panic!("{other:?}"),
        };
        self.bytes().iter().map(seen).collect()
    }
}

/// An event that can be told from others.
fn event(mark: u64) -> Told {
    Told::OfferClosed { offer: mark, how: hexhall_proto::parts::OfferClosed::Void }
}

fn streams(keep: usize) -> Streams {
    Streams::new(table(), [Seq(0); 3], keep)
}

/// The table's event `number`: each viewer is told ten times that and their index.
fn happens(streams: &mut Streams, number: u64) -> super::Told {
    streams.tell(Viewer::ALL.map(|viewer| Some(event(number * 10 + viewer.index() as u64))))
}

#[test]
fn each_follower_is_told_what_its_viewer_may_know_and_of_nothing_before_its_view() {
    let mut streams = streams(8);
    let [mut ana, mut bo, mut cy] = [ANA, BO, CY].map(|who| Session::new(who as u64, who));
    streams.follow(&ana.known, Viewer::Seat(One), 0);
    streams.follow(&bo.known, Viewer::Seat(Two), 1);
    streams.follow(&cy.known, Viewer::Spectator, 2);
    for number in 1..=3 {
        let told = happens(&mut streams, number);
        streams.deliver(number, &told);
    }
    assert_eq!(ana.saw(), [10, 20, 30]);
    assert_eq!(bo.saw(), [21, 31]);
    assert_eq!(cy.saw(), [32]);
}

#[test]
fn what_a_viewer_is_not_told_takes_no_number_of_theirs() {
    let mut streams = streams(8);
    let mut cy = Session::new(1, CY);
    streams.follow(&cy.known, Viewer::Spectator, 0);
    let told = streams.tell([Some(event(1)), None, None]);
    streams.deliver(1, &told);
    assert_eq!(cy.saw(), [0; 0]);
    assert_eq!(Viewer::ALL.map(|viewer| streams.seq(viewer)), [Seq(1), Seq(0), Seq(0)]);
}

#[test]
fn viewers_who_are_told_the_same_under_the_same_number_share_its_bytes() {
    let mut streams = streams(8);
    let shared = |told: &super::Told, one: usize, other: usize| {
        let frames = [one, other].map(|viewer| told[viewer].as_ref().unwrap());
        std::rc::Rc::ptr_eq(frames[0], frames[1])
    };
    let told = streams.tell([Some(event(1)), Some(event(1)), Some(event(2))]);
    assert!(shared(&told, 0, 1) && !shared(&told, 0, 2));
    // From here on the spectators' numbers are one behind.
    streams.tell([Some(event(3)), Some(event(3)), None]);
    let told = streams.tell([Some(event(4)), Some(event(4)), Some(event(4))]);
    assert!(shared(&told, 0, 1) && !shared(&told, 0, 2));
    assert_eq!(Viewer::ALL.map(|viewer| streams.seq(viewer)), [Seq(3), Seq(3), Seq(2)]);
}

#[test]
fn an_event_is_written_once_for_all_sessions_of_a_format() {
    let mut streams = streams(8);
    let formats = [Format::Json, Format::Json, Format::MsgPack, Format::MsgPack];
    let mut sessions = (0..).zip(formats).map(|(id, format)| Session::with(id, CY, format, 8));
    let mut sessions: [Session; 4] = std::array::from_fn(|_| sessions.next().unwrap());
    for session in &sessions {
        streams.follow(&session.known, Viewer::Spectator, 0);
    }
    let told = happens(&mut streams, 1);
    streams.deliver(1, &told);
    let bytes = sessions.each_mut().map(|session| session.bytes().pop().unwrap());
    assert_eq!(bytes[0].as_ptr(), bytes[1].as_ptr());
    assert_eq!(bytes[2].as_ptr(), bytes[3].as_ptr());
    assert_ne!(bytes[0], bytes[2]);
}

#[test]
fn players_who_exchange_seats_are_told_on_as_who_they_now_are() {
    let mut streams = streams(8);
    let [mut ana, mut bo, mut cy] = [ANA, BO, CY].map(|who| Session::new(who as u64, who));
    streams.follow(&ana.known, Viewer::Seat(One), 0);
    streams.follow(&bo.known, Viewer::Seat(Two), 0);
    streams.follow(&cy.known, Viewer::Spectator, 0);
    // A second session of Ana's began to follow when she had the other seat already.
    let mut late = Session::new(9, ANA);
    streams.follow(&late.known, Viewer::Seat(Two), 5);
    for (number, exchange) in [(5, true), (6, false), (7, true)] {
        if exchange {
            streams.exchange(number);
        }
        let told = happens(&mut streams, number);
        streams.deliver(number, &told);
    }
    assert_eq!(ana.saw(), [51, 61, 70]);
    assert_eq!(bo.saw(), [50, 60, 71]);
    assert_eq!(cy.saw(), [52, 62, 72]);
    assert_eq!(late.saw(), [61, 70]);
}

#[test]
fn whoever_takes_a_seat_or_gives_it_up_goes_on_from_a_fresh_view() {
    let mut streams = streams(8);
    let [mut first, mut second, mut late] = [1, 2, 3].map(|id| Session::new(id, BO));
    let mut cy = Session::new(4, CY);
    streams.follow(&first.known, Viewer::Spectator, 0);
    streams.follow(&second.known, Viewer::Spectator, 0);
    streams.follow(&late.known, Viewer::Seat(Two), 1);
    streams.follow(&cy.known, Viewer::Spectator, 0);
    let view = Frame::new(table(), None, event(777));
    let told = happens(&mut streams, 1);
    streams.deliver(1, &told);
    streams.reseat(player(BO), Some(Two), 1, 1, &view);
    let told = happens(&mut streams, 2);
    streams.deliver(2, &told);
    assert_eq!(first.saw(), [12, 777, 21]);
    assert_eq!(second.saw(), [12, 777, 21]);
    assert_eq!(late.saw(), [21], "its view was made with the seat");
    assert_eq!(cy.saw(), [12, 22]);
    streams.reseat(player(BO), None, 3, 3, &view);
    let told = happens(&mut streams, 4);
    streams.deliver(4, &told);
    assert_eq!(first.saw(), [777, 42]);
}

#[test]
fn a_session_is_told_whether_it_holds_a_seat() {
    let mut streams = streams(8);
    let bo = Session::new(1, BO);
    let view = Frame::new(table(), None, event(1));
    streams.follow(&bo.known, Viewer::Spectator, 0);
    assert!(!bo.known.follows.is_seated());
    streams.reseat(player(BO), Some(Two), 1, 1, &view);
    assert!(bo.known.follows.is_seated());
    streams.exchange(2);
    assert!(bo.known.follows.is_seated());
    streams.reseat(player(BO), None, 3, 3, &view);
    assert!(!bo.known.follows.is_seated());
}

#[test]
fn an_unnumbered_event_goes_to_those_whose_view_is_out() {
    let mut streams = streams(8);
    let [mut early, mut waiting] = [1, 2].map(|id| Session::new(id, CY));
    streams.follow(&early.known, Viewer::Spectator, 3);
    streams.follow(&waiting.known, Viewer::Spectator, 4);
    streams.broadcast(3, Audience::Everybody, &Frame::new(table(), None, event(1)));
    streams.send(SessionId(2), &Frame::new(table(), None, event(2)));
    streams.send(SessionId(99), &Frame::new(table(), None, event(3)));
    assert_eq!((early.saw(), waiting.saw()), (vec![1], vec![2]));
    assert_eq!(Viewer::ALL.map(|viewer| streams.seq(viewer)), [Seq(0); 3]);
}

#[test]
fn players_are_there_while_any_of_their_sessions_follows_and_watchers_are_the_rest() {
    let mut streams = streams(8);
    let sessions = [(1, ANA), (2, ANA), (3, BO), (4, CY)].map(|(id, who)| Session::new(id, who));
    for session in &sessions {
        streams.follow(&session.known, Viewer::Spectator, 0);
        // Following afresh is no second session.
        streams.follow(&session.known, Viewer::Spectator, 1);
    }
    let seated = |ana, bo| [ana, bo].map(|who: Option<u128>| who.map(player));
    assert_eq!(streams.watchers(seated(Some(ANA), Some(BO))), 1);
    assert_eq!(streams.watchers(seated(None, Some(BO))), 3);
    assert!(streams.unfollow(SessionId(1)) && streams.is_here(player(ANA)));
    assert!(streams.unfollow(SessionId(2)) && !streams.is_here(player(ANA)));
    assert!(!streams.unfollow(SessionId(2)), "told once");
    assert_eq!(streams.watchers(seated(Some(ANA), Some(BO))), 1);
    assert!(streams.has(SessionId(3)) && !streams.has(SessionId(1)));
    let followed = |tables| Followed { tables, lobby: false };
    assert_eq!(sessions[0].known.follows.followed(), followed(vec![]));
    assert_eq!(sessions[3].known.follows.followed(), followed(vec![table()]));
    streams.unfollow(SessionId(3));
    streams.unfollow(SessionId(4));
    assert!(streams.is_empty());
}

#[test]
fn a_session_whose_outbox_has_closed_has_ended() {
    let mut streams = streams(8);
    let [gone, stays] = [1, 2].map(|id| Session::new(id, CY));
    streams.follow(&gone.known, Viewer::Spectator, 0);
    streams.follow(&stays.known, Viewer::Spectator, 0);
    assert_eq!(streams.ended(), []);
    drop(gone.drain);
    assert_eq!(streams.ended(), [SessionId(1)]);
}

#[test]
fn a_session_that_falls_behind_sees_nothing_more_until_it_follows_afresh_and_holds_nobody_up() {
    let mut streams = streams(8);
    let mut slow = Session::with(1, CY, Format::Json, 2);
    let mut quick = Session::new(2, CY);
    streams.follow(&slow.known, Viewer::Spectator, 0);
    streams.follow(&quick.known, Viewer::Spectator, 0);
    for number in 1..=4 {
        let told = happens(&mut streams, number);
        streams.deliver(number, &told);
    }
    assert_eq!(slow.saw(), [0; 0], "what was queued went with the run that it belonged to");
    assert_eq!(quick.saw(), [12, 22, 32, 42]);
    let told = happens(&mut streams, 5);
    streams.deliver(5, &told);
    assert_eq!(slow.saw(), [0; 0], "a gap");
    streams.follow(&slow.known, Viewer::Spectator, 5);
    let told = happens(&mut streams, 6);
    streams.deliver(6, &told);
    assert_eq!(slow.saw(), [62]);
}

#[test]
fn a_table_that_dies_ends_every_run() {
    let mut streams = streams(8);
    let mut cy = Session::new(1, CY);
    streams.follow(&cy.known, Viewer::Spectator, 0);
    let told = happens(&mut streams, 1);
    streams.deliver(1, &told);
    let before = cy.known.outbox.epoch();
    drop(streams);
    assert_ne!(cy.known.outbox.epoch(), before);
    assert_eq!(cy.saw(), [0; 0]);
}

/// The numbers of the run after `last`, if there is one.
fn run(streams: &Streams, last: u64) -> Option<Vec<u64>> {
    let run = streams.run_since(Viewer::Spectator, Seq(last))?;
    Some(run.iter().map(|frame| frame.seq.unwrap()).collect())
}

#[test]
fn a_run_is_whole_or_there_is_none() {
    for keep in [0, 1, 3] {
        let mut streams = Streams::new(table(), [Seq(100); 3], keep);
        assert_eq!(run(&streams, 100), Some(vec![]));
        assert_eq!(run(&streams, 99), None, "from before the table was rebuilt");
        for number in 1..=5 {
            happens(&mut streams, number);
        }
        let newest = 105;
        for missed in 0..=6_u64 {
            let expected: Vec<u64> = (newest - missed + 1..=newest).collect();
            let whole = missed <= keep as u64;
            assert_eq!(run(&streams, newest - missed), whole.then_some(expected));
        }
        assert_eq!(run(&streams, 106), None, "a number that was never given");
        streams.forget(Audience::Everybody);
        assert_eq!((run(&streams, 105), run(&streams, 104)), (Some(vec![]), None));
    }
}
