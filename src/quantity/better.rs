//! Which way is better.

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
