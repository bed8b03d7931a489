//! What operators do, alike on both engines and after a restart; and that its log is never changed.

use rusqlite::Connection;

use super::*;
use crate::ids::ReportId;

on_both_engines!(
    the_newest_mute_or_ban_holds_until_it_runs_out_or_is_taken_back,
    what_holds_of_an_owner_holds_of_their_bots,
    a_notice_is_there_until_it_is_read,
    of_a_mute_and_its_end_only_the_newest_is_told,
    so_many_notices_are_kept_and_the_oldest_go,
    a_name_that_an_operator_gives_is_written_with_its_act_and_notice_or_not_at_all,
    the_log_is_told_from_the_newest_back,
    nothing_is_done_to_nobody,
    a_report_that_is_settled_is_in_the_log_once_and_is_counted,
    players_are_found_by_name_or_by_part_of_one,
);

fn act(player: PlayerId, kind: ActKind, at_ms: u64, until_ms: Option<u64>) -> Act {
    let (by, text) = ("op".to_owned(), format!("{} at {at_ms}", kind.word()));
    Act { player, kind, by, text, at_ms, until_ms }
}

async fn does(
    store: &Store,
    player: PlayerId,
    kind: ActKind,
    at_ms: u64,
    until_ms: Option<u64>,
) -> NoticeId {
    let notice = NoticeId::from_parts(at_ms, 0);
    store.act(act(player, kind, at_ms, until_ms), notice).await.unwrap();
    notice
}

async fn two(store: &Store) -> (PlayerId, PlayerId) {
    let (ada, eve) = (player(1, "Ada"), player(2, "Eve"));
    store.create_player(ada.clone(), device(1, 1)).await.unwrap();
    store.create_player(eve.clone(), device(2, 2)).await.unwrap();
    (ada.id, eve.id)
}

async fn the_newest_mute_or_ban_holds_until_it_runs_out_or_is_taken_back(
    Fixture { store, .. }: Fixture,
) {
    let (ada, eve) = two(&store).await;
    does(&store, ada, ActKind::Mute, 10, Some(20)).await;
    let mute = store.muted(ada, 19).unwrap();
    assert_eq!((&*mute.by, &*mute.reason), ("op", "mute at 10"));
    assert_eq!((mute.at_ms, mute.until_ms), (10, Some(20)));
    assert_eq!(
        (store.muted(ada, 20), store.muted(eve, 19), store.banned(ada, 19)),
        Default::default()
    );
    does(&store, ada, ActKind::Mute, 15, None).await;
    assert_eq!(store.muted(ada, u64::MAX).unwrap().until_ms, None);
    does(&store, ada, ActKind::Ban, 16, Some(30)).await;
    does(&store, ada, ActKind::Unmute, 17, None).await;
    assert_eq!(store.muted(ada, 18), None);
    assert_eq!(&*store.banned(ada, 29).unwrap().reason, "ban at 16");
    assert_eq!(store.banned(ada, 30), None, "it ran out by itself");
    does(&store, ada, ActKind::Ban, 40, None).await;
    does(&store, ada, ActKind::Unban, 41, None).await;
    assert_eq!(store.banned(ada, 42), None);
}

async fn what_holds_of_an_owner_holds_of_their_bots(Fixture { store, .. }: Fixture) {
    let (ada, _) = two(&store).await;
    let bot = PlayerRow { owner: Some(ada), ..player(3, "Ada's bot") };
    store.create_bot(bot.clone(), 9).await.unwrap();
    does(&store, ada, ActKind::Ban, 10, Some(20)).await;
    does(&store, bot.id, ActKind::Mute, 10, None).await;
    assert!(store.banned(bot.id, 19).is_some() && store.banned(bot.id, 20).is_none());
    assert!(store.muted(bot.id, 30).is_some() && store.muted(ada, 30).is_none());
}

async fn a_notice_is_there_until_it_is_read(Fixture { store, .. }: Fixture) {
    let (ada, eve) = two(&store).await;
    let first = does(&store, ada, ActKind::Warn, 10, None).await;
    let second = does(&store, ada, ActKind::Mute, 11, Some(20)).await;
    let told = store.notices(ada);
    let [warning, muted] = &told[..] else { panic!("{told:?}") };
    assert_eq!((warning.id, warning.kind, warning.at_ms), (first, NoticeKind::Warning, 10));
    assert_eq!((muted.id, muted.kind, muted.until_ms), (second, NoticeKind::Muted, Some(20)));
    assert_eq!(muted.text, "mute at 11");
    assert_eq!(store.notices(eve), []);
    assert_eq!(store.read_notice(eve, first).await, Err(PlayerError::Unknown));
    store.read_notice(ada, first).await.unwrap();
    assert_eq!(store.notices(ada), told[1..]);
    assert_eq!(store.read_notice(ada, first).await, Err(PlayerError::Unknown));
}

