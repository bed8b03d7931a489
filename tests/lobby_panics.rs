//! A panic in the lobby costs what it was in the middle of, and nobody else anything: it goes on,
//! and everybody sees what is still there.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use hexhall::gateway::routes::LobbyAsk;
use hexhall::table::handle::{Ask, NotTaken};
use hexhall_proto::error::Code;
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::options::Time;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::CpuSeat;
use hexhall_proto::seek::{OwnSeek, Seek, SeekEnd};
use metrics::{
    Counter, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use tokio::task::LocalSet;

use crate::harness::bench::{Bench, Sitter};
use crate::harness::board;

/// A little more than a queue is let rest between two looks.
const LOOK_MS: u64 = 200;

fn seek(pool: &str) -> LobbyAsk {
    LobbyAsk::Seek { wanted: Seek { pool: Some(pool.into()), ..Seek::default() }, answer: None }
}

async fn seeks(bench: &Bench, who: &mut Sitter, pool: &str) -> String {
    match bench.ask_lobby(who, seek(pool)).await {
        Reply::Seeking { seek } => seek,
        other => panic!("not seeking: {other:?}"),
    }
}

/// What the lobby has told somebody by now, since this was last asked.
async fn told(bench: &Bench, who: &mut Sitter) -> Vec<LobbyEvent> {
    bench.worked_through().await;
    assert_eq!(bench.ask_lobby(who, LobbyAsk::Unfollow).await, Reply::Done {});
    std::mem::take(&mut who.told_by_lobby)
}

/// The table that somebody was told to play at.
fn table_of(told: &[LobbyEvent]) -> Option<&str> {
    told.iter().find_map(|event| match event {
        LobbyEvent::Matched { table } => Some(table.as_str()),
        _ => None,
    })
}

/// Figures as they are counted everywhere, but for one of them that the lobby sets as it settles what
/// is due, of which it panics as often as is said.
struct Figures {
    counted: PrometheusRecorder,
    deadly: Arc<AtomicUsize>,
}

struct Deadly(Arc<AtomicUsize>);

impl GaugeFn for Deadly {
    fn increment(&self, _: f64) {}

    fn decrement(&self, _: f64) {}

    fn set(&self, _: f64) {
        let less = |left: usize| left.checked_sub(1);
        assert!(self.0.fetch_update(Relaxed, Relaxed, less).is_err(), "this is not to be settled");
    }
}

impl Recorder for Figures {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        self.counted.register_counter(key, metadata)
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        match key.name() {
            "hexhall_seeks" => Gauge::from_arc(Arc::new(Deadly(Arc::clone(&self.deadly)))),
            _ => self.counted.register_gauge(key, metadata),
        }
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        self.counted.register_histogram(key, metadata)
    }
}

/// Runs a test of the lobby, which must have panicked so often. It is handed how often the lobby is
/// to panic as it settles what is due.
async fn with_panics(panics: usize, test: impl AsyncFnOnce(&Bench, &AtomicUsize)) {
    let deadly = Arc::new(AtomicUsize::new(0));
    let counted = PrometheusBuilder::new().build_recorder();
    let told = counted.handle();
    let figures = Figures { counted, deadly: Arc::clone(&deadly) };
    let _counts = metrics::set_default_local_recorder(&figures);
    let testing = async {
        let bench = Bench::new();
        test(&bench, &deadly).await;
    };
    LocalSet::new().run_until(testing).await;
    let counted = format!("hexhall_lobby_panics_total {panics}");
    let told = told.render();
    assert!(told.lines().any(|line| line == counted), "{told}");
}

/// Two are matched, and sent to the same table.
async fn are_matched(bench: &Bench, one: &mut Sitter, two: &mut Sitter) {
    bench.advance(LOOK_MS);
    let (to_one, to_two) = (told(bench, one).await, told(bench, two).await);
    assert!(table_of(&to_one).is_some(), "{to_one:?}");
    assert_eq!(table_of(&to_one), table_of(&to_two));
}

fn ids(seeks: &[OwnSeek]) -> Vec<&str> {
    seeks.iter().map(|seek| &*seek.seek).collect()
}

#[tokio::test]
async fn a_panic_as_a_match_is_opened_ends_its_seeks_and_nobody_elses() {
    with_panics(1, async |bench, _| {
        let [mut ana, mut bo, mut cy] = ["Ana", "Bo", "Cy"].map(|name| bench.visitor(name));
        let waiting = seeks(bench, &mut cy, "dark-11").await;
        for who in [&mut ana, &mut bo] {
            seeks(bench, who, "hex-11").await;
        }
        bench.make_deadly();
        bench.advance(LOOK_MS);
        for who in [&mut ana, &mut bo] {
            let told = told(bench, who).await;
            let is_over = |event: &LobbyEvent| {
                matches!(event, LobbyEvent::SeekEnded { reason: SeekEnd::Unmatched, .. })
            };
            assert!(told.iter().any(is_over), "{told:?}");
            assert!(bench.lobby.seated(who.session().player.id, 10).await.unwrap().is_empty());
        }
        // Who had nothing to do with it is shown that all is as it was, and finds an opponent.
        let to_cy = told(bench, &mut cy).await;
        let Some(LobbyEvent::Seeks { seeks: hers, check: None }) = to_cy.last() else {
            panic!("{to_cy:?}")
        };
        assert_eq!(ids(hers), [waiting]);
        seeks(bench, &mut ana, "dark-11").await;
        are_matched(bench, &mut cy, &mut ana).await;
    })
    .await;
}

