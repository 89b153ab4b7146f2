//! The numbers of a model from the metadata of a GGUF file.

use ogc_runtime::vocabulary::Gguf;

use super::{Config, Window, bounded, check_rotations, missing, unsupported, wrong};
use crate::error::GenerateError;
use crate::model::names::Name;
use crate::model::rope::{Rope, Scaling};

/// The architectures with the layers of Llama, as GGUF names them, and whether their heads are rotated in pairs of
/// neighbours. GGUF files of `llama` have their rows in that order; all others rotate the two halves of a head.
const ARCHITECTURES: [(&str, bool); 3] = [("llama", true), ("qwen2", false), ("qwen3", false)];

impl Config {
    /// Reads the numbers of a GGUF file.
    pub(crate) fn from_gguf(gguf: &Gguf) -> Result<Self, GenerateError> {
        let name = gguf.text("general.architecture").ok_or_else(|| missing("general.architecture"))?;
        let known = ARCHITECTURES.iter().find(|(known, _)| *known == name);
        let &(_, rotates_neighbours) =
            known.ok_or_else(|| unsupported("the architecture", name, "`llama`, `qwen2` and `qwen3` are"))?;
        let keys = Keys { gguf, name };
        keys.refuse_experts()?;
        let (width, heads) = (keys.number("embedding_length")?, keys.number("attention.head_count")?);
        let head = keys.optional("attention.key_length")?.unwrap_or(width / heads);
        let context = keys.number("context_length")?;
        let config = Self {
            layers: keys.number("block_count")?,
            width,
            inner: keys.number("feed_forward_length")?,
            heads,
            key_heads: keys.optional("attention.head_count_kv")?.unwrap_or(heads),
            head,
            context,
            rope: keys.rope(head, context)?,
            rotates_neighbours,
            window: keys.window(context)?,
            tied: gguf.tensor(&Name::Output.in_gguf()).is_none(),
            epsilon: keys.float("attention.layer_norm_rms_epsilon").unwrap_or(1e-5) as f32,
        };
        config.check()
    }
}

/// The metadata of one architecture.
#[derive(Clone, Copy, Debug)]
struct Keys<'g> {
    gguf: &'g Gguf,
    name: &'g str,
}

impl Keys<'_> {
    fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    fn number(&self, key: &str) -> Result<usize, GenerateError> {
        self.optional(key)?.ok_or_else(|| missing(&self.key(key)))
    }

    /// Reads a number, if it is there.
    fn optional(&self, key: &str) -> Result<Option<usize>, GenerateError> {
        let key = self.key(key);
        self.gguf.integer(&key).map(|number| bounded(&key, number)).transpose()
    }

    fn float(&self, key: &str) -> Option<f64> {
        self.gguf.float(&self.key(key))
    }

    /// Rejects layers with experts.
    fn refuse_experts(&self) -> Result<(), GenerateError> {
        if self.gguf.integer(&self.key("expert_count")).is_some_and(|experts| experts > 0) {
            return Err(unsupported("the model", "with experts", "each layer must have one feed-forward part"));
        }
        Ok(())
    }

    /// Reads the rotations. The scaling of Llama 3.1 is not among the metadata: it is a tensor of divisors.
    fn rope(&self, head: usize, context: usize) -> Result<Rope, GenerateError> {
        let base = self.float("rope.freq_base").unwrap_or(10_000.0);
        check_rotations(head, base)?;
        if let Some(rotated) = self.optional("rope.dimension_count")?.filter(|rotated| *rotated != head) {
            return Err(wrong("the part of a head that RoPE rotates", rotated, format!("it must be {head}")));
        }
        let factor = || self.float("rope.scaling.factor").ok_or_else(|| missing(&self.key("rope.scaling.factor")));
        let scaling = match self.gguf.text(&self.key("rope.scaling.type")) {
            None | Some("none") => Scaling::None,
            Some("linear") => Scaling::Linear { factor: factor()? },
            Some("yarn") => Scaling::Yarn {
                factor: factor()?,
                fast: self.float("rope.scaling.yarn_beta_fast").unwrap_or(32.0),
                slow: self.float("rope.scaling.yarn_beta_slow").unwrap_or(1.0),
                trained: self.float("rope.scaling.original_context_length").unwrap_or(context as f64),
                length: None,
            },
            Some(other) => {
                return Err(unsupported("RoPE scaling", other, "`none`, `linear` and `yarn` are"));
            }
        };
        for key in ["attn_factor", "yarn_attn_factor", "yarn_ext_factor", "yarn_log_multiplier"] {
            let key = format!("rope.scaling.{key}");
            if self.float(&key).is_some_and(|number| number != 1.0) {
                return Err(unsupported("RoPE scaling", &self.key(&key), "it must be 1, or not be there"));
            }
        }
        Ok(Rope::new(head, base, scaling.check()?))
    }

    /// Reads the window of attention, which all layers have.
    fn window(&self, context: usize) -> Result<Option<Window>, GenerateError> {
        let positions = self.gguf.integer(&self.key("attention.sliding_window")).filter(|positions| *positions > 0);
        let Some(positions) = positions.filter(|positions| *positions < context as u64) else { return Ok(None) };
        if self.name != "llama" {
            return Err(unsupported("the window of", self.name, "the file does not say which layers have one"));
        }
        Ok(Some(Window { positions: positions as usize, first_layer: 0 }))
    }
}
