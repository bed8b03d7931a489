use clap::Parser;

use super::*;
use crate::record::{self, Format};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn contest(words: &[&str]) -> Result<Match, String> {
    let words = std::iter::once("match").chain(words.iter().copied());
    let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
    Match::of(line.args).map_err(|failure| failure.to_string())
}

/// Plays a match, and gives the report and the games.
fn played(words: &[&str]) -> (Report, Vec<Played>) {
    let games = Mutex::new(Vec::new());
    let contest = contest(words).unwrap();
    let report = contest.play(NonZeroUsize::MIN, |_, _, _| Ok(())).unwrap();
    for number in 0..contest.games {
        games.lock().unwrap().push(contest.game(number, &TimeSource::system()).unwrap());
    }
    (report, games.into_inner().unwrap())
}

fn result(report: &Report) -> serde_json::Value {
    serde_json::from_str(&report.json()).unwrap()
}

/// A program that answers every `genmove` like this, and everything else with nothing.
fn program(genmove: &str) -> String {
    format!(
        "gtp:sh -c 'while read c r; do case $c in genmove) {genmove};; quit) exit;; \
         *) printf \"= \\n\\n\";; esac; done'"
    )
}

#[test]
fn openings_are_played_twice_with_colours_exchanged() {
    let words = ["--a", "random", "--b", "random", "--games", "3", "--size", "11"];
    let (report, games) = played(&words);
    let result = result(&report);
    assert_eq!(result["games"], 4, "raised to an even number");
    let began: Vec<_> = (0..4).map(|i| result["lines"][i]["a_began_as"].clone()).collect();
    assert_eq!(began, ["red", "blue", "red", "blue"]);
    let openings: Vec<_> = games.iter().map(|it| it.game.plies()[..2].to_vec()).collect();
    assert_eq!(openings[0], openings[1]);
    assert_eq!(openings[2], openings[3]);
    assert_ne!(openings[0], openings[2]);
    assert_eq!(result["won_by_a"].as_u64().unwrap() + result["won_by_b"].as_u64().unwrap(), 4);
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let words = |seed| {
        [
            "--a",
            "cpu:level=2,nodes=20",
            "--b",
            "random",
            "--games",
            "2",
            "--size",
            "4",
            "--seed",
            seed,
        ]
    };
    let plies = |seed| {
        let (_, games) = played(&words(seed));
        games.iter().map(|it| it.game.plies().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(plies("1"), plies("1"));
    assert_ne!(plies("1"), plies("2"));
}

#[test]
fn a_searching_engine_beats_one_that_moves_at_random_in_hex_and_in_the_dark() {
    for dark in [None, Some("classical"), Some("abrupt")] {
        let mut words = vec!["--a", "cpu:nodes=40", "--b", "random", "--games", "6", "--size", "4"];
        words.extend(dark.map(|rule| ["--dark", rule]).into_iter().flatten());
        let (report, games) = played(&words);
        let won = result(&report)["won_by_a"].as_u64().unwrap();
        assert!(won >= 4, "{dark:?}: {won}");
        assert_eq!(games[0].game.is_dark(), dark.is_some());
    }
}

#[test]
fn an_illegal_move_a_crash_and_a_refusal_lose_the_game_with_the_reason() {
    for (genmove, by, told) in [
        ("printf \"= z9\\n\\n\"", "fault", "z9 is not on the board"),
        ("printf \"= pass\\n\\n\"", "fault", "`pass`"),
        ("exit", "fault", "the program ended at `genmove black`"),
        ("printf \"? too hard\\n\\n\"", "fault", "`genmove black` was refused: too hard"),
        ("printf \"= resign\\n\\n\"", "resignation", ""),
    ] {
        let side = program(genmove);
        let words = ["--a", &side, "--b", "random", "--games", "2", "--size", "3"];
        let (report, _) = played(&words);
        let result = result(&report);
        assert_eq!(result["won_by_b"], 2, "{genmove}");
        let line = &result["lines"][0];
        assert_eq!(line["by"], by, "{line}");
        assert!(line["fault"].as_str().unwrap_or_default().contains(told), "{line}");
    }
}

#[test]
fn a_program_that_is_not_there_or_says_nothing_stops_the_match_before_its_first_game() {
    for (side, told) in [
        ("gtp:./no-such-engine", "b: `./no-such-engine` could not be started"),
        ("gtp:sh -c 'while read c; do :; done'", "does not answer"),
    ] {
        let contest = contest(&["--a", "cpu", "--b", side]).unwrap();
        let error = contest.greet(300).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    let refusing = program("exit");
    contest(&["--a", &refusing, "--b", "random"]).unwrap().greet(GREETING_MS).unwrap();
}

#[test]
fn games_lost_by_fault_stand_beside_the_score() {
    let side = program("exit");
    let (report, _) = played(&["--a", "random", "--b", &side, "--games", "2", "--size", "3"]);
    let text = report.text();
    assert!(text.contains("a won 2 of 2, b 0: 100.0 %; b lost 2 by fault\n"), "{text}");
}

#[test]
fn whoever_takes_too_long_loses_on_time() {
    let side = program("true");
    let words = ["--a", &side, "--b", "random", "--games", "2", "--size", "3"];
    let words = [&words[..], &["--seconds", "0.05", "--slack", "0.05"]].concat();
    let (report, _) = played(&words);
    let result = result(&report);
    assert_eq!((&result["won_by_b"], &result["lines"][0]["by"]), (&2.into(), &"time".into()));
    assert_eq!(result["faults"], serde_json::json!([2, 0]));
}

#[test]
fn a_program_is_told_the_moves_of_the_other_side_and_the_swap() {
    // It opens in the middle, and answers a first stone by the swap.
    let side = "gtp:sh -c 'n=; while read c r; do case $c in play) n=$r;; esac; case $c in \
                genmove) if [ -z \"$n\" ]; then n=x; printf \"= b2\\n\\n\"; \
                else printf \"= resign\\n\\n\"; fi;; *) printf \"= \\n\\n\";; esac; done'";
    let words = ["--a", side, "--b", "cpu:nodes=50", "--games", "2", "--size", "3"];
    let (report, games) = played(&[&words[..], &["--swap", "pieces"]].concat());
    assert_eq!(result(&report)["won_by_b"], 2);
    assert_eq!(games[0].game.plies()[1].action, crate::game::Move::Swap);
}

#[test]
fn a_program_is_told_the_swap_rule_where_it_knows_how() {
    // It knows one command, and swaps unless that has told it not to.
    let side = |known: &str, setting: &str| {
        format!(
            "gtp:sh -c 'swap=1; while read c r s; do case \"$c $r\" in \
             \"known_command {known}\") printf \"= true\\n\\n\";; \
             \"{known} {setting}\") swap=$s; printf \"= \\n\\n\";; \
             genmove*) if [ $swap = 1 ]; then printf \"= swap-pieces\\n\\n\"; \
             else printf \"= resign\\n\\n\"; fi;; *) printf \"= false\\n\\n\";; esac; done'"
        )
    };
    for (known, setting) in [("param_hexhall", "swap"), ("param_game", "allow_swap")] {
        let side = side(known, setting);
        let words = ["--a", "cpu:nodes=50", "--b", &side, "--games", "2", "--size", "3"];
        let off = result(&played(&words).0);
        assert_eq!(off["lines"][0]["by"], "resignation", "{known}: {off}");
        let (_, games) = played(&[&words[..], &["--swap", "pieces"]].concat());
        assert_eq!(games[0].game.plies()[1].action, crate::game::Move::Swap, "{known}");
    }
}

#[test]
fn games_are_written_and_read_back() {
    let dir = tempfile::tempdir().unwrap();
    for (dark, name, format) in
        [(false, "game-0001.sgf", Format::Sgf), (true, "game-0001.json", Format::Json)]
    {
        let mut words = vec!["--a", "random", "--b", "random", "--games", "2", "--size", "4"];
        words.extend(dark.then_some(["--dark", "classical"]).into_iter().flatten());
        let contest = contest(&words).unwrap();
        let keep = |played: &Played, line: &GameLine, report: &Report| {
            report::keep(dir.path(), report, played, line)
        };
        contest.play(NonZeroUsize::new(2).unwrap(), keep).unwrap();
        let bytes = fs::read(dir.path().join(name)).unwrap();
        let record = &record::read(&bytes, Some(format)).unwrap()[0];
        let game = contest.game(0, &TimeSource::system()).unwrap().game;
        assert_eq!(record.replay().unwrap().plies(), game.plies());
        assert_eq!(record.players, [Some("random".to_owned()), Some("random".to_owned())]);
    }
}

#[test]
fn a_match_that_cannot_be_is_refused_with_what_could() {
    let program = program("exit");
    let both = ["--a", "cpu", "--b", "random"];
    for (words, told) in [
        (vec!["--size", "13", "--opening", "balanced"], "11x11 only"),
        (vec!["--dark", "classical", "--opening", "balanced"], "`--opening none`"),
        (vec!["--dark", "classical", "--swap", "sides"], "choose `--swap off`"),
        (vec!["--swap", "pieces", "--size", "5x6"], "square"),
        (vec!["--opening", "/no/such/file"], "cannot read /no/such/file"),
        (vec!["--size", "0"], "each is from 1 to 53"),
        (vec!["--games", "0"], "1..=1000000"),
        (vec!["--seconds", "1", "--nodes", "5"], "cannot be used with"),
    ] {
        let error = contest(&[&both[..], &words[..]].concat()).unwrap_err();
        assert!(error.contains(told), "{words:?}: {error}");
    }
    let single = contest(&["--a", "single", "--b", "cpu"]).unwrap_err();
    assert!(single.contains("Dark Hex only"), "{single}");
    let dark = ["--a", &program, "--b", "cpu", "--dark", "abrupt"];
    assert!(contest(&dark).unwrap_err().contains("built in"));
    let unknown = contest(&["--a", "gtp:", "--b", "cpu"]).unwrap_err();
    assert!(unknown.contains("is no engine"), "{unknown}");
}