#[tokio::test]
async fn of_two_matches_one_is_opened_once_though_the_other_ends_in_a_panic() {
    with_panics(1, async |bench, _| {
        let mut people = ["Ana", "Bo", "Cy", "Di"].map(|name| bench.visitor(name));
        for (who, pool) in people.iter_mut().zip(["hex-11", "hex-11", "dark-11", "dark-11"]) {
            seeks(bench, who, pool).await;
        }
        bench.make_deadly();
        bench.advance(LOOK_MS);
        let mut tables = Vec::new();
        for who in &mut people {
            let told = told(bench, who).await;
            let seated = bench.lobby.seated(who.session().player.id, 10).await.unwrap();
            assert_eq!(table_of(&told).is_some(), !seated.is_empty(), "{told:?}");
            tables.push(seated);
        }
        tables.sort();
        tables.dedup();
        let [none, one] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!((none.len(), one.len()), (0, 1));
    })
    .await;
}

#[tokio::test]
async fn what_is_due_is_settled_after_a_panic_and_no_seek_is_lost() {
    with_panics(1, async |bench, deadly| {
        let (mut ana, mut bo) = (bench.visitor("Ana"), bench.visitor("Bo"));
        seeks(bench, &mut ana, "hex-11").await;
        seeks(bench, &mut bo, "hex-11").await;
        deadly.store(1, Relaxed);
        are_matched(bench, &mut ana, &mut bo).await;
    })
    .await;
}

#[tokio::test]
async fn what_can_never_be_settled_ends_all_seeks_and_everybody_is_told_and_may_seek_anew() {
    with_panics(2, async |bench, deadly| {
        let (mut ana, mut bo) = (bench.visitor("Ana"), bench.visitor("Bo"));
        let ended = seeks(bench, &mut ana, "dark-11").await;
        told(bench, &mut ana).await;
        deadly.store(2, Relaxed);
        // What is asked is answered, and what is due is settled after that.
        assert_eq!(told(bench, &mut ana).await, []);
        let to_ana = told(bench, &mut ana).await;
        let over = LobbyEvent::SeekEnded { seek: ended.clone(), reason: SeekEnd::Unmatched };
        let nothing = LobbyEvent::Seeks { seeks: Vec::new(), check: None };
        assert_eq!(to_ana, [over, nothing]);
        assert_ne!(seeks(bench, &mut ana, "dark-11").await, ended, "the old one is gone");
        seeks(bench, &mut bo, "dark-11").await;
        are_matched(bench, &mut ana, &mut bo).await;
    })
    .await;
}

#[tokio::test]
async fn a_panic_over_one_request_is_internal_and_leaves_neither_table_nor_place() {
    with_panics(1, async |bench, _| {
        let (mut ana, mut bo) = (bench.visitor("Ana"), bench.visitor("Bo"));
        let follows = bench.ask_lobby(&mut bo, LobbyAsk::Follow).await;
        assert!(matches!(follows, Reply::Lobby { .. }));
        bench.make_deadly();
        let practice = || LobbyAsk::Open {
            options: board(3, Time::None {}),
            private: false,
            cpu: Some(CpuSeat { level: 1, seat: None }),
            party: None,
        };
        let Reply::Error(body) = bench.ask_lobby(&mut ana, practice()).await else { panic!() };
        assert_eq!((body.code, body.retry_ms), (Code::Internal, None));
        bench.worked_through().await;
        let hers = ana.session().player.id;
        assert_eq!(bench.lobby.seated(hers, 10).await.unwrap(), []);
        assert_eq!(bench.listed().await, []);
        let opened = bench.ask_lobby(&mut ana, practice()).await;
        assert!(matches!(opened, Reply::Opened { .. }), "{opened:?}");
        bench.worked_through().await;
        assert_eq!(bench.lobby.seated(hers, 10).await.unwrap().len(), 1);
        // Whoever follows the list was shown it anew, and then what came to it.
        let lists: Vec<usize> = told(bench, &mut bo)
            .await
            .iter()
            .filter_map(|event| match event {
                LobbyEvent::Tables { tables, .. } => Some(tables.len()),
                LobbyEvent::Listed { .. } => Some(1),
                _ => None,
            })
            .collect();
        assert_eq!(lists, [0, 1]);
    })
    .await;
}

#[tokio::test]
async fn a_panic_over_the_list_of_tables_is_only_its_askers() {
    with_panics(3, async |bench, _| {
        let (mut ana, mut bo) = (bench.visitor("Ana"), bench.visitor("Bo"));
        let table = bench.open(&mut ana, board(3, Time::None {})).await;
        for _ in 0..3 {
            let nothing = bench.lobby.public(10, |_| panic!("one of few")).await;
            assert_eq!(nothing, Err(NotTaken::Ended));
        }
        assert_eq!(bench.listed().await.len(), 1);
        let join = Ask::Join { seat: None, invitation: None };
        assert!(matches!(bench.ask(&mut bo, table, join).await, Reply::Joined { .. }));
        bench.worked_through().await;
        let sits = |who: &Sitter| bench.lobby.seated(who.session().player.id, 10);
        assert_eq!(
            (sits(&ana).await.unwrap(), sits(&bo).await.unwrap()),
            (vec![table], vec![table])
        );
    })
    .await;
}
