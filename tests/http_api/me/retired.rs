//! Bots that their owners delete.

use hexhall::table::handle::Command;

use super::*;

async fn delete(asker: &Somebody<'_>, bot: &str) -> Got {
    asker.ask(Method::DELETE, &format!("/v1/me/bots/{bot}"), &Value::Null).await
}

#[tokio::test]
async fn a_deleted_bot_is_signed_out_and_gone_from_the_list_and_its_name_and_games_stay() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let id = ada.bot("Adabot").await;
    let keys = format!("/v1/me/bots/{id}/keys");
    let secret = ada.post(&keys, json!({ "label": "home" })).await.json()["secret"].clone();
    let token = secret.as_str().unwrap().to_owned();
    let known = hall.accounts.by_token(&token.parse().unwrap()).await.unwrap().unwrap();
    let bot = Somebody { token, known, hall: &hall };

    let mut seats = [&bot, &bo].map(|it| hall.session_of(it.known.player.clone()));
    let (table, _) = seats[0].open(tiny(), false).await;
    let game = seats[1].join(table, None).await;
    seats[1].command(table, Command::Resign(game)).await;
    let mut there = hall.session_of(bot.known.player.clone());
    let _there = hall.live.enter(there.session.clone(), bot.known.credential);

    for (asker, unknown) in [(&bo, id.clone()), (&bot, id.clone()), (&ada, nobody(&bo))] {
        let refused = delete(asker, &unknown).await;
        assert_eq!(refused.refused(StatusCode::NOT_FOUND).0, "unknown_bot");
    }
    assert!(bot.is_known().await);
    assert_eq!(there.drain.next_ready(), None);

    assert_eq!(delete(&ada, &id).await.status, StatusCode::NO_CONTENT);
    assert_eq!(there.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert!(!bot.is_known().await);
    assert_eq!(ada.get("/v1/me/bots").await.json(), json!({ "bots": [] }));
    assert_eq!(ada.get(&keys).await.refused(StatusCode::NOT_FOUND).0, "unknown_bot");
    assert_eq!(delete(&ada, &id).await.refused(StatusCode::NOT_FOUND).0, "unknown_bot");
    let again = ada.post("/v1/me/bots", json!({ "name": "ADABOT" })).await;
    assert_eq!(again.refused(StatusCode::CONFLICT).0, "name_taken");
    let profile = hall.get(&format!("/v1/players/{id}")).await.json();
    assert_eq!(profile["name"], "Adabot");
    let games = hall.get(&format!("/v1/players/{id}/games")).await.json();
    assert_eq!(games["games"][0]["game"], game.to_string());
}

#[tokio::test]
async fn a_deleted_bot_makes_room_for_another() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let mut last = String::new();
    for n in 0..10 {
        last = ada.bot(&format!("bot {n}")).await;
    }
    let one_more = json!({ "name": "one more" });
    let full = ada.post("/v1/me/bots", one_more.clone()).await;
    assert_eq!(full.refused(StatusCode::CONFLICT).0, "too_many");
    assert_eq!(delete(&ada, &last).await.status, StatusCode::NO_CONTENT);
    assert_eq!(ada.post("/v1/me/bots", one_more).await.status, StatusCode::CREATED);
}

/// Somebody who is no bot of anybody's.
fn nobody(somebody: &Somebody<'_>) -> String {
    somebody.known.player.id.to_string()
}
