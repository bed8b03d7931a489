//! `hello`: first, once, in time, and as whom.

use super::*;
use crate::accounts::token::NotAToken;
use crate::accounts::{Known, Name, Token};
use crate::gateway::settings::Allowance;
use crate::ids::{KeyId, PlayerId};
use crate::store::Which;

#[test]
fn a_program_is_told_its_token_and_is_the_same_player_with_it() {
    local(async {
        let house = House::new();
        for format in [Format::Json, Format::MsgPack] {
            let first = house.connect(format).await.welcome("").await;
            let token = first.token.unwrap();
            assert!(first.player.name.starts_with("Guest "), "{}", first.player.name);
            assert_eq!(first.limits.frame_bytes, 4_096);
            assert_eq!((first.limits.requests_seated, first.limits.requests_watching), (100, 50));
            assert_eq!((first.limits.window_s, first.now_ms), (20, 1_700_000_000_000));

            let again = format!(r#","token":"{token}","name":" Ada {format:?} ""#);
            let second = house.connect(format).await.welcome(&again).await;
            assert_eq!(second.player.id, first.player.id);
            assert_eq!(second.player.name, format!("Ada {format:?}"));
            assert_eq!(second.token, None, "a token is told once");

            let bearer = Shown::Bearer(token.parse());
            let third = house.connect_as(format, bearer, ROOMY).await.welcome("").await;
            assert_eq!(third.player, second.player);
        }
    });
}

#[test]
fn a_browser_is_known_by_its_cookie_and_told_no_token() {
    local(async {
        let house = House::new();
        let token = Token::generate().unwrap();
        let new = Shown::NewCookie(token.clone());
        let first = house.connect_as(Format::Json, new, ROOMY).await.welcome("").await;
        assert_eq!(first.token, None);

        let known = Shown::Cookie(token);
        let second = house.connect_as(Format::Json, known, ROOMY).await.welcome("").await;
        assert_eq!(second.player, first.player);
        assert_eq!(second.token, None);
    });
}

#[test]
fn everything_but_hello_is_refused_before_it_and_hello_after_it() {
    local(async {
        let house = House::new();
        let mut peer = house.connect(Format::Json).await;
        assert_eq!(peer.refused("lobby", "").await.code, Code::HelloFirst);
        assert_eq!(peer.refused("watch", r#","table":"no id""#).await.code, Code::HelloFirst);
        peer.welcome("").await;
        assert_eq!(peer.refused("hello", "").await.code, Code::HelloTwice);
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
        assert_eq!(house.tables.state().lobby, [LobbyAsk::Follow]);
    });
}

#[test]
fn a_bad_token_changes_nothing_and_the_session_lives() {
    local(async {
        let house = House::new();
        let stranger = Token::generate().unwrap();
        let mut peer = house.connect(Format::Json).await;
        for token in ["", "abc", &stranger.reveal()] {
            let rest = format!(r#","token":"{token}","name":"Eve""#);
            assert_eq!(peer.refused("hello", &rest).await.code, Code::BadToken);
        }
        assert!(peer.welcome("").await.token.is_some());

        for bearer in [Ok(stranger), Err(NotAToken)] {
            let shown = Shown::Bearer(bearer);
            let mut peer = house.connect_as(Format::Json, shown, ROOMY).await;
            assert_eq!(peer.refused("hello", "").await.code, Code::BadToken);
        }
    });
}

#[test]
fn a_bad_name_makes_no_guest_and_renames_nobody() {
    local(async {
        let house = House::new();
        let mut peer = house.connect(Format::Json).await;
        for name in ["", "   ", &"x".repeat(25), "a\u{202e}b", "a\\u0000b"] {
            let refused = peer.refused("hello", &format!(r#","name":"{name}""#)).await;
            assert_eq!(refused.code, Code::BadRequest, "{name:?}");
        }
        let token = peer.welcome("").await.token.unwrap();
        let mut again = house.connect(Format::Json).await;
        let rest = format!(r#","token":"{token}","name":"\t""#);
        assert_eq!(again.refused("hello", &rest).await.code, Code::BadRequest);
        let welcome = again.welcome(&format!(r#","token":"{token}""#)).await;
        assert!(welcome.player.name.starts_with("Guest "));
    });
}

#[test]
fn whoever_says_no_hello_for_ten_seconds_is_closed() {
    local(async {
        let house = House::new();
        let mut peer = house.connect(Format::Json).await;
        assert_eq!(peer.refused("lobby", "").await.code, Code::HelloFirst);
        house.time.advance(9_999);
        settle().await;
        assert!(matches!(peer.hear_now(), Some(Heard::Ping)), "it lives");
        house.time.advance(1);
        assert_eq!(peer.end().await, Some(4000));
    });
}

#[test]
fn one_address_makes_so_many_guests_and_then_has_to_wait() {
    local(async {
        let limit = Allowance { times: 2.try_into().unwrap(), window: 60_000 };
        let house =
            House::with(Settings { guests_per_address: Some(limit), ..Settings::default() });
        house.guest(Format::Json).await;
        house.guest(Format::Json).await;
        let mut third = house.connect(Format::Json).await;
        let refused = third.refused("hello", "").await;
        assert_eq!((refused.code, refused.retry_ms), (Code::RateLimited, Some(30_000)));
    });
}

/// A guest who has a new token that takes the place of theirs when it is shown: showing it has to
/// be written down.
async fn with_a_token_in_waiting(house: &House) -> (Known, String) {
    let token = Token::generate().unwrap();
    let known = house.gateway.accounts.create_guest(&token, None).await.unwrap();
    let next = house.gateway.accounts.renew(&known).await.unwrap();
    (known, format!(r#","token":"{}""#, next.reveal()))
}

#[test]
fn a_new_guest_comes_in_whoever_else_is_signed_out_meanwhile() {
    local(async {
        let house = House::new();
        let mut peer = house.connect(Format::Json).await;
        house.faults.hold_commits(true);
        peer.say("hello", r#","name":"Ada""#).await;
        settle().await;
        let (somebody, device) = (PlayerId::from_parts(1, 1), KeyId::from_parts(1, 1));
        house.gateway.live().sign_out(somebody, Which::AllBut(device));
        house.faults.hold_commits(false);
        match peer.reply().await.reply {
            Reply::Welcome(welcome) => assert_eq!(welcome.player.name, "Ada"),
            reply => panic!("a welcome was due, and it was {reply:?}"),
        }
    });
}

#[test]
fn whoever_is_signed_out_while_they_come_in_is_not_let_in() {
    local(async {
        for revoked_first in [true, false] {
            let house = House::new();
            let (known, rest) = with_a_token_in_waiting(&house).await;
            let (store, which) = (house.store.clone(), Which::One(known.credential));
            let revoke = async move { store.revoke(known.player.id, which).await.unwrap() };
            let mut peer = house.connect(Format::Json).await;
            house.faults.hold_commits(true);
            if revoked_first {
                tokio::task::spawn_local(revoke);
                settle().await;
                peer.say("hello", &rest).await;
            } else {
                peer.say("hello", &rest).await;
                settle().await;
                tokio::task::spawn_local(revoke);
            }
            settle().await;
            house.faults.hold_commits(false);
            assert_eq!(error(peer.reply().await.reply).code, Code::BadToken, "{revoked_first}");
        }
    });
}

#[test]
fn whoever_is_renamed_while_they_come_in_goes_by_the_new_name() {
    local(async {
        let house = House::new();
        let (known, rest) = with_a_token_in_waiting(&house).await;
        let mut peer = house.connect(Format::Json).await;
        house.faults.hold_commits(true);
        peer.say("hello", &rest).await;
        settle().await;
        let accounts = house.gateway.accounts.clone();
        let name = Name::new("Countess").unwrap();
        tokio::task::spawn_local(async move { accounts.rename(known.player, name).await.unwrap() });
        settle().await;
        house.faults.hold_commits(false);
        match peer.reply().await.reply {
            Reply::Welcome(welcome) => assert_eq!(welcome.player.name, "Countess"),
            reply => panic!("a welcome was due, and it was {reply:?}"),
        }
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
    });
}
