//! A server that starts over many live tables: how long until the last of them plays on.
//!
//! The journal is prepared through the store itself, by the same decisions and forms that a server
//! writes it with. Many tables share a pair of players, since a process holds only so many sockets.

use std::collections::HashSet;
use std::time::Duration;

use hexhall_proto::codec::{self, Format};
use hexhall_proto::event::{Event as Told, StreamFrame};
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use hexhall_proto::request::{PlayMove, Request, Watch};

use super::crowd::Crowd;
use super::peer::Peer;
use super::plan::StoreKind;
use super::prepared::{self, Pair, Prepared};
use super::process::Starter;
use super::side::{Side, Target};
use super::{BenchError, Figure, Figures, system};
use crate::remote::Address;
use crate::wire;

/// So many live tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cold {
    /// How many.
    pub tables: usize,
    /// How many of them each pair of players shares.
    pub each: usize,
    /// Moves that were played at each.
    pub plies: usize,
}

/// Prepares a journal, starts a server over it, and has every table play one move more.
pub async fn measure(starter: &Starter, cold: Cold) -> Result<Figures, BenchError> {
    let folder = starter.folder()?;
    let pairs = prepared::write(folder.path(), cold).await?;

    let started = system::now();
    let (target, process) = starter.server(StoreKind::Sqlite, folder).await?;
    let ready = started.elapsed();
    let side = Side { target, process: Some(process) };
    let Target::Server(address) = &side.target else { return Ok(Vec::new()) };
    let mut crowd = Crowd::default();
    for pair in pairs {
        for seat in 0..2 {
            let token = pair.tokens[seat].clone();
            crowd.add(play_on(address.clone(), token, seat == pair.to_move, pair.clone()));
        }
    }
    crowd.all_done().await?;
    let last = started.elapsed();
    let cpu = side.read()?.server();
    let seconds = |span: Duration| span.as_secs_f64();
    let mut figures = vec![(Figure::Ready, seconds(ready)), (Figure::LastPlaying, seconds(last))];
    figures.extend(cpu.map(|cpu| (Figure::ServerBusy, cpu / seconds(last))));
    Ok(figures)
}

/// One player comes back to all their tables; who is to move there moves, and each waits until
/// they have seen the move at every table.
async fn play_on(
    address: Address,
    token: String,
    moves: bool,
    pair: Pair,
) -> Result<(), BenchError> {
    let first = pair.tables.first().map(|prepared| prepared.table.as_str());
    let mut peer = Peer::dial(&address, first).await?;
    peer.hello(Some(token)).await?;
    for Prepared { table, .. } in &pair.tables {
        let watch = Watch { table: table.clone(), invitation: None, last: None };
        let frame = peer.frame(Request::Watch(watch));
        peer.send(frame).await?;
    }
    let mut waiting: HashSet<&str> = pair.tables.iter().map(|it| it.table.as_str()).collect();
    while !waiting.is_empty() {
        let frame = peer.next().await?;
        let frame = codec::decode_server(Format::MsgPack, &frame);
        match frame.map_err(|error| BenchError::unexpected("a frame", error))? {
            ServerFrame::Stream(StreamFrame { table, event: Told::Placed { .. }, .. }) => {
                waiting.remove(table.as_str());
            }
            ServerFrame::Reply(ReplyFrame { reply: Reply::View { view }, .. }) => {
                let prepared = pair.tables.iter().find(|it| it.table == view.table);
                let turn = view.game.map(|game| game.turn);
                let (Some(prepared), Some(turn)) = (prepared, turn) else {
                    return Err(BenchError::unexpected("a table that was left", view.table));
                };
                if turn > prepared.turn {
                    waiting.remove(prepared.table.as_str());
                } else if moves {
                    let frame = peer.frame(Request::Move(next_move(prepared)));
                    peer.send(frame).await?;
                }
            }
            ServerFrame::Reply(ReplyFrame { reply: Reply::Error(body), .. }) => {
                return Err(BenchError::refused(&body));
            }
            _ => {}
        }
    }
    Ok(())
}

fn next_move(prepared: &Prepared) -> PlayMove {
    PlayMove {
        table: prepared.table.clone(),
        game: prepared.game.clone(),
        command: "back".into(),
        turn: prepared.turn,
        action: wire::action(prepared.next),
        seat: None,
    }
}
