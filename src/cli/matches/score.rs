//! What a match came to, and how sure that is. Pure.

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_985;

/// Games won by each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// By the first.
    pub a: u32,
    /// By the second.
    pub b: u32,
}

/// The difference in strength that a score tells, on the logistic scale: 400 is 10 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The likeliest; none where one side won everything.
    pub difference: Option<f64>,
    /// At least that, with 95 % from both sides; none where the first won nothing.
    pub low: Option<f64>,
    /// At most that; none where the first won everything.
    pub high: Option<f64>,
}

impl Score {
    /// How many games there were.
    pub fn games(self) -> u32 {
        self.a + self.b
    }

    /// The part that the first won, from 0 to 1; none before the first game.
    pub fn part(self) -> Option<f64> {
        (self.games() > 0).then(|| f64::from(self.a) / f64::from(self.games()))
    }

    /// What that says of the first side's strength over the second's. The bounds are Wilson's, so
    /// that a clean sweep has one, too.
    pub fn elo(self) -> Option<Elo> {
        let (part, games) = (self.part()?, f64::from(self.games()));
        let middle = (part + Z * Z / (2.0 * games)) / (1.0 + Z * Z / games);
        let spread = Z / (1.0 + Z * Z / games)
            * (part * (1.0 - part) / games + Z * Z / (4.0 * games * games)).sqrt();
        Some(Elo {
            difference: logistic(part),
            low: logistic(middle - spread).filter(|_| self.a > 0),
            high: logistic(middle + spread).filter(|_| self.b > 0),
        })
    }
}

/// The difference at which that part of the games is won.
fn logistic(part: f64) -> Option<f64> {
    (part > 0.0 && part < 1.0).then(|| 400.0 * (part / (1.0 - part)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(a: u32, b: u32) -> [Option<i64>; 3] {
        let elo = Score { a, b }.elo().unwrap();
        [elo.low, elo.difference, elo.high].map(|elo| elo.map(|elo| elo.round() as i64))
    }

    #[test]
    fn an_even_score_is_no_difference_and_more_games_are_surer() {
        assert_eq!(elo(10, 10), [Some(-148), Some(0), Some(148)]);
        assert_eq!(elo(200, 200), [Some(-34), Some(0), Some(34)]);
    }

    #[test]
    fn ten_to_one_is_four_hundred_and_a_clean_sweep_has_only_one_bound() {
        assert_eq!(elo(100, 10)[1], Some(400));
        let [low, difference, high] = elo(20, 0);
        assert_eq!((difference, high), (None, None));
        assert!((250..320).contains(&low.unwrap()), "{low:?}");
        let [low, difference, high] = elo(0, 20);
        assert_eq!((low, difference), (None, None));
        assert!((-320..-250).contains(&high.unwrap()), "{high:?}");
        assert_eq!(Score::default().elo(), None);
    }
}
