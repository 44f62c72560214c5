//! Money: from a dated price of an hour, and from stated prices of tokens.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// One GPU's share of the price of a whole node.
    USD_PER_GPU_HOUR = "usd_per_gpu_hour", "Price of a GPU-hour", Unit::UsdPerGpuHour, Lower;
    Number(usd_per_node_hour: Unit::UsdPerNodeHour, gpus_per_node: Unit::Count("GPUs")) => usd_per_node_hour / gpus_per_node;
    source "Quotient of a node's price and its GPUs";
    example (55.04, 8) => Rounded("6.88"), "datareceipts, AWS p5.48xlarge on 2026-11-09: $55.04 an hour for 8 H100, given as $6.88 each";
}

formula! {
    /// What all GPUs of the result cost together in an hour.
    USD_PER_HOUR = "usd_per_hour", "Hourly total", Unit::UsdPerHour, Lower;
    Number(usd_per_gpu_hour: Unit::UsdPerGpuHour, gpus: Unit::Count("GPUs")) => usd_per_gpu_hour * gpus;
    source "Product of a GPU's price and the number of GPUs";
    example (2.69, 8) => Rounded("21.52"), "after opencost/opencost#2901: 8 GPUs at $2.69 each are the node at $21.52";
}

formula! {
    /// Dollars for a million output tokens at the measured rate, all GPUs of the result paid, input tokens not charged apart.
    USD_PER_MTOK_OUTPUT = "usd_per_mtok_output", "Cost per 1M output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), Lower;
    Number(usd_per_hour: Unit::UsdPerHour, output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => usd_per_hour * 1e6 / (3600.0 * output_tok_s);
    source "Price of an hour over the output tokens of an hour";
    example (2.69, 2583) => Rounded("0.289"), "servetune sample audit: $0.289 at 2,583 tok/s and $2.69";
}

formula! {
    /// Dollars for a million input tokens when the whole hour is charged to them: another view of the same hour, never to be added to the cost of output tokens.
    USD_PER_MTOK_INPUT = "usd_per_mtok_input", "Cost per 1M input tokens", Unit::UsdPerMillionTokens(TokenKind::Input), Lower;
    Number(usd_per_hour: Unit::UsdPerHour, input_tok_s: Unit::TokensPerSecond(TokenKind::Input))
        => usd_per_hour * 1e6 / (3600.0 * input_tok_s);
    source "Price of an hour over the input tokens of an hour";
    example (2.69, 16490) => Rounded("0.0453"), "after SemiAnalysisAI/InferenceX#552: 16,490 input tok/s at $2.69, ten times the audit's output rate at $0.453";
}

formula! {
    /// Dollars for a million tokens, input and output counted alike.
    USD_PER_MTOK_TOTAL = "usd_per_mtok_total", "Cost per 1M total tokens", Unit::UsdPerMillionTokens(TokenKind::Total), Lower;
    Number(usd_per_hour: Unit::UsdPerHour, total_tok_s: Unit::TokensPerSecond(TokenKind::Total))
        => usd_per_hour * 1e6 / (3600.0 * total_tok_s);
    source "Price of an hour over all tokens of an hour";
    example (2.69, 18139) => Rounded("0.0412"), "after SemiAnalysisAI/InferenceX#552: 16,490 input and 1,649 output tok/s at $2.69";
}

formula! {
    /// Output tokens for one dollar: the inverse of the cost, from the same unrounded rate and price.
    OUTPUT_TOK_PER_USD = "output_tok_per_usd", "Output tokens per dollar", Unit::TokensPerUsd(TokenKind::Output), Higher;
    Number(usd_per_hour: Unit::UsdPerHour, output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => 3600.0 * output_tok_s / usd_per_hour;
    source "Output tokens of an hour over the price of an hour";
    example (2.69, 2583) => Rounded("3456803"), "after SemiAnalysisAI/InferenceX-app#770: 3,456,803 tokens for $1 where a million cost $0.289";
}

formula! {
    /// Dollars for a thousand requests at the rate at which they are completed.
    USD_PER_1K_REQUESTS = "usd_per_1k_requests", "Cost per 1,000 requests", Unit::UsdPerThousandRequests, Lower;
    Number(usd_per_hour: Unit::UsdPerHour, request_rate_rps: Unit::RequestsPerSecond)
        => usd_per_hour * 1e3 / (3600.0 * request_rate_rps);
    source "Price of an hour over the requests of an hour";
    example (2.69, 8.40) => Rounded("0.0890"), "worked by hand from the servetune sample audit: 2,690 ÷ 30,240";
}

formula! {
    /// Change of the cost per million output tokens against the baseline, at one price.
    COST_CHANGE_PCT = "cost_change_pct", "Cost change (output tokens)", Unit::PercentChange, Lower;
    Number(usd_per_mtok_output: Unit::UsdPerMillionTokens(TokenKind::Output), baseline_usd_per_mtok_output: Unit::UsdPerMillionTokens(TokenKind::Output))
        => 100.0 * (usd_per_mtok_output / baseline_usd_per_mtok_output - 1.0);
    source "Relative change";
    example (0.289, 0.453) => Rounded("-36.2"), "servetune sample audit: $0.45 to $0.29, stated as −36%";
}

formula! {
    /// Dollars a month for the replicas that carry the peak, running all the time.
    USD_PER_MONTH = "usd_per_month", "Monthly cost at peak", Unit::UsdPerMonth, Lower;
    Number(replicas_at_peak: Unit::Count("replicas"), usd_per_hour: Unit::UsdPerHour, hours_per_month: Unit::HoursPerMonth)
        => replicas_at_peak * usd_per_hour * hours_per_month;
    source "Product; 730 hours a month is a year of 8,760 hours in twelve parts";
    example (5, 2.69, 730) => Rounded("9818.5"), "worked by hand from the servetune sample audit";
}

formula! {
    /// Dollars a month that the config saves against the baseline at the same peak.
    SAVING_USD_PER_MONTH = "saving_usd_per_month", "Monthly saving", Unit::UsdPerMonth, Higher;
    Number(baseline_usd_per_month: Unit::UsdPerMonth, usd_per_month: Unit::UsdPerMonth)
        => baseline_usd_per_month - usd_per_month;
    source "Difference of two monthly costs";
    example (15709.6, 9818.5) => Rounded("5891"), "servetune sample audit: about $5,891 a month";
}
