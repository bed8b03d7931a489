//! People, bots, and what shows who they are: alike on both engines, and brought along from older
//! databases.

use std::sync::Mutex;

use futures_util::FutureExt;

use super::*;

on_both_engines!(
    a_player_is_known_by_id_and_by_token,
    a_token_or_an_id_serves_one_player_only,
    renaming_nobody_is_refused,
    of_two_names_that_are_alike_the_second_is_refused,
    a_token_in_waiting_takes_its_place_when_it_is_shown,
    what_was_revoked_shows_nobody_and_the_rest_does,
    one_device_takes_the_place_of_another_or_nothing_has_changed,
    a_change_is_told_before_whoever_asked_for_it_hears_of_it,
    a_phrase_is_one_players_and_a_newer_one_replaces_it,
    a_bot_has_an_owner_and_both_have_their_bounds,
    a_retired_bot_is_known_by_nothing_and_keeps_its_name,
    when_something_was_shown_is_noted,
);

async fn a_player_is_known_by_id_and_by_token(Fixture { store, .. }: Fixture) {
    let ada = player(1, "Ada");
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    assert_eq!(store.player(ada.id).await.unwrap(), Some(ada.clone()));
    assert_eq!(known(&store, 1).await, Some(ada.clone()));
    assert_eq!(known(&store, 2).await, None);
    store.rename_player(ada.id, "Countess".to_owned()).await.unwrap();
    let renamed = known(&store, 1).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.created_ms), ("Countess", 1));
}

async fn a_token_or_an_id_serves_one_player_only(Fixture { store, .. }: Fixture) {
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    let same_id = store.create_player(player(1, "Eve"), device(1, 2)).await;
    let same_token = store.create_player(player(2, "Eve"), device(2, 1)).await;
    assert_eq!(same_id, Err(PlayerError::Exists));
    assert_eq!(same_token, Err(PlayerError::Exists));
    assert_eq!(store.admit(device(1, 1), 9).await, Err(PlayerError::Exists));
    assert_eq!(known(&store, 1).await, Some(player(1, "Ada")));
    assert_eq!(known(&store, 2).await, None);
    assert_eq!(store.player(player(2, "").id).await.unwrap(), None);
    assert!(store.is_name_free("Eve").await.unwrap(), "what was refused has changed nothing");
}

async fn renaming_nobody_is_refused(Fixture { store, .. }: Fixture) {
    let renamed = store.rename_player(player(1, "").id, "Nobody".to_owned()).await;
    assert_eq!(renamed, Err(PlayerError::Unknown));
}

async fn of_two_names_that_are_alike_the_second_is_refused(Fixture { store, .. }: Fixture) {
    store.create_player(player(1, "Iris"), device(1, 1)).await.unwrap();
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    for alike in ["Iris", "IRIS", "lris", "1ris"] {
        assert!(!store.is_name_free(alike).await.unwrap(), "{alike}");
        let refused = store.create_player(player(3, alike), device(3, 3)).await;
        assert_eq!(refused, Err(PlayerError::NameTaken), "{alike}");
        let refused = store.rename_player(player(2, "").id, alike.to_owned()).await;
        assert_eq!(refused, Err(PlayerError::NameTaken), "{alike}");
        store.rename_player(player(1, "").id, alike.to_owned()).await.unwrap();
    }
    assert_eq!(known(&store, 2).await, Some(player(2, "Eve")));
    store.rename_player(player(1, "").id, "Ida".to_owned()).await.unwrap();
    store.rename_player(player(2, "").id, "iris".to_owned()).await.unwrap();
}

async fn a_token_in_waiting_takes_its_place_when_it_is_shown(Fixture { store, .. }: Fixture) {
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    let id = device(1, 1).id;
    assert!(known(&store, 1).await.is_some());
    store.renew(id, [1; 32], [2; 32], 10).await.unwrap();
    store.renew(id, [1; 32], [3; 32], 20).await.unwrap();
    assert_eq!(store.admit(device(1, 3), 9).await, Err(PlayerError::Exists));
    assert_eq!(known(&store, 2).await, None, "another came after it");
    let old = store.holder([1; 32]).await.unwrap().unwrap();
    assert_eq!((old.issued_ms, old.next_ms, old.replaces), (1, Some(20), None));
    let new = store.holder([3; 32]).await.unwrap().unwrap();
    assert_eq!((new.player, new.replaces), (old.player, Some([1; 32])));

    store.promote(id, [3; 32], [1; 32], 30).await.unwrap();
    assert_eq!(known(&store, 1).await, None);
    let new = store.holder([3; 32]).await.unwrap().unwrap();
    let times = (new.issued_ms, new.used_ms, new.next_ms, new.replaces);
    assert_eq!(times, (20, Some(30), None, None));
    store.promote(id, [3; 32], [1; 32], 40).await.unwrap();
    assert!(known(&store, 3).await.is_some(), "shown twice at once, it is promoted once");
    let gone = store.renew(device(9, 9).id, [9; 32], [8; 32], 1).await;
    assert_eq!(gone, Err(PlayerError::Unknown));
}

