//! `textDocument/completion` and `completionItem/resolve`: the completions at the cursor.

use ogc_ide::Span;
use ogc_ide::completion::{self, CompletionKey, CompletionKind, Insert};
use tower_lsp_server::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTag, CompletionList,
    CompletionOptions, CompletionParams, CompletionResponse, CompletionTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Range, TextEdit,
};

use crate::disk;
use crate::failure::Failure;
use crate::requests::settings_file::SettingsText;
use crate::view::View;

/// Returns the completions at the cursor.
pub(crate) fn list(view: &View, params: CompletionParams) -> Result<Option<CompletionResponse>, Failure> {
    let about = &params.text_document_position;
    if let Some(settings) = SettingsText::of(view, &about.text_document.uri) {
        let found = settings.completion(view, about.position);
        return Ok(Some(convert(view, found, &|span| settings.to_range(view, span))));
    }
    let Some(at) = view.asked_at(about) else { return Ok(None) };
    let typed = params.context.and_then(|context| context.trigger_character);
    let typed = typed.and_then(|typed| typed.chars().next());
    let folder = completion::import_folder(&view.snapshot, at).map(|name| disk::list(&name)).unwrap_or_default();
    let found = completion::completion_with(&view.snapshot, at, typed, &folder);
    Ok(Some(convert(view, found, &|span| view.to_range(at.file, span))))
}

fn convert(view: &View, found: completion::CompletionList, range: &dyn Fn(Span) -> Range) -> CompletionResponse {
    let items = found.items.into_iter().map(|one| item(view, range, one)).collect();
    CompletionResponse::List(CompletionList { is_incomplete: found.is_incomplete, items })
}

/// Adds the documentation to an item.
pub(crate) fn resolve(view: &View, mut item: CompletionItem) -> Result<CompletionItem, Failure> {
    let parts = item.data.clone().and_then(|data| serde_json::from_value::<Vec<String>>(data).ok());
    let key = parts.and_then(|parts| CompletionKey::from_parts(&parts));
    if let Some(known) = key.and_then(|key| completion::resolve(&view.snapshot, &key)) {
        let value = known.markdown();
        item.documentation = Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    }
    Ok(item)
}

/// Returns the characters that make an editor ask for completion.
pub(crate) fn options() -> CompletionOptions {
    CompletionOptions {
        resolve_provider: Some(true),
        trigger_characters: Some(completion::TRIGGERS.iter().map(char::to_string).collect()),
        ..CompletionOptions::default()
    }
}

fn item(view: &View, range: &dyn Fn(Span) -> Range, one: completion::CompletionItem) -> CompletionItem {
    let (format, text) = match one.insert {
        Insert::Plain(text) => (None, text),
        Insert::Snippet(text) if view.client.snippets => (Some(InsertTextFormat::SNIPPET), text),
        Insert::Snippet(text) => (None, plain(&text)),
    };
    let edits: Vec<TextEdit> =
        one.edits.iter().map(|edit| TextEdit::new(range(edit.span), edit.text.clone())).collect();
    let beside = |detail: String| CompletionItemLabelDetails { detail: None, description: Some(detail) };
    let detail = Some(one.detail).filter(|detail| !detail.is_empty());
    CompletionItem {
        label: one.label,
        label_details: detail.clone().map(beside).filter(|_| view.client.label_details),
        detail: detail.filter(|_| !view.client.label_details),
        kind: Some(kind(one.kind)),
        tags: one.is_deprecated.then(|| vec![CompletionItemTag::DEPRECATED]),
        sort_text: Some(one.sort),
        filter_text: one.filter,
        insert_text_format: format,
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range(one.replaced), text))),
        additional_text_edits: (!edits.is_empty()).then_some(edits),
        data: one.key.map(|key| serde_json::json!(key.to_parts())),
        ..CompletionItem::default()
    }
}

/// Returns the text of a snippet without placeholders: `${1:T}` becomes `T`, `$0` disappears.
fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut characters = snippet.chars().peekable();
    // Number of open placeholders with a default text, which a `}` closes.
    let mut open = 0_u32;
    while let Some(c) = characters.next() {
        match c {
            '\\' => out.extend(characters.next()),
            '$' if characters.next_if_eq(&'{').is_some() => {
                while characters.next_if(char::is_ascii_digit).is_some() {}
                let _: Option<char> = characters.next_if_eq(&':');
                open += 1;
            }
            '$' => while characters.next_if(char::is_ascii_digit).is_some() {},
            '}' if open > 0 => open -= 1,
            c => out.push(c),
        }
    }
    out
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Type => CompletionItemKind::STRUCT,
        CompletionKind::Rule => CompletionItemKind::FUNCTION,
        CompletionKind::Output => CompletionItemKind::INTERFACE,
        CompletionKind::Parameter => CompletionItemKind::TYPE_PARAMETER,
        CompletionKind::Argument => CompletionItemKind::VARIABLE,
        CompletionKind::Builtin => CompletionItemKind::CLASS,
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Module => CompletionItemKind::MODULE,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Folder => CompletionItemKind::FOLDER,
        CompletionKind::Attribute => CompletionItemKind::EVENT,
        CompletionKind::Setting => CompletionItemKind::PROPERTY,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Code => CompletionItemKind::CONSTANT,
        CompletionKind::Token => CompletionItemKind::UNIT,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn snippets_can_be_turned_into_plain_text() {
        assert_eq!(plain("Page<${1:T}>$0"), "Page<T>");
        assert_eq!(plain("a {\n  ${1:x}: ${2}\n\\}$0"), "a {\n  x: \n}");
        assert_eq!(plain("\\$ {}"), "$ {}");
    }
}
