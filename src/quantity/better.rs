//! Which way is better, and which way a number that compares goes.

/// Which way a quantity should go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Higher,
    Lower,
    /// Neither way is better by itself.
    Neither,
}

impl Better {
    pub fn words(self) -> &'static str {
        match self {
            Better::Higher => "higher is better",
            Better::Lower => "lower is better",
            Better::Neither => "",
        }
    }

    /// The word for a change of this sign, `None` where no direction is better.
    pub fn judge(self, change: f64) -> Option<&'static str> {
        match self {
            Better::Neither => None,
            _ if change == 0.0 => None,
            Better::Higher if change > 0.0 => Some("better"),
            Better::Lower if change < 0.0 => Some("better"),
            _ => Some("worse"),
        }
    }
}

/// What a number that compares says where it is more than nothing, or more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Something is more.
    Rises,
    /// Something is less: a saving, points lost, how many times less.
    Falls,
    /// Which of two is more than the other is not said.
    Either,
}

/// What the words for a change mean of a number: `faster`, `less`, `a loss`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sense {
    pub better: Better,
    pub way: Way,
}

impl Sense {
    /// Of a number of which is known only that more of it is more.
    pub const PLAIN: Sense = Sense { better: Better::Neither, way: Way::Rises };
    /// Of a number that may be of anything, in either way.
    pub const ANY: Sense = Sense { better: Better::Neither, way: Way::Either };
}

impl Better {
    pub fn reversed(self) -> Self {
        match self {
            Better::Higher => Better::Lower,
            Better::Lower => Better::Higher,
            Better::Neither => Better::Neither,
        }
    }
}
