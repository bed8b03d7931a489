//! Games against the computer, beside what is measured: they keep its workers busy, and show what
//! that costs everybody else.

use hexhall_proto::options::{OptionsRequest, Preset, Swap, Time};
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use hexhall_proto::request::{self, CpuSeat, Open, PlayMove, Request};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::BenchError;
use super::games::SIDE;
use super::peer::Peer;
use crate::remote::{Address, TableCopy};

/// At which level the computer plays: one that thinks for as long as it is let.
const LEVEL: u64 = 10;

/// Plays one game after another against the computer, by moves that a seed repeats and without a
/// pause. Ends with an error, or when it is dropped.
pub async fn practise(address: Address, seed: u64) -> Result<(), BenchError> {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let mut peer = Peer::dial(&address, None).await?;
    peer.hello(None).await?;
    loop {
        game(&mut peer, &mut chance).await?;
    }
}

async fn game(peer: &mut Peer, chance: &mut ChaCha20Rng) -> Result<(), BenchError> {
    let options = OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(SIDE.into()),
        swap: Some(Swap::Off),
        time: Some(Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None }),
        ..OptionsRequest::default()
    };
    let cpu = Some(CpuSeat { level: LEVEL, seat: None });
    let opened = peer.ask(Request::Open(Open { options, private: true, cpu, party: None })).await?;
    let Reply::Opened { view, .. } = opened else {
        return Err(BenchError::unexpected("`opened`", format!("{opened:?}")));
    };
    let table = view.table.clone();
    let mut copy = TableCopy::new(*view);
    let mut answered = None;
    while copy.outcome().is_none() {
        if let Some(game) = copy.game()
            && let Some(legal) = &game.legal_moves
            && answered != Some(game.turn)
        {
            let (id, turn) = (game.id.clone(), game.turn);
            answered = Some(turn);
            let action = legal[chance.next_u64() as usize % legal.len()];
            let (table, command) = (table.clone(), turn.to_string());
            let play = PlayMove { table, game: id, command, turn, action, seat: None };
            let frame = peer.frame(Request::Move(play));
            peer.send(frame).await?;
        }
        match peer.read().await? {
            ServerFrame::Stream(frame) if frame.table == table => {
                let applied = copy.apply(&frame);
                applied.map_err(|error| BenchError::unexpected("the next event", error))?;
            }
            ServerFrame::Reply(ReplyFrame { reply: Reply::Error(body), .. }) => {
                return Err(BenchError::refused(&body));
            }
            _ => {}
        }
    }
    peer.ask(Request::Leave(request::Table { table })).await?;
    Ok(())
}
