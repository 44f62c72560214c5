//! Storage formats of a KV cache: bytes of an element, of scales beside a head, and of packed records.

use crate::diagnostic::{nearest, printable};

/// One format, under the names that engines give it.
#[derive(Debug)]
pub struct Format {
    pub name: &'static str,
    /// Other names of the same size.
    pub aliases: &'static [&'static str],
    pub layout: Layout,
    pub source: &'static str,
}

/// How a format lays out what it stores.
#[derive(Debug)]
pub enum Layout {
    /// Each element by itself or in blocks; `scale_bytes` come on top, a head and side.
    Elements { bytes: f64, scale_bytes: f64, blocks: Blocks },
    /// A latent with its scales as one record; nothing else can be stored so.
    Packed(&'static [Packed]),
}

/// What a format needs to divide evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    None,
    /// The row of all heads, by elements of a block.
    Row(u64),
    /// One head by elements of a block; latents cannot be stored so.
    Head(u64),
}

/// The size of one packed latent.
#[derive(Debug)]
pub struct Packed {
    pub dim: u64,
    pub rope_dim: u64,
    pub bytes: f64,
}

/// What engines keep a cache in unless they are told otherwise.
pub static BF16: Format = plain("bf16", &["bfloat16", "fp16", "f16", "float16"], 2.0, "vLLM, llama.cpp");

pub static FP8: Format = plain("fp8", &["fp8_e4m3", "fp8_e5m2", "int8"], 1.0, "vLLM, one scale a tensor");

/// Every format whose size is known. A name that is not here is not guessed at.
pub static FORMATS: &[&Format] = &[
    &BF16,
    &FP8,
    &blocks("q8_0", &[], 34.0),
    &blocks("q5_1", &[], 24.0),
    &blocks("q5_0", &[], 22.0),
    &blocks("q4_1", &[], 20.0),
    &blocks("q4_0", &["iq4_nl"], 18.0),
    &Format {
        name: "nvfp4",
        aliases: &[],
        layout: Layout::Elements { bytes: 9.0 / 16.0, scale_bytes: 0.0, blocks: Blocks::Head(16) },
        source: "vLLM nvfp4_kv_cache_full_dim: half a byte an element and a byte for 16",
    },
    &Format {
        name: "fp8_per_token_head",
        aliases: &["int8_per_token_head"],
        layout: Layout::Elements { bytes: 1.0, scale_bytes: 4.0, blocks: Blocks::None },
        source: "vLLM triton_attn.py and mla_attention.py: a scale of 4 bytes a token, head and side",
    },
    &Format {
        name: "int4_per_token_head",
        aliases: &[],
        layout: Layout::Elements { bytes: 0.5, scale_bytes: 4.0, blocks: Blocks::None },
        source: "vLLM triton_attn.py and mla_attention.py: a scale of 4 bytes a token, head and side",
    },
    &grouped("int4_group64", 36.0),
    &grouped("int2_group64", 20.0),
    &Format {
        name: "fp8_ds_mla",
        aliases: &[],
        layout: Layout::Packed(&[
            Packed { dim: 512, rope_dim: 64, bytes: 656.0 },
            Packed { dim: 448, rope_dim: 64, bytes: 584.0 },
        ]),
        source: "vLLM flashmla_sparse.py: 512 + 16 + 128 bytes; DeepSeek-V4: 448 + 128 + 8",
    },
    &Format {
        name: "nvfp4_ds_mla",
        aliases: &[],
        layout: Layout::Packed(&[Packed { dim: 512, rope_dim: 64, bytes: 352.0 }]),
        source: "vLLM flashmla_sparse.py: 256 + 64 + 32 bytes",
    },
    &plain("f32", &["fp32", "float32"], 4.0, "llama.cpp"),
];

/// Names that engines and papers have for formats whose size is not known here: whole ones, and beginnings where `*` ends
/// them. `auto` is the engine's choice.
const UNSIZED: [&str; 17] = [
    "auto",
    "exllama_*",
    "fp4",
    "fp4_e2m1",
    "int2",
    "int4",
    "kivi_*",
    "kv4",
    "nuq*",
    "nvfp4_mla",
    "q6_0",
    "q4_k*",
    "q8_kv*",
    "rotated_*",
    "tq*",
    "turbo*",
    "turboquant_*",
];

