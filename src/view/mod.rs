//! What a viewer may know: the only code that reads a whole table in order to send it. Pure.
//!
//! [`project`] makes a viewer's whole view of a state, [`delta`] the part of one event that a
//! viewer is told. Both are total: whatever is not put into the result here is not sent.

pub mod delta;
pub mod project;
mod sight;
pub mod viewer;

pub use viewer::Viewer;