async fn what_was_revoked_shows_nobody_and_the_rest_does(Fixture { store, .. }: Fixture) {
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    for token in [3, 4, 5] {
        store.admit(device(1, token), 9).await.unwrap();
        assert!(known(&store, token).await.is_some());
    }
    let (ada, eve) = (player(1, "").id, player(2, "").id);
    store.renew(device(1, 3).id, [3; 32], [6; 32], 10).await.unwrap();
    store.revoke(ada, Which::One(device(1, 3).id)).await.unwrap();
    assert_eq!((known(&store, 3).await, known(&store, 6).await), (None, None));
    let again = store.revoke(ada, Which::One(device(1, 3).id)).await;
    assert_eq!(again, Err(PlayerError::Unknown));
    let anothers = store.revoke(eve, Which::One(device(1, 4).id)).await;
    assert_eq!(anothers, Err(PlayerError::Unknown));

    store.revoke(ada, Which::AllBut(device(1, 4).id)).await.unwrap();
    assert_eq!((known(&store, 1).await, known(&store, 5).await), (None, None));
    assert!(known(&store, 4).await.is_some() && known(&store, 2).await.is_some());
    let left = store.credentials(ada).await.unwrap();
    assert_eq!(left.iter().map(|it| it.id).collect::<Vec<_>>(), [device(1, 4).id]);
}

async fn a_phrase_is_one_players_and_a_newer_one_replaces_it(Fixture { store, .. }: Fixture) {
    let ada = player(1, "Ada");
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    assert!(!store.is_claimed(ada.id).await.unwrap());
    store.set_recovery(ada.id, [1; 32]).await.unwrap();
    store.set_recovery(ada.id, [2; 32]).await.unwrap();
    assert!(store.is_claimed(ada.id).await.unwrap());
    assert_eq!(store.player_by_recovery([1; 32]).await.unwrap(), None);
    assert_eq!(store.player_by_recovery([2; 32]).await.unwrap(), Some(ada));
    let taken = store.set_recovery(player(2, "").id, [2; 32]).await;
    assert_eq!(taken, Err(PlayerError::Exists));
    assert_eq!(store.set_recovery(player(3, "").id, [3; 32]).await, Err(PlayerError::Unknown));
    assert!(!store.is_claimed(player(2, "").id).await.unwrap());
    assert!(!store.is_claimed(player(3, "").id).await.unwrap());
}

async fn a_bot_has_an_owner_and_both_have_their_bounds(Fixture { store, .. }: Fixture) {
    let bot =
        |n: u64| PlayerRow { owner: Some(player(1, "").id), ..player(n, &format!("bot {n}")) };
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    store.create_bot(bot(2), 2).await.unwrap();
    let like = PlayerRow { name: "ADA".to_owned(), ..bot(3) };
    assert_eq!(store.create_bot(like, 2).await, Err(PlayerError::NameTaken));
    store.create_bot(bot(3), 2).await.unwrap();
    assert_eq!(store.create_bot(bot(4), 2).await, Err(PlayerError::Full));
    assert_eq!(store.bots(player(1, "").id).await.unwrap(), [bot(2), bot(3)]);
    assert!(store.bots(bot(2).id).await.unwrap().is_empty());

    let label = |text: &str| KeyLabel { label: text.to_owned(), hint: "hxh_12".to_owned() };
    let key = |n: u8| {
        CredentialRow::key(KeyId::from_parts(n.into(), 0), bot(2).id, [n; 32], 5, label("home"))
    };
    assert_eq!(
        store.admit(CredentialRow { player: bot(9).id, ..key(7) }, 2).await,
        Err(PlayerError::Unknown)
    );
    store.admit(key(7), 2).await.unwrap();
    store.admit(key(8), 2).await.unwrap();
    assert_eq!(store.admit(key(9), 2).await, Err(PlayerError::Full));
    assert_eq!(store.credentials(bot(2).id).await.unwrap(), [key(7), key(8)]);
    assert_eq!(known(&store, 7).await, Some(bot(2)));
}

async fn a_retired_bot_is_known_by_nothing_and_keeps_its_name(Fixture { store, .. }: Fixture) {
    let (ada, eve) = (player(1, "").id, player(2, "").id);
    let bot = |n: u64| PlayerRow { owner: Some(ada), ..player(n, &format!("bot {n}")) };
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    store.create_bot(bot(3), 1).await.unwrap();
    for token in [3, 4] {
        store.admit(device(3, token), 9).await.unwrap();
        assert!(known(&store, token).await.is_some());
    }
    let retire = async |owner, bot| store.retire_bot(owner, bot, 9).await;
    assert_eq!(retire(eve, bot(3).id).await, Err(PlayerError::Unknown), "it is not Eve's");
    assert_eq!(retire(ada, eve).await, Err(PlayerError::Unknown), "Eve is no bot");
    assert!(known(&store, 3).await.is_some());
    retire(ada, bot(3).id).await.unwrap();
    assert_eq!(retire(ada, bot(3).id).await, Err(PlayerError::Unknown));

    assert_eq!((known(&store, 3).await, known(&store, 4).await), (None, None));
    assert_eq!(store.admit(device(3, 5), 9).await, Err(PlayerError::Unknown));
    assert_eq!(store.bots(ada).await.unwrap(), []);
    assert_eq!(store.player(bot(3).id).await.unwrap(), Some(bot(3)), "its games tell of it");
    let same = PlayerRow { name: "BOT 3".to_owned(), ..bot(4) };
    assert_eq!(store.create_bot(same, 1).await, Err(PlayerError::NameTaken));
    // It is not counted among those that one may have, and one without a key goes as well.
    store.create_bot(bot(5), 1).await.unwrap();
    retire(ada, bot(5).id).await.unwrap();
    assert!(known(&store, 1).await.is_some() && known(&store, 2).await.is_some());
}

