//! What the driver and the floor agree on: how a connection joins, and what its frames begin with.

use std::fmt;
use std::str::FromStr;

/// The first byte of the frame that says that one may speak.
pub const WELCOME: u8 = 0;
/// The first byte of a frame that another member sent.
pub const PASSED_ON: u8 = 1;
/// The first byte of a frame that goes back to its sender, as a reply does.
pub const ASIDE: u8 = 2;

/// What a connection to the floor asks for, as its address says it: `group=7&on=90&back=20,90`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// Whose frames it sees, and who sees its own.
    pub group: u64,
    /// The size of the frame that each of the others gets for one of its own, in bytes.
    pub on: usize,
    /// The sizes of the frames that come back to it for one of its own.
    pub back: Vec<usize>,
}

/// The address names no group, or no sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a connection says where it belongs: `group=7&on=90&back=20,90`")]
pub struct NotAJoin;

impl fmt::Display for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let back: Vec<String> = self.back.iter().map(usize::to_string).collect();
        write!(f, "group={}&on={}&back={}", self.group, self.on, back.join(","))
    }
}

impl FromStr for Join {
    type Err = NotAJoin;

    fn from_str(query: &str) -> Result<Join, NotAJoin> {
        let field = |name: &str| {
            let mut fields = query.split('&').filter_map(|field| field.split_once('='));
            fields.find(|(key, _)| *key == name).map(|(_, value)| value).ok_or(NotAJoin)
        };
        let back = field("back")?.split(',').filter(|size| !size.is_empty());
        Ok(Join {
            group: field("group")?.parse().map_err(|_| NotAJoin)?,
            on: field("on")?.parse().map_err(|_| NotAJoin)?,
            back: back.map(str::parse).collect::<Result<_, _>>().map_err(|_| NotAJoin)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_reads_back_with_and_without_frames_that_come_back() {
        for back in [vec![], vec![20, 90]] {
            let join = Join { group: 7, on: 90, back };
            assert_eq!(join.to_string().parse(), Ok(join));
        }
        assert_eq!("group=7&on=x&back=".parse::<Join>(), Err(NotAJoin));
    }
}
