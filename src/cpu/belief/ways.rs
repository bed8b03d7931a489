//! Shortest ways across a board: how many stones a side lacks for a chain through each cell.

use super::field::{Field, Point, Side};

/// Farther than any way across a board.
pub const FAR: u16 = u16::MAX / 4;

/// For one side, how many stones it lacks for a chain across through each cell.
#[derive(Debug, Default)]
pub struct Ways {
    near: Vec<u16>,
    far: Vec<u16>,
    queue: Vec<Point>,
    later: Vec<Point>,
}

impl Ways {
    /// How many stones a way through an unknown cell lacks, that cell's counted twice; for the
    /// side's own cells, counted once.
    pub fn through(&self, cell: usize) -> u16 {
        self.near[cell].saturating_add(self.far[cell]).min(FAR)
    }

    /// How many stones the side lacks for a chain across: 0 if it has one, [`FAR`] if there can be
    /// none.
    pub fn lacking(&self, field: &Field, side: Side) -> u16 {
        let size = field.size();
        let (rows, cols) = (usize::from(size.rows()), usize::from(size.cols()));
        let end = |at: usize| if side == 0 { (rows - 1) * cols + at } else { at * cols + cols - 1 };
        let length = if side == 0 { cols } else { rows };
        (0..length).map(|at| self.near[end(at)]).min().unwrap_or(FAR)
    }

    /// Measures a side's ways from its first edge only, which is enough for [`Ways::lacking`].
    pub fn measure_half(
        &mut self,
        field: &Field,
        side: Side,
        known: &impl Fn(Point) -> Option<Side>,
    ) {
        let mut near = std::mem::take(&mut self.near);
        self.spread(field, side, field.edges(side).0, known, &mut near);
        self.near = near;
    }

    /// Measures a side's ways; `known` says whose stone is known to stand on a cell.
    pub fn measure(&mut self, field: &Field, side: Side, known: &impl Fn(Point) -> Option<Side>) {
        self.measure_half(field, side, known);
        let mut far = std::mem::take(&mut self.far);
        self.spread(field, side, field.edges(side).1, known, &mut far);
        self.far = far;
    }

    /// The number of stones lacking between an edge and each cell, the cell's own included: cells
    /// of the side cost nothing, unknown cells one (a breadth-first search in rings).
    fn spread(
        &mut self,
        field: &Field,
        side: Side,
        edge: Point,
        known: &impl Fn(Point) -> Option<Side>,
        steps: &mut Vec<u16>,
    ) {
        steps.clear();
        steps.resize(field.cells(), FAR);
        let size = field.size();
        let (rows, cols) = (usize::from(size.rows()), usize::from(size.cols()));
        let (start, stride, count) = match edge as usize - field.cells() {
            0 => (0, 1, cols),
            1 => ((rows - 1) * cols, 1, cols),
            2 => (0, cols, rows),
            _ => (cols - 1, cols, rows),
        };
        self.later.clear();
        self.queue.clear();
        let mut ring = 0;
        let mut reach = |cell: usize, ring: u16, queue: &mut Vec<Point>, later: &mut Vec<Point>| {
            let (cost, queue) = match known(cell as Point) {
                Some(owner) if owner == side => (ring, queue),
                Some(_) => return,
                None => (ring + 1, later),
            };
            if cost < steps[cell] {
                steps[cell] = cost;
                queue.push(cell as Point);
            }
        };
        for at in 0..count {
            reach(start + at * stride, ring, &mut self.queue, &mut self.later);
        }
        loop {
            while let Some(cell) = self.queue.pop() {
                for &near in field.near(cell) {
                    if usize::from(near) < field.cells() {
                        reach(usize::from(near), ring, &mut self.queue, &mut self.later);
                    }
                }
            }
            if self.later.is_empty() {
                return;
            }
            ring += 1;
            std::mem::swap(&mut self.queue, &mut self.later);
        }
    }
}
