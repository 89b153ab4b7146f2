//! The numbers of a model from the `config.json` of a folder in the layout of Hugging Face.

use serde::Deserialize;

use super::{Config, Window, bounded, check_rotations, missing, unsupported};
use crate::error::GenerateError;
use crate::model::rope::{Rope, Scaling};

/// The fields of the file on which the layers of these models depend.
#[derive(Debug, Deserialize)]
struct File {
    model_type: Option<String>,
    hidden_size: Option<u64>,
    intermediate_size: Option<u64>,
    num_hidden_layers: Option<u64>,
    num_attention_heads: Option<u64>,
    num_key_value_heads: Option<u64>,
    head_dim: Option<u64>,
    max_position_embeddings: Option<u64>,
    rms_norm_eps: Option<f64>,
    hidden_act: Option<String>,
    rope_theta: Option<f64>,
    /// The scaling of rotation angles; version 5 of transformers names it `rope_parameters`, and puts the base into it.
    rope_scaling: Option<Stretching>,
    rope_parameters: Option<Stretching>,
    tie_word_embeddings: Option<bool>,
    partial_rotary_factor: Option<f64>,
    sliding_window: Option<u64>,
    use_sliding_window: Option<bool>,
    max_window_layers: Option<u64>,
    layer_types: Option<Vec<String>>,
    quantization_config: Option<serde_json::Value>,
}

/// The scaling of rotation angles.
#[derive(Debug, Default, Deserialize)]
struct Stretching {
    #[serde(alias = "type")]
    rope_type: Option<String>,
    rope_theta: Option<f64>,
    factor: Option<f64>,
    low_freq_factor: Option<f64>,
    high_freq_factor: Option<f64>,
    original_max_position_embeddings: Option<f64>,
    beta_fast: Option<f64>,
    beta_slow: Option<f64>,
    attention_factor: Option<f64>,
    mscale: Option<f64>,
    mscale_all_dim: Option<f64>,
    truncate: Option<bool>,
}

impl Config {
    /// Reads the numbers of a `config.json`.
    pub(crate) fn from_json(text: &[u8]) -> Result<Self, GenerateError> {
        let file: File = serde_json::from_slice(text)
            .map_err(|error| GenerateError::Folder { file: "config.json".to_owned(), reason: error.to_string() })?;
        file.refuse_others()?;
        let (width, heads) =
            (number("hidden_size", file.hidden_size)?, number("num_attention_heads", file.num_attention_heads)?);
        let head = optional("head_dim", file.head_dim)?.unwrap_or(width / heads);
        let context = number("max_position_embeddings", file.max_position_embeddings)?;
        let layers = number("num_hidden_layers", file.num_hidden_layers)?;
        let config = Self {
            layers,
            width,
            inner: number("intermediate_size", file.intermediate_size)?,
            heads,
            key_heads: optional("num_key_value_heads", file.num_key_value_heads)?.unwrap_or(heads),
            head,
            context,
            rope: file.rope(head, context)?,
            rotates_neighbours: false,
            window: file.window(context)?,
            tied: file.tie_word_embeddings.unwrap_or(false),
            epsilon: file.rms_norm_eps.unwrap_or(1e-6) as f32,
        };
        config.check()
    }
}

impl File {
    /// Rejects models whose layers differ from the supported ones.
    fn refuse_others(&self) -> Result<(), GenerateError> {
        let known = ["llama", "mistral", "qwen2", "qwen3"];
        let name = self.model_type.as_deref().ok_or_else(|| missing("model_type"))?;
        if !known.contains(&name) {
            return Err(unsupported("the architecture", name, "`llama`, `mistral`, `qwen2` and `qwen3` are"));
        }
        if let Some(other) = self.hidden_act.as_deref().filter(|name| !matches!(*name, "silu" | "swish")) {
            return Err(unsupported("the activation", other, "`silu` is"));
        }
        if self.partial_rotary_factor.is_some_and(|factor| factor != 1.0) {
            return Err(unsupported("the rotation of", "a part of a head", "`partial_rotary_factor` must be 1"));
        }
        if self.quantization_config.as_ref().is_some_and(|config| !config.is_null()) {
            let reason = "weights of 16 or 32 bits are; quantised models can be read from GGUF";
            return Err(unsupported("the folder", "with quantised weights", reason));
        }
        Ok(())
    }

