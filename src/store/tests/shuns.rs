//! Who has blocked or muted whom, alike on both engines and after a restart.

use super::*;

on_both_engines!(
    whoever_is_kept_away_is_so_one_way_until_that_is_taken_back,
    a_block_is_no_mute_and_a_mute_no_block,
    a_player_keeps_so_many_away_and_nobody_who_is_not_there,
);

async fn whoever_is_kept_away_is_so_one_way_until_that_is_taken_back(fixture: Fixture) {
    let store = &fixture.store;
    let (ada, eve) = two(store).await;
    for (kind, has) in ways() {
        assert!(!has(store, ada, eve));
        store.shun(kind, ada, eve, 7, 9).await.unwrap();
        store.shun(kind, ada, eve, 8, 9).await.unwrap();
        assert!(has(store, ada, eve) && !has(store, eve, ada));
        let row = ShunRow { other: player(2, "Eve"), since_ms: 7 };
        assert_eq!(store.shunned(kind, ada).await.unwrap(), [row]);
        assert_eq!(store.shunned(kind, eve).await.unwrap(), []);
        store.readmit(kind, ada, eve).await.unwrap();
        assert!(!has(store, ada, eve));
        assert_eq!(store.shunned(kind, ada).await.unwrap(), []);
        assert_eq!(store.readmit(kind, ada, eve).await, Err(PlayerError::Unknown));
    }
}

async fn a_block_is_no_mute_and_a_mute_no_block(Fixture { store, .. }: Fixture) {
    let (ada, eve) = two(&store).await;
    store.shun(Shun::Block, ada, eve, 1, 1).await.unwrap();
    assert!(store.has_blocked(ada, eve) && !store.has_muted(ada, eve));
    assert_eq!(store.shunned(Shun::Mute, ada).await.unwrap(), []);
    assert_eq!(store.readmit(Shun::Mute, ada, eve).await, Err(PlayerError::Unknown));
    store.shun(Shun::Mute, ada, eve, 2, 1).await.unwrap();
    store.readmit(Shun::Block, ada, eve).await.unwrap();
    assert!(!store.has_blocked(ada, eve) && store.has_muted(ada, eve));
}

async fn a_player_keeps_so_many_away_and_nobody_who_is_not_there(Fixture { store, .. }: Fixture) {
    let (ada, eve) = two(&store).await;
    store.create_player(player(3, "Bo"), device(3, 3)).await.unwrap();
    let (bo, nobody) = (player(3, "").id, player(4, "").id);
    for (kind, has) in ways() {
        assert_eq!(store.shun(kind, ada, nobody, 1, 9).await, Err(PlayerError::Unknown));
        assert_eq!(store.shun(kind, nobody, ada, 1, 9).await, Err(PlayerError::Unknown));
        store.shun(kind, ada, eve, 1, 1).await.unwrap();
        assert_eq!(store.shun(kind, ada, bo, 1, 1).await, Err(PlayerError::Full));
        store.shun(kind, ada, eve, 1, 1).await.unwrap();
        assert!(!has(&store, ada, bo) && !has(&store, nobody, ada));
    }
}

#[tokio::test]
async fn who_is_kept_away_is_so_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    let (ada, eve) = two(&store).await;
    for kind in Shun::ALL {
        store.shun(kind, ada, eve, 7, 9).await.unwrap();
        store.shun(kind, eve, ada, 7, 9).await.unwrap();
        store.readmit(kind, eve, ada).await.unwrap();
    }
    drop(store);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    for (_, has) in ways() {
        assert!(has(&store, ada, eve) && !has(&store, eve, ada));
    }
}

type Has = fn(&Store, PlayerId, PlayerId) -> bool;

/// Both ways to keep somebody away, and what says that one does.
fn ways() -> [(Shun, Has); 2] {
    [(Shun::Block, Store::has_blocked), (Shun::Mute, Store::has_muted)]
}

async fn two(store: &Store) -> (PlayerId, PlayerId) {
    let (ada, eve) = (player(1, "Ada"), player(2, "Eve"));
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.create_player(eve.clone(), device(2, 2)).await.unwrap();
    (ada.id, eve.id)
}
