//! Who has blocked whom, alike on both engines and after a restart.

use super::*;

on_both_engines!(
    whoever_is_blocked_is_so_one_way_until_that_is_taken_back,
    a_player_blocks_so_many_and_nobody_who_is_not_there,
);

async fn whoever_is_blocked_is_so_one_way_until_that_is_taken_back(fixture: Fixture) {
    let store = &fixture.store;
    let (ada, eve) = two(store).await;
    assert!(!store.has_blocked(ada, eve));
    store.block(ada, eve, 7, 9).await.unwrap();
    store.block(ada, eve, 8, 9).await.unwrap();
    assert!(store.has_blocked(ada, eve) && !store.has_blocked(eve, ada));
    let row = BlockRow { blocked: player(2, "Eve"), since_ms: 7 };
    assert_eq!(store.blocks(ada).await.unwrap(), [row]);
    assert_eq!(store.blocks(eve).await.unwrap(), []);
    store.unblock(ada, eve).await.unwrap();
    assert!(!store.has_blocked(ada, eve));
    assert_eq!(store.blocks(ada).await.unwrap(), []);
    assert_eq!(store.unblock(ada, eve).await, Err(PlayerError::Unknown));
}

async fn a_player_blocks_so_many_and_nobody_who_is_not_there(Fixture { store, .. }: Fixture) {
    let (ada, eve) = two(&store).await;
    store.create_player(player(3, "Bo"), device(3, 3)).await.unwrap();
    let (bo, nobody) = (player(3, "").id, player(4, "").id);
    assert_eq!(store.block(ada, nobody, 1, 9).await, Err(PlayerError::Unknown));
    assert_eq!(store.block(nobody, ada, 1, 9).await, Err(PlayerError::Unknown));
    store.block(ada, eve, 1, 1).await.unwrap();
    assert_eq!(store.block(ada, bo, 1, 1).await, Err(PlayerError::Full));
    store.block(ada, eve, 1, 1).await.unwrap();
    assert!(!store.has_blocked(ada, bo) && !store.has_blocked(nobody, ada));
}

#[tokio::test]
async fn blocks_are_there_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    let (ada, eve) = two(&store).await;
    store.block(ada, eve, 7, 9).await.unwrap();
    store.block(eve, ada, 7, 9).await.unwrap();
    store.unblock(eve, ada).await.unwrap();
    drop(store);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    assert!(store.has_blocked(ada, eve) && !store.has_blocked(eve, ada));
}

async fn two(store: &Store) -> (PlayerId, PlayerId) {
    let (ada, eve) = (player(1, "Ada"), player(2, "Eve"));
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.create_player(eve.clone(), device(2, 2)).await.unwrap();
    (ada.id, eve.id)
}