    fn rope(&self, head: usize, context: usize) -> Result<Rope, GenerateError> {
        let none = Stretching::default();
        let given = self.rope_parameters.as_ref().or(self.rope_scaling.as_ref()).unwrap_or(&none);
        let base = given.rope_theta.or(self.rope_theta).unwrap_or(10_000.0);
        check_rotations(head, base)?;
        Ok(Rope::new(head, base, given.scaling(context)?.check()?))
    }

    /// Reads the window of attention. Qwen 2 and 3 have it, in contrast to Mistral, only from some layer on, and only
    /// if the file turns it on.
    fn window(&self, context: usize) -> Result<Option<Window>, GenerateError> {
        let positions = optional("sliding_window", self.sliding_window)?.filter(|positions| *positions < context);
        let Some(positions) = positions else { return Ok(None) };
        let window = match self.model_type.as_deref() {
            Some("mistral") => Some(Window { positions, first_layer: 0 }),
            Some("qwen2" | "qwen3") if self.use_sliding_window == Some(true) => {
                let first_layer = self.max_window_layers.ok_or_else(|| missing("max_window_layers"))?;
                Some(Window { positions, first_layer: usize::try_from(first_layer).unwrap_or(usize::MAX) })
            }
            _ => None,
        };
        let has_window = |layer| window.is_some_and(|window| layer >= window.first_layer);
        let mut kinds = self.layer_types.iter().flatten().enumerate();
        match kinds.find(|(layer, kind)| has_window(*layer) != (*kind == "sliding_attention")) {
            Some((_, kind)) => {
                Err(unsupported("the list of layers", kind, "the windows of layers must be those of the model's kind"))
            }
            None => Ok(window),
        }
    }
}

impl Stretching {
    fn scaling(&self, context: usize) -> Result<Scaling, GenerateError> {
        let trained = self.original_max_position_embeddings;
        let given = |name: &str, number: Option<f64>| number.ok_or_else(|| missing(&format!("rope_scaling.{name}")));
        match self.rope_type.as_deref() {
            None | Some("default") => Ok(Scaling::None),
            Some("linear") => Ok(Scaling::Linear { factor: given("factor", self.factor)? }),
            Some("llama3") => Ok(Scaling::Llama3 {
                factor: given("factor", self.factor)?,
                low: given("low_freq_factor", self.low_freq_factor)?,
                high: given("high_freq_factor", self.high_freq_factor)?,
                trained: given("original_max_position_embeddings", trained)?,
            }),
            Some("yarn") if self.mscale.or(self.mscale_all_dim).is_some() || self.truncate == Some(false) => {
                Err(unsupported("RoPE scaling", "yarn", "`mscale` and `truncate` are not"))
            }
            Some("yarn") => Ok(Scaling::Yarn {
                factor: given("factor", self.factor)?,
                fast: self.beta_fast.unwrap_or(32.0),
                slow: self.beta_slow.unwrap_or(1.0),
                trained: trained.unwrap_or(context as f64),
                length: self.attention_factor,
            }),
            Some(other) => Err(unsupported("RoPE scaling", other, "`default`, `linear`, `llama3` and `yarn` are")),
        }
    }
}

fn optional(what: &str, given: Option<u64>) -> Result<Option<usize>, GenerateError> {
    given.map(|given| bounded(what, given)).transpose()
}

fn number(what: &str, given: Option<u64>) -> Result<usize, GenerateError> {
    optional(what, given)?.ok_or_else(|| missing(what))
}