async fn of_a_mute_and_its_end_only_the_newest_is_told(Fixture { store, .. }: Fixture) {
    let (ada, _) = two(&store).await;
    does(&store, ada, ActKind::Warn, 10, None).await;
    does(&store, ada, ActKind::Mute, 11, None).await;
    does(&store, ada, ActKind::Unmute, 12, None).await;
    does(&store, ada, ActKind::Ban, 13, None).await;
    let kinds: Vec<_> = store.notices(ada).into_iter().map(|notice| notice.kind).collect();
    assert_eq!(kinds, [NoticeKind::Warning, NoticeKind::Unmuted]);
}

async fn a_name_that_an_operator_gives_is_written_with_its_act_and_notice_or_not_at_all(
    Fixture { store, .. }: Fixture,
) {
    let (ada, eve) = two(&store).await;
    let rename = async |name: &str, at_ms| {
        let act = act(ada, ActKind::Rename, at_ms, None);
        store.rename_by(name.to_owned(), act, NoticeId::from_parts(at_ms, 0)).await
    };
    let name = async |id| store.player(id).await.unwrap().unwrap().name;
    let acts = async || {
        let rows = store.acts(None, None, 9).await.unwrap();
        rows.into_iter().map(|row| (row.act.kind, row.act.at_ms)).collect::<Vec<_>>()
    };
    assert_eq!(rename("EVE", 10).await, Err(PlayerError::NameTaken));
    assert_eq!((name(ada).await, acts().await, store.notices(ada)), ("Ada".into(), vec![], vec![]));
    does(&store, ada, ActKind::Mute, 11, None).await;
    rename("Countess", 12).await.unwrap();
    rename("Guest 4821", 13).await.unwrap();
    assert_eq!((&*name(ada).await, &*name(eve).await), ("Guest 4821", "Eve"));
    assert_eq!(known(&store, 1).await.unwrap().name, "Guest 4821");
    let kinds = [(ActKind::Rename, 13), (ActKind::Rename, 12), (ActKind::Mute, 11)];
    assert_eq!(acts().await, kinds);
    let told: Vec<_> = store.notices(ada).into_iter().map(|it| (it.kind, it.at_ms)).collect();
    assert_eq!(told, [(NoticeKind::Muted, 11), (NoticeKind::Renamed, 13)]);
    assert!(store.is_name_free("Ada").await.unwrap());
}

async fn so_many_notices_are_kept_and_the_oldest_go(Fixture { store, .. }: Fixture) {
    let (ada, _) = two(&store).await;
    for at_ms in 1..=MOST_NOTICES as u64 + 3 {
        does(&store, ada, ActKind::Warn, at_ms, None).await;
    }
    let told = store.notices(ada);
    assert_eq!((told.len(), told[0].at_ms), (MOST_NOTICES, 4));
}

async fn the_log_is_told_from_the_newest_back(Fixture { store, .. }: Fixture) {
    let (ada, eve) = two(&store).await;
    for (who, at_ms) in [(ada, 1), (eve, 2), (ada, 3), (ada, 4)] {
        does(&store, who, ActKind::Warn, at_ms, None).await;
    }
    let numbers = |rows: Vec<ActRow>| rows.into_iter().map(|row| row.number).collect::<Vec<_>>();
    assert_eq!(numbers(store.acts(None, None, 9).await.unwrap()), [4, 3, 2, 1]);
    assert_eq!(numbers(store.acts(None, Some(4), 2).await.unwrap()), [3, 2]);
    assert_eq!(numbers(store.acts(Some(ada), None, 9).await.unwrap()), [4, 3, 1]);
    assert_eq!(numbers(store.acts(Some(ada), Some(3), 9).await.unwrap()), [1]);
    let second = &store.acts(Some(eve), None, 9).await.unwrap()[0];
    let expected =
        ActRow { number: 2, name: "Eve".to_owned(), act: act(eve, ActKind::Warn, 2, None) };
    assert_eq!(*second, expected);
}

