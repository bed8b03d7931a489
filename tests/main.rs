//! Every behaviour's tests, one file each, linked once.

mod records;
mod rules;
