//! Tests of the choice of tokens for a text: the policy of the request, else of the format, else canonical tokens.

use std::sync::Arc;

use ogc_generate::{LoadedModel, Request, Sequence};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind, TokenPolicy};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

const POLICIES: [Option<TokenPolicy>; 3] = [None, Some(TokenPolicy::Any), Some(TokenPolicy::Canonical)];

/// The format `a`.
fn letter(token_policy: Option<TokenPolicy>) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("a", 0);
    let [start, end] = [0; 2].map(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.edge(start, b'a', b'a', OpId::NONE, end);
    builder.accept(end);
    let automaton = builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format");
    Arc::new(Automaton { token_policy, ..automaton })
}

#[test]
fn token_policy_of_a_request_overrides_the_format_and_the_default() {
    let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf())).expect("a model");
    for of_format in POLICIES {
        for of_request in POLICIES {
            let matcher = Matcher::new(letter(of_format), MaskStore::new(Arc::clone(&loaded.vocabulary)));
            let request = Request { tokens: of_request, ..Request::new(vec![TokenId(1)], 10) };
            let sequence = Sequence::new(&loaded, matcher, request).expect("a sequence");
            let expected = of_request.or(of_format).unwrap_or(TokenPolicy::Canonical);
            let is_canonical = sequence.matcher().canonical_tokens().is_some();
            assert_eq!(is_canonical, expected == TokenPolicy::Canonical, "{of_format:?} and {of_request:?}");
        }
    }
}
