//! Sessions as transcripts: what a controller says after `> `, and what it is answered.

use super::*;
use crate::game::clock::Stamp;

/// An engine that hardly thinks, on time that stands.
fn session() -> Session {
    let mut spec = Spec::cpu(Level::MIN);
    spec.nodes = Some(50);
    let position = Position::new(Size::new(11, 11).unwrap(), true);
    Session::new(position, spec, 1, TimeSource::manual(Stamp(0)))
}

/// What is answered to this input.
fn answers(session: Session, input: &[u8]) -> String {
    let mut output = Vec::new();
    serve(session, input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// Holds a session to a transcript.
#[track_caller]
fn holds(transcript: &str) {
    let mut said = String::new();
    let mut session = session();
    for command in transcript.lines().filter_map(|line| line.strip_prefix('>')) {
        said.push_str(&format!(">{command}\n"));
        match session.answer(command) {
            Some((id, Answer { text, .. })) => {
                let id = id.map(|id| id.to_string()).unwrap_or_default();
                let (sign, text) = text.map_or_else(|text| ('?', text), |text| ('=', text));
                said.push_str(&format!("{sign}{id} {text}\n\n"));
            }
            None => said.push('\n'),
        }
    }
    assert_eq!(said.trim_end(), transcript.trim_end());
}

#[test]
fn a_game_with_ids_comments_and_mistakes_goes_as_its_transcript_says() {
    holds(include_str!("../../../tests/data/gtp/session.txt"));
}

#[test]
fn boards_of_all_shapes_and_the_swap_go_as_their_transcript_says() {
    holds(include_str!("../../../tests/data/gtp/boards.txt"));
}

#[test]
fn settings_and_clocks_go_as_their_transcript_says() {
    holds(include_str!("../../../tests/data/gtp/settings.txt"));
}

#[test]
fn lines_may_end_as_on_any_system_and_nothing_is_read_after_quit() {
    let input = b"\xef\xbb\xbf\r\n1 name\r\n\r\n\x002\tversion\x07 # now\r\nquit\r\nname\r\n";
    let version = env!("CARGO_PKG_VERSION");
    let said = answers(session(), input);
    assert!(said.ends_with(&format!("=1 hexhall\n\n=2 {version}\n\n= \n\n")), "{said:?}");
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_refused_and_the_session_goes_on() {
    let mut input = vec![b'x'; 3 * MAX_LINE];
    input.extend(b"\n\xff\xfe\xfd play\nname\n");
    let said = answers(session(), &input);
    assert!(said.starts_with("? unknown command: `xxx"), "{}", &said[..60]);
    assert!(said.lines().all(|line| line.len() < 200), "what is repeated is cut short");
    assert!(said.ends_with("= hexhall\n\n"));
}

#[test]
fn an_unknown_command_is_answered_with_the_one_most_like_it() {
    for (typed, told) in [
        ("genmov black", "? unknown command: `genmov`; did you mean `genmove`?"),
        ("dance", "? unknown command: `dance`; list_commands lists those that there are"),
    ] {
        assert_eq!(answers(session(), typed.as_bytes()), format!("{told}\n\n"));
    }
}

#[test]
fn every_command_that_is_listed_is_known_and_answers() {
    let listed = session().answer("list_commands").unwrap().1.text.unwrap();
    for name in listed.lines() {
        let known = session().answer(&format!("known_command {name}")).unwrap().1.text;
        assert_eq!(known.as_deref(), Ok("true"));
        let answer = session().answer(name).unwrap().1;
        let unknown = answer.text.err().is_some_and(|text| text.contains("unknown"));
        assert!(!unknown, "{name}");
    }
    for name in "protocol_version name version list_commands known_command quit boardsize \
                 clear_board play genmove reg_genmove undo showboard final_score all_legal_moves \
                 time_left time_settings loadsgf param_hexhall"
        .split_whitespace()
    {
        assert!(listed.lines().any(|listed| listed == name), "{name}");
    }
}

#[test]
fn the_first_stone_is_swapped_where_that_is_best_and_allowed() {
    let mut centre = session();
    for line in ["boardsize 5", "play black c3"] {
        centre.answer(line).unwrap().1.text.unwrap();
    }
    let mut plain = session();
    for line in ["boardsize 5", "param_hexhall swap 0", "play black c3"] {
        plain.answer(line).unwrap().1.text.unwrap();
    }
    let genmove = |session: &mut Session| session.answer("genmove white").unwrap().1.text.unwrap();
    assert_eq!(genmove(&mut centre), "swap-pieces");
    assert_ne!(genmove(&mut plain), "swap-pieces");
}

#[test]
fn a_lost_position_is_given_up_unless_that_is_forbidden() {
    // Red joins by b1 or c1, whatever blue does.
    let lines = ["boardsize 3", "play black b2", "play white a3", "play black b3"];
    let play = |extra: &'static str| {
        let mut session = session();
        for line in lines.into_iter().chain([extra]) {
            session.answer(line).unwrap().1.text.unwrap();
        }
        session.answer("genmove white").unwrap().1.text.unwrap()
    };
    assert_eq!(play("param_hexhall resign 0.5"), "resign");
    assert_ne!(play("param_hexhall resign 0"), "resign");
}

#[test]
fn a_recorded_game_is_loaded_up_to_a_move() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.sgf");
    std::fs::write(&path, "(;FF[4]GM[11]SZ[5];B[c3];W[b2];B[d4])").unwrap();
    let mut session = session();
    let mut ask = |line: String| session.answer(&line).unwrap().1.text;
    ask(format!("loadsgf {}", path.display())).unwrap();
    assert_eq!(
        ask("play black d4".into()).unwrap_err(),
        "illegal move: d4 is taken by a red stone"
    );
    ask(format!("loadsgf {} 2", path.display())).unwrap();
    ask("play black d4".into()).unwrap();
    std::fs::write(&path, "(;FF[4]GM[11]SZ[5];B[c3];W[c3])").unwrap();
    let refused = ask(format!("loadsgf {}", path.display())).unwrap_err();
    assert!(refused.starts_with("cannot load file: line 1"), "{refused}");
    assert_eq!(ask("final_score".into()).unwrap(), "cannot score", "all is as it was");
}

#[test]
fn a_line_that_is_too_long_has_one_answer() {
    let long = [&b"play "[..], &b"b a1 ".repeat(MAX_LINE), b"\nname\n"].concat();
    let said = answers(session(), &long);
    assert_eq!(said.matches("\n\n").count(), 2, "{said}");
    assert!(said.ends_with("= hexhall\n\n"), "{said}");
}

#[test]
fn the_swap_is_off_or_pieces_from_the_start() {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }
    let swap = |words: &[&str]| {
        let words = std::iter::once("gtp").chain(words.iter().copied());
        <Line as clap::Parser>::try_parse_from(words).map(|line| line.args.swap)
    };
    assert_eq!(swap(&[]).unwrap(), GtpSwap::Pieces);
    assert_eq!(swap(&["--swap", "on"]).unwrap(), GtpSwap::Pieces);
    assert_eq!(swap(&["--swap", "off"]).unwrap(), GtpSwap::Off);
    let refused = swap(&["--swap", "sides"]).unwrap_err().to_string();
    assert!(refused.contains("off, pieces"), "{refused}");
}
