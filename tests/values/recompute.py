#!/usr/bin/env python3
"""Recomputes table.tsv in exact fractions, from definitions of its own: it reads nothing of the program.

Exits with 1 and the rows that differ, in value or in what is printed, and when a formula has fewer than two rows.
"""

import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path

LEAST_ROWS = 150
# A value whose decimals do not end has so many digits at least.
LEAST_DIGITS = 15

# --- Rounding: one rule, halves away from zero --------------------------------------------------------------------


def rounded(number, decimals):
    """The nearest multiple of 10^-decimals, as how many of them; of two as near the one away from zero."""
    scaled = abs(number) * Fraction(10) ** decimals
    nearest = floor(scaled + Fraction(1, 2))
    return nearest if number >= 0 else -nearest


def fixed(number, decimals):
    """So many decimals, commas between thousands, a true minus, and none before nothing."""
    digits = rounded(abs(number), decimals)
    whole, part = divmod(digits, 10**decimals)
    text = f"{whole:,}" + (f".{part:0{decimals}}" if decimals else "")
    return ("−" if number < 0 and digits else "") + text


def three(number):
    """Three significant digits; from 1,000 on whole numbers; below a millionth in powers of ten."""
    if number == 0:
        return "0"
    decade = 0
    while abs(number) >= Fraction(10) ** (decade + 1):
        decade += 1
    while abs(number) < Fraction(10) ** decade:
        decade -= 1
    if rounded(abs(number), 2 - decade) == 1000:
        decade += 1
    if decade < -6:
        digits = rounded(abs(number), 2 - decade)
        return ("−" if number < 0 else "") + f"{digits // 100}.{digits % 100:02}e−{-decade}"
    return fixed(number, max(2 - decade, 0))


def one_decimal(number):
    return fixed(number, 1)


def change(number):
    """One decimal with its sign; what rounds to nothing has none."""
    return ("+" if rounded(number, 1) > 0 else "") + fixed(number, 1)


def count(number):
    """Whole; what is not whole as it is, to four decimals, and never as nothing."""
    if number.denominator == 1:
        return fixed(number, 0)
    return fixed(number, 4).rstrip("0").rstrip(".") if rounded(abs(number), 4) else three(number)


def whole(number):
    return fixed(number, 0)


def three_or_whole(number):
    return fixed(number, 0) if number.denominator == 1 else three(number)


def dollars(number):
    """From $100 whole dollars, below that cents."""
    return money(number, lambda size: fixed(size, 2 if rounded(size, 2) < 10_000 else 0))


def small_dollars(number):
    """Money for tokens or requests: three significant digits."""
    return money(number, three)


def money(number, digits):
    text = digits(abs(number))
    return ("−$" if number < 0 and text.strip("0.") else "$") + text


def size(number):
    """Three digits in the largest binary unit that needs no fourth; bytes as they are."""
    if abs(number) < 1024:
        return count(number) + " B"
    for unit in ["KiB", "MiB", "GiB", "TiB", "PiB"]:
        number /= 1024
        if rounded(abs(number), 0) < 1000 or unit == "PiB":
            return f"{three(number)} {unit}"


def megabytes(number):
    return three(number / 1_000_000)


# --- What a number is printed as ----------------------------------------------------------------------------------

BYTES = (size, "{}")
BYTES_A_TOKEN = (count, "{} B/token")
ELEMENTS = (whole, "{} elements")
TOKENS = (whole, "{} tokens")
REPLICAS = (whole, "{} replicas")
GIB = (three, "{} GiB")
TIMES = (three_or_whole, "{}x")
PERCENT = (one_decimal, "{}%")
CHANGE = (change, "{}%")
POINTS = (three_or_whole, "{} points")
MS = (three, "{} ms")
OUTPUT_RATE = (three, "{} output tok/s")
TOTAL_RATE = (three, "{} total tok/s")
REQUEST_RATE = (three, "{} req/s")
TB_S = (three, "{} TB/s")
GB_S = (three, "{} GB/s")
KW = (three, "{} kW")
USD_A_MONTH = (dollars, "{} a month")
USD_A_THOUSAND = (small_dollars, "{} per 1,000 requests")
WORDS = None


def a_gpu(kind):
    return (three, f"{{}} {kind} tok/s per GPU")


def a_million(kind):
    return (small_dollars, f"{{}} per 1M {kind} tokens")


def a_joule(kind):
    return (three, f"{{}} J/{kind} token")


