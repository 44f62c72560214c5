//! KV caches, states and cards: sizes add up, and what fits does.

use proptest::prelude::*;

use super::{amount, bytes, count, list, near, percent, run, run_quantity, tokens, verdict};
use crate::formula::card::*;
use crate::formula::memory::*;
use crate::formula::state::{FIXED_STATE_BYTES, STATE_GROUP_BYTES};
use crate::formula::{Formula, GIB, latency};

static SUMS: [&Formula; 8] = [
    &KV_BYTES_PER_TOKEN,
    &KV_SHORT_BYTES_PER_TOKEN,
    &KV_BYTES_PER_TOKEN_PER_GPU,
    &KV_DRAFT_BYTES_PER_TOKEN,
    &KV_CROSS_BYTES,
    &SEQUENCE_BYTES_AT_CONTEXT,
    &FIXED_STATE_BYTES,
    &STILL_BYTES,
];

proptest! {
    #[test]
    fn the_groups_of_two_parts_are_those_of_the_whole(one in list(), other in list()) {
        let whole = [one.clone(), other.clone()].concat();
        for formula in SUMS {
            prop_assert_eq!(run(formula, &whole), run(formula, &one) + run(formula, &other), "{}", formula.id);
        }
    }

    #[test]
    fn layers_in_two_groups_cost_what_they_do_in_one(
        one in count(), other in count(), heads in count(), k in count(), v in count(), scale in 0.0..16.0,
    ) {
        let group = |layers| run(&FULL_GROUP_BYTES_PER_TOKEN, &[layers, heads, k, 2.0, v, 1.0625, scale]);
        prop_assert!(near(group(one) + group(other), group(one + other)));
    }

    /// With K and V alike, a head of a group of full attention is a latent of twice the width.
    #[test]
    fn k_and_v_in_one_head_are_a_latent_of_both(layers in count(), k in count(), v in count(), scale in 0.0..16.0) {
        let head = run(&FULL_GROUP_BYTES_PER_TOKEN, &[layers, 1.0, k, 2.0, v, 2.0, scale]);
        prop_assert!(near(head, run(&LATENT_GROUP_BYTES_PER_TOKEN, &[layers, k, v, 2.0, scale])));
        prop_assert!(near(head, run(&KV_ALL_LAYERS_BYTES_PER_TOKEN, &[layers, 1.0, k, 2.0, v, 2.0, scale])));
    }

    #[test]
    fn a_sequence_in_two_parts_holds_what_the_whole_does(each in bytes(), one in tokens(), other in tokens()) {
        let held = |tokens| run(&GROWING_GROUP_BYTES_AT_CONTEXT, &[each, tokens]);
        prop_assert!(near(held(one) + held(other), held(one + other)));
    }

    #[test]
    fn a_window_holds_what_grows_until_it_is_full(each in count(), context in tokens(), window in tokens()) {
        let held = run(&WINDOW_GROUP_BYTES_AT_CONTEXT, &[each, context, window]);
        let grown = |tokens| run(&GROWING_GROUP_BYTES_AT_CONTEXT, &[each, tokens]);
        prop_assert_eq!(held, if context <= window { grown(context) } else { grown(window) });
    }

    #[test]
    fn entries_are_kept_once_all_their_tokens_are_there(each in count(), context in tokens(), stride in 1..=256u32) {
        let stride = f64::from(stride);
        let held = |tokens| run(&STRIDED_GROUP_BYTES_AT_CONTEXT, &[each, tokens, stride]);
        let slope = run(&STRIDED_GROUP_BYTES_PER_TOKEN, &[each, stride]);
        prop_assert!(held(context) <= slope * context * (1.0 + 1e-12));
        prop_assert!(held(context) > slope * (context - stride) * (1.0 - 1e-12));
        prop_assert_eq!(held(context + stride), held(context) + each);
    }

    #[test]
    fn the_average_times_the_tokens_is_the_whole(groups in list(), context in tokens()) {
        let gib = run(&KV_GIB_AT_CONTEXT, &groups);
        let average = run(&KV_AVERAGE_BYTES_PER_TOKEN, &[gib, context]);
        prop_assert!(near(average * context, groups.iter().sum()));
        prop_assert!(near(run(&KV_RESERVED_GIB_AT_CONTEXT, &[average, context]), gib));
    }

    #[test]
    fn all_gpus_keep_all_heads_and_no_more_where_they_divide(each in 1..=64u32, gpus in 1..=64u32) {
        let (gpus, heads) = (f64::from(gpus), f64::from(each) * f64::from(gpus));
        prop_assert_eq!(run(&KV_HEADS_PER_GPU, &[heads, gpus]) * gpus, heads);
        prop_assert!(run(&KV_HEADS_PER_GPU, &[gpus, heads]) * heads >= gpus, "repeated where there are more GPUs");
    }

    #[test]
    fn what_is_reused_and_what_is_not_are_all_tokens(prompt in tokens(), hit_rate in percent()) {
        let reused = |pct| run(&TOKENS_REUSED, &[prompt, pct]);
        prop_assert!(near(reused(hit_rate) + reused(100.0 - hit_rate), prompt));
        prop_assert!(near(run(&HIT_RATE_CEILING_PCT, &[reused(hit_rate), prompt]), hit_rate));
    }

    /// The ceiling of a speed-up is the whole prompt over what is left of it to compute.
    #[test]
    fn the_ceiling_is_all_tokens_over_those_not_reused(prompt in 1.0..1e6f64, hit_rate in 0.0..99.0f64) {
        let reused = run(&TOKENS_REUSED, &[prompt, hit_rate]);
        prop_assert!(near(run(&latency::TTFT_SPEEDUP_CEILING, &[hit_rate]), prompt / (prompt - reused)));
    }

    #[test]
    fn what_a_hit_spares_is_its_share_of_the_cache(prompt in tokens(), hit_rate in percent(), each in count()) {
        let reused = run(&TOKENS_REUSED, &[prompt, hit_rate]);
        let whole = run(&KV_RESERVED_GIB_AT_CONTEXT, &[each, prompt]);
        prop_assert!(near(run(&KV_GIB_NOT_RECOMPUTED, &[reused, each]), whole * hit_rate / 100.0));
    }

    #[test]
    fn states_of_two_kinds_are_those_of_one_and_of_the_other(layers in count(), conv in bytes(), recurrent in bytes()) {
        let both = run(&STATE_GROUP_BYTES, &[layers, conv, 2.0, recurrent, 4.0]);
        let one = run(&STATE_GROUP_BYTES, &[layers, conv, 2.0, 0.0, 4.0]);
        prop_assert!(near(both, one + run(&STATE_GROUP_BYTES, &[layers, 0.0, 2.0, recurrent, 4.0])));
    }

    #[test]
    fn sequences_that_fit_do_and_one_more_does_not(budget in bytes(), each in bytes()) {
        let sequences = run(&SEQUENCES_AT_CONTEXT, &[budget, each]);
        prop_assert!(sequences * each <= budget && (sequences + 1.0) * each > budget);
    }

    #[test]
    fn the_longest_sequence_fits_and_one_more_token_does_not(room in bytes(), still in bytes(), each in count()) {
        let budget = still + room;
        let longest = run(&LONGEST_SEQUENCE_TOKENS, &[budget, still, each]);
        let held = |tokens| still + run(&GROWING_GROUP_BYTES_AT_CONTEXT, &[each, tokens]);
        prop_assert!(held(longest) <= budget && held(longest + 1.0) > budget);
    }

    #[test]
    fn weights_and_budget_are_what_the_engine_may_use(memory in bytes(), pct in percent(), weights in bytes(), rest in bytes()) {
        let budget = run(&KV_BUDGET_BYTES, &[memory, 2.0, pct, weights, rest]);
        let used = memory * 2.0 * pct / 100.0;
        prop_assert!((budget + weights + rest - used).abs() <= 1e-9 * (used + weights + rest));
    }

    #[test]
    fn a_cache_fits_where_it_leaves_room(memory in bytes(), cards in 1..=8u32, kv_gib in amount()) {
        let cards = f64::from(cards);
        let room = run(&ROOM_FOR_WEIGHTS_GIB, &[memory, cards, kv_gib]);
        prop_assume!(room.abs() > 1e-6);
        let fits = verdict(&FITS_CARD, &[kv_gib, memory, cards]) == "KV alone fits";
        prop_assert_eq!(fits, room > 0.0);
    }

    #[test]
    fn room_cache_and_weights_are_the_memory(memory in bytes(), kv_gib in amount(), weights in bytes()) {
        let room = run(&ROOM_FOR_WEIGHTS_GIB, &[memory, 1.0, kv_gib]);
        let left = run(&ROOM_LEFT_GIB, &[room, weights]);
        let together = (left + kv_gib) * GIB + weights;
        prop_assert!((together - memory).abs() <= 1e-9 * (memory + weights + kv_gib * GIB));
    }

    #[test]
    fn a_card_as_sold_holds_no_more_than_in_binary_units(gib in 1..=1024u32) {
        let sold = run_quantity(&CARD_MEMORY_SOLD_BYTES, &[f64::from(gib)]);
        prop_assert_eq!(sold.high(), run(&CARD_MEMORY_BYTES, &[1024.0 * f64::from(gib)]));
        prop_assert_eq!(sold.low(), 1e9 * f64::from(gib));
    }
}
