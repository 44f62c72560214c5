//! A result carried over to a fleet: linear in cards, which is assumed.

use super::{ExampleValue::*, ceil, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Output tokens per second of a fleet in which every card does what a card of the result does.
    FLEET_OUTPUT_TOK_S = "fleet_output_tok_s", "Output throughput of the fleet", Unit::TokensPerSecond(TokenKind::Output), Higher;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), gpus: Unit::Count("GPUs"), fleet_cards: Unit::Count("cards"))
        => output_tok_s / gpus * fleet_cards;
    source "Linear projection; that load spreads evenly over cards is this site's assumption";
    example (4740.3, 1, 64) => Rounded("303379"), "TokenWatt run record: 64 cards at 4,740.3 tok/s each";
}

formula! {
    /// Power of a fleet in which every card draws what a card of the result draws, at the power boundary that the record names.
    FLEET_POWER_KW = "fleet_power_kw", "Power of the fleet", Unit::Kilowatts, Lower;
    Number(power_kw: Unit::Kilowatts, gpus: Unit::Count("GPUs"), fleet_cards: Unit::Count("cards"))
        => power_kw / gpus * fleet_cards;
    source "Linear projection; that every card draws alike is this site's assumption";
    example (0.607, 1, 64) => Rounded("38.8"), "TokenWatt run record: 64 boards at 607 W each";
}

formula! {
    /// Cards that give the output of the whole fleet of the baseline, in whole cards.
    FLEET_CARDS_FOR_BASELINE_OUTPUT = "fleet_cards_for_baseline_output", "Cards for the baseline fleet's output", Unit::Count("cards"), Lower;
    Number(baseline_fleet_output_tok_s: Unit::TokensPerSecond(TokenKind::Output), fleet_output_tok_s: Unit::TokensPerSecond(TokenKind::Output), fleet_cards: Unit::Count("cards"))
        => ceil(baseline_fleet_output_tok_s / fleet_output_tok_s * fleet_cards);
    source "Linear projection, rounded up to whole cards";
    example (303_379.2, 544_531.2, 64) => Rounded("36"), "TokenWatt run record: 64 cards at 4,740.3 tok/s against cards at 8,508.3, 35.66 rounded up";
}