async fn when_something_was_shown_is_noted(Fixture { store, .. }: Fixture) {
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    store.note_use(device(1, 1).id, [1; 32], 50);
    store.note_use(device(1, 1).id, [1; 32], 40);
    // Whatever is acknowledged later comes after it.
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    let used = store.credentials(player(1, "").id).await.unwrap()[0].used_ms;
    assert_eq!(used, Some(50));
    assert_eq!(store.holder([1; 32]).await.unwrap().unwrap().used_ms, Some(50));
}

async fn one_device_takes_the_place_of_another_or_nothing_has_changed(
    Fixture { store, .. }: Fixture,
) {
    store.create_player(player(1, "Ada"), device(1, 1)).await.unwrap();
    store.create_player(player(2, "Eve"), device(2, 2)).await.unwrap();
    let (adas, eves) = (device(1, 1).id, device(2, 2).id);
    assert_eq!(store.replace(device(1, 3), eves).await, Err(PlayerError::Unknown));
    assert_eq!(store.replace(device(1, 2), adas).await, Err(PlayerError::Exists));
    assert_eq!(known(&store, 1).await, Some(player(1, "Ada")));
    assert_eq!(known(&store, 2).await, Some(player(2, "Eve")));

    store.replace(device(1, 3), adas).await.unwrap();
    assert_eq!(known(&store, 1).await, None);
    assert_eq!(known(&store, 3).await, Some(player(1, "Ada")));
    assert_eq!(store.credentials(player(1, "").id).await.unwrap().len(), 1);
}

async fn a_change_is_told_before_whoever_asked_for_it_hears_of_it(
    Fixture { store, faults, .. }: Fixture,
) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    store.tell({
        let heard = Arc::clone(&heard);
        move |change| heard.lock().unwrap().push(format!("{change:?}"))
    });
    let take = || std::mem::take(&mut *heard.lock().unwrap());
    let (ada, id) = (player(1, "Ada"), device(1, 1).id);
    let (renamed, which) = ("Countess".to_owned(), Which::AllBut(id));
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.admit(device(1, 2), 9).await.unwrap();
    assert!(take().is_empty());

    store.rename_player(ada.id, renamed.clone()).await.unwrap();
    let told = PlayerChange::Renamed { player: ada.id, name: &renamed };
    assert_eq!(take(), [format!("{told:?}")]);
    let told = PlayerChange::SignedOut { player: ada.id, which };
    // Whoever asks goes away while it is on its way to the disk.
    faults.hold_commits(true);
    assert!(store.revoke(ada.id, which).now_or_never().is_none());
    assert!(take().is_empty(), "it is not durable");
    faults.hold_commits(false);
    assert_eq!(store.revoke(ada.id, which).await, Err(PlayerError::Unknown), "it was done");
    assert_eq!(take(), [format!("{told:?}")], "what was refused is not told");
}

#[tokio::test]
async fn players_of_an_older_database_keep_their_tokens_and_get_names_of_their_own() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 2);
    // The third of them is the oldest.
    let names = [
        "Anna",
        "anna",
        "Аnna",
        "Guest 4821",
        "Guest 4821",
        "Anna 2",
        &"ø".repeat(24),
        &"Ø".repeat(24),
    ];
    for (n, name) in (1_u64..).zip(names) {
        let id = player(n, name).id.to_string();
        let created_ms = if n == 3 { 0 } else { n.cast_signed() };
        let insert = "INSERT INTO players VALUES (?1, ?2, ?3, ?4)";
        let hash = [u8::try_from(n).unwrap(); 32];
        database.execute(insert, (id, name, created_ms, hash)).unwrap();
    }
    drop(database);

    let store = Store::open_with(dir.path(), options(4096).0).unwrap();
    let mut found = Vec::new();
    for token in 1..=8 {
        found.push(known(&store, token).await.unwrap().name);
    }
    let expected = [
        "Anna 2",
        "anna 3",
        "Аnna",
        "Guest 4821",
        "Guest 4821 2",
        "Anna 2 2",
        &"ø".repeat(24),
        &format!("{} 2", "Ø".repeat(22)),
    ];
    assert_eq!(found, expected);
    let device = &store.credentials(player(5, "").id).await.unwrap()[0];
    assert_eq!((device.created_ms, device.used_ms), (5, Some(5)));
    store.close();
    let store = Store::open_with(dir.path(), options(4096).0).unwrap();
    assert_eq!(known(&store, 2).await.unwrap().name, "anna 3");
}
