//! Capacity at an SLO, and what it takes to carry a peak.

use super::{ExampleValue::*, ceil, formula};
use crate::quantity::Unit;

formula! {
    /// How many times the baseline's capacity a config has under the same limits.
    CAPACITY_RATIO = "capacity_ratio", "Capacity ratio", Unit::Ratio, Higher;
    Number(capacity_rps: Unit::RequestsPerSecond, baseline_capacity_rps: Unit::RequestsPerSecond)
        => capacity_rps / baseline_capacity_rps;
    source "Quotient of two capacities under one SLO";
    example (21.0, 11.5) => Rounded("1.83"), "TokenWatt run record: 11.5 to 21.0 requests per second";
}

formula! {
    /// Change of capacity against the baseline under the same limits.
    CAPACITY_CHANGE_PCT = "capacity_change_pct", "Capacity change", Unit::PercentChange, Higher;
    Number(capacity_rps: Unit::RequestsPerSecond, baseline_capacity_rps: Unit::RequestsPerSecond)
        => 100.0 * (capacity_rps / baseline_capacity_rps - 1.0);
    source "Relative change";
    example (8.40, 5.36) => Rounded("56.7"), "servetune sample audit: 5.36 to 8.40 requests per second, stated as +57%";
}

formula! {
    /// Replicas that carry the peak when each one carries its capacity: the quotient, rounded up to whole replicas.
    REPLICAS_AT_PEAK = "replicas_at_peak", "Replicas at peak", Unit::Count("replicas"), Lower;
    Number(peak_request_rate_rps: Unit::RequestsPerSecond, capacity_rps: Unit::RequestsPerSecond)
        => ceil(peak_request_rate_rps / capacity_rps);
    source "Load over capacity of one replica, rounded up";
    example (40, 5.36) => Rounded("8"), "servetune sample audit: 8 replicas for 40 requests per second";
}
