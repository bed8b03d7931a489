//! Who has blocked whom, alike on both engines and after a restart.

use super::*;

on_both_engines!(
    whoever_is_blocked_is_so_one_way_until_that_is_taken_back,
    whoever_blocks_somebody_blocks_their_bots_and_so_does_a_bots_owner,
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

async fn whoever_blocks_somebody_blocks_their_bots_and_so_does_a_bots_owner(fixture: Fixture) {
    let store = &fixture.store;
    let (ada, eve) = two(store).await;
    let bot = |n: u64, owner| PlayerRow { owner: Some(owner), ..player(n, &format!("bot {n}")) };
    let (of_ada, of_eve) = (bot(3, ada), bot(4, eve));
    for bot in [&of_ada, &of_eve] {
        store.create_bot(bot.clone(), 9).await.unwrap();
    }
    assert_eq!([of_ada.id, ada].map(|id| store.person(id)), [ada; 2]);
    store.block(ada, eve, 7, 9).await.unwrap();
    for (one, two) in [(ada, of_eve.id), (of_ada.id, eve), (of_ada.id, of_eve.id)] {
        assert!(store.has_blocked(one, two) && !store.has_blocked(two, one));
    }
    store.unblock(ada, eve).await.unwrap();
    // A bot alone is blocked alone.
    store.block(ada, of_eve.id, 7, 9).await.unwrap();
    assert!(store.has_blocked(of_ada.id, of_eve.id) && !store.has_blocked(ada, eve));
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
    let bot = PlayerRow { owner: Some(eve), ..player(3, "bot") };
    store.create_bot(bot.clone(), 9).await.unwrap();
    drop(store);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    assert!(store.has_blocked(ada, eve) && !store.has_blocked(eve, ada));
    assert_eq!(store.person(bot.id), eve);
    assert!(store.has_blocked(ada, bot.id));
}

async fn two(store: &Store) -> (PlayerId, PlayerId) {
    let (ada, eve) = (player(1, "Ada"), player(2, "Eve"));
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.create_player(eve.clone(), device(2, 2)).await.unwrap();
    (ada.id, eve.id)
}
