//! Who is let through to a table: nobody who looks in vain leaves anything behind, and a table that
//! dies of being rebuilt is not rebuilt as fast as it can die.

use futures_util::FutureExt;
use hexhall::game::Seat;
use hexhall::ids::TableId;
use hexhall::lobby::directory::NotFound;
use hexhall::table::beginning::{Beginning, Opener};
use hexhall::table::handle::Ask;
use hexhall::table::options::Options;
use hexhall::table::state::State;
use hexhall::table::state::event::Event;
use hexhall_proto::error::Code;
use hexhall_proto::options::Time;
use hexhall_proto::reply::Reply;
use tokio::task::LocalSet;

use crate::harness::bench::Bench;
use crate::harness::{board, patiently};

#[tokio::test]
async fn whoever_gives_up_looking_for_a_table_leaves_no_door_and_takes_none_from_the_others() {
    let looking = async {
        let bench = Bench::kept();
        let mut gave_up = 0;
        for n in 0..50 {
            let nowhere = TableId::from_parts(1, n);
            let find = || Box::pin(bench.tables.find(nowhere));
            let (mut one, mut two) = (find(), find());
            let waited = [&mut one, &mut two].map(|it| it.as_mut().now_or_never().is_none());
            // The disk may have been quicker.
            if waited != [true; 2] {
                continue;
            }
            gave_up += 1;
            assert_eq!(bench.tables.awake(), 1, "both wait at one door");
            drop(one);
            assert_eq!(bench.tables.awake(), 1, "somebody still waits");
            if n % 2 == 0 {
                drop(two);
            } else {
                assert!(matches!(two.await, Err(NotFound::Unknown(table)) if table == nowhere));
            }
            assert_eq!(bench.tables.awake(), 0);
        }
        assert!(gave_up > 0);
    };
    LocalSet::new().run_until(looking).await;
}

#[tokio::test]
async fn a_table_that_dies_twice_in_a_second_is_left_alone_for_a_second() {
    let deadly = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        let join = || Ask::Join { seat: None, invitation: None };
        for awake in [1, 0] {
            bench.make_deadly();
            let Reply::Error(body) = bench.ask(&mut two, table, join()).await else { panic!() };
            assert_eq!(body.code, Code::Busy);
            bench.worked_through().await;
            assert_eq!(bench.tables.awake(), awake);
            bench.advance(999);
            bench.worked_through().await;
            assert_eq!(bench.tables.awake(), awake);
        }
        bench.advance(1);
        bench.worked_through().await;
        assert_eq!(bench.tables.awake(), 1);
    };
    LocalSet::new().run_until(deadly).await;
}

#[tokio::test]
async fn a_table_that_cannot_be_opened_says_so_to_the_lobby_and_to_whoever_asked() {
    let opening = async {
        let bench = Bench::new();
        let (mut ana, services) = (bench.sitter("Ana"), bench.tables.services());
        let (table, at) = (TableId::from_parts(1, 1), bench.time.now());
        let options = Options::resolve(&board(3, Time::None {})).unwrap();
        let state = State::new(table, services.spans, options, None, at);
        // Nobody takes the same seat twice.
        let opened = Event::Opened { options, invitation: None, at };
        let seated = Event::Seated { seat: Seat::One, player: ana.session().player.clone(), at };
        let (lobby, stands) = tokio::sync::oneshot::channel();
        let opener = Opener { lobby, asked: Some(ana.reply_to()) };
        bench.tables.open(
            table,
            Beginning::Opened {
                state: Box::new(state),
                events: vec![opened, seated.clone(), seated],
                slot: services.store.reserve().unwrap(),
                opener,
            },
        );
        assert!(patiently("the end of the table", stands).await.is_err());
        let Reply::Error(body) = ana.reply().await else { panic!() };
        assert_eq!((body.code, bench.tables.awake()), (Code::Busy, 0));
    };
    LocalSet::new().run_until(opening).await;
}
