//! Tests of the table as a value.
