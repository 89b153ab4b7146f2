"""What the site has beyond the Markdown of docs/: pages of other folders, the codes, and the files that pages link to.

1. `on_files` adds the pages in ELSEWHERE, a page for each diagnostic code, and a page or a copy of each file that some page links to. The list of codes
   replaces `docs/codes/index.md`, which stands for it on GitHub.
2. `on_page_markdown` turns links between files of the repository into links between pages, names of codes into links, and fences such as
   `ogc,error CODE` into fences that Markdown knows.
"""

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import codes  # noqa: E402
import lexer  # noqa: E402

lexer.register()

ROOT = Path(__file__).resolve().parents[2]

# Pages that live beside what they describe, and their places in the site.
ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "PLAN.md": "plan.md",
    "SECURITY.md": "security.md",
    "compiler/cli/MESSAGES.md": "messages.md",
    "editors/README.md": "editors/other.md",
    "editors/vscode/README.md": "editors/vscode.md",
    "lsp/REQUESTS.md": "editors/requests.md",
    "runtime/python/README.md": "use/python.md",
}
HOMES = {page: path for path, page in ELSEWHERE.items()}
# A file of another kind is shown as a page with its text.
LANGUAGES = {"ogc": "ogc", "json": "json", "h": "c", "rs": "rust", "py": "python", "toml": "toml", "mjs": "js"}
PICTURES = {"png", "svg"}
# Weights of pages in the search, 1 for all others. A code or a function is still found by its name.
WEIGHTS = {"start/questions.md": 1.5, "codes/": 0.25, "source/": 0.01, "changelog.md": 0.05, "plan.md": 0.05, "contributing.md": 0.05, "editors/requests.md": 0.2}

FENCE = re.compile(r"^(```.*?^```$)", re.M | re.S)
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"(?<![\[`])`([a-z0-9]+(?:-[a-z0-9]+)+)`(?!\]|`)")


def repository_path(page):
    """The path in the repository of a page of the site."""
    return HOMES.get(page, "docs/" + page)


def target(page, link):
    """The path in the repository that a link of a page leads to, or `None` if it leads elsewhere."""
    if re.match(r"[a-z]+:|/", link):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(repository_path(page)), link))


def place(path):
    """The place in the site of a file of the repository."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "README.md":
        return "index.md"
    return f"source/{path}" if path.rsplit(".", 1)[-1] in PICTURES else f"source/{path}.md"


def outside_fences(markdown, change):
    """Applies a function to what stands between fenced blocks."""
    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def source_file(config, path):
    """A file of the repository as a page, or as it is if it is a picture."""
    if path.rsplit(".", 1)[-1] in PICTURES:
        return File.generated(config, place(path), abs_src_path=str(ROOT / path))
    language = LANGUAGES.get(path.rsplit(".", 1)[-1], "text")
    text = (ROOT / path).read_text()
    return File.generated(config, place(path), content=f"# {path}\n\n````{language}\n{text.rstrip()}\n````\n")


def on_files(files, config):
    for path, page in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text()))
    for page, text in codes.pages().items():
        if shorter := files.get_file_from_path(page):
            files.remove(shorter)
        files.append(File.generated(config, page, content=text))
    wanted = set()
    for file in files.documentation_pages():
        for link, _ in LINK.findall(FENCE.sub("", file.content_string)):
            path = target(file.src_uri, link)
            if path and (ROOT / path).is_file() and not (ROOT / "docs" / place(path)).is_file():
                wanted.add(path)
    for path in sorted(wanted - set(ELSEWHERE) - {"README.md"}):
        if not path.startswith("docs/"):
            files.append(source_file(config, path))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    for start, weight in WEIGHTS.items():
        if here.startswith(start) and here != "codes/index.md":
            page.meta["search"] = {"boost": weight}

    def link(match):
        path = target(here, match[1])
        if path is None or not (ROOT / path).is_file():
            return match[0]
        return posixpath.relpath(place(path), posixpath.dirname(here) or ".") + (match[2] or "")

    def name(match):
        if not codes.is_code(match[1]) or here.startswith("codes/"):
            return match[0]
        return f"[`{match[1]}`]({posixpath.relpath(f'codes/{match[1]}.md', posixpath.dirname(here) or '.')})"

    def cell(line):
        """GitHub needs `\\|` in code of a table, where Markdown here shows the stroke too."""
        return re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line

    def prose(text):
        lines = [cell(line) for line in LINK.sub(link, text).split("\n")]
        return "\n".join(line if line.startswith("#") else CODE.sub(name, line) for line in lines)

    if here.startswith("source/"):
        return markdown
    markdown = outside_fences(markdown, prose)
    markdown = re.sub(r"^```(console|python),\w+.*$", r"```\1", markdown, flags=re.M)
    markdown = re.sub(r"^```ogc,file (\S+)$", r'```ogc title="\1"', markdown, flags=re.M)
    return re.sub(r"^```ogc,error ([a-z-]+)$", r'```ogc title="gives the error \1"', markdown, flags=re.M)
