//! Every behaviour's tests, one file each, linked once.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod gateway;
mod browser;
mod http_api;
mod layering;
mod records;
mod rules;
mod table_state;
mod verify;
