//! The seam for judgement: a position gives a prior over moves, and a value.
//!
//! The search asks an [`Evaluator`] at every node that it opens; a learned network would be
//! another one. The one built in is [`Circuit`]: the board as two electrical circuits (Anshelevich,
//! "A Hierarchical Approach to Computer Hex", 2002). For each colour the empty cells resist, its
//! own stones conduct, the other's do not, and a voltage is put between its edges. Whose circuit
//! resists less is ahead, and the cells that carry much of both currents are those that matter.

use std::sync::LazyLock;

use crate::game::Color;

use super::grid::{Grid, Mark, Point};
use super::patterns::Table;

/// What an evaluator makes of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// How likely whoever is to move wins, from 0 to 1.
    pub value: f32,
    /// How likely the best move is there, for each point of the grid. The empty points sum to 1.
    pub prior: Vec<f32>,
}

/// Judges positions in which whoever joins their edges wins.
pub trait Evaluator: Send {
    /// Judges a position on a board that has an empty cell. `last` is the stone that was placed
    /// last, where that is known.
    fn evaluate(&mut self, grid: &Grid, to_move: Color, last: Option<Point>) -> Evaluation;
}

/// How often voltages are relaxed: enough for the order of moves, well short of convergence on
/// large boards.
const ROUNDS: usize = 30;
/// Over-relaxation.
const OMEGA: f32 = 1.6;
/// How sharply the odds follow the ratio of the resistances.
const SHARPNESS: f32 = 3.0;

/// How many classes of flow there are.
const CLASSES: usize = 12;

/// The learned weights of the prior: those of patterns, and of how much of both currents passes a
/// cell, in lines `bin`, and of the cells that are a bridge away from the last stone.
#[derive(Clone, Debug)]
struct Weights {
    table: Table,
    flows: [[f32; CLASSES]; CLASSES],
    bridges: [f32; 3],
}

/// Read once, and shared by all searches.
static LEARNED: LazyLock<Weights> = LazyLock::new(Weights::learned);

impl Weights {
    fn learned() -> Weights {
        let text = include_str!("patterns/priors.txt");
        let mut weights = Weights {
            table: Table::read(text),
            flows: [[1.0; CLASSES]; CLASSES],
            bridges: [1.0; 3],
        };
        let mut flows = weights.flows.iter_mut();
        for line in text.lines() {
            let (word, numbers) = line.split_once(' ').unwrap_or_default();
            let numbers = numbers.split(' ').filter_map(|number| number.parse().ok());
            let row: &mut [f32] = match word {
                "flow" => flows.next().map_or(&mut [], |row| row),
                "bridge" => &mut weights.bridges,
                _ => &mut [],
            };
            row.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        }
        weights
    }
}

/// The built-in evaluator.
#[derive(Clone, Debug)]
pub struct Circuit {
    weights: &'static Weights,
    /// For each point, its knot: chains are one knot, empty cells one each.
    knot: Vec<u16>,
    voltage: Vec<f32>,
    /// Wires as knot and conductance, those of one knot side by side.
    wires: Vec<(u16, f32)>,
    /// Where the wires of a knot start.
    starts: Vec<u32>,
    stack: Vec<Point>,
    members: Vec<Point>,
    /// How much of the current flows through each point.
    flow: [Vec<f32>; 2],
}

/// The knots of the two edges.
const NEAR: u16 = 0;
const FAR: u16 = 1;
/// Not part of the circuit.
const NONE: u16 = u16::MAX;

