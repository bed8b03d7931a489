//! What one does for oneself: who asks, name, token, phrase, devices, bots, and the games that wait.

mod devices;
mod doors;
mod games;
mod hangups;
mod reports;
mod retired;
mod shuns;

use axum::http::{Method, StatusCode};
use hexhall::accounts::{Known, Name, Token};
use hexhall::gateway::outbox::Outgoing;
use hexhall_proto::error::CloseCode;
use serde_json::{Value, json};

use super::hall::{Got, Hall, tiny};

/// A player with a token, who speaks HTTP.
pub struct Somebody<'a> {
    hall: &'a Hall,
    pub token: String,
    pub known: Known,
}

impl Somebody<'_> {
    pub async fn come<'a>(hall: &'a Hall, name: Option<&str>) -> Somebody<'a> {
        let token = Token::generate().unwrap();
        let name = name.map(|name| Name::new(name).unwrap());
        let known = hall.accounts.create_guest(&token, name).await.unwrap();
        Somebody { hall, token: token.reveal(), known }
    }

    /// Asks with the token; with a body unless that is null.
    pub async fn ask(&self, method: Method, path: &str, body: &Value) -> Got {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.hall.say(method, path, &headers, &body).await
    }

    pub async fn get(&self, path: &str) -> Got {
        self.ask(Method::GET, path, &Value::Null).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Got {
        self.ask(Method::POST, path, &body).await
    }

    async fn is_known(&self) -> bool {
        self.get("/v1/me").await.status == StatusCode::OK
    }

    /// A new phrase, as it is written down.
    async fn phrase(&self) -> String {
        let got = self.post("/v1/me/recovery", json!({})).await;
        assert_eq!(got.status, StatusCode::CREATED);
        let words = got.json()["words"].as_array().unwrap().clone();
        words.iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    /// Makes a bot: its id.
    async fn bot(&self, name: &str) -> String {
        let got = self.post("/v1/me/bots", json!({ "name": name })).await;
        assert_eq!(got.status, StatusCode::CREATED, "{}", got.body);
        assert_eq!(got.json()["bot"], true);
        got.json()["id"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn an_account_tells_who_one_is_and_what_is_signed_in() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let got = ada.get("/v1/me").await;
    assert_eq!((got.status, got.header("cache-control")), (StatusCode::OK, "no-store"));
    let account = got.json();
    assert_eq!(account["player"], json!({ "id": ada.known.player.id.to_string(), "name": "Ada" }));
    assert_eq!(account["claimed"], false);
    assert_eq!(account["devices"].as_array().unwrap().len(), 1);
    assert_eq!(account["devices"][0]["current"], true);
    ada.phrase().await;
    assert_eq!(ada.get("/v1/me").await.json()["claimed"], true);
}

#[tokio::test]
async fn a_name_that_is_free_is_ones_own_and_another_is_refused_with_one_that_is() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let session = hall.session_of(bo.known.player.clone()).session;
    let _there = hall.live.enter(session.clone(), bo.known.credential);
    let refused = bo.post("/v1/me/name", json!({ "name": "АDA" })).await;
    assert_eq!(refused.refused(StatusCode::CONFLICT).0, "name_taken");
    assert_eq!(&*session.player_now().name, "Bo");
    let free = refused.json()["suggestion"].clone();
    let got = bo.post("/v1/me/name", json!({ "name": free })).await;
    assert_eq!((got.status, &got.json()["player"]["name"]), (StatusCode::OK, &free));
    assert_eq!(session.player_now().name.to_string(), free.as_str().unwrap(), "live sessions too");
    for n in 0..4 {
        let got = bo.post("/v1/me/name", json!({ "name": format!("Bo {n}") })).await;
        assert_eq!(got.status, StatusCode::OK);
    }
    let got = bo.post("/v1/me/name", json!({ "name": "Bob" })).await;
    assert_eq!(got.refused(StatusCode::TOO_MANY_REQUESTS).0, "rate_limited");
    assert_eq!(got.header("retry-after"), "720");
    assert_eq!(ada.get("/v1/me").await.json()["player"]["name"], "Ada");
}

#[tokio::test]
async fn a_new_token_replaces_the_old_one_when_it_is_shown() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let token = ada.post("/v1/me/token", json!({})).await.json()["token"].clone();
    assert!(ada.is_known().await, "the answer may be lost");
    let new =
        Somebody { token: token.as_str().unwrap().to_owned(), known: ada.known.clone(), ..ada };
    let account = new.get("/v1/me").await.json();
    assert_eq!(account["devices"].as_array().unwrap().len(), 1, "it is the same device");
    assert!(!ada.is_known().await);
}

#[tokio::test]
async fn a_phrase_signs_in_elsewhere_and_the_rest_can_be_signed_out() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let mut there = hall.session_of(ada.known.player.clone());
    let _there = hall.live.enter(there.session.clone(), ada.known.credential);
    let phrase = ada.phrase().await;
    let shouted = phrase.to_uppercase().replace(' ', ",  ");
    let got = ada.post("/v1/recover", json!({ "phrase": shouted })).await;
    assert_eq!(got.status, StatusCode::OK, "{}", got.body);
    assert_eq!(got.json()["player"]["name"], "Ada");
    let token = got.json()["token"].as_str().unwrap().to_owned();
    let phone = Somebody { token, known: ada.known.clone(), ..ada };
    assert!(ada.is_known().await && phone.is_known().await);
    assert_eq!(there.drain.next_ready(), None);

    let account = phone.post("/v1/me/devices/revoke", json!({})).await.json();
    assert_eq!(account["devices"].as_array().unwrap().len(), 1);
    assert_eq!(account["devices"][0]["current"], true);
    assert_eq!(there.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert!(!ada.is_known().await && phone.is_known().await);
}

#[tokio::test]
async fn a_phrase_that_is_none_is_told_why_and_trying_is_limited_by_address() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let phrase = ada.phrase().await;
    let tried = async |phrase: &str| ada.post("/v1/recover", json!({ "phrase": phrase })).await;
    let misspelt = format!("appel {}", phrase.split_once(' ').unwrap().1);
    let (code, message) = tried(&misspelt).await.refused(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(code, "bad_phrase");
    assert_eq!(message, "word 1, `appel`, is misspelt: did you mean `apple`?");
    let nobodys = "abandon ".repeat(11) + "about";
    for _ in 0..20 {
        assert_eq!(tried(&nobodys).await.refused(StatusCode::NOT_FOUND).0, "unknown_phrase");
    }
    let got = tried(&phrase).await;
    assert_eq!(got.refused(StatusCode::TOO_MANY_REQUESTS).0, "rate_limited");
    assert_eq!(got.header("retry-after"), "180");
    hall.time.advance(180_000);
    assert_eq!(tried(&phrase).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_key_is_its_bot_until_it_is_revoked_and_then_its_sessions_end() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let id = ada.bot("Adabot").await;
    assert_eq!(ada.get("/v1/me/bots").await.json()["bots"][0]["name"], "Adabot");
    assert_eq!(bo.get("/v1/me/bots").await.json(), json!({ "bots": [] }));
    let keys = format!("/v1/me/bots/{id}/keys");
    assert_eq!(bo.get(&keys).await.refused(StatusCode::NOT_FOUND).0, "unknown_bot");
    let refused = bo.post(&keys, json!({ "label": "mine" })).await;
    assert_eq!(refused.refused(StatusCode::NOT_FOUND).0, "unknown_bot");

    let made = ada.post(&keys, json!({ "label": "at home" })).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("hxh_"));
    let listed = ada.get(&keys).await;
    assert!(!listed.body.contains(&secret));
    let key = &listed.json()["keys"][0];
    assert_eq!((&key["label"], &key["hint"]), (&json!("at home"), &json!(secret[..8])));
    assert_eq!(key["used_ms"], Value::Null);

    let known = hall.accounts.by_token(&secret.parse().unwrap()).await.unwrap().unwrap();
    assert!(ada.get(&keys).await.json()["keys"][0]["used_ms"].is_number());
    let bot = Somebody { token: secret, known, hall: &hall };
    assert_eq!(bot.get("/v1/me").await.json()["player"]["bot"], true);
    for path in ["/v1/me/token", "/v1/me/recovery", "/v1/me/devices/revoke"] {
        let refused = bot.post(path, json!({})).await;
        assert_eq!(refused.refused(StatusCode::FORBIDDEN).0, "not_for_bots", "{path}");
    }
    let refused = bot.post("/v1/me/bots", json!({ "name": "Botbot" })).await;
    assert_eq!(refused.refused(StatusCode::FORBIDDEN).0, "not_for_bots");

    let mut there = hall.session_of(bot.known.player.clone());
    let _there = hall.live.enter(there.session.clone(), bot.known.credential);
    let one = format!("{keys}/{}", key["id"].as_str().unwrap());
    let refused = bo.ask(Method::DELETE, &one, &Value::Null).await;
    assert_eq!(refused.refused(StatusCode::NOT_FOUND).0, "unknown_bot");
    assert!(bot.is_known().await);
    assert_eq!(ada.ask(Method::DELETE, &one, &Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(there.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert!(!bot.is_known().await);
    let again = ada.ask(Method::DELETE, &one, &Value::Null).await;
    assert_eq!(again.refused(StatusCode::NOT_FOUND).0, "unknown_key");
}

#[tokio::test]
async fn an_eleventh_bot_or_key_is_refused() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let mut bot = String::new();
    for n in 0..10 {
        bot = ada.bot(&format!("bot {n}")).await;
    }
    let refused = ada.post("/v1/me/bots", json!({ "name": "one more" })).await;
    assert_eq!(refused.refused(StatusCode::CONFLICT).0, "too_many");
    let keys = format!("/v1/me/bots/{bot}/keys");
    for _ in 0..10 {
        assert_eq!(ada.post(&keys, json!({ "label": "a" })).await.status, StatusCode::CREATED);
    }
    let refused = ada.post(&keys, json!({ "label": "a" })).await;
    assert_eq!(refused.refused(StatusCode::CONFLICT).0, "too_many");
}

#[tokio::test]
async fn the_games_that_wait_are_told_to_those_who_play_them() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    assert_eq!(ada.get("/v1/me/tables").await.json()["tables"], json!([]));

    let mut seats = [&ada, &bo].map(|it| hall.session_of(it.known.player.clone()));
    let (table, invitation) = seats[0].open(tiny(), true).await;
    hall.time.advance(1_000);
    let game = seats[1].join(table, invitation).await;
    hall.time.advance(1_000);
    let (public, _) = seats[0].open(tiny(), false).await;

    let told = ada.get("/v1/me/tables").await.json();
    let tables = told["tables"].as_array().unwrap();
    assert_eq!(tables[0]["listing"]["table"], public.to_string(), "the newest first");
    assert_eq!(tables[0]["listing"]["phase"], "waiting");
    assert_eq!(tables[0]["to_move"], Value::Null);
    let playing = &tables[1];
    assert_eq!(playing["listing"]["table"], table.to_string());
    assert_eq!(playing["listing"]["game"], game.to_string());
    assert_eq!((&playing["private"], &playing["seats"]), (&json!(true), &json!([1])));
    assert_eq!((&playing["to_move"], &playing["my_turn"]), (&json!(1), &json!(true)));
    let since = told["now_ms"].as_u64().unwrap() - playing["since_ms"].as_u64().unwrap();
    assert_eq!(since, 1_000);

    let theirs = bo.get("/v1/me/tables").await.json();
    assert_eq!(theirs["tables"].as_array().unwrap().len(), 1);
    assert_eq!(theirs["tables"][0]["seats"], json!([2]));
    assert_eq!(theirs["tables"][0]["my_turn"], false);
    assert!(!theirs.to_string().contains("invitation"));
    let cy = Somebody::come(&hall, Some("Cy")).await;
    assert_eq!(cy.get("/v1/me/tables").await.json()["tables"], json!([]));
}

#[tokio::test]
async fn a_list_in_the_place_of_a_body_is_refused_as_in_a_frame() {
    let hall = Hall::open();
    let ana = Somebody::come(&hall, Some("Ana")).await;
    for (path, list) in [("/v1/me/name", json!(["Listy"])), ("/v1/me/bots", json!(["Bt"]))] {
        let got = ana.post(path, list).await;
        assert_eq!(got.status, StatusCode::BAD_REQUEST, "{path}");
        let problem = got.json().to_string();
        assert!(problem.contains("the body is not understood: "), "{problem}");
        assert!(problem.contains("a map of named fields"), "{problem}");
    }
}
