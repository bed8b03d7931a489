//! Every behaviour's tests, one file each, linked once.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod harness;

mod bad_input;
mod flags;
mod damaged_rows;
mod dark_eyes;
mod dark_rules;
mod gateway;
mod bench;
mod browser;
mod house_rules;
mod http_api;
mod http_port;
mod identity;
mod kill;
mod layering;
mod live_dark;
mod lobby_panics;
mod live_games;
mod manners;
mod matching;
mod pass_and_play;
mod practice;
mod plans;
mod rated;
mod records;
mod secrets;
mod rules;
mod shutdown;
mod social;
mod spectator_delay;
mod starting;
mod table_state;
mod takeover;
mod verify;
