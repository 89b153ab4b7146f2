"""Colours for `.ogc` in the site: a lexer of Pygments, registered under the name `ogc`."""

from pygments import lexers
from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

ITEMS = ("type", "rule", "output", "import", "test", "policy", "from", "as", "with", "accept", "reject", "because")
BUILTIN = """any null bool int number string array object map omit tuple text mix substring lazy json raw quoted each any_tool
date time datetime duration email hostname uri uuid ipv4 ipv6 regex base64 true false""".split()


class OgcLexer(RegexLexer):
    """Tokens of `.ogc` as far as colours need them."""

    name = "ogc"
    aliases = ["ogc"]
    filenames = ["*.ogc"]
    tokens = {
        "root": [
            (r"\s+", Text.Whitespace),
            (r"///?.*", Comment.Single),
            (r'tok"[^"]*"|tok\'[^\']*\'', String.Symbol),
            (r'"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'', String),
            (r"/(\\.|\[(\\.|[^\]\\\n])*\]|[^/\\\n\[])+/", String.Regex),
            (r"@[a-z_]+", Name.Decorator),
            (r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", Number),
            (words(ITEMS, prefix=r"\b", suffix=r"\b(?!\??:)"), Keyword),
            (words(BUILTIN, prefix=r"\b", suffix=r"\b(?!\??:)"), Keyword.Type),
            (r"[^\W\d]\w*(?=\??:)", Name.Attribute),
            (r"[^\W\d]\w*", Name),
            (r"\.\.\.?|[|&%?*+=-]", Operator),
            (r"[{}()\[\]<>,:.]", Punctuation),
        ]
    }


def register() -> None:
    """Makes the lexer known to Pygments, which else knows the lexers of installed packages alone."""
    lexers.LEXERS["OgcLexer"] = (__name__, OgcLexer.name, tuple(OgcLexer.aliases), tuple(OgcLexer.filenames), ())
    lexers._lexer_cache[OgcLexer.name] = OgcLexer
