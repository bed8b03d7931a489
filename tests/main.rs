//! Every behaviour's tests, one file each, linked once.