/// Whether a name of K and V, or of each, is one that this site has heard of, with or without its size.
pub fn is_heard_of(text: &str) -> bool {
    let (k, v) = text.split_once('/').unwrap_or((text, text));
    let without_size = |name: &str| {
        let name = name.trim().to_lowercase();
        UNSIZED.iter().any(|known| match known.strip_suffix('*') {
            Some(stem) => name.starts_with(stem),
            None => *known == name,
        })
    };
    [k, v].into_iter().all(|name| without_size(name) || format(name).is_ok())
}

/// Elements of one size without blocks.
const fn plain(name: &'static str, aliases: &'static [&'static str], bytes: f64, source: &'static str) -> Format {
    Format { name, aliases, layout: Layout::Elements { bytes, scale_bytes: 0.0, blocks: Blocks::None }, source }
}

/// Blocks of 32 elements with their scale.
const fn blocks(name: &'static str, aliases: &'static [&'static str], bytes: f64) -> Format {
    let layout = Layout::Elements { bytes: bytes / 32.0, scale_bytes: 0.0, blocks: Blocks::Row(32) };
    Format { name, aliases, layout, source: "gguf, GGML_QUANT_SIZES; accepted list in llama.cpp common/arg.cpp" }
}

/// Groups of 64 elements with 16 bits of scale and 16 of zero each.
const fn grouped(name: &'static str, bytes: f64) -> Format {
    let layout = Layout::Elements { bytes: bytes / 64.0, scale_bytes: 0.0, blocks: Blocks::Row(64) };
    Format {
        name,
        aliases: &[],
        layout,
        source: "Hugging Face on its quantised cache, without the tokens kept in fp16",
    }
}

/// The storage types of K and V, which need not be the same.
#[derive(Debug, Clone, Copy)]
pub struct KvDtype {
    pub k: &'static Format,
    pub v: &'static Format,
}

impl KvDtype {
    /// `fp8`, or `q8_0/q4_0` for K and V; an error says what is not known, with the nearest name that is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (k, v) = text.split_once('/').unwrap_or((text, text));
        Ok(KvDtype { k: format(k)?, v: format(v)? })
    }

    pub const fn of(format: &'static Format) -> Self {
        KvDtype { k: format, v: format }
    }
}

fn format(name: &str) -> Result<&'static Format, String> {
    let name = name.trim();
    let known = |format: &&&Format| {
        let mut names = std::iter::once(&format.name).chain(format.aliases);
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    FORMATS.iter().find(known).copied().ok_or_else(|| {
        let names = FORMATS.iter().flat_map(|format| std::iter::once(&format.name).chain(format.aliases));
        let nearest = nearest(name, names.copied()).map(|near| format!("; the nearest known name is `{near}`"));
        format!("the size of a cache in `{}` is not known{}", printable(name), nearest.unwrap_or_default())
    })
}

impl Format {
    /// Bytes of an element and of the scale beside a head of so many elements, of so many heads.
    pub fn of_head(&self, heads: u64, dim: u64) -> Result<(f64, f64), String> {
        match self.layout {
            Layout::Packed(_) => Err(format!("`{}` packs latents, not K and V of heads", self.name)),
            Layout::Elements { bytes, scale_bytes, blocks } => {
                let (what, elements, block) = match blocks {
                    Blocks::None => return Ok((bytes, scale_bytes)),
                    Blocks::Row(block) => ("row", heads.saturating_mul(dim), block),
                    Blocks::Head(block) => ("head", dim, block),
                };
                if elements.is_multiple_of(block) {
                    return Ok((bytes, scale_bytes));
                }
                Err(format!(
                    "`{}` stores {block} elements at a time, which do not divide a {what} of {elements}",
                    self.name
                ))
            }
        }
    }

    /// How a latent of this shape is stored.
    pub fn of_latent(&self, dim: u64, rope_dim: u64) -> Result<Latent, String> {
        match self.layout {
            Layout::Packed(packed) => packed
                .iter()
                .find(|packed| packed.dim == dim && packed.rope_dim == rope_dim)
                .map(|packed| Latent::Packed(packed.bytes))
                .ok_or_else(|| format!("`{}` packs no latents of {dim} + {rope_dim} elements", self.name)),
            Layout::Elements { blocks: Blocks::Head(_), .. } => {
                Err(format!("`{}` stores K and V of heads, not latents", self.name))
            }
            Layout::Elements { .. } => {
                let (bytes, scale_bytes) = self.of_head(1, dim.saturating_add(rope_dim))?;
                // A latent stands for both sides and has a scale for each.
                Ok(Latent::Elements { bytes, scale_bytes: 2.0 * scale_bytes })
            }
        }
    }

    pub fn is_packed(&self) -> bool {
        matches!(self.layout, Layout::Packed(_))
    }
}

/// The bytes of one latent: of each element with those of its scales, or of the whole record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Latent {
    Elements { bytes: f64, scale_bytes: f64 },
    Packed(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_cost_what_their_format_says() {
        for (name, heads, dim, expected) in [
            ("bf16", 8, 128, Some((2.0, 0.0))),
            ("FP8_E4M3", 8, 128, Some((1.0, 0.0))),
            ("q8_0", 4, 8, Some((1.0625, 0.0))),
            ("q8_0", 2, 2, None),
            ("iq4_nl", 1, 64, Some((0.5625, 0.0))),
            ("nvfp4", 1, 128, Some((0.5625, 0.0))),
            ("int4_group64", 1, 64, Some((0.5625, 0.0))),
            ("int2_group64", 2, 64, Some((0.3125, 0.0))),
            ("int2_group64", 1, 32, None),
            ("nvfp4", 2, 8, None),
            ("int4_per_token_head", 2, 2, Some((0.5, 4.0))),
            ("fp8_ds_mla", 1, 576, None),
        ] {
            let format = KvDtype::parse(name).expect("it is known").k;
            assert_eq!(format.of_head(heads, dim).ok(), expected, "{name} {heads} {dim}");
        }
    }

    #[test]
    fn only_what_is_one_record_is_packed() {
        let packed: Vec<_> = FORMATS.iter().filter(|format| format.is_packed()).map(|format| format.name).collect();
        assert_eq!(packed, ["fp8_ds_mla", "nvfp4_ds_mla"]);
    }

    #[test]
    fn latents_cost_what_their_format_says() {
        for (name, dim, rope_dim, expected) in [
            ("bf16", 512, 64, Some(Latent::Elements { bytes: 2.0, scale_bytes: 0.0 })),
            ("fp8_per_token_head", 512, 64, Some(Latent::Elements { bytes: 1.0, scale_bytes: 8.0 })),
            ("q8_0", 500, 64, None),
            ("nvfp4", 512, 64, None),
            ("fp8_ds_mla", 512, 64, Some(Latent::Packed(656.0))),
            ("fp8_ds_mla", 448, 64, Some(Latent::Packed(584.0))),
            ("nvfp4_ds_mla", 512, 64, Some(Latent::Packed(352.0))),
            ("nvfp4_ds_mla", 256, 64, None),
        ] {
            let format = KvDtype::parse(name).expect("it is known").k;
            assert_eq!(format.of_latent(dim, rope_dim).ok(), expected, "{name} {dim} {rope_dim}");
        }
    }

    #[test]
    fn k_and_v_may_differ_and_what_is_not_known_is_not_guessed() {
        let mixed = KvDtype::parse("q8_0/q4_0").expect("both are known");
        assert_eq!((mixed.k.name, mixed.v.name), ("q8_0", "q4_0"));
        for (name, words) in [
            ("turboquant", "a cache in `turboquant` is not known"),
            ("q8_O", "nearest known name is `q8_0`"),
            ("fp8/q9", "in `q9` is not"),
            ("", "in `` is not"),
        ] {
            let reason = KvDtype::parse(name).expect_err("it is not known");
            assert!(reason.contains(words), "{reason}");
        }
    }
}
