//! Layer groups as they are found, layer by layer: like layers become one group.

use serde_json::{Value, json};

use super::config::{Config, Read};
use crate::formula::{FigureValue, Formula};
use crate::quantity::Quantity;

/// Groups in the order in which their first layer came.
#[derive(Debug, Default)]
pub struct Layers {
    groups: Vec<(Value, u64)>,
}

impl Layers {
    /// One layer, or several alike.
    pub fn add(&mut self, group: Value, layers: u64) {
        if layers == 0 {
            return;
        }
        match self.groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, count)) => *count += layers,
            None => self.groups.push((group, layers)),
        }
    }

    pub fn of(group: Value, layers: u64) -> Self {
        Layers { groups: vec![(group, layers)] }
    }

    /// Where a group stands in the list, for those that read its cache.
    pub fn position(&self, group: &Value) -> Option<usize> {
        self.groups.iter().position(|(known, _)| known == group)
    }

    /// The layer groups of a record.
    pub fn into_groups(self) -> Vec<Value> {
        let with_layers = |(mut group, layers): (Value, u64)| {
            group["layers"] = json!(layers);
            group
        };
        self.groups.into_iter().map(with_layers).collect()
    }

    /// So many draft layers, each like the model's own; `None` where the model's own are not all alike.
    pub fn drafts(&self, layers: u64) -> Option<Layers> {
        let kind = |group: &Value, kinds: &[&str]| kinds.iter().any(|kind| group["kind"] == *kind);
        let keeping: Vec<_> = self.groups.iter().filter(|(group, _)| !kind(group, &["state", "none"])).collect();
        let [(_, first), ..] = keeping[..] else { return None };
        let alike = keeping.iter().all(|(group, count)| kind(group, &["full", "latent", "index"]) && count == first);
        let one_kind = keeping.iter().filter(|(group, _)| !kind(group, &["index"])).count() == 1;
        (alike && one_kind)
            .then(|| Layers { groups: keeping.iter().map(|(group, _)| (group.clone(), layers)).collect() })
    }
}

const NO_WIDTH: &str = "the config states no head width; this is hidden size over heads";
const NO_COUNT: &str = "the config states no number of KV heads; this is one for each query head";

/// KV heads and the widths of K and V.
#[derive(Debug, Clone, Copy)]
pub struct Heads {
    pub count: u64,
    pub k_dim: u64,
    pub v_dim: u64,
    /// What the config states neither of, and how it was derived: the number of heads, their width.
    derived: [Option<&'static str>; 2],
}

impl Heads {
    /// Heads of a model whose K and V are equally wide.
    pub fn of(config: &Config) -> Read<Self> {
        let attention = || config.need(&["num_attention_heads"]);
        let count = config.first(&["num_key_value_heads", "num_attention_groups"])?;
        let dim = config.first(&["head_dim", "attention_head_dim"])?;
        let mut heads = Heads { count: 0, k_dim: 0, v_dim: 0, derived: [None; 2] };
        heads.count = match count {
            Some(count) => count,
            None => {
                heads.derived[0] = Some(NO_COUNT);
                attention()?
            }
        };
        heads.k_dim = match dim {
            Some(dim) => dim,
            None => {
                heads.derived[1] = Some(NO_WIDTH);
                head_dim(config, config.need(&["hidden_size"])?, attention()?)?
            }
        };
        serve_evenly(config, "num_key_value_heads", heads.count)?;
        heads.derived.iter().flatten().for_each(|how| config.derive(how));
        Ok(Heads { v_dim: heads.k_dim, ..heads })
    }

    pub fn new(count: u64, k_dim: u64, v_dim: u64) -> Self {
        Heads { count, k_dim, v_dim, derived: [None; 2] }
    }

    /// The same heads, whose width is hidden size over heads since the config states none.
    pub fn without_width(self, config: &Config) -> Self {
        config.derive(NO_WIDTH);
        Heads { derived: [self.derived[0], Some(NO_WIDTH)], ..self }
    }

    pub fn full(&self) -> Value {
        self.group("full")
    }

    pub fn window(&self, kind: &str, tokens: u64) -> Value {
        let mut group = self.group(kind);
        group["window"] = json!(tokens);
        group
    }

    fn group(&self, kind: &str) -> Value {
        let mut group = json!({"kind": kind, "kv_heads": self.count, "k_dim": self.k_dim, "v_dim": self.v_dim});
        let derived: Vec<_> = self.derived.into_iter().flatten().collect();
        if !derived.is_empty() {
            group["note"] = json!(derived.join("; "));
        }
        group
    }
}

/// Each KV head serves as many query heads as the others, in every class.
fn serve_evenly(config: &Config, name: &str, heads: u64) -> Read<()> {
    match config.whole("num_attention_heads")? {
        Some(queries) if heads == 0 || !queries.is_multiple_of(heads) => {
            let message = format!("`{name}`: {queries} query heads do not share {heads} KV heads evenly");
            Err(config.problem(name, message))
        }
        _ => Ok(()),
    }
}

/// Hidden size over heads, where that is whole.
pub fn head_dim(config: &Config, hidden: u64, heads: u64) -> Read<u64> {
    match hidden.checked_div(heads) {
        Some(dim) if dim * heads == hidden => Ok(dim),
        _ => {
            Err(config
                .problem("head_dim", format!("`head_dim` is missing, and {hidden} over {heads} heads is not whole")))
        }
    }
}

pub fn latent(dim: u64, rope_dim: u64) -> Value {
    json!({"kind": "latent", "dim": dim, "rope_dim": rope_dim})
}

pub fn index(dim: u64, entry_bytes: u64) -> Value {
    json!({"kind": "index", "dim": dim, "entry_bytes": entry_bytes})
}

pub fn state(conv_elements: u64, recurrent_elements: u64, note: &str) -> Value {
    json!({
        "kind": "state",
        "conv_elements": conv_elements,
        "recurrent_elements": recurrent_elements,
        "note": note,
    })
}

pub fn nothing() -> Value {
    json!({"kind": "none"})
}

/// A formula over whole numbers whose value is one.
pub fn whole(formula: &Formula, values: &[u64]) -> u64 {
    let values: Vec<_> = values.iter().map(|value| Quantity::exact(*value as f64)).collect();
    match formula.compute(&values) {
        FigureValue::Quantity(quantity) if quantity.low() > 0.0 => quantity.low() as u64,
        _ => 0,
    }
}