impl Evaluator for Circuit {
    fn evaluate(&mut self, grid: &Grid, to_move: Color, last: Option<Point>) -> Evaluation {
        let own = self.current(grid, to_move);
        let other = self.current(grid, to_move.other());
        // The move to come is worth about half a stone of lead.
        let odds = (own / other).powf(SHARPNESS) * 1.3;
        let value = if other <= 0.0 { 1.0 } else { odds / (1.0 + odds) };
        let mut prior = vec![0.0; grid.geometry().len()];
        for point in grid.empty() {
            let at = usize::from(point);
            let [own, other] =
                [to_move, to_move.other()].map(|color| class(self.flow[color.index()][at]));
            prior[at] = self.weights.flows[own][other]
                * self.weights.table.of(to_move, grid.code(point)).cell;
        }
        if let Some(last) = last {
            let beside = self.weights.table.of(to_move, grid.code(last)).beside;
            let geometry = grid.geometry();
            for way in 0..6 {
                prior[usize::from(geometry.neighbour(last, way))] *= beside[way];
                // In the directions from the last stone to a cell that is a bridge away.
                let bridged = geometry.bridged(last, way);
                if let Some(bridged) = bridged {
                    let direction = if to_move == Color::Red { way } else { 10 - way };
                    prior[usize::from(bridged)] *= self.weights.bridges[direction % 3];
                }
            }
        }
        let sum: f32 = prior.iter().sum();
        prior.iter_mut().for_each(|weight| *weight /= sum);
        Evaluation { value, prior }
    }
}

/// The class of a cell by how much of a current passes it, in steps of not quite a factor of two.
fn class(flow: f32) -> usize {
    ((flow.max(1e-6).log2() + 10.0) * CLASSES as f32 / 10.0).clamp(0.0, CLASSES as f32 - 1.0)
        as usize
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            weights: &LEARNED,
            knot: Vec::new(),
            voltage: Vec::new(),
            wires: Vec::new(),
            starts: Vec::new(),
            stack: Vec::new(),
            members: Vec::new(),
            flow: [Vec::new(), Vec::new()],
        }
    }
}

impl Circuit {
    /// The current between a colour's edges, and in `flow` how much of it passes each cell.
    fn current(&mut self, grid: &Grid, color: Color) -> f32 {
        self.tie(grid, color);
        self.relax();
        let flow = &mut self.flow[color.index()];
        flow.clear();
        flow.resize(grid.geometry().len(), 0.0);
        let through = |knot: u16| -> f32 {
            let (from, to) = (self.starts[usize::from(knot)], self.starts[usize::from(knot) + 1]);
            let here = self.voltage[usize::from(knot)];
            let wires = &self.wires[from as usize..to as usize];
            wires.iter().map(|&(to, g)| g * (self.voltage[usize::from(to)] - here).abs()).sum()
        };
        let total = (through(NEAR) + through(FAR)) / 2.0;
        for point in grid.empty() {
            let knot = self.knot[usize::from(point)];
            flow[usize::from(point)] = through(knot) / 2.0 / total.max(1e-6);
        }
        total
    }

    /// Makes knots of chains and cells, and wires between them.
    fn tie(&mut self, grid: &Grid, color: Color) {
        let geometry = grid.geometry().clone();
        let own = Mark::of(color);
        let (len, stride) = (geometry.len(), geometry.stride());
        self.knot.clear();
        self.knot.resize(len, NONE);
        self.voltage.clear();
        self.wires.clear();
        self.starts.clear();
        self.members.clear();
        let sides = match color {
            Color::Red => [(1..stride - 1).collect(), (len - stride + 1..len - 1).collect()],
            Color::Blue => [1, 2].map(|side| -> Vec<usize> {
                let rows = 1..len / stride - 1;
                rows.map(|row| row * stride + if side == 1 { 0 } else { stride - 1 }).collect()
            }),
        };
        // Chains and cells, each one's members side by side.
        let mut ends = Vec::new();
        for (knot, side) in (NEAR..).zip(&sides) {
            for &point in side {
                self.knot[point] = knot;
                self.members.push(point as Point);
            }
            self.spread(grid, own, knot);
            ends.push(self.members.len());
        }
        for &point in geometry.points() {
            let mark = grid.at(point);
            if self.knot[usize::from(point)] != NONE || (mark != own && mark != Mark::Empty) {
                continue;
            }
            let knot = ends.len() as u16;
            self.knot[usize::from(point)] = knot;
            self.members.push(point);
            if mark == own {
                self.spread(grid, own, knot);
            }
            ends.push(self.members.len());
        }
        let rows = (len / stride - 1) as f32;
        let mut from = 0;
        for (knot, &to) in ends.iter().enumerate() {
            self.starts.push(self.wires.len() as u32);
            for at in from..to {
                self.wire(grid, self.members[at], knot as u16);
            }
            let (row, col) =
                (self.members[from] as usize / stride, self.members[from] as usize % stride);
            let start = match color {
                Color::Red => 1.0 - row as f32 / rows,
                Color::Blue => 1.0 - col as f32 / (stride - 1) as f32,
            };
            self.voltage.push(match knot as u16 {
                NEAR => 1.0,
                FAR => 0.0,
                _ => start,
            });
            from = to;
        }
        self.starts.push(self.wires.len() as u32);
    }

