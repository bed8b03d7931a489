//! Whom one has blocked.

use super::*;

#[tokio::test]
async fn one_blocks_lists_and_unblocks_and_doing_so_twice_is_doing_it_once() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let id = eve.known.player.id.to_string();
    let path = format!("/v1/me/blocks/{id}");
    assert_eq!(ada.get("/v1/me/blocks").await.json(), json!({ "blocks": [] }));
    for _ in 0..2 {
        let got = ada.ask(Method::PUT, &path, &Value::Null).await;
        assert_eq!((got.status, &*got.body), (StatusCode::NO_CONTENT, ""));
    }
    let listed = ada.get("/v1/me/blocks").await.json();
    assert_eq!(listed["blocks"][0]["player"], json!({ "id": id, "name": "Eve" }));
    assert_eq!(listed["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(eve.get("/v1/me/blocks").await.json(), json!({ "blocks": [] }));
    for _ in 0..2 {
        let got = ada.ask(Method::DELETE, &path, &Value::Null).await;
        assert_eq!(got.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(ada.get("/v1/me/blocks").await.json(), json!({ "blocks": [] }));
}

#[tokio::test]
async fn oneself_nobody_and_a_bots_wish_are_refused() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let put = async |of: &Somebody<'_>, id: &str| {
        of.ask(Method::PUT, &format!("/v1/me/blocks/{id}"), &Value::Null).await
    };
    let own = ada.known.player.id.to_string();
    assert_eq!(put(&ada, &own).await.refused(StatusCode::BAD_REQUEST).0, "bad_request");
    assert_eq!(put(&ada, "Eve").await.refused(StatusCode::BAD_REQUEST).0, "bad_request");
    let nobody = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    assert_eq!(put(&ada, nobody).await.refused(StatusCode::NOT_FOUND).0, "unknown_player");
    let bot = ada.bot("Deep Ada").await;
    let key = ada.post(&format!("/v1/me/bots/{bot}/keys"), json!({ "label": "k" })).await.json();
    let token = key["secret"].as_str().unwrap().to_owned();
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let id = eve.known.player.id.to_string();
    let bot = Somebody { token, known: ada.known.clone(), ..ada };
    assert_eq!(put(&bot, &id).await.refused(StatusCode::FORBIDDEN).0, "not_for_bots");
}
