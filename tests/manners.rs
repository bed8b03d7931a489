//! How people get along over real sockets: who is blocked, muted or reported, who
//! leaves their games, and what operators do about them.

mod blocks;
mod bots;
mod command;
mod leavers;
mod mutes;
mod operator;
mod reports;
mod talk;

use hexhall_proto::codec::Format;
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;
use hexhall_proto::seek::Seek;

use crate::harness::{Guest, Hall, Setup};

/// A little more than a queue is let rest between two looks.
const LOOK_MS: u64 = 200;

async fn seeks(guest: &mut Guest, seek: Seek) -> String {
    match guest.ask(Request::Seek(seek)).await {
        Reply::Seeking { seek } => seek,
        other => panic!("not seeking: {other:?}"),
    }
}

fn pool(name: &str) -> Seek {
    Seek { pool: Some(name.into()), ..Seek::default() }
}

async fn matched(guest: &mut Guest) -> String {
    guest
        .hears_of_lobby("a match", |event| match event {
            LobbyEvent::Matched { table } => Some(table.clone()),
            _ => None,
        })
        .await
}