    /// Adds the stones that hang together with the members since the last end.
    fn spread(&mut self, grid: &Grid, own: Mark, knot: u16) {
        let geometry = grid.geometry();
        self.stack.clear();
        let fresh = self.members.iter().rev().take_while(|p| self.knot[usize::from(**p)] == knot);
        self.stack.extend(fresh);
        while let Some(point) = self.stack.pop() {
            for next in geometry.around_inside(point) {
                let at = usize::from(next);
                if self.knot[at] == NONE && grid.at(next) == own && !geometry.is_border(next) {
                    self.knot[at] = knot;
                    self.members.push(next);
                    self.stack.push(next);
                }
            }
        }
    }

    fn wire(&mut self, grid: &Grid, point: Point, knot: u16) {
        let resists = |mark: Mark| -> f32 { if mark == Mark::Empty { 1.0 } else { 0.0 } };
        let here = resists(grid.at(point));
        for next in grid.geometry().around_inside(point) {
            let other = self.knot[usize::from(next)];
            if other != NONE && other != knot {
                let resistance: f32 = here + resists(grid.at(next));
                self.wires.push((other, 1.0 / resistance.max(0.05)));
            }
        }
    }

    fn relax(&mut self) {
        let knots = self.voltage.len();
        for _ in 0..ROUNDS {
            for knot in 2..knots {
                let (from, to) = (self.starts[knot] as usize, self.starts[knot + 1] as usize);
                let (mut sum, mut weight) = (0.0, 0.0);
                for &(other, g) in &self.wires[from..to] {
                    sum += g * self.voltage[usize::from(other)];
                    weight += g;
                }
                if weight > 0.0 {
                    self.voltage[knot] += OMEGA * (sum / weight - self.voltage[knot]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::grid::Geometry;
    use crate::game::{Cell, Size};

    fn evaluated(red: &[&str], blue: &[&str], to_move: Color) -> (Grid, Evaluation) {
        let mut grid = Grid::new(Geometry::new(Size::new(5, 5).unwrap()).into());
        let geometry = grid.geometry().clone();
        let point = |text: &&str| geometry.point(text.parse::<Cell>().unwrap());
        red.iter().for_each(|text| grid.set(point(text), Mark::Red));
        blue.iter().for_each(|text| grid.set(point(text), Mark::Blue));
        let evaluation = Circuit::default().evaluate(&grid, to_move, None);
        (grid, evaluation)
    }

    #[test]
    fn priors_are_a_distribution_over_the_empty_cells() {
        let (grid, evaluation) = evaluated(&["c3"], &["b2"], Color::Red);
        assert!((evaluation.prior.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let geometry = grid.geometry();
        let taken = geometry.point(Cell::new(2, 2));
        assert_eq!(evaluation.prior[usize::from(taken)], 0.0);
    }

    #[test]
    fn whoever_is_nearly_through_is_ahead() {
        let red = ["c1", "c2", "c3", "b4"];
        let (_, ahead) = evaluated(&red, &["a1", "e5", "e1"], Color::Red);
        let (_, behind) = evaluated(&red, &["a1", "e5", "e1"], Color::Blue);
        assert!(ahead.value > 0.8 && behind.value < 0.4, "{} {}", ahead.value, behind.value);
    }

    #[test]
    fn blue_sees_the_mirrored_board_as_red_sees_its_own() {
        let (grid, red) = evaluated(&["b4"], &["c2", "d3"], Color::Red);
        let (_, blue) = evaluated(&["b3", "c4"], &["d2"], Color::Blue);
        let geometry = grid.geometry();
        for &point in geometry.points() {
            let mirrored = geometry.point(geometry.cell(point).mirrored());
            let (a, b) = (red.prior[usize::from(point)], blue.prior[usize::from(mirrored)]);
            assert!((a - b).abs() < 0.02, "{} {a} {b}", geometry.cell(point));
        }
    }
}
