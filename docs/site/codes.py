"""Pages of the diagnostic codes, from the table of codes and the explanations that `ogc explain` prints."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODES = ROOT / "grammar" / "src" / "code"
GROUP = re.compile(r'^    [A-Z]\w+ "([^"]+)" \{$')
ENTRY = re.compile(r'^        \w+ "([a-z0-9-]+)" \[([A-Za-z, ]+)\] (fix )?"(.+)";$')


def table():
    """The groups of the table of codes: each a title and its codes, with severities, whether a correction is known, and a summary."""
    groups = []
    for line in (CODES / "table.rs").read_text().splitlines():
        if head := GROUP.match(line):
            groups.append((head[1], []))
        elif entry := ENTRY.match(line):
            groups[-1][1].append((entry[1], entry[2], bool(entry[3]), entry[4].replace('\\"', '"')))
    return groups


GROUPS = table()
NAMES = {code[0] for _, codes in GROUPS for code in codes}
if NAMES != {path.stem for path in (CODES / "explain").glob("*.md")}:
    raise SystemExit("docs/site/codes.py does not read every code of grammar/src/code/table.rs")


def is_code(name):
    return name in NAMES


def page(name, severities, fix, summary):
    text = (CODES / "explain" / f"{name}.md").read_text()
    known = f"*{severities}.{' `ogc check --fix` or an editor can correct it.' if fix else ''}*"
    return f"# {name}\n\n**{summary[0].upper()}{summary[1:]}.**\n\n{known}\n\n{text}"


def index():
    parts = ["# Diagnostic codes\n\nEach finding has a code. `ogc explain CODE` prints the same pages."]
    for title, codes in GROUPS:
        rows = [f"| [`{name}`]({name}.md) | {severities} | {summary.replace('|', chr(92) + '|')} |" for name, severities, _, summary in codes]
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n| code | severity | |\n|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def pages():
    """All pages, by their places in the site."""
    made = {f"codes/{code[0]}.md": page(*code) for _, codes in GROUPS for code in codes}
    return made | {"codes/index.md": index()}
