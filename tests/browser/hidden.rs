//! What a browser holds of a game of Dark Hex, searched for anything hidden from its viewer: the
//! document, its storage, and every frame that it has received.

use std::collections::BTreeSet;

use hexhall::game::{Cell, Collision, Color, Game, Move, Rules, Seat, Size};
use serde_json::{Value, json};

use super::person::Person;

/// Has a page keep every frame that it receives.
pub const KEPT_FRAMES: &str = "
    window.received = [];
    const Socket = WebSocket;
    window.WebSocket = class extends Socket {
        constructor(...how) {
            super(...how);
            this.addEventListener('message', ({ data }) => window.received.push(data));
        }
    };
";

/// Everything that a page holds besides its board: the document, its title, what it stores, and the
/// frames since it was last asked.
const HELD: &str = "(() => {
    const page = document.documentElement.cloneNode(true);
    page.querySelector('[data-testid=board]')?.remove();
    return {
        page: page.outerHTML,
        title: document.title,
        stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
        cells: [...document.querySelectorAll('[data-cell]')].map((cell) => [
            cell.dataset.testid.slice('cell-'.length), cell.dataset.stone,
            cell.getAttribute('aria-label'),
            Object.keys(cell.dataset).filter((name) => !['testid', 'cell', 'stone'].includes(name)),
        ]),
        frames: window.received.splice(0),
    };
})()";

/// Fails if the page of that viewer holds anything that is hidden from them.
pub async fn assert_holds_nothing_hidden(person: &Person, game: &Game, viewer: Option<Seat>) {
    let leaks = leaks(&person.reads(HELD).await, game, viewer);
    assert!(leaks.is_empty(), "{viewer:?} holds {leaks:#?}");
}

/// Everything in what a page holds that its viewer may not know.
fn leaks(held: &Value, game: &Game, viewer: Option<Seat>) -> Vec<String> {
    let sees = |cell| viewer.and_then(|seat| game.known(seat, cell));
    let stones = game.board().stones().map(|(cell, _)| cell);
    let hidden: BTreeSet<Cell> = stones.filter(|&cell| sees(cell).is_none()).collect();
    let mut leaks = Vec::new();
    for cell in held["cells"].as_array().unwrap() {
        let name = cell[0].as_str().unwrap();
        let stone = sees(name.parse().unwrap());
        let color = stone.map_or("", |color| if color == Color::Red { "red" } else { "blue" });
        let bare = stone.is_some() || (cell[2] == name && cell[3] == json!([]));
        if cell[1] != color || !bare {
            leaks.push(format!("on the board: {cell}"));
        }
    }
    for part in ["page", "title", "stored"] {
        let text = held[part].as_str().unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
        let told = words.filter(|word| word.parse().is_ok_and(|cell| hidden.contains(&cell)));
        leaks.extend(told.map(|word| format!("in the {part}: {word}")));
    }
    for frame in held["frames"].as_array().unwrap() {
        let frame: Value = serde_json::from_str(frame.as_str().unwrap()).unwrap();
        leaks_of_frame(&frame, &hidden, viewer, &mut leaks);
    }
    leaks
}

/// Cells stand in frames as `[row, col]`, stones on boards as rows of letters, and attempts with the
/// seat that made them. What may be tried is every cell that is not known to be taken.
fn leaks_of_frame(
    told: &Value,
    hidden: &BTreeSet<Cell>,
    viewer: Option<Seat>,
    leaks: &mut Vec<String>,
) {
    match told {
        Value::Object(fields) => {
            if let (Some(seat), Some(_)) = (fields.get("seat"), fields.get("cell"))
                && viewer.is_none_or(|own| *seat != own.number())
            {
                leaks.push(format!("in a frame: {told}"));
            }
            for (name, field) in fields {
                match name.as_str() {
                    "legal_moves" | "score" => {}
                    "board" => {
                        let seen = |cell: &&Cell| {
                            let row = field[usize::from(cell.row)].as_str().unwrap();
                            row.as_bytes()[usize::from(cell.col)] != b'.'
                        };
                        let seen = hidden.iter().filter(seen);
                        leaks.extend(seen.map(|cell| format!("on a frame's board: {cell}")));
                    }
                    _ => leaks_of_frame(field, hidden, viewer, leaks),
                }
            }
        }
        Value::Array(values) => {
            let named = hidden.iter().filter(|cell| *told == json!([cell.row, cell.col]));
            leaks.extend(named.map(|cell| format!("in a frame: {cell}")));
            values.iter().for_each(|it| leaks_of_frame(it, hidden, viewer, leaks));
        }
        _ => {}
    }
}

#[test]
fn the_search_finds_whatever_is_planted() {
    let size = Size::new(2, 2).unwrap();
    let mut game = Game::new(Rules::dark(size, Collision::Classical), Vec::new());
    for (seat, cell) in [(Seat::One, "a2"), (Seat::Two, "b1")] {
        game.play(seat, Move::Place(cell.parse().unwrap())).unwrap();
    }
    let cells = json!([
        ["a1", "", "a1", []],
        ["b1", "", "b1", []],
        ["a2", "red", "a2 red", ["last"]],
        ["b2", "", "b2", []],
    ]);
    let honest = json!({
        "page": "<p>Move 1: a2</p>", "title": "Dark Hex", "stored": "{}", "cells": cells,
        "frames": [
            r#"{"event":"placed","seat":1,"cell":[1,0],"turn":1}"#,
            r#"{"event":"placed","seat":2,"turn":2}"#,
            r#"{"view":{"score":[0,1],"game":{"board":["..","r."],"legal_moves":[{"cell":[0,1]}]}}}"#,
        ],
    });
    let red = Some(Seat::One);
    assert_eq!(leaks(&honest, &game, red), Vec::<String>::new());
    assert_eq!(leaks(&honest, &game, Some(Seat::Two)).len(), 6, "what red holds is red's alone");
    let planted = |path: &str, value: Value| {
        let mut held = honest.clone();
        *held.pointer_mut(path).unwrap() = value;
        leaks(&held, &game, red).len()
    };
    for (path, value) in [
        ("/page", json!("<p>stone at b1.</p>")),
        ("/title", json!("b1")),
        ("/stored", json!(r#"[{"hexhall.last":"\"b1\""}]"#)),
        ("/cells/1/1", json!("blue")),
        ("/cells/1/2", json!("b1, taken")),
        ("/cells/1/3", json!(["found"])),
        ("/frames/0", json!(r#"{"event":"ended","winning_path":[[0,1]]}"#)),
        ("/frames/1", json!(r#"{"event":"collided","seat":2,"cell":[1,0],"turn":2}"#)),
        ("/frames/2", json!(r#"{"view":{"game":{"board":[".b","r."]}}}"#)),
    ] {
        assert_eq!(planted(path, value), 1, "{path}");
    }
}