async fn nothing_is_done_to_nobody(Fixture { store, .. }: Fixture) {
    let nobody = player(9, "").id;
    let refused = store.act(act(nobody, ActKind::Ban, 1, None), NoticeId::from_parts(1, 0)).await;
    assert_eq!(refused, Err(PlayerError::Unknown));
    assert_eq!(store.acts(None, None, 9).await.unwrap(), []);
    assert_eq!(store.banned(nobody, 2), None);
}

async fn a_report_that_is_settled_is_in_the_log_once_and_is_counted(
    Fixture { store, .. }: Fixture,
) {
    let (ada, eve) = two(&store).await;
    let id = ReportId::from_parts(1, 0);
    let (reason, table, text, lines) = (Reason::Spam, None, None, Vec::new());
    let report = NewReport { id, by: ada, about: eve, table, reason, text, at_ms: 1, lines };
    store.add_report(report, 9).await.unwrap();
    let settle = async || store.settle_report(id, 5, "op".into(), "warned".into()).await;
    settle().await.unwrap();
    assert_eq!(settle().await, Err(ReportError::Settled));
    let settled = Act { text: "warned".to_owned(), ..act(eve, ActKind::Settle, 5, None) };
    let log = store.acts(None, None, 9).await.unwrap();
    assert_eq!(log.into_iter().map(|row| row.act).collect::<Vec<_>>(), [settled]);
    assert_eq!(store.report_counts(eve).await.unwrap(), [1, 0]);
    assert_eq!(store.report_counts(ada).await.unwrap(), [0, 1]);
}

async fn players_are_found_by_name_or_by_part_of_one(Fixture { store, .. }: Fixture) {
    two(&store).await;
    store.create_player(player(3, "Adam"), device(3, 3)).await.unwrap();
    let find = async |text: &str, most| store.find_players(text.to_owned(), most).await.unwrap();
    let ada = Found { players: vec![player(1, "Ada")], exact: true };
    assert_eq!(find("ada", 9).await, ada);
    assert_eq!(find("AdA", 9).await, ada);
    let some = Found { players: vec![player(3, "Adam"), player(1, "Ada")], exact: false };
    assert_eq!(find("AD", 9).await, some);
    assert_eq!(find("Ad\u{430}", 9).await, some, "looks like her name, and is another");
    assert_eq!(find("AD", 1).await.players, [player(3, "Adam")]);
    assert_eq!(find("bo", 9).await, Found { players: Vec::new(), exact: false });
}

#[tokio::test]
async fn what_was_done_holds_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    let (ada, eve) = two(&store).await;
    let bot = PlayerRow { owner: Some(eve), ..player(3, "Eve's bot") };
    store.create_bot(bot.clone(), 9).await.unwrap();
    for kind in [ActKind::Warn, ActKind::Mute, ActKind::Ban] {
        does(&store, eve, kind, 10, Some(20)).await;
    }
    does(&store, ada, ActKind::Mute, 10, None).await;
    does(&store, ada, ActKind::Unmute, 11, None).await;
    let before = (store.muted(eve, 12), store.banned(bot.id, 12), store.notices(eve));
    assert_eq!(before.2.len(), 1, "of two notices by one name the newer stands");
    drop(store);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    assert_eq!((store.muted(eve, 12), store.banned(bot.id, 12), store.notices(eve)), before);
    assert_eq!((store.muted(ada, 12), store.notices(ada).len()), (None, 1));
    assert_eq!(store.acts(None, None, 9).await.unwrap().len(), 5);
}

#[tokio::test]
async fn the_log_of_acts_is_never_changed_whoever_tries() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    let (ada, _) = two(&store).await;
    does(&store, ada, ActKind::Warn, 10, None).await;
    let log = store.acts(None, None, 9).await.unwrap();
    drop(store);
    let database = Connection::open(dir.path().join("hexhall.db")).unwrap();
    for change in [
        "UPDATE acts SET text = 'nothing'",
        "DELETE FROM acts",
        "INSERT OR REPLACE INTO acts (number, player, kind, operator, text, at_ms)
         VALUES (1, 'plr', 'warn', 'op', 'nothing', 1)",
    ] {
        let refused = database.execute(change, []).unwrap_err();
        assert!(refused.to_string().contains("the log of acts is never changed"), "{refused}");
    }
    drop(database);
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    assert_eq!(store.acts(None, None, 9).await.unwrap(), log);
}
