//! What the requests of a workload cost where tokens are paid by the piece: input, cached input and output apart.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Input tokens of a request that are not found in the cache.
    UNCACHED_INPUT_TOKENS = "uncached_input_tokens", "Uncached input tokens of a request", Unit::Tokens, Lower;
    Number(input_tokens: Unit::Tokens, cached_input_tokens: Unit::Tokens) => input_tokens - cached_input_tokens;
    source "Difference: cached tokens are part of the input, not beside it";
    example (20_000, 16_000) => Rounded("4000"), "after earendil-works/pi#2148: 20,000 input tokens of which 16,000 cached";
}

formula! {
    /// Dollars for the uncached input tokens of a thousand requests.
    UNCACHED_INPUT_USD_PER_1K_REQUESTS = "uncached_input_usd_per_1k_requests", "Cost of uncached input per 1,000 requests", Unit::UsdPerThousandRequests, Lower;
    Number(uncached_input_tokens: Unit::Tokens, usd_per_mtok_input: Unit::UsdPerMillionTokens(TokenKind::Input))
        => uncached_input_tokens * usd_per_mtok_input / 1e6 * 1e3;
    source "Tokens of a request by their price";
    example (4_000, 0.50) => Rounded("2.00"), "after earendil-works/pi#2148: 4,000 uncached input tokens at $0.50 per 1M";
}

formula! {
    /// Dollars for the cached input tokens of a thousand requests.
    CACHED_INPUT_USD_PER_1K_REQUESTS = "cached_input_usd_per_1k_requests", "Cost of cached input per 1,000 requests", Unit::UsdPerThousandRequests, Lower;
    Number(cached_input_tokens: Unit::Tokens, usd_per_mtok_cached_input: Unit::UsdPerMillionTokens(TokenKind::Input))
        => cached_input_tokens * usd_per_mtok_cached_input / 1e6 * 1e3;
    source "Tokens of a request by their price";
    example (16_000, 0.05) => Rounded("0.80"), "after earendil-works/pi#2148: 16,000 cached input tokens at $0.05 per 1M";
}

formula! {
    /// Dollars for the output tokens of a thousand requests.
    OUTPUT_USD_PER_1K_REQUESTS = "output_usd_per_1k_requests", "Cost of output per 1,000 requests", Unit::UsdPerThousandRequests, Lower;
    Number(output_tokens: Unit::Tokens, usd_per_mtok_output: Unit::UsdPerMillionTokens(TokenKind::Output))
        => output_tokens * usd_per_mtok_output / 1e6 * 1e3;
    source "Tokens of a request by their price";
    example (1_000, 3.00) => Rounded("3.00"), "after earendil-works/pi#2148: 1,000 output tokens at $3.00 per 1M";
}

formula! {
    /// Dollars for a thousand requests at token prices: each token is charged once, cached or not.
    TOKEN_USD_PER_1K_REQUESTS = "token_usd_per_1k_requests", "Cost per 1,000 requests at token prices", Unit::UsdPerThousandRequests, Lower;
    Number(uncached_input_usd_per_1k_requests: Unit::UsdPerThousandRequests, cached_input_usd_per_1k_requests: Unit::UsdPerThousandRequests, output_usd_per_1k_requests: Unit::UsdPerThousandRequests)
        => uncached_input_usd_per_1k_requests + cached_input_usd_per_1k_requests + output_usd_per_1k_requests;
    source "Sum of the three parts";
    example (2.00, 0.80, 3.00) => Rounded("5.80"), "after earendil-works/pi#2148: $0.0058 a request, where charging cached tokens twice gives $0.0138";
}
