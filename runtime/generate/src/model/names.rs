//! The tensors of a model, and how files of each kind name them.

/// A tensor of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// A row for each token.
    Embeddings,
    /// The weights of the last normalisation.
    Norm,
    /// The output matrix, a row for each token; without it, the embeddings take its place.
    Output,
    /// Divisors of the frequencies of rotations.
    Slowness,
    /// A tensor of a layer.
    Layer(usize, LayerName),
}

/// A tensor of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LayerName {
    AttentionNorm,
    Ask,
    AskBias,
    AskNorm,
    Key,
    KeyBias,
    KeyNorm,
    Value,
    ValueBias,
    Answer,
    InnerNorm,
    Gate,
    Up,
    Down,
}

impl Name {
    /// Returns its name in GGUF files.
    pub(crate) fn in_gguf(self) -> String {
        match self {
            Name::Embeddings => "token_embd.weight".to_owned(),
            Name::Norm => "output_norm.weight".to_owned(),
            Name::Output => "output.weight".to_owned(),
            Name::Slowness => "rope_freqs.weight".to_owned(),
            Name::Layer(layer, part) => format!("blk.{layer}.{}", part.in_gguf()),
        }
    }

    /// Returns its name in safetensors files, where divisors of frequencies have none.
    pub(crate) fn in_safetensors(self) -> Option<String> {
        match self {
            Name::Embeddings => Some("model.embed_tokens.weight".to_owned()),
            Name::Norm => Some("model.norm.weight".to_owned()),
            Name::Output => Some("lm_head.weight".to_owned()),
            Name::Slowness => None,
            Name::Layer(layer, part) => Some(format!("model.layers.{layer}.{}", part.in_safetensors())),
        }
    }
}

impl LayerName {
    fn in_gguf(self) -> &'static str {
        match self {
            LayerName::AttentionNorm => "attn_norm.weight",
            LayerName::Ask => "attn_q.weight",
            LayerName::AskBias => "attn_q.bias",
            LayerName::AskNorm => "attn_q_norm.weight",
            LayerName::Key => "attn_k.weight",
            LayerName::KeyBias => "attn_k.bias",
            LayerName::KeyNorm => "attn_k_norm.weight",
            LayerName::Value => "attn_v.weight",
            LayerName::ValueBias => "attn_v.bias",
            LayerName::Answer => "attn_output.weight",
            LayerName::InnerNorm => "ffn_norm.weight",
            LayerName::Gate => "ffn_gate.weight",
            LayerName::Up => "ffn_up.weight",
            LayerName::Down => "ffn_down.weight",
        }
    }

    fn in_safetensors(self) -> &'static str {
        match self {
            LayerName::AttentionNorm => "input_layernorm.weight",
            LayerName::Ask => "self_attn.q_proj.weight",
            LayerName::AskBias => "self_attn.q_proj.bias",
            LayerName::AskNorm => "self_attn.q_norm.weight",
            LayerName::Key => "self_attn.k_proj.weight",
            LayerName::KeyBias => "self_attn.k_proj.bias",
            LayerName::KeyNorm => "self_attn.k_norm.weight",
            LayerName::Value => "self_attn.v_proj.weight",
            LayerName::ValueBias => "self_attn.v_proj.bias",
            LayerName::Answer => "self_attn.o_proj.weight",
            LayerName::InnerNorm => "post_attention_layernorm.weight",
            LayerName::Gate => "mlp.gate_proj.weight",
            LayerName::Up => "mlp.up_proj.weight",
            LayerName::Down => "mlp.down_proj.weight",
        }
    }
}
