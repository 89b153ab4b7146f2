#!/usr/bin/env python3
"""Checks the links of a site that was built: `docs/site/check.py FOLDER`. Each leads to a file that is there, and to an anchor in it.

MkDocs checks links between Markdown pages. This sees what it cannot: links in HTML, pictures, styles, and anchors that hooks made.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and anchors of a page, and pictures without a description."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.nameless = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(value for name, value in attributes if name in ("id", "name") and value)
        if tag == "img" and not values.get("alt"):
            self.nameless.append(values.get("src"))
        self.links += [value for name, value in attributes if name in ("href", "src") and value]


def faults(folder):
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html") if path.name != "404.html"}
    for path, page in pages.items():
        here = path.relative_to(folder)
        yield from (f"{here}: the picture {source} has no description" for source in page.nameless)
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.is_file():
                yield f"{here}: {link} leads nowhere"
            elif parts.fragment and goal in pages and unquote(parts.fragment) not in pages[goal].anchors:
                yield f"{here}: {link} has no such anchor"


def main():
    folder = Path(sys.argv[1]).resolve()
    found = sorted(set(faults(folder)))
    print(f"{len(list(folder.rglob('*.html')))} pages, {len(found)} faults in links")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
