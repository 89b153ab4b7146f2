#!/usr/bin/env python3
"""Draws the pictures of docs/pictures: `docs/site/pictures.py` writes them, `docs/site/pictures.py --check` fails where one is stale.

The pipeline and the life of a token are described here; the floors of crates come from the arrows in tests/tests/tidy/arrows.rs, the plot of
steps from the first table of docs/performance.md, the terminal from the first run in docs/by-example/extraction.md, which a test runs.
"""

import math
import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
SANS = "font-family='Inter,Segoe UI,Helvetica,Arial,sans-serif'"
MONO = "font-family='DejaVu Sans Mono,Consolas,Menlo,monospace'"
PAPER, INK, GREY, LINE, TEAL, LIGHT = "#ffffff", "#1f2328", "#57606a", "#afb8c1", "#00796b", "#e0f2f1"


def svg(width, height, title, parts, paper=PAPER):
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' role='img'>"
    arrow = (f"<defs><marker id='to' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' markerHeight='7' orient='auto-start-reverse'>"
             f"<path d='M0 0 10 5 0 10z' fill='{GREY}'/></marker></defs>")
    frame = f"<rect x='0.5' y='0.5' width='{width - 1}' height='{height - 1}' rx='8' fill='{paper}' stroke='{LINE}'/>"
    return "\n".join([head, f"<title>{escape(title)}</title>", arrow, frame, *parts, "</svg>"]) + "\n"


def text(x, y, words, size=13, colour=INK, anchor="middle", font=SANS, weight="normal"):
    return (f"<text x='{x:g}' y='{y:g}' font-size='{size}' fill='{colour}' text-anchor='{anchor}' font-weight='{weight}' {font}>"
            f"{escape(words)}</text>")


def box(x, y, width, height, words, below="", fill=LIGHT):
    middle = x + width / 2
    parts = [f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='6' fill='{fill}' stroke='{TEAL}'/>",
             text(middle, y + (height / 2 + 5 if not below else height / 2 - 3), words, weight="bold")]
    return parts + ([text(middle, y + height / 2 + 14, below, 11, GREY)] if below else [])


def arrow(x1, y1, x2, y2):
    return f"<path d='M{x1:g} {y1:g} {x2:g} {y2:g}' stroke='{GREY}' stroke-width='1.5' fill='none' marker-end='url(#to)'/>"


def pipeline():
    stages = [("source text", ".ogc, schema, grammar"), ("items", "one query each"), ("module", "schema graph, rules"),
              ("automaton", "bytes, registers, calls"), ("masks", "rows for a vocabulary"), ("artifact", ".ogca, mapped")]
    parts = []
    for n, (words, below) in enumerate(stages):
        x, y = 20 + n % 3 * 240, 24 + n // 3 * 110
        parts += box(x, y, 190, 56, words, below)
        if n % 3:
            parts.append(arrow(x - 48, y + 28, x - 3, y + 28))
    parts.append(f"<path d='M595 80 v27 h-480 v24' stroke='{GREY}' stroke-width='1.5' fill='none' marker-end='url(#to)'/>")
    parts.append(text(360, 214, "An edit runs again only what read the thing that changed.", 12, GREY))
    return svg(720, 232, "The pipeline from a source text to an artifact", parts)


def token():
    steps = [("model", "logits of all tokens"), ("mask", "rows, joined by OR"), ("sampler", "one allowed token"), ("matcher", "steps by its bytes")]
    parts = []
    for n, (words, below) in enumerate(steps):
        x = 16 + n * 178
        parts += box(x, 40, 150, 56, words, below)
        if n:
            parts.append(arrow(x - 26, 68, x - 3, 68))
    parts.append(f"<path d='M625 96 v36 h-534 v-33' stroke='{GREY}' stroke-width='1.5' fill='none' marker-end='url(#to)'/>")
    parts.append(text(360, 150, "the next position: which token, and which states are alive", 12, GREY))
    parts.append(text(269, 26, "lookup: no walk over the vocabulary", 11, GREY))
    parts.append(text(625, 26, "events, captures", 11, GREY))
    return svg(720, 166, "The life of a token", parts)


def mask():
    rows = [("state in a string", [1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1]), ("way out: closing quote", [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0])]
    rows.append(("mask of the position", [a | b for a, b in zip(rows[0][1], rows[1][1])]))
    names = ["a", "the", " is", '"', "é", "42", "\\", "Ada", "-", '",', "x", "of"]
    parts = [text(230 + n * 38, 30, name, 11, GREY, font=MONO) for n, name in enumerate(names)]
    for n, (words, bits) in enumerate(rows):
        y = 42 + n * 42 + (12 if n == 2 else 0)
        parts.append(text(198, y + 19, words, 12, anchor="end", weight="bold" if n == 2 else "normal"))
        for k, bit in enumerate(bits):
            fill = TEAL if bit else PAPER
            parts.append(f"<rect x='{213 + k * 38}' y='{y}' width='34' height='28' rx='4' fill='{fill}' stroke='{LINE}'/>")
            parts.append(text(230 + k * 38, y + 19, str(bit), 12, PAPER if bit else GREY))
    parts.append(f"<path d='M20 126 h660' stroke='{LINE}' stroke-dasharray='4 4'/>")
    return svg(700, 186, "A mask is the union of rows that matchers share", parts)