# --- Definitions --------------------------------------------------------------------------------------------------
# Each returns a number, words, or both ends of an interval. Where an input comes in several values, it is a list.

BYTES_OF_A_GIB = Fraction(2**30)
MILLION = 10**6
HOUR = 3600


def heads_of_both_sides(layers, heads, k_dim, k_bytes, v_dim, v_bytes, scale_bytes):
    """Each layer keeps for each head a row of K, a row of V, and what the format adds."""
    return layers * heads * (k_dim * k_bytes + v_dim * v_bytes + scale_bytes)


def cost_of_a_million(usd_an_hour, tokens_a_second):
    """What an hour costs, over the millions of tokens in it."""
    return usd_an_hour / (tokens_a_second * HOUR / MILLION)


def percent_of(part, whole):
    return part * 100 / whole


def percent_more(new, old):
    return (new - old) * 100 / old


def tokens_a_second(ms_a_token):
    return 1 / (ms_a_token / 1000)


def token_cost_of_a_thousand(tokens, usd_a_million):
    """Tokens of a thousand requests, each at its part of the price of a million."""
    return 1000 * tokens * usd_a_million / MILLION


def exceeds(kv_gib, memory_bytes, cards):
    return "does not fit" if kv_gib * BYTES_OF_A_GIB > memory_bytes * cards else "KV alone fits"


def binding(*shares):
    names = ["TTFT", "TPOT", "ITL", "E2E latency"]
    first = [name for name, share in zip(names, shares) if share == max(shares)]
    return first[0] if len(first) == 1 else "several alike"


def search_resolution(growth, steps):
    """The last gap, over the least and the greatest rate that it may stand at."""
    gap = (growth - 1) / 2**steps
    return gap * 100 / growth, gap * 100


def band(value, pct):
    return value * (100 - pct) / 100, value * (100 + pct) / 100


def wilson(score_pct, questions):
    """Ends of the interval: where the score lies z standard errors, taken at the end itself, from the end.

    They solve (p - end)^2 = z^2 end (1 - end) / n, a quadratic in the end.
    """
    with localcontext() as context:
        context.prec = 60
        # 97.5% of a standard normal distribution lie below this.
        z = Decimal("1.959963984540054235524594430520551")
        n = Decimal(questions.numerator) / questions.denominator
        p = Decimal(score_pct.numerator) / score_pct.denominator / 100
        a, b, c = 1 + z * z / n, -(2 * p + z * z / n), p * p
        root = (b * b - 4 * a * c).sqrt()
        # The root has 60 digits; 40 decimals of the ends are sure.
        return tuple(Fraction(round(100 * (-b + sign * root) / (2 * a), 40)) for sign in (-1, 1))


def largest(values):
    return max(values)


def mean(values):
    return sum(values) / len(values)


