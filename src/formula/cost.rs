//! Money from a dated price of a GPU-hour.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Dollars for a million output tokens at the measured rate, all GPUs of the result paid, input tokens not charged apart.
    USD_PER_MTOK_OUTPUT = "usd_per_mtok_output", "Cost per 1M output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), Lower;
    Number(usd_per_gpu_hour: Unit::UsdPerHour, gpus: Unit::Count("GPUs"), output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => usd_per_gpu_hour * gpus * 1e6 / (3600.0 * output_tok_s);
    source "Price of an hour over the tokens of an hour";
    example (2.69, 1, 2583) => Rounded("0.289"), "servetune sample audit: $0.289 at 2,583 tok/s and $2.69";
}

formula! {
    /// Dollars for a thousand requests at capacity.
    USD_PER_1K_REQUESTS = "usd_per_1k_requests", "Cost per 1,000 requests", Unit::UsdPerThousandRequests, Lower;
    Number(usd_per_gpu_hour: Unit::UsdPerHour, gpus: Unit::Count("GPUs"), request_rate_rps: Unit::RequestsPerSecond)
        => usd_per_gpu_hour * gpus * 1e3 / (3600.0 * request_rate_rps);
    source "Price of an hour over the requests of an hour";
    example (2.69, 1, 8.40) => Rounded("0.0890"), "worked by hand from the servetune sample audit: 2,690 ÷ 30,240";
}

formula! {
    /// Change of the cost per million output tokens against the baseline, at one price.
    COST_CHANGE_PCT = "cost_change_pct", "Cost change", Unit::PercentChange, Lower;
    Number(usd_per_mtok_output: Unit::UsdPerMillionTokens(TokenKind::Output), baseline_usd_per_mtok_output: Unit::UsdPerMillionTokens(TokenKind::Output))
        => 100.0 * (usd_per_mtok_output / baseline_usd_per_mtok_output - 1.0);
    source "Relative change";
    example (0.289, 0.453) => Rounded("-36.2"), "servetune sample audit: $0.45 to $0.29, stated as −36%";
}

formula! {
    /// Dollars a month for the replicas that carry the peak, running all the time.
    USD_PER_MONTH = "usd_per_month", "Monthly cost at peak", Unit::UsdPerMonth, Lower;
    Number(replicas_at_peak: Unit::Count("replicas"), gpus: Unit::Count("GPUs"), usd_per_gpu_hour: Unit::UsdPerHour, hours_per_month: Unit::HoursPerMonth)
        => replicas_at_peak * gpus * usd_per_gpu_hour * hours_per_month;
    source "Product; 730 hours a month is a year of 8,760 hours in twelve parts";
    example (5, 1, 2.69, 730) => Rounded("9818.5"), "worked by hand from the servetune sample audit";
}

formula! {
    /// Dollars a month that the config saves against the baseline at the same peak.
    SAVING_USD_PER_MONTH = "saving_usd_per_month", "Monthly saving", Unit::UsdPerMonth, Higher;
    Number(baseline_usd_per_month: Unit::UsdPerMonth, usd_per_month: Unit::UsdPerMonth)
        => baseline_usd_per_month - usd_per_month;
    source "Difference of two monthly costs";
    example (15709.6, 9818.5) => Rounded("5891"), "servetune sample audit: about $5,891 a month";
}
