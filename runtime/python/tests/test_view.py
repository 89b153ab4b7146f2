"""Tests of the view of a text for notebooks."""

from html.parser import HTMLParser

import ogc
import pytest

SIZE = ogc.Format.json_schema({"enum": ["small", "large"]}, space="compact")


class Tags(HTMLParser):
    """The tags and attributes of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.titles: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"class", "title"}
        self.titles += [value or "" for name, value in attrs if name == "title"]

    def handle_data(self, data: str) -> None:
        self.text += data


def kinds(view: ogc.TextView) -> list[str]:
    return [token.kind for token in view.tokens]


def test_a_view_says_whether_each_token_was_sampled_or_forced(o200k: ogc.Vocabulary) -> None:
    tokens = o200k.encode('"large"') or []
    view = ogc.view(SIZE, o200k, [*tokens, *o200k.end_tokens])
    assert kinds(view) == ["sampled", "sampled", "forced", "forced"]
    assert [token.text for token in view.tokens] == ['"', "large", '"', "<|endoftext|>"]
    assert view.tokens[1].allowed > 2 and {"l", "s"} <= set(view.tokens[1].some)
    assert view.tokens[3].allowed == 1 and view.tokens[3].some == ("<|endoftext|>",)
    assert kinds(ogc.view(SIZE, o200k, tokens, guessed=[0, 2])) == ["guessed", "sampled", "guessed"]


def test_without_a_tokenizer_only_a_sole_allowed_token_is_forced(letters: ogc.Vocabulary) -> None:
    twice = ogc.Format.regex("abb|aba")
    assert kinds(ogc.view(twice, letters, [0, 1, 0])) == ["sampled", "sampled", "sampled"]
    assert kinds(ogc.view(twice, letters, [2, 1, 4])) == ["sampled", "sampled", "forced"]
    more = ogc.Format.regex("ab+")
    assert kinds(ogc.view(more, letters, [2, 1], encode=lambda text: [2])) == ["forced", "sampled"]
    assert kinds(ogc.view(more, letters, [0, 1], encode=lambda text: [2])) == ["sampled", "forced"]
    assert kinds(ogc.view(ogc.Format.regex("a{1,9}b?"), letters, [0, 1], max_tokens=1)) == ["sampled", "refused"]
    with pytest.raises(ValueError, match="no encoder"):
        ogc.view(twice, letters, [0], encode=lambda text: int("no encoder"))  # type: ignore[arg-type, return-value]


def test_a_view_ends_at_the_first_refused_token(letters: ogc.Vocabulary) -> None:
    view = ogc.view(ogc.Format.regex("ab+"), letters, [0, 1, 0, 1, 1 << 31])
    assert repr(view) == "<TextView 'aba': 1 sampled, 1 forced, 1 refused>"
    assert "Not read behind it: 2." in Tags(view.html()).text
    assert repr(ogc.view(SIZE, letters, [])) == "<TextView '': no tokens>"


def test_texts_are_escaped_in_the_html_view() -> None:
    texts = [b"<script>alert(1)</script>", b'" onmouseover="alert(1)', b"</style></div>", b"\x00\xff\xe2\x80\xae\n", b"&lt;"]
    name = "<img src=x onerror=alert(1)>"
    vocabulary = ogc.Vocabulary.of_tokens(enumerate(texts), special={name: 5}, end_tokens=[5])
    view = ogc.view(ogc.Format.regex(r"[^]*"), vocabulary, [0, 1, 2, 4, 5])
    page = Tags(view.html())
    assert getattr(view, "_repr_html_")() == view.html()
    assert page.tags == {"div", "style", "b", "small", "details", "summary", "table", "tr", "td"}
    for token in view.tokens:
        assert token.text in page.text
    assert any(texts[1].decode() in title for title in page.titles) and name in page.text
    odd = ogc.view(ogc.Format.gbnf("root ::= [\\x00]"), vocabulary, [3])
    assert odd.tokens[0].text == "\\x00\\xff\\u202e\n"


def test_a_view_in_a_notebook_counts_allowed_tokens(o200k: ogc.Vocabulary) -> None:
    page = Tags(ogc.view(SIZE, o200k, o200k.encode('"small"') or []).html())
    assert page.titles[0].startswith("sampled; ") and " of 200,019 tokens allowed: '\"', " in page.titles[0]
    assert page.text.count("tokens allowed") == 3
