//! The wire of hexhall.
