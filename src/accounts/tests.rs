//! Who somebody is, and stays.

use super::*;

const DAY: Millis = 24 * 3_600_000;

fn accounts() -> (Accounts, TimeSource) {
    let time = TimeSource::manual(Stamp(1_700_000_000_000));
    (Accounts::new(Store::memory(), time.clone(), Chance::seeded([1; 32])), time)
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

async fn guest(accounts: &Accounts, called: Option<&str>) -> (Token, Known) {
    let token = Token::generate().unwrap();
    let known = accounts.create_guest(&token, called.map(name)).await.unwrap();
    (token, known)
}

async fn is_known(accounts: &Accounts, token: &Token) -> bool {
    accounts.by_token(token).await.unwrap().is_some()
}

/// A new phrase, as it is written.
async fn words(accounts: &Accounts, known: &Known) -> String {
    accounts.new_phrase(known).await.unwrap().reveal().join(" ")
}

/// The free name that comes with a refusal.
fn free(refused: AccountError) -> String {
    match refused {
        AccountError::NameTaken { free, .. } | AccountError::NameReserved { free, .. } => {
            free.to_string()
        }
        other => panic!("not about the name: {other}"),
    }
}

#[test]
fn a_wait_is_told_in_minutes_and_a_longer_one_in_hours_or_days() {
    let told = [1, 90, 91, 119, 120, 121].map(|wait| minutes(wait * 60_000));
    assert_eq!(told, ["a minute", "90 minutes", "2 hours", "2 hours", "2 hours", "3 hours"]);
    let told = [47, 48, 49, 168].map(|hours| minutes(hours * 3_600_000 - 1));
    assert_eq!(told, ["47 hours", "48 hours", "3 days", "7 days"]);
}

#[tokio::test]
async fn a_guest_is_found_again_by_the_token_and_by_no_other() {
    let (accounts, _) = accounts();
    let token = Token::generate().unwrap();
    assert_eq!(accounts.by_token(&token).await.unwrap(), None);

    let guest = accounts.create_guest(&token, None).await.unwrap();
    assert!(guest.player.name.starts_with("Guest "), "{}", guest.player.name);
    assert_eq!(accounts.by_token(&token).await.unwrap(), Some(guest));
    assert!(!is_known(&accounts, &Token::generate().unwrap()).await);
}

#[tokio::test]
async fn a_name_once_changed_is_found_with_the_token() {
    let (accounts, _) = accounts();
    let (token, Known { player, .. }) = guest(&accounts, Some("Piet")).await;
    assert_eq!(&*player.name, "Piet");
    let renamed = accounts.rename(player, name("John")).await.unwrap();
    assert_eq!(&*renamed.name, "John");
    assert_eq!(accounts.by_token(&token).await.unwrap().unwrap().player, renamed);
}

#[tokio::test]
async fn a_name_that_is_like_anothers_is_refused_with_one_that_is_free() {
    let (accounts, _) = accounts();
    let (_, anna) = guest(&accounts, Some("Anna")).await;
    let (_, bert) = guest(&accounts, Some("Bert")).await;
    for alike in ["Anna", "anna", "Аnnа", "ANNA"] {
        let token = Token::generate().unwrap();
        let refused = accounts.create_guest(&token, Some(name(alike))).await.unwrap_err();
        assert_eq!(free(refused), format!("{alike} 2"));
        assert!(!is_known(&accounts, &token).await, "nobody was made");
        let refused = accounts.rename(bert.player.clone(), name(alike)).await.unwrap_err();
        accounts.rename(bert.player.clone(), name(&free(refused))).await.unwrap();
        accounts.rename(bert.player.clone(), name("Bert E.")).await.unwrap();
    }
    let own = accounts.rename(anna.player, name("ANNA")).await.unwrap();
    assert_eq!(&*own.name, "ANNA", "one's own name in other letters is one's own");
}

#[tokio::test]
async fn a_name_that_was_given_up_is_free_again() {
    let (accounts, _) = accounts();
    let (_, anna) = guest(&accounts, Some("Anna")).await;
    accounts.rename(anna.player, name("Ada")).await.unwrap();
    guest(&accounts, Some("anna")).await;
}

#[tokio::test]
async fn a_name_of_the_houses_is_refused_with_one_that_is_not() {
    let (accounts, _) = accounts();
    let (_, bert) = guest(&accounts, Some("Bert")).await;
    for house in ["CPU level 5", "Guest 1234", "hexhall", "ADMlN", "guest", "admin 2", "Аdmin"] {
        let refused = accounts.rename(bert.player.clone(), name(house)).await.unwrap_err();
        assert!(refused.to_string().contains("reserved for the house"), "{refused}");
        let free = free(refused);
        assert!(free.starts_with("Player "), "{free}");
        accounts.rename(bert.player.clone(), name(&free)).await.unwrap();
    }
}

#[tokio::test]
async fn guests_are_never_refused_however_many_names_are_taken() {
    let time = TimeSource::manual(Stamp(1));
    let store = Store::memory();
    // The same draws twice: each name of the second is the first's.
    for seed in [[1; 32], [1; 32]] {
        let accounts = Accounts::new(store.clone(), time.clone(), Chance::seeded(seed));
        for _ in 0..50 {
            // Ids come from the same draws, and have to differ.
            time.advance(1);
            let (_, known) = guest(&accounts, None).await;
            assert!(known.player.name.starts_with("Guest "));
        }
    }
}

#[tokio::test]
async fn an_old_token_is_good_until_the_new_one_was_shown() {
    let (accounts, _) = accounts();
    let (old, known) = guest(&accounts, None).await;
    let lost = accounts.renew(&known).await.unwrap();
    assert!(is_known(&accounts, &old).await, "the answer may be lost");
    let new = accounts.renew(&known).await.unwrap();
    assert!(!is_known(&accounts, &lost).await, "only the newest is in waiting");
    assert!(is_known(&accounts, &old).await);

    let shown = accounts.by_token(&new).await.unwrap().unwrap();
    assert_eq!((&shown.player, shown.credential), (&known.player, known.credential));
    assert!(!is_known(&accounts, &old).await);
    assert!(is_known(&accounts, &new).await);
}

#[tokio::test]
async fn a_token_of_ninety_days_is_renewed_unasked_and_once_in_a_while() {
    let (accounts, time) = accounts();
    let (old, _) = guest(&accounts, None).await;
    let renewed = async |token: &Token| {
        let known = accounts.by_token(token).await.unwrap().unwrap();
        accounts.renew_if_old(&known).await
    };
    time.advance(90 * DAY - 1);
    assert_eq!(renewed(&old).await, None);
    time.advance(1);
    let lost = renewed(&old).await.unwrap();
    time.advance(59_999);
    assert_eq!(renewed(&old).await, None, "one is on its way");
    time.advance(1);
    let new = renewed(&old).await.unwrap();
    assert!(!is_known(&accounts, &lost).await);
    assert_eq!(renewed(&new).await, None, "it is young");
    time.advance(90 * DAY);
    assert!(renewed(&new).await.is_some());
}

#[tokio::test]
async fn a_phrase_signs_in_elsewhere_and_leaves_other_devices_alone() {
    let (accounts, _) = accounts();
    let (first, known) = guest(&accounts, Some("Anna")).await;
    assert!(!accounts.is_claimed(known.player.id).await.unwrap());
    let old = words(&accounts, &known).await;
    let phrase = words(&accounts, &known).await;
    assert!(accounts.is_claimed(known.player.id).await.unwrap());

    let second = Token::generate().unwrap();
    let refused = accounts.recover(&old, &second, None).await.unwrap_err();
    assert!(matches!(refused, AccountError::UnknownPhrase));
    let there = accounts.recover(&phrase, &second, None).await.unwrap();
    assert_eq!(there.player, known.player);
    assert!(is_known(&accounts, &first).await && is_known(&accounts, &second).await);
    assert_eq!(accounts.devices(known.player.id).await.unwrap().len(), 2);

    accounts.sign_out_others(&there).await.unwrap();
    assert!(!is_known(&accounts, &first).await && is_known(&accounts, &second).await);
    accounts.sign_out_others(&there).await.unwrap();
}

#[tokio::test]
async fn one_device_too_many_signs_out_the_one_not_used_for_longest() {
    let (accounts, time) = accounts();
    let (first, known) = guest(&accounts, None).await;
    let phrase = words(&accounts, &known).await;
    let mut tokens = vec![];
    for _ in 1..MOST_DEVICES {
        time.advance(DAY);
        let token = Token::generate().unwrap();
        accounts.recover(&phrase, &token, None).await.unwrap();
        tokens.push(token);
    }
    time.advance(DAY);
    assert!(is_known(&accounts, &first).await, "and so it was used");
    let token = Token::generate().unwrap();
    let before = accounts.devices(known.player.id).await.unwrap();
    let taken = accounts.recover(&phrase, &tokens[1], None).await.unwrap_err();
    assert!(matches!(taken, AccountError::Write(PlayerError::Exists)), "{taken}");
    let after = accounts.devices(known.player.id).await.unwrap();
    assert_eq!(after, before, "what fails signs nobody out");
    accounts.recover(&phrase, &token, None).await.unwrap();
    assert!(is_known(&accounts, &first).await && is_known(&accounts, &token).await);
    assert!(!is_known(&accounts, &tokens[0]).await && is_known(&accounts, &tokens[1]).await);
    assert_eq!(accounts.devices(known.player.id).await.unwrap().len(), MOST_DEVICES);
}

#[tokio::test]
async fn a_bot_is_known_by_its_keys_and_by_none_that_was_revoked() {
    let (accounts, time) = accounts();
    let (_, owner) = guest(&accounts, Some("Anna")).await;
    let (_, other) = guest(&accounts, Some("Bert")).await;
    let bot = accounts.create_bot(&owner, name("Annabot")).await.unwrap();
    assert!(bot.bot);
    assert_eq!(accounts.bots(owner.player.id).await.unwrap(), std::slice::from_ref(&bot));
    assert!(matches!(accounts.bot(&other, bot.id).await, Err(AccountError::UnknownBot)));
    let person = accounts.bot(&owner, other.player.id).await;
    assert!(matches!(person, Err(AccountError::UnknownBot)));

    let mine = accounts.bot(&owner, bot.id).await.unwrap();
    let (key, row) = accounts.create_key(&owner, &mine, &name("at home")).await.unwrap();
    assert_eq!(row.used_ms, None);
    time.advance(1);
    let (spare, spare_row) = accounts.create_key(&owner, &mine, &name("spare")).await.unwrap();
    time.advance(4);
    let known = accounts.by_token(&key).await.unwrap().unwrap();
    assert_eq!(known.player, bot);
    let used = accounts.keys(&mine).await.unwrap();
    assert_eq!(
        used.iter().map(|key| key.used_ms).collect::<Vec<_>>(),
        [Some(1_700_000_000_005), None]
    );

    assert!(matches!(accounts.new_phrase(&known).await, Err(AccountError::NotForBots)));
    assert!(matches!(accounts.renew(&known).await, Err(AccountError::NotForBots)));
    let refused = accounts.create_bot(&known, name("botbot")).await;
    assert!(matches!(refused, Err(AccountError::NotForBots)));

    accounts.revoke_key(&mine, row.id).await.unwrap();
    assert!(!is_known(&accounts, &key).await && is_known(&accounts, &spare).await);
    let again = accounts.revoke_key(&mine, row.id).await;
    assert!(matches!(again, Err(AccountError::UnknownKey)));
    assert_eq!(accounts.keys(&mine).await.unwrap()[0].id, spare_row.id);
}

#[tokio::test]
async fn bots_and_keys_are_bounded() {
    let (accounts, _) = accounts();
    let (_, owner) = guest(&accounts, None).await;
    for n in 0..MOST_BOTS {
        accounts.create_bot(&owner, name(&format!("bot {n}"))).await.unwrap();
    }
    let refused = accounts.create_bot(&owner, name("one more")).await;
    assert!(matches!(refused, Err(AccountError::TooMany { what: "bots", most: MOST_BOTS })));
    let bot = accounts.bots(owner.player.id).await.unwrap()[0].id;
    let bot = accounts.bot(&owner, bot).await.unwrap();
    for _ in 0..MOST_KEYS {
        accounts.create_key(&owner, &bot, &name("key")).await.unwrap();
    }
    let refused = accounts.create_key(&owner, &bot, &name("key")).await;
    assert!(matches!(refused, Err(AccountError::TooMany { what: "keys", most: MOST_KEYS })));
}

#[tokio::test]
async fn names_phrases_and_signing_out_are_limited_and_what_is_refused_for_itself_does_not_count() {
    let (accounts, time) = accounts();
    let accounts = accounts.limited();
    let (_, known) = guest(&accounts, Some("Anna")).await;
    let mut player = known.player.clone();
    for n in 0..5 {
        for taken in ["hexhall", "Guest 1"] {
            assert!(accounts.rename(player.clone(), name(taken)).await.is_err());
        }
        player = accounts.rename(player, name(&format!("Anna {n}"))).await.unwrap();
    }
    let refused = accounts.rename(player.clone(), name("Ada")).await.unwrap_err();
    assert_eq!(refused.to_string(), "too many names: try again in 12 minutes");
    time.advance(12 * 60_000);
    accounts.rename(player, name("Ada")).await.unwrap();

    for _ in 0..60 {
        accounts.sign_out_others(&known).await.unwrap();
    }
    let refused = accounts.sign_out_others(&known).await.unwrap_err();
    assert!(matches!(refused, AccountError::TooOften { wait: 60_000, .. }), "{refused}");

    let address = Some(Address::of([192, 0, 2, 1].into()));
    let token = Token::generate().unwrap();
    let good = Phrase::generate().unwrap().reveal().join(" ");
    for _ in 0..20 {
        let slip = accounts.recover("twelve words", &token, address).await.unwrap_err();
        assert!(matches!(slip, AccountError::Phrase(_)));
        let refused = accounts.recover(&good, &token, address).await.unwrap_err();
        assert!(matches!(refused, AccountError::UnknownPhrase));
    }
    let refused = accounts.recover(&good, &token, address).await.unwrap_err();
    assert!(matches!(refused, AccountError::TooOften { wait: 180_000, .. }), "{refused}");
    let spared = accounts.recover(&good, &token, None).await.unwrap_err();
    assert!(matches!(spared, AccountError::UnknownPhrase));
}
