//! From a frame's request to whom it is for. Decides nothing about tables.

use hexhall_proto::chat;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::parts;
use hexhall_proto::party::{SetOptions, SetTurns, Start};
use hexhall_proto::plans::MakePlan;
use hexhall_proto::request::{self, Request};
use hexhall_proto::seek;

mod gathering;

use super::routes::LobbyAsk;
use crate::ids::{GameId, NotAnId, TableId};
use crate::table::handle::{Ask, Command, CommandId};
use crate::table::state::party::PartyCommand;
use crate::wire;

/// A request, by whom it is for.
#[derive(Clone, PartialEq, Debug)]
pub enum For {
    /// The session itself.
    Hello(request::Hello),
    /// One table.
    Table(TableId, Ask),
    /// The lobby.
    Lobby(LobbyAsk),
}

/// The name that metrics and logs know a request by.
pub const fn op(request: &Request) -> &'static str {
    match request {
        Request::Hello(_) => "hello",
        Request::Open(_) => "open",
        Request::Seek(_) => "seek",
        Request::Unseek(_) => "unseek",
        Request::Ready(_) => "ready",
        Request::Join(_) => "join",
        Request::JoinParty(_) => "join_party",
        Request::MakeHost(_) => "make_host",
        Request::RemoveMember(_) => "remove_member",
        Request::SetOptions(_) => "set_options",
        Request::SetTurns(_) => "set_turns",
        Request::Start(_) => "start",
        Request::Watch(_) => "watch",
        Request::Unwatch(_) => "unwatch",
        Request::Say(_) => "say",
        Request::Chat(_) => "chat",
        Request::Leave(_) => "leave",
        Request::Move(_) => "move",
        Request::Plan(_) => "plan",
        Request::Resign(_) => "resign",
        Request::Abort(_) => "abort",
        Request::Claim(_) => "claim",
        Request::Offer(_) => "offer",
        Request::Answer(_) => "answer",
        Request::Withdraw(_) => "withdraw",
        Request::Lift(_) => "lift",
        Request::Suggest(_) => "suggest",
        Request::Unpause(_) => "unpause",
        Request::GiveTime(_) => "give_time",
        Request::Lobby {} => "lobby",
        Request::LeaveLobby {} => "leave_lobby",
    }
}

/// Whom a request is for.
///
/// # Errors
/// `bad_request` where an id or a command's name is none.
pub fn dispatch(request: Request) -> Result<For, ErrorBody> {
    Ok(match request {
        Request::Hello(hello) => For::Hello(hello),
        Request::Open(request::Open { options, private, cpu, party }) => {
            For::Lobby(LobbyAsk::Open { options, private, cpu, party })
        }
        Request::Seek(wanted) => {
            let answer = wanted.answer.as_deref().map(id).transpose()?;
            For::Lobby(LobbyAsk::Seek { wanted, answer })
        }
        Request::Unseek(seek::Unseek { seek }) => For::Lobby(LobbyAsk::Unseek(id(&seek)?)),
        Request::Ready(seek::Ready { name }) => For::Lobby(LobbyAsk::Ready(id(&name)?)),
        Request::Lobby {} => For::Lobby(LobbyAsk::Follow),
        Request::LeaveLobby {} => For::Lobby(LobbyAsk::Unfollow),
        Request::Join(request::Join { table, seat, invitation }) => {
            For::Table(id(&table)?, Ask::Join { seat: seat.map(wire::read_seat), invitation })
        }
        Request::JoinParty(asked) => gathering::join(asked)?,
        Request::MakeHost(asked) => gathering::about(&asked, PartyCommand::MakeHost)?,
        Request::RemoveMember(asked) => gathering::about(&asked, PartyCommand::Remove)?,
        Request::SetOptions(SetOptions { table, options }) => {
            gathering::command(&table, PartyCommand::SetOptions(Box::new(options)))?
        }
        Request::SetTurns(SetTurns { table, turns, cpu_level: level }) => {
            gathering::command(&table, PartyCommand::SetTurns { turns, level })?
        }
        Request::Start(Start { table, after }) => {
            let after = after.map(|after| id(&after)).transpose()?;
            gathering::command(&table, PartyCommand::Start { after })?
        }
        Request::Watch(request::Watch { table, invitation, last }) => {
            For::Table(id(&table)?, Ask::Watch { invitation, last })
        }
        Request::Unwatch(request::Table { table }) => For::Table(id(&table)?, Ask::Unwatch),
        Request::Say(chat::Say { table, room, text }) => {
            For::Table(id(&table)?, Ask::Say { room, text })
        }
        Request::Chat(request::Table { table }) => For::Table(id(&table)?, Ask::Chat),
        Request::Leave(request::Table { table }) => For::Table(id(&table)?, Ask::Leave),
        Request::Move(request::PlayMove { table, game, command: name, turn, action, seat }) => {
            let action = wire::read_action(action);
            command_for(seat, &table, &name, Command::Play { game: id(&game)?, turn, action })?
        }
        Request::Plan(MakePlan { table, game, command: name, turn, premove, lines }) => {
            let (table, game, name) = (id(&table)?, id(&game)?, command_id(&name)?);
            let plan = wire::read_plan(premove, lines);
            For::Table(table, Ask::Plan { id: name, game, turn, plan })
        }
        Request::Resign(request::Resign { table, game, command: name, seat }) => {
            command_for(seat, &table, &name, Command::Resign(id(&game)?))?
        }
        Request::Lift(request::Lift { table, game, seat }) => {
            let (table, game) = (id(&table)?, id(&game)?);
            For::Table(table, Ask::Lift { game, seat: wire::read_seat(seat) })
        }
        Request::Suggest(request::Suggest { table, game, turn }) => {
            let (table, game) = (id(&table)?, id(&game)?);
            For::Table(table, Ask::Suggest { game, turn })
        }
        Request::Abort(asked) => about_game(&asked, Command::Abort)?,
        Request::Claim(asked) => about_game(&asked, Command::Claim)?,
        Request::Unpause(asked) => about_game(&asked, Command::Unpause)?,
        Request::GiveTime(asked) => about_game(&asked, Command::GiveTime)?,
        Request::Offer(request::MakeOffer { table, game, command: name, kind }) => {
            command(&table, &name, Command::Offer(id(&game)?, kind))?
        }
        Request::Answer(request::AnswerOffer { table, command: name, offer, accept }) => {
            command(&table, &name, Command::Answer { offer, accept })?
        }
        Request::Withdraw(request::WithdrawOffer { table, command: name, offer }) => {
            command(&table, &name, Command::Withdraw(offer))?
        }
    })
}

