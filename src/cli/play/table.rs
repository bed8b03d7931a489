//! A seat at a live table, played by typed lines.

use hexhall_proto::parts::{Move, OfferKind, Phase};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{
    self, AnswerOffer, GameCommand, MakeOffer, PlayMove, Request, Resign, Suggest,
};
use tokio::sync::mpsc;

use super::local::advice;
use crate::cli::Failure;
use crate::cli::watch::{Look, render};
use crate::remote::{Session, Table, TableCopy};
use crate::wire;

/// What can be typed.
pub const HELP: &str = "\
c4          place a stone there
swap        take over the first stone, as the second move
undo        ask to take your last move back
rematch     ask for another game
accept      agree to what the other player asks
decline     refuse it
claim       claim the game from a player who is gone
hint        ask what the computer would play, in a game against it
board       show the table again
resign      give the game up
quit        leave the table
";

/// Somebody at a table.
pub struct Seated<'a> {
    session: &'a Session,
    table: Table,
    /// What the names of this session's commands begin with.
    prefix: String,
    commands: u64,
    look: Look,
    shown: String,
}

impl<'a> Seated<'a> {
    /// Somebody who has taken a seat. `prefix` is unlike that of any earlier session.
    pub fn new(session: &'a Session, table: Table, prefix: String, look: Look) -> Seated<'a> {
        Seated { session, table, prefix, commands: 0, look, shown: String::new() }
    }

    /// Shows the table and does what is typed, until the table closes or the lines end.
    pub async fn play(
        &mut self,
        mut lines: mpsc::Receiver<String>,
        show: &mut impl FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        loop {
            let sight = self.table.sight();
            let picture = render(&sight.copy, &self.look);
            if picture != self.shown {
                show(&format!("{picture}\n"))?;
                self.shown = picture;
            }
            if let Some(lost) = sight.lost {
                return Err(lost.into());
            }
            if sight.copy.view().phase == Phase::Closed {
                return Ok(());
            }
            tokio::select! {
                changed = self.table.changed() => changed?,
                line = lines.recv() => match line.as_deref() {
                    None | Some("quit" | "exit") => {
                        let leave = request::Table { table: self.table.id.clone() };
                        self.session.ask(Request::Leave(leave)).await?;
                        return Ok(());
                    }
                    Some(line) => {
                        let said = self.say(line, &sight.copy).await?;
                        show(&said)?;
                    }
                },
            }
        }
    }

    /// Does what a line says, and gives what is to be shown.
    async fn say(&mut self, line: &str, copy: &TableCopy) -> Result<String, Failure> {
        let word = line.to_ascii_lowercase();
        match word.as_str() {
            "" | "board" => {
                self.shown.clear();
                return Ok(String::new());
            }
            "help" | "?" => return Ok(HELP.to_owned()),
            _ => {}
        }
        let request = match self.request(&word, copy) {
            Ok(request) => request,
            Err(why) => return Ok(format!("{why}\n")),
        };
        Ok(match self.session.ask(request).await? {
            Reply::Moved { collision: true, .. } => "a hidden stone stands there\n".to_owned(),
            Reply::Suggestion { action, win_percent } => {
                let action = match action {
                    Move::Place(cell) => wire::read_cell(cell).to_string(),
                    Move::Swap => "swap".to_owned(),
                };
                advice(&action, win_percent)
            }
            Reply::Offered { .. } => "the other player has been asked\n".to_owned(),
            Reply::Error(body) => format!("{}\n", body.message),
            _ => String::new(),
        })
    }

    /// What a word asks of the server, or why it asks nothing.
    fn request(&mut self, word: &str, copy: &TableCopy) -> Result<Request, String> {
        let Some(game) = copy.game() else {
            return Err("no game runs yet: it begins when both seats are taken".to_owned());
        };
        let (table, game) = (self.table.id.clone(), game.id.clone());
        self.commands += 1;
        let command = format!("{}-{}", self.prefix, self.commands);
        let turn = copy.turn().ok_or_else(|| "the game is over".to_owned());
        let other = |kind| MakeOffer {
            table: table.clone(),
            game: game.clone(),
            command: command.clone(),
            kind,
        };
        Ok(match word {
            "swap" => {
                let (action, turn) = (Move::Swap, turn?);
                Request::Move(PlayMove { table, game, command, turn, action, seat: None })
            }
            "resign" => Request::Resign(Resign { table, game, command, seat: None }),
            "undo" => Request::Offer(other(OfferKind::Takeback)),
            "rematch" => Request::Offer(other(OfferKind::Rematch)),
            "claim" => Request::Claim(GameCommand { table, game, command }),
            "accept" | "decline" => {
                let theirs = |by| Some(by) != copy.seat();
                let offer = copy.view().offers.iter().find(|offer| theirs(offer.by));
                let offer = offer.ok_or("the other player asks for nothing")?.id;
                Request::Answer(AnswerOffer { table, command, offer, accept: word == "accept" })
            }
            "hint" => Request::Suggest(Suggest { table, game, turn: turn? }),
            cell => {
                let unknown =
                    |_| format!("`{cell}` is neither a cell nor a word: `help` lists them");
                let action = Move::Place(wire::cell(cell.parse().map_err(unknown)?));
                Request::Move(PlayMove { table, game, command, turn: turn?, action, seat: None })
            }
        })
    }
}
