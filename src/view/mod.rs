//! What a viewer may know: the only code that reads a whole table in order to send it. Pure.
//!
//! [`project`] makes a viewer's whole view of a state, [`delta`] the part of one event that a
//! viewer is told. Both are total: whatever is not put into the result here is not sent.
//!
//! There is no way around it: a view can be sent,
//! ```
//! fn sends<T: serde::Serialize>() {}
//! sends::<hexhall_proto::view::View>();
//! ```
//! and the table that it was cut from cannot, nor its game, nor what happened there.
//! ```compile_fail,E0277
//! fn sends<T: serde::Serialize>() {}
//! sends::<hexhall::table::state::State>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: serde::Serialize>() {}
//! sends::<hexhall::game::Game>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: serde::Serialize>() {}
//! sends::<hexhall::table::state::event::Event>();
//! ```

pub mod delta;
pub mod project;
mod party;
mod sight;
pub mod viewer;

pub use viewer::Viewer;
