//! Whom one has blocked, and whom one has muted.

use super::*;

/// Both ways to keep somebody away, as addresses and answers name them.
const WAYS: [&str; 2] = ["blocks", "mutes"];

#[tokio::test]
async fn one_blocks_and_mutes_lists_and_takes_back_and_twice_is_once() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let id = eve.known.player.id.to_string();
    for way in WAYS {
        let (list, path) = (format!("/v1/me/{way}"), format!("/v1/me/{way}/{id}"));
        assert_eq!(ada.get(&list).await.json(), json!({ way: [] }));
        for _ in 0..2 {
            let got = ada.ask(Method::PUT, &path, &Value::Null).await;
            assert_eq!((got.status, &*got.body), (StatusCode::NO_CONTENT, ""));
        }
        let since_ms = super::super::hall::START.0;
        let listed = json!([{ "player": { "id": id, "name": "Eve" }, "since_ms": since_ms }]);
        assert_eq!(ada.get(&list).await.json(), json!({ way: listed }));
        assert_eq!(eve.get(&list).await.json(), json!({ way: [] }));
    }
    for way in WAYS {
        let (list, path) = (format!("/v1/me/{way}"), format!("/v1/me/{way}/{id}"));
        assert_eq!(ada.get(&list).await.json()[way].as_array().unwrap().len(), 1);
        for _ in 0..2 {
            let got = ada.ask(Method::DELETE, &path, &Value::Null).await;
            assert_eq!(got.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(ada.get(&list).await.json(), json!({ way: [] }));
    }
}

#[tokio::test]
async fn oneself_nobody_and_a_bots_wish_are_refused() {
    for way in WAYS {
        let hall = Hall::open();
        let ada = Somebody::come(&hall, Some("Ada")).await;
        let put = async |of: &Somebody<'_>, id: &str| {
            of.ask(Method::PUT, &format!("/v1/me/{way}/{id}"), &Value::Null).await
        };
        let own = ada.known.player.id.to_string();
        assert_eq!(put(&ada, &own).await.refused(StatusCode::BAD_REQUEST).0, "bad_request");
        assert_eq!(put(&ada, "Eve").await.refused(StatusCode::BAD_REQUEST).0, "bad_request");
        let nobody = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV";
        assert_eq!(put(&ada, nobody).await.refused(StatusCode::NOT_FOUND).0, "unknown_player");
        let eve = Somebody::come(&hall, Some("Eve")).await;
        let id = eve.known.player.id.to_string();
        let asked = format!("{id}?for=ever");
        assert_eq!(put(&ada, &asked).await.refused(StatusCode::BAD_REQUEST).0, "bad_request");
        let bot = ada.bot("Deep Ada").await;
        let keys = format!("/v1/me/bots/{bot}/keys");
        let key = ada.post(&keys, json!({ "label": "k" })).await.json();
        let token = key["secret"].as_str().unwrap().to_owned();
        let bot = Somebody { token, known: ada.known.clone(), ..ada };
        assert_eq!(put(&bot, &id).await.refused(StatusCode::FORBIDDEN).0, "not_for_bots");
    }
}

#[tokio::test]
async fn blocks_and_mutes_are_so_many_an_hour_each() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    for way in WAYS {
        let path = format!("/v1/me/{way}/{}", eve.known.player.id);
        for _ in 0..120 {
            let got = ada.ask(Method::PUT, &path, &Value::Null).await;
            assert_eq!(got.status, StatusCode::NO_CONTENT);
        }
        let got = ada.ask(Method::PUT, &path, &Value::Null).await;
        assert_eq!(got.refused(StatusCode::TOO_MANY_REQUESTS).0, "rate_limited");
        assert_eq!(got.header("retry-after"), "30");
    }
}
