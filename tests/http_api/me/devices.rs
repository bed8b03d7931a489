//! Devices that are signed out one by one.

use super::*;

impl<'a> Somebody<'a> {
    /// The same player on another device.
    async fn elsewhere(&self, phrase: &str) -> Somebody<'a> {
        let got = self.post("/v1/recover", json!({ "phrase": phrase })).await;
        assert_eq!(got.status, StatusCode::OK, "{}", got.body);
        let token = got.json()["token"].as_str().unwrap().to_owned();
        let token_read = token.parse().unwrap();
        let known = self.hall.accounts.by_token(&token_read).await.unwrap().unwrap();
        Somebody { hall: self.hall, token, known }
    }

    async fn signs_out(&self, device: &str) -> Got {
        self.ask(Method::DELETE, &format!("/v1/me/devices/{device}"), &Value::Null).await
    }

    fn device(&self) -> String {
        self.known.credential.to_string()
    }
}

#[tokio::test]
async fn one_device_is_signed_out_and_the_others_are_not() {
    let hall = Hall::open();
    let desk = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let phrase = desk.phrase().await;
    let (phone, lost) = (desk.elsewhere(&phrase).await, desk.elsewhere(&phrase).await);
    let mut there = [&phone, &lost].map(|device| {
        let session = hall.session_of(device.known.player.clone());
        let present = hall.live.enter(session.session.clone(), device.known.credential);
        (session, present)
    });

    let listed = desk.get("/v1/me").await.json();
    let devices = listed["devices"].as_array().unwrap();
    let ids: Vec<_> = devices.iter().map(|device| device["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.contains(&&*lost.device()));
    assert!(devices.iter().all(|device| device["used_ms"].is_u64()));

    let refused = eve.signs_out(&lost.device()).await;
    assert_eq!(refused.refused(StatusCode::NOT_FOUND).0, "unknown_device", "it is not Eve's");
    assert!(lost.is_known().await);
    assert_eq!(phone.signs_out(&lost.device()).await.status, StatusCode::NO_CONTENT);
    assert!(!lost.is_known().await);
    assert!(desk.is_known().await && phone.is_known().await);
    let [of_phone, of_lost] = &mut there;
    assert_eq!(of_lost.0.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert_eq!(of_phone.0.drain.next_ready(), None);
    let again = phone.signs_out(&lost.device()).await;
    assert_eq!(again.refused(StatusCode::NOT_FOUND).0, "unknown_device");

    // The device that asks is one like any other.
    assert_eq!(phone.signs_out(&phone.device()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(of_phone.0.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert!(!phone.is_known().await && desk.is_known().await);
}

#[tokio::test]
async fn a_bot_has_no_devices_and_a_name_that_is_none_is_refused() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bad = ada.signs_out("phone").await;
    assert_eq!(bad.refused(StatusCode::BAD_REQUEST).0, "bad_request");
    let keys = format!("/v1/me/bots/{}/keys", ada.bot("Adabot").await);
    let made = ada.post(&keys, json!({ "label": "home" })).await.json();
    let secret = made["secret"].as_str().unwrap().to_owned();
    let known = hall.accounts.by_token(&secret.parse().unwrap()).await.unwrap().unwrap();
    let bot = Somebody { token: secret, known, hall: &hall };
    let refused = bot.signs_out(&bot.device()).await;
    assert_eq!(refused.refused(StatusCode::FORBIDDEN).0, "not_for_bots");
    let key = ada.signs_out(&bot.device()).await;
    assert_eq!(key.refused(StatusCode::NOT_FOUND).0, "unknown_device");
    assert!(bot.is_known().await);
}