def floors():
    """The crates, each above all that it depends on."""
    source = (ROOT / "tests/tests/tidy/arrows.rs").read_text()
    table = source[source.index("const ARROWS"): source.index("];", source.index("const ARROWS"))]
    needs = {name: re.findall(r'"([^"]+)"', known) for name, known in re.findall(r'\(\s*"([^"]+)",\s*&\[(.*?)\]', table, re.S)}
    tests = {"ogc-kit", "ogc-ptx", "ogc-counting", "ogc-tests", "ogc-bench", "ogc-fuzz", "ogc-cuda-bench"}
    needs = {name: [one for one in known if one not in tests] for name, known in needs.items() if name not in tests}

    def floor(name):
        return 1 + max((floor(one) for one in needs.get(name, [])), default=-1)

    levels = {}
    for name in needs:
        levels.setdefault(floor(name), []).append(name)
    parts, top = [], max(levels)
    for level, names in levels.items():
        y = 20 + (top - level) * 50
        parts.append(text(24, y + 25, str(level), 12, GREY))
        width = 136
        left = 390 - (len(names) * (width + 12) - 12) / 2
        for n, name in enumerate(names):
            parts += box(left + n * (width + 12), y, width, 38, name)
    height = 20 + (top + 1) * 50
    return svg(740, height + 14, "Crates, each above all that it depends on", parts + [text(390, height + 2, "A crate knows only crates of lower floors.", 12, GREY)])


def steps():
    """Time of a step at p50, p99 and p99.9, on a logarithmic scale, from the first table of the page."""
    page = (ROOT / "docs/performance.md").read_text()
    rows = re.findall(r"^\| (ogc, from a built artifact|ogc, masks at first use|llguidance [\d.]+) \|.*?\|.*?\| ([\d., ]+) \|", page, re.M)[:3]
    low, high, left, width = 0.1, 10_000, 190, 500
    place = lambda value: left + width * (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
    parts = []
    for power in range(-1, 5):
        x = place(10**power)
        parts.append(f"<path d='M{x:g} 40 v150' stroke='{LINE}' stroke-dasharray='3 3'/>")
        parts.append(text(x, 206, f"{10**power:g} µs" if power < 3 else f"{10**(power - 3):g} ms", 11, GREY))
    shades = ["#80cbc4", "#26a69a", "#00695c"]
    for n, (name, figures) in enumerate(rows):
        values = [float(value.replace(",", "")) for value in re.split(r", ", figures)][1:]
        y = 48 + n * 48
        parts.append(text(left - 12, y + 24, name, 12, anchor="end", weight="bold" if n == 0 else "normal"))
        for k, value in enumerate(values):
            x = place(value)
            parts.append(f"<rect x='{left}' y='{y + k * 12}' width='{x - left:g}' height='10' fill='{shades[k]}'/>")
            parts.append(text(x + 5, y + k * 12 + 9, f"{value:,g}", 10, INK, "start"))
    for k, name in enumerate(["p50", "p99", "p99.9"]):
        parts.append(f"<rect x='{left + k * 70}' y='16' width='10' height='10' fill='{shades[k]}'/>")
        parts.append(text(left + 16 + k * 70, 25, name, 11, GREY, "start"))
    parts.append(text(360, 226, "One step: accept a token, have the next mask. 600 schemas of MaskBench, llama-3.1 vocabulary. Logarithmic.", 11, GREY))
    return svg(720, 240, "Time of a step at p50, p99 and p99.9", parts)


def terminal():
    page = (ROOT / "docs/by-example/extraction.md").read_text()
    lines = page[page.index("```console\n") + 11:].split("\n```")[0].split("\n")
    colours = {"$": "#7ee787", "E": "#ff7b72", "a": "#8b949e", "e": "#8b949e", "i": "#8b949e", "t": "#8b949e"}
    parts = []
    for n, line in enumerate(lines):
        plain, mark, label = line.partition("╰──")
        colour = colours.get(line[:1], "#8b949e" if line.startswith("          ") and not mark else "#e6edf3")
        label = f"<tspan fill='#79c0ff'>{escape(mark + label)}</tspan>" if mark else ""
        plain = escape(plain).replace(" ", "\u00a0")
        parts.append(f"<text x='16' y='{30 + n * 18}' font-size='13' fill='{colour}' {MONO}>{plain}{label}</text>")
    return svg(720, 30 + len(lines) * 18, "ogc run shows where a text leaves its format", parts, "#0d1117")


PICTURES = {"pipeline": pipeline, "token": token, "mask": mask, "floors": floors, "steps": steps, "terminal": terminal}


def main():
    stale = []
    for name, draw in PICTURES.items():
        path, drawn = FOLDER / f"{name}.svg", draw()
        if "--check" not in sys.argv:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(drawn)
        elif not path.exists() or path.read_text() != drawn:
            stale.append(str(path.relative_to(ROOT)))
    if stale:
        sys.exit(f"{', '.join(stale)}: not what docs/site/pictures.py draws; run it to write them anew")


if __name__ == "__main__":
    main()