fn about_game(
    request::GameCommand { table, game, command: name }: &request::GameCommand,
    of: fn(GameId) -> Command,
) -> Result<For, ErrorBody> {
    command(table, name, of(id(game)?))
}

fn command(table: &str, name: &str, command: Command) -> Result<For, ErrorBody> {
    command_for(None, table, name, command)
}

fn command_for(
    seat: Option<parts::Seat>,
    table: &str,
    name: &str,
    command: Command,
) -> Result<For, ErrorBody> {
    let (table, id) = (id(table)?, command_id(name)?);
    Ok(For::Table(table, Ask::Command { id, command, seat: seat.map(wire::read_seat) }))
}

fn command_id(name: &str) -> Result<CommandId, ErrorBody> {
    CommandId::new(name).ok_or_else(|| {
        let most = CommandId::MAX_BYTES;
        bad_request(format!("`command` has 1 to {most} bytes, and this one has {}", name.len()))
    })
}

fn id<T: std::str::FromStr<Err = NotAnId>>(text: &str) -> Result<T, ErrorBody> {
    text.parse().map_err(|error: NotAnId| bad_request(error.to_string()))
}

fn bad_request(message: String) -> ErrorBody {
    ErrorBody::new(Code::BadRequest, message)
}

#[cfg(test)]
mod tests {
    use hexhall_proto::codec::{Format, OPS, decode_request};

    use super::*;
    use crate::game::{Cell, Move};

    const TABLE: &str = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const GAME: &str = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const SEEK: &str = "sek_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const MATCH: &str = "mat_01ARZ3NDEKTSV4RRFFQ69G5FAV";

    /// A frame with every field that any request has.
    fn read(op: &str) -> Request {
        let action = match op {
            "move" => r#""move":{"cell":[300,-1]},"turn":1,"#,
            "lift" => r#""seat":2,"#,
            "say" => r#""text":"good luck","#,
            "plan" | "suggest" => r#""turn":1,"#,
            "make_host" | "remove_member" => r#""player":"plr_01ARZ3NDEKTSV4RRFFQ69G5FAV","#,
            "set_options" => r#""options":{},"#,
            _ => "",
        };
        let frame = format!(
            r#"{{"id":1,"op":"{op}",{action}"seek":"{SEEK}","match":"{MATCH}","table":"{TABLE}","game":"{GAME}","command":"c",
                "kind":"pause","offer":3,"accept":true}}"#,
        );
        decode_request(Format::Json, frame.as_bytes()).unwrap().request
    }

    #[test]
    fn every_request_is_for_somebody_and_goes_by_its_own_name() {
        for name in OPS {
            let request = read(name);
            assert_eq!(op(&request), *name);
            let whom = dispatch(request).unwrap();
            match *name {
                "hello" => assert!(matches!(whom, For::Hello(_))),
                "open" | "seek" | "unseek" | "ready" | "lobby" | "leave_lobby" => {
                    assert!(matches!(whom, For::Lobby(_)));
                }
                _ => assert!(matches!(whom, For::Table(table, _) if table.to_string() == TABLE)),
            }
        }
    }

    #[test]
    fn a_cell_beyond_every_board_stays_one() {
        let For::Table(_, Ask::Command { command, .. }) = dispatch(read("move")).unwrap() else {
            panic!("a move is a command at a table");
        };
        let Command::Play { action: Move::Place(Cell { row, col }), .. } = command else {
            panic!("a move is played");
        };
        assert_eq!((row, col), (255, 255));
    }

    #[test]
    fn an_id_of_another_kind_and_a_nameless_command_are_bad_requests() {
        let asked = |table: &str, game: &str, command: &str| {
            let [table, game, command] = [table, game, command].map(str::to_owned);
            dispatch(Request::Resign(request::Resign { table, game, command, seat: None }))
        };
        assert!(asked(TABLE, GAME, &"x".repeat(64)).is_ok());
        for (table, game, command) in [
            (GAME, GAME, "c"),
            (TABLE, TABLE, "c"),
            (TABLE, GAME, ""),
            (TABLE, GAME, &"x".repeat(65)),
        ] {
            assert_eq!(asked(table, game, command).unwrap_err().code, Code::BadRequest);
        }
    }
}
