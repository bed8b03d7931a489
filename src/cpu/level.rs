//! How strong the computer plays: levels by searched nodes and by knowledge, the same on every
//! machine.

use std::fmt;

use crate::game::Size;

/// A level from 1, which a beginner beats, to 10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// Why a number is not a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no level {0}: the computer plays at levels from 1 to 10")]
pub struct NotALevel(pub u64);

impl Level {
    /// The weakest.
    pub const MIN: Level = Level(1);
    /// The strongest.
    pub const MAX: Level = Level(10);
    /// At which the computer plays for somebody who is gone.
    pub const TAKEOVER: Level = Level(5);
    /// At which it thinks about what it suggests, at least: moderate, so that it comes at once.
    pub const SUGGESTING: Level = Level(6);

    /// The level with this number, if it is one.
    pub fn new(number: u64) -> Result<Level, NotALevel> {
        let level = u8::try_from(number).ok().map(Level);
        level.filter(|level| (Level::MIN..=Level::MAX).contains(level)).ok_or(NotALevel(number))
    }

    /// How much a search at this level may do on a board of this size. Large boards get fewer
    /// playouts, as each takes longer.
    pub fn effort(self, size: Size) -> Effort {
        const NODES: [u64; 10] = [2, 10, 50, 150, 500, 1_500, 5_000, 18_000, 54_000, 160_000];
        let nodes = NODES[usize::from(self.0) - 1];
        let full = Knowledge::full();
        let knowledge = match self.0 {
            1 => Knowledge { rave: false, bridges: false, steady: false, ..Knowledge::beginner() },
            2 => Knowledge { bridges: false, steady: false, ..Knowledge::beginner() },
            3 => Knowledge::beginner(),
            4..=6 => Knowledge { connections: false, inferior: false, ..full },
            _ => full,
        };
        let cells = size.cells().max(121) as u64;
        Effort { nodes: (nodes * 121 / cells).max(NODES[0]), knowledge }
    }

    /// From 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How much a search may do, and what it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// How many playouts at most.
    pub nodes: u64,
    /// What it may use.
    pub knowledge: Knowledge,
}

/// The techniques of a search, each of which can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// Moves share what playouts tell of them, whenever they are made.
    pub rave: bool,
    /// Playouts answer whoever enters a bridge.
    pub bridges: bool,
    /// Playouts follow learned weights of small patterns.
    pub patterns: bool,
    /// The tree looks first at what the evaluator likes.
    pub priors: bool,
    /// Threats and virtual connections decide nodes, or narrow what is searched there.
    pub connections: bool,
    /// Moves that another move is at least as good as are not searched.
    pub inferior: bool,
    /// Positions near the end are solved.
    pub solver: bool,
    /// The tree is kept from move to move.
    pub reuse: bool,
    /// The evaluator's prior over the first move is taken as it is; otherwise moves stand out as
    /// often as the prior says they are best, as they do for whoever has little practice.
    pub steady: bool,
}

impl Knowledge {
    /// All of it.
    pub const fn full() -> Knowledge {
        Knowledge {
            rave: true,
            bridges: true,
            patterns: true,
            priors: true,
            connections: true,
            inferior: true,
            solver: true,
            reuse: true,
            steady: true,
        }
    }

    /// What players of the lower levels have: an eye for where the board is open, for a bridge
    /// that is entered, and for what wins or loses at once.
    const fn beginner() -> Knowledge {
        Knowledge { bridges: true, priors: true, solver: true, ..Knowledge::plain() }
    }

    /// A search with RAVE, even playouts and nothing else: what others are measured against.
    pub const fn plain() -> Knowledge {
        Knowledge {
            rave: true,
            bridges: false,
            patterns: false,
            priors: false,
            connections: false,
            inferior: false,
            solver: false,
            reuse: false,
            steady: true,
        }
    }
}
