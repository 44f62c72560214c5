//! Rules of what records say: references, names, notes, history, figures, settings.

use super::rules;

rules! {
    /// A reference leads to no record, or to one of another kind.
    LINK_UNRESOLVED = Error "link/unresolved", CuratorNote;
    bad "model: models/n";
    good "model: models/m";

    /// A link in Markdown leads nowhere.
    LINK_BROKEN = Error "link/broken", Body;
    bad "[the run](../runs/y.json)";
    good "[the run](../runs/x.json)";

    /// Nothing in the record has the anchor or the key that a field names.
    LINK_SUBJECT = Error "link/subject", CuratorNote;
    bad "baseline: c";
    good "baseline: a";

    /// A result is dated after today by the clock of the machine, which nothing else looks at.
    DATE_AHEAD = Notice "date/ahead", Audit;
    bad "published: 2999-01-01";
    good "published: 2026-10-08";

    /// A model or a card is named as no entry is.
    NAME_UNMATCHED = Warning "name/unmatched", Run;
    why "Without its entry the result is not found under the model or card, and figures that need it are missing.";
    bad r#""model": {"name": "N"}"#;
    good r#""model": {"name": "M"}"#;

    /// A name belongs to two entries.
    NAME_AMBIGUOUS = Error "name/ambiguous", Hardware;
    why "What a result means by it could not be told.";
    bad r#""names": ["H", "G"]"#;
    good r#""names": ["H"]"#;

    /// A curator's note lies beside no run record.
    NOTE_ORPHAN = Error "note/orphan", Records;
    bad "content/runs/x.md without content/runs/x.json";
    good "content/runs/x.md beside content/runs/x.json";

    /// A curator's note says another model or card than the record.
    NOTE_CONTRADICTS = Error "note/contradicts", CuratorNote;
    why "A note may add to a harness's file, never contradict it.";
    bad r#"observations: [{subject: a, metric: request_throughput_rps, value: 4, quote: "--rate 4"}]"#;
    good r#"observations: [{subject: a, metric: capacity_rps, value: 2, quote: "2 requests per second"}]"#;

    /// An observation is of a metric that this site does not define.
    NOTE_METRIC = Error "note/metric", CuratorNote;
    bad r#"observations: [{subject: a, metric: requests, value: 2, quote: "2 requests per second"}]"#;
    good r#"observations: [{subject: a, metric: capacity_rps, value: 2, quote: "2 requests per second"}]"#;

    /// Two observations are of one metric of one subject.
    NOTE_TWICE = Error "note/twice", CuratorNote;
    why "Only one of the two would be used.";
    bad r#"observations: [{subject: a, metric: capacity_rps, value: 2, quote: "2 requests per second"}, {subject: a, metric: capacity_rps, value: 2, quote: "It carries 2"}]"#;
    good r#"observations: [{subject: a, metric: capacity_rps, value: 2, quote: "2 requests per second"}]"#;

    /// A reference leads to another entry than the name beside it.
    LINK_CONTRADICTS = Error "link/contradicts", CuratorNote;
    bad "hardware: hardware/g";
    good "hardware: hardware/h";

    /// The price of a record is a quote for another card than the record's.
    LINK_OTHER_CARD = Error "link/other-card", Records;
    bad "price: prices/of-another-card";
    good "price: prices/of-the-card";

    /// The baseline that a curator's note names missed the SLO in some of its repeats.
    NOTE_PARTIAL_BASELINE = Error "note/partial-baseline", CuratorNote;
    bad "baseline: b";
    good "baseline: a";

    /// The words that a curator's note quotes do not stand in the record.
    NOTE_QUOTE = Error "note/quote", CuratorNote;
    bad "observations:\n  - {subject: a, metric: capacity_rps, value: 3, quote: 3 requests per second}";
    good "observations:\n  - {subject: a, metric: capacity_rps, value: 2, quote: 2 requests per second}";

    /// The value of an observation is not the number that its quote holds.
    NOTE_OBSERVATION_VALUE = Error "note/observation-value", CuratorNote;
    bad "observations:\n  - {subject: a, metric: capacity_rps, value: 3, quote: 2 requests per second}";
    good "observations:\n  - {subject: a, metric: capacity_rps, value: 2, quote: 2 requests per second}";

    /// A curator adds to the setting of a result what the record itself says otherwise.
    NOTE_SETTING = Error "note/setting", CuratorNote;
    bad "setting:\n  parallelism: {value: TP8, basis: stated, reason: the launch script}";
    good "setting:\n  kv_dtype: {value: bf16, basis: assumed, reason: the engine's default}";

    /// Variants, hosts or hit rates of a note share a key.
    NOTE_DUPLICATE_KEY = Error "note/duplicate-key", KvEfficiency;
    bad "variants:\n  - {key: warm, label: Warm}\n  - {key: warm, label: Warmer}";
    good "variants:\n  - {key: warm, label: Warm}\n  - {key: warmer, label: Warmer}";

    /// The headline of a note is not a value that the note has of its subject.
    NOTE_HEADLINE = Error "note/headline", KvEfficiency;
    why "It is the number that people quote.";
    bad "hit_rates:\n  - {key: r, kind: aggregate, rate_pct: [43, 45], of: all prompt tokens}\nheadline: {subject: r, metric: prefix_cache_hit_pct, value: 93, unit: \"%\"}";
    good "hit_rates:\n  - {key: r, kind: aggregate, rate_pct: [43, 45], of: all prompt tokens}\nheadline: {subject: r, metric: prefix_cache_hit_pct, value: [43, 45], unit: \"%\"}";

    /// A record names itself as the one that it supersedes, reproduces, is replaced by or related to.
    HISTORY_ITSELF = Error "history/itself", Audit;
    bad "supersedes: audits/x";
    good "supersedes: audits/y";

    /// Two records supersede the same one.
    HISTORY_TWO_SUCCESSORS = Error "history/two-successors", Records;
    bad "content/audits/b.md and content/audits/c.md with `supersedes: audits/a`";
    good "c.md with `supersedes: audits/b`, b.md with `supersedes: audits/a`";

    /// Records supersede each other in a circle.
    HISTORY_CIRCLE = Error "history/circle", Records;
    bad "content/audits/a.md with `supersedes: audits/b`, b.md with `supersedes: audits/a`";
    good "content/audits/b.md with `supersedes: audits/a`";

    /// The changes of a record do not stand oldest first.
    HISTORY_ORDER = Error "history/order", Audit;
    bad "changes:\n  - {date: \"2026-11-02\", what: a note}\n  - {date: \"2026-11-01\", what: a flag}";
    good "changes:\n  - {date: \"2026-11-01\", what: a flag}\n  - {date: \"2026-11-02\", what: a note}";

    /// An alias is no path, or the address of another page.
    ALIAS_ADDRESS = Error "alias/address", Audit;
    bad "aliases: [runs/x]";
    good "aliases: [audits/old-name]";

    /// A record acknowledges a rule that there is not, or one that nothing may break.
    ACKNOWLEDGES_RULE = Error "acknowledges/rule", CuratorNote;
    why "A misspelt code would leave the warning standing; errors are mended, not acknowledged.";
    bad "acknowledges:\n  - {rule: run/duplicate-keys, reason: the harness gives every config one key}";
    good "acknowledges:\n  - {rule: run/duplicate-key, reason: the harness gives every config one key}";

    /// A record acknowledges a rule that nothing in it breaks.
    ACKNOWLEDGES_UNUSED = Warning "acknowledges/unused", Audit;
    why "What was mended would still be told to readers, and the same fault would come back unseen.";
    bad "acknowledges:\n  - {rule: cost/implausible, reason: the rate is of a test of one request}";
    good "configs: [{key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 0.05}}]\nacknowledges:\n  - {rule: cost/implausible, at: [/configs], reason: the rate is of a test of one request}";

    /// The groups of a model hold fewer layers than it has, or more than its layers can.
    MODEL_LAYERS = Error "model/layers", Model;
    why "What layers keep would be missing from every size, or counted twice.";
    bad r#""layers": 3"#;
    good r#""layers": 3, "groups": [{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}, {"kind": "none", "layers": 1}]"#;

    /// Query heads of a model do not share the KV heads of a layer group evenly.
    MODEL_HEADS = Error "model/heads", Model;
    why "Every size of its cache is a multiple of its KV heads.";
    bad r#""attention_heads": 8, "groups": [{"kind": "full", "layers": 2, "kv_heads": 16, "k_dim": 64, "v_dim": 64}]"#;
    good r#""attention_heads": 8, "groups": [{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]"#;

    /// A layer group reads the cache of a group that is not there or keeps none.
    MODEL_SHARES_WITH = Error "model/shares-with", Model;
    bad r#""groups": [{"kind": "full", "layers": 1, "kv_heads": 2, "k_dim": 64, "v_dim": 64}, {"kind": "shared", "layers": 1, "shares_with": 1}]"#;
    good r#""groups": [{"kind": "full", "layers": 1, "kv_heads": 2, "k_dim": 64, "v_dim": 64}, {"kind": "shared", "layers": 1, "shares_with": 0}]"#;

    /// A step of decoding reads more weights than a model has.
    MODEL_WEIGHTS = Error "model/weights", Model;
    bad r#""weights_bytes": {"bf16": 6100000000}, "active_weights_bytes": {"bf16": 61000000000}"#;
    good r#""weights_bytes": {"bf16": 61000000000}, "active_weights_bytes": {"bf16": 6100000000}"#;

    /// Weights of a model are larger in a dtype of fewer bits.
    MODEL_WEIGHT_ORDER = Warning "model/weight-order", Model;
    why "The decode floor and what fits on a card rest on them.";
    bad r#""weights_bytes": {"bf16": 61000000000, "fp8": 122000000000}"#;
    good r#""weights_bytes": {"bf16": 61000000000, "fp8": 31000000000}"#;

    /// The title of a price names another day or other dollars than its fields.
    PRICE_TITLE = Warning "price/title", Records;
    bad "title: \"P H, secure, 2026-10-19\", date: 2026-10-01";
    good "title: \"P H, secure, 2026-10-01\", date: 2026-10-01";

    /// A rate of cache hits is over the ceiling of the same subject.
    HIT_RATE_CEILING = Warning "hit-rate/ceiling", KvEfficiency;
    why "A ceiling is what an endless cache would give, so that one of the two is of other prompts.";
    bad "variants: [{key: a, label: A}]\nhit_rates:\n  - {key: one, subject: a, kind: ceiling, rate_pct: 50, of: prompts}\n  - {key: two, subject: a, kind: aggregate, rate_pct: 90, of: prompts}";
    good "variants: [{key: a, label: A}]\nhit_rates:\n  - {key: one, subject: a, kind: ceiling, rate_pct: 95, of: prompts}\n  - {key: two, subject: a, kind: aggregate, rate_pct: 90, of: prompts}";

    /// Two quotes of one card, provider, tier and day have other prices.
    PRICE_TWICE = Warning "price/twice", Records;
    why "Which of them is the newest quote nobody can say, and costs are reckoned by it.";
    bad "two quotes of one provider, tier and day, at $3 and at $4";
    good "tier: \"on demand, us-east\"";

    /// A KV cache is said to be stored as nobody knows.
    STORAGE_UNKNOWN = Warning "storage/unknown", Audit;
    why "Every size that rests on it is missing, and a misspelt name looks like a new one.";
    bad "configs: [{key: a, kv_dtype: q9_0, capacity: none passed}]";
    good "configs: [{key: a, kv_dtype: q8_0, capacity: none passed}]";

    /// Two configs of a run have the same key.
    RUN_DUPLICATE_KEY = Warning "run/duplicate-key", Run;
    why "A key names a config in addresses; where it is not unique the label does, and a changed label breaks links.";
    bad r#""configs": [{"key": "k", "label": "a"}, {"key": "k", "label": "b"}]"#;
    good r#""configs": [{"key": "k", "label": "a"}, {"key": "l", "label": "b"}]"#;

    /// Two configs of a run cannot be told apart by key or label.
    RUN_DUPLICATE_LABEL = Warning "run/duplicate-label", Run;
    bad r#""configs": [{"label": "a"}, {"label": "a"}]"#;
    good r#""configs": [{"label": "a"}, {"label": "b"}]"#;

    /// A run record and the spec inside of it differ in what both say, or its words and its fields do.
    RUN_RECORD_AGAINST_SPEC = Warning "run/record-against-spec", Run;
    bad r#""runs": 2, "spec": {"measurement": {"repeats": 3}}"#;
    good r#""runs": 2, "spec": {"measurement": {"repeats": 2}}"#;

    /// A run record says of its card what its entry does not: another bandwidth, or power that its boards cannot draw.
    RUN_RECORD_AGAINST_CARD = Warning "run/record-against-card", Run;
    why "Shares of bandwidth and energy per token rest on what the record says.";
    bad r#""hardware": {"accelerator": "H", "count": 1, "rated_bw_tbs_per_gpu": 33.5}"#;
    good r#""hardware": {"accelerator": "H", "count": 1, "rated_bw_tbs_per_gpu": 3.35}"#;

    /// Two configs of an audit have the same key.
    AUDIT_DUPLICATE_KEY = Warning "audit/duplicate-key", Audit;
    bad "configs:\n  - {key: a, label: One, capacity: none passed}\n  - {key: a, label: Two, capacity: none passed}";
    good "configs:\n  - {key: a, label: One, capacity: none passed}\n  - {key: b, label: Two, capacity: none passed}";

    /// Two configs of an audit cannot be told apart by key or label.
    AUDIT_DUPLICATE_LABEL = Warning "audit/duplicate-label", Audit;
    bad "configs:\n  - {key: a, label: One, capacity: none passed}\n  - {key: a, label: One, capacity: none passed}";
    good "configs:\n  - {key: a, label: One, capacity: none passed}\n  - {key: b, label: Two, capacity: none passed}";

    /// A number that a source states is not the one that its own inputs give.
    FIGURE_STATED = Error "figure/stated", Audit;
    why "Acknowledged with its reason, both numbers are shown.";
    bad "stated:\n  - {subject: a, figure: usd_per_mtok_output, as_written: \"$0.300\"}";
    good "stated:\n  - {subject: a, figure: usd_per_mtok_output, as_written: \"$0.453\"}";

    /// A stated number is said to be of a figure that the record does not have.
    FIGURE_UNKNOWN = Error "figure/unknown", Audit;
    bad "stated:\n  - {subject: a, figure: usd_per_mtok, as_written: \"$0.453\"}";
    good "stated:\n  - {subject: a, figure: usd_per_mtok_output, as_written: \"$0.453\"}";

    /// Two figures of a record would have one address.
    FIGURE_DUPLICATE = Error "figure/duplicate", Records;
    bad "a variant and a host whose anchors are the same";
    good "a variant and a host whose anchors differ";

    /// The text of a link to a figure, by `figure:` or by the path of its record, says another number than the figure, or says of
    /// how much it is otherwise: per GPU of a whole fleet.
    FIGURE_CLAIM = Error "figure/claim", Body;
    why "The number is checked at its own precision, so that prose cannot drift from the figures.";
    bad "It costs [$0.45](figure:audits/x#a/usd_per_mtok_output), or [$0.30](figure:audits/x#a/usd_per_mtok_output).";
    good "It costs [$0.453](figure:audits/x#a/usd_per_mtok_output), or [$0.45](figure:audits/x#a/usd_per_mtok_output).";

    /// The text of a link to a figure, or a stated wording, has a word for a number that says none, and so is not checked.
    CLAIM_IN_WORDS = Warning "claim/in-words", Body;
    bad "It takes [dozens of cents](figure:audits/x#a/usd_per_mtok_output).";
    good "It takes [$0.453](figure:audits/x#a/usd_per_mtok_output).";

    /// The text of a link to a figure, or the few words around it, names another metric than the figure is of, or makes
    /// another number of it: `less` of what is more, `per layer` of what is per token.
    CLAIM_METRIC = Warning "claim/metric", Body;
    why "The number would be right, and what is said of it wrong.";
    bad "It has [a TTFT of $0.453](figure:audits/x#a/usd_per_mtok_output).";
    good "It is [$0.453](figure:audits/x#a/usd_per_mtok_output) within the TTFT limit.";

    /// A number in the title or the summary of a result stands nowhere else in its record, in its unit, of its kind and of the
    /// metric that is named beside it.
    CLAIM_UNEXPLAINED = Warning "claim/unexplained", Run;
    why "Nobody could tell what it is of, or see that it is wrong.";
    bad r#""summary": "It carries 2 tokens per second.""#;
    good r#""summary": "It carries 2 requests per second.""#;

    /// An accent of the brand cannot be read on its ground.
    SITE_CONTRAST = Error "site/contrast", Settings;
    bad "[brand]\naccent_light = \"#cccccc\"";
    good "[brand]\naccent_light = \"#003366\"";

    /// The logo of the brand is no file under static/.
    SITE_LOGO = Error "site/logo", Settings;
    bad "[brand]\nlogo = \"missing.svg\"";
    good "[brand]\nlogo = \"logo.svg\"";

    /// A line holds what looks like a key, a token or a password.
    FILE_SECRET = Error "file/secret", Body;
    why "What is published cannot be taken back.";
    bad "curl -H 'Authorization: Bearer abcdefghij0123456789'";
    good "curl -H \"Authorization: Bearer $KEY\"";
}
