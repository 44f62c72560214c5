//! What scaling inputs does to the result: a factor of the units, so that a slip in one is seen.

use proptest::prelude::*;

use crate::formula::{ALL, FigureValue, Formula, by_id};
use crate::quantity::Quantity;

/// Inputs that are scaled together, and the power of the factor that the result is scaled by.
type Scaling = (&'static str, i32);

/// By formula; `sum` and such are over one name.
static SCALINGS: &[(&str, &[Scaling])] = &[
    (
        "full_group_bytes_per_token",
        &[
            ("layers", 1),
            ("kv_heads", 1),
            ("k_dim v_dim scale_bytes_per_head", 1),
            ("k_bytes_per_element v_bytes_per_element scale_bytes_per_head", 1),
        ],
    ),
    (
        "latent_group_bytes_per_token",
        &[("layers", 1), ("dim rope_dim scale_bytes", 1), ("bytes_per_element scale_bytes", 1)],
    ),
    ("packed_group_bytes_per_token", &[("layers", 1), ("packed_bytes", 1)]),
    ("index_group_bytes_per_token", &[("layers", 1), ("entry_bytes", 1)]),
    ("index_entry_bytes", &[("dim", 1)]),
    ("strided_group_bytes_per_token", &[("bytes_per_entry", 1), ("stride", -1)]),
    ("kv_bytes_per_token", &[("group_bytes_per_token", 1)]),
    ("kv_short_bytes_per_token", &[("group_bytes_per_token", 1)]),
    ("growing_group_bytes_at_context", &[("group_bytes_per_token", 1), ("context_tokens", 1)]),
    ("strided_group_bytes_at_context", &[("bytes_per_entry", 1), ("context_tokens stride", 0)]),
    ("window_group_bytes_at_context", &[("group_bytes_per_token", 1), ("context_tokens window_tokens", 1)]),
    ("kv_gib_at_context", &[("group_bytes_at_context", 1)]),
    ("kv_average_bytes_per_token", &[("kv_gib_at_context", 1), ("context_tokens", -1)]),
    ("kv_reserved_gib_at_context", &[("kv_short_bytes_per_token", 1), ("context_tokens", 1)]),
    ("cross_group_bytes", &[("group_bytes_per_token", 1), ("source_tokens", 1)]),
    ("kv_cross_bytes", &[("group_bytes", 1)]),
    ("sequence_bytes_at_context", &[("group_bytes", 1)]),
    ("kv_heads_per_gpu", &[("kv_heads gpus", 0)]),
    ("kv_bytes_per_token_per_gpu", &[("group_bytes_per_token", 1)]),
    ("kv_draft_bytes_per_token", &[("group_bytes_per_token", 1)]),
    (
        "kv_all_layers_bytes_per_token",
        &[
            ("all_layers", 1),
            ("kv_heads", 1),
            ("k_dim v_dim scale_bytes_per_head", 1),
            ("k_bytes_per_element v_bytes_per_element scale_bytes_per_head", 1),
        ],
    ),
    ("kv_ratio", &[("larger_bytes_per_token", 1), ("smaller_bytes_per_token", -1)]),
    ("tokens_reused", &[("prompt_tokens", 1), ("hit_rate_pct", 1)]),
    ("kv_gib_not_recomputed", &[("tokens_reused", 1), ("kv_bytes_per_token", 1)]),
    ("hit_rate_ceiling_pct", &[("shared_prefix_tokens", 1), ("input_tokens", -1)]),
    ("kv_pool_bytes_per_token", &[("measured_kv_pool_gib", 1), ("measured_kv_pool_tokens", -1)]),
    ("kv_pool_sequences", &[("measured_kv_pool_tokens", 1), ("context_tokens", -1)]),
    ("kv_transfer_gb_s", &[("kv_gib_at_context", 1), ("measured_kv_transfer_ms", -1)]),
    ("kv_transfer_of_ttft_pct", &[("measured_kv_transfer_ms", 1), ("measured_ttft_ms_at_ctx", -1)]),
    ("link_used_pct", &[("kv_transfer_gb_s", 1), ("link_gb_s", -1)]),
    ("gated_delta_conv_elements", &[("key_dim value_dim", 1), ("key_heads value_heads", 1)]),
    ("gated_delta_recurrent_elements", &[("value_heads", 1), ("value_dim", 1), ("key_dim", 1)]),
    ("kda_conv_elements", &[("heads", 1), ("head_dim", 1)]),
    ("square_recurrent_elements", &[("heads", 1), ("head_dim", 2)]),
    ("mamba2_conv_elements", &[("head_dim state_size", 1), ("heads groups", 1), ("head_dim groups", 1)]),
    ("mamba2_recurrent_elements", &[("heads", 1), ("head_dim", 1), ("state_size", 1)]),
    ("conv_elements", &[("width", 1)]),
    ("mamba1_recurrent_elements", &[("inner_width", 1), ("state_size", 1)]),
    (
        "state_group_bytes",
        &[
            ("layers", 1),
            ("conv_elements recurrent_elements", 1),
            ("conv_bytes_per_element recurrent_bytes_per_element", 1),
        ],
    ),
    ("compressor_state_bytes", &[("tokens", 1), ("width", 1)]),
    ("compressor_group_bytes", &[("layers", 1), ("state_bytes", 1)]),
    ("fixed_state_bytes", &[("group_bytes", 1)]),
    ("card_memory_bytes", &[("memory_usable_mib", 1)]),
    ("card_memory_sold_bytes", &[("memory_gb", 1)]),
    (
        "kv_budget_bytes",
        &[
            ("memory_bytes weights_bytes overhead_bytes", 1),
            ("cards weights_bytes overhead_bytes", 1),
            ("utilisation_pct weights_bytes overhead_bytes", 1),
        ],
    ),
    ("sequences_at_context", &[("kv_budget_bytes sequence_bytes", 0)]),
    ("longest_sequence_tokens", &[("kv_budget_bytes still_bytes bytes_per_token", 0)]),
    ("still_bytes", &[("group_bytes", 1)]),
    ("sequence_ratio", &[("longest_sequence_tokens", 1), ("other_longest_sequence_tokens", -1)]),
    ("room_for_weights_gib", &[("memory_bytes kv_gib", 1), ("cards kv_gib", 1)]),
    ("room_left_gib", &[("room_for_weights_gib weights_bytes", 1)]),
    ("fits_card", &[("kv_gib memory_bytes", 0), ("kv_gib cards", 0)]),
    ("ttft_slo_used_pct", &[("ttft_ms", 1), ("ttft_slo_ms", -1)]),
    ("tpot_slo_used_pct", &[("tpot_ms", 1), ("tpot_slo_ms", -1)]),
    ("itl_slo_used_pct", &[("itl_ms", 1), ("itl_slo_ms", -1)]),
    ("e2el_slo_used_pct", &[("e2el_ms", 1), ("e2el_slo_ms", -1)]),
    ("binding_slo", &[("ttft_slo_used_pct tpot_slo_used_pct itl_slo_used_pct e2el_slo_used_pct", 0)]),
    ("ttft_speedup", &[("baseline_ttft_ms", 1), ("ttft_ms", -1)]),
    ("output_tok_s_per_user_at_mean_tpot", &[("tpot_mean_ms", -1)]),
    ("output_tok_s_per_user_at_p50_tpot", &[("tpot_p50_ms", -1)]),
    ("output_tok_s_per_user_at_p90_tpot", &[("tpot_p90_ms", -1)]),
    ("output_tok_s_per_user_at_p95_tpot", &[("tpot_p95_ms", -1)]),
    ("output_tok_s_per_user_at_p99_tpot", &[("tpot_p99_ms", -1)]),
    ("output_tok_s", &[("completed", 1), ("output_tokens_mean", 1), ("duration_s", -1)]),
    ("total_tok_s", &[("input_tok_s output_tok_s", 1)]),
    ("input_tok_s_per_gpu", &[("input_tok_s", 1), ("gpus", -1)]),
    ("output_tok_s_per_gpu", &[("output_tok_s", 1), ("gpus", -1)]),
    ("total_tok_s_per_gpu", &[("total_tok_s", 1), ("gpus", -1)]),
    ("input_tok_s_per_prefill_gpu", &[("input_tok_s", 1), ("prefill_gpus", -1)]),
    ("output_tok_s_per_decode_gpu", &[("output_tok_s", 1), ("decode_gpus", -1)]),
    ("goodput_tok_per_j", &[("output_tok_s", 1), ("power_kw", -1)]),
    ("output_tok_per_wh", &[("goodput_tok_per_j", 1)]),
    ("energy_j_per_output_token", &[("power_kw", 1), ("output_tok_s", -1)]),
    ("energy_j_per_total_token", &[("power_kw", 1), ("total_tok_s", -1)]),
    ("electricity_usd_per_mtok_output", &[("energy_j_per_output_token", 1), ("electricity_usd_per_kwh", 1)]),
    ("throttled_pct", &[("throttled_samples", 1), ("window_s", -1), ("sampling_hz", -1), ("repeats", -1)]),
    ("achieved_bandwidth_tb_s", &[("mbu_pct", 1), ("rated_bw_tbs_per_gpu", 1), ("gpus", 1)]),
    ("bytes_per_output_token", &[("achieved_bandwidth_tb_s", 1), ("output_tok_s", -1)]),
    ("decode_floor_ms", &[("weights_read_bytes", 1), ("rated_bw_tbs_per_gpu", -1), ("gpus", -1)]),
    ("fleet_output_tok_s", &[("output_tok_s", 1), ("gpus", -1), ("fleet_cards", 1)]),
    ("fleet_power_kw", &[("power_kw", 1), ("gpus", -1), ("fleet_cards", 1)]),
    ("fleet_cards_for_baseline_output", &[("baseline_fleet_output_tok_s fleet_output_tok_s", 0)]),
    ("usd_per_gpu_hour", &[("usd_per_node_hour", 1), ("gpus_per_node", -1)]),
    ("usd_per_hour", &[("usd_per_gpu_hour", 1), ("gpus", 1)]),
    ("usd_per_mtok_output", &[("usd_per_hour", 1), ("output_tok_s", -1)]),
    ("usd_per_mtok_input", &[("usd_per_hour", 1), ("input_tok_s", -1)]),
    ("usd_per_mtok_total", &[("usd_per_hour", 1), ("total_tok_s", -1)]),
    ("output_tok_per_usd", &[("usd_per_hour", -1), ("output_tok_s", 1)]),
    ("usd_per_1k_requests", &[("usd_per_hour", 1), ("request_rate_rps", -1)]),
    ("cost_change_pct", &[("usd_per_mtok_output baseline_usd_per_mtok_output", 0)]),
    ("usd_per_month", &[("replicas_at_peak", 1), ("usd_per_hour", 1), ("hours_per_month", 1)]),
    ("saving_usd_per_month", &[("baseline_usd_per_month usd_per_month", 1)]),
    ("delivered_rps", &[("completed", 1), ("duration_s", -1)]),
    ("delivered_share_pct", &[("delivered_rps", 1), ("offered_rps", -1)]),
    ("failed_pct", &[("failed", 1), ("sent", -1)]),
    ("slo_attainment_pct", &[("met", 1), ("sent cancelled", -1)]),
    ("output_tok_per_request", &[("output_tok_s", 1), ("request_rate_rps", -1)]),
    ("mean_output_tok_s", &[("samples_tok_s", 1)]),
    ("capacity_bracket_rps", &[("last_passing_rps first_failing_rps", 1)]),
    ("capacity_served_rps", &[("delivered_rps first_failing_rps", 1)]),
    ("grid_step_pct", &[("rate_rps next_rate_rps", 0)]),
    ("bracket_width_pct", &[("last_passing_rps first_failing_rps", 0)]),
    ("capacity_bracket_concurrency", &[("last_passing_concurrency first_failing_concurrency", 1)]),
    ("uncached_input_tokens", &[("input_tokens cached_input_tokens", 1)]),
    ("uncached_input_usd_per_1k_requests", &[("uncached_input_tokens", 1), ("usd_per_mtok_input", 1)]),
    ("cached_input_usd_per_1k_requests", &[("cached_input_tokens", 1), ("usd_per_mtok_cached_input", 1)]),
    ("output_usd_per_1k_requests", &[("output_tokens", 1), ("usd_per_mtok_output", 1)]),
    (
        "token_usd_per_1k_requests",
        &[("uncached_input_usd_per_1k_requests cached_input_usd_per_1k_requests output_usd_per_1k_requests", 1)],
    ),
    ("capacity_ratio", &[("capacity_rps", 1), ("baseline_capacity_rps", -1)]),
    ("capacity_change_pct", &[("capacity_rps baseline_capacity_rps", 0)]),
    (
        "capacity_change_over_brackets_pct",
        &[("last_passing_rps first_failing_rps baseline_last_passing_rps baseline_first_failing_rps", 0)],
    ),
    ("gain_share_pct", &[("capacity_rps baseline_capacity_rps all_changes_capacity_rps", 0)]),
    ("rest_gain_pct", &[("all_changes_capacity_rps capacity_rps", 0)]),
    ("replicas_at_peak", &[("peak_request_rate_rps capacity_rps", 0)]),
    ("replicas_over_bracket", &[("peak_request_rate_rps capacity_bracket_rps", 0)]),
    ("usd_per_mtok_over_bracket", &[("usd_per_hour", 1), ("capacity_bracket_rps", -1), ("output_tok_per_request", -1)]),
    ("goodput_band_tok_s", &[("goodput_tok_s", 1)]),
    ("uncertainty_pct", &[("bound_pct", 1)]),
    ("goodput_change_pct", &[("goodput_tok_s baseline_goodput_tok_s", 0)]),
    ("goodput_lead_pct", &[("goodput_tok_s next_lower_goodput_tok_s", 0)]),
    ("ttft_change_pct", &[("ttft_ms baseline_ttft_ms", 0)]),
    ("tpot_change_pct", &[("tpot_ms baseline_tpot_ms", 0)]),
    ("output_change_pct", &[("output_tok_s baseline_output_tok_s", 0)]),
    ("itl_change_pct", &[("itl_ms baseline_itl_ms", 0)]),
    ("e2el_change_pct", &[("e2el_ms baseline_e2el_ms", 0)]),
    ("total_change_pct", &[("total_tok_s baseline_total_tok_s", 0)]),
    ("tok_per_j_change_pct", &[("goodput_tok_per_j baseline_goodput_tok_per_j", 0)]),
    ("per_gpu_change_pct", &[("output_tok_s_per_gpu baseline_output_tok_s_per_gpu", 0)]),
    ("energy_change_pct", &[("energy_j_per_output_token baseline_energy_j_per_output_token", 0)]),
    ("kv_bytes_change_pct", &[("kv_bytes_per_token baseline_kv_bytes_per_token", 0)]),
    ("kv_size_change_pct", &[("kv_gib_at_context baseline_kv_gib_at_context", 0)]),
    ("value_ratio", &[("value", 1), ("baseline_value", -1)]),
    ("value_fall", &[("baseline_value", 1), ("value", -1)]),
    ("value_change_pct", &[("value baseline_value", 0)]),
    ("value_points", &[("value_pct baseline_value_pct", 1)]),
    ("accuracy_resolution_pts", &[("questions", -1)]),
    ("accuracy_drop_pts", &[("baseline_score_pct score_pct", 1)]),
];

/// Formulas of pure numbers, which no factor goes through.
const UNSCALED: &[&str] =
    &["ttft_speedup_ceiling", "search_resolution_pct", "backoff_step_pct", "accuracy_interval_pct"];

#[test]
fn every_formula_is_scaled_or_one_of_pure_numbers() {
    for formula in ALL {
        let known = SCALINGS.iter().filter(|(id, _)| *id == formula.id).count();
        assert_eq!(known, usize::from(!UNSCALED.contains(&formula.id)), "{}", formula.id);
    }
    for (id, scalings) in SCALINGS {
        let formula = by_id(id).unwrap_or_else(|| panic!("no formula `{id}`"));
        for name in scalings.iter().flat_map(|(names, _)| names.split(' ')) {
            assert!(formula.inputs.iter().any(|input| input.name == name), "`{id}` has no input `{name}`");
        }
    }
}

/// Values by input; those of a list are three.
fn values(formula: &Formula, drawn: &[f64]) -> Vec<(usize, f64)> {
    let count = if formula.is_of_list() { 3 } else { formula.inputs.len() };
    (0..count).map(|at| (at.min(formula.inputs.len() - 1), drawn[at])).collect()
}

fn scaled(formula: &Formula, values: &[(usize, f64)], names: &str, factor: f64) -> FigureValue {
    let is_scaled = |input: usize| names.split(' ').any(|name| name == formula.inputs[input].name);
    let scaled = values.iter().map(|(input, value)| if is_scaled(*input) { value * factor } else { *value });
    formula.compute(&scaled.map(Quantity::exact).collect::<Vec<_>>())
}

proptest! {
    /// By powers of two, so that nothing is rounded on the way.
    #[test]
    fn a_factor_goes_through_as_its_units_say(
        drawn in proptest::collection::vec(1.0..1e6, 8), exponent in -20..=20i32,
    ) {
        let factor = 2f64.powi(exponent);
        for (id, scalings) in SCALINGS {
            let formula = by_id(id).expect("it is a formula");
            let values = values(formula, &drawn);
            let plain = scaled(formula, &values, "", 1.0);
            for (names, power) in *scalings {
                match (&plain, scaled(formula, &values, names, factor)) {
                    (FigureValue::Quantity(plain), FigureValue::Quantity(found)) => {
                        let expected = *plain * factor.powi(*power);
                        prop_assert_eq!(found, expected, "{} with {} scaled by {}", id, names, factor);
                    }
                    (plain, found) => prop_assert_eq!(plain, &found, "{} with {} scaled by {}", id, names, factor),
                }
            }
        }
    }
}