DEFINITIONS = {
    # KV cache
    "full_group_bytes_per_token": (BYTES_A_TOKEN, heads_of_both_sides),
    "latent_group_bytes_per_token": (
        BYTES_A_TOKEN,
        lambda layers, latent, rotary, bytes_each, scale_bytes: layers * (latent * bytes_each)
        + layers * (rotary * bytes_each)
        + layers * scale_bytes,
    ),
    "packed_group_bytes_per_token": (BYTES_A_TOKEN, lambda layers, packed: layers * packed),
    "index_group_bytes_per_token": (BYTES_A_TOKEN, lambda layers, key: layers * key),
    "index_entry_bytes": (BYTES, lambda elements: elements + elements / 128 * 4),
    "strided_group_bytes_per_token": (BYTES_A_TOKEN, lambda entry, tokens_an_entry: entry / tokens_an_entry),
    "kv_bytes_per_token": (BYTES_A_TOKEN, sum),
    "kv_short_bytes_per_token": (BYTES_A_TOKEN, sum),
    "growing_group_bytes_at_context": (BYTES, lambda each, tokens: tokens * each),
    "strided_group_bytes_at_context": (BYTES, lambda entry, tokens, tokens_an_entry: tokens // tokens_an_entry * entry),
    "window_group_bytes_at_context": (BYTES, lambda each, tokens, window: min(tokens, window) * each),
    "kv_gib_at_context": (GIB, lambda groups: sum(groups) / BYTES_OF_A_GIB),
    "kv_average_bytes_per_token": (BYTES_A_TOKEN, lambda gib, tokens: gib * BYTES_OF_A_GIB / tokens),
    "kv_reserved_gib_at_context": (GIB, lambda each, tokens: tokens * each / BYTES_OF_A_GIB),
    "cross_group_bytes": (BYTES, lambda each, source_tokens: source_tokens * each),
    "kv_cross_bytes": (BYTES, sum),
    "sequence_bytes_at_context": (BYTES, sum),
    "kv_heads_per_gpu": ((whole, "{} heads"), lambda heads, gpus: max(heads / gpus, Fraction(1))),
    "kv_bytes_per_token_per_gpu": (BYTES_A_TOKEN, sum),
    "kv_draft_bytes_per_token": (BYTES_A_TOKEN, sum),
    "kv_all_layers_bytes_per_token": (BYTES_A_TOKEN, heads_of_both_sides),
    "kv_ratio": (TIMES, lambda larger, smaller: larger / smaller),
    "tokens_reused": (TOKENS, lambda tokens, pct: tokens * (pct / 100)),
    "kv_gib_not_recomputed": (GIB, lambda tokens, each: tokens * each / BYTES_OF_A_GIB),
    "hit_rate_ceiling_pct": (PERCENT, percent_of),
    # Pools
    "kv_pool_bytes_per_token": (BYTES_A_TOKEN, lambda gib, tokens: gib * BYTES_OF_A_GIB / tokens),
    "kv_pool_sequences": (TIMES, lambda pool, each: pool / each),
    # Transfers
    "kv_transfer_gb_s": (GB_S, lambda gib, ms: gib * BYTES_OF_A_GIB / (ms * 10**6)),
    "kv_transfer_of_ttft_pct": (PERCENT, percent_of),
    "link_used_pct": (PERCENT, percent_of),
    # States of fixed size
    "gated_delta_conv_elements": (
        ELEMENTS,
        lambda kernel, key_heads, key_dim, value_heads, value_dim: (kernel - 1)
        * (key_heads * key_dim + key_heads * key_dim + value_heads * value_dim),
    ),
    "gated_delta_recurrent_elements": (ELEMENTS, lambda heads, value_dim, key_dim: heads * (value_dim * key_dim)),
    "kda_conv_elements": (ELEMENTS, lambda kernel, heads, dim: (kernel - 1) * (heads * dim) * 3),
    "square_recurrent_elements": (ELEMENTS, lambda heads, dim: heads * dim**2),
    "mamba2_conv_elements": (
        ELEMENTS,
        lambda kernel, heads, dim, groups, state: (kernel - 1) * (heads * dim + groups * state + groups * state),
    ),
    "mamba2_recurrent_elements": (ELEMENTS, lambda heads, dim, state: heads * dim * state),
    "conv_elements": (ELEMENTS, lambda kernel, width: kernel * width - width),
    "mamba1_recurrent_elements": (ELEMENTS, lambda width, state: state * width),
    "state_group_bytes": (
        BYTES,
        lambda layers, conv, conv_bytes, recurrent, recurrent_bytes: layers * conv * conv_bytes
        + layers * recurrent * recurrent_bytes,
    ),
    # A value and a score, in four bytes each.
    "compressor_state_bytes": (BYTES, lambda tokens, width: (4 + 4) * tokens * width),
    "compressor_group_bytes": (BYTES, lambda layers, state: layers * state),
    "fixed_state_bytes": (BYTES, sum),
    # Cards
    "card_memory_bytes": (BYTES, lambda mib: mib * 1024 * 1024),
    "card_memory_sold_bytes": (BYTES, lambda gb: (gb * 10**9, gb * BYTES_OF_A_GIB)),
    "kv_budget_bytes": (
        BYTES,
        lambda memory, cards, pct, weights, overhead: memory * cards * (pct / 100) - (weights + overhead),
    ),
    "sequences_at_context": ((whole, "{} sequences"), lambda budget, each: Fraction(budget // each)),
    "longest_sequence_tokens": (TOKENS, lambda budget, still, each: Fraction((budget - still) // each)),
    "still_bytes": (BYTES, sum),
    "sequence_ratio": (TIMES, lambda tokens, other: tokens / other),
    "room_for_weights_gib": (GIB, lambda memory, cards, kv_gib: memory * cards / BYTES_OF_A_GIB - kv_gib),
    "room_left_gib": (GIB, lambda room_gib, weights: room_gib - weights / BYTES_OF_A_GIB),
    "fits_card": (WORDS, exceeds),
    # Latency
    "ttft_slo_used_pct": (PERCENT, percent_of),
    "tpot_slo_used_pct": (PERCENT, percent_of),
    "itl_slo_used_pct": (PERCENT, percent_of),
    "e2el_slo_used_pct": (PERCENT, percent_of),
    "binding_slo": (WORDS, binding),
    "ttft_speedup": (TIMES, lambda cold, warm: cold / warm),
    "ttft_speedup_ceiling": (TIMES, lambda hit_pct: 100 / (100 - hit_pct)),
    "output_tok_s_per_user_at_mean_tpot": (OUTPUT_RATE, tokens_a_second),
    "output_tok_s_per_user_at_p50_tpot": (OUTPUT_RATE, tokens_a_second),
    "output_tok_s_per_user_at_p90_tpot": (OUTPUT_RATE, tokens_a_second),
    "output_tok_s_per_user_at_p95_tpot": (OUTPUT_RATE, tokens_a_second),
    "output_tok_s_per_user_at_p99_tpot": (OUTPUT_RATE, tokens_a_second),
    # Throughput
    "output_tok_s": (OUTPUT_RATE, lambda requests, tokens_each, seconds: requests * tokens_each / seconds),
    "total_tok_s": (TOTAL_RATE, lambda input_rate, output_rate: input_rate + output_rate),
    "input_tok_s_per_gpu": (a_gpu("input"), lambda rate, gpus: rate / gpus),
    "output_tok_s_per_gpu": (a_gpu("output"), lambda rate, gpus: rate / gpus),
    "total_tok_s_per_gpu": (a_gpu("total"), lambda rate, gpus: rate / gpus),
    "input_tok_s_per_prefill_gpu": (a_gpu("input"), lambda rate, gpus: rate / gpus),
    "output_tok_s_per_decode_gpu": (a_gpu("output"), lambda rate, gpus: rate / gpus),
    # Energy
    "goodput_tok_per_j": ((three, "{} output tok/J"), lambda rate, kw: rate / (1000 * kw)),
    "output_tok_per_wh": ((three, "{} output tokens/Wh"), lambda tokens_a_joule: tokens_a_joule * HOUR),
    "energy_j_per_output_token": (a_joule("output"), lambda kw, rate: 1000 * kw / rate),
    "energy_j_per_total_token": (a_joule("total"), lambda kw, rate: 1000 * kw / rate),
    "electricity_usd_per_mtok_output": (
        a_million("output"),
        lambda joules, usd_a_kwh: MILLION * joules / (1000 * HOUR) * usd_a_kwh,
    ),
    "throttled_pct": (PERCENT, lambda samples, seconds, hertz, repeats: percent_of(samples, seconds * hertz * repeats)),
    # Bandwidth
    "achieved_bandwidth_tb_s": (TB_S, lambda mbu_pct, each_tb_s, gpus: gpus * each_tb_s * mbu_pct / 100),
    "bytes_per_output_token": ((megabytes, "{} MB per output token"), lambda tb_s, rate: tb_s * 10**12 / rate),
    "decode_floor_ms": (MS, lambda weights, each_tb_s, gpus: 1000 * weights / (10**12 * each_tb_s * gpus)),
    # Fleets
    "fleet_output_tok_s": (OUTPUT_RATE, lambda rate, gpus, cards: cards * rate / gpus),
    "fleet_power_kw": (KW, lambda kw, gpus, cards: cards * kw / gpus),
    "fleet_cards_for_baseline_output": (
        (whole, "{} cards"),
        lambda baseline, own, cards: Fraction(ceil(baseline / (own / cards))),
    ),
    # Cost
    "usd_per_gpu_hour": ((dollars, "{}/GPU-hour"), lambda usd_a_node, gpus: usd_a_node / gpus),
    "usd_per_hour": ((dollars, "{} an hour"), lambda usd_a_gpu, gpus: usd_a_gpu * gpus),
    "usd_per_mtok_output": (a_million("output"), cost_of_a_million),
    "usd_per_mtok_input": (a_million("input"), cost_of_a_million),
    "usd_per_mtok_total": (a_million("total"), cost_of_a_million),
    "output_tok_per_usd": ((three, "{} output tokens/$"), lambda usd_an_hour, rate: rate * HOUR / usd_an_hour),
    "usd_per_1k_requests": (USD_A_THOUSAND, lambda usd_an_hour, rate: 1000 * usd_an_hour / (rate * HOUR)),
    "cost_change_pct": (CHANGE, percent_more),
    "usd_per_month": (USD_A_MONTH, lambda replicas, usd_an_hour, hours: replicas * hours * usd_an_hour),
    "saving_usd_per_month": (USD_A_MONTH, lambda baseline, own: baseline - own),
    # Requests
    "delivered_rps": (REQUEST_RATE, lambda completed, seconds: completed / seconds),
    "delivered_share_pct": (PERCENT, percent_of),
    "failed_pct": (PERCENT, percent_of),
    "slo_attainment_pct": (PERCENT, lambda met, sent, cut_off: percent_of(met, sent - cut_off)),
    "output_tok_per_request": ((three, "{} output tok/request"), lambda tokens, requests: tokens / requests),
    "mean_output_tok_s": (OUTPUT_RATE, mean),
    # Capacity
    "capacity_bracket_rps": (REQUEST_RATE, lambda passed, failed: (passed, failed)),
    "capacity_served_rps": (REQUEST_RATE, lambda delivered, failed: (delivered, failed)),
    "grid_step_pct": (PERCENT, lambda rate, following: 100 * (following / rate - 1)),
    "bracket_width_pct": (PERCENT, lambda passed, failed: 100 * (failed / passed - 1)),
    "capacity_bracket_concurrency": ((whole, "{} concurrent requests"), lambda passed, failed: (passed, failed)),
    "capacity_ratio": (TIMES, lambda own, baseline: own / baseline),
    "capacity_change_pct": (CHANGE, percent_more),
    "capacity_change_over_brackets_pct": (
        CHANGE,
        lambda passed, failed, baseline_passed, baseline_failed: (
            percent_more(passed, baseline_failed),
            percent_more(failed, baseline_passed),
        ),
    ),
    "gain_share_pct": (PERCENT, lambda own, baseline, all_changes: percent_of(own - baseline, all_changes - baseline)),
    "rest_gain_pct": (CHANGE, percent_more),
    "replicas_at_peak": (REPLICAS, lambda peak, each: Fraction(ceil(peak / each))),
    "replicas_over_bracket": (REPLICAS, lambda peak, each: Fraction(ceil(peak / each))),
    "usd_per_mtok_over_bracket": (
        a_million("output"),
        lambda usd_an_hour, requests, tokens_each: cost_of_a_million(usd_an_hour, requests * tokens_each),
    ),
    # Token prices
    "uncached_input_tokens": (TOKENS, lambda tokens, cached: tokens - cached),
    "uncached_input_usd_per_1k_requests": (USD_A_THOUSAND, token_cost_of_a_thousand),
    "cached_input_usd_per_1k_requests": (USD_A_THOUSAND, token_cost_of_a_thousand),
    "output_usd_per_1k_requests": (USD_A_THOUSAND, token_cost_of_a_thousand),
    "token_usd_per_1k_requests": (USD_A_THOUSAND, lambda uncached, cached, output: uncached + cached + output),
    # Uncertainty
    "goodput_band_tok_s": (OUTPUT_RATE, band),
    "search_resolution_pct": (PERCENT, search_resolution),
    "backoff_step_pct": (PERCENT, lambda factor: 100 - 100 * factor),
    "uncertainty_pct": (PERCENT, largest),
    # Comparison
    "goodput_change_pct": (CHANGE, percent_more),
    "goodput_lead_pct": (CHANGE, percent_more),
    "ttft_change_pct": (CHANGE, percent_more),
    "tpot_change_pct": (CHANGE, percent_more),
    "output_change_pct": (CHANGE, percent_more),
    "itl_change_pct": (CHANGE, percent_more),
    "e2el_change_pct": (CHANGE, percent_more),
    "total_change_pct": (CHANGE, percent_more),
    "tok_per_j_change_pct": (CHANGE, percent_more),
    "per_gpu_change_pct": (CHANGE, percent_more),
    "energy_change_pct": (CHANGE, percent_more),
    "kv_bytes_change_pct": (CHANGE, percent_more),
    "kv_size_change_pct": (CHANGE, percent_more),
    "value_ratio": (TIMES, lambda own, baseline: own / baseline),
    "value_fall": (TIMES, lambda baseline, own: baseline / own),
    "value_change_pct": (CHANGE, percent_more),
    "value_points": (POINTS, lambda own, baseline: own - baseline),
    # Accuracy
    "accuracy_interval_pct": (PERCENT, wilson),
    "accuracy_resolution_pts": (POINTS, lambda questions: Fraction(100) / questions),
    "accuracy_drop_pts": (POINTS, lambda baseline, own: baseline - own),
}

# Functions of one list.
OF_LISTS = (sum, largest, mean, DEFINITIONS["kv_gib_at_context"][1])
# Inputs of which only the lower end counts: what is there at least.
AT_LEAST = {("kv_budget_bytes", "memory_bytes"), ("room_for_weights_gib", "memory_bytes")}

# --- The table ----------------------------------------------------------------------------------------------------


class Quantity:
    """A number or an interval, exact or approximate, as the table writes it."""

    def __init__(self, text):
        self.approximate = text.startswith("~")
        self.written = text.lstrip("~").split("..")
        self.ends = [Fraction(end) for end in self.written]


def evaluate(formula, inputs):
    """The result at each combination of ends: the values lie between the least and the largest of them."""
    of = DEFINITIONS[formula][1]
    ends = [quantity.ends[:1] if (formula, name) in AT_LEAST else quantity.ends for name, quantity in inputs]
    results = []
    for values in product(*ends):
        result = of(list(values)) if of in OF_LISTS else of(*values)
        results.extend(result if isinstance(result, tuple) else [result])
    return results


def verdict(results):
    """What holds at all ends; where they do not agree, no more than that."""
    if len(set(results)) == 1:
        return results[0]
    return "may not fit" if "does not fit" in results else "several alike"


def shown(unit, low, high, approximate):
    digits, pattern = unit
    if pattern == "{} GiB" and rounded(abs(low), 0) >= 1024:
        low, high, pattern = low / 1024, high / 1024, "{} TiB"
    texts = [digits(low)] + ([digits(high)] if high != low else [])
    # An interval that rounding closes is still not one exact number.
    approximate |= len(texts) == 2 and texts[0] == texts[1]
    # A dash beside a sign reads as another sign.
    joint = " to " if texts[-1][0] in "+−" else "–"
    text = ("~" if approximate else "") + joint.join(dict.fromkeys(texts))
    return pattern.format(text).replace(" points", " point") if text == "1" else pattern.format(text)


def is_written_right(text, exact):
    """Equal, or to the nearest last digit where the decimals do not end within a reasonable length."""
    if Fraction(text) == exact:
        return True
    digits = len(text.lstrip("-").replace(".", "").lstrip("0"))
    decimals = len(text.partition(".")[2])
    return digits >= LEAST_DIGITS and abs(Fraction(text) - exact) <= Fraction(1, 2 * 10**decimals)


def fault(formula, inputs, value, printed):
    """What is wrong with a row, or nothing."""
    if formula not in DEFINITIONS:
        return "has no definition here"
    inputs = [(name, Quantity(text)) for name, _, text in (part.partition("=") for part in inputs.split("; "))]
    results = evaluate(formula, inputs)
    unit = DEFINITIONS[formula][0]
    if unit is WORDS:
        found = verdict(results)
        return None if value == printed == found else f"recomputed {found}, the table has {value} and {printed}"
    low, high = min(results), max(results)
    approximate = any(quantity.approximate for _, quantity in inputs)
    stated = Quantity(value)
    ends = [low] if low == high else [low, high]
    if len(ends) != len(stated.ends) or not all(map(is_written_right, stated.written, ends)):
        return f"recomputed {'..'.join(f'{float(end):.15g}' for end in ends)}, the table has {value}"
    if stated.approximate != approximate:
        return f"the value is {'approximate' if approximate else 'exact'}"
    text = shown(unit, low, high, approximate)
    return None if printed == text else f"prints {text}, the table has {printed}"


def main():
    path = Path(__file__).with_name("table.tsv")
    faults, seen = [], {}
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    rows = [(number, line) for number, line in lines if not line.startswith("#")]
    for number, line in rows[1:]:
        columns = line.split("\t")
        if len(columns) != 5 or not all(columns):
            faults.append(f"line {number}: expected 5 columns, each with a text")
            continue
        formula, inputs, value, printed, _ = columns
        if inputs in seen.setdefault(formula, []):
            faults.append(f"line {number}: {formula} of these inputs stands there twice")
        seen[formula].append(inputs)
        try:
            found = fault(formula, inputs, value, printed)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            found = str(error)
        if found:
            faults.append(f"line {number}: {formula} of {inputs}: {found}")
    for formula in DEFINITIONS:
        if len(seen.get(formula, [])) < 2:
            faults.append(f"{formula}: expected two rows at least")
    total = sum(map(len, seen.values()))
    if total < LEAST_ROWS:
        faults.append(f"{total} rows, expected {LEAST_ROWS} at least")
    if faults:
        sys.exit("\n".join([*faults, f"error: {path}: {len(faults)} faults"]))
    print(f"{total} values of {len(seen)} formulas recomputed: all agree", file=sys.stderr)


if __name__ == "__main__":
    main()
